from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest

from weightlab._result import result_from_dict
from weightlab._version import __version__
from weightlab.exceptions import TimeLimitError


def test_without_a_file_the_table_that_ships_is_asked(weightlab):
    answer = weightlab("win", "--no-details")
    assert answer.code == 0
    assert answer.out.startswith("Of 16 models 14 can win, 2 tie at best, 0 can never win.\n")
    assert answer.out.rstrip().endswith("Proof checked in exact arithmetic: 240 head-to-heads x 72 tasks.")


def test_every_model_has_its_row_with_distance_or_blockers(weightlab, scores):
    answer = weightlab("win", scores)
    assert (answer.code, answer.err) == (0, "")
    assert "from equal weights" in answer.out
    assert "1/3 ada + 1/3 bo + 1/3 cy" in answer.out
    assert [line for line in answer.out.splitlines() if line != line.rstrip()] == []


def test_a_model_that_never_wins_is_told_who_blocks_it(weightlab, scores):
    answer = weightlab("win", scores, "--model", "dee")
    assert answer.code == 0
    assert (
        answer.out.splitlines()[0]
        == "dee can never win: under every weighting some rival leads it by at least 33.3% of the weight."
    )
    assert "under every weighting dee trails this mixture by at least 33.3% of the weight" in answer.out


def test_the_papers_example_is_told_as_designed(weightlab, shared_data):
    answer = weightlab("win", shared_data / "votenrank" / "superglue.csv", "--model", "T5", "--complete")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "T5 ties at best: some weights leave it undefeated, but none make it beat every rival."
    assert "The only weighting that does it    BoolQ 1/2   MultiRC_n2 1/2" in lines
    assert "Distance from equal weights        1.71 of 2 (L1): all but two tasks would have to go to zero" in lines
    assert "Share of all weightings            0%: it ties at best" in lines
    assert lines[-1] == "Proof checked in exact arithmetic: 21 head-to-heads x 14 tasks."
    assert "Left out: Outside Best, Snorkel [SuperGLUE v1.9] (no score on some task)." in answer.err


def test_a_row_level_with_another_is_not_dominated_by_it(weightlab, tmp_path):
    (tmp_path / "below.csv").write_text("model,x,y\np,1,1\np2,1,1\nq,2,2\n", encoding="utf-8")
    assert "p      can never win      -1  q (dominates)\n" in weightlab("win", "below.csv").out


@pytest.mark.parametrize(("code", "margin"), [("0.4999999", "2.0e-7"), ("0.49", "1/50"), ("0.5", "0")])
def test_no_margin_but_zero_is_shown_as_zero(weightlab, scores, code, margin):
    assert f"  {margin}  " in next(line for line in told(weightlab, scores, code) if line.startswith("ada "))


def told(weightlab, scores, code):
    """Return the lines about a space where ada has at most 1 - 2 code over cy."""
    return weightlab("win", scores, "--min", f"code={code}").out.splitlines()


def test_bounds_of_a_margin_enclose_it():
    from weightlab.report.text.tables import _margin

    lower, upper = Fraction(10**6 + 1, 3 * 10**6), Fraction(2 * 10**6 + 1, 3 * 10**6)
    assert _margin(bounded(lower, upper), "a") == "0.3333 to 0.6667"
    assert _margin(bounded(Fraction(1, 2**50), upper), "a") == "8.8e-16 to 0.6667"
    assert _margin(bounded(-upper, -lower), "a") == "-0.6667 to -0.3333"


def bounded(lower, upper):
    return SimpleNamespace(lower={"a": lower}, upper={"a": upper})


def test_a_tiny_distance_is_no_zero(weightlab, scores):
    scores.with_suffix(".toml").write_text(
        "weights = { reading = 49999, arithmetic = 0, code = 50001 }\n", encoding="utf-8"
    )
    assert "2.0e-5" in next(line for line in weightlab("win", scores).out.splitlines() if line.startswith("ada "))


def test_quiet_means_no_notes(weightlab, scores):
    assert weightlab("win", scores, "--no-details").err == "Distances were left out; --details computes them.\n"
    assert weightlab("win", scores, "--no-details", "--quiet").err == ""


def test_missing_scores_are_named_on_standard_error(weightlab, tmp_path):
    (tmp_path / "gaps.csv").write_text("model,x,y\na,1,\nb,2,3\n", encoding="utf-8")
    answer = weightlab("win", "gaps.csv")
    rests = "1 of 1 head-to-head depends on how missing scores count: a vs b."
    assert answer.err.splitlines() == ["Missing scores count as ties: a on y.", rests]
    document = json.loads(weightlab("win", "gaps.csv", "--json").out)
    assert [one["pairs"] for one in document["results"] if one["kind"] == "missing_score_pairs"] == [[["a", "b"]]]
    assert "missing_score_pairs" not in weightlab("win", "gaps.csv", "--unknown", "--json").out
    assert weightlab("win", "gaps.csv", "--quiet").err == ""


def test_conditions_narrow_the_weights(weightlab, scores):
    answer = weightlab(
        "win", scores, "-m", "ada", "--max", "reading=0.4", "--min", "code=0.1", "--fix", "arithmetic=0.3"
    )
    assert answer.code == 0
    assert "under 3 conditions" in answer.out


def test_a_group_is_written_with_an_at_sign(weightlab):
    answer = weightlab("win", "-m", "SVC", "--min", "@speed=1")
    assert answer.code == 0
    assert "under 1 condition." in answer.out


def test_tasks_of_weight_zero_stay_out_on_request(weightlab, tmp_path, scores):
    scores.with_suffix(".toml").write_text("weights = { reading = 0 }\n", encoding="utf-8")
    assert "ada    can win" in weightlab("win", scores).out
    assert "ada    can win" not in weightlab("win", scores, "--scored-only").out


def test_contradicting_conditions_are_named(weightlab, scores):
    answer = weightlab("win", scores, "--max", "code=0.1", "--min", "code=0.2", "--min", "reading=0.1")
    assert answer.code == 2
    assert answer.err == (
        "weightlab: no weights satisfy these conditions together: code at most 1/10; code at least 1/5\n"
    )


def test_json_is_one_document_and_nothing_else_on_standard_output(weightlab, scores):
    answer = weightlab("win", scores, "--json")
    document = json.loads(answer.out)
    assert document["weightlab"] == __version__
    assert [result["kind"] for result in document["results"]] == ["prospects", "winning_shares"]
    assert all(result_from_dict(result).verify() for result in document["results"])


def test_the_document_of_a_model_holds_its_scenarios_too(weightlab, scores):
    document = json.loads(weightlab("win", scores, "-m", "ada", "-m", "dee", "--json").out)
    kinds = [result["kind"] for result in document["results"]]
    told = ["prospect", "scenario", "scenario", "scenario", "weight_ranges"]
    assert [kind for kind in kinds if kind != "upset"] == [*told, "prospect", "winning_shares"]
    assert all(result_from_dict(result).verify() for result in document["results"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "dea"], "no model named 'dea'; the leaderboard has 'ada', 'bo', 'cy', 'dee' (did you mean 'dee'?)"),
        (
            ["--max", "kode=0.1"],
            "no task named 'kode'; the leaderboard has 'reading', 'arithmetic', 'code' (did you mean 'code'?)",
        ),
        (["--max", "code"], "write TASK=SHARE"),
        (["--max", "code=much"], "--max 'code=much'"),
        (["--max", "@nli=1"], "no group named 'nli'; the leaderboard has none"),
        (["--fewest"], "--fewest is about single models: name them with --model"),
        (["--jobs", "0"], "n_jobs must be 1 or more, or negative"),
        (["--jobs", "two"], "invalid value for '--jobs' / '-j': this is no integer"),
        (["--modle", "ada"], "--modle"),
    ],
)
def test_a_wrong_call_is_one_message_and_exit_code_two(weightlab, scores, arguments, message):
    answer = weightlab("win", scores, *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("header.csv", b"model,x,y\n"),
        ("one.csv", b"model,x,y\na,1,2\n"),
        ("words.csv", b"model,x,y\na,good,bad\nb,bad,good\n"),
        ("binary.csv", bytes(range(256)) * 20),
        ("latin.csv", "model,x\ncaf\xe9,1\nb,2\n".encode("latin-1")),
        ("picture.png", b"\x89PNG\r\n\x1a\n"),
        ("prose.csv", b"This is not a table at all.\nNot at all.\n"),
        ("broken.json", b'{"a": '),
        ("duplicate.csv", b"model,x,x\na,1,2\nb,1,2\n"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_its_name(weightlab, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    answer = weightlab("win", name)
    assert answer.code == 2
    assert answer.out == ""
    assert name in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("path", ["nothing.csv", ".", "no/such/folder.csv"])
def test_a_path_that_leads_to_no_file_is_refused(weightlab, path):
    answer = weightlab("win", path)
    assert answer.code == 2
    assert path in answer.err
    assert "Traceback" not in answer.err


def test_a_table_may_come_through_standard_input(weightlab):
    answer = weightlab("win", "-", stdin=b"model,x,y\na,1,2\nb,2,1\n")
    assert answer.code == 0
    assert answer.out.startswith("Of 2 models 2 can win,")


HOSTILE = [
    "[red]a[/red]",
    "<b>bo</b>",
    "\x1b[31mcy",
    'say "dee"',
    "e\u202eve",
    "zo\u00eb \U0001f600",
    "new\nline",
    ":smile:",
]


def test_names_are_data_and_never_markup_or_terminal_codes(weightlab, tmp_path):
    import csv

    with (tmp_path / "names.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["model", "[bold]x", "y\x07"])
        writer.writerows([name, position, -position] for position, name in enumerate(HOSTILE))
    answer = weightlab("win", "names.csv")
    assert answer.code == 0
    for literal in ("[red]a[/red]", "<b>bo</b>", 'say "dee"', "zo\u00eb \U0001f600", ":smile:"):
        assert literal in answer.out
    assert not {"\x1b", "\u202e", "\x07"} & set(answer.out + answer.err)
    assert "\\x1b[31mcy" in answer.out
    story = weightlab("win", "names.csv", "-m", "\x1b[31mcy")
    assert story.code == 0
    assert "\x1b" not in story.out + story.err


def test_a_name_with_an_equals_sign_splits_at_the_last_one(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,a=b,c\nx,1,2\ny,2,1\n", encoding="utf-8")
    assert weightlab("win", "t.csv", "-m", "x", "--max", "a=b=0.5").code == 0


def test_a_result_is_written_where_it_is_wanted(weightlab, scores, tmp_path):
    answer = weightlab("win", scores, "-m", "dee", "-o", "proof.json")
    assert answer.code == 0
    assert json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))["options"]["file"] == "scores.csv"
    refused = weightlab("win", scores, "-o", "no/such/folder/proof.json")
    assert refused.code == 2
    assert "no/such/folder/proof.json" in refused.err


def test_version_and_help_answer(weightlab):
    assert weightlab("--version").out == f"weightlab {__version__}\n"
    helped = weightlab("win", "--help")
    assert helped.code == 0
    assert "weightlab win superglue.csv --model T5 --complete" in helped.out


def test_a_closed_pipe_is_no_fault(scores):
    command = f'"{sys.executable}" -m weightlab win "{scores}" | true'
    finished = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0
    assert finished.stderr == ""


def test_the_module_runs_like_the_command(scores):
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-m", "weightlab", "win", str(scores)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, "")


def test_ctrl_c_ends_with_one_word_and_exit_code_130(weightlab, scores, monkeypatch):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("weightlab.cli.win.win.prospects", interrupted)
    answer = weightlab("win", scores)
    assert (answer.code, answer.out, answer.err) == (130, "", "weightlab: interrupted\n")


def test_what_is_not_proved_says_what_is_known_and_exits_with_three(weightlab, scores, monkeypatch):
    def unproved(*_arguments, **_options):
        raise TimeLimitError("no margin within the time limit", known={"lower": 0, "upper": None})

    monkeypatch.setattr("weightlab.cli.win.win.prospect", unproved)
    answer = weightlab("win", scores, "--model", "dee", "--time-limit", "1")
    assert (answer.code, answer.out) == (3, "")
    assert answer.err == "weightlab: dee: no margin within the time limit\nlower: 0\n"


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (["win", "--rule", "borda"], "say --complete or --missing last"),
        (["win", "--rule", "mean"], "say --complete"),
        (["stability", "--rule", "mean"], "say --complete"),
        (["rank", "--rule", "mean"], "say --complete, --missing skip or --missing median"),
        (["study", "single-changes", "--rule", "borda"], "say --complete, --missing last or --missing median"),
    ],
)
def test_where_scores_are_missing_an_error_says_which_options_help(weightlab, tmp_path, call, advice):
    (tmp_path / "gap.csv").write_text("model,x,y\na,1,2\nb,2,\nc,3,1\n", encoding="utf-8")
    answer = weightlab(call[0], *([call[1], "gap.csv", *call[2:]] if call[0] == "study" else ["gap.csv", *call[1:]]))
    assert answer.code == 2
    assert answer.err.splitlines()[-1] == f"weightlab: 1 missing score: 'b' on 'y'; {advice}"
