"""Verdicts that hold for every table within joint intervals: the worst and the best such table decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.lp import WeightSpace, prospects
from weightlab.studies import noisy_verdicts
from weightlab.studies.confidence.contributions import noisy_tasks, sure_signs

NAMES = list("abcd")


def board_of(dice, size):
    scores = {f"t{task}": {name: dice.between(0, 20) for name in NAMES} for task in range(4)}
    frame = pd.DataFrame(scores)
    return wl.Leaderboard(frame, standard_errors=frame * 0.0 + size)


@settings(max_examples=15)
@given(dice=DICE)
def test_verdicts_hold_for_every_table_within_the_intervals(dice):
    board = board_of(dice, dice.one_of([0.0, 0.3, 1.0]))
    space = WeightSpace(board).within("0.8") if dice.between(0, 1) else None
    found = noisy_verdicts(board, over="standard_errors", level=0.5, space=space)
    assert found.verify(board)
    moved = np.random.default_rng(dice.between(0, 99)).normal(size=(5, 4, 4)) * 0.3
    for shift in moved:
        # Errors of a third of a standard error leave every sure lead as it is.
        table = wl.Leaderboard(board.scores.astype(float) + shift * board.standard_errors.to_numpy())
        told = prospects(table, space=space).verdicts
        assert all(told[model] == verdict for model, verdict in found.verdicts.items())


@settings(max_examples=10)
@given(dice=DICE)
def test_without_noise_only_ties_are_open(dice):
    board = board_of(dice, 0.0)
    found = noisy_verdicts(board, over="standard_errors")
    told = prospects(board).verdicts
    for one, other in zip(found.worst, found.best, strict=True):
        assert one.lower <= prospects(board)[one.model].lower <= other.upper
    assert all(told[model] == verdict for model, verdict in found.verdicts.items())


def test_much_noise_leaves_all_open():
    frame = pd.DataFrame({"x": dict.fromkeys(NAMES, 1.0), "y": {"a": 2.0, "b": 1.0, "c": 0.0, "d": 0.5}})
    found = noisy_verdicts(wl.Leaderboard(frame, standard_errors=frame * 0 + 9), over="standard_errors")
    assert found.open == tuple(NAMES)
    told = "head-to-head, 0 of 4 models can win, 0 tie at best, 0 can never win; the noise decides for a, b, c and d."
    assert told in str(found)
    assert found.summary()["at best"].tolist() == ["can win"] * 4


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_a_lead_is_sure_by_bonferronis_interval_over_all_pairs_and_tasks(level):
    bound = stats.norm.isf((1 - level) / (2 * 3 * 20)) * 2**0.5
    for share, sure in [(0.99, 0), (1.01, 1)]:
        frame = pd.DataFrame({f"t{place}": {"a": share * bound, "b": 0.0, "c": 0.0} for place in range(20)})
        signs = sure_signs(noisy_tasks(wl.Leaderboard(frame, standard_errors=frame * 0 + 1.0)), level)
        assert signs.tolist() == [[sure, sure, 0]] * 20


def test_instances_show_their_own_noise():
    rng = np.random.default_rng(0)
    tables = {
        task: pd.DataFrame(
            rng.normal(size=(4, 50)).round(3) + 3 * np.arange(4)[:, None],
            index=NAMES,
            columns=[f"q{place}" for place in range(50)],
        )
        for task in "xy"
    }
    source = wl.Instances(tables)
    found = noisy_verdicts(source, over="instances")
    assert found.verify(source)
    assert {model: str(verdict) for model, verdict in found.verdicts.items()} == dict(
        zip(NAMES, ["never"] * 3 + ["strict"], strict=True)
    )
    with pytest.raises(InputError, match="this source has no standard errors; pass over='instances'"):
        noisy_verdicts(source, over="standard_errors")


class TestProof:
    frame = pd.DataFrame({"x": {"a": 9.0, "b": 1.0, "c": 4.0}, "y": {"a": 1.0, "b": 9.0, "c": 4.2}})
    board = wl.Leaderboard(frame, standard_errors=frame * 0 + 0.3)

    def found(self):
        return noisy_verdicts(self.board, over="standard_errors")

    def test_the_document_travels(self):
        again = result_from_dict(self.found().to_dict())
        assert again.verify(self.board)
        assert again.to_dict() == self.found().to_dict()
        assert again.proof is Proof.SAMPLED

    def test_no_part_can_be_altered(self):
        found = self.found()
        for forged in (
            replace(found, worst=found.worst[::-1]),
            replace(found, worst=found.best),
            replace(found, best=found.best[:2]),
            replace(found, level=0.9999999),
            replace(found, worst=(), best=()),
        ):
            with pytest.raises(ProofError):
                forged.verify(wl.Leaderboard(self.frame, standard_errors=self.frame * 0 + 0.9))

    def test_tasks_go_by_their_names(self):
        turned = wl.Leaderboard(self.frame[["y", "x"]], standard_errors=self.frame[["y", "x"]] * 0 + 0.3)
        with pytest.raises(ProofError, match="the tasks are not those of the source, in order"):
            self.found().verify(turned)

    def test_a_verdict_that_is_written_otherwise_is_refused(self):
        document = self.found().to_dict()
        document["verdicts"] = dict.fromkeys(document["verdicts"], "strict") | {"c": "strict"}
        with pytest.raises(ProofError):
            result_from_dict(document)


@pytest.mark.parametrize("parts", [("worst",), ("best",), ("worst", "best")])
def test_rivals_that_are_not_the_other_models_are_refused(parts):
    frame = pd.DataFrame(
        {"x": dict(zip("abcd", (3, 2, 1, 2.5), strict=True)), "y": dict(zip("abcd", (1, 2, 0, 0), strict=True))}
    )
    document = noisy_verdicts(wl.Leaderboard(frame, standard_errors=frame * 0 + 0.1), over="standard_errors").to_dict()
    for part in parts:
        for verdict in document[part]:
            names = {"c": "nobody", "d": "gpt-5"}
            verdict["blockers"] = {names.get(name, name): share for name, share in verdict["blockers"].items()}
    with pytest.raises(ProofError, match="the rivals of 'a' are not the other models"):
        result_from_dict(document).verify()
