"""One order that agrees with several."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from weightlab.io.writing.write import one_order

NAMES = "abcdef"


def agrees(order, other):
    return [name for name in order if name in other] == list(other)


@given(st.permutations(NAMES), st.lists(st.sets(st.sampled_from(NAMES)), max_size=4))
def test_orders_that_agree_with_one_have_one(hidden, kept):
    orders = [[name for name in hidden if name in some] for some in kept]
    found = one_order(orders)
    assert sorted(found) == sorted(set().union(*orders))
    assert all(agrees(found, order) for order in orders)


@given(st.lists(st.lists(st.sampled_from(NAMES), unique=True), max_size=4))
def test_every_name_is_there_once(orders):
    found = one_order(orders)
    assert sorted(found) == sorted({name for order in orders for name in order})


def test_contradicting_orders_give_way_to_first_appearance():
    assert one_order(["ba", "ab", "c"]) == ("b", "a", "c")
    assert one_order(["ac", "abc"]) == ("a", "b", "c")
    assert one_order(["ab", "ca"]) == ("c", "a", "b")
