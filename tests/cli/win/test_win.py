from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

import weightlab as wl
from tests.report.reading import read
from weightlab._result import result_from_dict
from weightlab._version import __version__
from weightlab.exceptions import TimeLimitError

TABLE = ["model", "share head-to-head", "weight shift head-to-head", "nearest winning weights"]


def rows_of(told):
    """Return the rows of the table by model, cell by cell."""
    lines = told.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("model "))
    rows = [re.split(r" {2,}", line) for line in lines[first:] if line]
    return {row[0]: row[1:] for row in rows}


def test_without_a_file_the_table_that_ships_is_asked(weightlab):
    answer = weightlab("win", "--quick")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0].startswith("Ranked by Borda: ")
    assert lines[1] == "By Borda, 16 of 16 models can be the only winner, 0 tie at best, 0 can never win."
    assert lines[2] == "Head-to-head, 14 of 16 models can win, 2 tie at best, 0 can never win."
    assert "Now (equal weights) SVC wins head-to-head." in lines
    assert lines[-1] == "Verdicts proved in exact arithmetic."


def test_models_that_can_win_have_shares_and_distances_and_the_others_are_counted(weightlab, scores):
    answer = weightlab("win", scores, "--rule", "majority")
    assert (answer.code, answer.err) == (0, "")
    rows = rows_of(answer.out)
    assert ["model", *rows["model"]] == TABLE
    assert rows["ada"] == ["25.3%", "> 16.6%", "reading 50%"]
    assert "dee" not in rows
    never = "\ndee can never win head-to-head: under all weights it trails an even mixture of ada, bo and cy by 33.3%"
    assert never in answer.out
    every = weightlab("win", scores, "--all").out
    assert (
        "\ncan never win head-to-head  because\n"
        "dee                         under all weights it trails an even mixture of ada, " in every
    )
    assert [line for line in answer.out.splitlines() if line != line.rstrip()] == []


def test_a_notebook_shows_the_same_columns_rows_and_draws(weightlab):
    """Shares are drawn from the same seed."""
    rows = rows_of(weightlab("win", "--rule", "majority").out)
    seen = read(wl.lp.prospects(wl.datasets.load_leaderboard("classifiers"))._repr_html_())
    told = [[cell.text for kind in ("th", "td") for cell in row.all(kind)] for row in seen.all("tr")]
    assert told[0] == list(TABLE)
    assert told[1:] == [[name, *cells] for name, cells in rows.items() if len(cells) == 3 and name != "model"]
    assert told[1][0] == "SVC"


def test_long_tables_show_the_nearest_and_count_the_rest(weightlab, tmp_path):
    tasks = [f"t{place}" for place in range(25)]
    table = [f"m{row},{','.join('1' if row == column else '0' for column in range(25))}" for row in range(25)]
    (tmp_path / "many.csv").write_text("\n".join([",".join(["model", *tasks]), *table, "last" + ",-1" * 25]), "utf-8")
    told = weightlab("win", "many.csv", "--samples", "10", "--rule", "majority").out
    assert len(re.findall(r"^m\d+ .* > ", told, re.MULTILINE)) == 20
    assert (
        "5 more models can win or tie head-to-head (--all lists them).\n"
        "last can never win head-to-head: m0, m1, m2 and 22 more each beat or tie it" in told
    )
    every = weightlab("win", "many.csv", "--samples", "10", "--all", "--rule", "majority").out
    assert len(re.findall(r"^m\d+ .* > ", every, re.MULTILINE)) == 25


def test_todays_winner_has_nothing_to_move(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y\na,2,2\nb,1,3\n", encoding="utf-8")
    (tmp_path / "t.toml").write_text("weights = { x = 2 }\n", encoding="utf-8")
    told = weightlab("win", "t.csv").out
    assert "Now (the table's weights) a wins head-to-head." in told
    assert rows_of(told)["a"][1] == rows_of(told)["a"][3] == "none: leads now"
    alone = rows_of(weightlab("win", "t.csv", "--rule", "majority").out)
    assert (alone["a"][1:], alone["b"][1:]) == (["none: leads now", "current"], ["> 16.6%", "y 50%"])


def test_models_tied_at_the_top_today_are_told_as_tied(weightlab, tmp_path):
    (tmp_path / "tie.csv").write_text("model,x,y\na,2,1\nb,1,2\nc,0,0\n", encoding="utf-8")
    told = weightlab("win", "tie.csv").out
    assert "Now (equal weights) no model wins head-to-head: a and b are tied at the top, undefeated.\n" in told
    assert "a and b share first place of 3 models by average." in told
    alone = rows_of(weightlab("win", "tie.csv", "--rule", "majority").out)
    assert alone["b"][1:] == ["> 0%", "an arbitrarily small change: tied now"]


def test_one_undefeated_model_that_ties_does_not_win(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y,z\na,2,1,1\nb,1,2,1\nc,1,1,2\n", encoding="utf-8")
    assert "a, b and c are tied at the top" in weightlab("win", "t.csv", "--quick").out
    table = "model,w,x,y,z\na,3,3,2,1\nb,1,1,3,2\nc,2,2,1,3\n"
    (tmp_path / "u.csv").write_text(table, encoding="utf-8")
    assert (
        "no model wins head-to-head: a is undefeated, but only ties some rival."
        in weightlab("win", "u.csv", "--quick").out
    )


def test_a_model_that_never_wins_is_told_who_blocks_it(weightlab, scores):
    answer = weightlab("win", scores, "--model", "dee")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "dee can never come first by average, nor head-to-head."
    lead = "Head-to-head, dee can never win: under every weighting some rival leads it by at least 33.3% of the weight."
    assert lead in lines


def test_the_papers_example_is_told_as_designed(weightlab, shared_data):
    answer = weightlab("win", shared_data / "votenrank" / "superglue.csv", "--model", "T5", "--complete")
    assert answer.code == 0
    assert answer.out.startswith("T5 can come first by average, but can only tie head-to-head.\n\n")
    head = "Head-to-head, T5 ties at best: some weights leave it undefeated, but none make it beat every rival.\n\n"
    own, _, duels = answer.out.partition(head)
    told = {line[:25].strip(): line[25:] for line in own.splitlines()}
    assert told["Now"].startswith("rank 5 of 22 (equal weights), behind ERNIE 3.0 (by 1.51 points), ")
    assert told["Nearest winning weights"].startswith("more than 57.5% of the weight must shift (57.6% here): ")
    told = {line[:25].strip(): line[25:] for line in duels.splitlines()}
    assert told["Now"] == "beats 17 of 21 rivals, loses to 4 (equal weights)"
    only = "undefeated with BoolQ 50%, MultiRC_n2 50%, the only such weights; at least 85.7% of the weight must shift"
    assert told["At best"] == only
    google = "'T5 + UDG, Single Model (Google Brain)'"
    mixed = f"an even mixture of {google} and DeBERTa / TuringNLRv4"
    assert told["Blocked by"] == f"{mixed}: no weights give T5 a lead over it"
    assert told["What it would take"].startswith("current weights: tie SuperGLUE Human Baselines on RTE, ")
    assert told["What it would take"].endswith(f" tasks); some weights: tie {google} on BoolQ (91.2 to 91.4)")
    assert told["Share of weightings"] == "0%"
    assert "Left out: Outside Best, Snorkel [SuperGLUE v1.9] (missing scores)." in answer.err


def test_a_row_level_with_another_is_not_dominated_by_it(weightlab, tmp_path):
    (tmp_path / "below.csv").write_text("model,x,y\np,1,1\np2,1,1\nq,2,2\n", encoding="utf-8")
    row = "p                           q beats or ties it on every task\n"
    assert row in weightlab("win", "below.csv", "--all").out


@pytest.mark.parametrize(("code", "verdict"), [("0.4999999", "yes"), ("0.49", "yes"), ("0.5", "tie only")])
def test_only_a_lead_of_zero_is_a_tie(weightlab, scores, code, verdict):
    assert rows_of(weightlab("win", scores, "--quick", "--min", f"code={code}").out)["ada"][1] == verdict


def test_a_tiny_distance_is_no_zero(weightlab, scores):
    scores.with_suffix(".toml").write_text(
        "weights = { reading = 49999, arithmetic = 0, code = 50001 }\n", encoding="utf-8"
    )
    assert rows_of(weightlab("win", scores).out)["ada"][3] == "> 0.001%"


def test_missing_scores_are_named_on_standard_error(weightlab, tmp_path):
    (tmp_path / "gaps.csv").write_text("model,x,y\na,1,\nb,2,3\n", encoding="utf-8")
    answer = weightlab("win", "gaps.csv")
    rests = "1 of 1 head-to-head depends on how missing scores count: a vs b."
    assert answer.err.splitlines() == [
        "Head-to-head, two models are compared on the tasks both have; 1 of 4 scores is missing: a on y.",
        rests,
    ]
    document = json.loads(weightlab("win", "gaps.csv", "--json").out)
    assert [one["pairs"] for one in document["results"] if one["kind"] == "missing_score_pairs"] == [[["a", "b"]]]
    assert "missing_score_pairs" not in weightlab("missing", "gaps.csv", "--json").out
    assert weightlab("win", "gaps.csv", "--quiet").err == ""


def test_conditions_narrow_the_weights(weightlab, scores):
    answer = weightlab(
        "win", scores, "-m", "ada", "--max", "reading=0.4", "--min", "code=0.1", "--fix", "arithmetic=0.3"
    )
    assert answer.code == 0
    assert "under 3 conditions" in answer.out


@pytest.mark.parametrize("part", ["50%", "0.5"])
def test_weights_within_a_part_of_todays_are_a_condition(weightlab, scores, part):
    assert weightlab("win", scores, "-m", "ada", "--within", part, "--output", "proof.json").code == 0
    checked = weightlab("verify", "proof.json", scores, "--independent")
    assert (
        "Head-to-head, ada can tie at best; its margin lies between 0 and 0. Conditions: within 1/2 (re" in checked.out
    )
    assert "times its share of equal weights" in weightlab("win", scores, "--within", part).out
    refused = weightlab("win", scores, "--within", "150%").err
    assert refused == "weightlab: --within '150%': weights move by a part of themselves, from 0 to 1; got 3/2\n"


def test_a_group_is_written_with_an_at_sign(weightlab):
    answer = weightlab("win", "-m", "SVC", "--min", "@speed=1")
    assert answer.code == 0
    assert "under 1 condition" in answer.out


def test_tasks_of_weight_zero_stay_out_on_request(weightlab, tmp_path, scores):
    scores.with_suffix(".toml").write_text("weights = { reading = 0 }\n", encoding="utf-8")
    assert rows_of(weightlab("win", scores, "--quick").out)["ada"] == ["yes", "yes"]
    assert "ada" not in rows_of(weightlab("win", scores, "--quick", "--scored-only").out)


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
    one = ["prospects", *["scenario"] * 3, "winning_shares"]
    assert [result["kind"] for result in document["results"]] == [*one, *one, "card"]
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
        (["--ties", "max"], "--ties and --missing require --rule"),
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
    assert "\nHead-to-head, 2 of 2 models can win," in answer.out


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


def test_what_is_not_proved_says_what_is_known_and_exits_with_three(weightlab, scores, monkeypatch):
    def unproved(*_arguments, **_options):
        raise TimeLimitError("no margin within the time limit", known={"lower": 0, "upper": None})

    monkeypatch.setattr("weightlab.lp.prospect", unproved)
    answer = weightlab("win", scores, "--model", "dee", "--time-limit", "1")
    assert (answer.code, answer.out) == (3, "")
    by = [f"dee {by}: no margin within the time limit\nlower: 0\n" for by in ("by average", "head-to-head")]
    assert answer.err == f"weightlab: {''.join(by)}"


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (["win", "--rule", "borda"], "; pass --missing last to rank all."),
        (["win", "--rule", "mean"], "."),
        (["stability", "--rule", "mean"], "."),
        (["smallest"], "."),
        (["shortlist"], "."),
        (["map", "--axis", "x", "--axis", "y", "--axis", "z", "--rule", "mean"], "."),
        (["compare"], "."),
        (["robustness"], "."),
        (["rank", "--rule", "mean"], "; pass --missing skip or --missing median to rank all."),
        (
            ["changes", "--rule", "borda"],
            "; pass --missing last or --missing skip or --missing median to rank all.",
        ),
    ],
)
def test_every_command_answers_for_the_models_with_all_scores_and_says_how_the_others_count(
    weightlab, tmp_path, call, advice
):
    (tmp_path / "gap.csv").write_text("model,x,y,z\na,1,2,5\nb,2,,4\nc,3,1,4\nd,2,2,3\n", encoding="utf-8")
    words = ["gap.csv", *call[1:]]
    answer = weightlab(call[0], *words)
    assert answer.code == 0
    assert answer.read[0].endswith(f"Not ranked (missing scores): b{advice}")
    assert weightlab(call[0], *words, "--json", "--output", "proof.json").code == 0
    assert weightlab("verify", "proof.json", "gap.csv").code == 0


def test_where_too_few_models_have_all_scores_an_error_says_which_options_help(weightlab, tmp_path):
    (tmp_path / "gap.csv").write_text("model,x,y\na,1,2\nb,2,\nc,3,\n", encoding="utf-8")
    answer = weightlab("win", "gap.csv", "--rule", "borda", "--keep", "*")
    assert answer.code == 2
    assert answer.err.splitlines()[-1].startswith("weightlab: 2 missing scores: 'b' on 'y', 'c' on 'y'; pass ")
    assert "--missing last" in answer.err


def test_with_very_many_tasks_the_nearest_weights_are_looked_for_on_request_alone(weightlab, scores, monkeypatch):
    monkeypatch.setattr("weightlab.cli.commands.winners.MANY", 2)
    told = "Weight shifts are not looked for with more than 2 different tasks: --details computes them."
    answer = weightlab("win", scores)
    assert answer.out.splitlines()[-1] == told
    assert "weight shift by" not in answer.out
    assert "share by average" in answer.out
    assert told not in weightlab("win", scores, "--quick").out
    full = weightlab("win", scores, "--details").out
    assert told not in full
    assert "weight shift by average" in full


DECLARED = "model,x,y,z\na,3,1,2\nb,2,2,1\nc,1,3,3\n"


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        (
            "kemeny",
            ["Now c is first by Kemeny; no verdicts by Kemeny, the table's own rule, are computed.", "By average, "],
        ),
        ("borda", ["By Borda, ", "Head-to-head, "]),
        ("majority", ["Head-to-head, ", ""]),
    ],
)
def test_verdicts_are_by_the_rule_that_is_declared(weightlab, tmp_path, rule, lines):
    (tmp_path / "t.csv").write_text(DECLARED, encoding="utf-8")
    (tmp_path / "t.toml").write_text(f'rule = "{rule}"\n', encoding="utf-8")
    told = weightlab("win", "t.csv", "-o", "proof.json").out.splitlines()
    assert [line.startswith(first) for line, first in zip(told, lines, strict=False)] == [True, True]
    assert weightlab("verify", "proof.json", "t.csv").code == 0


def test_verdicts_that_differ_are_said_before_all_others(weightlab, tmp_path):
    (tmp_path / "round.csv").write_text("model,x,y,z\na,10,10,1\nb,10,1,10\nc,1,10,10\nd,9,9,9\n", encoding="utf-8")
    told = weightlab("win", "round.csv").out
    assert told.splitlines()[2] == "d can come first by average, but never head-to-head."
    assert rows_of(told)["d"][2:] == ["never", "-"]
    legend = "By average: highest weighted mean. Head-to-head: against each rival, ahead on tasks that hold more weight"
    assert legend in told


def test_models_without_every_score_have_a_verdict_where_they_are_ranked(weightlab, tmp_path):
    (tmp_path / "gap.csv").write_text("model,x,y\na,1,\nb,2,3\nc,3,1\n", encoding="utf-8")
    told = weightlab("win", "gap.csv", "-o", "proof.json").out
    assert told.splitlines()[0] == "Not ranked by average (missing scores): a."
    assert rows_of(weightlab("win", "gap.csv", "--all").out).get("a", ["not ranked"])[0] == "not ranked"
    assert weightlab("verify", "proof.json", "gap.csv").code == 0
    (tmp_path / "one.csv").write_text("model,x,y\na,1,\nb,2,3\n", encoding="utf-8")
    told = weightlab("win", "one.csv").out
    assert told.startswith("No verdicts by average: only 1 of 2 models has every score")
    assert "\nHead-to-head, " in told


MEASURED = """model,accuracy,accuracy_stderr,speed,speed_stderr
T5,0.91,0.01,0.20,0.01
BERT,0.90,0.01,0.50,0.01
tiny,0.60,0.02,0.90,0.01
"""


def test_verdicts_are_told_that_hold_whatever_the_noise(weightlab, tmp_path):
    (tmp_path / "measured.csv").write_text(MEASURED, encoding="utf-8")
    call = ("win", "measured.csv", "--level", "0.95", "--over", "standard-errors", "--quiet")
    told = weightlab(*call, "--output", "proof.json")
    assert (
        "head-to-head, 1 of 3 models can win, 0 tie at best, 0 can never win; the noise decides for T5 and BERT."
        in told.out
    )
    assert told.out.splitlines()[3].split("  ")[0] == "tiny"
    assert weightlab("verify", "proof.json", "measured.csv").code == 0
    assert "Conditions: each task between" in weightlab(*call, "--within", "0.2").out
    answers = "model,instance,score\n" + "".join(
        f"{model},q{place},{score + place % 3}\n" for place in range(30) for model, score in (("a", 9), ("b", 1))
    )
    (tmp_path / "answers.csv").write_text(answers, encoding="utf-8")
    drawn = weightlab("win", "answers.csv", "--level", "0.95", "--over", "instances")
    assert "With other instances, at 95% for all verdicts together: head-to-head, 1 of 2 models can win" in drawn.out
    assert "Head-to-head, 1 more can never win, whatever the noise." in drawn.out


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--level", "0.95"), "--level and --over go together"),
        (("--over", "instances"), "--level and --over go together"),
        (("--level", "0.95", "--over", "tasks"), "over must be"),
        (("--level", "0.95", "--over", "standard_errors"), "needs one of every score"),
        (("--level", "0.95", "--over", "standard_errors", "--rule", "mean"), "leave out --rule, --model and --plot"),
    ],
)
def test_noise_without_a_source_of_it_is_refused(weightlab, scores, options, error):
    answer = weightlab("win", scores, *options)
    assert answer.code == 2
    assert error in answer.err
