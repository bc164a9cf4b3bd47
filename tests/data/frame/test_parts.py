"""Data are made of parts, which documents have by name, and of cells, which a result and its source have in common."""

from __future__ import annotations

from fractions import Fraction

import pytest

import weightlab as wl
from weightlab.data.frame.parts import ensure_same_cells

BOARD = wl.Leaderboard(
    {"x": {"a": Fraction(1, 3), "b": 2}, "y": {"a": 3, "b": None}}, lower_is_better="x", tolerance={"y": 1}
)
DATA = [
    BOARD,
    BOARD.signs(),
    wl.Suite({"d": {"x": {"a": 1, "b": 2}}}),
    wl.Instances({"t": {"x": {"a": 1, "b": 2}}}),
    wl.Profile.from_orders([["a", "b"], [("a", "b")]], weights=[2, 1]),
    wl.Profile.from_orders([["a", "b"]]).relations(),
]


@pytest.mark.parametrize("one", DATA, ids=lambda one: type(one).__name__)
def test_a_document_has_the_parts_and_is_read_back_from_them(one):
    document = one.to_dict()
    assert [*document] == [*one.parts()]
    assert type(one).from_dict(document).to_dict() == document
    assert set(document) <= set(one.readers)
    for name in document:
        rest = {other: value for other, value in document.items() if other != name}
        if name not in one.optional:
            with pytest.raises(wl.InputError, match=f"lacks '{name}'"):
                type(one).from_dict(rest)
    with pytest.raises(wl.InputError, match="has no part 'more'"):
        type(one).from_dict({**document, "more": 1})


@pytest.mark.parametrize("document", [None, 5, "x", [], [1]])
@pytest.mark.parametrize("one", DATA, ids=lambda one: type(one).__name__)
def test_what_is_no_object_is_refused_in_words(one, document):
    with pytest.raises(wl.InputError, match="an object is needed"):
        type(one).from_dict(document)


def test_cells_over_other_units_are_the_same_numbers():
    names = (["a"], ["x", "y"])
    ensure_same_cells("the points of {} on {} are", names, [[2, 4]], [[1, 2]], units=(2, 1))
    with pytest.raises(wl.ProofError, match=r"^the points of 'a' on 'y' are 3 in the source, not 2$"):
        ensure_same_cells("the points of {} on {} are", names, [[2, 4]], [[1, 3]], units=(2, 1))
    with pytest.raises(wl.ProofError, match=r"^the weight of 'y' is 1/2 by the rule, not None$"):
        ensure_same_cells("the weight of {} is", names[1:], [1, None], [1, Fraction(1, 2)], where="by the rule")
