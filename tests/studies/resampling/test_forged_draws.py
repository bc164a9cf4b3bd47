"""Documents of random draws whose settings or names were edited are refused."""

from __future__ import annotations

import json

import pytest

import weightlab as wl
from weightlab import studies
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError

BOARD = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 1, "b": 3, "c": 2}})
REMOVED = studies.task_removal(BOARD, "borda", sizes=[1, 2], repeats=2, rng=0)
OMITTED = studies.missing_scores(BOARD, "copeland", counts=[2], repeats=2, rng=0)
SPOILT = studies.manipulation("mean", models=3, tasks=2, instances=1, repeats=2, rng=0)
DRAWN = studies.bootstrap(BOARD, "borda", repeats=3, rng=0)


def edited(result, path, value):
    document = json.loads(json.dumps(result.to_dict()))
    part = document
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return document


@pytest.mark.parametrize(
    ("result", "path", "value"),
    [
        (REMOVED, ("settings", "tasks"), ["1/2"]),
        (REMOVED, ("experiment",), "boots"),
        (REMOVED, ("questions", "borda", "name"), "Borda"),
        (OMITTED, ("rules",), []),
        (SPOILT, ("questions", "mean", "name"), "median"),
        (DRAWN, ("how",), "levels"),
        (DRAWN, ("levels", 0, 0), 0.5),
    ],
)
def test_an_edited_part_is_refused(result, path, value):
    with pytest.raises((ProofError, InputError)):
        result_from_dict(edited(result, path, value)).verify()


@pytest.mark.parametrize("result", [REMOVED, OMITTED, SPOILT, DRAWN])
def test_what_was_not_edited_verifies(result):
    assert result_from_dict(json.loads(json.dumps(result.to_dict()))).verify()
