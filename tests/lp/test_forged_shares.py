"""Shares that were tampered with are refused."""

from __future__ import annotations

import copy
import json

import pytest

import weightlab as wl
from tests.lp.forging import BOARD, FALSE, SPACE
from weightlab._result import result_from_dict

FACE = wl.lp.WeightSpace(BOARD).no_less("x", "y").no_less("y", "x").near([1, 1, 1, 1], "1.2")

SHARES = {
    "winning shares": lambda: wl.lp.winning_shares(BOARD, samples=600, rng=1),
    "winning shares in a space": lambda: wl.lp.winning_shares(BOARD, samples=400, rng=1, space=FACE),
    "winning shares of a prior": lambda: wl.lp.winning_shares(
        BOARD, samples=400, rng=1, space=SPACE, prior=[1, 2, 3, 4]
    ),
    "ranks": lambda: wl.lp.rank_shares(BOARD, rule="borda", samples=400, rng=1),
    "ranks in a space": lambda: wl.lp.rank_shares(BOARD, samples=300, rng=1, space=FACE),
    "duels": lambda: wl.lp.duel_shares(BOARD, samples=400, rng=1),
    "duels in a space": lambda: wl.lp.duel_shares(BOARD, samples=300, rng=1, space=FACE),
}


@pytest.fixture(params=SHARES, scope="module")
def document(request):
    return json.loads(json.dumps(SHARES[request.param]().to_dict()))


def refused(document):
    try:
        return not result_from_dict(document).verify(BOARD)
    except FALSE:
        return True


def tally(document):
    return document["counts" if "counts" in document else "wins"]["entries"]


def test_shares_that_travelled_are_checked_and_say_the_same(document):
    found = result_from_dict(document)
    assert found.verify()
    assert found.verify(BOARD)
    assert json.loads(json.dumps(found.to_dict())) == document


def test_another_count_is_refused(document):
    for change in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        for place in (0, len(tally(document)) // 2, -1):
            forged = copy.deepcopy(document)
            for part, by in enumerate(change, start=1):
                tally(forged)[place][part] += by
            assert refused(forged)


def test_counts_that_went_to_another_model_are_refused(document):
    forged = copy.deepcopy(document)
    entries = tally(forged)
    entries[0][1:], entries[1][1:] = entries[1][1:], entries[0][1:]
    assert refused(forged) or entries[0][1:] == entries[1][1:]
    forged = copy.deepcopy(document)
    tally(forged)[0][0] = 10**6
    assert refused(forged)


@pytest.mark.parametrize(
    ("field", "value"),
    [("seed", 2), ("seed", -1), ("seed", True), ("samples", 500), ("samples", 0), ("samples", "400"), ("numpy", 2)],
)
def test_another_seed_or_number_of_draws_is_refused(document, field, value):
    forged = copy.deepcopy(document)
    forged["draws"][field] = value
    assert refused(forged)


def test_another_way_of_drawing_is_refused(document):
    for method in ("one point", "independent", "hit-and-run", "by hand"):
        forged = copy.deepcopy(document)
        forged["draws"]["method"] = method
        assert refused(forged) == (method != document["draws"]["method"])


def test_another_prior_is_refused(document):
    forged = copy.deepcopy(document)
    forged["draws"]["prior"]["w"] = "7/1"
    assert refused(forged)
    forged["draws"]["prior"]["w"] = "0/1"
    assert refused(forged)


def test_other_central_weights_are_refused(document):
    for key in {"winning_weights", "first_weights"} & document.keys():
        for model, row in document[key].items():
            forged = copy.deepcopy(document)
            forged[key][model] = [row[1], row[0], *row[2:]]
            assert refused(forged) or row[0] == row[1]
            del forged[key][model]
            assert refused(forged)


def test_another_table_is_refused(document):
    other = wl.Leaderboard(BOARD.scores.iloc[::-1].set_axis(BOARD.models, axis=0))
    with pytest.raises(wl.ProofError):
        result_from_dict(document).verify(other)


def test_another_space_is_refused(document):
    forged = copy.deepcopy(document)
    holder = forged.get("prospects", forged)
    holder["space"] = wl.lp.WeightSpace(BOARD).at_most("w", "0.45").to_dict()
    assert refused(forged)
