"""What ``--help`` says: options in one order with one wording, and examples that run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

from weightlab.cli.app import COMMANDS, GROUPS, app

TABLE = tuple(
    f"--{name}"
    for name in (
        *("complete", "models", "tasks", "lower", "higher", "weight", "group", "drop", "keep", "percent", "transpose"),
        *("name-column", "dataset-column", "missing-value", "weights-from", "accept-reading"),
        *("repeats-by", "split", "spread", "separator", "decimal", "thousands", "table", "member", "size-limit"),
        *("unlisted", "format", "config", "write-config"),
    )
)
"""Options of every command that reads a table."""
CALLS = typer.main.get_command(app()).commands
ORDER = [
    *("--scored-only", "--max", "--min", "--fix", "--no-less"),
    *("--jobs", "--plot", "--theme", "--json", "--output", "--all", "--time-limit", "--quiet"),
    *TABLE,
]
"""Options that several commands have, in the order of every command."""

BOARD = """model,BoolQ,COPA,RTE,MultiRC_n2
ERNIE 3.0,91.0,97.4,92.6,63.2
NEZHA-Plus,90.1,94.4,89.1,58.6
T5,91.2,94.8,92.5,63.3
PAI Albert,88.1,91.8,88.8,59.1
Outside Best,80.4,84.4,82.7,
"""
MODELS = ("OPT (175B)", "GLM (130B)", *"abcdef")
METRICS = ("accuracy", "robustness", "fairness")
RUNS = Path(__file__).parent.parent / "fixtures" / "helm" / "runs"


def test_the_help_of_all_lists_every_command_in_a_group(weightlab):
    told = weightlab("--help").out
    assert all(f"\n{group}:\n" in told for group in GROUPS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_short_help_has_some_options_and_examples_and_the_whole_help_all_of_them(weightlab, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    short, whole = weightlab(name, "--help").out, weightlab(name, "--help-all").out
    flags = {one for parameter in CALLS[name].params for one in parameter.opts if one.startswith("--")}
    listed = {one for one in flags if re.search(rf"^  (-. *, )?{one}\b|^  -., {one}\b", short, re.MULTILINE)}
    assert all(one in whole for one in flags)
    assert len(listed) <= 20
    assert ("--help-all" in short) == (listed < flags)
    assert short.count("\n  weightlab ") <= 2 <= max(2, whole.count("\n  weightlab "))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_loads_neither_tables_nor_solvers(name):
    script = (
        f"import sys; from weightlab.cli import run; run([{name!r}, '--help']); "
        "sys.exit(bool({'numpy', 'pandas', 'highspy', 'weightlab.data', 'weightlab.io'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[:3]) == (0, ["Usage:", "weightlab", name])


def test_who_can_win_is_told_without_loading_scipy_graphs_domains_or_studies():
    script = (
        "import sys; from weightlab.cli import run; run(['win', '--quick']); sys.exit(bool({*sys.modules} & "
        "{'networkx', 'scipy', 'weightlab.graph', 'weightlab.domains', 'weightlab.studies'}))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("name", ["win", "verify"])
def test_help_is_folded_where_lines_are_short(weightlab, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "60")
    helped = weightlab(name, "-h").out
    assert helped.startswith(f"Usage: weightlab {name}")
    assert max(map(len, helped.partition("Examples:")[0].splitlines())) <= 60


def examples(name):
    return [line.strip() for line in (CALLS[name].epilog or "").splitlines() if line.strip().startswith("weightlab")]


@pytest.fixture
def folder(weightlab, tmp_path):
    """A folder with the files that the examples name."""
    (tmp_path / "superglue.csv").write_text(BOARD, encoding="utf-8")
    cells = [
        f"{dataset},{metric},{model},{len(dataset) * (row + 2) * (column + 3) % 7}\n"
        for dataset in ("BoolQ", "MMLU", "QuAC and more")
        for column, metric in enumerate(METRICS)
        for row, model in enumerate(MODELS)
    ]
    (tmp_path / "helm_long.csv").write_text("dataset,metric,model,score\n" + "".join(cells), encoding="utf-8")
    answers = [f"{system},{question},{len(system) * question % 3}\n" for system in ("x", "yy") for question in range(4)]
    (tmp_path / "battles.csv").write_text("model_a,model_b,winner\nx,y,model_a\ny,x,tie\n", encoding="utf-8")
    (tmp_path / "answers.csv").write_text("system,question,f1\n" + "".join(answers), encoding="utf-8")
    costs = "".join(f"{line.partition(',')[0]},{len(line)}\n" for line in BOARD.splitlines()[1:-1])
    (tmp_path / "prices.csv").write_text(f"model,usd\n{costs}", encoding="utf-8")
    shutil.copytree(RUNS, tmp_path / "runs")
    assert weightlab("convert", "superglue.csv", "votes.soc", "--complete", "--break-ties", "alphabetical").code == 0
    assert weightlab("rank", "superglue.csv", "--complete", "-o", "proof.json").code == 0
    assert weightlab("report", "superglue.csv", "--only", "behaved", "-o", "report.html").code == 0
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_help_run_as_they_stand(weightlab, folder, name):
    shown = [line for line in examples(name) if re.search(r"\.csv|\.json|votes|--list|runs/", line)]
    assert examples(name)
    for line in shown:
        if "--plot" in line and find_spec("matplotlib") is None:
            continue
        call = line.replace("--count 5000", "--count 3").replace("--jobs -1", "--jobs 1").split(" | ")[0]
        words = shlex.split(re.sub(r" > [\w.]+$", "", call).removesuffix(" < superglue.csv"))
        words += ["--only", "behaved"] if words[1] == "report" else []  # all of it takes long
        stdin = BOARD.encode() if call.endswith("< superglue.csv") else None
        written = [folder / word for word in words[3:4] if name == "convert"]
        for file in written:
            file.unlink(missing_ok=True)
        answer = weightlab(*words[1:], stdin=stdin)
        assert answer.code == 0, f"{line}: {answer.err}"


@pytest.mark.parametrize("name", COMMANDS)
def test_options_that_commands_share_come_in_one_order(name):
    own = [option for parameter in CALLS[name].params for option in parameter.opts if option in ORDER]
    others = {
        "compare": ("--time-limit",),  # which has a default of its own
        "report": ("--output",),
        "sweep": ("--models",),
        "verify": ("--complete",),
    }.get(name, ())
    kept = [option for option in own if option not in others]
    assert kept == [option for option in ORDER if option in kept]


def test_options_that_commands_share_have_one_letter_and_one_metavar():
    letters: dict[str, set[str]] = {}
    takes: dict[str, set[str]] = {}
    for call in CALLS.values():
        for parameter in call.params:
            long = next((one for one in parameter.opts if one.startswith("--")), "")
            for short in (one for one in parameter.opts if re.fullmatch("-.", one)):
                letters.setdefault(short, set()).add(long)
            if long not in {"", "--models", "--metrics"}:  # of sweep they are sets, which may have names
                takes.setdefault(long, set()).add(str(parameter.metavar))
    assert all(len(long) == 1 for long in letters.values()), letters
    assert all(len(metavars) == 1 for metavars in takes.values()), takes
