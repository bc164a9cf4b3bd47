"""Objects in objects, wrappers and lists of one: what they hold is read as the flat records that they stand for."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.json_nested import flattened

FLAT = [{"model": "a", "x": 1, "y": 2}, {"model": "b", "x": 3, "y": 1}]
SAME = {
    "in a wrapper": {"results": FLAT},
    "in two": {"version": 3, "tags": [], "results": {"rows": FLAT}},
    "one object": [{"model": "a", "scores": {"x": 1, "y": 2}}, {"model": "b", "scores": {"x": 3, "y": 1}}],
    "two objects": [
        {"info": {"model": "a"}, "scores": {"x": 1, "y": 2}},
        {"info": {"model": "b"}, "scores": {"x": 3, "y": 1}},
    ],
    "a list of one": [{"model": "a", "runs": [{"x": 1, "y": 2}]}, {"model": "b", "runs": [{"x": 3, "y": 1}]}],
    "models first": {"a": {"kind": "old", "all": {"x": 1, "y": 2}}, "b": {"kind": "new", "all": {"x": 3, "y": 1}}},
    "texts beside numbers": {"a": {"kind": "old", "x": 1, "y": 2}, "b": {"kind": "new", "x": 3, "y": 1}},
    "numbered": {"0": {"model": "a", "in": {"x": 1, "y": 2}}, "1": {"model": "b", "in": {"x": 3, "y": 1}}},
    "split": {"columns": ["x", "y"], "index": ["a", "b"], "data": [[1, 2], [3, 1]]},
    "split with a column": {"columns": ["model", "x", "y"], "index": [0, 1], "data": [["a", 1, 2], ["b", 3, 1]]},
    "an odd entry": {
        **{name: {"kind": "k", "x": x, "y": y} for name, x, y in (("a", 1, 2), ("b", 3, 1), ("c", 0, 0))},
        **{name: {"kind": "k", "x": x, "y": y} for name, x, y in (("d", 0, 0), ("e", 0, 0))},
        "note": "all of 2024",
    },
}


@pytest.mark.parametrize("name", SAME)
def test_scores_are_found_wherever_they_stand(name):
    found = flattened(json.loads(json.dumps(SAME[name]), parse_int=Number)).document
    assert isinstance(found, list)
    assert [(record["x"], record["y"]) for record in found][:2] == [("1", "2"), ("3", "1")]
    assert all({"a", "b"} & {*map(str, record.values())} for record in found[:2])


class Number(str):
    """The text of a number, as the reader keeps it."""

    __slots__ = ()


def test_of_several_objects_with_numbers_the_columns_are_called_by_their_paths():
    found = flattened([{"model": "a", "dev": {"x": Number(1)}, "test": {"x": Number(2)}}]).document
    assert found == [{"model": "a", "dev.x": "1", "test.x": "2"}]


def test_a_name_that_stands_twice_is_called_by_its_path():
    found = flattened([{"model": "a", "x": Number(0), "test": {"x": Number(2)}}]).document
    assert found == [{"model": "a", "x": "0", "test.x": "2"}]


def test_what_was_opened_and_left_out_is_said():
    assert flattened({"results": {"rows": FLAT}}).remarks == ("opened 'results'.'rows'",)
    found = flattened(SAME["an odd entry"])
    assert (found.remarks, found.labelled) == (("left out 'note', of another shape",), True)


@pytest.mark.parametrize("document", [[], {}, [1], {"a": [1], "b": {"c": 1}}, {"x": {"a": 1, "b": 2}}, "x", None])
def test_other_documents_are_left_as_they_are(document):
    assert flattened(document).document == document


def test_a_column_that_holds_an_object_only_here_and_there_is_not_spread():
    records = [{"model": "a", "x": Number(1)}, {"model": "b", "x": {"y": Number(1)}}]
    assert flattened(records).document == records


LEAVES = st.integers(0, 99).map(Number)
NAMES = st.text("abcdefg", min_size=1, max_size=2)


def trees(depth):
    """Return objects in objects, so deep everywhere."""
    return st.dictionaries(NAMES, trees(depth - 1) if depth > 1 else LEAVES, min_size=2, max_size=3)


def walk(value, path=()):
    """Yield each number with the keys above it."""
    if isinstance(value, dict):
        for key, inside in value.items():
            yield from walk(inside, (*path, key))
    else:
        yield path, value


@given(st.integers(3, 5).flatmap(trees))
def test_every_number_of_objects_in_objects_is_a_row(tree):
    found = flattened(tree)
    names = [f"level {at}" for at in range(1, found.levels + 1)]
    assert {tuple(row[name] for name in names): row["score"] for row in found.document} == dict(walk(tree))
    assert found.levels >= 3


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, LEAVES, min_size=1), min_size=1))
def test_objects_of_numbers_are_columns_as_ever(columns):
    assert flattened(columns).document == columns


def test_a_file_of_models_first_is_read_with_the_names_of_their_tasks():
    entry = '{"link": "here", "pass@1": {"one": %d, "two": %d}, "size": null}'
    text = f'{{"m1": {entry % (3, 4)}, "m2": {entry % (5, 1)}}}'
    reading = wl.propose_reading(io.StringIO(text), format="json")
    assert (reading.key, reading.tasks, reading.models) == (("",), ("one", "two"), 2)


def test_a_list_of_words_is_text():
    found = flattened([{"model": "a", "tags": ["x", "y"]}, {"model": "b", "tags": None}]).document
    assert found == [{"model": "a", "tags": "x, y"}, {"model": "b", "tags": None}]


def test_depth_is_bounded():
    deep = {"a": Number(1)}
    for _ in range(500):
        deep = {"a": deep, "b": deep if len(str(deep)) < 50 else Number(2)}
    assert flattened({"x": deep, "y": deep}) is not None


MATRIX = '{"matrix": [[250, 16], [200, 8]], "objectives": ["min", 1], "weights": [0.75, 0.25], %s}'


def decided(more='"criteria": ["price", "memory"], "alternatives": ["a", "b"]', **options):
    return wl.read_leaderboard(io.StringIO(MATRIX % more), format="json", **options)


def test_a_decision_matrix_declares_its_directions_and_weights():
    board = decided()
    assert (board.models, board.tasks, board.lower_is_better) == (("a", "b"), ("price", "memory"), ("price",))
    assert board.weights.to_dict() == {"price": 0.75, "memory": 0.25}
    assert decided(weights={"price": 1, "memory": 3}).weights["memory"] == 3


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('"objectives": ["min", "huge"]', "'huge' is neither min nor max"),
        ('"matrix": [[1, 2], [2]]', "row 2 has 1 score"),
        ('"weights": [1]', "a list of 2 weights is needed"),
        ('"weights": ["much", 1]', "a weight is not a number from 0 on"),
        ('"criteria": ["x"]', "a list of 2 criteria is needed"),
        ('"criteria": ["x", "x"]', "'x' stands twice in criteria"),
        ('"matrix": [[1, {"x": 2}], [2, 3]]', "row 1 holds .*, which is not a score"),
    ],
)
def test_parts_of_a_decision_matrix_fit_each_other(more, told):
    keys = {key: one for key, one in json.loads(MATRIX % '"x": 1').items() if f'"{key}"' not in more}
    text = f"{json.dumps(keys)[:-1]}, {more}}}"
    with pytest.raises(FileFormatError, match=told):
        wl.read_leaderboard(io.StringIO(text), format="json")
