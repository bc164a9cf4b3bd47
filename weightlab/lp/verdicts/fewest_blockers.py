"""Fewest blockers: as few rivals as suffice to keep a model from winning."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import SignArray
from weightlab._result import Exact, Proof, Record, ensure, exact_series
from weightlab._solver import Formulation, Rows, Solver, integer_optimum, solver_name
from weightlab.lp.certificates.dual import check_bound
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.certificates.primal import leads, nonzero_series, series_dict
from weightlab.lp.space.space import Multipliers, WeightSpace

BLOCK = 2_000
"""So many rivals at a time are compared with all others in search of a pair."""


class FewestBlockers(Record):
    """A smallest set of rivals against which no weights win.

    Attributes
    ----------
    blockers : Series of Fraction by rival
        A mixture of these rivals alone over which no weights lead by more than ``bound``.
    multipliers : Series of Fraction by row name
        Multipliers of the rows of the space that take part in the proof.
    bound : Fraction
        At most 0.
    proof : Proof
        Whether that no smaller set blocks is re-checked too (``exact``: one rival; without conditions up to three,
        where no rival blocks alone and no pair does), or rests on an integer program's bound.
    solver : Solver or None
        Whose bound that is.
    """

    blockers: Exact
    multipliers: Multipliers
    bound: Fraction
    proof: Proof
    solver: Solver | None = None

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


def check_fewest(fewest: FewestBlockers, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
    """Ensure that the mixture blocks, and that no smaller set does as far as this is said to be exact."""
    shares, named = series_dict(fewest.blockers), fewest.rivals
    idle = [rival for rival, share in shares.items() if share <= 0]
    ensure(not idle, f"{idle[:1]} is among the fewest blockers without a share")
    ensure(isinstance(fewest.bound, Fraction), f"the bound {fewest.bound!r} is no exact number")
    ensure(fewest.bound <= 0, f"the fewest blockers prove only a margin of at most {fewest.bound}")
    check_bound(signs, rivals, shares, fewest.multipliers, space, bound=fewest.bound)
    alone = [] if len(named) == 1 else np.flatnonzero(signs.max(axis=1) <= 0).tolist()
    ensure(not alone, f"{[rivals[one] for one in alone[:1]]} blocks alone, so {len(named)} blockers are not the fewest")
    if _is_checkable(len(named), space):
        pair = _blocking_pair(signs) if len(named) == 3 else None
        ensure(
            pair is None, f"{[rivals[one] for one in pair or ()]} block, so {len(named)} blockers are not the fewest"
        )
        ensure(fewest.proof is Proof.EXACT, "that so few blockers are the fewest is exact, not on a solver's word")
    else:
        ensure(fewest.proof is Proof.EXACT_WITNESS, "that so many blockers are the fewest rests on a solver's bound")
    ensure((fewest.solver is None) == (fewest.proof is Proof.EXACT), "a solver is named where its bound is relied on")


def _is_checkable(size: int, space: WeightSpace) -> bool:
    """Tell whether it takes no solver to see that no smaller set of rivals blocks."""
    return size == 1 or (size <= 3 and not space.conditions)


def _blocking_pair(signs: SignArray) -> tuple[int, int] | None:
    """Return two rivals that block together, given that none of them blocks alone and all weights are allowed.

    Some mixture of two rows is nowhere positive. Where one has 1 the other must have -1, so equal shares will do: the
    rows sum to at most 0 everywhere.
    """
    ahead, level = (signs == 1).astype(np.float32), (signs >= 0).astype(np.float32)
    for start in range(0, len(signs), BLOCK):
        part = slice(start, start + BLOCK)
        positive = ahead[part] @ level.T + level[part] @ ahead.T
        pairs = np.argwhere(positive == 0)
        if len(pairs):
            return int(pairs[0][0]) + start, int(pairs[0][1])
    return None


def fewest_blockers_of(
    signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, time_limit: float | None = None
) -> FewestBlockers:
    """Return a smallest set of rivals that keeps a model from winning strictly.

    A set blocks when it hits, for every weighting of the space, the rivals that are not beaten under it. Such sets of
    rivals are generated lazily (the implicit hitting set approach: Moreno-Centeno and Karp, Operations Research 61,
    2013): an integer program proposes the smallest set that hits those found so far, and the widest margin over the
    proposed rivals alone either proves that they block or yields a weighting that beats them all, hence the next set
    to hit.

    Raises
    ------
    UnprovedError, TimeLimitError
        If no proof was found, or the time limit (for each program) came first; ``known`` has the least size so far.
    """
    to_hit: list[np.ndarray] = []
    chosen = [_most_blocking(signs)]
    while True:
        proof = widest_margin(signs[chosen], [rivals[r] for r in chosen], space, time_limit=time_limit)
        if proof.upper <= 0:
            return _proved(proof, space)
        beaten = leads(signs, proof.weights)
        to_hit.append(np.array([lead <= 0 for lead in beaten]))
        chosen = _smallest_hitting_set(to_hit, time_limit)


def _most_blocking(signs: SignArray) -> int:
    """Return a rival that blocks alone when there is one: one that the model leads nowhere and trails most often."""
    behind = signs.max(axis=1) <= 0
    total = signs.sum(axis=1, dtype=np.int64)
    return int(np.argmin(np.where(behind, total - 2 * signs.shape[1], total)))


def _proved(proof: MarginProof, space: WeightSpace) -> FewestBlockers:
    blockers = nonzero_series(proof.blockers, proof.rivals, "blocker")
    checkable = _is_checkable(len(blockers), space)
    return FewestBlockers(
        blockers=blockers,
        multipliers=exact_series(proof.multipliers, space.row_names, "multiplier"),
        bound=proof.upper,
        proof=Proof.EXACT if checkable else Proof.EXACT_WITNESS,
        solver=None if checkable else solver_name(),
    )


def _smallest_hitting_set(to_hit: Sequence[np.ndarray], time_limit: float | None) -> list[int]:
    columns = [str(rival) for rival in range(len(to_hit[0]))]
    labels = [f"weighting {number}" for number in range(1, len(to_hit) + 1)]
    rows = Rows.from_matrix(np.array(to_hit, dtype=np.int8), lower=1, labels=labels)
    program = Formulation.over(columns, rows, name="fewest blockers", objective=1, upper=1, integral=True)
    optimum = integer_optimum(program, time_limit=time_limit)
    return [rival for rival, chosen in enumerate(optimum.x) if chosen]
