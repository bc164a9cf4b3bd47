"""Scores taken away at random: the rankings of what is left, compared with the ranking of the whole board."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from tests.rules.strategies import boards
from tests.strategies import FEWER
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, MissingScoresError, ProofError, UnknownNameError
from weightlab.rules import rank, rule
from weightlab.studies.resampling.missing_scores import missing_scores, taken_away

ASKED = [
    rule("mean", missing="median"),
    rule("mean", missing="skip"),
    rule("borda", missing="last"),
    rule("borda", missing="median"),
    rule("copeland"),
    rule("minimax", score="margins"),
    rule("schulze"),
]
SOME = st.lists(st.sampled_from(ASKED), min_size=1, max_size=3, unique=True)
WIDE = boards(gaps=True, most_tasks=5).filter(lambda board: board.cells.missing.sum() < 4)
SIX = wl.Leaderboard(
    {
        "x": dict(zip("abcdef", (6, 5, 4, 3, 2, 1), strict=True)),
        "y": dict(zip("abcdef", (5, 6, 4, 2, 3, 1), strict=True)),
        "z": dict(zip("abcdef", (4, 6, 5, 3, 1, 2), strict=True)),
    },
    weights={"x": 2, "y": "3/2"},
)


def study(board, rules, counts, **options):
    try:
        return missing_scores(board, rules, counts=counts, **options)
    except InputError:
        reject()


def without(board, cells):
    """Return the board without some (model, task) pairs."""
    frame = board.scores.astype(object)
    for model, task in cells:
        frame.loc[model, task] = None
    return wl.Leaderboard(frame, weights=board.weights, lower_is_better=board.lower_is_better)


def omitted(found, board, count, draw):
    """Return which (model, task) pairs a draw takes away."""
    weigh = board.select(tasks=[task for task in board.tasks if board.weights[task]])
    gone = np.argwhere(taken_away(~weigh.cells.missing, count, found.seed, draw)).tolist()
    return [(weigh.models[row], weigh.tasks[column]) for row, column in gone]


def numbers_of(order, models):
    """Return the mean rank of each model."""
    rank_of, above = {}, 0
    for group in order:
        rank_of.update(dict.fromkeys(group, above + (len(group) + 1) / 2))
        above += len(group)
    return [rank_of[model] for model in models]


def same(own, claimed):
    return np.isnan(claimed) if np.isnan(own) else claimed == pytest.approx(own, abs=1e-9)


@FEWER
@given(board=WIDE, rules=SOME, seed=st.integers(0, 99), data=st.data())
def test_every_draw_is_what_the_rules_say_of_a_board_without_these_scores(board, rules, seed, data):
    total = int((~board.cells.missing).sum())
    assume(total > 2)
    counts = data.draw(st.lists(st.integers(1, max(1, total // 4)), min_size=1, max_size=2, unique=True))
    top = data.draw(st.integers(1, len(board.models)))
    found = study(board, rules, counts, repeats=2, rng=seed, top=top)
    whole = {str(one): rank(board, one) for one in rules}
    for row in found.draws.to_dict(orient="records"):
        cells = omitted(found, board, row["omitted"], row["draw"])
        assert len(set(cells)) == row["omitted"]
        own = rank(without(board, cells), next(one for one in rules if str(one) == row["rule"]))
        reference = whole[row["rule"]]
        first, second = (numbers_of(one.order, board.models) for one in (reference, own))
        if len(set(first)) > 1 < len(set(second)):
            assert same(stats.kendalltau(first, second).statistic, row["tau_b"])
            assert same(stats.spearmanr(first, second).statistic, row["rho"])
        else:
            assert np.isnan(row["tau_b"])
            assert np.isnan(row["rho"])
        assert row["top"] == pytest.approx(float(wl.rules.top_agreement(reference.order, own.order, top)))
        assert row["reversed"] == len(wl.rules.reversed_pairs(reference.order, own.order))
        assert row["winners_kept"] == (set(reference.winners) == set(own.winners))
        assert row["best_wins"] == bool(set(reference.winners) & set(own.winners))


@settings(max_examples=10)
@given(board=WIDE, rules=SOME, seed=st.integers(0, 99))
def test_it_travels_and_is_proved(board, rules, seed):
    found = study(board, rules, [1], repeats=2, rng=seed)
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    pd.testing.assert_frame_equal(back.draws, found.draws)
    pd.testing.assert_frame_equal(back.summary(), found.summary())
    assert str(back) == str(found)
    assert back.proof is Proof.SAMPLED


def test_the_first_models_are_correlated_apart():
    found = missing_scores(SIX, "borda", counts=[6], repeats=30, rng=0, top=3)
    order = rank(SIX, "borda").order
    assert order == (("b",), ("a",), ("c",), ("d",), ("e",), ("f",))
    for row in found.draws.to_dict(orient="records"):
        own = rank(without(SIX, omitted(found, SIX, 6, row["draw"])), "borda", missing="median").order
        of_first = [numbers_of(own, "abc"), [2, 1, 3]]
        if len(set(of_first[0])) > 1:
            assert row["top_rho"] == pytest.approx(stats.spearmanr(*of_first).statistic)
        else:
            assert np.isnan(row["top_rho"])


@given(
    present=st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=2, max_size=5),
    seed=st.integers(0, 99),
    dice=DICE,
)
def test_no_model_and_no_task_is_left_without_a_score(present, seed, dice):
    cells = np.array(present)
    assume(cells.any(axis=0).all() and cells.any(axis=1).all())
    most = int(cells.sum()) - max(cells.shape)
    assume(most > 0)
    count = dice.between(1, most)
    try:
        gone = taken_away(cells, count, seed, 0)
    except InputError:
        return
    left = cells & ~gone
    assert gone.sum() == count
    assert not (gone & ~cells).any()
    assert left.any(axis=0).all()
    assert left.any(axis=1).all()


def test_every_set_of_scores_is_equally_likely():
    cells = np.ones((2, 2), dtype=bool)
    seen = pd.Series([tuple(np.flatnonzero(taken_away(cells, 2, 7, draw)).tolist()) for draw in range(600)])
    # Of the six sets of two cells four leave a model or a task none.
    assert sorted(seen.unique()) == [(0, 3), (1, 2)]
    assert abs(int((seen == (0, 3)).sum()) - 300) < 75


def test_scores_without_weight_stay():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 1}}, weights={"z": 0})
    found = missing_scores(board, "copeland", counts=[2], repeats=20, rng=0)
    assert {task for draw in range(20) for _, task in omitted(found, board, 2, draw)} == {"x", "y"}


def test_more_draws_begin_with_the_same_ones_and_other_counts_change_nothing():
    pytest.importorskip("joblib")
    told = []
    few = missing_scores(SIX, ["borda", "copeland"], counts=[4], repeats=3, rng=7)
    many = missing_scores(SIX, ["borda", "copeland"], counts=[2, 4], repeats=6, rng=7, n_jobs=2, progress=told.append)
    assert np.array_equal(many.levels[1, :3], few.levels[0])
    assert sum(told) == 6
    assert many.verify(SIX)


def test_the_summary_is_of_the_draws():
    found = missing_scores(SIX, ["borda", "copeland"], counts=[3, 6], repeats=40, rng=1)
    taus = found.draws.query("rule == 'copeland' and omitted == 6")["tau_b"]
    row = found.summary().loc[("copeland", 6)]
    assert row["tau_b"] == pytest.approx(taus.mean())
    assert row["std"] == pytest.approx(taus.std(ddof=0))
    assert row["high"] - row["low"] == pytest.approx(2 * 1.959964 * taus.std() / 40**0.5)
    assert found.summary().index.tolist() == [
        ("borda(missing=median)", 3),
        ("borda(missing=median)", 6),
        ("copeland", 3),
        ("copeland", 6),
    ]
    assert np.isnan(missing_scores(SIX, "borda", counts=[3], repeats=1, rng=1).summary()["std"].iloc[0])


def test_draws_without_an_answer_are_counted():
    found = missing_scores(SIX, "condorcet", counts=[8], repeats=40, rng=0)
    lacking = [
        draw for draw in range(40) if wl.graph.condorcet_winner(without(SIX, omitted(found, SIX, 8, draw))) is None
    ]
    assert lacking
    assert found.summary()["unanswered"].tolist() == [len(lacking)]
    assert found.draws[found.draws["top"].isna()]["draw"].tolist() == lacking
    assert found.verify(SIX)


def test_the_default_rules_are_those_of_the_figure():
    found = missing_scores(SIX, counts=[2], repeats=2, rng=0, options={"gamma": 5})
    assert found.rules == (
        "mean(missing=median)",
        "optimality_gap(gamma=5, missing=median)",
        "minimax",
        "copeland",
    )
    fewer = missing_scores(SIX, counts=[2], repeats=2, rng=0)
    assert dict(fewer.left_out) == {"optimality_gap": "the rule 'optimality_gap' needs the option gamma"}
    assert fewer.settings == {"omitted": (2,)}
    assert missing_scores(SIX, repeats=1, rng=0).settings == {"omitted": (1, 3, 7)}


def test_functions_see_the_gaps_and_mappings_name_the_ways():
    def known(board):
        return board.scores.notna().sum(axis=1)

    ways = {"median": "mean", "skip": rule("mean", missing="skip"), "known": known}
    found = missing_scores(SIX, ways, counts=[5], repeats=4, rng=0)
    assert found.rules == ("median (mean(missing=median))", "skip (mean(missing=skip))", "known")
    for draw in range(4):
        left = without(SIX, omitted(found, SIX, 5, draw)).scores.notna().sum(axis=1)
        levels = found.levels[0, draw, 2]
        assert (np.sign(levels[:, None] - levels) == -np.sign(left.to_numpy()[:, None] - left.to_numpy())).all()
    assert found.verify(SIX)


def test_exact_scores_stay_exact():
    third = wl.Leaderboard(
        pd.DataFrame(
            {"x": [Fraction(1, 3), 0.3333333333333333, 2], "y": [1, 1, 0], "z": [1, 1, 1]},
            index=list("abc"),
            dtype=object,
        )
    )
    found = missing_scores(third, "mean", counts=[2], repeats=30, rng=0)
    for draw in range(30):
        frame = pd.DataFrame(
            {"x": [Fraction(1, 3), 0.3333333333333333, 2], "y": [1, 1, 0], "z": [1, 1, 1]},
            index=list("abc"),
            dtype=object,
        )
        for cell in omitted(found, third, 2, draw):
            frame.loc[cell] = None
        order = rank(wl.Leaderboard(frame), "mean", missing="median").order
        level = {model: place for place, group in enumerate(order) for model in group}
        assert found.levels[0, draw, 0].tolist() == [level[model] for model in "abc"]


@pytest.mark.parametrize("part", ["top", "levels", "whole", "rules", "settings", "seed", "total"])
def test_a_false_part_is_seen(part):
    found = missing_scores(SIX, ["borda", "copeland"], counts=[6], repeats=3, rng=7)
    false = {
        "levels": np.roll(found.levels, 1, axis=3),
        "whole": np.roll(found.whole, 1, axis=1),
        "rules": ("copeland", "borda"),
        "settings": {"omitted": (5,)},
        "top": 9,
        "seed": 8,
        "total": 17,
    }
    with pytest.raises((ProofError, InputError)):
        replace(found, **{part: false[part]}).verify(SIX)


def test_another_board_is_seen():
    other = wl.Leaderboard(SIX.scores, weights={"x": 1, "y": 9, "z": 1})
    with pytest.raises(ProofError, match="the ranking of the whole table differs"):
        missing_scores(SIX, "borda", counts=[6], repeats=2, rng=7).verify(other)


def test_documents_of_another_form_are_refused():
    document = missing_scores(SIX, "borda", counts=[6], repeats=2, rng=7).to_dict()
    for part in ("levels", "whole"):
        with pytest.raises(InputError, match=r"lists of equal lengths|a cell is not an integer"):
            result_from_dict({**document, part: [[0.5]]})
    with pytest.raises(InputError, match="top: a whole number is needed"):
        result_from_dict({**document, "top": "3"})


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"counts": []}, "at least one number of scores is needed"),
        ({"counts": [0]}, "counts must be a whole number from 1; got 0"),
        ({"counts": [18]}, "counts must leave some of the 18 scores; got 18"),
        ({"counts": 3}, r"counts must be a list, such as \[10, 20\]; got 3"),
        ({"counts": [16]}, "16 of 18 scores are too many to take away: in 1000 tries"),
        ({"missing": "mode"}, "missing must be 'error', 'last', 'skip' or 'median'; got 'mode'"),
    ],
)
def test_options_that_are_none_are_refused(options, error):
    with pytest.raises(InputError, match=error):
        missing_scores(SIX, "borda", **{"repeats": 1, "rng": 0, **options})


def test_what_is_no_rule_board_or_draw_is_refused():
    with pytest.raises(UnknownNameError, match="no rule named 'bordo'"):
        missing_scores(SIX, "bordo")
    with pytest.raises(InputError, match="this study is about a Leaderboard; got a dict"):
        missing_scores({}, "borda")
    with pytest.raises(MissingScoresError):
        missing_scores(without(SIX, [("a", "x")]), rule("borda", missing="error"))


def test_the_sentence_names_who_keeps_the_ranking():
    assert str(missing_scores(SIX, ["borda", "copeland"], counts=[2, 6], repeats=20, rng=0)) == (
        "Without 6 scores of 18 copeland keeps its ranking best (mean tau-b 0.85, worst borda(missing=median), 0.74; "
        "20 draws)."
    )


@pytest.mark.parametrize("count", ["1/2", -1, 10**40])
def test_a_part_of_a_score_is_not_taken_away(count):
    written = missing_scores(SIX, "borda", counts=[1], repeats=2, rng=0).to_dict()
    with pytest.raises(InputError, match="an amount to change is out of range"):
        result_from_dict({**written, "settings": {"omitted": [str(count)]}})
