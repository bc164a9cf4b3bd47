"""Effect sizes, shares won, what could be shown and what is equivalent hold in simulations, and are re-checked."""

from __future__ import annotations

import importlib
import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.studies import effects
from weightlab.studies.confidence.effect_sizes import detectable_leads, deviations, noncentrality, unbiasing
from weightlab.studies.confidence.effects import latex
from weightlab.studies.confidence.rank_tests import nemenyi
from weightlab.studies.confidence.sign_tests import binomial_leads
from weightlab.studies.confidence.simultaneous import Stratum, mean_intervals

FEW = settings(max_examples=12)
HOSTILE = ["a_b & 50%", "$x^2$", "\\input{x}", "#1 ~ {best}", "[1]", '<b>"q"</b>', "模型|λ"]


def board_of(scores, names=None, **given):
    """Return the board of scores, tasks x models."""
    tasks, models = scores.shape
    return wl.Leaderboard(
        scores.T, models=names or [f"m{k}" for k in range(models)], tasks=[f"t{k}" for k in range(tasks)], **given
    )


@FEW
@given(dice=DICE)
def test_sizes_and_shares_are_those_counted_pair_by_pair(dice):
    scores = np.array([dice.many_of(range(9), 4) for _ in range(dice.between(4, 9))], dtype=float)
    scores[0] = [9, 0, 3, 5]
    board = board_of(scores)
    found = effects(board, "borda", repeats=100)
    np.testing.assert_allclose(found.mean, scores.mean(axis=0))
    np.testing.assert_allclose(found.deviation, scores.std(axis=0, ddof=1))
    for row in found.pairs.itertuples():
        gaps = scores[:, int(row.model[1])] - scores[:, int(row.rival[1])]
        won, lost = (gaps > 0).sum(), (gaps < 0).sum()
        if gaps.std() > 0:
            assert row.d == pytest.approx(gaps.mean() / gaps.std(ddof=1))
        if won + lost:
            exact = stats.binomtest(int(won), int(won + lost)).proportion_ci(0.95)
            assert (row.won, row.won_low, row.won_high) == pytest.approx((won / (won + lost), exact.low, exact.high))
        else:
            assert np.isnan(row.won)


@pytest.mark.parametrize("chance", [0.025, 0.2, 0.975])
def test_noncentralities_are_those_of_scipy(chance):
    t, freedom = np.array([0.0, 1.5, -3.0, 20.0, 60.0, np.nan]), np.array([9.0, 26, 5, 13, 60, 4])
    found = noncentrality(t, freedom, chance)
    assert np.isnan(found[-1])
    np.testing.assert_allclose(stats.nct.cdf(t[:-1], freedom[:-1], found[:-1]), chance, atol=1e-5)


def test_spreads_seen_are_on_average_as_much_too_small_as_is_made_good():
    for freedom in (1, 5, 19, 56):
        mean = stats.chi(freedom).mean() / freedom**0.5
        assert float(unbiasing(np.array([float(freedom)]))[0]) == pytest.approx(mean)


def test_what_nemenyi_could_show_lies_above_its_critical_difference_by_a_normal_quantile():
    scores = np.random.default_rng(11).standard_normal((30, 3)).round(4)
    found = effects(board_of(scores), "borda", method="nemenyi")
    ranks = stats.rankdata(-scores, axis=1)
    half = (found.sets.high - found.sets.low)[0] / 2
    error = (ranks[:, 0] - ranks[:, 1]).std(ddof=1) / 30**0.5 / (stats.chi(29).mean() / 29**0.5)
    assert found.detectable[0] == pytest.approx(half + stats.norm.ppf(0.8) * error)


def test_the_interval_of_d_and_the_share_won_hold_the_truth_as_often_as_they_say():
    rng, inside, shares = np.random.default_rng(0), 0, 0
    truth = stats.norm.cdf(0.6)
    for _ in range(200):
        scores = np.stack([rng.normal(0.6, 1, 15), np.zeros(15)], axis=1)
        found = effects(board_of(scores.round(6)), "borda")
        inside += found.effect_low[0] <= 0.6 <= found.effect_high[0]
        shares += found.won_low[0] <= truth <= found.won_high[0]
    assert 180 <= inside <= 198  # 190 expected; each end has a chance below 0.5%
    assert shares >= 180


def gamma(one, other):
    """Return Akinshin's gamma as it is written: medians apart, in pooled median absolute deviations."""
    deviations = [1.4826 * np.median(np.abs(own - np.median(own))) for own in (one, other)]
    return (np.median(one) - np.median(other)) / np.sqrt(sum(own**2 for own in deviations) / 2)


@FEW
@given(dice=DICE)
def test_gammas_are_those_counted_pair_by_pair_and_lie_in_their_intervals(dice):
    scores = np.array([dice.many_of(range(9), 4) for _ in range(dice.between(4, 9))], dtype=float)
    scores[0] = [9, 0, 3, 5]
    board = board_of(scores, lower_is_better=[f"t{place}" for place in range(len(scores))])
    found = effects(board, "borda", repeats=100, effect_size="akinshin_gamma")
    assert found.verify(board)
    for row in found.pairs.itertuples():
        with np.errstate(all="ignore"):
            expected = gamma(-scores[:, int(row.model[1])], -scores[:, int(row.rival[1])])
        if np.isfinite(expected):
            assert row.gamma == pytest.approx(expected)
            assert not row.gamma_low > row.gamma
            assert not row.gamma_high < row.gamma
        else:
            assert np.isnan(row.gamma) or row.gamma == 0


def test_gammas_need_every_score_and_equal_weights():
    scores = np.random.default_rng(8).standard_normal((12, 3)).round(3)
    with pytest.raises(InputError, match=r"weights differ; pass effect_size='cohen_d'"):
        effects(board_of(scores, weights={"t1": 2}), effect_size="akinshin_gamma")
    scores[0, 0] = np.nan
    with pytest.raises(InputError, match=r"scores are missing; pass effect_size='cohen_d'"):
        effects(board_of(scores), "mean", effect_size="akinshin_gamma")
    told = str(effects(board_of(scores[1:]), effect_size="akinshin_gamma", repeats=100))
    assert "the effect sizes of the others (Akinshin's gamma: medians apart" in told
    assert r"$\gamma$ against" in effects(board_of(scores[1:]), effect_size="akinshin_gamma", repeats=100).to_latex()


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_gammas_and_medians_are_those_of_autorank():
    if importlib.util.find_spec("autorank") is None:
        pytest.skip("autorank is absent: it gives the second opinion (extra 'peers')")
    ranker = importlib.import_module("autorank")
    scores = np.random.default_rng(9).exponential(size=(20, 5)) + np.arange(5)
    frame = pd.DataFrame(scores, columns=[f"m{place}" for place in range(5)])
    theirs = ranker.autorank(frame, verbose=False, force_mode="nonparametric", effect_size="akinshin_gamma").rankdf
    found = effects(
        board_of(scores), "borda", method="nemenyi", effect_size="akinshin_gamma", reference=theirs.index[0]
    )
    for model in theirs.index[1:]:
        assert -found.against(model)[0] == pytest.approx(theirs.loc[model, "effect_size"])


@pytest.mark.parametrize("tasks", [9, 20, 57])
def test_a_lead_that_sign_tests_could_show_is_found_exactly_as_often_as_the_power_says(tasks):
    pairs, power = 6, 0.8
    (lead,) = np.unique(detectable_leads(np.full(pairs, float(tasks)), 0.95, power))
    won = np.arange(tasks + 1)
    shown = [won for won in range(tasks + 1)
             if binomial_leads(np.full(pairs, won), np.full(pairs, tasks - won), 0.95).low[0] > 0]  # fmt: skip
    assert stats.binom.pmf(won, tasks, (1 + lead) / 2)[shown].sum() == pytest.approx(power)
    assert np.isnan(detectable_leads(np.full(pairs, 5.0), 0.95, power)).all()


@pytest.mark.parametrize(
    ("rule", "given", "words"),
    [
        ("copeland", {}, r"A model that wins \d\d% of the tasks on which two differ would be separated with 80% power"),
        ("copeland", {"tasks": 6}, "Not even a win on each of the 6 tasks would have separated two models."),
        ("copeland", {"weights": {"t0": 2}}, "not stated: weights differ, and Hoeffding's inequality"),
        ("borda", {"method": "wilcoxon"}, "not stated: the power of Wilcoxon's test depends on how"),
        ("borda", {"method": "nemenyi"}, "With noise of this size these tasks separate a difference of"),
    ],
)
def test_it_is_said_what_these_tasks_could_have_shown_or_why_not(rule, given, words):
    tasks, method = given.pop("tasks", 20), given.pop("method", None)
    board = board_of(np.random.default_rng(10).standard_normal((tasks, 4)).round(3), **given)
    found = effects(board, rule, method=method)
    assert re.search(words, str(found))
    assert np.isnan(found.detectable).all() == bool(found.unstated)


def test_more_models_than_a_reader_can_take_in_are_refused_before_anything_is_drawn():
    with pytest.raises(InputError, match="effect sizes are of 1,000 models at most, and these are 1,001"):
        effects(board_of(np.zeros((2, 1001))))


def leads(scores, method):
    """Tell whether the first model is separated above the second, and how far it is ahead."""
    if method == "nemenyi":
        joint = nemenyi(stats.rankdata(-scores, axis=1), 0.95)
    else:
        stratum = Stratum(values=scores, weights=np.ones(len(scores)))
        _, joint = mean_intervals([stratum], places=False, level=0.95, repeats=300, seed=0)
    return joint.low[0] > 0, joint.difference[0]


@pytest.mark.parametrize("method", [None, "nemenyi"])
def test_a_difference_that_could_be_shown_is_found_as_often_as_the_power_says(method):
    rng, models, tasks = np.random.default_rng(1), 5, 40
    sizes = [
        np.median(
            effects(board_of(rng.standard_normal((tasks, models)).round(6)), method=method, repeats=300).detectable
        )
        for _ in range(20)
    ]
    shift, ahead = np.mean(sizes), np.eye(models)[0]
    if method == "nemenyi":  # a model so many ranks ahead beats each of the others with this chance
        shift = 2**0.5 * stats.norm.ppf((shift + models / 2) / models)
    shown = [leads(rng.standard_normal((tasks, models)) + shift * ahead, method)[0] for _ in range(250)]
    assert 0.7 <= np.mean(shown) <= 0.88  # 0.8 by the claim, with a standard error of 0.025


def test_models_that_differ_by_the_margin_are_seldom_called_equivalent_and_equal_ones_often():
    rng, wrong, right = np.random.default_rng(2), 0, 0
    for _ in range(60):
        scores = rng.standard_normal((60, 3)) * 0.3 + [0.5, 0.0, 0.0]
        found = effects(board_of(scores.round(6)), "mean", margin=0.5, repeats=200)
        pairs = {tuple(pair) for pair in found.equivalent[["model", "rival"]].to_numpy().tolist()}
        wrong += bool(pairs & {("m0", "m1"), ("m0", "m2")})
        right += ("m1", "m2") in pairs
    assert wrong <= 8
    assert right >= 55


def test_it_travels_is_proved_and_a_forged_one_is_refused():
    board = board_of(np.random.default_rng(3).standard_normal((20, 4)).round(4) + np.arange(4), lower_is_better=["t3"])
    found = effects(board, "borda", margin=1)
    again = result_from_dict(found.to_dict())
    assert again.verify()
    assert again.verify(board)
    assert str(again) == str(found)
    for name in ("effect", "won", "detectable", "mean"):
        forged = replace(found, **{name: getattr(found, name) + 1e-3})
        with pytest.raises(ProofError):
            forged.verify(board)
    document = found.to_dict()
    document["equivalent_pairs"] += 1
    with pytest.raises(ProofError, match="equivalent_pairs"):
        result_from_dict(document)


def test_the_paragraph_names_test_assumption_count_level_and_what_was_separated():
    board = board_of(np.random.default_rng(4).standard_normal((20, 3)).round(4) + np.array([0, 0, 3]))
    told = str(effects(board, "borda", method="nemenyi", margin=2.5))
    for words in (
        "3 models were compared on 20 tasks by Borda. Confidence intervals of all pairs jointly at 95% (Nemenyi's test",
        "assumed: independent tasks",
        "separate 2 of 3 pairs. Friedman's test rejects equal ranks (chi-squared",
        "m2 comes first (average rank",
        "with about 80% power.",
        "equivalent within 2.5 in average rank",
    ):
        assert words in told
    assert "Tests of all pairs jointly at 95% (Wilcoxon's" in str(effects(board, "borda", method="wilcoxon"))


def test_a_paragraph_says_that_tasks_move_together_and_gives_no_advice():
    scores = np.repeat(np.random.default_rng(12).standard_normal((6, 4)).round(4), 4, axis=0)
    board = board_of(scores)
    found = effects(board, "borda")
    assert "Tasks move together" in str(found)
    assert "draw these" not in str(found).lower()
    assert "Name the groups of tasks and draw these." in str(found.sets)
    groups = {f"g{place}": [f"t{task}" for task in range(4 * place, 4 * place + 4)] for place in range(6)}
    grouped = effects(board.with_groups(groups), "borda")
    assert "The tasks of a group move together" in str(grouped)
    assert "Draw whole groups." in str(grouped.sets)
    assert "draw whole" not in str(grouped).lower()


def test_a_table_for_a_paper_holds_hostile_names_and_reads_back():
    scores = np.random.default_rng(5).standard_normal((12, len(HOSTILE))).round(3) + np.arange(len(HOSTILE))
    text = effects(board_of(scores, HOSTILE), "borda").to_latex()
    table = text[: text.index("\\end{tabular}")]
    rows = [line for line in table.splitlines() if line.endswith(r"\\")][1:]
    assert len(rows) == len(HOSTILE)
    assert all(line.startswith("{") for line in rows)
    again = wl.read_leaderboard(io.StringIO(text), format="latex", keep=["Mean"])
    assert len(again.models) == len(HOSTILE)
    np.testing.assert_allclose(again.scores["Mean"], sorted(scores.mean(axis=0), reverse=True), rtol=1e-3, atol=1e-3)
    assert latex("a\x07{") == r"a\textbackslash{}x07\{"


def test_single_numbers_and_gaps_have_no_deviation():
    found = deviations(np.array([[1.0, 2.0], [np.nan, 4.0]]))
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(2**0.5)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"margin": 0}, InputError, "margin must be a number above 0"),
        ({"power": 1.5}, InputError, "power"),
        ({"effect_size": "cliff"}, InputError, "effect_size must be 'cohen_d' or 'akinshin_gamma'"),
        ({"reference": "ada"}, UnknownNameError, "ada"),
    ],
)
def test_wrong_settings_are_refused(given, error, words):
    with pytest.raises(error, match=words):
        effects(board_of(np.random.default_rng(6).standard_normal((8, 3)).round(3)), **given)


def test_votes_have_no_tasks_to_differ_on():
    margins = board_of(np.random.default_rng(7).standard_normal((8, 3)).round(3)).margins()
    with pytest.raises(InputError):
        effects(margins)
