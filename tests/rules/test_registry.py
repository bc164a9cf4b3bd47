"""The registry knows of every rule what it needs."""

from __future__ import annotations

import inspect

import pytest

from weightlab.exceptions import InputError
from weightlab.rules import RULES, Needs, Rule, properties, rule


def test_every_rule_of_the_papers_is_there():
    papers = {"mean", "geometric_mean", "optimality_gap", "plurality", "borda", "dowdall", "threshold", "baldwin"}
    papers |= {"condorcet", "copeland", "minimax", "kemeny"}
    others = {"harmonic_mean", "median", "mean_win_rate", "mean_rank", "z_score", "veto", "k_approval", "scoring"}
    others |= {"nanson", "coombs", "instant_runoff", "schulze", "split_cycle", "ranked_pairs"}
    assert papers | others | {"bradley_terry", "slater"} == set(RULES)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_says_what_it_is(name):
    known = RULES[name]
    assert (known.name, isinstance(known, Rule)) == (name, True)
    assert known.source
    assert known.counts
    assert inspect.getdoc(known.function)
    assert known.needs in Needs


@pytest.mark.parametrize("name", RULES)
def test_rules_that_read_scores_or_places_say_what_they_do_with_gaps(name):
    known = RULES[name]
    assert ("missing" in known.parameters) == (known.needs is not Needs.MARGINS)
    if known.needs is not Needs.MARGINS:
        assert known.parameters["missing"] == "error"


def test_options_are_set_one_after_the_other_and_shown():
    chosen = rule("borda").using(ties="max").using(missing="last")
    assert str(chosen) == "borda(ties=max, missing=last)"
    assert str(rule("kemeny", time_limit=3)) == "kemeny"
    assert RULES["borda"].options == {}


def test_an_option_that_a_rule_does_not_have_is_refused():
    with pytest.raises(InputError, match="the rule 'condorcet' has no option 'ties'; it has 'unlisted'"):
        rule("condorcet", ties="max")
    with pytest.raises(InputError, match=r"no option 'gama'; it has 'gamma', 'missing' \(did you mean 'gamma'\?\)"):
        rule("optimality_gap", gama=1)


def test_what_must_be_given_is_known():
    lacking = {name: known.lacking for name, known in RULES.items() if known.lacking}
    assert lacking == {"optimality_gap": ("gamma",), "k_approval": ("k",), "scoring": ("vector",)}


def test_the_table_of_properties_has_a_row_a_rule_and_eight_columns():
    table = properties()
    assert table.shape == (len(RULES), 8)
    assert set(table.stack().dropna()) <= {True, False}
