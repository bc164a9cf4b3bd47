"""In which sequence duels are taken up: the strongest first, equally strong ones by a given order of the models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from weightlab._typing import AnyArray
from weightlab.exceptions import InputError, UnknownNameError

__all__ = ["Sequenced", "TieBreakOrder", "in_sequence", "tie_break_order"]

TieBreakOrder: TypeAlias = Literal["alphabetical", "board"] | Sequence[str]
"""By code point, in board order, or in the order given."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Sequenced:
    """The duels that are won, in the sequence in which they are taken up.

    Attributes
    ----------
    winners, losers : ndarray of int
        Places of the two models of each duel.
    strengths : ndarray of int
        How strong each majority is.
    """

    winners: AnyArray
    losers: AnyArray
    strengths: AnyArray

    def __len__(self) -> int:
        """Count the duels that are won."""
        return len(self.winners)

    def precedence(self, count: int) -> AnyArray:
        """Return models x models: the greater the earlier the row's win over the column is taken up; 0 for no win."""
        array = np.zeros((count, count), dtype=np.int64)
        array[self.winners, self.losers] = np.arange(len(self), 0, -1)
        return array


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
    for name in listed:
        if name not in models:
            raise UnknownNameError("model", name, models)
    if len(set(listed)) < len(listed) or len(listed) < len(models):
        missing = [name for name in models if name not in listed]
        raise InputError(
            f"tie_break must name every model once; {len(listed)} names, missing: {', '.join(missing) or 'none'}"
        )
    return listed


def in_sequence(links: AnyArray, models: Sequence[str], order: Sequence[str]) -> Sequenced:
    """Return the duels that are won: by falling strength, then by the winner's place in the order, then the loser's."""
    place = {model: position for position, model in enumerate(order)}
    places = np.array([place[model] for model in models], dtype=np.int64)
    winners, losers = np.nonzero(links > 0)
    strengths = links[winners, losers]
    # Fractions and large integers are ranked first: lexsort wants machine numbers.
    if strengths.dtype.kind == "O":
        ranks = np.unique(strengths, return_inverse=True)[1].astype(np.int64)
    else:
        ranks = strengths.astype(np.int64)
    sequence = np.lexsort((places[losers], places[winners], -ranks))
    return Sequenced(winners=winners[sequence], losers=losers[sequence], strengths=strengths[sequence])
