"""Weights drawn at random lie in their space, can be drawn again, and have the density that they should."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import weightlab as wl
from tests.lp.strategies import inequalities_of, some_cuts, space_of
from weightlab._validate import seed_of
from weightlab.lp.certificates.objectives import closest_to, most_balanced, objective_for
from weightlab.lp.sampling import draws as module
from weightlab.lp.sampling.draws import Draws, Method, draws_from

TASKS = ["p", "q", "r", "s"]
FREE = wl.lp.WeightSpace(TASKS)
TIED = FREE.no_less("p", "q").no_less("q", "p")


def sample(space, count=8_000, *, most=997, rng=0, **options):
    draws = draws_from(space, samples=count, rng=rng, **options)
    return draws, np.concatenate(list(draws.blocks(most)))


def far_apart(draws, weights):
    """Return weightings of chains so far apart that they are as good as independent."""
    kept = 12 if draws.method is Method.CHAINS else 1
    return weights.reshape(-1, draws.chains, weights.shape[1])[::kept].reshape(-1, weights.shape[1])


@pytest.fixture
def chains_only(monkeypatch):
    monkeypatch.setattr(module, "INSIDE", 2.0)


@pytest.mark.parametrize("forced", [False, True])
@settings(max_examples=40, deadline=None)
@given(drawn=some_cuts(TASKS, 0, 3), seed=st.integers(0, 3))
def test_every_weighting_is_in_the_space(drawn, seed, forced):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "INSIDE", 2.0 if forced else module.INSIDE)
        try:
            draws, weights = sample(space_of(TASKS, drawn), 300, rng=seed)
        except wl.EmptySpaceError:
            return
    assert weights.shape == (draws.samples, 4)
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-12)
    assert weights.min() >= 0
    for row, bound in inequalities_of(drawn):
        assert (weights @ np.array([float(one) for one in row]) <= float(bound) + 1e-9).all()


@pytest.mark.parametrize("space", [FREE, TIED, FREE.at_most("p", "0.4"), FREE.near([1, 1, 1, 1], 0)])
def test_the_same_seed_draws_the_same_weights_in_blocks_of_any_size(space):
    draws, weights = sample(space, 1_000, most=1_000, rng=5)
    assert np.array_equal(weights, np.concatenate(list(draws.blocks(64))))
    again = Draws.from_dict(draws.to_dict())
    again.check()
    assert np.array_equal(weights, np.concatenate(list(again.blocks(333))))
    of_chains = [block for _, block in draws.by_chain(50)]
    assert len(np.concatenate(of_chains)) == draws.samples
    assert sorted(map(tuple, np.concatenate(of_chains))) == sorted(map(tuple, weights))


def test_other_seeds_draw_other_weights():
    assert not np.array_equal(sample(FREE, 10, rng=1)[1], sample(FREE, 10, rng=2)[1])
    generator = np.random.default_rng(1)
    assert seed_of(generator) != seed_of(generator)
    assert seed_of(None) != seed_of(None)


def fits(values, distribution):
    return stats.kstest(values, distribution.cdf).pvalue > 0.001


def test_a_weight_of_all_weightings_has_a_beta_distribution():
    _, weights = sample(FREE)
    assert all(fits(weights[:, task], stats.beta(1, 3)) for task in range(4))
    _, weights = sample(FREE, prior={"p": "1/2", "q": 1, "r": "5/2", "s": 4})
    assert all(fits(weights[:, task], stats.beta(a, 8 - a)) for task, a in enumerate([0.5, 1, 2.5, 4]))


def test_a_tiny_concentration_puts_all_weight_on_one_task():
    _, weights = sample(FREE, 500, prior="1/100000")
    assert (weights.max(axis=1) > 0.999).mean() > 0.99
    assert np.isfinite(weights).all()


def test_chains_are_uniform_on_a_triangle():
    # p = q: the corners are (1/2, 1/2, 0, 0), r and s, and 2p, r, s are uniform on a triangle.
    draws, weights = sample(TIED, 30_000)
    assert draws.method is Method.CHAINS
    apart = far_apart(draws, weights)
    assert np.allclose(apart[:, 0], apart[:, 1])
    for values in (2 * apart[:, 0], apart[:, 2], apart[:, 3]):
        assert fits(values, stats.beta(1, 2))
    fold = np.sort(np.stack([2 * apart[:, 0], apart[:, 2], apart[:, 3]], axis=1), axis=1)
    assert fits(fold[:, 0] * 3, stats.beta(1, 2))


def test_chains_are_uniform_on_a_hexagon(chains_only):
    # The L1 ball of radius 2/5 around equal weights of three tasks, cut by no side of the triangle: in the six
    # sectors, by who gains and who loses, the distance over 2/5 has distribution x^2.
    space = wl.lp.WeightSpace(["p", "q", "r"]).near([1, 1, 1], "0.4")
    draws, weights = sample(space, 40_000)
    change = far_apart(draws, weights) - 1 / 3
    assert fits(np.abs(change).sum(axis=1) / 0.4, stats.beta(2, 1))
    sector = (change > 0) @ np.array([1, 2, 4])
    counts = np.bincount(sector, minlength=8)[1:7]
    assert counts.sum() == len(change)
    assert stats.chisquare(counts).pvalue > 0.001


def test_chains_are_uniform_on_a_box(chains_only):
    space = wl.lp.WeightSpace(["p", "q", "r"]).near([1, 1, 1], "0.1", norm="linf")
    draws, weights = sample(space, 40_000)
    change = (far_apart(draws, weights) - 1 / 3) / 0.1
    # A hexagon again: the largest change has distribution x^2.
    assert fits(np.abs(change).max(axis=1), stats.beta(2, 1))


def test_chains_are_uniform_where_groups_of_many_weights_are_fixed():
    # A product of two simplices in 30 dimensions: every weight is a scaled beta variable.
    tasks = [f"t{number}" for number in range(32)]
    space = wl.lp.WeightSpace(tasks).fixed(tasks[:8], "1/5")
    draws, weights = sample(space, 10_000)
    assert draws.method is Method.CHAINS
    apart = far_apart(draws, weights)
    assert fits(apart[:, 0] / 0.2, stats.beta(1, 7))
    assert fits(apart[:, 20] / 0.8, stats.beta(1, 23))
    independent = np.random.default_rng(0).dirichlet(np.ones(24), 5_000).max(axis=1) * 0.8
    assert stats.ks_2samp(apart[:, 8:].max(axis=1), independent).pvalue > 0.001


@pytest.mark.parametrize("prior", [[3, 2, 1, 1], ["1/2", "1/3", 1, 2], [1, 1, 1, 8]])
def test_chains_follow_a_prior_as_independent_draws_do(prior, monkeypatch):
    space = FREE.at_most("p", "1/2").at_least(["p", "q"], "1/5")
    independent, expected = sample(space, prior=prior)
    assert independent.method is Method.INDEPENDENT
    monkeypatch.setattr(module, "INSIDE", 2.0)
    chains, weights = sample(space, 36_000, prior=prior)
    assert chains.method is Method.CHAINS
    apart = far_apart(chains, weights)
    for task in range(4):
        assert stats.ks_2samp(apart[:, task], expected[:, task]).pvalue > 0.001


def test_a_prior_counts_on_a_face_by_its_density():
    # p = q: the density (2 - 1) log p + ... on the triangle makes 2p, r, s a Dirichlet variable of 4, 2, 1.
    draws, weights = sample(TIED, 36_000, prior=[2, 3, 2, 1])
    apart = far_apart(draws, weights)
    for values, shape in ((2 * apart[:, 0], 4), (apart[:, 2], 2), (apart[:, 3], 1)):
        assert fits(values, stats.beta(shape, 7 - shape))


def test_poles_that_weights_tied_to_each_other_share_are_refused():
    with pytest.raises(wl.InputError, match="the concentration of 'p' is below 1"):
        draws_from(TIED, samples=10, prior=["1/2", 1, 1, 1])
    draws_from(TIED.fixed("r", "1/5"), samples=10, prior=[1, 1, "1/2", 1])


def test_conditions_of_objectives_can_be_drawn_from():
    board = wl.Leaderboard(
        {task: {"a": 1, "b": 2} for task in TASKS}, weights=dict(zip(TASKS, [1, 2, 3, 4], strict=True))
    )
    for objective, value in ((closest_to(norm="linf"), "1/10"), (closest_to(), "1/5"), (most_balanced(), "3/10")):
        linear = objective_for(objective, board, FREE)
        space = reduce(wl.lp.WeightSpace.and_condition, linear.no_worse_than(Fraction(value)), FREE)
        _, weights = sample(space, 400)
        near = np.abs(weights - np.array([0.1, 0.2, 0.3, 0.4]))
        found = {"3/10": weights.max(axis=1), "1/10": near.max(axis=1), "1/5": near.sum(axis=1)}[value]
        assert 0.8 * Fraction(value) < found.max() <= float(Fraction(value)) + 1e-9


def test_small_spaces_keep_their_size_and_those_beyond_rounding_are_refused():
    for norm in ("l1", "linf"):
        _, weights = sample(FREE.near([1, 1, 1, 1], "1e-7", norm=norm), 400)
        change = np.abs(weights - 0.25)
        found = change.sum(axis=1) if norm == "l1" else change.max(axis=1)
        assert 0.8e-7 < found.max() < 1.000001e-7
        with pytest.raises(wl.InputError, match="too narrow to draw from"):
            draws_from(FREE.near([1, 1, 1, 1], "1e-14", norm=norm), samples=10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0}, "samples must be a whole number from 1 on; got 0"),
        ({"samples": 2.5}, "samples must be a whole number from 1 on; got 2.5"),
        ({"samples": True}, "samples must be"),
        ({"rng": -1}, "rng must be a seed"),
        ({"rng": "7"}, "rng must be a seed"),
        ({"prior": 0}, "concentration of task 'p' must be between 1/1000000 and 1000000000; got 0"),
        ({"prior": {"p": 1}}, "no concentration for task 'q'"),
        ({"prior": [1, 2]}, "2 concentrations for 4 tasks"),
        ({"prior": {"p": 1, "q": 1, "r": 1, "s": 1, "z": 1}}, "no task named 'z'"),
        ({"prior": [1, 1, 1, "x"]}, "'x' is not a finite number"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(wl.InputError, match=message):
        draws_from(FREE, **{"samples": 10, **options})
