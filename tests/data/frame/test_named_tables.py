"""Tables are scores of some models under some columns, without empty rows or columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from weightlab._validate import Faults
from weightlab.data.frame.named_tables import as_frame, first_appearances, tables_from_frames

FRAME = pd.DataFrame({"x": [1.0, None, 3.0], "y": [None, None, 4.0]}, index=["a", "b", "c"])


def table(frame=FRAME):
    faults = Faults()
    tables = tables_from_frames({"t": frame}, faults, name_kind="dataset", column_kind="metric")
    faults.raise_if_any()
    return tables["t"]


def test_rows_and_columns_without_a_score_are_left_out():
    assert table().models == ("a", "c")
    assert table().frame().equals(FRAME.loc[["a", "c"]])
    assert table(FRAME.assign(z=np.nan)).columns == ("x", "y")


@pytest.mark.parametrize(
    ("models", "columns", "rows_left", "columns_left"),
    [
        (None, None, ("a", "c"), ("x", "y")),
        (["c", "a", "c"], ["y", "x", "y"], ("c", "a"), ("y", "x")),
        (["a"], None, ("a",), ("x",)),
        (None, ["y"], ("c",), ("y",)),
        (["a"], ["y"], (), ()),
        (["d", "c"], ["z", "x"], ("c",), ("x",)),
        ([], None, (), ()),
    ],
)
def test_selecting_keeps_what_has_a_score_in_the_order_given_and_once(models, columns, rows_left, columns_left):
    some = table().select(models=models, columns=columns)
    assert (some.models, some.columns) == (rows_left, columns_left)
    assert some.frame().equals(FRAME.loc[list(rows_left), list(columns_left)])


def test_a_frame_of_scores_is_a_copy():
    made = table()
    frame = made.frame()
    frame.iloc[:, 0] = 5.0
    assert made.equals(table())


@pytest.mark.parametrize(
    "other",
    [FRAME.rename(index={"a": "d"}), FRAME.rename(columns={"x": "z"}), FRAME + 1, FRAME.iloc[::-1], FRAME.fillna(0)],
)
def test_other_names_or_scores_make_another_table(other):
    assert not table().equals(table(other))


def test_names_appear_in_the_order_in_which_they_are_met():
    assert first_appearances([["b", "a"], ["c", "a"], []]) == ("b", "a", "c")


@pytest.mark.parametrize("given", [FRAME, FRAME["x"], {"x": [1, 2]}, [[1, 2]], np.ones((2, 2)), []])
def test_tables_of_every_shape_become_frames(given):
    faults = Faults()
    assert isinstance(as_frame(given, faults), pd.DataFrame)
    assert not faults


@pytest.mark.parametrize("given", [None, 3, "text", {"x": [1, 2], "y": [1]}, {"x": 1}, object(), np.ones((2, 2, 2))])
def test_what_is_no_table_is_refused(given):
    faults = Faults()
    assert as_frame(given, faults).empty
    (fault,) = faults.listed
    assert fault.startswith("a table of scores is needed; ")
