"""What table 8 of Vote'n'Rank asks: where a property is claimed no violation is found, where not one is exhibited."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dice import DICE
from tests.rules.exhibits import EXHIBITS
from tests.rules.violations import SEARCHES
from weightlab.rules import RULES, Needs, Property, properties, rule

OPTIONS = {"optimality_gap": {"gamma": 5}, "k_approval": {"k": 2}, "scoring": {"vector": "borda"}}
HELD = {name: [one for one, claim in known.properties.items() if claim.holds] for name, known in RULES.items()}
BROKEN = [
    (name, one) for name, known in RULES.items() for one, claim in known.properties.items() if claim.holds is False
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


def options_of(name):
    # k-approval with k = 2 is about tables of three models and more.
    return OPTIONS.get(name, {})


@pytest.mark.parametrize("name", HELD)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_no_table_is_found_on_which_a_claimed_property_fails(name, data):
    rows = data.draw(tables(ordinal=RULES[name].needs is not Needs.SCORES))
    chosen = rule(name, **options_of(name))
    for claimed in HELD[name]:
        assert SEARCHES[claimed](rows, chosen) is None


@pytest.mark.parametrize(("name", "broken"), BROKEN)
def test_a_table_shows_that_a_property_fails(name, broken):
    if name == "scoring":
        # Whatever the vector: plurality and Borda are two of them.
        assert all(SEARCHES[broken](EXHIBITS[one, broken], rule(one)) for one in ("plurality", "borda"))
    else:
        assert SEARCHES[broken](EXHIBITS[name, broken], rule(name, **options_of(name)))


def test_every_exhibit_shows_something_that_is_claimed_to_fail():
    assert set(EXHIBITS) == {(name, one) for name, one in BROKEN if name != "scoring"}


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
