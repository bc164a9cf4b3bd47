from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest

import weightlab as wl
from tests.report.reading import with_line
from weightlab._solver import Solver
from weightlab.report.output.document import _rows as document_rows


@pytest.fixture
def proof(weightlab, scores, tmp_path):
    assert weightlab("win", scores, "-r", "majority", "-m", "dee", "-m", "ada", "-o", "proof.json").code == 0
    return tmp_path / "proof.json"


def test_a_true_claim_holds_with_and_without_its_table(weightlab, proof, scores):
    alone = weightlab("verify", proof)
    assert (alone.code, alone.out[:2]) == (0, "OK")
    assert alone.out.splitlines()[0].endswith(
        "follows from what the document holds, in exact arithmetic; no table was compared."
    )
    answer = weightlab("verify", proof, scores)
    assert answer.code == 0
    assert answer.out.splitlines()[0].endswith("follows from scores.csv, in exact arithmetic.")


def test_a_claim_about_another_table_is_false(weightlab, proof, scores, tmp_path):
    (tmp_path / "other.csv").write_text(scores.read_text(encoding="utf-8").replace("39.5", "50"), encoding="utf-8")
    answer = weightlab("verify", proof, "other.csv")
    assert answer.code == 1
    assert answer.err.startswith(
        "weightlab: false: prospect: the sign of 'dee' over 'ada' on 'code' is 1 in the source, not -1"
    )


def test_a_forged_claim_is_false(weightlab, proof):
    document = json.loads(proof.read_text(encoding="utf-8"))
    document["results"][0]["upper"] = "-1/2"
    proof.write_text(json.dumps(document), encoding="utf-8")
    answer = weightlab("verify", proof)
    assert answer.code == 1
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"results": 3}',
        b'{"results": [3]}',
        b'{"kind": "poem"}',
        b'{"kind": "prospect"}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_what_is_no_document_is_refused(weightlab, tmp_path, content):
    (tmp_path / "bad.json").write_bytes(content)
    answer = weightlab("verify", "bad.json")
    assert answer.code == 2
    assert "bad.json" in answer.err
    assert "Traceback" not in answer.err


def test_a_document_remembers_that_incomplete_models_were_left_out(weightlab, tmp_path):
    (tmp_path / "gaps.csv").write_text("model,x,y\na,1,2\nb,2,1\nc,3,\n", encoding="utf-8")
    assert weightlab("win", "gaps.csv", "--complete", "-o", "proof.json").code == 0
    answer = weightlab("verify", "proof.json", "gaps.csv")
    assert (answer.code, answer.err) == (0, "")
    assert "in exact arithmetic. Covers 2 of 3 models; excluded (missing scores): c." in answer.out
    answer = weightlab("verify", "proof.json", "gaps.csv", "--all")
    assert answer.code == 1


def test_a_claim_about_all_models_travels(weightlab, scores):
    assert weightlab("win", scores, "-o", "all.json").code == 0
    assert weightlab("verify", "all.json", scores).code == 0


def test_quiet_says_it_by_the_exit_code_alone(weightlab, proof, scores):
    answer = weightlab("verify", proof, scores, "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_what_rests_on_a_solver_is_said(weightlab, tmp_path):
    profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
    claim = wl.domains.nearest(profile, "single_peaked")
    believed = replace(claim, exact=False, solver=Solver.HIGHS)
    for one, word in ((claim, False), (believed, True)):
        wl.write_result(one, tmp_path / "claim.json")
        answer = weightlab("verify", "claim.json")
        assert answer.code == 0
        first = "OK, but not proved: nearest: no fewer models will do (a solver's bound); all else follows "
        assert answer.out.splitlines()[0].startswith(first) == word
        assert weightlab("verify", "claim.json", "--exact").code == (3 if word else 0)


def test_an_estimate_is_not_said_to_be_proved(weightlab, tmp_path):
    board = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 3, "b": 1, "c": 2}})
    wl.write_result(wl.lp.winning_shares(board, samples=50, rng=0), tmp_path / "shares.json")
    answer = weightlab("verify", "shares.json")
    assert answer.code == 0
    first = "OK, but not proved: winning_shares: shares (estimated from random samples); all else follows "
    assert answer.out.startswith(first)
    assert "solver's" not in answer.out
    assert weightlab("verify", "shares.json", "--exact", "-q").code == 3


def test_the_table_of_a_document_is_plain_numbers_with_the_margin_among_them(weightlab, scores):
    rows = {
        row["name"]: row
        for row in json.loads(weightlab("win", scores, "-r", "majority", "--json").out)["table"][0]["rows"]
    }
    assert rows["dee"] == {"name": "dee", "verdict": "never", "margin": -1 / 3, "lower": -1 / 3, "upper": -1 / 3}


def test_a_table_that_says_other_than_the_results_is_false(weightlab, proof, scores):
    document = json.loads(proof.read_text(encoding="utf-8"))
    assert document["table"][0]["kind"] == "prospect"
    for forged in (document["table"][:1], document["table"][::-1], [], {}, "none", 3):
        proof.write_text(json.dumps({**document, "table": forged}), encoding="utf-8")
        answer = weightlab("verify", proof, scores)
        assert (answer.code, answer.err) == (1, "weightlab: false: table: its rows are not those of the results\n")


@pytest.mark.parametrize("cell", [1e999, -1e999, float("nan"), None])
def test_a_summary_without_a_finite_number_has_null(cell):
    frame = pd.DataFrame({"value": [cell, 0.5]}, index=["a", "b"])
    assert [row["value"] for row in document_rows(frame)] == [None, 0.5]


def test_a_ratio_beyond_every_float_is_null():
    assert document_rows(pd.DataFrame({"value": [Fraction(10**400)]})) == [{"value": None}]


@pytest.fixture
def bare(proof, tmp_path):
    """Return a document of one claim that the independent checker knows whole."""
    document = json.loads(proof.read_text(encoding="utf-8"))
    claim = next(one for one in document["results"] if one["kind"] == "prospect")
    (tmp_path / "bare.json").write_text(json.dumps({"options": document["options"], "results": [claim]}))
    return tmp_path / "bare.json"


def test_the_independent_checker_says_what_it_checked(weightlab, bare, scores):
    answer = weightlab("verify", bare, scores, "--independent")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("prospect: Head-to-head, dee can ")
    assert "Compared with the table" in answer.out
    assert weightlab("verify", bare, "--independent").out.endswith("No table was compared.\n")
    quiet = weightlab("verify", bare, scores, "--independent", "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def test_what_the_independent_checker_does_not_check_is_said_with_exit_code_3(weightlab, proof, scores):
    answer = weightlab("verify", proof, scores, "--independent")
    assert answer.code == 3
    assert "winning_shares: not checked: " in answer.out
    assert "prospect: Head-to-head, dee can " in answer.out


def test_the_independent_checker_reads_what_is_declared_beside_the_table(weightlab, scores, tmp_path):
    (tmp_path / "declared.csv").write_text(scores.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "declared.toml").write_text("lower_is_better = ['code']\n", encoding="utf-8")
    assert weightlab("duels", "declared.csv", "-o", "duels.json").code == 0
    document = json.loads((tmp_path / "duels.json").read_text(encoding="utf-8"))
    document.pop("table", None)
    (tmp_path / "duels.json").write_text(json.dumps(document), encoding="utf-8")
    answer = weightlab("verify", "duels.json", "declared.csv", "--independent")
    assert answer.code == 0
    assert "lower is better on code" in answer.out
    assert weightlab("verify", "duels.json", scores, "--independent").code == 2


def test_a_forged_claim_is_false_for_the_independent_checker(weightlab, bare, scores):
    bare.write_text(bare.read_text(encoding="utf-8").replace('"upper": "', '"upper": "-'), encoding="utf-8")
    answer = weightlab("verify", bare, scores, "--independent")
    assert answer.code in {1, 2}
    assert "Traceback" not in answer.err
    assert weightlab("verify", "nothing.json", "--independent").code == 2


def test_what_a_page_does_not_answer_is_said_first(weightlab, scores, monkeypatch):
    """A page from which an answer was taken says what an honest one says that ran out of time."""

    def late(*_arguments, **_options):
        raise wl.TimeLimitError("late")

    with monkeypatch.context() as slow:
        slow.setattr("weightlab.report.sections.trust.rank_ranges", late)
        assert weightlab("report", scores, "-o", "page.html", "--only", "trust", "-q").code == 3
    answer = weightlab("verify", "page.html", scores)
    assert (answer.code, answer.err) == (0, "")
    assert "Left without an answer: " in answer.out.splitlines()[0]
    assert "the time limit ended the search" in answer.out.splitlines()[0]
    assert weightlab("verify", "page.html", scores, "--exact", "-q").code == 3


def test_the_words_of_a_page_are_compared_unless_another_version_wrote_it(weightlab, scores, tmp_path):
    assert weightlab("report", scores, "-o", "page.html", "--only", "today", "-q").code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    answer = weightlab("verify", "page.html", scores, "--exact")
    assert (answer.code, answer.err) == (0, "")
    assert "The words of the page follow from its results; its pictures were not compared." in answer.out
    other = with_line(page, 0, f'"weightlab":"{wl.__version__}"', '"weightlab":"0.0.9"')
    (tmp_path / "other.html").write_text(other, encoding="utf-8")
    answer = weightlab("verify", "other.html")
    assert answer.code == 0
    assert "proofs checked, words not compared (written by 0.0.9)" in answer.out
    assert weightlab("verify", "other.html", "--exact", "-q").code == 3
    (tmp_path / "page.html").write_text(page.replace("Who beats whom", "Who bites whom"), encoding="utf-8")
    answer = weightlab("verify", "page.html")
    assert answer.code == 1
    assert answer.err.startswith("weightlab: false: line ")
    assert "Who bites whom" in answer.err


def reading_forged(written, **changes):
    """Return a document whose reading says something else of its second column, or of the table."""
    document = json.loads(written)
    of_table = {name: one for name, one in changes.items() if name in document["reading"]}
    document["reading"]["columns"][1] |= {name: one for name, one in changes.items() if name not in of_table}
    document["reading"] |= of_table
    return json.dumps(document)


@pytest.mark.parametrize(
    "changes",
    [
        {"direction": "higher"},
        {"direction": "sideways"},
        {"role": "banana"},
        {"role": "fact", "direction": ""},
        {"name": "accuracy"},
        {"transposed": True},
        {"models": 4},
        {"line": "Read t.csv: 30 models, 2 tasks, higher is better on all."},
        {"line": ""},
    ],
)
def test_a_forged_reading_is_false(weightlab, tmp_path, changes):
    table, document = tmp_path / "t.csv", tmp_path / "proof.json"
    table.write_text("model,latency,accuracy\na,1.5,3.5\nb,2.5,4.5\nc,3.5,5.5\n", encoding="utf-8")
    written = weightlab("win", table, "--json").out
    document.write_text(written, encoding="utf-8")
    assert weightlab("verify", document, table).code == 0
    document.write_text(reading_forged(written, **changes), encoding="utf-8")
    told = weightlab("verify", document, table)
    assert (told.code, "false: its reading" in told.err) == (1, True)
    assert weightlab("verify", "--independent", document, table).code in {1, 2}


LEFT_OUT = "model,x,y\na,1.5,2.5\nb,2.5,1.5\nc,{}\nd,0.5,3.5\ne,1.5,1\n{},1.4,2.2\n"


def test_rows_without_a_score_and_rows_that_sum_up_the_others_are_left_out_and_named(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text(LEFT_OUT.format(",", "Average"), encoding="utf-8")
    (tmp_path / "proof.json").write_text(weightlab("win", "t.csv", "--accept-reading", "--json").out, encoding="utf-8")
    told = weightlab("verify", "--independent", "proof.json", "t.csv")
    assert (told.code, "Covers 4 of 6 models; excluded: c, Average." in told.out) == (3, True)
    (tmp_path / "t.csv").write_text(LEFT_OUT.format("1.5,1.5", "Average"), encoding="utf-8")
    told = weightlab("verify", "--independent", "proof.json", "t.csv")
    assert (told.code, "its reading has the 5 models of the table that have a score" in told.err) == (1, True)


TIED = "model,x,y,z\na,1,1,1\nb,1,1,1\nc,0,1,1\nd,0,1,1\n"


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        (["abcd", "abcd", "abcd"], "with ties broken alphabetically"),
        (["badc", "dcba", "dcba"], "with ties broken in reverse alphabetical order"),
        (["abdc", "dcba", "cdab"], "with ties broken as the document lists, on 3 tasks"),
    ],
)
@pytest.mark.parametrize("question", ["single_peaked", "group_separable", "single_crossing", "condorcet_domain"])
def test_how_ties_were_broken_is_derived_from_the_table(weightlab, tmp_path, orders, told, question):
    (tmp_path / "tied.csv").write_text(TIED, encoding="utf-8")
    profile = wl.Profile.from_orders([[*order] for order in orders], models=[*"abcd"], voters=[*"xyz"])
    wl.write_result(getattr(wl.domains, question)(profile), tmp_path / "claim.json")
    first = weightlab("verify", "claim.json", "tied.csv", "--quiet").code, weightlab("verify", "claim.json", "tied.csv")
    assert first[0] == 0
    assert f"OK: every claim follows from tied.csv, in exact arithmetic, {told}." in first[1].out
    by_other = weightlab("verify", "claim.json", "tied.csv", "--independent")
    assert by_other.code == 3 or told in by_other.out


def test_of_what_part_of_a_table_a_claim_is_true_stands_in_the_first_line(weightlab, tmp_path):
    rows = "".join(f"{name},{at * 7 % 11},{at * 5 % 13},{at * 3 % 7}\n" for at, name in enumerate("abcdefg", start=1))
    (tmp_path / "whole.csv").write_text(f"model,x,y,z\n{rows}", encoding="utf-8")
    part = wl.read_leaderboard(tmp_path / "whole.csv").select(models=[*"abc"])
    wl.write_result(wl.studies.rank_sets(part, repeats=200), tmp_path / "part.json")
    answer = weightlab("verify", "part.json", "whole.csv")
    assert "about 3 of the table's 7 models (left out: d, e, f, g)" in answer.out
    alone = weightlab("verify", "part.json")
    assert (alone.code, alone.out.splitlines()[0][:35]) == (3, "Consistent, not checked: rank_sets:")


def test_a_rule_with_options_is_said_where_it_is_called_by_its_bare_name(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y\na,3,1\nb,2,2\nc,1,3\n", encoding="utf-8")
    asked = {"Borda": wl.rules.rule("borda", ties="max"), "mean": "mean"}
    wl.write_result(wl.studies.agreement(wl.read_leaderboard(tmp_path / "t.csv"), asked), tmp_path / "a.json")
    assert "where 'Borda' is borda (ties=max)" in weightlab("verify", "a.json", "t.csv").out


def test_how_an_audit_broke_ties_stands_in_the_first_line(weightlab, tmp_path):
    (tmp_path / "tied.csv").write_text(TIED, encoding="utf-8")
    assert weightlab("audit", "tied.csv", "--break-ties", "reverse", "--quick", "-q", "-o", "audit.json").code == 0
    assert (
        "in exact arithmetic, with ties broken in reverse alphabetical order."
        in weightlab("verify", "audit.json", "tied.csv").out
    )


@pytest.mark.parametrize("kind", ["rank_sets", "paired", "task_subsets", "bootstrap", "omitted_scores", "effects"])
def test_what_is_measured_on_a_table_is_only_consistent_without_it(weightlab, tmp_path, kind):
    rows = "".join(f"{name},{at * 7 % 11},{at * 5 % 13},{at * 3 % 7}\n" for at, name in enumerate("abcd", start=1))
    (tmp_path / "t.csv").write_text(f"model,x,y,z\n{rows}", encoding="utf-8")
    board, studies = wl.read_leaderboard(tmp_path / "t.csv"), wl.studies
    asked = {
        "rank_sets": lambda: studies.rank_sets(board, repeats=200),
        "paired": lambda: studies.paired(board, "a", "b"),
        "task_subsets": lambda: studies.task_removal(board, ["borda"], repeats=5, rng=0),
        "bootstrap": lambda: studies.bootstrap(board, "borda", repeats=20, rng=0),
        "omitted_scores": lambda: studies.missing_scores(board, ["copeland"], repeats=5, rng=0),
        "effects": lambda: studies.effects(board),
    }
    wl.write_result(asked[kind](), tmp_path / "p.json")
    alone = weightlab("verify", "p.json")
    assert (alone.code, alone.out.startswith(f"Consistent, not checked: {kind}: pass the score table")) == (3, True)
    assert weightlab("verify", "p.json", "t.csv").code == 0
