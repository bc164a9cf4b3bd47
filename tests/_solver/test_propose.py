"""Sets and points that integer programs propose until nothing refutes one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weightlab._solver import Formulation, Rows, propose
from weightlab._solver.propose import proposed, smallest, smallest_program
from weightlab.exceptions import ImpossibleError, TimeLimitError, UnprovedError


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_smallest_set_that_nothing_refutes_is_as_small_as_looking_at_all_finds(data):
    width = data.draw(st.integers(1, 6))
    some = st.sets(st.integers(0, width - 1), max_size=width)
    told, hidden = data.draw(st.lists(some, min_size=1, max_size=3)), data.draw(st.lists(some, max_size=6))

    def rows(sets):
        return Rows.from_dicts(
            [dict.fromkeys(one, 1) for one in sets], width=width, lower=1, labels=["hit"] * len(sets)
        )

    def refute(chosen):
        missed = [one for one in hidden if not one & set(chosen)]
        return rows(missed[:1]) if missed else None

    every = (set(one) for count in range(width + 1) for one in itertools.combinations(range(width), count))
    fewest = next((one for one in every if all(one & other for other in [*told, *hidden])), None)
    program = smallest_program([str(place) for place in range(width)], rows(told), "hitting set")
    if fewest is None:
        with pytest.raises(ImpossibleError):
            smallest(program, refute)
        return
    found = smallest(program, refute)
    assert len(found) == len(fewest)
    assert all(set(found) & other for other in [*told, *hidden])


def test_without_a_question_the_program_alone_decides():
    rows = Rows.from_matrix(np.array([[1, 1, 0], [0, 1, 1]]), lower=1, labels=["one", "two"])
    assert smallest(smallest_program(["a", "b", "c"], rows, "hitting set")) == [1]
    assert smallest(smallest_program(["a", "b", "c"], rows, "hitting set", upper=[1, 0, 1])) == [0, 2]


def others(width, told):
    """Return a question that refutes every set but those told, each by the row that another set is needed."""
    asked = []

    def refute(point):
        chosen = {place for place, one in enumerate(point) if round(one)}
        asked.append(chosen)
        if chosen in told:
            return None
        row = {place: -1 if place in chosen else 1 for place in range(width)}
        return Rows.from_dicts([row], width=width, lower=1 - len(chosen), labels=["another set"])

    return refute, asked


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_point_is_proposed_that_nothing_refutes_or_none_is_left(data):
    width = data.draw(st.integers(1, 4))
    told = data.draw(st.lists(st.sets(st.integers(0, width - 1)), max_size=3))
    program = Formulation.over(
        [str(place) for place in range(width)], Rows.none(width), name="any set", objective=1, upper=1, integral=True
    )
    refute, asked = others(width, told)
    point = proposed(program, refute)
    assert (point is None) == (not told)
    assert len(asked) == len(set(map(frozenset, asked))) <= 2**width
    if point is None:
        assert len(asked) == 2**width
    else:
        assert asked[-1] in told
        assert len(asked[-1]) == min(map(len, told))


def test_after_many_rounds_or_without_time_nothing_is_said(monkeypatch):
    monkeypatch.setattr(propose, "MOST_ROUNDS", 3)
    program = Formulation.over(["a", "b"], Rows.none(2), name="any set", objective=1, upper=1, integral=True)
    with pytest.raises(UnprovedError, match=r"any set: after 3 rounds .* has proposed nothing that holds"):
        proposed(program, others(2, [{0, 1}])[0])
    with pytest.raises(TimeLimitError, match="any set"):
        proposed(program, others(2, [{0, 1}])[0], time_limit=0)
