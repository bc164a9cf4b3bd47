"""What the rankings from majorities have in common: who defeats whom, hence winners, levels and order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, cast

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, IntArray
from weightlab._result import BoolMatrix, Result, Seen, ensure
from weightlab.data import Order
from weightlab.data.margins import Margins
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.graph.majority_graph import MajorityLike, beats, check_margins, names_where


def relation_frame(relation: BoolArray, models: Sequence[str]) -> pd.DataFrame:
    """Return a relation as a frame, models x models, or raise InputError."""
    if relation.shape != (len(models), len(models)):
        raise InputError(f"a relation of {len(models)} models needs as many rows and columns")
    return pd.DataFrame(relation, index=list(models), columns=list(models))


class MajorityRanking(Result):
    """A rule's defeats among the models, with the margins that they follow from.

    Attributes
    ----------
    defeats : DataFrame of bool, models x models
        Whether the row defeats the column by this rule. Never in a cycle.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    margins : Margins
        The margins that the claim is about.
    """

    derived = ("winners",)

    defeats: Seen[pd.DataFrame] = Seen(
        BoolMatrix,
        lambda relation: np.array(relation, dtype=np.bool_),
        lambda record, held: relation_frame(held, record.models),
    )
    strength: Strength
    margins: Margins

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.margins.models

    @property
    def winners(self) -> tuple[str, ...]:
        """The models that no model defeats, in board order; never empty."""
        return names_where(self.models, self._defeats.sum(axis=0) == 0)

    @property
    def order(self) -> Order | None:
        """The weak order that the defeats are, best first; None where they are not one.

        Models that do not defeat one another may stand in one place only if they defeat, and are defeated by, the
        same models. ``levels`` always exist.
        """
        return weak_order(self.models, self._defeats)

    @property
    def levels(self) -> Order:
        """The undefeated models, then those undefeated once these have left, and so on: a weak order all the same.

        A model stands above all that it defeats. Where ``order`` exists the two are equal.
        """
        return levels_of(self.models, self._defeats)

    @property
    def _defeats(self) -> BoolArray:
        return cast("BoolArray", vars(self)["defeats"])

    def __str__(self) -> str:
        """Return the sentence that names the winners."""
        if len(self.winners) == 1:
            return f"{self._rule}: {self.winners[0]} wins: no model defeats it."
        return f"{self._rule}: {', '.join(self.winners)} win: no model defeats any of them."

    @property
    def _rule(self) -> str:
        return self.kind.replace("_", " ").capitalize()

    def to_frame(self) -> pd.DataFrame:
        """Return for each model its level (1 is best), how many models it defeats and how many defeat it."""
        level = {model: place for place, tied in enumerate(self.levels, start=1) for model in tied}
        levels, won, lost = (
            [level[model] for model in self.models],
            self._defeats.sum(axis=1),
            self._defeats.sum(axis=0),
        )
        frame = pd.DataFrame({"level": levels, "defeats": won, "defeated_by": lost}, index=list(self.models))
        return frame.sort_values("level", kind="stable")

    def verify(self, source: MajorityLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic; given the source, also that the margins are that source's.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        check_margins(self.margins, source)
        ensure(self._defeats.shape == (len(self.models),) * 2, "the defeats are not among the models of the margins")
        ensure(self.strength in STRENGTHS, f"majorities have no strength {self.strength!r}")
        self._check(majorities(self.margins, self.strength))
        return True

    def _check(self, links: AnyArray) -> None:
        """Raise ProofError unless the rule makes of these majorities what the result says."""
        raise ProofError(f"a {type(self).__name__} of no rule claims nothing about {len(links)} models")

    def _ensure_defeats(self, expected: BoolArray) -> None:
        """Raise ProofError unless the defeats are those expected."""
        for row, column in np.argwhere(self._defeats != expected)[:1].tolist():
            claims = "claims" if self._defeats[row, column] else "does not claim"
            pair = f"{self.models[row]!r} defeats {self.models[column]!r}"
            raise ProofError(f"the result {claims} that {pair}; the margins say otherwise")


def weak_order(models: Sequence[str], relation: BoolArray) -> Order | None:
    """Return the weak order that a strict relation is, best first, or None if it is not one.

    It is one exactly if a model stands above another whenever fewer models stand above it.
    """
    above = relation.sum(axis=0)
    if not np.array_equal(relation, above[:, None] < above):
        return None
    return tuple(names_where(models, above == count) for count in np.unique(above))


def levels_of(models: Sequence[str], relation: BoolArray) -> Order:
    """Return the maximal models of an acyclic relation, then those of the rest, and so on."""
    above = relation.sum(axis=0)
    left = np.ones(len(models), dtype=np.bool_)
    levels = []
    while left.any():
        best = left & (above == 0)
        if not best.any():
            raise InputError("a relation with a cycle has no levels")
        levels.append(names_where(models, best))
        above = above - relation[best].sum(axis=0)
        left &= ~best
    return tuple(levels)


# How strong each majority is, and the strongest paths of majorities.

Strength: TypeAlias = Literal["margins", "winning_votes"]
"""How strong a majority is: its margin, or the weight on the winner's side."""
STRENGTHS = ("margins", "winning_votes")


def majorities(margins: Margins, strength: Strength) -> AnyArray:
    """Return the strength of every majority as an integer over the margins' denominator; 0 where a pair is not won.

    Raises
    ------
    InputError
        If the strength is not known.
    """
    if strength == "margins":
        return np.asarray(np.maximum(margins.array, 0))
    if strength == "winning_votes":
        return np.where(beats(margins), margins.wins, 0)
    raise InputError(f"strength must be 'margins' or 'winning_votes'; got {strength!r}")


def path_strengths(links: AnyArray) -> AnyArray:
    """Return the strength of the strongest path between all pairs, 0 without one.

    A path is as strong as its weakest link; links are positive. O(n^3): Floyd and Warshall.
    """
    values, work = _small(links)
    np.fill_diagonal(work, 0)
    via = np.empty_like(work)
    # After k rounds ``work[i, j]`` is the strongest path whose inner models are among the first k.
    for middle in range(len(work)):
        np.minimum(work[:, middle, None], work[middle], out=via)
        np.maximum(work, via, out=work)
    np.fill_diagonal(work, 0)
    return np.asarray(values[work]) if values is not None else work


def path_strengths_by_search(links: AnyArray) -> AnyArray:
    """Return the same as ``path_strengths`` by another algorithm: Dijkstra's search from all models at once."""
    values, small = _small(links)
    count = len(small)
    everyone = np.arange(count)
    strongest = small.copy()
    strongest[everyone, everyone] = small.max(initial=0)
    # Dijkstra with "weakest link" in place of length: the strongest waiting model can be reached no better, since going
    # on never makes a path stronger. A row a starting model, all rows in step.
    waiting = np.ones((count, count), dtype=np.bool_)
    for _ in range(count):
        reached = np.where(waiting, strongest, -1).argmax(axis=1)
        waiting[everyone, reached] = False
        onward = np.minimum(strongest[everyone, reached][:, None], small[reached])
        np.maximum(strongest, onward, out=strongest)
    np.fill_diagonal(strongest, 0)
    return np.asarray(values[strongest]) if values is not None else strongest


def _small(links: AnyArray) -> tuple[AnyArray | None, IntArray]:
    """Return links as machine integers to work on: themselves, or their ranks and the values that these stand for."""
    if links.dtype.kind == "i":
        return None, links.copy()
    values, ranks = np.unique(np.append(links.ravel(), 0), return_inverse=True)
    return values, ranks[:-1].reshape(links.shape).astype(np.int32)


# In which sequence duels are taken up: the strongest first, equally strong ones by a given order of the models.

TieBreakOrder: TypeAlias = Literal["alphabetical", "board"] | Sequence[str]
"""By code point, in board order, or in the order given."""


def tie_break_order(models: Sequence[str], tie_break: TieBreakOrder) -> tuple[str, ...]:
    """Return the order of the models that a tie-break stands for.

    Raises
    ------
    InputError
        If it is not known, or an order that does not name every model once.
    """
    if isinstance(tie_break, str):
        if tie_break == "alphabetical":
            return tuple(sorted(models))
        if tie_break == "board":
            return tuple(models)
        raise InputError(f"tie_break must be 'alphabetical', 'board' or an order of the models; got {tie_break!r}")
    listed = tuple(str(name) for name in tie_break)
    ensure_each_once(listed, models, "tie_break must name")
    return listed


def ensure_each_once(names: Sequence[str], models: Sequence[str], what: str) -> None:
    """Raise InputError, in the words of what holds the names, unless they are each of the models, once."""
    for name in names:
        if name not in models:
            raise UnknownNameError("model", name, models)
    if len(names) != len(models) or len(set(names)) < len(names):
        missing = [name for name in models if name not in names]
        told = f"missing: {', '.join(missing)}" if missing else "one is there twice"
        raise InputError(f"{what} every model once; {told}")


def duel_sequence(links: AnyArray, models: Sequence[str], order: Sequence[str]) -> tuple[AnyArray, AnyArray]:
    """Return winners and losers: by falling strength, then by the winner's place in the order, then the loser's."""
    place = {model: position for position, model in enumerate(order)}
    places = np.array([place[model] for model in models], dtype=np.int64)
    winners, losers = np.nonzero(links > 0)
    # Fractions and large integers are ranked first: lexsort wants machine numbers.
    ranks = np.unique(links[winners, losers], return_inverse=True)[1].astype(np.int64)
    sequence = np.lexsort((places[losers], places[winners], -ranks))
    return winners[sequence], losers[sequence]
