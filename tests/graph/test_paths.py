"""Links on no cycle as strong, and closures of relations without cycles."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.dice import DICE
from weightlab.graph.paths import acyclic_closure, lasting_links, transitive_closure
from weightlab.graph.rankings.ranking import path_strengths


def links_of(dice, *, count, strengths, large):
    links = np.zeros((count, count), dtype=object if large else np.int64)
    for row in range(count):
        for column in range(row):
            pair = (row, column) if dice.flag() else (column, row)
            links[pair] = dice.below(strengths) * (10**30 if large else 1)
    return links


@given(DICE)
def test_links_on_no_cycle_as_strong_are_those_stronger_than_every_path_back(dice):
    links = links_of(dice, count=dice.between(1, 8), strengths=dice.between(2, 7), large=dice.flag())
    lasting = lasting_links(links)
    assert np.array_equal(lasting, (links > 0) & (links > path_strengths(links).T))
    closed = acyclic_closure(lasting)
    assert np.array_equal(closed, transitive_closure(lasting))
    assert not np.diagonal(closed).any()


def test_many_models_agree_with_strongest_paths():
    draw = np.random.default_rng(4)
    for strengths in (3, 1000):
        upper = np.triu(draw.integers(-strengths, strengths + 1, (60, 60)), 1)
        links = np.maximum(upper - upper.T, 0)
        assert np.array_equal(lasting_links(links), (links > 0) & (links > path_strengths(links).T))
