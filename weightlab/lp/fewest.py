"""Blockades: as few rivals as suffice to keep a model from winning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._result import Proof, exact_series, read_fraction, to_json
from weightlab._solver import Formulation, Rows, Sense, Status, solve
from weightlab._typing import SignArray
from weightlab.exceptions import TimeLimitError, UnprovedError
from weightlab.lp.certificate import leads
from weightlab.lp.margin import MarginProof, widest_margin
from weightlab.lp.space import WeightSpace

__all__ = ["Blockade", "fewest_blockers_of"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Blockade:
    """A smallest set of rivals against which no weights win every duel outright.

    Attributes
    ----------
    blockers : Series of Fraction by rival
        A mixture of these rivals alone over which no weights lead by more than ``bound``.
    multipliers : Series of Fraction by row name
        Multipliers of the rows of the space that take part in the proof.
    bound : Fraction
        At most 0.
    proof : Proof
        Whether that no smaller set blocks is re-checked too (``exact``: one rival, or two where none of the rivals
        dominates), or rests on an integer program's bound.
    """

    blockers: pd.Series
    multipliers: pd.Series
    bound: Fraction
    proof: Proof

    def __str__(self) -> str:
        """Say who blocks."""
        names = ", ".join(self.rivals)
        if len(self.rivals) == 1:
            return f"{names} blocks alone."
        return f"{names} block together: no weights lead by more than {self.bound} over their mixture."

    @property
    def rivals(self) -> tuple[str, ...]:
        """The rivals, in board order."""
        return tuple(str(name) for name in self.blockers.index)

    def over(self, rivals: Sequence[str]) -> pd.Series:
        """Return the mixture over all rivals, 0 for those that take no part."""
        shares = dict(zip(self.rivals, self.blockers.tolist(), strict=True))
        return exact_series([shares.get(rival, Fraction(0)) for rival in rivals], rivals, "blocker")

    def to_dict(self) -> dict[str, Any]:
        """Return the blockade ready for JSON."""
        return {
            "blockers": to_json(self.blockers),
            "multipliers": to_json(self.multipliers),
            "bound": to_json(self.bound),
            "proof": str(self.proof),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Blockade:
        """Return the blockade that ``to_dict`` wrote."""
        return cls(
            blockers=exact_series(document["blockers"], list(document["blockers"]), "blocker"),
            multipliers=exact_series(document["multipliers"], list(document["multipliers"]), "multiplier"),
            bound=read_fraction(document["bound"], "bound"),
            proof=Proof(document["proof"]),
        )


def fewest_blockers_of(
    signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, time_limit: float | None = None
) -> Blockade:
    """Return a smallest blockade of a model that cannot win strictly.

    A set blocks when it meets, for every weighting of the space, the rivals that are not beaten under it. Such sets
    of rivals are generated lazily: an integer program proposes the smallest set that meets those found so far, and
    the widest margin over the proposed rivals alone either proves the blockade or yields a weighting that beats them
    all, hence the next set to meet.

    Raises
    ------
    TimeLimitError
        If the time limit comes first; ``known`` has the least size proved so far.
    """
    to_meet: list[np.ndarray] = []
    chosen = [_most_blocking(signs)]
    while True:
        proof = widest_margin(signs[chosen], [rivals[r] for r in chosen], space)
        if proof.upper <= 0:
            return _blockade(proof, space)
        beaten = leads(signs, proof.weights)
        to_meet.append(np.array([lead <= 0 for lead in beaten]))
        chosen = _smallest_meeting(to_meet, time_limit)


def _most_blocking(signs: SignArray) -> int:
    """Return a rival that blocks alone when there is one: one that the model leads nowhere and trails most often."""
    behind = signs.max(axis=1) <= 0
    total = signs.sum(axis=1, dtype=np.int64)
    return int(np.argmin(np.where(behind, total - 2 * signs.shape[1], total)))


def _blockade(proof: MarginProof, space: WeightSpace) -> Blockade:
    named = [(name, share) for name, share in zip(proof.rivals, proof.blockers, strict=True) if share]
    rechecked = len(named) == 1 or (len(named) == 2 and not space.conditions)
    return Blockade(
        blockers=exact_series([share for _, share in named], [name for name, _ in named], "blocker"),
        multipliers=exact_series(proof.multipliers, [row.name for row in space.rows], "multiplier"),
        bound=proof.upper,
        proof=Proof.EXACT if rechecked else Proof.EXACT_WITNESS,
    )


def _smallest_meeting(to_meet: Sequence[np.ndarray], time_limit: float | None) -> list[int]:
    width = len(to_meet[0])
    program = Formulation(
        name="fewest blockers",
        sense=Sense.MINIMISE,
        columns=[str(rival) for rival in range(width)],
        objective=(1,) * width,
        rows=Rows.from_matrix(
            np.array(to_meet, dtype=np.int8), lower=1, labels=[f"weighting {i + 1}" for i in range(len(to_meet))]
        ),
        lower=(0,) * width,
        upper=(1,) * width,
        integral=(True,) * width,
    )
    solution = solve(program, time_limit=time_limit)
    if solution.status is Status.TIME_LIMIT:
        raise TimeLimitError(
            "the time limit came before the fewest blockers were found", known={"bound": solution.bound}
        )
    if solution.status is not Status.OPTIMAL or solution.x is None:
        raise UnprovedError(f"the integer program of the fewest blockers ended as {solution.status}")
    return [int(rival) for rival in np.flatnonzero(solution.x > 0.5)]
