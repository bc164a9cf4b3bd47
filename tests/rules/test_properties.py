"""What table 8 of Vote'n'Rank asks: where a property is claimed no violation is found, where not one is exhibited."""

from __future__ import annotations

from itertools import accumulate, combinations_with_replacement, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dice import DICE
from tests.rules.exhibits import EXHIBITS
from tests.rules.violations import SEARCHES
from weightlab.rules import RULES, Needs, Property, properties, rule

OPTIONS = {"optimality_gap": {"gamma": 5}, "k_approval": {"k": 2}, "scoring": {"vector": "borda"}}
ASKED = {name: rule(name, **OPTIONS.get(name, {})) for name in RULES}
ASKED["coombs without its stop"] = rule("coombs", majority_stop=False)
HELD = {name: [one for one, claim in known.properties.items() if claim.holds] for name, known in ASKED.items()}
BROKEN = [
    (name, one) for name, known in ASKED.items() for one, claim in known.properties.items() if claim.holds is False
]
# A few tables a rule every day; HYPOTHESIS_PROFILE=thorough searches for longer.
EXAMPLES = max(8, settings.get_current_profile_name() == "thorough" and 400)


@st.composite
def tables(draw, *, ordinal):
    """Return rows of scores without ties inside a task."""
    dice = draw(DICE)
    models, tasks = dice.between(2, 5), dice.between(1, 6)
    steps = ([dice.between(1, 1 if ordinal else 6) for _ in range(models)] for _ in range(tasks))
    return [list(row) for row in zip(*(dice.shuffled(accumulate(some)) for some in steps), strict=True)]


@pytest.mark.parametrize("name", HELD)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_no_table_is_found_on_which_a_claimed_property_fails(name, data):
    rows = data.draw(tables(ordinal=ASKED[name].needs is not Needs.SCORES))
    for claimed in HELD[name]:
        assert SEARCHES[claimed](rows, ASKED[name]) is None


def small_boards(tasks):
    """Return the boards of three models, places as scores, up to the names of models and of tasks."""
    orders = list(permutations((1, 2, 3)))
    boards = (list(zip(*some, strict=True)) for some in combinations_with_replacement(orders, tasks))
    return {tuple(sorted(zip(*sorted(rows), strict=True))) for rows in boards}


@pytest.mark.parametrize("name", HELD)
def test_no_board_of_three_models_and_few_tasks_breaks_a_claimed_property(name):
    # Five tasks are the fewest for a majority that is not all but one; the rest is tried on three at most.
    majorities = {Property.MAJORITY, Property.CONDORCET_WINNER, Property.CONDORCET_LOSER}
    for count in (1, 2, 3, 5):
        for tasks in small_boards(count):
            rows = [list(row) for row in zip(*tasks, strict=True)]
            for claimed in HELD[name]:
                if count < 5 or claimed in majorities:
                    assert SEARCHES[claimed](rows, ASKED[name]) is None, rows


@pytest.mark.parametrize(
    ("name", "broken"), [("coombs without its stop", Property.MAJORITY), ("bradley_terry", Property.MONOTONICITY)]
)
def test_small_boards_are_enough_to_find_what_was_once_claimed(name, broken):
    boards = [list(zip(*tasks, strict=True)) for count in (3, 5) for tasks in small_boards(count)]
    assert any(SEARCHES[broken]([list(row) for row in rows], ASKED[name]) for rows in boards)


@pytest.mark.parametrize(("name", "broken"), BROKEN)
def test_a_table_shows_that_a_property_fails(name, broken):
    if name == "scoring":
        # Whatever the vector: plurality and Borda are two of them.
        assert all(SEARCHES[broken](EXHIBITS[one, broken], rule(one)) for one in ("plurality", "borda"))
    else:
        assert SEARCHES[broken](EXHIBITS[name, broken], ASKED[name])


def test_every_exhibit_shows_something_that_is_claimed_to_fail():
    assert set(EXHIBITS) == {(name, one) for name, one in BROKEN if name != "scoring"}


def test_an_option_that_takes_a_property_away_leaves_the_others():
    usual, without = RULES["coombs"].properties, ASKED["coombs without its stop"].properties
    assert [one for one in Property if usual[one] != without[one]] == [Property.MAJORITY]
    assert rule("coombs", majority_stop=True).properties == usual


def test_every_rule_says_something_about_all_eight_properties_and_where_it_is_shown():
    for known in RULES.values():
        assert list(known.properties) == list(Property)
        assert all(claim.source for claim in known.properties.values())


def test_the_sums_of_table_8():
    counted = {"plurality": 5, "borda": 5, "dowdall": 4, "threshold": 4, "baldwin": 6, "copeland": 7, "minimax": 6}
    assert {name: int(properties().loc[name].sum()) for name in counted} == counted


def test_only_means_of_scores_are_independent_of_third_models():
    independent = {name for name, known in RULES.items() if known.properties[Property.INDEPENDENCE].holds}
    assert independent == {"mean", "geometric_mean", "harmonic_mean", "median", "optimality_gap"}
