"""The fewest models or voters to drop, against all selections."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies

import weightlab as wl
from tests.domains.test_domains import LETTERS, travelled
from weightlab.domains.forbidden import FORBIDDEN
from weightlab.domains.nearly_structured.hitting import HittingSearch
from weightlab.domains.nearly_structured.threes import forbidden_few
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
    assert str(wl.domains.nearest(three, "single_peaked")) == f"{said}; this number is minimal."
    every = wl.domains.nearest(three, "single_peaked", all_optima=True)
    assert str(every) == f"{said} (3 ways in all); this number is minimal."
    one = wl.Profile.from_orders([list("cedab"), list("caedb"), list("edcba"), list("eadbc")])
    only = wl.domains.nearest(one, "single_peaked", drop="voters", all_optima=True)
    assert str(only) == "The rankings are single-peaked without 1 voter: 4; this number is minimal."
    cycles = wl.Profile.from_orders([list("abcdef"), list("bcaefd"), list("cabfde")])
    both = wl.domains.nearest(cycles, "value_restricted")
    assert str(both) == "The rankings are value-restricted without 2 models: a, d; this number is minimal."


def test_a_selection_that_is_not_smallest_names_a_smaller_one():
    profile = wl.Profile.from_orders([list("abc"), list("bca"), list("acb")])
    result = wl.domains.nearest(profile, "single_peaked")
    with pytest.raises(wl.ProofError, match=r"^\['a'\] meet all the forbidden sub-profiles, and they are fewer$"):
        replace(result, dropped=("a", "b")).verify(profile)


def test_a_search_that_is_cut_off_says_between_which_numbers_the_fewest_is(monkeypatch):
    profile = wl.Profile.from_orders([[*"abcdef"], [*"fbdaec"], [*"cefbad"], [*"dafceb"]])
    whole = wl.domains.nearest(profile, "single_peaked", drop="models")
    passed = iter(range(10**6))
    monkeypatch.setattr("time.monotonic", lambda: next(passed))
    with pytest.raises(wl.exceptions.TimeLimitError, match=r"fewest models to drop \(\d to \d of 6\)") as caught:
        wl.domains.nearest(profile, "single_peaked", drop="models", time_limit=7)
    known = caught.value.known
    assert 0 < known["bound"] <= len(whole.dropped) <= known["value"] == len(known["x"])
    assert HEREDITARY["single_peaked"](profile.select(models=[one for one in profile.models if one not in known["x"]]))


SETS = strategies.lists(strategies.sets(strategies.integers(0, 7), min_size=1, max_size=4), max_size=20)


@given(sets=SETS, far=strategies.sampled_from([0, 60]))
def test_fewest_things_meet_all_sets_and_those_used_show_that_fewer_do_not(sets, far):
    """Things beyond the 64th, too, and sets that are found only while the search runs."""
    every = list(dict.fromkeys(sum(1 << far + thing for thing in one) for one in sets))
    meeting = [sum(1 << far + thing for thing in some) for size in range(9) for some in combinations(range(8), size)]
    meeting = [some for some in meeting if all(one & some for one in every)]
    least = meeting[0].bit_count()
    known = every[: len(every) // 3]

    def more(selection):
        missed = [one for one in every if not one & selection]
        known.extend(missed[:1])
        return bool(missed)

    assert HittingSearch(every, 8).bound() <= least
    search = HittingSearch(known, 8, more=more)
    sizes = []
    for selection in search:
        assert all(one & selection for one in every)
        sizes.append(selection.bit_count())
        search.size = sizes[-1] - 1
    assert min(sizes) == least
    assert set(HittingSearch(every, least)) == {some for some in meeting if some.bit_count() == least}
    assert not list(HittingSearch(sorted(search.used), least - 1))


def test_a_search_that_takes_too_long_says_so():
    with pytest.raises(wl.exceptions.UnprovedError, match="a selection of 3 takes too long"):
        list(HittingSearch([0b11, 0b110], 3, work=10))


@pytest.mark.parametrize("name", HEREDITARY)
@pytest.mark.parametrize("drop", ["models", "voters"])
def test_threes_that_are_forbidden_are_found_all_at_once_and_shown(name, drop):
    rng = np.random.default_rng(5)
    orders = [[LETTERS[model] for model in rng.permutation(6)] for _ in range(6)]
    profile = wl.Profile.from_orders(orders, models=LETTERS[:6])
    found = forbidden_few(profile, name, drop)
    pairs = name in {"single_peaked", "single_caved", "group_separable"}
    for some in combinations(range(6), 3):
        part = profile.select(**{drop: [getattr(profile, drop)[one] for one in some]})
        show = found.get(sum(1 << one for one in some))
        if show is not None:
            show().check(part, allowed=FORBIDDEN[name])
        elif not (drop == "voters" and pairs) and not (drop == "models" and name == "single_crossing"):
            assert HEREDITARY[name](part)
    assert found or (drop, name) == ("models", "single_crossing")


def test_ties_and_gaps_are_not_decided_by_threes():
    tied = wl.Profile.from_orders([["a", ("b", "c")], list("bca"), list("cab")])
    for profile in (tied, wl.Profile.from_orders([list("ab"), list("bca"), list("cab")])):
        assert forbidden_few(profile, "single_peaked", "models") == {}


def test_what_the_solver_says_is_named_where_the_search_takes_too_long(monkeypatch):
    profile = wl.Profile.from_orders([[*"abcdef"], [*"fbdaec"], [*"cefbad"], [*"dafceb"]])
    whole = wl.domains.nearest(profile, "single_peaked")
    monkeypatch.setattr("weightlab.domains.nearly_structured.search.WORK", 10)
    found = wl.domains.nearest(profile, "single_peaked")
    assert (found.exact, found.solver, len(found.dropped)) == (False, "HiGHS", len(whole.dropped))
    assert found.verify(profile)
