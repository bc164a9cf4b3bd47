"""Calls themselves: help, shells that complete a line, and calls that are wrong."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from weightlab.cli.app import COMMANDS


def asked(line, shell):
    """Return what a shell says in the environment when TAB is struck at the end of the line."""
    words = line.split(" ")
    told = {"_TYPER_COMPLETE_ARGS": line}
    if shell == "bash":
        told = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    return {**told, "_WEIGHTLAB_COMPLETE": f"complete_{shell}"}


@pytest.fixture
def completed(weightlab, monkeypatch):
    """Returns what a shell is told when TAB is struck at the end of a line."""

    def answer(line, shell="bash"):
        for name, value in asked(line, shell).items():
            monkeypatch.setenv(name, value)
        told = weightlab()
        assert told.err == ""
        return told.out

    return answer


def test_a_shell_that_starts_the_command_is_told_the_same(completed):
    ended = subprocess.run(
        [sys.executable, "-m", "weightlab"],
        env={**os.environ, **asked("weightlab co", "bash")},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert (ended.stdout, ended.stderr) == (completed("weightlab co"), "")


def test_bash_completes_commands_in_their_order(completed):
    assert completed("weightlab ").split() == list(COMMANDS)
    assert completed("weightlab co").split() == ["compare", "convert"]


def test_bash_completes_options_of_the_command_and_the_words_they_take(completed):
    assert completed("weightlab win --m").split() == [
        "--model",
        "--max",
        "--min",
        "--model-column",
        "--missing",
        "--models",
        "--missing-value",
        "--member",
    ]
    assert completed("weightlab graph --plot-kind ").split() == ["graph", "margins"]


def test_zsh_is_told_what_each_command_is_about(completed):
    told = completed("weightlab ", "zsh")
    assert all(
        f'"{name}":"{about}"'.replace("'", "''") in told.replace("\\\\:", ":") for name, about in COMMANDS.items()
    )


@pytest.mark.parametrize("call", [[], ["--help"], ["-h"]])
def test_without_a_command_all_are_listed_each_in_one_whole_line(weightlab, call):
    answer = weightlab(*call)
    assert (answer.code, answer.err) == (0, "")
    lines = [line.strip() for line in answer.out.splitlines()]
    for name, about in COMMANDS.items():
        assert f"{name:<{max(map(len, COMMANDS))}}  {about}" in lines


def test_listing_the_commands_loads_none_of_them():
    script = "import sys; from weightlab.cli import run; run(['--help']); sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["rnak"], "no such command 'rnak' (did you mean 'rank'?); see 'weightlab --help'"),
        (
            ["rank", "--complte"],
            "no such option: --complte (did you mean --complete, --plot, --split?); see 'weightlab rank --help'",
        ),
        (["win", "-m"], "option '-m' requires an argument; see 'weightlab win --help'"),
        (["win", "--seed", "x"], "invalid value for '--seed': this is no integer; see 'weightlab win --help'"),
        (["win", "a", "b"], "got unexpected extra argument(s) (b); see 'weightlab win --help'"),
        (["convert", "a.csv"], "missing argument 'TARGET'; see 'weightlab convert --help'"),
        (
            ["win", "--theme", "x"],
            "invalid value for '--theme': 'x' is not one of 'light', 'dark'; see 'weightlab win --help'",
        ),
    ],
)
def test_a_wrong_call_is_one_line_that_says_where_help_is(weightlab, call, said):
    answer = weightlab(*call)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"weightlab: {said}\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("weightlab rank --rule co", ["coombs", "condorcet", "copeland"]),
        ("weightlab study m", ["manipulation", "metric-cycles", "missing-scores"]),
        ("weightlab nearest --objective closest", ["closest", "closest-linf"]),
        ("weightlab audit --break-ties ", ["alphabetical", "reverse", "keep"]),
    ],
)
def test_bash_completes_names_of_rules_studies_and_ways(completed, line, words):
    assert completed(line).split() == words


def test_models_of_suites_and_of_votes_complete_and_metrics_of_suites(completed, tmp_path):
    (tmp_path / "long.csv").write_text(
        "dataset,metric,model,score,higher_is_better\nx,acc,ada,1,true\nx,acc,bo,2,true\nx,ece,ada,1,false\nx,ece,bo,2,false\n"
    )
    (tmp_path / "votes.csv").write_text("model_a,model_b,winner\nada,bo,model_a\nada,cy,tie\n")
    assert completed("weightlab audit long.csv --models a").split() == ["ada"]
    assert completed("weightlab audit long.csv --tasks e").split() == ["ece"]
    assert completed("weightlab graph votes.csv --models ").split() == ["ada", "bo", "cy"]
    assert not completed("weightlab graph votes.csv --tasks ").strip()
