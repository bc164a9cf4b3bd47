"""The fewest models or voters to drop, against all selections."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import weightlab as wl
from tests.domains.test_domains import LETTERS, travelled
from weightlab.domains.registry import HEREDITARY


@pytest.mark.parametrize("name", HEREDITARY)
@pytest.mark.parametrize("drop", ["models", "voters"])
@pytest.mark.parametrize("seed", range(4))
def test_no_smaller_selection_repairs_a_profile_and_all_smallest_are_listed(name, drop, seed):
    rng = np.random.default_rng(seed)
    orders = [[LETTERS[model] for model in rng.permutation(5)] for _ in range(4)]
    profile = wl.Profile.from_orders(orders, models=LETTERS[:5])
    result = wl.domains.nearest(profile, name, drop=drop, all_optima=True)
    assert travelled(result).verify(profile)
    things = getattr(profile, drop)
    for size in range(len(things)):
        enough = [
            frozenset(some)
            for some in combinations(things, size)
            if HEREDITARY[name](profile.select(**{drop: [one for one in things if one not in some]}))
        ]
        if enough:
            break
    assert len(result.dropped) == size
    assert {frozenset(one) for one in result.optima} == set(enough)


def test_what_is_forbidden_in_one_domain_is_no_obstruction_in_another():
    profile = wl.Profile.from_orders([list("abc"), list("bca"), list("acb")])
    result = wl.domains.nearest(profile, "single_peaked")
    assert result.verify(profile)
    assert wl.domains.value_restricted(profile)
    with pytest.raises(wl.ProofError, match="no obstruction to 'value_restricted'"):
        replace(result, domain="value_restricted").verify(profile)


@pytest.mark.parametrize("dropped", [("z",), ("a", "a"), ("a", "z")], ids=["unknown", "twice", "one unknown"])
def test_only_models_that_are_there_can_be_dropped_and_each_once(dropped):
    profile = wl.Profile.from_orders([list("abc"), list("bca"), list("acb")])
    result = wl.domains.nearest(profile, "single_peaked", all_optima=True)
    for changes in ({"dropped": dropped}, {"optima": (result.dropped, dropped)}):
        with pytest.raises(wl.ProofError, match=r"\) cannot be dropped"):
            replace(result, **changes).verify(profile)


def test_the_sentence_counts_what_is_dropped_and_the_ways_to_do_it():
    three = wl.Profile.from_orders([list("abc"), list("bca"), list("acb")])
    said = "The rankings are single-peaked without 1 model: a"
    assert str(wl.domains.nearest(three, "single_peaked")) == f"{said}; no fewer will do."
    every = wl.domains.nearest(three, "single_peaked", all_optima=True)
    assert str(every) == f"{said} (3 ways in all); no fewer will do."
    one = wl.Profile.from_orders([list("cedab"), list("caedb"), list("edcba"), list("eadbc")])
    only = wl.domains.nearest(one, "single_peaked", drop="voters", all_optima=True)
    assert str(only) == "The rankings are single-peaked without 1 voter: 4; no fewer will do."
    cycles = wl.Profile.from_orders([list("abcdef"), list("bcaefd"), list("cabfde")])
    both = wl.domains.nearest(cycles, "value_restricted")
    assert str(both) == "The rankings are value-restricted without 2 models: a, d; no fewer will do."


def test_a_selection_that_is_not_smallest_names_a_smaller_one():
    profile = wl.Profile.from_orders([list("abc"), list("bca"), list("acb")])
    result = wl.domains.nearest(profile, "single_peaked")
    with pytest.raises(wl.ProofError, match=r"^\['a'\] meet all the forbidden sub-profiles, and they are fewer$"):
        replace(result, dropped=("a", "b")).verify(profile)


def test_a_search_that_is_cut_off_says_how_many_have_to_go_at_least(monkeypatch):
    profile = wl.Profile.from_orders([[*"abcdef"], [*"fbdaec"], [*"cefbad"], [*"dafceb"]])
    whole = wl.domains.nearest(profile, "single_peaked", drop="models")
    passed = iter(range(10**6))
    monkeypatch.setattr("time.monotonic", lambda: next(passed))
    with pytest.raises(wl.exceptions.TimeLimitError, match=r"fewest models to drop \(\d or more of 6\)") as caught:
        wl.domains.nearest(profile, "single_peaked", drop="models", time_limit=3)
    assert 0 < caught.value.known["bound"] <= len(whole.dropped)
