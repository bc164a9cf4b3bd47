"""One form of a table to another: kept exactly or said not to be, and nothing is replaced unasked."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.io.evaluations.result_files import lm_eval_file
from tests.strategies import boards, profiles, suites
from weightlab.cli import run
from weightlab.cli.inputs.converting import EVERY
from weightlab.io.tables.columns import plain_name

TABLES = ("csv", "json", "tsv", "csv")

BOARD = """model,accuracy,seconds
ada,0.90,3
bo,0.8,
cy,0.8,1.5
"""

DECLARED = """lower_is_better = ["seconds"]

[weights]
accuracy = 0.5

[groups]
speed = ["seconds"]
"""


@pytest.fixture
def board(tmp_path):
    (tmp_path / "board.csv").write_text(BOARD, encoding="utf-8")
    (tmp_path / "board.toml").write_text(DECLARED, encoding="utf-8")
    return wl.read_leaderboard(tmp_path / "board.csv")


@pytest.fixture
def votes(tmp_path):
    profile = wl.Profile.from_orders([["ada", "bo", "cy"], ["bo", ("ada", "cy")]], weights=[2, 1])
    wl.io.write_profile(profile, tmp_path / "votes.toc")
    wl.io.write_margins(profile.margins(), tmp_path / "votes.wmd")
    return profile


def through(folder, first, suffixes, *options):
    """Convert a file from format to format, and return the last one."""
    path = first
    for number, suffix in enumerate(suffixes):
        target = folder / f"{number}.{suffix}"
        assert run(["convert", str(path), str(target), "--quiet", *options]) == 0
        path = target
    return path


def writable(*names):
    """Tell whether CSV can hold the names: it has no NUL, and blanks around names are no part of them."""
    return all("\0" not in name and plain_name(name) == name for listed in names for name in listed)


@settings(max_examples=10)
@given(board=boards(tolerant=True, missing=True).filter(lambda one: writable(one.models, one.tasks)))
def test_a_leaderboard_comes_through_every_format_unchanged(tmp_path_factory, board):
    folder = tmp_path_factory.mktemp("board")
    wl.write_leaderboard(board, folder / "first.csv", rounded=True)
    last = through(folder, folder / "first.csv", TABLES, "--from", "leaderboard", "--to", "leaderboard")
    assert wl.read_leaderboard(last).equals(wl.read_leaderboard(folder / "first.csv"))
    assert last.read_bytes() == (folder / "first.csv").read_bytes()


@settings(max_examples=10)
@given(suite=suites().filter(lambda one: writable(one.datasets, one.models, one.metrics)))
def test_a_suite_comes_through_every_format_unchanged(tmp_path_factory, suite):
    folder = tmp_path_factory.mktemp("suite")
    wl.write_suite(suite, folder / "first.csv", rounded=True)
    last = through(folder, folder / "first.csv", TABLES)
    assert wl.read_suite(last).equals(wl.read_suite(folder / "first.csv"))


@settings(max_examples=10)
@given(profile=profiles(models=(2, 4), complete=False, strict=False))
def test_orders_and_their_margins_come_through(tmp_path_factory, profile):
    folder = tmp_path_factory.mktemp("votes")
    wl.io.write_profile(profile, folder / "first.toi", scaled=True)
    read = wl.io.read_profile(folder / "first.toi", unlisted="unknown")
    assert wl.io.read_profile(through(folder, folder / "first.toi", ["toi"]), unlisted="unknown").orders == read.orders
    margins = wl.io.read_margins(through(folder, folder / "first.toi", ["wmd", "dat", "pwg", "wmd"]))
    assert (margins.array == wl.io.read_profile(folder / "first.toi").margins().array).all()  # unlisted models are last


def test_a_table_of_orders_has_the_margins_of_the_orders(weightlab, tmp_path, votes):
    told = weightlab("convert", "votes.toc", "votes.csv")
    assert told.err.splitlines() == [
        "An order is a task that weighs its voters, and places (1 is best) stand for scores.",
        "Declared in votes.toml: lower_is_better, rule, weights.",
    ]
    board = wl.read_leaderboard(tmp_path / "votes.csv")
    assert (board.margins().array == votes.margins().array).all()
    assert weightlab("convert", "votes.csv", "again.toc").code == 0
    assert wl.io.read_profile(tmp_path / "again.toc").orders == votes.orders


@pytest.mark.parametrize("ending", EVERY)
def test_a_format_is_written_and_read_by_its_ending_and_by_its_name_or_refused_by_both(weightlab, tmp_path, ending):
    form = EVERY[ending]
    if form == "parquet":
        pytest.importorskip("pyarrow")
    (tmp_path / "one.csv").write_text("model,x\nada,2\nbo,1\n", encoding="utf-8")
    written = [weightlab("convert", "one.csv", f"a{ending}"), weightlab("convert", "one.csv", "a", "--to", form)]
    if form in {"jsonl", "xlsx", "yaml", "html", "latex", "arff", "sqlite", "mjg", "tog"}:
        refused = "holds no weights" if form in {"mjg", "tog"} else f"the format {form} is read, not written; use csv"
        assert [one.code for one in written] == [2, 2]
        assert all(refused in one.err for one in written)
        return
    assert [one.code for one in written] == [0, 0], written
    read = [
        weightlab("convert", f"a{ending}", "-", "--to", "wmd"),
        weightlab("convert", "a", "-", "--from", form, "--to", "wmd"),
    ]
    assert read[0].code == 0, read[0].err
    assert read[0].out == read[1].out


def test_parquet_comes_back(weightlab, tmp_path, board):
    pytest.importorskip("pyarrow")
    assert weightlab("convert", "board.csv", "a.parquet").code == 0
    assert weightlab("convert", "a.parquet", "b.csv").code == 0
    assert wl.read_leaderboard(tmp_path / "b.csv").equals(board)


def test_what_is_declared_stands_beside_the_target(weightlab, tmp_path, board):
    told = weightlab("convert", "board.csv", "other.json")
    assert (told.code, told.out) == (0, "")
    assert told.err == "Declared in other.toml: lower_is_better, weights, groups.\n"
    assert wl.read_leaderboard(tmp_path / "other.json").equals(board)


def test_a_declaration_that_serves_both_stays(weightlab, tmp_path, board):
    told = weightlab("convert", "board.csv", "board.json")
    assert (told.code, told.err) == (0, "board.toml declares the same and stays as it is.\n")
    assert (tmp_path / "board.toml").read_text(encoding="utf-8") == DECLARED
    assert wl.read_leaderboard(tmp_path / "board.json").equals(board)


@pytest.mark.parametrize("options", [(), ("--force",)])
def test_a_declaration_that_only_the_source_understands_is_never_replaced(weightlab, tmp_path, options):
    (tmp_path / "a.csv").write_text("model,x\nada,1/2\nbo,3/4\n", encoding="utf-8")
    (tmp_path / "a.toml").write_text('split = { x = "/" }\n', encoding="utf-8")
    told = weightlab("convert", "a.csv", "a.json", *options)
    assert told.code == 2
    assert "a.toml: what this file declares about a.csv cannot be read with a.json; name another TARGET" in told.err
    assert not (tmp_path / "a.json").exists()


def test_nothing_is_replaced_unless_it_is_asked_for(weightlab, tmp_path, board):
    (tmp_path / "other.json").write_text("mine", encoding="utf-8")
    told = weightlab("convert", "board.csv", "other.json")
    assert (told.code, told.err) == (2, "weightlab: other.json already exists; pass --force to overwrite\n")
    (tmp_path / "other.json").unlink()
    (tmp_path / "other.toml").write_text("lower_is_better = ['accuracy']", encoding="utf-8")
    told = weightlab("convert", "board.csv", "other.json")
    assert told.code == 2
    assert "other.toml already exists and would be read with other.json; pass --force to overwrite" in told.err
    assert weightlab("convert", "board.csv", "other.json", "--force").code == 0
    assert wl.read_leaderboard(tmp_path / "other.json").equals(board)


@pytest.mark.parametrize("source", ["board.csv", "./board.csv"])
def test_a_file_never_replaces_itself(weightlab, board, source):
    told = weightlab("convert", source, "board.csv", "--force")
    assert told.code == 2
    assert "TARGET 'board.csv' is a file that is read" in told.err


def test_standard_output_has_the_table_and_standard_error_what_it_lacks(weightlab, board):
    told = weightlab("convert", "board.csv", "-")
    assert told.out == BOARD.replace("0.90", "0.9")
    assert told.err == ("Lost on standard output, which has no TOML file: lower_is_better, weights, groups.\n")
    assert weightlab("convert", "board.csv", "-", "--quiet").err == ""


def test_a_pipe_carries_what_a_file_does(weightlab, board, votes):
    table = weightlab("convert", "board.csv", "-", "--quiet").out.encode()
    assert weightlab("convert", "-", "-", stdin=table).out.encode() == table
    orders = weightlab("convert", "votes.toc", "-", "--quiet").out.encode()
    assert b"# DATA TYPE: toi" in orders
    assert "1,2,2" in weightlab("convert", "-", "-", "--from", "toi", "--to", "margins", stdin=orders).out
    long = weightlab("convert", "board.csv", "-", "--to", "suite", "--to", "json", "--dataset", "d").out.encode()
    told = weightlab("convert", "-", "-", "--from", "json", stdin=long)
    assert told.out.splitlines()[:2] == ["dataset,metric,model,score,higher_is_better", "d,accuracy,ada,0.9,true"]


def test_a_suite_gives_its_datasets_and_takes_a_table(weightlab, tmp_path, board):
    told = weightlab("convert", "board.csv", "long.csv", "--to", "suite", "--dataset", "qa")
    assert told.err.splitlines()[0] == "Not kept: the groups speed."
    suite = wl.read_suite(tmp_path / "long.csv")
    assert suite.leaderboard("qa").equals(
        wl.Leaderboard.from_cells(
            board.models, board.tasks, board.cells, lower_is_better=board.lower_is_better, weights=board.weights
        )
    )
    assert weightlab("convert", "long.csv", "wide.csv", "--to", "leaderboard").code == 0
    assert wl.read_leaderboard(tmp_path / "wide.csv").tasks == ("accuracy/qa", "seconds/qa")
    assert weightlab("convert", "long.csv", "qa.csv", "--to", "leaderboard", "--dataset", "qa").code == 0
    assert wl.read_leaderboard(tmp_path / "qa.csv").tasks == ("accuracy", "seconds")


def test_a_long_table_with_a_column_a_metric_is_a_suite_as_it_is_for_other_commands(weightlab, tmp_path):
    (tmp_path / "x.csv").write_text("dataset,model,f1,em\nu,a,1,2\nu,b,3,4\nv,a,5,6\nv,b,7,8\n", encoding="utf-8")
    assert weightlab("win", "x.csv").read[0].startswith("Read x.csv: 2 models, 4 tasks, higher is better on all; a row")
    assert (
        weightlab("convert", "x.csv", "-", "--to", "leaderboard", "--dataset", "v").out == "model,f1,em\na,5,6\nb,7,8\n"
    )


def test_a_dataset_that_is_chosen_leaves_the_others_out_and_says_so(weightlab, tmp_path):
    (tmp_path / "long.csv").write_text(
        "dataset,metric,model,score\nqa,f1,a,1\nqa,f1,b,2\nmt,f1,a,1\nmt,f1,b,2\n", encoding="utf-8"
    )
    told = weightlab("convert", "long.csv", "-", "--dataset", "mt")
    assert "qa" not in told.out
    assert told.err == "Left out: the datasets qa.\n"
    assert "no dataset named 'mtt'" in weightlab("convert", "long.csv", "-", "--dataset", "mtt").err


def test_a_folder_becomes_a_table_a_suite_or_instances(weightlab, tmp_path):
    for model, score in (("ada", 0.5), ("bo", 0.25)):
        lm_eval_file(tmp_path / "runs", model, {"arc": {"acc,none": score}, "wiki": {"word_perplexity,none": 9}})
    assert weightlab("convert", "runs", "-").out == (
        "model,arc,wiki,arc_stderr,wiki_stderr\nada,0.5,9,0.01,0.01\nbo,0.25,9,0.01,0.01\n"
    )
    long = weightlab("convert", "runs", "-", "--to", "suite").out
    assert "wiki,word_perplexity,bo,9,false" in long
    run_of_ada = next((tmp_path / "runs" / "ada").iterdir())
    assert weightlab("convert", run_of_ada, "-", "--to", "suite").out.count("\n") == 3
    assert "results of one model, 'ada'" in weightlab("convert", run_of_ada, "-").err
    assert "per_instance_stats.json" in weightlab("convert", "runs", "-", "--to", "instances").err


def test_means_stand_for_instances_and_are_rounded_only_when_asked(weightlab, tmp_path):
    rows = "model,instance,qa\n" + "".join(f"{model},q{number},{number % 2}\n" for model in "ab" for number in range(3))
    (tmp_path / "answers.csv").write_text(rows, encoding="utf-8")
    assert weightlab("convert", "answers.csv", "-").out == rows
    told = weightlab("convert", "answers.csv", "-", "--to", "leaderboard")
    assert (told.code, told.out) == (2, "")
    assert "pass --rounded to write the nearest double" in told.err
    told = weightlab("convert", "answers.csv", "-", "--to", "leaderboard", "--rounded")
    assert told.out.startswith("model,qa\na,0.3333333333333333\n")
    assert told.err == "Not kept: the scores on single instances; their means stand for them.\n"


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (
            ("board.csv", "v.soc"),
            ["strict orders; write .toc; pass --break-ties alphabetical", "pass --scaled to multiply by 2"],
        ),
        (("board.csv", "v.toc", "--scaled"), ["voter 'seconds' leaves models out", "write .toi"]),
        (("board.csv", "v.soc", "--to", "suite"), ["--to: a soc file holds orders, not a suite"]),
        (("board.csv", "v.csv", "--to", "profile"), ["--to: a csv file holds a table, not orders"]),
        (("board.csv", "v.csv", "--to", "suite"), ["pass --dataset NAME to name this one"]),
        (("board.csv", "v.csv", "--to", "instances"), ["a leaderboard cannot become scores on instances"]),
        (("board.csv", "v.mjg", "--scaled"), ["a .mjg file holds no weights; write .wmg, .pwg, .wmd or .dat"]),
        (("board.csv", "v"), ["v: the extension tells no format; --to names one, such as --to csv"]),
        (
            ("board.csv", "-", "--to", "jsn"),
            ["--to 'jsn': there are the kinds leaderboard, suite", "did you mean 'json'?"],
        ),
        (("board.csv", "-", "--to", "csv", "--to", "tsv"), ["--to is given twice: csv, tsv"]),
        (("board.csv", "-", "--break-ties", "no"), ["--break-ties must be alphabetical, reverse or keep; got 'no'"]),
        (("nothing.csv", "v.csv"), ["nothing.csv: there is no such file"]),
        (("votes.toc", "v.csv", "--complete"), ["--complete is about leaderboards and suites; this is orders"]),
        (("votes.toc", "v.csv", "--config", "x.toml"), ["--config 'x.toml' does not apply to a PrefLib file"]),
        (("votes.wmd", "v.csv"), ["margins cannot become scores or rankings: they hold no single tasks"]),
        (("votes.wmd", "v.toi"), ["margins cannot become scores or rankings"]),
        (("votes.wmd", "v.csv", "--to", "suite"), ["margins cannot become scores or rankings"]),
    ],
)
@pytest.mark.usefixtures("board", "votes")
def test_what_cannot_be_is_one_clear_message(weightlab, tmp_path, arguments, messages):
    before = sorted(one.name for one in tmp_path.iterdir())
    told = weightlab("convert", *arguments)
    assert (told.code, told.out) == (2, "")
    assert all(message in told.err for message in messages)
    assert sorted(one.name for one in tmp_path.iterdir()) == before


def test_orders_of_a_table_say_what_they_do_not_keep(weightlab, tmp_path, board):
    told = weightlab("convert", "board.csv", "votes.toi", "--scaled")
    assert told.err.splitlines() == [
        "Lost: scores (rankings kept), and the names of tasks and the groups speed.",
        "A model without a score on a task is not ranked there.",
    ]
    read = wl.io.read_profile(tmp_path / "votes.toi", unlisted="unknown")
    assert (read.orders, read.weights) == (board.rankings().orders, (1, 2))
    assert not (tmp_path / "votes.toml").exists()


def test_a_closed_output_is_no_error(board, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    assert run(["convert", "board.csv", "-", "--quiet"]) == 0


def test_what_is_declared_of_how_a_table_is_written_is_not_asked_of_the_target(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model;x\nada;1,5\nbo;2\n", encoding="utf-8")
    (tmp_path / "t.toml").write_text('separator = ";"\ndecimal = ","\n', encoding="utf-8")
    told = weightlab("convert", "t.csv", "plain.csv")
    assert (told.code, told.err) == (0, "")
    assert (tmp_path / "plain.csv").read_text(encoding="utf-8") == "model,x\nada,1.5\nbo,2\n"
    assert "cannot be read with t.json; name another TARGET" in weightlab("convert", "t.csv", "t.json").err
