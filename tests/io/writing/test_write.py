"""What is written reads back to the same, in every format."""

from __future__ import annotations

import errno
import json
import os
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.strategies import FORMATS, file_boards, file_instances, file_suites, same_scores
from weightlab.io.writing.write import _free

pytest.importorskip("pyarrow")

EXAMPLES = settings(max_examples=25)
KNOWN = ".csv, .tsv, .tab, .txt, .json, .md, .parquet"

FORMS = "csv, tsv, json, markdown, parquet"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("written")


def again(write, read, what, folder, form):
    path = folder / f"table.{form}"
    path.with_suffix(".toml").unlink(missing_ok=True)
    write(what, path)
    return read(path)


@pytest.mark.parametrize("form", FORMATS)
@EXAMPLES
@given(board=file_boards())
def test_a_leaderboard_reads_back_to_an_equal_one(folder, form, board):
    assert again(wl.write_leaderboard, wl.read_leaderboard, board, folder, form).equals(board)


@pytest.mark.parametrize("form", FORMATS)
@EXAMPLES
@given(suite=file_suites())
def test_a_suite_reads_back_to_an_equal_one(folder, form, suite):
    assert again(wl.write_suite, wl.read_suite, suite, folder, form).equals(suite)


@pytest.mark.parametrize("form", FORMATS)
@EXAMPLES
@given(instances=file_instances())
def test_instances_read_back_to_equal_ones(folder, form, instances):
    assert again(wl.write_instances, wl.read_instances, instances, folder, form).equals(instances)


@EXAMPLES
@given(instances=file_instances(contradicting=True))
def test_instances_in_contradicting_orders_read_back_to_the_same_scores(folder, instances):
    assert same_scores(again(wl.write_instances, wl.read_instances, instances, folder, "csv"), instances)


@EXAMPLES
@given(board=file_boards(), form=st.sampled_from(FORMATS))
def test_writing_twice_gives_the_same_bytes(folder, board, form):
    path = folder / f"table.{form}"
    path.with_suffix(".toml").unlink(missing_ok=True)
    wl.write_leaderboard(board, path)
    first = path.read_bytes()
    wl.write_leaderboard(wl.read_leaderboard(path), path)
    assert path.read_bytes() == first


@EXAMPLES
@given(board=file_boards())
def test_markdown_reads_back_to_an_equal_one_but_for_names_that_it_cannot_carry(folder, board):
    if any([name] != name.strip().splitlines() for name in (*board.models, *board.tasks)):
        with pytest.raises(wl.InputError, match="has blanks around it or a line break; write CSV, JSON or Parquet"):
            wl.write_leaderboard(board, folder / "table.md")
    else:
        assert again(wl.write_leaderboard, wl.read_leaderboard, board, folder, "md").equals(board)


def plain(**options):
    return wl.Leaderboard({"f1": {"a": 0.9, "b": 0.8}, "s": {"a": 3, "b": None}}, **options)


def test_csv_is_what_people_expect(tmp_path):
    wl.write_leaderboard(plain(), tmp_path / "board.csv")
    assert (tmp_path / "board.csv").read_text() == "model,f1,s\na,0.9,3\nb,0.8,\n"


def test_json_is_what_pandas_reads(tmp_path):
    wl.write_leaderboard(plain(), tmp_path / "board.json")
    assert json.loads((tmp_path / "board.json").read_text()) == {"f1": {"a": 0.9, "b": 0.8}, "s": {"a": 3, "b": None}}
    assert pd.read_json(tmp_path / "board.json").equals(plain().scores)


def test_parquet_is_what_pandas_reads(tmp_path):
    wl.write_leaderboard(plain(), tmp_path / "board.parquet")
    frame = pd.read_parquet(tmp_path / "board.parquet")
    assert frame["f1"].dtype == float
    assert frame.set_index("model")["s"].isna().tolist() == [False, True]


def test_a_suite_is_a_long_table_with_directions(tmp_path):
    suite = wl.Suite({"qa": {"f1": {"a": 0.9, "b": 0.8}, "s": {"a": 3, "b": None}}}, lower_is_better="s")
    wl.write_suite(suite, tmp_path / "suite.csv")
    assert (tmp_path / "suite.csv").read_text().splitlines() == [
        "dataset,metric,model,score,higher_is_better",
        "qa,f1,a,0.9,true",
        "qa,f1,b,0.8,true",
        "qa,s,a,3,false",
    ]


def test_instances_are_a_row_a_model_and_instance(tmp_path):
    instances = wl.Instances({"f1": {"i": {"a": 1, "b": 0}, "j": {"a": None, "b": 1}}})
    wl.write_instances(instances, tmp_path / "instances.csv")
    assert (tmp_path / "instances.csv").read_text() == "model,instance,f1\na,i,1\na,j,\nb,i,0\nb,j,1\n"


def test_declarations_go_to_a_toml_file_beside(tmp_path):
    board = plain(lower_is_better="s", weights={"s": "1/3"}, groups={"my tasks": ["f1", "s"]}, tolerance={"f1": 0.1})
    wl.write_leaderboard(board, tmp_path / "board.csv")
    assert (tmp_path / "board.toml").read_text() == (
        'lower_is_better = ["s"]\n\n[weights]\ns = "1/3"\n\n'
        '[groups]\n"my tasks" = ["f1", "s"]\n\n[tolerance]\nf1 = 0.1\n'
    )


def test_where_nothing_is_declared_no_toml_file_appears(tmp_path):
    wl.write_leaderboard(plain(), tmp_path / "board.csv")
    assert [one.name for one in tmp_path.iterdir()] == ["board.csv"]


def test_a_stale_toml_file_is_replaced_lest_it_be_read_with_the_new_table(tmp_path):
    wl.write_leaderboard(plain(lower_is_better="s"), tmp_path / "board.csv")
    wl.write_leaderboard(plain(), tmp_path / "board.csv")
    assert wl.read_leaderboard(tmp_path / "board.csv").equals(plain())


def test_a_toml_file_of_another_program_is_not_replaced(tmp_path):
    (tmp_path / "board.toml").write_text('[project]\nname = "x"\n')
    with pytest.raises(wl.FileFormatError, match="this file would be replaced, and it is not one that weightlab reads"):
        wl.write_leaderboard(plain(), tmp_path / "board.csv")
    assert (tmp_path / "board.toml").read_text() == '[project]\nname = "x"\n'
    assert not (tmp_path / "board.csv").exists()


def test_a_fraction_that_is_no_decimal_is_refused(tmp_path):
    board = wl.Leaderboard({"f1": {"a": Fraction(1, 3), "b": 0}})
    with pytest.raises(wl.InputError) as refused:
        wl.write_leaderboard(board, tmp_path / "board.csv")
    assert str(refused.value) == (
        "model 'a', task 'f1': no decimal that a file can hold equals 1/3; pass rounded=True to write the nearest "
        "double"
    )
    assert not (tmp_path / "board.csv").exists()


def test_long_tables_say_in_which_part_a_score_is_no_decimal(tmp_path):
    cells = {"f1": {"a": Fraction(2, 3), "b": 0}}
    with pytest.raises(wl.InputError, match=r"^'qa': model 'a', metric 'f1': no decimal"):
        wl.write_suite(wl.Suite({"qa": cells}), tmp_path / "x.csv")
    with pytest.raises(wl.InputError, match=r"^'qa': model 'a', instance 'f1': no decimal"):
        wl.write_instances(wl.Instances({"qa": cells}), tmp_path / "x.csv")


@pytest.mark.parametrize("form", FORMATS)
def test_rounded_it_is_the_nearest_double(tmp_path, form):
    board = wl.Leaderboard({"f1": {"a": Fraction(1, 3), "b": 0}})
    wl.write_leaderboard(board, tmp_path / f"board.{form}", rounded=True)
    assert wl.read_leaderboard(tmp_path / f"board.{form}").scores.loc["a", "f1"] == 1 / 3


def test_a_decimal_too_long_to_be_read_is_refused(tmp_path):
    board = wl.Leaderboard({"f1": {"a": Fraction(1, 2**4000), "b": 1}})
    with pytest.raises(wl.InputError, match=r"no decimal that a file can hold equals about 0.0"):
        wl.write_leaderboard(board, tmp_path / "board.csv")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a\0b", r"the name 'a\x00b' holds a NUL character; write JSON or Parquet instead"),
        (
            "x" * 200_000,
            "the name '" + "x" * 40 + "'... has more than 131072 characters; write JSON or Parquet instead",
        ),
    ],
)
def test_names_that_csv_cannot_carry_are_refused_and_json_and_parquet_carry_them(tmp_path, name, message):
    board = wl.Leaderboard({"f1": {name: 1, "b": 0}})
    with pytest.raises(wl.InputError) as refused:
        wl.write_leaderboard(board, tmp_path / "board.csv")
    assert str(refused.value) == message
    with pytest.raises(wl.InputError) if "\0" in name else nullcontext():
        wl.write_leaderboard(board, tmp_path / "board.md")
    for form in ("json", "parquet"):
        wl.write_leaderboard(board, tmp_path / f"board.{form}")
        assert wl.read_leaderboard(tmp_path / f"board.{form}").equals(board)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    path = tmp_path / "no" / "board.csv"
    with pytest.raises(wl.FileFormatError) as refused:
        wl.write_leaderboard(plain(), path)
    assert str(refused.value) == f"{path}: cannot be written: No such file or directory"


def test_a_file_without_permission_is_named(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    path = tmp_path / "board.csv"
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(wl.FileFormatError, match="cannot be written: Permission denied"):
        wl.write_leaderboard(plain(), path)


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        ("board.odt", {}, f"board.odt: the name ends in '.odt'; known are {KNOWN}; pass format='csv'"),
        ("board.csv", {"format": "odt"}, f"no format named 'odt'; there are {FORMS}"),
        ("board.xlsx", {}, f"the format xlsx is read, not written; use {FORMS}"),
        ("board.csv", {"format": "xlsx"}, f"the format xlsx is read, not written; use {FORMS}"),
        ("board.jsonl", {}, f"the format jsonl is read, not written; use {FORMS}"),
        (
            "board.toml",
            {"format": "csv"},
            "board.toml: a .toml file says what is declared about a table; give the table another name",
        ),
        ("", {"format": "csv"}, "a file is needed to write to; got '.'"),
    ],
)
def test_a_path_that_is_no_table_is_refused(path, options, message):
    with pytest.raises(wl.InputError) as refused:
        wl.write_leaderboard(plain(), Path(path), **options)
    assert str(refused.value) == message


def test_a_format_may_be_named(tmp_path):
    wl.write_leaderboard(plain(), tmp_path / "board.txt", format="tsv")
    assert (tmp_path / "board.txt").read_text() == "model\tf1\ts\na\t0.9\t3\nb\t0.8\t\n"


def test_tasks_called_like_the_columns_of_names_are_told_apart(tmp_path):
    instances = wl.Instances({name: {"i": {"a": 1, "b": 2}} for name in ("model", "instance", "model_")})
    wl.write_instances(instances, tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text().splitlines()[0] == "model__,instance_,model,instance,model_"
    assert (tmp_path / "x.toml").read_text() == 'model = "model__"\ninstance = "instance_"\n'
    assert wl.read_instances(tmp_path / "x.csv").equals(instances)


def test_a_free_name_is_none_of_those_taken():
    assert _free("model", ["a", "model", "model_"]) == "model__"


def test_models_that_are_called_as_missing_scores_are_read_back(tmp_path):
    board = wl.Leaderboard(pd.DataFrame({"a": [-100.0, 3.0]}, index=["N/A", "NA"]))
    wl.write_leaderboard(board, tmp_path / "t.json")
    assert wl.read_leaderboard(tmp_path / "t.json").equals(board)
