"""YAML files, read as the JSON of the same document would be."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError

yaml = pytest.importorskip("yaml")


def read(text, **declared):
    return wl.read_leaderboard(io.StringIO(text), format="yaml", **declared)


def test_records_of_objects_are_read_with_their_numbers_as_written():
    page = (
        "Collections:\n  - Name: Net\n    Epochs: 300\nModels:\n"
        "  - Name: tiny\n    Results:\n      - Dataset: X\n        Metrics: {Top 1 Accuracy: 81.760, Top 5: 95.87}\n"
        "  - Name: base\n    Results:\n      - Dataset: X\n        Metrics: {Top 1 Accuracy: 84.2, Top 5: 96.86}\n"
    )
    board = read(page)
    assert (board.models, board.tasks) == (("tiny", "base"), ("Top 1 Accuracy", "Top 5"))
    assert board.scores.to_numpy().tolist() == [[81.76, 95.87], [84.2, 96.86]]


def test_dates_and_versions_are_texts_and_null_is_missing():
    board = read("- {model: a, date: 2024-05-04, x: 1.5, y: null}\n- {model: b, date: 2024-06-01, x: 2.5, y: 3.5}\n")
    assert (board.tasks, board.missing_cells) == (("x", "y"), (("a", "y"),))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: &x [1, 2]\nb: *x\n", r"line 2: \*x stands for what is written elsewhere"),
        ("- {model: a, x: 1, x: 2}\n- {model: b, x: 1}\n", "line 1: 'x' occurs twice"),
        ("a: [1, 2\n", "not YAML: line 2"),
        ("a: !!python/object/apply:os.system ['true']\n", "not YAML: line 1"),
        ("[" * 200 + "]" * 200, "more than 100 levels"),
        ("---\na: 1\n---\nb: 2\n", "not YAML: line"),
    ],
)
def test_what_is_no_plain_document_is_refused_with_its_line(text, told):
    with pytest.raises(FileFormatError, match=told):
        read(text)


def test_a_file_that_would_grow_without_end_is_refused_before_it_does():
    lines = ["a0: &a0 [x, x]", *(f"a{at}: &a{at} [*a{at - 1}, *a{at - 1}]" for at in range(1, 60))]
    with pytest.raises(FileFormatError, match="stands for what is written elsewhere"):
        read("\n".join(lines))


@given(st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), min_size=2, max_size=6))
def test_yaml_is_read_as_json_is(scores):
    records = [{"model": f"m{at}", "x": one / 8, "y": other / 8 + 1000} for at, (one, other) in enumerate(scores)]
    text = json.dumps(records)
    as_json = wl.read_leaderboard(io.StringIO(text), format="json", keep="*")
    assert read(yaml.safe_dump(records), keep="*").equals(as_json)
