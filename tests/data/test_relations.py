"""Relations are one binary relation over the models for each item."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import weightlab as wl
from weightlab.data.margins import majority_relation
from weightlab.exceptions import InputError, UnknownNameError

ARRAY = np.array([[[1, 1], [0, 1]], [[1, 0], [1, 1]], [[1, 1], [1, 1]]], dtype=bool)


def relations():
    return wl.Relations(items=("x", "y", "z"), models=("a", "b"), array=ARRAY.copy())


def test_each_relation_is_found_by_its_item():
    for item, array in zip("xyz", ARRAY, strict=True):
        frame = relations().of(item)
        assert (frame.to_numpy() == array).all()
        assert list(frame.index) == list(frame.columns) == ["a", "b"]
    assert len(relations()) == 3


def test_relations_are_selected_in_the_order_given_and_once():
    some = relations().select(["z", "x", "z"])
    assert (some.items, some.models) == (("z", "x"), ("a", "b"))
    assert (some.array == ARRAY[[2, 0]]).all()
    assert relations().select("y").items == ("y",)
    assert len(relations().select([])) == 0


def test_items_that_are_no_text_are_looked_up_as_text():
    numbered = wl.Relations(items=("1", "2"), models=("a", "b"), array=ARRAY[:2].copy())
    assert numbered.select([2, 1]).items == ("2", "1")
    assert numbered.of(1).loc["a", "b"]


@pytest.mark.parametrize("ask", [lambda one: one.of("w"), lambda one: one.select(["x", "w"])])
def test_unknown_items_are_refused(ask):
    with pytest.raises(UnknownNameError, match=r"^no item named 'w'; the set of relations has 'x', 'y', 'z'$"):
        ask(relations())


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (ARRAY[:2], "relations need a boolean array of shape (3, 2, 2); got bool (2, 2, 2)"),
        (ARRAY.astype(int), "relations need a boolean array of shape (3, 2, 2); got int64 (3, 2, 2)"),
        (ARRAY & ~np.eye(2, dtype=bool), "the diagonal of every relation must be True"),
    ],
)
def test_arrays_that_are_no_relations_are_refused(array, message):
    with pytest.raises(InputError) as caught:
        wl.Relations(items=("x", "y", "z"), models=("a", "b"), array=array)
    assert str(caught.value) == message


def test_relations_cannot_be_changed():
    for one in (relations(), pickle.loads(pickle.dumps(relations()))):  # noqa: S301 (our own pickle)
        with pytest.raises(ValueError, match="read-only"):
            one.array[0, 0, 1] = False


@pytest.mark.parametrize("dtype", [np.int32, np.int64, object])
def test_a_majority_relates_who_beats_or_at_least_ties(dtype):
    margins = np.array([[0, 2, 0], [-2, 0, -(10**9)], [0, 10**9, 0]], dtype=dtype)
    weak = majority_relation(margins, strict=False)
    strict = majority_relation(margins, strict=True)
    assert weak.dtype == strict.dtype == np.bool_
    assert weak.tolist() == [[True, True, True], [False, True, False], [True, True, True]]
    assert strict.tolist() == [[True, True, False], [False, True, False], [False, True, True]]
