"""Winning shares: under which share of all weightings each model is the Condorcet winner."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weightlab._exact import BoolArray, FloatArray, IntArray, Number, WeightsLike
from weightlab._result import Codec, Result, ensure
from weightlab._solver import within
from weightlab._text import counted
from weightlab._validate import RngLike
from weightlab.data.convert import SignsLike
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError
from weightlab.lp.certificates.max_margin import Verdict
from weightlab.lp.sampling import estimates
from weightlab.lp.sampling.affine_hull import AffineHull
from weightlab.lp.sampling.draws import Draws, Method, draws_from
from weightlab.lp.sampling.hit_and_run import matrix_product
from weightlab.lp.space.space import WeightSpace, signs_and_space
from weightlab.lp.verdicts.all_models import Prospects, prospects


class WinningShares(estimates.SampledShares, Result, kind="winning_shares"):
    """The share of all weightings under which each model beats every rival, estimated from random ones.

    Attributes
    ----------
    prospects : Prospects
        Who can win head-to-head at all, proved: the others' share is exactly 0.
    draws : Draws
        The weightings, as a seed from which they can be drawn again.
    wins : DrawCounts
        Under how many of them each model won and, last, that none did.
    winning_weights : ndarray of float, models x tasks
        The sum of the weightings under which each model won.
    """

    prospects: Prospects
    draws: Draws
    wins: Annotated[
        estimates.DrawCounts, Codec(estimates.DrawCounts.to_dict, estimates.read_winners, ("prospects.models",))
    ]
    winning_weights: Annotated[
        FloatArray,
        Codec(estimates.central_to_json, estimates.central_from_json, ("prospects.models", "prospects.signs.tasks")),
    ]

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.prospects.models

    @cached_property
    def positive(self) -> BoolArray:
        """Whose share is above 0, proved: who wins strictly somewhere does so on a part of the space with content."""
        return np.array([one is Verdict.STRICT for one in self.prospects.verdicts], dtype=np.bool_)

    @cached_property
    def shares(self) -> pd.DataFrame:
        """Share with the ends ``low`` and ``high`` of its 95% interval, and whether it is ``positive``, by model.

        ``positive`` is proved, whatever was drawn. A share that is not positive is exactly 0, and so is its interval;
        one that is positive lies above ``low`` even where ``low`` is 0, because none of the drawn weightings made the
        model win.
        """
        low, high = self.wins.intervals(self.draws)
        columns = {
            "share": self.wins.shares(self.draws)[:-1],
            "low": np.where(self.positive, low[:-1], 0.0),
            "high": np.where(self.positive, high[:-1], 0.0),
            "positive": self.positive,
        }
        return pd.DataFrame(columns, index=list(self.models))

    @cached_property
    def no_winner(self) -> pd.Series:
        """Share of weightings under which no model beats all others, with ``low`` and ``high``.

        Exactly 1 where no model can win head-to-head strictly.
        """
        if not self.positive.any():
            return pd.Series({"share": 1.0, "low": 1.0, "high": 1.0}, name="no winner")
        low, high = (float(one[-1]) for one in self.wins.intervals(self.draws))
        share = float(self.wins.shares(self.draws)[-1])
        return pd.Series({"share": share, "low": low, "high": high}, name="no winner")

    @cached_property
    def effective_samples(self) -> pd.Series:
        """By model, how many independent weightings would leave its share as uncertain as these do."""
        return pd.Series(self.wins.effective(self.draws)[:-1], index=list(self.models), name="effective samples")

    @cached_property
    def central_weights(self) -> pd.DataFrame:
        """The mean of the weightings under which a model won (models x tasks), for those that won some."""
        return estimates.central_frame(self.winning_weights, self.wins.counts[:-1], self.models, self.space.tasks)

    def __str__(self) -> str:
        """Say how often a model wins, and who most often."""
        return f"Of {self.draws} {self._sentence()}{self.space.conditions_sentence}"

    def _sentence(self) -> str:
        lacking = self.no_winner["share"]
        some = f"{lacking:.1%} have no Condorcet winner"
        none = {0: "each has a Condorcet winner", 1: "none has a Condorcet winner"}.get(lacking, some)
        place = int(self.wins.counts[:-1].argmax())
        first = self.models[place]
        share, low, high = self.shares.iloc[place, :3].tolist()
        if not self.positive.any():
            return f"{none}: no model can win head-to-head."
        if share == 0:
            return f"{none}, though under some {counted(int(self.positive.sum()), 'model')} can win head-to-head."
        interval = "" if low == high else f" (95% interval {min(low, estimates.ALMOST_ALL):.1%} to {high:.1%})"
        often = "all of them" if share == 1 else f"{share:.1%}"
        return f"{none}; {first} wins head-to-head most often, under {often}{interval}."

    def to_frame(self) -> pd.DataFrame:
        """Return the shares, largest first."""
        return self.shares.sort_values("share", ascending=False, kind="stable")

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check all that is proved, and draw and count anew all that is sampled.

        Who has a share above 0 is proved in exact arithmetic, and so is the hull of the space. The weightings are
        drawn again from the seed and must give the same counts. Another version of NumPy, or a processor that rounds
        another way, may turn the same seed into other weightings, which prove nothing, though they refute counts that
        chance does not explain. That the intervals cover the shares no check can say: they do so in
        95 of 100 samples.

        Raises
        ------
        ProofError
            Naming what fails.
        UnprovedError
            If drawing so many weightings again would take longer than some minute, or draws others here.
        """
        self.prospects.verify(source)
        signs, draws = self.prospects.signs, self.draws
        ensure(draws.space.to_dict() == self.prospects.space.to_dict(), "the weights are drawn from another space")
        draws.check()
        self.wins.check_form((len(self.models) + 1,), draws)
        ensure(self.wins.counts.sum() == draws.samples, "the counts do not add up to all draws")
        impossible = self.wins.counts[:-1][~self.positive]
        ensure(not impossible.any(), "a model that cannot win has won")
        draws.ensure_soon(len(self.models))
        wins, sums = _counted(signs, draws, self.positive)
        self.wins.check(wins, draws)
        estimates.check_central(self.winning_weights, self.wins.counts[:-1], sums, wins.counts[:-1], draws)
        # Winning weights are a convex set, which holds the mean of any of them.
        for model, mean in self.central_weights.iterrows():
            least = float((signs.matrix(str(model)) @ mean.to_numpy(dtype=np.float64)).min())
            ensure(least >= -estimates.NEAR, f"the central weights of {model!r} lose to a rival by {-least:.2g}")
        return True


def winning_shares(
    board: SignsLike,
    *,
    samples: int = 10_000,
    rng: RngLike = None,
    space: WeightSpace | None = None,
    prior: Number | WeightsLike | None = None,
    known: Prospects | None = None,
    time_limit: float | None = None,
) -> WinningShares:
    """Estimate under which share of all weightings each model is the Condorcet winner.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    samples : int
        How many weightings to draw; of chains, the next multiple of their number.
    rng : int or Generator, optional
        Seed; the same one gives the same answer. Without one the seed is fresh, and carried by the result.
    space : WeightSpace, optional
        Allowed weights; by default all. Shares are then of the space, in its own dimension.
    prior : number, mapping, Series or sequence, optional
        Concentrations of a Dirichlet density, exact and positive, one for all tasks or one each; by default 1, which
        is uniform. Under conditions the density is proportional to it on the space; weights that are the same on the
        whole space play no part.
    known : Prospects, optional
        What `prospects` found for the same table and space, so that it is not asked again.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    WinningShares

    Raises
    ------
    InputError
        If samples, seed or prior are wrong; if conditions have auxiliary variables that weights cannot be drawn with,
        or leave a space too narrow for floating point (1e-10 somewhere); or if concentrations below 1 meet conditions
        that tie weights to each other.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospects`.

    Notes
    -----
    All weightings, spaces that are no small part of them, and parts of their faces are drawn from independently;
    intervals are then Clopper and Pearson's. Other spaces are drawn from by 100 hit-and-run chains side by side,
    with ``draws.burn_in`` steps before the first weighting of each and ``draws.thinning`` steps between two; the
    variance between chains gives an effective number of draws, and that the interval. Chains that have not reached
    their equilibrium would make it too short.

    Counting takes O(samples x models x tasks) for each candidate that a weighting tests, a handful as a rule, and
    memory of O(2 million) numbers.

    References
    ----------
    Lahdelma and Salminen, "SMAA-2: stochastic multicriteria acceptability analysis for group decision making",
    Operations Research 49 (2001), sections 3 and 4 (acceptability indices and central weights).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    >>> shares = wl.lp.winning_shares(board, samples=4000, rng=1)
    >>> bool(shares.shares.loc["a", "low"] < 1 / 2 < shares.shares.loc["a", "high"])
    True
    >>> float(shares.shares.loc["b", "high"])
    0.0
    >>> shares.verify(board)
    True
    """
    signs, allowed = signs_and_space(board, space)
    with within(time_limit):
        draws = draws_from(allowed, samples=samples, rng=rng, prior=prior)
        if known is None:
            known = prospects(signs, space=allowed)
        else:
            _ensure_about(known, signs, allowed)
    positive = np.array([one is Verdict.STRICT for one in known.verdicts], dtype=np.bool_)
    wins, sums = _counted(signs, draws, positive)
    return WinningShares(prospects=known, draws=draws, wins=wins, winning_weights=sums)


def _ensure_about(known: Prospects, signs: Signs, space: WeightSpace) -> None:
    if not isinstance(known, Prospects):
        raise InputError(f"known= must be what `prospects` returned; got a {type(known).__name__}")
    if known.signs.to_dict() != signs.to_dict() or known.space.to_dict() != space.to_dict():
        raise InputError("known= must be the prospects of the same table under the same conditions")


def _counted(signs: Signs, draws: Draws, strict: BoolArray) -> tuple[estimates.DrawCounts, FloatArray]:
    """Return how often each model wins, and none does, and the sum of each one's winning weights."""
    count = len(signs.models)
    wins = np.zeros((count + 1, draws.chains), dtype=np.int64)
    sums = np.zeros((count, len(signs.tasks)))
    finder = StrictWinners(signs, strict, draws.hull)
    done = 0
    for weights in draws.blocks(finder.most):
        # One weighting is won by whoever can win at all: rounding has no say.
        point = draws.method is Method.POINT
        winners = np.flatnonzero([*strict, not strict.any()]) if point else finder.positions(weights) % (count + 1)
        chains = np.arange(done, done + len(weights)) % draws.chains
        places = np.ravel_multi_index((winners, chains), wins.shape)
        wins += np.bincount(places, minlength=wins.size).reshape(wins.shape)
        for model in np.unique(winners[winners < count]).tolist():
            sums[model] += weights[winners == model].sum(axis=0)
        done += len(weights)
    return estimates.DrawCounts.of_chains(wins), sums


# The Condorcet winner under each of many weightings, without forming every duel.

CELLS = 2**21
"""So many numbers, models or tasks times weightings, are looked at together."""
ROUNDING = 1e-5
"""Totals below 0 by so little, times the number of models, may be rounding, and rule no model out."""


class StrictWinners:
    """Finds who wins every duel, among models that can.

    Parameters
    ----------
    signs : Signs
        The table.
    candidates : ndarray of bool, models
        Who can be a strict winner under some weights of the space that weightings come from: none of their duels is
        tied throughout, so that rounding decides nothing but where a lead is next to 0.
    hull : AffineHull, optional
        Of that space, where it has conditions: a duel whose lead is the same under all its weights is won by a
        candidate, however little that lead may be.

    Notes
    -----
    A winner's leads are positive, hence so is their sum, its Borda score. The candidate with the greatest sum meets
    all models; a candidate whom it leads is out, and so is it itself unless it wins. Few rounds of this leave
    a winner or none. Weightings that test the same candidate share one matrix product of O(weightings x models x
    tasks). O((models + tasks) x weightings) numbers are held at once, and weightings come in parts that keep these
    within 200 MB.
    """

    def __init__(self, signs: Signs, candidates: BoolArray, hull: AffineHull | None = None) -> None:
        self.signs = signs
        self._hull = hull if hull is not None and hull.dimension < len(signs.tasks) - 1 else None
        self._behind: dict[int, BoolArray] = {}
        self.candidates = candidates
        self._totals = np.ascontiguousarray(total_signs(signs).T, dtype=np.float32)
        self._out = np.flatnonzero(~candidates)

    @property
    def most(self) -> int:
        """How many weightings to hand over at once."""
        return int(max(64, CELLS // max(self.signs.levels.shape)))

    def positions(self, weights: FloatArray) -> NDArray[np.int64]:
        """Return who wins under each weighting (weightings x tasks), -1 where none does."""
        winners = np.full(len(weights), -1, dtype=np.int64)
        # A model's total is the sum of its leads, and a strict winner's is positive: float32 with room for rounding
        # will do, since it only rules out.
        light = weights.astype(np.float32)
        totals = matrix_product(light, self._totals)
        totals[totals <= -ROUNDING * len(self.candidates)] = -np.inf
        totals[:, self._out] = -np.inf
        open_ = np.arange(len(weights))
        while True:
            tested = totals.argmax(axis=1)
            left = np.flatnonzero(totals[np.arange(len(totals)), tested] > -np.inf)
            if not len(left):
                return winners
            # Weightings that test the same model stand together and share one product.
            left = left[np.argsort(tested[left], kind="stable")]
            open_, light, totals = open_[left], light[left], totals[left]
            models, starts = np.unique(tested[left], return_index=True)
            for model, first, last in zip(models.tolist(), starts, [*starts[1:], len(left)], strict=True):
                rows = slice(first, last)
                won = self._test(model, weights, open_[rows], light[rows], totals[rows])
                winners[open_[rows][won]] = model

    def _test(
        self, model: int, weights: FloatArray, rows: IntArray, light: NDArray[np.float32], totals: NDArray[np.float32]
    ) -> BoolArray:
        """Tell under which of some weightings a model beats all others, and strike from the totals whom it leads.

        The weightings are rows of ``weights``, also given in 32 bits; of those that are won all totals are struck.
        """
        duels, behind = self.signs.over_all(model), self._surely_behind(model)
        leads = matrix_product(light, duels.T.astype(np.float32))
        # At infinity these are never the least lead, and the tested model is struck from the candidates along with
        # those that it leads.
        leads[:, behind] = np.inf
        # Weights sum to 1, so float32 is off by less than this in sums of so many tasks: nearer leads are summed in
        # doubles before a model is said to win.
        off = np.float32((weights.shape[1] + 2) * 2.0**-23)
        np.putmask(totals, leads > off, -np.inf)
        least = leads.min(axis=1)
        won: BoolArray = least > off
        near = np.flatnonzero(np.abs(least) <= off)
        won[near] = ((weights[rows[near]] @ duels.T.astype(np.float64) > 0) | behind).all(axis=1)
        totals[won] = -np.inf
        return won

    def _surely_behind(self, model: int) -> BoolArray:
        """Tell which models a candidate leads under all weights by the same, itself among them."""
        if model not in self._behind:
            own = np.arange(len(self.candidates)) == model
            constant = None if self._hull is None else self._hull.constant(self.signs.over_all(model))
            self._behind[model] = own if constant is None else own | constant
        return self._behind[model]


def total_signs(signs: Signs) -> IntArray:
    """Return for each model and task how many models it leads, less how many lead it."""
    totals = np.zeros(signs.levels.shape, dtype=np.int64)
    for task, scores in enumerate(signs.levels.T):
        if task in signs.tolerant:
            column = signs.tolerant[task]
            totals[:, task] = [int(column.signs_of(model).sum(dtype=np.int64)) for model in range(len(scores))]
            continue
        present = ~np.isnan(scores)
        ordered = np.sort(scores[present])
        below = np.searchsorted(ordered, scores[present], side="left")
        above = len(ordered) - np.searchsorted(ordered, scores[present], side="right")
        totals[present, task] = below - above
    return totals
