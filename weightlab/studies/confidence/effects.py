"""How large differences are: effect sizes with intervals, what was large enough to be found, and what is equivalent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, get_args

import numpy as np
import pandas as pd

from weightlab._result import Proof, Result, ensure
from weightlab._text import counted, first_few, level_text, shown
from weightlab._validate import one_of
from weightlab._version import __version__
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Margins, as_table
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.rules.inputs import InapplicableError
from weightlab.studies.confidence.contributions import OF_SCORES
from weightlab.studies.confidence.effect_sizes import EffectSize, sizes_of
from weightlab.studies.confidence.joint_differences import AskedMethod
from weightlab.studies.confidence.rank_sets import METHODS, Ends, RankSets, rank_sets
from weightlab.studies.confidence.rank_tests import OF_RANKS
from weightlab.studies.parallel import checked_share
from weightlab.studies.question import AskedRule

MOST_MODELS = 1000
"""Largest table: effect sizes of more models take minutes, and say nothing that a reader could take in."""
SYMBOLS: Mapping[EffectSize, str] = {"cohen_d": "d", "akinshin_gamma": "gamma"}
WORDS: Mapping[EffectSize, str] = {
    "cohen_d": "Cohen's d of paired scores",
    "akinshin_gamma": "Akinshin's gamma: medians apart, in pooled median absolute deviations",
}
OF_PAIRS = ("effect", "effect_low", "effect_high", "won", "won_low", "won_high", "detectable")
OF_MODELS = ("mean", "deviation")
"""The parts that ``verify`` works out again."""


class Effects(Result, kind="effects"):
    """How large the differences between models are, with the joint ranks of all models.

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
    effect_size : {"cohen_d", "akinshin_gamma"}
        By which measure: Cohen's d of paired scores, the mean difference in standard deviations of the differences; or
        Akinshin's gamma, the difference of the medians in pooled median absolute deviations of the scores.
    effect, effect_low, effect_high : ndarray of float
        By pair that measure, positive where the model is better, and its confidence interval, each by itself. NaN where
        nothing varies. Frames call them ``d`` or ``gamma``.
    won, won_low, won_high : ndarray of float
        By pair the share of the tasks on which both have a score and differ that the model won, and its exact
        interval, each by itself. NaN where it never differs.
    detectable : ndarray of float
        The smallest difference, in units of the rule's score a task, that these tasks would have separated with about
        that ``power``, were the noise what it seems (measured in "Coming from autorank"). NaN for methods without such
        an interval, and undecided pairs.
    """

    derived = ("equivalent_pairs",)

    sets: RankSets
    reference: str
    power: float
    margin: float | None = None
    effect_size: EffectSize = "cohen_d"
    mean: Ends = field(repr=False)
    deviation: Ends = field(repr=False)
    effect: Ends = field(repr=False)
    effect_low: Ends = field(repr=False)
    effect_high: Ends = field(repr=False)
    won: Ends = field(repr=False)
    won_low: Ends = field(repr=False)
    won_high: Ends = field(repr=False)
    detectable: Ends = field(repr=False)

    def __post_init__(self) -> None:
        """Raise InputError for invalid settings and parts."""
        checked_share("power", self.power)
        one_of("effect_size", self.effect_size, get_args(EffectSize))
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
        names = {name: name.replace("effect", SYMBOLS[self.effect_size]) for name in OF_PAIRS}
        return self.sets.pairs.assign(**{shown: getattr(self, name) for name, shown in names.items()})

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
        """Return one row per model, best first: mean, deviation, average rank, joint ranks, and against the reference.

        The effect size (``d`` or ``gamma``) is negative where the model is behind the reference; ``won`` is the share
        of the tasks on which they differ that the model won.
        """
        found, rows, symbol = self.sets, {}, SYMBOLS[self.effect_size]
        for model, ranks in found.rank_sets.items():
            place = found.models.index(model)
            own = (self.mean[place], self.deviation[place], found.mean_ranks[place])
            rows[model] = (*own, *ranks, *self.against(model), *self.share_won(model))
        names = ["mean", "deviation", "mean_rank", "low", "high", symbol, f"{symbol}_low", f"{symbol}_high"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=[*names, "won", "won_low", "won_high"])

    def against(self, model: str) -> tuple[float, float, float]:
        """Return the effect size of a model against the reference, and its interval; NaN of the reference itself."""
        return self._of_pair(model, "effect", 0.0)

    def share_won(self, model: str) -> tuple[float, float, float]:
        """Return the share of the tasks on which it differs from the reference that a model won, and its interval."""
        return self._of_pair(model, "won", 1.0)

    def _of_pair(self, model: str, name: str, whole: float) -> tuple[float, float, float]:
        """Return three numbers of a model and the reference; a rival has ``whole`` less those of the model."""
        models = self.sets.models
        one, other = models.index(model), models.index(self.reference)
        if one == other:
            return math.nan, math.nan, math.nan
        first, second = min(one, other), max(one, other)
        pair = first * len(models) - first * (first + 1) // 2 + second - first - 1
        value, low, high = (float(getattr(self, f"{name}{end}")[pair]) for end in ("", "_low", "_high"))
        return (value, low, high) if one == first else (whole - value, whole - high, whole - low)

    def __str__(self) -> str:
        """Return a paragraph for a paper: what was compared by which test, what was separated, and how far."""
        found, pairs = self.sets, counted(len(self.sets.p), "pair")
        best = found.order[0]
        low, high = found.rank_sets[best]
        ranks = f"rank {low}" if low == high else f"ranks {low} to {high}"
        place = f"average rank {found.mean_ranks[found.models.index(best)]:.2f}, {ranks}"
        kind = "Tests" if found.method == "wilcoxon" else "Confidence intervals"
        level = level_text(found.level)
        compared = f"{counted(len(found.models), 'model')} were compared on {counted(found.tasks, 'task')}"
        first = f"{best} comes first ({place} at {level} for all models together)"
        return (
            f"{compared} by {rule_in_words(found.question.name)}. {kind} of all pairs jointly at {level} "
            f"({METHODS[found.method]}; assumed: {found.assumed}) separate {found.separated:,} of {pairs}."
            f"{found.compared}{self._omnibus}{found.doubts} {first}; {counted(len(found.contenders), 'model')} may be "
            f"first.{self._sizes}{self._powerful}{self._alike} Computed with weightlab {__version__}."
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
        return f" Against {self.reference} the effect sizes of the others ({WORDS[self.effect_size]}) are {ends}."

    @property
    def unstated(self) -> str:
        """Why no difference is stated that these tasks could have shown, in a sentence; otherwise empty."""
        told = f"What difference these tasks could have shown with {level_text(self.power)} power is not stated"
        if self.sets.method == "wilcoxon":
            return f"{told}: the power of Wilcoxon's test depends on how the differences are spread, not on their size."
        if self.sets.method == "bounded":
            return f"{told}: bets on bounded differences are sure whatever the noise is, and do not say their power."
        if self.sets.method == "hoeffding":
            return f"{told}: weights differ, and Hoeffding's inequality bounds the share won without saying its power."
        if not np.isnan(self.detectable).all():
            return ""
        if self.sets.method == "sign_tests":
            return f"Not even a win on each of the {counted(self.sets.tasks, 'task')} would have separated two models."
        return f"{told}: no pair has an interval."

    @property
    def _powerful(self) -> str:
        if self.unstated:
            return f" {self.unstated}"
        known = self.detectable[~np.isnan(self.detectable)]
        none = f"; {len(self.detectable) - len(known):,} of them could show none" * (len(known) < len(self.detectable))
        if self.sets.method == "sign_tests":
            median, least, most = ((1 + one) / 2 for one in (np.median(known), known.min(), known.max()))
            return (
                f" A model that wins {median:.0%} of the tasks on which two differ would be separated with "
                f"{level_text(self.power)} power (median of the pairs, {least:.0%} to {most:.0%}{none})."
            )
        return (
            f" With noise of this size these tasks separate a difference of {np.median(known):.3g} {self._unit} "
            f"(median of the pairs, {known.min():.3g} to {known.max():.3g}{none}) with {self._near}."
        )

    @property
    def _near(self) -> str:
        """The power, which is close to the requested one: the noise is the observed one."""
        # Places vary less the further a model is ahead.
        asked = self.sets.question.rule
        of_places = self.sets.method == "bootstrap_t" and asked is not None and asked.name not in OF_SCORES
        more = " or more" * of_places
        return f"about {level_text(self.power)} power{more}"

    @property
    def _unit(self) -> str:
        """In what differences are counted."""
        if self.sets.method in ("sign_tests", "hoeffding"):
            return "in wins less losses as a share of the tasks"
        asked = self.sets.question.rule
        name = "mean" if asked is None else asked.name
        units = {"mean": "in average score", **dict.fromkeys(OF_RANKS, "in average rank")}
        return units.get(name, "points per task")

    @property
    def _alike(self) -> str:
        if self.margin is None:
            return ""
        rows = self.equivalent[["model", "rival"]].to_numpy().tolist()
        named = f": {first_few(f'{one} and {other}' for one, other in rows)}" if rows else ""
        verb = "is" if len(rows) == 1 else "are"
        return (
            f" {counted(len(rows), 'pair')} {verb} equivalent within {self.margin:g} {self._unit} (the whole "
            f"joint interval lies within){named}."
        )

    def to_latex(self) -> str:
        """Return the table for a paper (booktabs), with the paragraph beneath it; names are escaped."""
        level = latex(level_text(self.sets.level))
        head = [
            "Model", "Mean", "SD", "Average rank", f"Rank ({level})",
            f"{LATEX_SYMBOLS[self.effect_size]} against {latex(self.reference)} ({level})",
        ]  # fmt: skip
        rows = []
        for model, mean, deviation, rank, low, high, size, *ends in self.to_frame().iloc[:, :8].itertuples(name=None):
            ranks = f"{low}" if low == high else f"{low}--{high}"
            effect = "" if math.isnan(size) else f"${size:.2f}$ $[{ends[0]:.2f}, {ends[1]:.2f}]$"
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
        for name in ("effect", "won"):
            value, low, high = getattr(self, name), getattr(self, f"{name}_low"), getattr(self, f"{name}_high")
            with np.errstate(invalid="ignore"):
                ensure(not ((low > value) | (high < value)).any(), f"a {name} is not in its interval")
        if source is None:
            return self.sets.verify()
        self.sets.verify(as_table(source))
        numbers = vars(sizes_of(as_table(source), self.sets, self.power, self.effect_size))
        for name, again in numbers.items():
            near = 1e-6 * (1 + float(np.nanmax(np.abs(again), initial=0.0)))
            same = np.allclose(getattr(self, name), again, rtol=1e-6, atol=near, equal_nan=True)
            ensure(same, f"the source gives another {name}")
        return True


def effects(
    source: LeaderboardLike,
    rule: AskedRule | None = None,
    *,
    level: float = 0.95,
    method: AskedMethod | None = None,
    power: float = 0.8,
    margin: float | None = None,
    reference: str | None = None,
    effect_size: EffectSize = "cohen_d",
    repeats: int = 2000,
    rng: int | np.random.Generator | None = 0,
    models: Iterable[str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Effects:
    """Return how large the differences between models are, what these tasks could have shown, and what is equivalent.

    Parameters
    ----------
    source : Leaderboard
        The table; its tasks are drawn.
    rule, level, method, repeats, rng, models, options
        As for `rank_sets`; by default the mean, and Borda with a method that tests ranks.
    power : float
        For the smallest difference that these tasks could have shown.
    margin : float, optional
        A difference that does not matter, in units of the rule's score a task: ranks by Borda, scores by the mean.
    reference : str, optional
        The model that others are compared with; by default the best.
    effect_size : {"cohen_d", "akinshin_gamma"}
        The measure of effect sizes. Akinshin's gamma is robust, and needs every score and equal weights.

    Returns
    -------
    Effects
        ``.to_frame()`` ``.pairs`` ``.equivalent`` ``.to_latex()`` ``.verify()``; ``str()`` is a paragraph for a paper.

    Raises
    ------
    InputError
        As `rank_sets` does, for an invalid power or margin, for instances and votes, and for more models than
        `MOST_MODELS`.

    Notes
    -----
    Cohen's d uses the scores, whatever the rule. Its interval inverts the noncentral t distribution: exact for
    independent normal differences and equal weights; of unequal ones Kish's effective number of tasks takes the place
    of their number. A power is also that of noncentral t, at the critical value of the pair's joint interval, and of
    a standard error that is right on average (those seen are a little too small, which c4 makes good); by Nemenyi's
    test it is that of a normal difference. The share won is of tasks counted alike,
    with Clopper and Pearson's interval. Equivalence at joint intervals is the two one-sided tests of all pairs at once,
    each at half of what the level leaves: a pair that differs by the margin or more is called so in at most 5% of the
    data sets at 95%. By majority rules the power is that of the exact sign test, given how many tasks a pair differs
    on. Akinshin's gamma is autorank's; its interval is the percentiles of ``repeats`` draws of whole tasks.
    O(models^2 x (tasks + 5,000 + draws)) time.

    References
    ----------
    J. Cohen, Statistical Power Analysis for the Behavioral Sciences (1988); G. Cumming and S. Finch, "A primer on the
    understanding, use, and calculation of confidence intervals that are based on central and noncentral distributions",
    Educational and Psychological Measurement 61 (2001); D. J. Schuirmann, "A comparison of the two one-sided tests
    procedure and the power approach", Journal of Pharmacokinetics and Biopharmaceutics 15 (1987); A. Akinshin,
    "Nonparametric Cohen's d-consistent effect size" (2020).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({f"t{place}": {"a": 9 + place % 3, "b": 5 + place % 2} for place in range(12)})
    >>> found = effects(board, margin=6)
    >>> round(float(found.effect[0]), 2), found.equivalent_pairs
    (4.5, 1)
    """
    asked = rule or ("mean" if method is None else "borda")
    board = as_table(source)
    chosen = None if models is None else tuple(models)
    if isinstance(board, Leaderboard):
        refuse_many(board.models if chosen is None else chosen)
    found = rank_sets(
        board, asked, level=level, method=method, repeats=repeats, rng=rng, models=chosen, options=options
    )
    return effects_of(found, board, power=power, margin=margin, reference=reference, effect_size=effect_size)


def effects_of(
    found: RankSets,
    source: Any,
    *,
    power: float = 0.8,
    margin: float | None = None,
    reference: str | None = None,
    effect_size: EffectSize = "cohen_d",
) -> Effects:
    """Return the effect sizes that belong to rank sets of a table.

    Raises
    ------
    InputError
        If the sets are not over tasks, or a setting is invalid.
    """
    if found.over != "tasks" or isinstance(source, Instances | Margins):
        raise InapplicableError(f"effect sizes are of differences between tasks of a table, not of {found.over}")
    refuse_many(found.models)
    checked_share("power", power)
    measure: EffectSize = one_of("effect_size", effect_size, get_args(EffectSize))
    return Effects(
        sets=found,
        reference=found.order[0] if reference is None else reference,
        power=float(power),
        margin=None if margin is None else float(margin),
        effect_size=measure,
        **vars(sizes_of(source, found, power, measure)),
    )


def rule_in_words(name: str) -> str:
    """Return a rule as a sentence of a paper names it.

    Examples
    --------
    >>> rule_in_words("borda"), rule_in_words("mean"), rule_in_words("mean_rank(missing=skip)")
    ('Borda', 'average score', 'mean rank (missing=skip)')
    """
    own, bracket, options = name.partition("(")
    words = {"borda": "Borda", "mean": "average score"}.get(own, own.replace("_", " "))
    return f"{words} ({options}" if bracket else words


def refuse_many(models: tuple[str, ...]) -> None:
    """Raise InputError for more models than `MOST_MODELS`."""
    if len(models) > MOST_MODELS:
        raise InputError(f"effect sizes are of {MOST_MODELS:,} models at most, and these are {len(models):,}")


LATEX_SYMBOLS: Mapping[EffectSize, str] = {"cohen_d": "$d$", "akinshin_gamma": r"$\gamma$"}
_LATEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", **{one: f"\\{one}" for one in "{}$&#_%"},
}  # fmt: skip
"""What LaTeX would obey, and how it is shown."""


def latex(text: str) -> str:
    r"""Return a text as LaTeX shows it: LaTeX's special characters are escaped, and so are control characters.

    Examples
    --------
    >>> latex("a_b & 50%"), latex("\\input{x}")
    ('a\\_b \\& 50\\%', '\\textbackslash{}input\\{x\\}')
    """
    return "".join(_LATEX.get(one, one) for one in shown(text))
