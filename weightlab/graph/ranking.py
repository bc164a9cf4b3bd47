"""What the rankings from majorities have in common: who defeats whom, hence winners, levels and order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._record import Travels, bits_to_json, read_bits
from weightlab._result import Result, ensure
from weightlab._typing import AnyArray, BoolArray, Order
from weightlab.data.margins import Margins
from weightlab.exceptions import InputError, ProofError
from weightlab.graph.majority import MajorityLike, margins_of, named
from weightlab.graph.strength import STRENGTHS, Strength, majorities

__all__ = ["MajorityRanking"]


def relation_frame(relation: BoolArray, models: Sequence[str]) -> pd.DataFrame:
    """Return a relation as a frame, models x models."""
    return pd.DataFrame(relation, index=list(models), columns=list(models))


def _relation_to_json(relation: pd.DataFrame) -> list[str]:
    return bits_to_json(relation.to_numpy(dtype=np.bool_))


def _read_relation(rows: Any, what: str, models: Sequence[str]) -> pd.DataFrame:
    relation = read_bits(rows, what)
    if relation.shape != (len(models), len(models)):
        raise InputError(f"{what}: a relation of {len(models)} models needs as many rows and columns")
    return relation_frame(relation, models)


Relation: TypeAlias = Annotated[pd.DataFrame, Travels(_relation_to_json, _read_relation, ("margins.models",))]
"""A relation over the models of the margins, models x models; a text of ``0`` and ``1`` a row travels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MajorityRanking(Result):
    """A rule's defeats among the models, with the margins that they follow from.

    Attributes
    ----------
    defeats : DataFrame of bool, models x models
        Whether the row defeats the column by this rule. Never in a circle.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    margins : Margins
        The margins that the claim is about.
    """

    derived = ("winners",)

    defeats: Relation
    strength: Strength
    margins: Margins = field(repr=False)

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.margins.models

    @property
    def winners(self) -> tuple[str, ...]:
        """The models that no model defeats, in board order; never empty."""
        return named(self.models, self._defeats.sum(axis=0) == 0)

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
        return np.asarray(self.defeats.to_numpy(), dtype=np.bool_)

    def __str__(self) -> str:
        """Return the sentence that names the winners."""
        if len(self.winners) == 1:
            return f"{self._rule}: {self.winners[0]} wins: no model defeats it."
        return f"{self._rule}: {', '.join(self.winners)} win: no model defeats any of them."

    @property
    def _rule(self) -> str:
        return self.kind.replace("_", " ").capitalize()

    def summary(self) -> pd.DataFrame:
        """Return for each model its level (1 is best), how many models it defeats and how many defeat it."""
        level = {model: place for place, tied in enumerate(self.levels, start=1) for model in tied}
        frame = pd.DataFrame(
            {
                "level": [level[model] for model in self.models],
                "defeats": self._defeats.sum(axis=1),
                "defeated_by": self._defeats.sum(axis=0),
            },
            index=list(self.models),
        )
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
        self.margins.check()
        if source is not None:
            self.margins.ensure_same(margins_of(source))
        labels_match = list(self.defeats.index) == list(self.models) == list(self.defeats.columns)
        ensure(labels_match, "the defeats are not among the models of the margins")
        ensure(self.strength in STRENGTHS, f"majorities have no strength {self.strength!r}")
        self._check(majorities(self.margins, self.strength))
        return True

    def _check(self, links: AnyArray) -> None:
        """Raise ProofError unless the rule makes of these majorities what the result says."""
        raise ProofError(f"a {type(self).__name__} of no rule claims nothing about {len(links)} models")

    def _claimed(self, expected: BoolArray) -> None:
        """Raise ProofError unless the defeats are those expected."""
        wrong = np.argwhere(self._defeats != expected)
        if len(wrong):
            row, column = (self.models[place] for place in wrong[0].tolist())
            claims = "claims" if self.defeats.loc[row, column] else "does not claim"
            ensure(
                holds=False, failure=f"the result {claims} that {row!r} defeats {column!r}; the margins say otherwise"
            )


def weak_order(models: Sequence[str], relation: BoolArray) -> Order | None:
    """Return the weak order that a strict relation is, best first, or None when it is none.

    It is one exactly if a model stands above another whenever fewer models stand above it.
    """
    above = relation.sum(axis=0)
    if not np.array_equal(relation, above[:, None] < above):
        return None
    return tuple(named(models, above == count) for count in np.unique(above))


def levels_of(models: Sequence[str], relation: BoolArray) -> Order:
    """Return the maximal models of an acyclic relation, then those of the rest, and so on."""
    above = relation.sum(axis=0)
    left = np.ones(len(models), dtype=np.bool_)
    levels = []
    while left.any():
        best = left & (above == 0)
        if not best.any():
            raise InputError("a relation with a cycle has no levels")
        levels.append(named(models, best))
        above = above - relation[best].sum(axis=0)
        left &= ~best
    return tuple(levels)
