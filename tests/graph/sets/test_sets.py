"""Smith, Schwartz, uncovered and Banks sets against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import weightlab as wl
from tests.graph import brute_force
from tests.graph.brute_force import Duels
from tests.graph.strategies import margins
from weightlab.exceptions import InputError, UnprovedError
from weightlab.graph import (
    banks_set,
    bipartisan_set,
    condorcet_winner,
    copeland,
    minimax,
    schwartz_set,
    smith_set,
    uncovered_set,
)
from weightlab.graph.sets.majority_sets import contained, covering, smith_members

KINDS = ("gillies", "fishburn", "bordes", "mckelvey")
SETS = {
    "Smith": smith_set,
    "Schwartz": schwartz_set,
    **{kind: lambda table, kind=kind: uncovered_set(table, kind=kind) for kind in KINDS},
}


def random_tournament(count, seed):
    upper = np.triu(np.random.default_rng(seed).random((count, count)) < 0.5, 1)
    wins = (upper | np.tril(~upper.T, -1)).astype(np.int64)
    models = tuple(f"m{row}" for row in range(count))
    return wl.data.Margins(models=models, wins=wins, ties=np.zeros_like(wins), denominator=1)


@given(margins())
def test_smith_and_schwartz_sets_follow_their_definitions(table):
    duels = Duels(table)
    assert smith_set(table) == brute_force.smith_set(duels)
    assert schwartz_set(table) == brute_force.schwartz_set(duels)


@pytest.mark.parametrize("kind", KINDS)
@given(table=margins())
def test_uncovered_sets_follow_their_definitions(table, kind):
    assert uncovered_set(table, kind=kind) == brute_force.uncovered_set(Duels(table), kind)


@given(margins(tied=False))
def test_the_banks_set_follows_its_definition(table):
    assert banks_set(table) == brute_force.banks_set(Duels(table))


@given(margins(tied=False))
def test_without_ties_each_set_lies_in_the_next(table):
    smith = set(smith_set(table))
    assert set(schwartz_set(table)) == smith
    uncovered = [set(uncovered_set(table, kind=kind)) for kind in KINDS]
    assert all(one == uncovered[0] for one in uncovered)
    assert set(banks_set(table)) <= uncovered[0] <= smith
    assert set(bipartisan_set(table)) <= uncovered[0]
    best = copeland(table)
    assert {model for model, score in best.items() if score == best.iloc[0]} <= uncovered[0]


@given(margins())
def test_with_ties_all_sets_lie_in_the_smith_set_and_none_is_empty(table):
    smith = set(smith_set(table))
    assert set() < set(schwartz_set(table)) <= smith
    for kind in KINDS:
        assert set() < set(uncovered_set(table, kind=kind)) <= smith
    assert set(uncovered_set(table, kind="gillies")) <= set(uncovered_set(table, kind="mckelvey"))
    assert set(uncovered_set(table, kind="bordes")) <= set(uncovered_set(table, kind="mckelvey"))


@pytest.mark.parametrize("name", SETS)
@given(table=margins(models=(2, 6)))
def test_a_condorcet_winner_is_every_set(table, name):
    winner = condorcet_winner(table)
    if winner is not None:
        assert SETS[name](table) == (winner,)


@pytest.mark.parametrize("count", [9, 17, 33])
def test_search_and_matrices_agree_on_larger_tournaments(count):
    table = random_tournament(count, seed=count)
    beaten = np.asarray(table.wins > 0)
    chains = banks_set(table)
    assert set(chains) <= set(uncovered_set(table))
    assert chains == banks_by_growing(table, beaten)


def banks_by_growing(table, beaten):
    """Return the tops of all maximal chains: chains grown downwards in all ways, kept where none can be put on top."""
    tops = set()

    def grow(top, chain, allowed, unbeaten):
        if not unbeaten:
            tops.add(top)
        for one in sorted(allowed):
            if top in tops:
                return
            left = {other for other in allowed if other > one and fits([*chain, one], other)}
            grow(top, [*chain, one], left, {rival for rival in unbeaten if not beaten[one, rival]})

    def fits(chain, other):
        wins = [sum(beaten[a, b] for b in (*chain, other)) for a in (*chain, other)]
        return sorted(wins) == list(range(len(wins)))

    for top in range(len(beaten)):
        rivals = set(np.flatnonzero(beaten[:, top]).tolist())
        if len(beaten) <= 9 or table.models[top] in uncovered_set(table):
            grow(top, [], set(np.flatnonzero(beaten[top]).tolist()), rivals)
    return tuple(model for row, model in enumerate(table.models) if row in tops)


def test_the_banks_set_refuses_tied_duels_and_names_one():
    table = wl.Profile.from_orders(map(list, ["abc", "bac"]))
    with pytest.raises(InputError, match=r"'a' and 'b' tie \(1 in all\)"):
        banks_set(table)


def test_the_banks_set_says_what_it_could_not_decide():
    table = random_tournament(30, seed=1)
    with pytest.raises(UnprovedError, match=r"3 steps did not decide whether .* belong to the Banks set") as caught:
        banks_set(table, most_steps=3)
    known, whole = caught.value.known, banks_set(table)
    assert set(known["members"]) <= set(whole) <= {*known["members"], *known["undecided"]}


def test_an_unknown_kind_of_covering_is_refused():
    with pytest.raises(InputError, match="kind must be 'gillies', 'fishburn', 'bordes' or 'mckelvey'; got 'miller'"):
        uncovered_set(wl.Profile.from_orders(map(list, ["abc"])), kind="miller")


def test_products_in_blocks_are_products(monkeypatch):
    sets = np.random.default_rng(0).random((40, 40)) < 0.8
    whole = contained(sets)
    monkeypatch.setattr("weightlab.graph.paths.BLOCK_CELLS", 120)
    assert np.array_equal(contained(sets), whole)
    assert np.array_equal(whole, [[not (one & ~other).any() for other in sets] for one in sets])


def test_nothing_has_no_members():
    nothing = np.zeros((0, 0), dtype=bool)
    assert smith_members(nothing).tolist() == []
    assert covering(nothing, "gillies").shape == (0, 0)


def test_models_that_all_tie_are_all_in_every_set():
    table = wl.Profile.from_orders([[("a", "b", "c", "d")]])
    for chosen in SETS.values():
        assert chosen(table) == ("a", "b", "c", "d")
    assert set(minimax(table)) == {0}
