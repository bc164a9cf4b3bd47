from __future__ import annotations

import itertools
import random

import pytest

import weightlab as wl
from tests.lp.unknown_scores.test_settle import GRID, random_board
from weightlab.exceptions import InputError, ProofError
from weightlab.lp.improvement.score_column import with_scores


def enumerated(board, model, space):
    """Return whether a model can win under some weights in all, in some or in no completions on a grid."""
    found = set()
    for values in itertools.product(GRID[::2], repeat=len(board.missing_cells)):
        table = with_scores(board, dict(zip(board.missing_cells, values, strict=True)))
        found.add(wl.lp.prospect(table, model, space=space).verdict == "strict")
    return {(True,): "certain", (False,): "refuted"}.get(tuple(found), "open")


@pytest.mark.parametrize("seed", range(30))
def test_verdicts_are_those_of_all_completions(seed):
    board = random_board(seed, models=3, most=2)
    model = board.models[seed % 3]
    space = wl.lp.WeightSpace(board.tasks).at_most(board.tasks[0], "1/2") if seed % 2 else None
    truth = enumerated(board, model, space)
    opposite = {"certain": "refuted", "refuted": "certain", "open": "open"}
    for claim, expected in (("can", truth), ("never", opposite[truth])):
        found = wl.lp.settle(board, claim, models=model, bounds=(0, 2), space=space)
        assert found.verdict == expected
        assert found.verify(board)
        assert type(found).from_dict(found.to_dict()).verify(board)
        assert (found.certificate is None) == (expected != "certain")
        assert len(found.idle) + int(found.matter.sum()) == len(board.missing_cells)


@pytest.mark.parametrize("claim", ["can", "never"])
def test_following_the_advice_settles_the_claim(claim):
    for seed in range(20):
        board, rng = random_board(seed, most=6), random.Random(seed)  # noqa: S311
        found = wl.lp.settle(board, claim, models=board.models[0], bounds=(0, 2))
        while len(advised := found.next(1)):
            (cell,) = advised.itertuples()
            found = found.with_scores({(cell.model, cell.task): rng.choice(GRID)})
        assert found.verdict != "open" or not found.matter.any()


def test_forged_weights_and_blockers_are_refused():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 0}, "y": {"a": None, "b": 1, "c": 2}})
    found = wl.lp.settle(board, "can", models="a", bounds=(0, 2))
    assert str(found) == "Proved: a can win head-to-head under some weights, whatever the missing score is."
    document = found.to_dict()
    document["reach"][0]["weights"] = {"x": "0/1", "y": "1/1"}
    with pytest.raises(ProofError, match="least lead"):
        type(found).from_dict(document).verify(board)


@pytest.mark.parametrize(
    ("claim", "options", "message"),
    [
        ("can", {}, "about one model"),
        ("never", {"models": "a", "rule": "mean", "bounds": (0, 2)}, "by majority; got mean"),
        ("winner", {"space": wl.lp.WeightSpace(["x", "y"])}, "space= is for the claims 'can' and 'never'"),
    ],
)
def test_what_is_wrong_is_told(claim, options, message):
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": None, "b": 1}})
    with pytest.raises(InputError, match=message):
        wl.lp.settle(board, claim, **options)
