"""Duel shares: under which share of all weightings each model beats each other one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weightlab._exact import BoolArray, FloatArray, Number, SignArray, WeightsLike, common_denominator, exact_products
from weightlab._result import Codec, Result, ensure
from weightlab._validate import RngLike
from weightlab.data.convert import SignsLike
from weightlab.data.signs import Signs
from weightlab.lp.certificates.dual import check_table
from weightlab.lp.sampling.affine_hull import AffineHull
from weightlab.lp.sampling.draws import Draws, Method, draws_from
from weightlab.lp.sampling.estimates import DrawCounts, SampledShares, read_pairs
from weightlab.lp.sampling.hit_and_run import matrix_product
from weightlab.lp.space.space import WeightSpace, signs_and_space

CELLS = 2**19
"""So many leads are looked at together."""


class DuelShares(SampledShares, Result, kind="duel_shares"):
    """The share of all weightings under which each model beats each other one, estimated from random ones.

    Attributes
    ----------
    signs : Signs
        The table's signs.
    draws : Draws
        The weightings, as a seed from which they can be drawn again.
    wins : DrawCounts
        Under how many of them each model beat each other one (models x models).
    """

    signs: Signs
    draws: Draws
    wins: Annotated[DrawCounts, Codec(DrawCounts.to_dict, read_pairs, ("signs.models",))]

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.signs.models

    @cached_property
    def tied(self) -> pd.DataFrame:
        """Which duels are tied under all weights of the space, decided exactly: their shares are 0 both ways."""
        return self._frame(_tied(self.signs, self.draws.hull))

    @cached_property
    def shares(self) -> pd.DataFrame:
        """The share of weightings under which the row beats the column."""
        return self._frame(self.wins.shares(self.draws))

    @cached_property
    def low(self) -> pd.DataFrame:
        """Lower ends of the 95% intervals; of duels that are tied throughout exactly 0."""
        return self._frame(np.where(self.tied, 0.0, self.wins.intervals(self.draws)[0]))

    @cached_property
    def high(self) -> pd.DataFrame:
        """Upper ends of the 95% intervals; of duels that are tied throughout exactly 0."""
        return self._frame(np.where(self.tied, 0.0, self.wins.intervals(self.draws)[1]))

    def _frame(self, values: Any) -> pd.DataFrame:
        return pd.DataFrame(values, index=list(self.models), columns=list(self.models))

    def __str__(self) -> str:
        """Say which duel is nearest to even."""
        count = len(self.models)
        upper = np.triu(np.ones((count, count), dtype=np.bool_), 1) & ~self.tied.to_numpy()
        if not upper.any():
            return f"Every pair of models ties under all weights.{self.space.conditions_sentence}"
        apart = np.where(upper, np.abs(self.shares.to_numpy() - self.shares.to_numpy().T), np.inf)
        row, column = divmod(int(apart.argmin()), count)
        one, other = self.shares.to_numpy()[[row, column], [column, row]].tolist()
        duel = f"{self.models[row]} beats {self.models[column]} under {one:.1%} and loses under {other:.1%}"
        return f"The head-to-head nearest to even: of {self.draws}, {duel}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return the shares, row over column."""
        return self.shares

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the hull of the space exactly; draw and count anew all that is sampled.

        As for `WinningShares.verify`. Given a source, the signs must be those of it.

        Raises
        ------
        ProofError
            Naming what fails.
        UnprovedError
            If drawing so many weightings again would take longer than some minute.
        """
        check_table(self.signs, self.space, source)
        self.draws.check()
        count = len(self.models)
        self.draws.ensure_soon(count)
        self.wins.check_form((count, count), self.draws)
        ensure(not self.wins.counts[self.tied.to_numpy()].any(), "a duel that is tied throughout was won")
        self.wins.check(_counted(self.signs, self.draws), self.draws)
        return True


def duel_shares(
    board: SignsLike,
    *,
    samples: int = 10_000,
    rng: RngLike = None,
    space: WeightSpace | None = None,
    prior: Number | WeightsLike | None = None,
    time_limit: float | None = None,
) -> DuelShares:
    """Estimate under which share of all weightings each model beats each other one.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    samples, rng, space, prior, time_limit
        As for `winning_shares`.

    Returns
    -------
    DuelShares

    Raises
    ------
    InputError, EmptySpaceError
        As for `winning_shares`.

    Notes
    -----
    Duels whose lead is the same under all weights of the space are decided exactly, so that rounding has no say. All
    other leads are looked at, in floats of 32 bits and where these cannot tell in doubles, which takes
    O(samples x models^2 x tasks) and some 30 MB: `winning_shares` takes a small part of that.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": 1, "b": 2}, "z": {"a": 5, "b": 5}})
    >>> duels = wl.lp.duel_shares(board, samples=4000, rng=1)
    >>> bool(duels.low.loc["a", "b"] < 1 / 2 < duels.high.loc["a", "b"])
    True
    """
    signs, allowed = signs_and_space(board, space)
    draws = draws_from(allowed, samples=samples, rng=rng, prior=prior, time_limit=time_limit)
    return DuelShares(signs=signs, draws=draws, wins=_counted(signs, draws))


def _counted(signs: Signs, draws: Draws) -> DrawCounts:
    """Return how often each model beats each other one."""
    count = len(signs.models)
    constant, won_at = _constant(signs, draws.hull), _won_at(signs, draws.hull)
    if draws.method is Method.POINT:
        return DrawCounts.of_chains(won_at[:, :, None])
    # Duels with a constant lead are taken from the exact one: under a lead of 0 rounding would win half of them.
    open_ = ~constant & np.tri(count, dtype=np.bool_).T
    asked = [(model, np.flatnonzero(open_[model])) for model in np.flatnonzero(open_.any(axis=1)).tolist()]

    def parts() -> Iterator[tuple[int, NDArray[np.int64]]]:
        for chain, weights in draws.by_chain(CELLS // max(count, len(signs.tasks))):
            won, light = np.where(constant, won_at * len(weights), 0), weights.astype(np.float32)
            for model, rivals in asked:
                won[model, rivals], won[rivals, model] = _duels_won(weights, light, signs.over(model, rivals))
            yield chain, won

    return DrawCounts.of_parts(parts(), (count, count))


def _duels_won(
    weights: FloatArray, light: NDArray[np.float32], duels: SignArray
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many of the weightings, also given in 32 bits, win each duel, and how many lose it."""
    # Weights sum to 1, so float32 is off by less than this in sums of so many tasks.
    off = (weights.shape[1] + 2) * 2.0**-23
    leads = matrix_product(light, np.ascontiguousarray(duels.T, dtype=np.float32))
    surely, perhaps = (_counts_of(leads > least) for least in (off, -off))
    won, lost = surely, len(weights) - perhaps
    # Leads that may be rounding are summed in doubles.
    doubtful = np.flatnonzero(surely < perhaps)
    near = np.abs(leads[:, doubtful]) <= off
    rows = np.flatnonzero(near.any(axis=1))
    exact = np.where(near[rows], weights[rows] @ duels[doubtful].T.astype(np.float64), 0)
    won[doubtful] += np.count_nonzero(exact > 0, axis=0)
    lost[doubtful] += np.count_nonzero(exact < 0, axis=0)
    return won, lost


def _counts_of(told: BoolArray) -> NDArray[np.int64]:
    """Return how many of each column are True: as bytes, of which 255 do not overflow, and many columns at once."""
    whole = len(told) - len(told) % 255
    sums = told[:whole].view(np.uint8).reshape(255, -1).sum(axis=0, dtype=np.uint8).reshape(-1, told.shape[1])
    rest = told[whole:].view(np.uint8).sum(axis=0, dtype=np.uint8)
    counts: NDArray[np.int64] = sums.sum(axis=0, dtype=np.int64) + rest
    return counts


def _won_at(signs: Signs, hull: AffineHull) -> NDArray[np.int64]:
    """Return 1 where the row beats the column under the hull's point, exactly."""
    weights = common_denominator(hull.point.tolist())[0]
    leads = [exact_products(signs.over_all(model), weights).tolist() for model in range(len(signs.models))]
    return np.array([[lead > 0 for lead in row] for row in leads], dtype=np.int64)


def _constant(signs: Signs, hull: AffineHull) -> BoolArray:
    """Tell which duels have the same lead under all weights of the space."""
    # In the full dimension only a row of equal signs does.
    full = hull.dimension == len(signs.tasks) - 1
    duels = (signs.over_all(model) for model in range(len(signs.models)))
    return np.array([(rows == rows[:, :1]).all(axis=1) if full else hull.constant(rows) for rows in duels])


def _tied(signs: Signs, hull: AffineHull) -> BoolArray:
    """Tell which duels are tied under all weights of the space."""
    won = _won_at(signs, hull)
    return np.asarray(_constant(signs, hull) & (won == 0) & (won.T == 0), dtype=np.bool_)
