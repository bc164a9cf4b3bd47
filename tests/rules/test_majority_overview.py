"""What the majorities say at a glance is what each question says, and every change of it is noticed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from tests.rules.strategies import profile_of, profiles
from weightlab import graph
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.rules import majority_overview, rank

CYCLE = profile_of(["abc", "bca", "cab"])


@settings(max_examples=30)
@given(profile=profiles(gaps=True))
def test_each_part_is_the_answer_to_its_own_question(profile):
    overview = majority_overview(profile)
    assert overview.condorcet_winner == graph.condorcet_winner(profile)
    assert overview.condorcet_loser == graph.condorcet_loser(profile)
    assert dict(overview.sets) == {
        "weak_condorcet_winners": graph.weak_condorcet_winners(profile),
        "smith": graph.smith_set(profile),
        "schwartz": graph.schwartz_set(profile),
        "uncovered": graph.uncovered_set(profile),
        "essential": graph.bipartisan_set(profile),
    }
    assert (overview.triple is None) == graph.is_transitive(profile)
    assert (overview.cycle is None) == graph.is_acyclic(profile)
    assert overview.three_cycles == graph.count_three_cycles(profile)
    assert overview.verify(profile)
    again = result_from_dict(json.loads(json.dumps(overview.to_dict())))
    assert again.verify(profile)
    assert again.to_dict() == overview.to_dict()


@settings(max_examples=30)
@given(profile=profiles())
def test_the_sets_lie_in_one_another(profile):
    sets = {name: set(members) for name, members in majority_overview(profile).sets.items()}
    assert sets["essential"] <= set(graph.uncovered_set(profile, kind="mckelvey")) <= sets["smith"]
    assert sets["uncovered"] | sets["schwartz"] <= sets["smith"]
    if not (profile.margins().array[~np.eye(len(profile.models), dtype=bool)] == 0).any():
        assert sets["essential"] <= sets["uncovered"]


def test_where_duels_tie_a_covered_model_can_have_a_chance_in_the_lottery():
    # a beats c and b, which beats a, beats c too: so a covers c as Gillies has it. But c beats d, with which a ties.
    orders = [[("a", "b", "c", "e"), "d"], [("b", "d"), ("a", "e"), "c"], [("a", "c", "e"), "d", "b"]]
    orders.append(["c", ("a", "d", "e"), "b"])
    sets = majority_overview(profile_of(orders, weights=["1/2", 1, "1/2", "1/3"], models="abcde")).sets
    assert set(sets["essential"]) - set(sets["uncovered"]) == {"c"}


def test_every_change_is_noticed():
    overview = majority_overview(CYCLE)
    other = majority_overview(profile_of(["abc", "abc", "acb"]))
    changes = [
        {"condorcet_winner": "a"},
        {"condorcet_loser": "c"},
        {"triple": None},
        {"three_cycles": 0},
        {"cycle": None},
        {"cycle": replace(overview.cycle, strength=overview.cycle.strength + 1)},
        {"lottery": other.lottery},
        {"source": other.source},
        {"sets": {}},
        {"lottery": graph.maximal_lottery(CYCLE, duels="margins")},
    ]
    changes += [{"sets": {**overview.sets, name: ("b",)}} for name in overview.sets]
    for change in changes:
        with pytest.raises(ProofError):
            replace(overview, **change).verify(CYCLE)


def test_it_says_who_wins_or_who_is_left():
    assert str(majority_overview(profile_of(["ab"]))) == "a beats its only rival: it is the Condorcet winner."
    assert str(majority_overview(CYCLE)) == (
        "No model beats all its rivals, and the Smith set is all 3 models: no part beats the rest."
    )
    many = majority_overview(profile_of(["abcdefghz", "hgfedcbaz"]))
    assert str(many) == (
        "No model beats all its rivals. Smith set (each beats every model outside): a, b, c, d, e and 3 more."
    )
    assert majority_overview(CYCLE).summary().shape == (3, 5)


@pytest.mark.parametrize("part", ["lottery", "cycle"])
def test_parts_of_another_kind_are_refused(part):
    document = {**majority_overview(CYCLE).to_dict(), part: rank(CYCLE, "borda").to_dict()}
    with pytest.raises(InputError):
        result_from_dict(document)
