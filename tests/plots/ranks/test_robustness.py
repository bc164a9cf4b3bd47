"""Robustness curves: the means of the draws, with bands around them, of three kinds of study."""

from __future__ import annotations

import numpy as np
import pytest

import weightlab as wl
from tests.plots.pictures import assert_is_drawn
from weightlab.plots.marks import notes_of, rows_of, title_of


@pytest.fixture(scope="module")
def board():
    chosen = wl.datasets.load_leaderboard("classifiers")
    return chosen.select(models=chosen.models[:6], tasks=chosen.tasks[:8])


@pytest.fixture(scope="module")
def omitted(board):
    return wl.studies.missing_scores(board, ["mean", "copeland"], counts=[4, 12], repeats=6, rng=0)


@pytest.fixture(scope="module")
def removed(board):
    return wl.studies.task_removal(board, ["mean", "borda"], sizes=[2, 4], repeats=6, rng=0)


@pytest.fixture(scope="module")
def spoilt():
    sizes = {"models": 4, "tasks": 4, "instances": 3}
    return wl.studies.manipulation(
        ["mean", "borda"], reversed_tasks=[0, 2], dispersions=[0.1, 0.5], factors=[1, 10], repeats=4, rng=0, **sizes
    )


def points(marks):
    return {(one.line, one.amount): one for one in rows_of(marks, "point")}


@pytest.mark.parametrize("statistic", ["tau_b", "rho", "top", "reversed", "best_wins"])
def test_points_are_the_means_by_rule_and_number(omitted, statistic):
    found = points(wl.plots.robustness_marks(omitted, statistic=statistic))
    means = omitted.summary()[statistic]
    assert set(found) == set(means.index)
    assert {key: one.y for key, one in found.items()} == pytest.approx(means.to_dict())
    assert {one.x for one in found.values()} == {4 / 48, 12 / 48}
    assert {(one.line, one.number) for one in found.values()} == {("mean(missing=median)", 0), ("copeland", 1)}


def test_the_band_is_the_interval_of_the_mean_of_the_study_within_what_can_be(omitted):
    table = omitted.summary()
    for key, one in points(wl.plots.robustness_marks(omitted)).items():
        assert [one.low, one.high] == pytest.approx(table.loc[key, ["low", "high"]].clip(-1, 1).tolist())
        assert one.draws == 6


def test_where_no_draw_has_a_value_that_is_said():
    tied = wl.Leaderboard({name: {"a": 1, "b": 1, "c": 1} for name in "xyz"})
    found = wl.studies.task_removal(tied, ["mean"], repeats=2, rng=0)
    marks = wl.plots.robustness_marks(found)
    assert notes_of(marks) == ["There are no points: in no draw has it a value, as where all models tie."]


def test_the_band_may_hold_the_draws(removed):
    for (rule, size), one in points(wl.plots.robustness_marks(removed, band="draws")).items():
        draws = removed.draws
        own = draws.loc[(draws["rule"] == rule) & (draws["tasks"] == size), "tau_b"].dropna()
        assert (one.low, one.high) == pytest.approx(tuple(np.quantile(own, [0.025, 0.975])))
        assert one.x == size / 8
    assert "middle 95%" in notes_of(wl.plots.robustness_marks(removed, band="draws"))[0]


@pytest.mark.parametrize(("setting", "chosen"), [({}, (0.1, 1)), ({"dispersion": 0.5, "factor": 10}, (0.5, 10))])
def test_of_manipulation_one_setting_is_drawn(spoilt, setting, chosen):
    marks = wl.plots.robustness_marks(spoilt, **setting)
    errors = spoilt.summary()["error"]
    assert {key: one.y for key, one in points(marks).items()} == pytest.approx({
        (name, amount): errors[(name, chosen[0], amount, chosen[1])] for name in spoilt.rules for amount in (0, 2)
    })  # fmt: skip
    assert {one.x for one in rows_of(marks, "point")} == {0, 0.5}
    assert f"dispersion {chosen[0]:g}" in title_of(marks)


def test_what_cannot_be_drawn_is_refused(omitted, spoilt):
    with pytest.raises(wl.InputError, match=r"^statistic must be 'tau_b', .*; got 'tau'$"):
        wl.plots.robustness_marks(omitted, statistic="tau")
    with pytest.raises(wl.InputError, match=r"^band must be 'mean' or 'draws'; got 'std'$"):
        wl.plots.robustness_marks(omitted, band="std")
    with pytest.raises(wl.InputError, match=r"^dispersion= and factor= are settings of manipulation$"):
        wl.plots.robustness_marks(omitted, factor=1)
    with pytest.raises(wl.InputError, match=r"^of manipulation the statistic is 'error'; got 'tau_b'$"):
        wl.plots.robustness_marks(spoilt, statistic="tau_b")
    with pytest.raises(wl.InputError, match=r"^no dispersion 0\.2; there are 0\.1, 0\.5$"):
        wl.plots.robustness_marks(spoilt, dispersion=0.2)


def test_one_draw_has_no_band(board):
    found = wl.studies.missing_scores(board, "copeland", counts=[4], repeats=1, rng=0)
    (one,) = rows_of(wl.plots.robustness_marks(found), "point")
    assert np.isnan(one.low)
    assert np.isnan(one.high)
    assert one.draws == 1


def test_they_are_drawn(omitted, removed, spoilt):
    pytest.importorskip("matplotlib")
    assert_is_drawn(omitted, "robustness", names=["copeland", "mean(missing=median)"])
    for one in (removed, spoilt):
        assert wl.plots.draw(one).get_xlabel().startswith("share of the ")
