"""The program as somebody runs it who has no weightlab: a copy, without site packages and without the environment."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import weightlab as wl
from tests.checker.documents import board, csv_of, document_of
from weightlab import checker


@pytest.fixture
def run(tmp_path):
    copy = tmp_path / "alone.py"
    copy.write_bytes(Path(checker.__file__).read_bytes())
    frame = board(2)
    (tmp_path / "table.csv").write_text(csv_of(frame), encoding="utf-8")
    proof = document_of(wl.lp.prospect(wl.Leaderboard(frame), "m1"))
    (tmp_path / "proof.json").write_text(json.dumps(proof), encoding="utf-8")
    (tmp_path / "forged.json").write_text(json.dumps({**proof, "upper": "-7/1"}), encoding="utf-8")

    def program(*arguments):
        command = [sys.executable, "-I", "-S", str(copy), *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
        assert "Traceback" not in done.stderr
        return done

    return program


def test_a_copy_checks_a_proof_without_any_installation(run):
    done = run("proof.json", "table.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("prospect: Head-to-head, m1 can ")
    assert done.stdout.endswith("declared: nothing: higher is better everywhere, all weights are 1.\n")


def test_without_a_table_it_says_that_none_was_compared(run):
    done = run("proof.json")
    assert done.returncode == 0
    assert done.stdout.endswith("\nNo table was compared.\n")


def test_a_false_claim_is_one_sentence(run):
    done = run("forged.json", "table.csv")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("false: prospect: the blockers prove a bound of ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nothing.json",),
        ("proof.json", "nothing.csv"),
        ("proof.json", "table.csv", "more"),
        ("proof.json", "--lower"),
        ("proof.json", "--unknown"),
        ("proof.json", "table.csv", "--lower", "nothing"),
        ("proof.json", "table.csv", "--drop", "nothing"),
        ("proof.json", "table.csv", "--weight", "t0"),
        ("proof.json", "table.csv", "--weight", "t0=many"),
        ("proof.json", "table.csv", "--weight", "t0=-1"),
        ("proof.json", "table.csv", "--config", "table.csv"),
        ("table.csv", "proof.json"),
        (".",),
        ("proof.json\n",),
    ],
)
def test_a_wrong_call_is_one_sentence(run, arguments):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wrong input: ")
    assert done.stderr.rstrip("\n").count("\n") <= 1


def test_names_that_a_terminal_would_obey_are_shown_as_codes(run, tmp_path):
    claim = {"kind": "\x1b[31m\u202e", "format": 2}
    (tmp_path / "odd.json").write_text(json.dumps(claim), encoding="utf-8")
    done = run("odd.json")
    assert done.returncode == 3
    assert done.stdout.startswith("\\x1b[31m\\u202e: not checked")


@pytest.mark.parametrize("rows", ["[[[1]]]", "1e400", '[{"kind": "prospects", "rows": [{"lead": 1e400}]}]', "{}"])
def test_rounded_rows_that_are_none_of_the_results_are_refused_as_the_package_does(rows):
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}})
    held = json.dumps(
        {
            "weightlab": "0.1.0",
            "command": "win",
            "options": {},
            "notes": [],
            "results": [wl.lp.prospects(board).to_dict()],
        }
    )
    text = held[:-1] + f', "table": {rows}}}'
    with pytest.raises(checker.FalseClaimError, match="its rows are not those of the results"):
        checker.check(text)


def test_documents_of_too_many_values_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(checker, "MOST_VALUES", 5)
    with pytest.raises(checker.WrongInputError, match="more than 5 values"):
        checker.check("[" + "0, " * 6 + "0]")


ORDERED = "model,x,y,z\na,3,1,2\nb,2,3,1\nc,1,2,3\n"


@pytest.mark.parametrize("changed", ["a,1.5,1,2", "a,3,4,2", "a,3,1,1"])
def test_places_of_another_table_are_refused(tmp_path, changed):
    (tmp_path / "t.csv").write_text(ORDERED, encoding="utf-8")
    found = wl.lp.prospects(wl.read_leaderboard(tmp_path / "t.csv"), rule="majority")
    document = json.dumps(document_of(found))
    assert checker.check(document, ORDERED.replace("a,3,1,2", "a,30,1.5,2")).code == 0
    with pytest.raises(checker.FalseClaimError, match="the sign of"):
        checker.check(document, ORDERED.replace("a,3,1,2", changed))


def test_a_corner_called_like_a_group_of_other_tasks_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text(ORDERED, encoding="utf-8")
    groups = {"two": ["x"], "y": ["y"], "z": ["z"]}
    document = json.dumps(document_of(wl.lp.map_of_winners(wl.read_leaderboard(tmp_path / "t.csv"), groups=groups)))
    assert checker.check(document, ORDERED).code == 0
    with pytest.raises(checker.FalseClaimError, match="group 'two' has different tasks"):
        checker.check(document, ORDERED, checker.declared_in('[groups]\ntwo = ["x", "y"]\n'))


def test_a_witness_of_many_sets_is_not_checked_beyond_a_number_of_steps(monkeypatch):
    levels = [[["a", "b"], ["c", "d"]], [["b", "c"], ["a", "d"]], [["c", "a"], ["b", "d"]]]
    profile = wl.Profile.from_orders(levels)
    found = wl.domains.single_peaked(profile)
    assert not found.holds
    document = json.dumps(document_of(found))
    assert checker.check(document).code == 0
    monkeypatch.setattr(checker, "MOST_STEPS", 100)
    report = checker.check(document)
    assert (report.code, "too large to be checked" in " ".join(report.lines)) == (3, True)


def test_a_file_that_declares_bounds_alone_is_a_declaration(tmp_path):
    (tmp_path / "s.csv").write_text("model,x,y\na,1,2\nb,2,1\n", encoding="utf-8")
    (tmp_path / "d.toml").write_text("[bounds]\nx = [0, 100]\n", encoding="utf-8")
    board = wl.read_leaderboard(tmp_path / "s.csv", config=tmp_path / "d.toml")
    document = {"options": {"config": "d.toml"}, "results": [wl.lp.upset(board, "a").to_dict()]}
    (tmp_path / "p.json").write_text(json.dumps(document), encoding="utf-8")
    asked = [str(tmp_path / "p.json"), str(tmp_path / "s.csv")]
    lines, code = checker.reported([*asked, "--config", str(tmp_path / "d.toml")])
    assert (code, lines[0].startswith("upset: ")) == (0, True)
    refused, code = checker.reported(asked)
    assert (code, "declare the same" in refused[0]) == (2, True)


def test_bounds_with_one_end_are_refused_as_the_package_refuses_them():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}}, bounds={"x": (0, 100)})
    document = wl.lp.upset(board, "a").to_dict()
    assert checker.check(json.dumps(document)).code == 0
    document["table"]["bounds"]["x"] = ["0/1"]
    with pytest.raises(checker.FalseClaimError, match="bounds of 'x'"):
        checker.check(json.dumps(document))
    with pytest.raises((wl.InputError, wl.ProofError)):
        wl.lp.Upset.from_dict(document).verify()


def test_levels_beyond_the_best_score_are_none_that_a_tree_must_refute():
    frame = {"x": {"a": 0, "b": 2, "c": 1}, "y": {"a": 2, "b": 2, "c": 4}}
    found = wl.lp.upset(wl.Leaderboard(frame, weights={"x": 1, "y": 2}), "a", kind="result", best=4)
    assert found.tree is not None
    document = found.to_dict()
    assert checker.check(json.dumps(document)).code == 0
    document["terms"]["y"]["best"] = None
    with pytest.raises(checker.FalseClaimError):
        checker.check(json.dumps(document))
