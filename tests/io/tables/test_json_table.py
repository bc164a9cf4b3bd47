"""Tables in JSON: records, columns, lists."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.strategies import file_names
from tests.strategies import decimals
from weightlab.io.formats.open_sheet import columns_of

SHAPES = (
    'a list of records, [{"model": ..., "a task": ...}, ...], or an object of columns, {"a task": {"a model": ...}}'
)


def read(text, **options):
    return wl.read_leaderboard(io.StringIO(text), format="json", **options)


def refusal(text, **options):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text, **options)
    return refused.value.faults


@settings(max_examples=40)
@given(models=file_names(2, 4), tasks=file_names(1, 3).filter(lambda names: "model" not in names), data=st.data())
def test_records_lists_and_columns_say_the_same(models, tasks, data):
    scores = {task: {model: data.draw(decimals().map(json_number)) for model in models} for task in tasks}

    def text(table):
        dumped = json.dumps(table, ensure_ascii=data.draw(st.booleans()))
        return dumped.replace('"{number ', "").replace(' number}"', "")

    marked = {
        task: {model: f"{{number {score} number}}" for model, score in column.items()}
        for task, column in scores.items()
    }
    columns = read(text(marked), keep=tasks)
    records = read(
        text([{"model": model, **{task: marked[task][model] for task in tasks}} for model in models]), keep=tasks
    )
    lists = read(text({"model": models, **{task: list(marked[task].values()) for task in tasks}}), keep=tasks)
    assert columns.models == tuple(models)
    assert records.equals(columns)
    assert lists.equals(columns)


def json_number(text):
    """Return a decimal as JSON allows it to be written."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text.removeprefix("+"))
    mantissa, letter, exponent = digits.lower().partition("e")
    whole, dot, rest = mantissa.partition(".")
    return f"{sign}{whole.lstrip('0') or '0'}{dot if rest else ''}{rest}{letter}{exponent}"


def test_numbers_are_the_decimals_that_are_written():
    board = read('[{"model": "a", "f1": 0.30000000000000000001}, {"model": "b", "f1": 0.3}]')
    assert board.margins().margin("a", "b") == 1


def test_text_is_read_as_in_a_csv_file():
    board = read(
        '[{"model": "a", "f1": " 93.9% ", "em": "1/2"}, {"model": "b", "f1": "NA", "em": "3/4"}]',
        percent="f1",
        split={"em": "/"},
    )
    assert board.scores.to_numpy(na_value=-1).tolist() == [[93.9, 1, 2], [-1, 3, 4]]


def test_null_nan_and_a_key_that_lacks_are_missing_and_truth_is_1():
    board = read(
        '[{"model": "a", "x": null, "y": NaN, "z": true}, {"model": "b", "x": 1, "y": 2, "z": false},'
        ' {"model": "c", "x": 1, "y": 2}]'
    )
    assert board.missing_cells == (("a", "x"), ("a", "y"), ("c", "z"))
    assert board.scores["z"].tolist()[:2] == [1, 0]


def test_the_models_are_under_the_key_model_or_the_first_one():
    assert read('[{"f1": 1, "model": "a"}, {"f1": 2, "model": "b"}]').models == ("a", "b")
    assert read('[{"system": "a", "f1": 1}, {"system": "b", "f1": 2}]').models == ("a", "b")
    assert read('{"f1": [1, 2], "model": ["a", "b"]}').models == ("a", "b")


def test_what_pandas_writes_is_read():
    frame = pd.DataFrame({"model": ["a", "b"], "f1": [0.5, None]})
    frame["em"] = [1, 2]
    want = wl.Leaderboard(frame.set_index("model"))
    assert read(frame.to_json()).equals(want)
    assert read(frame.to_json(orient="records")).equals(want)
    assert read(frame.set_index("model").to_json()).equals(want)


def test_a_task_may_be_called_model_where_it_holds_numbers():
    assert read('{"model": {"a": 1, "b": 2}}').tasks == ("model",)


def test_names_may_be_numbers():
    assert read('[{"model": 7, "f1": 1}, {"model": 8.50, "f1": 2}]').models == ("7", "8.50")


def test_lists_and_objects_are_counted_before_they_are_made(monkeypatch):
    monkeypatch.setattr("weightlab.io.tables.json_table.MOST_OBJECTS", 3)
    few = '[{"model": "[[{{\\"[", "f1": 1}, {"model": "b", "f1": 2}]'
    assert wl.read_leaderboard(io.StringIO(few), format="json").models == ('[[{{"[', "b")
    with pytest.raises(wl.FileFormatError, match="not a table: more than 3 lists and objects; JSON Lines are read"):
        wl.read_leaderboard(io.StringIO(few.replace("1}", "1}, {}")), format="json")


@pytest.mark.parametrize("depth", [50, 400, 900])
def test_deep_json_is_refused(depth):
    with pytest.raises(wl.FileFormatError):
        wl.read_leaderboard(io.StringIO('{"a":' * depth + "1" + "}" * depth), format="json")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("[]", [f"{SHAPES}, is needed; got an empty list"]),
        ("{}", [f"{SHAPES}, is needed; got an empty object"]),
        ("[1, 2]", [f"{SHAPES}, is needed; got a list"]),
        ('{"a": 1}', [f"{SHAPES}, is needed; got an object"]),
        ('{"a": [1], "b": {"c": 1}}', [f"{SHAPES}, is needed; got an object"]),
        ("null", [f"{SHAPES}, is needed; got null"]),
        ("3.0", [f"{SHAPES}, is needed; got 3.0"]),
        ('"x"', [f"{SHAPES}, is needed; got 'x'"]),
        ('{"a":', ["not JSON: Expecting value: line 1 column 6 (char 5)"]),
        ("[" * 100_000, ["not a table: too deeply nested"]),
        ('{"model": ["a", "b"], "f1": [1]}', ["the lists differ in length: 'model' has 2, 'f1' has 1"]),
        ('{"model": [], "f1": []}', ["there is a header and no row below it"]),
        ('{"f1": {}}', ["there is a header and no row below it"]),
        (
            '[{"model": "a", "f1": 1, "f1": 2}, {"model": "b", "f1": [1]}, {"model": "c", "f1": {"x": 1}}]',
            [
                "the key 'f1' occurs more than once in one object",
                "record 2, column 'f1': a list where a name or a score is needed",
                "record 3, column 'f1': an object where a name or a score is needed",
            ],
        ),
        (
            '[{"model": "a", "f1": "x"}, {"f1": Infinity}]',
            [
                "record 1, column 'f1': 'x' is not a number (a missing score is empty, '-', 'NA', 'N/A' or 'nan')",
                "record 2, column 'model': None is not a name",
                "record 2, column 'f1': Infinity is infinite",
            ],
        ),
        (
            '{"f1": {"a": "93.9%", "b": 1}}',
            ["'a', column 'f1': '93.9%' is a percentage"],
        ),
        (
            '[{"model": "a", "f1": 1}, {"model": "a", "f1": 2}]',
            ["record 2: model 'a' is already in record 1"],
        ),
        (
            '[{"model": "\\ud800", "f1": 1}, {"model": "b", "f1": 2}]',
            ["the text '\\ud800' holds half a surrogate pair, which stands for no character"],
        ),
        (
            '{"\\udc00": {"a": 1, "b": 2}}',
            ["the text '\\udc00' holds half a surrogate pair, which stands for no character"],
        ),
    ],
)
def test_what_is_no_table_is_refused(text, faults):
    assert list(refusal(text)) == faults


def test_an_escaped_pair_is_one_character():
    assert read('[{"model": "\\ud83e\\udd8a", "f1": 1}, {"model": "b", "f1": 2}]').models[0] == "🦊"


def test_numbers_of_thousands_of_digits_are_refused():
    assert "has more than" in refusal(f'[{{"model": "a", "f1": {"1" * 9_000}}}]')[0]


def test_the_columns_of_json_lines_are_told_by_the_first_ones(tmp_path, monkeypatch):
    read_lines = []
    decode = json.JSONDecoder.decode
    monkeypatch.setattr(json.JSONDecoder, "decode", lambda self, text: read_lines.append(1) or decode(self, text))
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f'{{"model": "m{row}", "x": {row}}}\n' for row in range(20_000)))
    assert columns_of(path, None, None)[0] == ("model", "x")
    assert len(read_lines) < 5_000
    path.write_text('{"model": "' + "m" * 100_000 + '", "x": 1}\n{"model": "b", "y": 1}\n')
    assert columns_of(path, None, None)[0] == ("model", "x", "y")
