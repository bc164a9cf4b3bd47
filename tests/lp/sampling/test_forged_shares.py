"""Shares that were tampered with are refused."""

from __future__ import annotations

import copy
import dataclasses
import json

import pytest

import weightlab as wl
from tests.lp.forging import BOARD, FALSE, SPACE
from weightlab._result import result_from_dict
from weightlab.lp.sampling.draws import Draws

FACE = wl.lp.WeightSpace(BOARD).no_less("x", "y").no_less("y", "x").near([1, 1, 1, 1], "1.2")
PAIRS = [("A", "B"), ("C", "A"), ("D", "E")]

SHARES = {
    "winning shares": lambda: wl.lp.winning_shares(BOARD, samples=600, rng=1),
    "winning shares in a space": lambda: wl.lp.winning_shares(BOARD, samples=400, rng=1, space=FACE),
    "winning shares of a prior": lambda: wl.lp.winning_shares(
        BOARD, samples=400, rng=1, space=SPACE, prior=[1, 2, 3, 4]
    ),
    "ranks": lambda: wl.lp.rank_shares(BOARD, rule="borda", samples=400, rng=1),
    "ranks in a space": lambda: wl.lp.rank_shares(BOARD, samples=300, rng=1, space=FACE),
    "pairs": lambda: wl.lp.pair_shares(BOARD, PAIRS, rule="mean", samples=400, rng=1),
    "pairs in a space": lambda: wl.lp.pair_shares(BOARD, PAIRS, samples=300, rng=1, space=FACE),
    "duels": lambda: wl.lp.duel_shares(BOARD, samples=400, rng=1),
    "duels in a space": lambda: wl.lp.duel_shares(BOARD, samples=300, rng=1, space=FACE),
}


@pytest.fixture(scope="module", autouse=True)
def _weights_are_drawn_once():
    """Draw the same draws once: most forgeries leave them alone, and chains take long to forget where they began."""
    blocks, kept = Draws.blocks, {}

    def once(self, most):
        key = json.dumps(self.to_dict()), most
        if key not in kept:
            kept[key] = list(blocks(self, most))
        return iter(kept[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Draws, "blocks", once)
        yield


@pytest.fixture(params=SHARES, scope="module")
def document(request):
    return json.loads(json.dumps(SHARES[request.param]().to_dict()))


def refused(document):
    try:
        return not result_from_dict(document).verify(BOARD)
    except (*FALSE, wl.UnprovedError):
        return True


def tally_of(document):
    return next(document[one] for one in ("counts", "wins", "ahead") if one in document)


def places_of(document):
    """Return the lists and the places in them at which there are counts that are not 0."""
    rows = tally_of(document)["counts"]
    flat = isinstance(rows[0], int)
    listed = [("flat", place) for place, count in enumerate(rows) if count] if flat else []
    return listed or [(row, place) for row, own in enumerate(rows) for place, count in enumerate(own) if count]


def numbers_at(document, field, row):
    numbers = tally_of(document)[field]
    return numbers if row == "flat" else numbers[row]


def test_shares_that_travelled_are_checked_and_say_the_same(document):
    found = result_from_dict(document)
    assert found.verify()
    assert found.verify(BOARD)
    assert json.loads(json.dumps(found.to_dict())) == document


def test_another_count_is_refused(document):
    places = places_of(document)
    for field, by in (("counts", 1), ("squares", 1), ("counts", -1), ("squares", -1), ("counts", 0.5)):
        for row, place in (places[0], places[len(places) // 2], places[-1]):
            forged = copy.deepcopy(document)
            numbers_at(forged, field, row)[place] += by
            assert refused(forged)


def test_counts_that_went_to_another_model_are_refused(document):
    forged = copy.deepcopy(document)
    (row, place), (other, there) = places_of(document)[:2]
    for field in ("counts", "squares"):
        one, two = numbers_at(forged, field, row), numbers_at(forged, field, other)
        one[place], two[there] = two[there], one[place]
    assert refused(forged) or forged == document
    forged = copy.deepcopy(document)
    numbers_at(forged, "counts", row).append(0)
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


def test_an_estimate_does_not_become_exact():
    twins = wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 1}, "y": {"a": 1, "b": 2, "c": 2}})
    for ask, change in (
        (
            wl.lp.winning_shares,
            {
                "wins": {"counts": [1, 0, 0, 0], "squares": [1, 0, 0, 0]},
                "winning_weights": {"a": [0.5, 0.5]},
            },
        ),
        (wl.lp.duel_shares, {"wins": {"counts": [[0] * 3] * 3, "squares": [[0] * 3] * 3}}),
    ):
        document = ask(twins, samples=100, rng=1).to_dict() | change
        document |= {"proved": ["everything"], "believed": []}
        document["draws"] |= {"method": "one point", "samples": 1}
        with pytest.raises(wl.ProofError, match="the weights of this space are drawn as independent, not one point"):
            result_from_dict(document).verify(twins)


def test_draws_that_chains_cannot_have_made_are_refused():
    document = wl.lp.winning_shares(BOARD, samples=300, rng=1, space=FACE).to_dict()
    document["draws"] |= {"samples": 301}
    document["wins"]["counts"][-1] += 1
    with pytest.raises(wl.ProofError, match="301 draws are not what hit-and-run makes"):
        result_from_dict(document).verify(BOARD)


def test_another_prior_is_refused(document):
    forged = copy.deepcopy(document)
    forged["draws"]["prior"]["w"] = "7/1"
    assert refused(forged)
    forged["draws"]["prior"]["w"] = "0/1"
    assert refused(forged)


def test_other_central_weights_are_refused(document):
    for key in {"winning_weights", "first_weights"} & document.keys():
        for model, row in document[key].items():
            for other in ([row[1], row[0], *row[2:]], [sum(row), *([0.0] * (len(row) - 1))], [-1.0, *row[1:]], row[1:]):
                forged = copy.deepcopy(document)
                forged[key][model] = other
                assert refused(forged) or row == other
            forged = copy.deepcopy(document)
            del forged[key][model]
            assert refused(forged)
        strange = next((model for model in BOARD.models if model not in document[key]), "nobody")
        forged = copy.deepcopy(document)
        forged[key][strange] = [0.5] * len(BOARD.tasks)
        assert refused(forged)


def test_another_table_is_refused(document):
    other = wl.Leaderboard(BOARD.scores.iloc[::-1].set_axis(BOARD.models, axis=0))
    with pytest.raises(wl.ProofError):
        result_from_dict(document).verify(other)


def test_another_space_is_refused(document):
    other = wl.lp.WeightSpace(BOARD).at_most("w", "0.45").to_dict()
    forged = copy.deepcopy(document)
    for holder in (forged["draws"], forged.get("prospects", forged["draws"])):
        holder["space"] = other
        assert refused(forged)


@pytest.mark.parametrize("name", ["ranks", "duels", "ranks in a space", "duels in a space", "winning shares"])
def test_a_sample_that_takes_long_to_draw_again_is_not_drawn(name):
    """Of a hundred million weightings verify says at once that they are not checked."""
    claim = SHARES[name]()
    many = dataclasses.replace(claim, draws=dataclasses.replace(claim.draws, samples=10**8))
    with pytest.raises((wl.UnprovedError, wl.ProofError), match=r"would take some \d+ minutes|do not add up"):
        many.verify(BOARD)
