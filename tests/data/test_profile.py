"""A profile is one weak order a voter, possibly incomplete, weighted."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import weightlab as wl
from tests import brute_force
from tests.strategies import FEWER, boards, decimal_of, profiles
from weightlab.data import profile as profile_module
from weightlab.exceptions import InputError, UnknownNameError


def ranks_of(order):
    """Return {model: rank} of an order."""
    return {model: rank for rank, tied in enumerate(order, start=1) for model in tied}


# From leaderboards ----------------------------------------------------------------------------------------------------


@given(boards())
def test_rankings_of_a_leaderboard_are_its_weak_orders(board):
    profile = board.rankings()
    assert (profile.models, profile.voters) == (board.models, board.tasks)
    assert profile.weights == tuple(board.weights)
    assert profile.orders == tuple(brute_force.weak_order(board, task) for task in board.tasks)


@given(
    arrays(np.float64, (4, 5), elements=st.sampled_from([-1.5, -0.0, 0.0, 2.0, np.inf, -np.inf, np.nan])),
    st.sampled_from([1, 5, 11, 100]),
)
def test_dense_ranks_count_the_greater_numbers_that_differ(rows, size):
    expected = [
        [0 if np.isnan(one) else 1 + len({float(other) for other in row if other > one}) for one in row] for row in rows
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profile_module, "BLOCK_CELLS", size)
        assert profile_module.dense_ranks(rows).tolist() == expected


@FEWER
@given(boards(cells=decimal_of))
def test_rankings_compare_the_decimals_that_were_written(board):
    assert board.rankings().orders == tuple(brute_force.weak_order(board, task) for task in board.tasks)


@given(boards())
def test_ties_are_broken_by_code_point(board):
    for how in ("alphabetical", "reverse"):
        profile = board.rankings(break_ties=how)
        for order, task in zip(profile.orders, board.tasks, strict=True):
            weak = brute_force.weak_order(board, task)
            assert order == brute_force.without_ties(weak, reverse=how == "reverse")


def test_alphabetical_means_code_points_and_no_language():
    names = ["a", "B", "Z", "é", "e\u0301", "É", "10", "9", "模", "🦊", "_"]
    board = wl.Leaderboard(pd.DataFrame({"x": [1] * len(names)}, index=names))
    assert board.rankings("alphabetical").orders[0] == tuple((name,) for name in sorted(names))
    assert board.rankings("reverse").orders[0] == tuple((name,) for name in sorted(names, reverse=True))
    assert sorted(names)[:4] == ["10", "9", "B", "Z"]


def test_the_only_ways_to_break_ties_are_these():
    with pytest.raises(InputError, match=r"^break_ties must be 'alphabetical', 'reverse' or None; got 'random'$"):
        wl.Leaderboard({"x": {"a": 1, "b": 1}}).rankings("random")


def test_rankings_refuse_ties_that_are_not_transitive():
    board = wl.Leaderboard(
        {"x": {"a": 3, "b": 2}, "y": {"a": 3, "b": 2}, "z": {"a": 3, "b": 2}},
        tolerance={"x": 1},
        relative_tolerance={"z": "0.1"},
    )
    with pytest.raises(InputError) as caught:
        board.rankings()
    assert str(caught.value) == (
        "a ranking needs transitive ties, and ties within a score tolerance are not transitive; "
        "tasks with a tolerance: 'x', 'z'"
    )
    assert board.select(tasks="y").rankings().orders == ((("a",), ("b",)),)


# From orders ----------------------------------------------------------------------------------------------------------


@given(profiles(complete=False, plain=False))
def test_orders_make_the_profile_that_has_them(profile):
    again = wl.Profile.from_orders(
        profile.orders, models=profile.models, voters=profile.voters, weights=profile.weights
    )
    assert (again.models, again.voters, again.weights) == (profile.models, profile.voters, profile.weights)
    assert (again.ranks == profile.ranks).all()


@given(profiles(complete=False))
def test_ranks_are_dense_from_1_and_0_where_unranked(profile):
    for row, order in zip(profile.ranks, profile.orders, strict=True):
        ranked = ranks_of(order)
        assert {model: rank for model, rank in zip(profile.models, row.tolist(), strict=True) if rank} == ranked


def test_ties_may_be_tuples_lists_sets_or_generators():
    for tied in (("b", "c"), ["c", "b"], {"b", "c"}, (name for name in "bc")):
        assert wl.Profile.from_orders([["a", tied]]).orders == ((("a",), ("b", "c")),)


def test_models_are_those_that_occur_in_order_of_first_appearance():
    profile = wl.Profile.from_orders([["b", ("d", "c")], ["a"]])
    assert profile.models == ("b", "c", "d", "a")
    assert profile.voters == ("1", "2")
    assert profile.weights == (1, 1)
    assert profile.unranked == {"1": ("a",), "2": ("b", "c", "d")}


def test_numbers_are_names_too():
    profile = wl.Profile.from_orders([[2, 0, 1], [0, (1, 2)]])
    assert profile.models == ("2", "0", "1")
    assert profile.orders[1] == (("0",), ("2", "1"))
    assert wl.Profile.from_orders(np.array([[1, 0], [0, 1]])).orders == ((("1",), ("0",)), (("0",), ("1",)))


def test_a_voter_may_rank_nobody():
    profile = wl.Profile.from_orders([[], ["a", "b"]])
    assert profile.orders == ((), (("a",), ("b",)))
    assert profile.margins().margin("a", "b") == 1


@pytest.mark.parametrize("weights", [[1, "0.5"], {"u": 1, "v": "1/2"}, pd.Series({"v": 0.5}), {"v": 0.5}])
def test_voters_have_names_and_weights(weights):
    profile = wl.Profile.from_orders([["a", "b"], ["b", "a"]], voters=["u", "v"], weights=weights)
    assert (profile.voters, profile.weights) == (("u", "v"), (1, Fraction(1, 2)))


@pytest.mark.parametrize(
    ("arguments", "faults"),
    [
        ({"orders": []}, ["a profile needs at least one order"]),
        ({"orders": [[]]}, ["a profile needs at least one model"]),
        ({"orders": ["ab", ["a"]]}, ["order 1 must be a list of names or of tied names, best first; got 'ab'"]),
        ({"orders": [{"a": 1}, ["a"]]}, ["order 1 must be a list of names or of tied names, best first; got {'a': 1}"]),
        ({"orders": [3, ["a"]]}, ["order 1 must be a list of names or of tied names, best first; got 3"]),
        ({"orders": [["a", "b", "a"]]}, ["order 1 ranks 'a' twice"]),
        ({"orders": [["a", ("a", "b")]]}, ["order 1 ranks 'a' twice"]),
        ({"orders": [["a"], ["b"]], "models": ["a"]}, ["order 2 ranks 'b', which is not among the models"]),
        ({"orders": [["a"]], "models": ["a", "a"]}, ["duplicate model name 'a'"]),
        ({"orders": [["a"]], "models": ["a", " "]}, ["model number 2 has an empty name"]),
        ({"orders": [["a"], ["a"]], "voters": ["u"]}, ["1 voter name for 2 orders"]),
        ({"orders": [["a"], ["a"]], "voters": ["u", "u"]}, ["duplicate voter name 'u'"]),
        ({"orders": [["a"]], "weights": [-1]}, ["weight of voter '1' is negative: -1"]),
        ({"orders": [["a"]], "weights": [0]}, ["all weights are 0"]),
        ({"orders": [["a"]], "weights": [1, 2]}, ["2 weights for 1 voter; give one a voter, or a mapping by name"]),
        ({"orders": [["a"]], "weights": {"2": 1}}, ["weights: no voter named '2'; the profile has '1'"]),
        (
            {"orders": [["a", "a"], ["b"]], "models": ["a"], "weights": [1, -1]},
            [
                "order 1 ranks 'a' twice",
                "order 2 ranks 'b', which is not among the models",
                "weight of voter '2' is negative: -1",
            ],
        ),
    ],
)
def test_orders_that_make_no_profile_are_refused(arguments, faults):
    with pytest.raises(InputError) as caught:
        wl.Profile.from_orders(**arguments)
    assert list(caught.value.faults) == faults


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"ranks": np.array([[1, 3]], dtype=np.int32)}, "the ranks of voter '1' must be 1, 2, ... without a gap"),
        ({"ranks": np.array([[-1, 1]], dtype=np.int32)}, "the ranks of voter '1' must be 1, 2, ... without a gap"),
        (
            {"ranks": np.array([[1, 2]])},
            "a profile needs ranks of int32 and shape (1, 2) (voters x models); got int64 (1, 2)",
        ),
        (
            {"ranks": np.array([[1]], dtype=np.int32)},
            "a profile needs ranks of int32 and shape (1, 2) (voters x models)",
        ),
        ({"weights": ()}, "0 weights for 1 voter"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changed, message):
    parts = {
        "models": ("a", "b"),
        "voters": ("1",),
        "ranks": np.array([[1, 2]], dtype=np.int32),
        "weights": (Fraction(1),),
    }
    wl.Profile(**parts)
    with pytest.raises(InputError) as caught:
        wl.Profile(**{**parts, **changed})
    assert str(caught.value).startswith(message)


# What a profile knows -------------------------------------------------------------------------------------------------


@given(profiles(complete=False))
def test_a_profile_knows_its_ties_and_gaps(profile):
    assert profile.is_strict == all(len(tied) == 1 for order in profile.orders for tied in order)
    ranked = [set(ranks_of(order)) for order in profile.orders]
    assert profile.is_complete == all(names == set(profile.models) for names in ranked)
    left_out = {
        voter: tuple(model for model in profile.models if model not in names)
        for voter, names in zip(profile.voters, ranked, strict=True)
    }
    assert profile.unranked == {voter: models for voter, models in left_out.items() if models}


@FEWER
@given(profiles(strict=True))
def test_a_strict_profile_has_no_ties_to_break(profile):
    assert profile.is_strict
    assert profile.is_complete
    for how in ("alphabetical", "reverse"):
        assert (profile.break_ties(how).ranks == profile.ranks).all()


@FEWER
@given(profiles(complete=False))
def test_breaking_ties_keeps_every_strict_preference(profile):
    assert profile.break_ties(None) is profile
    for how in ("alphabetical", "reverse"):
        broken = profile.break_ties(how)
        assert broken.is_strict
        assert ((broken.ranks > 0) == (profile.ranks > 0)).all()
        for before, after in zip(profile.ranks, broken.ranks, strict=True):
            led = (before[:, None] < before) & (before[:, None] > 0)
            assert (after[:, None] < after)[led].all()


@FEWER
@given(profiles(complete=False))
def test_a_frame_shows_the_ranks_and_leaves_gaps(profile):
    frame = profile.frame()
    assert (tuple(frame.index), tuple(frame.columns)) == (profile.voters, profile.models)
    for voter, order in zip(profile.voters, profile.orders, strict=True):
        assert frame.loc[voter].dropna().to_dict() == ranks_of(order)


@given(profiles(complete=False), st.data())
def test_selecting_keeps_each_order_among_what_is_kept(profile, data):
    models = data.draw(st.lists(st.sampled_from(profile.models), min_size=1, unique=True))
    voters = data.draw(st.lists(st.sampled_from(profile.voters), min_size=1, unique=True))
    some = profile.select(models=[*models, models[0]], voters=voters)
    assert (some.models, some.voters) == (tuple(models), tuple(voters))
    order_of = dict(zip(profile.voters, profile.orders, strict=True))
    for voter, order in zip(some.voters, some.orders, strict=True):
        kept = (tuple(model for model in models if model in tied) for tied in order_of[voter])
        assert order == tuple(tied for tied in kept if tied)
    weight_of = dict(zip(profile.voters, profile.weights, strict=True))
    assert some.weights == tuple(weight_of[voter] for voter in voters)


def test_one_name_can_be_selected_without_a_list():
    profile = wl.Profile.from_orders([["ada", "bo"], ["bo", "ada"]])
    assert profile.select(models="bo", voters="2").orders == ((("bo",),),)
    assert profile.select(voters=[2, 1]).voters == ("2", "1")


def test_unknown_names_are_refused():
    profile = wl.Profile.from_orders([["ada", "bo"]])
    with pytest.raises(
        UnknownNameError, match=r"^no model named 'eda'; the profile has 'ada', 'bo' \(did you mean 'ada'"
    ):
        profile.select(models=["eda"])
    with pytest.raises(UnknownNameError, match=r"^no voter named '2'; the profile has '1'$"):
        profile.select(voters=["2"])


# What it becomes ------------------------------------------------------------------------------------------------------


@FEWER
@given(boards(cells=decimal_of))
def test_the_signs_and_margins_of_rankings_are_those_of_the_leaderboard(board):
    profile = board.rankings()
    for row in range(len(board.models)):
        assert (profile.signs().over_all(row) == board.signs().over_all(row)).all()
    assert (profile.margins().wins == board.margins().wins).all()
    assert (profile.margins().ties == board.margins().ties).all()


@given(profiles(complete=False))
def test_relations_are_the_weak_orders(profile):
    relations = profile.relations()
    assert (relations.items, relations.models) == (profile.voters, profile.models)
    for voter, order in zip(profile.voters, profile.orders, strict=True):
        rank = ranks_of(order)
        for one in profile.models:
            for other in profile.models:
                related = one == other or (one in rank and other in rank and rank[one] <= rank[other])
                assert relations.of(voter).loc[one, other] == related


@FEWER
@given(profiles(complete=False))
def test_a_profile_survives_pickling_and_cannot_be_changed(profile):
    back = pickle.loads(pickle.dumps(profile))  # noqa: S301 (our own pickle)
    assert (back.orders, back.weights) == (profile.orders, profile.weights)
    for one in (profile, back):
        with pytest.raises(ValueError, match="read-only"):
            one.ranks[0, 0] = 9


def test_the_profiles_own_array_is_not_the_callers():
    memory = np.array([[1, 2], [2, 1]], dtype=np.int32)
    profile = wl.Profile(models=("a", "b"), voters=("1",), ranks=memory[:1], weights=(Fraction(1),))
    memory[0] = 2, 1
    assert profile.orders == ((("a",), ("b",)),)
