"""Head-to-heads that missing scores decide: whose winner depends on how a missing score counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, common_denominator
from weightlab._result import ByName, Result, Seen, ensure
from weightlab._text import first_few
from weightlab.data.convert import ProfileLike, Unlisted, as_leaderboard, as_listed, ensure_listed
from weightlab.data.margins import Margins
from weightlab.data.signs import Signs
from weightlab.graph.majority_graph import ensure_same_places

WAYS = {"as ties": 0, "as the worst": 1, "as the best": -1}
"""How missing scores count, and what the weight counts on which one model alone has a score."""


class MissingScorePairs(Result, kind="missing_score_pairs"):
    """The pairs of models whose head-to-head winner depends on how missing scores count.

    Attributes
    ----------
    pairs : tuple of (str, str)
        The pairs, in board order.
    weights : Series of Fraction by task
        The weights of the majorities.
    signs : Signs
        The places of the scores, and which of them are missing.
    """

    pairs: tuple[tuple[str, str], ...]
    weights: Seen[pd.Series] = ByName("signs.tasks")
    signs: Signs

    def __str__(self) -> str:
        """Return the sentence that counts the pairs and names the first."""
        count, models = len(self.pairs), len(self.signs.models)
        every = models * (models - 1) // 2
        pairs = f"{count:,} of {every:,}" if count else f"None of {every:,}"
        depend = f"{pairs} head-to-head{'s' * (every > 1)} depend{'s' * (count < 2)} on how missing scores count"
        named = first_few((f"{model} vs {rival}" for model, rival in self.pairs), 1)
        return f"{depend}{': ' * bool(count)}{named}."

    def to_frame(self) -> pd.DataFrame:
        """Return for each pair who wins by each way to count missing scores; "" is a tie."""
        place = {model: row for row, model in enumerate(self.signs.models)}
        rows = dict(zip(self.signs.models, self._leads(), strict=True))
        found = [(*pair, *(("", *pair)[sign] for sign in rows[pair[0]][:, place[pair[1]]])) for pair in self.pairs]
        return pd.DataFrame(found, columns=["model", "rival", *WAYS], dtype=object)

    def _leads(self) -> Iterator[AnyArray]:
        """Yield for each model the signs of its margins over all (ways x models), counted task by task."""
        weights = np.array(common_denominator(self.weights.tolist())[0], dtype=object)
        present = (self.signs.places.leading >= 0).astype(np.int8)
        for row in range(len(self.signs.models)):
            signs, alone = self.signs.over_all(row), present[row] - present
            yield np.array([np.sign((signs + way * alone) @ weights) for way in WAYS.values()]).astype(np.int8)

    def verify(self, source: ProfileLike | None = None) -> bool:
        """Count every head-to-head again in each way, task by task; given the source, compare scores and weights.

        Raises
        ------
        ProofError
            Naming the first pair that is wrongly there, or not there.
        """
        if source is not None:
            ensure_listed(partial(ensure_same_places, self.signs, self.weights), source)
        ensure(all(weight >= 0 for weight in self.weights), "a weight is negative")
        models, leads = self.signs.models, enumerate(self._leads())
        found = [(row, rival) for row, own in leads for rival in np.flatnonzero((own != own[0]).any(axis=0)).tolist()]
        depending = [(models[row], models[rival]) for row, rival in found if row < rival]
        for pair, listed in zip((*depending, None), (*self.pairs, None), strict=False):
            ensure(pair or not listed, f"{listed} does not depend on missing scores, or is not in order")
            ensure(pair == listed, f"{pair} depends on missing scores; {listed} is listed in its place")
        return True


def missing_score_pairs(source: ProfileLike, *, unlisted: Unlisted | None = None) -> MissingScorePairs:
    """Return the pairs whose head-to-head winner differs between some two ways to count the missing scores.

    The ways: a missing score ties with every score; it is worse than every score of its task; it is better than every
    one. Two missing scores of one task tie in each. A pair that ties in one way and not in another depends, too.

    Parameters
    ----------
    source : Leaderboard or Profile
        The table with its weights; a model that a voter does not rank lacks that voter's score.
    unlisted : {"last", "unknown"}, optional
        With ``"last"`` no score is missing: models that a voter leaves out are behind all that it ranks, in each way.

    Returns
    -------
    MissingScorePairs
        ``.pairs`` ``.summary()`` ``.verify()``.

    Notes
    -----
    Of the tasks on which one of two models alone has a score, the worst way gives each to the model that has it: the
    margin grows by the difference of the weights on which the two have scores, and in the best way it shrinks by as
    much. So a pair depends exactly when this difference is not 0 and at least as large as the margin: O(models^2) once
    the margins are counted. `lp.missing` asks about all values that each score may have.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": None, "b": 1}, "z": {"a": 4, "b": 4}})
    >>> print(missing_score_pairs(board))
    1 of 1 head-to-head depends on how missing scores count: a vs b.
    """
    board = as_leaderboard(as_listed(source, unlisted))
    signs, weights = board.signs(), board.weights
    numerators, _ = common_denominator(weights.tolist())
    margins = Margins.from_signs(signs, weights.tolist()).array
    # Sums of weights fit the margins' type: they are at most the sum of all.
    scored = (~np.isnan(signs.levels) @ np.array(numerators, dtype=object)).astype(margins.dtype)
    shift = abs(scored[:, None] - scored)
    depends = (shift > 0) & (abs(margins) <= shift)
    pairs = np.argwhere(np.triu(depends)).tolist()
    return MissingScorePairs(
        pairs=tuple((signs.models[row], signs.models[rival]) for row, rival in pairs), weights=weights, signs=signs
    )
