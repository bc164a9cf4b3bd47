"""What the majority of a dataset's metrics says: who beats whom, whether that makes sense, and the witness if not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from weightlab._record import Record
from weightlab.data import Margins, Profile
from weightlab.graph import (
    condorcet_winner,
    count_three_cycles,
    intransitive_triple,
    shortest_cycle,
    weak_condorcet_winners,
)

__all__ = ["Majority", "majority_of"]


@dataclass(frozen=True, kw_only=True)
class Majority(Record):
    """The majority relation of some rankings.

    Attributes
    ----------
    beats : dict from str to tuple of str
        For each model those that it beats: the strict majority relation.
    tied : tuple of pairs of str
        Duels that nobody wins; with them and ``beats`` the weak majority relation is known, too.
    transitive, weakly_transitive : bool
        Whether "beats", and "beats or ties", is transitive.
    triple : tuple of str or None
        Models x, y, z of which x beats or ties y, y beats or ties z, and z beats x; None if weakly transitive.
    acyclic : bool
        Whether "beats" runs in no circle.
    cycle : tuple of str or None
        A circle of as few models as any.
    three_cycles : int
        How many sets of three models beat one another in a circle.
    condorcet_winner : str or None
        Who beats all others.
    undefeated : tuple of str
        Who loses to nobody.
    """

    beats: Mapping[str, tuple[str, ...]]
    tied: tuple[tuple[str, str], ...]
    transitive: bool
    weakly_transitive: bool
    triple: tuple[str, ...] | None
    acyclic: bool
    cycle: tuple[str, ...] | None
    three_cycles: int
    condorcet_winner: str | None
    undefeated: tuple[str, ...]


def majority_of(source: Profile | Margins) -> Majority:
    """Return what the majority says, weights counted."""
    margins = source.margins() if isinstance(source, Profile) else source
    models, lead = margins.models, margins.array
    cycle = shortest_cycle(margins)
    triple = intransitive_triple(margins, strict=False)
    return Majority(
        beats={
            model: tuple(models[i] for i in np.flatnonzero(row > 0)) for model, row in zip(models, lead, strict=True)
        },
        tied=tuple((models[i], models[j]) for i, j in np.argwhere(np.triu(lead == 0, k=1)).tolist()),
        transitive=intransitive_triple(margins) is None,
        weakly_transitive=triple is None,
        triple=triple,
        acyclic=cycle is None,
        cycle=cycle,
        three_cycles=count_three_cycles(margins),
        condorcet_winner=condorcet_winner(margins),
        undefeated=weak_condorcet_winners(margins),
    )
