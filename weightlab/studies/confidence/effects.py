"""How large differences are: effect sizes with intervals, what was large enough to be found, and what is equivalent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import FloatArray
from weightlab._result import Frozen, Proof, Result, ensure
from weightlab._text import counted, first_few, level_text, shown
from weightlab._version import __version__
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Margins, as_table
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.rules import rule as registered
from weightlab.rules.inputs import InapplicableError, group_weighted, weighing
from weightlab.studies.confidence.contributions import shares, task_strata, task_values
from weightlab.studies.confidence.joint_differences import RankTest, rule_asked
from weightlab.studies.confidence.rank_sets import ASSUMED, METHODS, Bounds, RankSets, rank_sets
from weightlab.studies.confidence.rank_tests import legendre, task_ranks
from weightlab.studies.confidence.sign_tests import binomial_leads
from weightlab.studies.confidence.simultaneous import Stratum, estimated
from weightlab.studies.parallel import checked_share
from weightlab.studies.question import AskedRule

NODES, STEPS = 96, 38
"""Nodes of the integral over the spread, and halvings of the range of a noncentrality."""
OF_PAIRS = ("d", "d_low", "d_high", "won", "won_low", "won_high", "detectable")
OF_MODELS = ("mean", "deviation")
"""The parts that ``verify`` works out again."""
MEASURED = frozenset({"bootstrap_t", "student", "shrunken", "nemenyi"})
"""Methods whose intervals are as many standard errors wide on either side."""


class Effects(Result, kind="effects"):
    """How large the differences between models are, beside the ranks that hold for all of them together.

    Attributes
    ----------
    sets : RankSets
        The joint intervals and ranks, over tasks.
    reference : str
        The model that the others are compared with in the table; the best by default.
    power : float
        For ``detectable``.
    margin : float or None
        Differences below this do not matter: ``equivalent`` has the pairs whose whole joint interval is within it.
    mean, deviation : ndarray of float
        By model the weighted mean of its scores, and their standard deviation over the tasks, in the table's units;
        negated where some tasks count upwards and others, here, downwards.
    d, d_low, d_high : ndarray of float
        By pair Cohen's d of paired scores: the mean difference in standard deviations of the differences, positive
        where the model is better, and its confidence interval, each by itself. NaN where the differences do not vary.
    won, won_low, won_high : ndarray of float
        By pair the share of the tasks on which both have a score and differ that the model won, and its exact
        interval, each by itself. NaN where it never differs.
    detectable : ndarray of float
        The smallest difference, in units of the rule's score a task, that these tasks would have separated with that
        ``power``, were the noise what it seems. NaN for methods without such an interval, and undecided pairs.
    """

    derived = ("equivalent_pairs",)

    sets: RankSets
    reference: str
    power: float
    margin: float | None = None
    mean: Bounds = field(repr=False)
    deviation: Bounds = field(repr=False)
    d: Bounds = field(repr=False)
    d_low: Bounds = field(repr=False)
    d_high: Bounds = field(repr=False)
    won: Bounds = field(repr=False)
    won_low: Bounds = field(repr=False)
    won_high: Bounds = field(repr=False)
    detectable: Bounds = field(repr=False)

    def __post_init__(self) -> None:
        """Raise InputError for settings and parts that are none."""
        checked_share("power", self.power)
        if self.margin is not None and not (self.margin > 0 and math.isfinite(self.margin)):
            raise InputError(f"margin must be a number above 0; got {self.margin!r}")
        if self.reference not in self.sets.models:
            raise UnknownNameError("model", self.reference, self.sets.models, holder="rank sets")
        for names, count in ((OF_PAIRS, len(self.sets.p)), (OF_MODELS, len(self.sets.models))):
            if any(len(getattr(self, name)) != count for name in names):
                raise InputError(f"{', '.join(names)} must have {count} entries each")

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"coverage": Proof.SAMPLED}

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row a pair, the model before the rival in board order: joint interval, p, and the effects."""
        return self.sets.pairs.assign(**{name: getattr(self, name) for name in OF_PAIRS})

    @property
    def equivalent(self) -> pd.DataFrame:
        """The pairs whose whole joint interval lies within the margin, with their intervals; none without a margin."""
        found = self.sets.pairs
        reach = 0.0 if self.margin is None else self.margin
        return found[(found["low"] > -reach) & (found["high"] < reach)].reset_index(drop=True)

    @property
    def equivalent_pairs(self) -> int:
        """How many pairs are equivalent."""
        return len(self.equivalent)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a model, best first: mean, deviation, average rank, joint ranks, d against the reference.

        ``d`` is negative where the model is behind the reference.
        """
        found, rows = self.sets, {}
        for model, (low, high) in found.rank_sets.items():
            place = found.models.index(model)
            d, d_low, d_high = self.against(model)
            rows[model] = (
                self.mean[place],
                self.deviation[place],
                found.mean_ranks[place],
                low,
                high,
                d,
                d_low,
                d_high,
            )
        names = ["mean", "deviation", "mean_rank", "low", "high", "d", "d_low", "d_high"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=names)

    def against(self, model: str) -> tuple[float, float, float]:
        """Return Cohen's d of a model against the reference, and its interval; NaN of the reference itself."""
        models = self.sets.models
        one, other = models.index(model), models.index(self.reference)
        if one == other:
            return math.nan, math.nan, math.nan
        first, second = min(one, other), max(one, other)
        pair = first * len(models) - first * (first + 1) // 2 + second - first - 1
        d, low, high = float(self.d[pair]), float(self.d_low[pair]), float(self.d_high[pair])
        return (d, low, high) if one == first else (-d, -high, -low)

    def __str__(self) -> str:
        """Return a paragraph for a paper: what was compared by which test, what was separated, and how far."""
        found, pairs = self.sets, counted(len(self.sets.p), "pair")
        best = found.order[0]
        low, high = found.rank_sets[best]
        ranks = f"rank {low}" if low == high else f"ranks {low} to {high}"
        place = f"average rank {found.mean_ranks[found.models.index(best)]:.2f}, {ranks}"
        kind = "Tests" if found.method == "wilcoxon" else "Confidence intervals"
        level = level_text(found.level)
        assumed = ASSUMED[found.method].format(units="tasks")
        compared = f"{counted(len(found.models), 'model')} were compared on {counted(found.tasks, 'task')}"
        first = f"{best} comes first ({place} at {level} for all models together)"
        return (
            f"{compared} by {found.question.name}. {kind} of all pairs jointly at {level} ({METHODS[found.method]}; "
            f"assumed: {assumed}) separate {found.separated:,} of {pairs}.{found.compared}{self._omnibus}"
            f"{found.doubts} {first}; {counted(len(found.contenders), 'model')} may be first.{self._sizes}"
            f"{self._powerful}{self._alike} Computed with weightlab {__version__}."
        )

    @property
    def _omnibus(self) -> str:
        tested = self.sets.friedman
        if tested is None:
            return ""
        verb = "rejects" if tested.p <= 1 - self.sets.level else "does not reject"
        told = f"chi-squared {tested.statistic:.3g}, {len(self.sets.models) - 1} degrees of freedom, p = {tested.p:.2g}"
        return f" Friedman's test {verb} equal ranks ({told})."

    @property
    def _sizes(self) -> str:
        sizes = [self.against(model)[0] for model in self.sets.models if model != self.reference]
        sizes = [one for one in sizes if not math.isnan(one)]
        if not sizes:
            return ""
        ends = f"{min(sizes):.2f} to {max(sizes):.2f}" if min(sizes) < max(sizes) else f"{sizes[0]:.2f}"
        return f" Against {self.reference} the effect sizes of the others (Cohen's d of paired scores) are {ends}."

    @property
    def _powerful(self) -> str:
        known = self.detectable[~np.isnan(self.detectable)]
        if not len(known):
            return ""
        return (
            f" With noise of this size these tasks separate a difference of {np.median(known):.3g} a task "
            f"(by {self.sets.question.name}; median of the pairs, {known.min():.3g} to {known.max():.3g}) with "
            f"{level_text(self.power)} power."
        )

    @property
    def _alike(self) -> str:
        if self.margin is None:
            return ""
        rows = self.equivalent[["model", "rival"]].to_numpy().tolist()
        named = f": {first_few(f'{one} and {other}' for one, other in rows)}" if rows else ""
        verb = "is" if len(rows) == 1 else "are"
        return (
            f" {counted(len(rows), 'pair')} {verb} equivalent within {self.margin:g} (the whole joint interval lies "
            f"within){named}."
        )

    def to_latex(self) -> str:
        """Return the table for a paper (booktabs), with the paragraph beneath it; names are escaped."""
        level = latex(level_text(self.sets.level))
        head = [
            "Model", "Mean", "SD", "Average rank", f"Rank ({level})", f"$d$ against {latex(self.reference)} ({level})"
        ]  # fmt: skip
        rows = []
        for model, mean, deviation, rank, low, high, d, d_low, d_high in self.to_frame().itertuples(name=None):
            ranks = f"{low}" if low == high else f"{low}--{high}"
            effect = "" if math.isnan(d) else f"${d:.2f}$ $[{d_low:.2f}, {d_high:.2f}]$"
            cells = (f"{{{latex(model)}}}", f"{mean:.4g}", f"{deviation:.3g}", f"{rank:.2f}", ranks, effect)
            rows.append(" & ".join(cells) + r" \\")
        lines = [
            "% \\usepackage{booktabs}",
            r"\begin{tabular}{lrrrcr}", r"\toprule", " & ".join(head) + r" \\", r"\midrule", *rows,
            r"\bottomrule", r"\end{tabular}", "", latex(str(self)),
        ]  # fmt: skip
        return "\n".join(lines) + "\n"

    def verify(self, source: LeaderboardLike | None = None) -> bool:
        """Check the rank sets and that effects lie in their intervals; given the source, work all of it out again.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        for name in ("d", "won"):
            value, low, high = getattr(self, name), getattr(self, f"{name}_low"), getattr(self, f"{name}_high")
            with np.errstate(invalid="ignore"):
                ensure(not ((low > value) | (high < value)).any(), f"a {name} is not in its interval")
        if source is None:
            return self.sets.verify()
        self.sets.verify(as_table(source))
        numbers = vars(_sizes_of(as_table(source), self.sets, self.power))
        for name, again in numbers.items():
            near = 1e-6 * (1 + float(np.nanmax(np.abs(again), initial=0.0)))
            same = np.allclose(getattr(self, name), again, rtol=1e-6, atol=near, equal_nan=True)
            ensure(same, f"the source gives another {name}")
        return True


class _Sizes(Frozen):
    """What `Effects` has of a table, by the same names."""

    mean: FloatArray
    deviation: FloatArray
    d: FloatArray
    d_low: FloatArray
    d_high: FloatArray
    won: FloatArray
    won_low: FloatArray
    won_high: FloatArray
    detectable: FloatArray


def effects(
    source: LeaderboardLike,
    rule: AskedRule | None = None,
    *,
    level: float = 0.95,
    method: RankTest | None = None,
    power: float = 0.8,
    margin: float | None = None,
    reference: str | None = None,
    repeats: int = 2000,
    rng: int | np.random.Generator | None = 0,
    models: Iterable[str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Effects:
    """Return how large the differences between models are, what these tasks could have shown, and what is equivalent.

    Parameters
    ----------
    source : Leaderboard
        The table; its tasks are what is drawn.
    rule, level, method, repeats, rng, models, options
        As for `rank_sets`; by default the mean, and Borda with a method that tests ranks.
    power : float
        For the smallest difference that these tasks could have shown.
    margin : float, optional
        A difference that does not matter, in units of the rule's score a task: ranks by Borda, scores by the mean.
    reference : str, optional
        The model that others are compared with; by default the best.

    Returns
    -------
    Effects
        ``.to_frame()`` ``.pairs`` ``.equivalent`` ``.to_latex()`` ``.verify()``; ``str()`` is a paragraph for a paper.

    Raises
    ------
    InputError
        As `rank_sets` does, and for a power or a margin that is none, or instances and votes.

    Notes
    -----
    Cohen's d is of the scores whatever the rule is. Its interval turns the noncentral t distribution round: exact for
    independent normal differences and equal weights; of unequal ones Kish's effective number of tasks takes the place
    of their number. A power is also that of noncentral t, at the critical value of the pair's joint interval (by
    Nemenyi's test of a difference that long) and with the standard error seen. The share won is of tasks counted alike,
    with Clopper and Pearson's interval. Equivalence at joint intervals is the two one-sided tests of all pairs at once,
    each at half of what the level leaves: a pair that differs by the margin or more is called so in at most 5% of the
    data sets at 95%. O(models^2 x (tasks + 5,000)) time.

    References
    ----------
    J. Cohen, Statistical Power Analysis for the Behavioral Sciences (1988); G. Cumming and S. Finch, "A primer on the
    understanding, use, and calculation of confidence intervals that are based on central and noncentral distributions",
    Educational and Psychological Measurement 61 (2001); D. J. Schuirmann, "A comparison of the two one-sided tests
    procedure and the power approach", Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({f"t{place}": {"a": 9 + place % 3, "b": 5 + place % 2} for place in range(12)})
    >>> found = effects(board, margin=6)
    >>> round(float(found.d[0]), 2), found.equivalent_pairs
    (4.5, 1)
    """
    asked = rule or ("mean" if method is None else "borda")
    board = as_table(source)
    found = rank_sets(
        board, asked, level=level, method=method, repeats=repeats, rng=rng, models=models, options=options
    )
    return effects_of(found, board, power=power, margin=margin, reference=reference)


def effects_of(
    found: RankSets,
    source: Any,
    *,
    power: float = 0.8,
    margin: float | None = None,
    reference: str | None = None,
) -> Effects:
    """Return the effect sizes that go with rank sets of a table.

    Raises
    ------
    InputError
        If the sets are not over tasks, or a setting is none.
    """
    if found.over != "tasks" or isinstance(source, Instances | Margins):
        raise InapplicableError(f"effect sizes are of differences between tasks of a table, not of {found.over}")
    checked_share("power", power)
    return Effects(
        sets=found,
        reference=found.order[0] if reference is None else reference,
        power=float(power),
        margin=None if margin is None else float(margin),
        **vars(_sizes_of(source, found, power)),
    )


def _sizes_of(source: Leaderboard, found: RankSets, power: float) -> _Sizes:
    whole = weighing(group_weighted(source) if found.question.rule is None else source)
    board = whole.select(models=found.models)
    values, share = task_values(board, registered("mean")), shares(board)
    lower = set(board.tasks) <= set(board.lower_is_better)
    scores, there = -values if lower else values, ~np.isnan(values)
    mean = np.nansum(share[:, None] * scores, axis=0) / (share @ there)
    one = estimated([Stratum(values=values, weights=share)])
    units = one.freedom + 1
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(one.error > 0, one.value / one.error, np.nan)
    tail = (1 - found.level) / 2
    ends = [noncentrality(t, one.freedom, 1 - side) / np.sqrt(units) for side in (tail, 1 - tail)]
    rows, columns = np.triu_indices(len(board.models), 1)
    signs = board.signs()
    wins = np.stack([(signs.over_all(place) > 0).sum(axis=1) for place in range(len(board.models))]).astype(np.float64)
    won, lost = wins[rows, columns], wins[columns, rows]
    # Each by itself: Bonferroni's share of each pair is made the whole tail.
    alone = binomial_leads(won, lost, 1 - (1 - found.level) * len(won))
    some = won + lost > 0
    return _Sizes(
        mean=mean,
        deviation=deviations(scores),
        d=t / np.sqrt(units),
        d_low=ends[0],
        d_high=ends[1],
        won=np.where(some, (1 + alone.difference) / 2, np.nan),
        won_low=np.where(some, (1 + alone.low) / 2, np.nan),
        won_high=np.where(some, (1 + alone.high) / 2, np.nan),
        detectable=_detectable(board, found, power),
    )


def deviations(scores: FloatArray) -> FloatArray:
    """Return the standard deviation of each column without its gaps; NaN of a single number."""
    there = (~np.isnan(scores)).sum(axis=0)
    squares = np.nansum((scores - np.nansum(scores, axis=0) / there) ** 2, axis=0)
    return np.asarray(np.sqrt(squares / np.where(there > 1, there - 1, np.nan)))


def _detectable(board: Leaderboard, found: RankSets, power: float) -> FloatArray:
    """Return the smallest difference of each pair that its joint interval excludes 0 from with this power."""
    if found.method not in MEASURED:
        return np.full(len(found.p), np.nan)
    if found.method == "nemenyi":
        strata = [Stratum(values=-task_ranks(board), weights=shares(board))]
    else:
        strata = task_strata(board, task_values(board, rule_asked(found.question)))
    one = estimated(strata)
    with np.errstate(invalid="ignore", divide="ignore"):
        critical = np.where(one.error > 0, (found.high - found.low) / 2 / one.error, np.nan)
    return noncentrality(critical, one.freedom, 1 - power) * one.error


def noncentrality(t: FloatArray, freedom: FloatArray, chance: float) -> FloatArray:
    """Return the noncentrality under which Student's t is at most ``t`` with this chance; NaN where t is.

    Notes
    -----
    Given the spread, t is normal: its chance is an integral over the quantiles of chi-squared (Gauss and Legendre), and
    falls in the noncentrality, which is found by halving.
    """
    from scipy.special import chdtri, ndtr  # noqa: PLC0415 - takes as long to load as all of weightlab

    nodes, weights = legendre(NODES)
    known = np.flatnonzero(np.isfinite(t) & (freedom > 0))
    each, which = np.unique(freedom[known], return_inverse=True)
    spread = np.sqrt(chdtri(each[:, None], (1 - nodes) / 2) / each[:, None])[which]
    at = t[known, None] * spread
    low, high = at.min(axis=1, initial=0.0) - 8.0, at.max(axis=1, initial=0.0) + 8.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        below = ndtr(at - middle[:, None]) @ weights / 2
        low, high = np.where(below > chance, middle, low), np.where(below > chance, high, middle)
    found = np.full(len(t), np.nan)
    found[known] = (low + high) / 2
    return found


_LATEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", **{one: f"\\{one}" for one in "{}$&#_%"},
}  # fmt: skip
"""What LaTeX would obey, and how it is shown."""


def latex(text: str) -> str:
    r"""Return a text as LaTeX shows it: what LaTeX would obey is escaped, and so is what is no character.

    Examples
    --------
    >>> latex("a_b & 50%"), latex("\\input{x}")
    ('a\\_b \\& 50\\%', '\\textbackslash{}input\\{x\\}')
    """
    return "".join(_LATEX.get(one, one) for one in shown(text))
