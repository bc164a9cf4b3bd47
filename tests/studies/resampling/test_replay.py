from __future__ import annotations

import pytest

import weightlab as wl
from weightlab.exceptions import InputError, ProofError

BOARD = wl.Leaderboard(
    {
        task: {f"m{row}": (7 * row * row + 13 * column * (row + 1)) % 97 for row in range(8)}
        for column, task in enumerate("abcdef")
    }
)


@pytest.mark.parametrize("rule", ["mean", "majority", "borda"])
@pytest.mark.parametrize(("claim", "k"), [("winner", None), ("top", 3), ("order", 2)])
def test_a_replay_ends_with_a_proof_and_costs_no_less_than_hindsight(rule, claim, k):
    if wl.lp.settle(BOARD, claim, k=k, rule=rule, bounds=(0, 100)).verdict != "certain":
        with pytest.raises(InputError, match="does not hold"):
            wl.studies.replay(BOARD, claim, k=k, rule=rule, bounds=(0, 100), orders=3)
        return
    found = wl.studies.replay(BOARD, claim, k=k, rule=rule, bounds=(0, 100), orders=3, rng=1)
    assert found.ratio >= 1
    assert found.verify(BOARD)
    assert found.curve["proved"].iloc[-1] == 1
    assert type(found).from_dict(found.to_dict()).verify(BOARD)
    again = wl.studies.replay(BOARD, claim, k=k, rule=rule, bounds=(0, 100), orders=3, rng=1)
    assert again.costs == found.costs


def test_whole_batches_are_measured():
    one, ten = (wl.studies.replay(BOARD, rule="mean", bounds=(0, 100), orders=4, batch=size) for size in (1, 10))
    assert ten.share >= one.share - 1


def test_a_cost_below_hindsight_is_refused():
    found = wl.studies.replay(BOARD, rule="mean", bounds=(0, 100), orders=1)
    forged = found.to_dict() | {"costs": ["1/1"]}
    with pytest.raises(ProofError):
        type(found).from_dict(forged).verify()


@pytest.mark.parametrize("call", [{"orders": 0}, {"batch": 0}, {"orders": 1.5}])
def test_what_is_wrong_is_told(call):
    with pytest.raises(InputError, match="whole number, 1 or more"):
        wl.studies.replay(BOARD, rule="mean", bounds=(0, 100), **call)
