"""What a TOML file declares about a table."""

from __future__ import annotations

import io
from decimal import Decimal
from fractions import Fraction

import pytest

import weightlab as wl
from weightlab import checker
from weightlab.io import read_config

TABLE = "model,BoolQ,CB,notes\nT5,0.9,0.8,x\nBERT,0.8,0.9,y\n"


def refusal(text):
    with pytest.raises(wl.FileFormatError) as refused:
        read_config(io.StringIO(text))
    return refused.value.faults


@pytest.fixture
def beside(tmp_path):
    """Return a function that writes a table with a configuration beside it and returns the table's path."""

    def write(text):
        (tmp_path / "table.csv").write_text(TABLE)
        (tmp_path / "table.toml").write_text(text)
        return tmp_path / "table.csv"

    return write


def test_numbers_are_the_decimals_that_are_written():
    declared = read_config(io.StringIO('weights = { a = 0.1, b = 2, c = "1/3", d = 1e-3 }'))
    assert declared["weights"] == {"a": Decimal("0.1"), "b": 2, "c": "1/3", "d": Decimal("0.001")}


def test_the_file_of_the_same_stem_beside_the_table_is_read(beside):
    path = beside('drop = "notes"\nlower_is_better = ["CB"]\n[weights]\nCB = 0.1\n[groups]\nqa = ["BoolQ"]\n')
    board = wl.read_leaderboard(path)
    assert board.lower_is_better == ("CB",)
    assert board.weights["CB"] == Fraction(1, 10)
    assert dict(board.groups) == {"qa": ("BoolQ",)}


def test_an_empty_mapping_prevents_that(beside):
    assert wl.read_leaderboard(beside("lower_is_better = 3"), config={}, drop="notes").lower_is_better == ()


def test_keywords_win_over_the_file_one_by_one(beside):
    path = beside('drop = ["notes"]\nlower_is_better = ["CB"]\nweights = { CB = 7 }')
    board = wl.read_leaderboard(path, lower_is_better=[], weights={"BoolQ": 2})
    assert (board.lower_is_better, list(board.weights)) == ((), [2, 1])


@pytest.mark.parametrize("how", ["path", "text", "stream", "mapping"])
def test_a_configuration_may_be_given(tmp_path, how):
    (tmp_path / "other.toml").write_text('drop = ["notes"]\nweights = { CB = 2 }\n')
    path = tmp_path / "other.toml"
    config = {
        "path": path,
        "text": str(path),
        "stream": io.BytesIO(path.read_bytes()),
        "mapping": read_config(path),
    }[how]
    assert list(wl.read_leaderboard(io.StringIO(TABLE), config=config).weights) == [1, 2]


def test_a_given_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(wl.FileFormatError, match=r"no\.toml: there is no such file"):
        wl.read_leaderboard(io.StringIO(TABLE), config=tmp_path / "no.toml")


def test_a_table_is_not_its_own_configuration(tmp_path):
    (tmp_path / "table.toml").write_text("model,f1\na,1\nb,2\n")
    assert wl.read_leaderboard(tmp_path / "table.toml", format="csv").tasks == ("f1",)


def test_an_empty_configuration_declares_nothing():
    assert read_config(io.StringIO("")) == {}
    assert read_config(io.StringIO(" \n\n")) == {}
    assert read_config(io.StringIO("# nothing yet\n")) == {}


def test_windows_files_with_a_byte_order_mark_are_read():
    assert read_config(io.BytesIO(b'\xef\xbb\xbfdrop = "a"\r\n[weights]\r\nb = 1\r\n')) == {
        "drop": "a",
        "weights": {"b": 1},
    }


SPLIT = (
    "split must be a table of separators such as { MRPC = '/' }, or of results the name of a split, of MTEB also a "
    "table by task; got 1"
)
KEYS = "'lower_is_better', 'higher_is_better', 'weights', 'groups', 'split', 'percent', ... (47 in all)"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("wieghts = { a = 1 }", [f"no key named 'wieghts'; the list of keys has {KEYS} (did you mean 'weights'?)"]),
        (
            "tasks = 3\nx = 1",
            ["tasks must be a name or a list of names; got 3", f"no key named 'x'; the list of keys has {KEYS}"],
        ),
        ("drop = [1]", ["drop must be a name or a list of names; got [1]"]),
        ("weights = 1", ["weights must be a table of numbers such as { BoolQ = 2, CB = 0.5 }; got 1"]),
        (
            "weights = { a = true }",
            ["weights must be a table of numbers such as { BoolQ = 2, CB = 0.5 }; got {'a': True}"],
        ),
        ("groups = ['a']", ["groups must be a table of lists of tasks such as { nli = ['CB', 'RTE'] }; got ['a']"]),
        ("split = 1", [SPLIT]),
        ("flagged = 'no'", ["flagged must be true or false; got 'no'"]),
        (
            "tolerance = [1]",
            ["tolerance must be a number, or a table of numbers such as { BoolQ = 0.1 }; got [1]"],
        ),
        ("model = 2025-01-02", ["model must be a name; got datetime.date(2025, 1, 2)"]),
        ("a = = 1", ["not TOML: Invalid value (at line 1, column 5)"]),
        ("a = " + "[" * 5_000, ["too deeply nested"]),
    ],
)
def test_what_is_declared_wrongly_is_refused(text, faults):
    assert list(refusal(text)) == faults


def test_numbers_of_thousands_of_digits_are_refused():
    assert refusal(f"tolerance = {'1' * 9_000}")[0].startswith("not TOML: Exceeds the limit")


def test_another_encoding_is_refused():
    with pytest.raises(wl.FileFormatError, match=r"byte 9 \(line 1\) is 0xe9, which is not UTF-8"):
        read_config(io.BytesIO('drop = "L\u00e9a"'.encode("latin-1")))


def test_faults_of_the_file_are_told_from_those_of_keywords(beside):
    path = beside('drop = ["note"]\nlower_is_better = ["BoolQ"]')
    beside_it = path.with_suffix(".toml")
    with pytest.raises(wl.FileFormatError) as refused:
        wl.read_leaderboard(path, percent="boolq")
    assert refused.value.faults[0] == (
        f"{beside_it}: drop: no column named 'note'; "
        "the file has 'model', 'BoolQ', 'CB', 'notes' (did you mean 'notes'?)"
    )
    assert refused.value.faults[1] == (
        "percent: no column named 'boolq'; the file has 'BoolQ', 'CB', 'notes' (did you mean 'BoolQ'?)"
    )
    path = beside('drop = ["notes"]\nlower_is_better = ["q"]\nweights = { CB = -1 }\n')
    with pytest.raises(wl.FileFormatError) as refused:
        wl.read_leaderboard(path, groups={"g": ["x"]})
    assert refused.value.faults == (
        "group 'g': no task named 'x'; the leaderboard has 'BoolQ', 'CB'",
        f"{beside_it}: lower is better: no task named 'q'; the leaderboard has 'BoolQ', 'CB'",
        f"{beside_it}: weight of task 'CB' is negative: -1",
    )


def test_a_key_that_another_reader_reads_is_refused(beside):
    path = beside('instance = "notes"\n')
    with pytest.raises(wl.FileFormatError) as refused:
        wl.read_leaderboard(path)
    assert str(refused.value) == (
        f"{path.with_suffix('.toml')}: instance is nothing that read_leaderboard reads; it reads "
        "lower_is_better, higher_is_better, weights, groups, tolerance, relative_tolerance, rule, bounds, split, "
        "percent, drop, keep, transpose, name_column, dataset_column, missing_value, weights_from, standard_errors, "
        "spread, repeats_by, models, tasks, separator, decimal, thousands, encoding, table"
    )


def test_a_mapping_with_an_unknown_key_is_refused():
    with pytest.raises(wl.InputError) as refused:
        wl.read_leaderboard(io.StringIO(TABLE), config={"weigths": {}})
    assert str(refused.value) == (
        "no key named 'weigths'; the list of keys has 'lower_is_better', 'higher_is_better', 'weights', 'groups', "
        "'tolerance', 'relative_tolerance', ... (27 in all) (did you mean 'weights'?)"
    )


LONG_KEYS = {
    "bare": ".".join("a" * 100_000) + " = 1",
    "heading": "[" + " . ".join(["'a'"] * 100_000) + "]",
    "after a text": 'name = """a\\"""""\n' + ".".join(['"\\""'] * 100_000) + " = 1",
}


@pytest.mark.parametrize("text", LONG_KEYS.values(), ids=LONG_KEYS)
def test_keys_of_many_parts_are_refused_before_they_fill_the_memory(text):
    with pytest.raises(wl.FileFormatError, match=r"line [12] has a key of more than 8 parts$"):
        read_config(io.StringIO(text))
    with pytest.raises(checker.WrongInputError, match=r"a key of more than 8 parts$"):
        checker.declared_in(text)


def test_dots_in_texts_numbers_and_comments_make_no_keys():
    weights = ", ".join(f"t{place} = 0.5" for place in range(20))
    text = f"weights = {{ {weights} }}\nname = 'a.b.c.d.e.f.g.h.i' # 1.2.3.4.5.6.7.8.9"
    assert read_config(io.StringIO(text))["name"] == "a.b.c.d.e.f.g.h.i"


def test_configurations_of_many_megabytes_are_refused():
    with pytest.raises(wl.FileFormatError, match=r"the file has 2,000,001 bytes, of at most 2,000,000$"):
        read_config(io.StringIO("#" * 2_000_001))
