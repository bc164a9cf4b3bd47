"""Which ranks are real: confidence sets of all ranks together, from joint intervals of all differences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, TypeAlias, get_args

import numpy as np
import pandas as pd

from weightlab._exact import BoolArray, FloatArray
from weightlab._result import Codec, Proof, Result, ensure, read_list
from weightlab._text import counted, first_few, level_text
from weightlab._validate import one_of, seed_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Margins, as_table
from weightlab.data.frame.declarations import Range
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import ImpossibleError, InputError, ProofError, UnprovedError
from weightlab.graph.sets.majority_sets import smith_members
from weightlab.lp import WeightSpace
from weightlab.lp.unknown_scores.bounds import Bounds, bounds_read
from weightlab.studies.confidence.contributions import OF_SCORES, is_pairwise
from weightlab.studies.confidence.joint_differences import (
    LEAST_GROUPS,
    AskedMethod,
    Method,
    Noise,
    RankTest,
    Settings,
    measured,
)
from weightlab.studies.confidence.letters import compact_letters
from weightlab.studies.confidence.new_tasks import least_tasks, predicted_ranks
from weightlab.studies.confidence.rank_tests import Friedman
from weightlab.studies.confidence.sign_tests import OF_MAJORITIES, majority_ranks
from weightlab.studies.parallel import checked_count, checked_share, each_checked
from weightlab.studies.question import AskedRule, Question, one_question

METHODS: Mapping[Method, str] = {
    "bootstrap_t": "bootstrap-t of whole tasks",
    "bounded": "bets on bounded differences with Bonferroni",
    "student": "Bonferroni with Student's t",
    "sign_tests": "exact sign tests with Bonferroni",
    "hoeffding": "Hoeffding's inequality with Bonferroni",
    "normal": "the largest of normal errors",
    "sandwich": "the largest of normal errors by the sandwich formula",
    "weights": "the largest of normal errors under any of these weights",
    "bounds": "the sure leads on each task, with Bonferroni",
    "nemenyi": "Nemenyi's test of average ranks",
    "wilcoxon": "Wilcoxon's signed ranks with Holm",
    "conformal": "conformal prediction",
}
"""How joint intervals were made."""
ASSUMED: Mapping[Method, str] = {
    "bootstrap_t": "independent {units}, with no kind of them too rare to appear",
    "conformal": "the new task is drawn as these were",
    "bounded": "independent {units}",
    "student": "independent {units} whose differences are nearly normal",
    "sign_tests": "independent {units}",
    "hoeffding": "independent {units}",
    "normal": "independent normal errors of the sizes given",
    "sandwich": "independent votes, enough of them that strengths are nearly normal",
    "weights": "nearly normal errors",
    "bounds": "independent instances or errors, on each task nearly normal",
    "nemenyi": "independent {units}, many of them, on each of which equal models come in any order alike",
    "wilcoxon": "independent {units} whose differences are symmetric about the true one",
}
"""What intervals of each method rest on."""
RANK_TESTS: tuple[RankTest, ...] = get_args(RankTest)
"""Methods with Friedman's test."""
ASKED: tuple[AskedMethod, ...] = get_args(AskedMethod)
"""Methods that can be asked for."""
ALIKE = 0.05
"""Tasks move together where the test's p-value is at most this."""
FEW_TASKS = 10
"""Fewer tasks than this were not measured."""
OF_SETTINGS = ("question", "over", "level", "repeats", "seed", "space", "bounds")
"""The parts that hold the question."""
SAME = 1e-9
"""Numbers worked out again differ by no more than this share of the largest."""
LEAST_REPEATS = 100
"""Fewer draws show no critical value."""
MOST_REPEATS = 100_000
"""More draws would say no more, and are never believed of a document: all of them are held at once."""


def bounds_to_json(values: FloatArray) -> list[float | None]:
    """Return numbers ready for JSON, null where missing."""
    return [None if np.isnan(value) else value for value in values.tolist()]


def read_bounds(value: Any, what: str) -> FloatArray:
    """Return the numbers that ``bounds_to_json`` wrote, or raise InputError."""
    listed = read_list(value, what)
    if any(type(one) not in (float, int, type(None)) for one in listed):
        raise InputError(f"{what}: numbers or null are needed")
    found = np.array([np.nan if one is None else one for one in listed], dtype=np.float64)
    if np.isinf(found).any():
        raise InputError(f"{what}: finite numbers are needed")
    return found


Ends: TypeAlias = Annotated[FloatArray, Codec(bounds_to_json, read_bounds)]
"""Numbers in a record, NaN where missing."""


class RankSets(Result, kind="rank_sets"):
    """Sets of ranks that hold for all models together at a level of confidence, and the separated pairs behind them.

    Attributes
    ----------
    question : Question
        By which rule.
    over : {"tasks", "groups", "new_tasks", "instances", "both", "standard_errors", "votes"}
        What might have been otherwise.
    level : float
        Of all intervals, and hence of all sets of ranks, together.
    method : str
        How the joint intervals were made: a key of `METHODS`.
    repeats, seed : int
        Draws, for methods that draw, and where they begin.
    space : WeightSpace or None
        The weights under all of which the intervals hold, where not today's alone.
    bounds : (Fraction, Fraction) or None
        Between which all scores lie, where the method reads that.
    models : tuple of str
        In board order; the pairs are (first, second), (first, third), ..., as in ``numpy.triu_indices``.
    incomplete : tuple of str
        Models that lack a score which the rule needs.
    tasks : int
        How many tasks weigh, or how many votes there are.
    groups : tuple of str
        Within which tasks were drawn, or which were drawn.
    deciding : tuple of str
        Tasks that decide alone: one in ten of them hold three quarters of the spread of some model around the others.
    together : float or None
        The p-value of a test whether the tasks move together; None where no tasks are drawn, or of two models.
    worth : float or None
        Of how many independent tasks these are worth, at most.
    difference, low, high, p : ndarray of float, pairs
        As `pairs` says; NaN where the method has none.
    mean_ranks : ndarray of float, models
        The average rank of each model over the tasks with their weights, ties at their average: 1 and, for each rival,
        the share of the tasks (or votes) on which both have a score and the rival is ahead. NaN where two never meet.
    friedman : Friedman or None
        Friedman's omnibus test, where ``method`` is one of the tests of ranks.
    """

    derived = ("rank_sets", "classes", "contenders")

    question: Question
    over: Noise
    level: float
    method: Method
    repeats: int
    seed: int
    space: WeightSpace | None = None
    bounds: tuple[Fraction, Fraction] | None = None
    models: tuple[str, ...]
    incomplete: tuple[str, ...]
    tasks: int
    groups: tuple[str, ...]
    deciding: tuple[str, ...]
    together: float | None = None
    worth: float | None = None
    difference: Ends = field(repr=False)
    low: Ends = field(repr=False)
    high: Ends = field(repr=False)
    p: Ends = field(repr=False)
    mean_ranks: Ends = field(repr=False)
    friedman: Friedman | None = None

    def __post_init__(self) -> None:
        """Raise InputError for invalid settings and parts."""
        seed_of(self.seed)
        checked_share("level", self.level)
        checked_count("repeats", self.repeats, least=LEAST_REPEATS, most=MOST_REPEATS)
        pairs = len(self.models) * (len(self.models) - 1) // 2
        if not pairs or any(len(one) != pairs for one in (self.difference, self.low, self.high, self.p)):
            raise InputError(f"{len(self.models)} models have {pairs} pairs; each has a difference, two ends and a p")
        if len(self.mean_ranks) != len(self.models):
            raise InputError(f"{len(self.models)} models have as many average ranks, not {len(self.mean_ranks)}")
        if (self.friedman is None) != (self.method not in RANK_TESTS):
            raise InputError(f"Friedman's test belongs to the methods {', '.join(RANK_TESTS)}")

    @cached_property
    def above(self) -> pd.DataFrame:
        """Whether the row is separated above the column, models x models in board order."""
        return pd.DataFrame(self._above, index=list(self.models), columns=list(self.models))

    @cached_property
    def _above(self) -> BoolArray:
        count = len(self.models)
        with np.errstate(invalid="ignore"):
            small = self.p <= 1 - self.level
            ahead = (self.low > 0) | (small & (self.difference > 0))
            behind = (self.high < 0) | (small & (self.difference < 0))
        found = np.zeros((count, count), dtype=np.bool_)
        rows, columns = np.triu_indices(count, 1)
        found[rows, columns], found[columns, rows] = ahead, behind
        return found

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The models by their mean difference from the others, by Wilcoxon's test by average rank, best first."""
        count = len(self.models)
        if self.method == "wilcoxon":
            return tuple(self.models[place] for place in np.argsort(self.mean_ranks.round(9), kind="stable"))
        table = np.zeros((count, count))
        table[np.triu_indices(count, 1)] = np.nan_to_num(self.difference)
        mean = (table - table.T).sum(axis=1)
        # Rounding must not order tied models.
        size = float(np.abs(mean).max()) or 1.0
        return tuple(self.models[place] for place in np.argsort(-(mean / size).round(9), kind="stable"))

    @cached_property
    def rank_sets(self) -> dict[str, tuple[int, int]]:
        """The least and the greatest rank of each model, best first."""
        above, name = self._above, "" if self.question.rule is None else self.question.rule.name
        if self.method == "conformal":
            low, high = predicted_ranks(self.mean_ranks, float(self.high[0] - self.low[0]) / 2)
        elif name in OF_MAJORITIES:
            low, high = majority_ranks(name, above)
        else:
            low, high = 1 + above.sum(axis=0), len(above) - above.sum(axis=1)
        sets = dict(zip(self.models, zip(low.tolist(), high.tolist(), strict=True), strict=True))
        return {model: sets[model] for model in self.order}

    @property
    def ranks(self) -> pd.DataFrame:
        """One row a model, best first: the ranks ``low`` to ``high`` that it may have, for all models together.

        By rules that are means each model separated above costs a rank, and each separated below saves one. By
        Copeland every pair that is open may go either way. By Schulze, Kemeny, ranked pairs and Slater the Smith set
        that the pairs allow comes first, then that of the rest; by other majority rules only a model that surely
        beats all is certain of a rank.
        """
        return pd.DataFrame.from_dict(self.rank_sets, orient="index", columns=["low", "high"])

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row a pair, the model before the rival in board order.

        ``difference`` is the mean over the tasks of what they give the model more than the rival (in units of the
        rule's score a task, positive where the model is ahead even if a lower score is better); by sign tests wins
        less losses as a share of the tasks on which the two differ; by Bradley-Terry strengths of votes the logarithm
        of their ratio; by Wilcoxon's test the share of the sum of ranks that speaks for it, less that against it.
        ``low`` and ``high`` are the single-step joint interval, NaN where it has no end; ``p`` is the step-down
        adjusted p-value, NaN where the method has none. Step by step more is separated: a pair may be separated (``p``
        at most 1 less the level) whose interval touches 0.
        """
        rows, columns = np.triu_indices(len(self.models), 1)
        names = np.array(self.models, dtype=object)
        numbers = {"difference": self.difference, "low": self.low, "high": self.high, "p": self.p}
        return pd.DataFrame({"model": names[rows], "rival": names[columns], **numbers})

    @cached_property
    def classes(self) -> pd.Series:
        """Letters by model, best first: models that share a letter are not separated, and those that are share none."""
        places = [self.models.index(model) for model in self.order]
        separated = (self._above | self._above.T)[np.ix_(places, places)]
        return pd.Series(compact_letters(separated), index=list(self.order), dtype=object, name="classes")

    @property
    def contenders(self) -> tuple[str, ...]:
        """The models with none separated above them, in board order: possible firsts, or the Condorcet winner."""
        return self._named(np.asarray(~self._above.any(axis=0)))

    @property
    def smith_set(self) -> tuple[str, ...]:
        """The models that may be in the Smith set, in board order, whichever way the open pairs go."""
        return self._named(smith_members(self._above))

    def _named(self, members: BoolArray) -> tuple[str, ...]:
        return tuple(model for model, one in zip(self.models, members, strict=True) if one)

    @property
    def undecided(self) -> int:
        """How many pairs have no interval: their order cannot be decided by these tasks."""
        return 0 if self.method == "wilcoxon" else int(np.isnan(self.low).sum())

    @property
    def separated(self) -> int:
        """How many pairs are separated."""
        return int(self._above.sum())

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"coverage": Proof.SAMPLED}

    def __str__(self) -> str:
        """Say who may be first and how many pairs are separated, at which level and how, all together."""
        few = self.over in ("tasks", "both") and self.tasks < FEW_TASKS
        head = f"Of {counted(self.tasks, 'task')} little can be claimed: " * few
        if self.over == "new_tasks" and self.tasks < (least := least_tasks(self.level)):
            few, count = True, counted(self.tasks, "task")
            head = f"With {count} nothing can be claimed about a new one ({least} are needed): "
        if self.over == "groups" and len(self.groups) < LEAST_GROUPS:
            few, count = True, counted(len(self.groups), "group")
            head = f"With {count} nothing is separated ({LEAST_GROUPS} are needed): "
        under = "" if self.space is None else self.space.conditions_sentence
        without = f" Excluded (missing scores): {first_few(self.incomplete)}." if self.incomplete else ""
        by = rule_words(self.question.name, begins=not few)
        if self.over == "new_tasks":
            by = f"{'by' if few else 'By'} score on one new task"
        named = f"{head}{by}, {self._first}, {self._how}."
        return (
            f"{named} Assumed: {self.assumed}.{self.compared}{self._omnibus}{self.doubts}{self._advice}{under}{without}"
        )

    @property
    def assumed(self) -> str:
        """What the intervals rest on."""
        low, high = self.bounds or (None, None)
        within = "" if low is None or high is None else f", all scores between {float(low):g} and {float(high):g}"
        units = {"both": "tasks and instances", "standard_errors": "scores"}.get(self.over, self.over)
        return f"{ASSUMED[self.method].format(units=units)}{within}"

    @property
    def compared(self) -> str:
        """How pairs with missing scores are compared and what that assumes, in sentences that begin with a blank."""
        asked = self.question.rule
        pairwise = asked is not None and is_pairwise(asked)
        # By the mean over tasks Student's t stands where scores are missing.
        by_scores = asked is None or asked.name in OF_SCORES
        if not pairwise and (self.method, self.over, by_scores) != ("student", "tasks", True):
            return ""
        name = self.question.name if asked is None else asked.name
        own = "" if name == "borda" else f" (a ranking {rule_words(name)} is over the tasks that each model has)"
        return (
            f" Each pair is compared on the tasks that both have{own}: which scores are missing must have nothing to "
            "do with who is ahead there."
        )

    @property
    def _omnibus(self) -> str:
        """Return the outcome of Friedman's test as a sentence with a leading blank."""
        if self.friedman is None:
            return ""
        count = len(self.models) - 1
        told = f" Friedman's test: chi-squared {self.friedman.statistic:.3g}, {count} df, p = {self.friedman.p:.2g}"
        return f"{told}." if self.friedman.p <= 1 - self.level else f"{told}: equal ranks are not rejected."

    @property
    def doubts(self) -> str:
        """Reasons why intervals are uncertain or impossible, in sentences that begin with a blank."""
        alone = f" Some tasks decide alone: {first_few(self.deciding)}." if self.deciding else ""
        pairs = counted(len(self.p), "pair")
        undecided = f" {self.undecided:,} of {pairs} cannot be decided by these {self._units}." * (self.undecided > 0)
        return f"{self._wide}{alone}{undecided}{self._moving}"

    @property
    def _wide(self) -> str:
        """How wide intervals are that are sure, in a sentence that begins with a blank."""
        if self.method != "bounded" or self.undecided:
            return ""
        return f" Intervals reach {np.median(self.high - self.low) / 2:.3g} to either side (median of the pairs)."

    @property
    def _moving(self) -> str:
        if self.together is None or self.worth is None or self.together > ALIKE:
            return ""
        # Where groups are named they say what moves together; else it may be the models.
        few = f"worth at most {self.worth:.0f} of {self.tasks} independent ones, and intervals are too narrow"
        if self.groups:
            return f" The tasks of a group move together (p = {self.together:.2g}): {few}."
        return (
            f" Tasks move together (p = {self.together:.2g}): {few}, unless it is only that similar models score alike."
        )

    @property
    def _advice(self) -> str:
        """What to do about tasks that move together, which is no part of a paper."""
        if not self._moving:
            return ""
        return " Draw whole groups." if self.groups else " Name the groups of tasks and draw these."

    @property
    def _units(self) -> str:
        return self.over if self.over in ("instances", "votes") else "tasks"

    @property
    def _first(self) -> str:
        asked = self.question.rule
        majority = asked is not None and asked.name in OF_MAJORITIES
        first, few = self.contenders, len(self.contenders) == 1
        who = f"only {first[0]}" if few else counted(len(first), "model") if first else "no model"
        role = "the Condorcet winner" if majority else "first"
        verb = "is" if len(self.p) == 1 else "are"
        return f"{who} may be {role} and {self.separated:,} of {counted(len(self.p), 'pair')} {verb} separated"

    @property
    def _how(self) -> str:
        within = f" within {counted(len(self.groups), 'group')}" if self.groups else ""
        drawn = {
            "tasks": f"{counted(self.tasks, 'task')} drawn at random{within}",
            "new_tasks": f"one task more of the kind of these {self.tasks:,}",
            "groups": f"{counted(len(self.groups), 'group')} of {counted(self.tasks, 'task')} drawn at random",
            "instances": f"instances drawn at random within {counted(self.tasks, 'task')}",
            "both": f"{counted(self.tasks, 'task')}{within} and their instances drawn at random",
            "votes": f"{counted(self.tasks, 'vote')} drawn at random",
            "standard_errors": "normal errors of the size of the standard errors",
        }[self.over]
        draws = (
            f", {counted(self.repeats, 'draw')}"
            if self.method in ("bootstrap_t", "normal", "sandwich", "weights")
            else ""
        )
        return f"all ranks together at {level_text(self.level)}: {drawn} ({METHODS[self.method]}{draws})"

    def to_frame(self) -> pd.DataFrame:
        """Return the sets of ranks and the letters, best first."""
        return self.ranks.assign(classes=self.classes)

    def verify(self, source: Leaderboard | Instances | Margins | None = None) -> bool:
        """Check that differences lie in their intervals and p-values agree; given the source, work all out again.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure(len(set(self.models)) == len(self.models), "a model is named twice")
        with np.errstate(invalid="ignore"):
            inside = ~(self.low > self.difference) & ~(self.high < self.difference)
            apart = (self.low > 0) | (self.high < 0)
            agree = ~apart | ~(self.p > 1 - self.level)
        ensure(inside.all(), "a difference is not in its interval")
        ensure(not ((self.p < 0) | (self.p > 1)).any(), "a p-value is not between 0 and 1")
        ensure(agree.all(), "an interval is without 0 whose pair is not separated")
        ensure(not (self._above & self._above.T).any(), "two models are separated above one another")
        if source is not None:
            self._ensure_of(source)
        return True

    def _ensure_of(self, source: Leaderboard | Instances | Margins) -> None:
        names = (*self.models, *self.incomplete)
        ensure(set(names) <= set(source.models), "the models are not among those of the source")
        asked = Settings(
            **{name: getattr(self, name) for name in OF_SETTINGS},
            # Rules of one point are bounded unasked, which gives the same.
            test=next((one for one in ASKED if one == self.method), None),
        )
        try:
            found = measured(source, asked, tuple(model for model in source.models if model in names))
        except (InputError, ImpossibleError, UnprovedError) as error:
            raise ProofError(f"the source gives no such answer: {error}") from error
        for name in ("models", "incomplete", "tasks", "groups", "deciding", "method"):
            ensure(getattr(found, name) == getattr(self, name), f"the {name} are not those of the source")
        for name in ("together", "worth"):
            one, other = getattr(found, name), getattr(self, name)
            alike = one is other is None or (None not in {one, other} and math.isclose(one, other, rel_tol=0.05))
            ensure(alike, f"{name} is not that of the source")
        ensure(
            (self.friedman is None) == (found.friedman is None)
            and np.allclose(_omnibus(self.friedman), _omnibus(found.friedman), rtol=1e-6, atol=0.0),
            "Friedman's test of the source says something else",
        )
        numbers = vars(found.joint)
        for name, again in numbers.items():
            # Close in units of the largest of them: scores may all be tiny.
            near = SAME * float(np.nanmax(np.abs(again), initial=0.0))
            if not np.allclose(getattr(self, name), again, rtol=0.0, atol=near, equal_nan=True):
                raise ProofError(f"drawn again from seed {self.seed} the source gives another {name} of a pair")
        ranks = found.mean_ranks
        ensure(
            np.allclose(self.mean_ranks, ranks, rtol=0.0, atol=SAME * len(ranks), equal_nan=True),
            "the average ranks are not those of the source",
        )
        truth = replace(self, **numbers)
        ensure(self.order == truth.order, "the order of the models is not that of the source")
        ensure(self.above.equals(truth.above), "other pairs are separated in the source")


def bounds_asked(source: Any, asked: Question, method: AskedMethod | None, bounds: Bounds | None) -> Range | None:
    """Return between which scores all lie, given or declared; None where the method or the rule does not read that.

    Raises
    ------
    InputError
        If bounds are invalid, or nothing reads them.
    """
    board = source.means() if isinstance(source, Instances) else source
    if method != "bounded" or not isinstance(board, Leaderboard) or asked.name not in ("mean", "macro_average"):
        if bounds is not None:
            raise InputError("bounds require the method 'bounded' and the mean")
        return None
    read = bounds_read(board, bounds)
    ends = [read.get(task, (None, None)) for task in board.tasks]
    low, high = [low for low, _ in ends if low is not None], [high for _, high in ends if high is not None]
    return (min(low), max(high)) if len(low) == len(high) == len(ends) else None


def _omnibus(found: Friedman | None) -> tuple[float, ...]:
    return () if found is None else (found.statistic, found.p)


def rank_sets(
    source: LeaderboardLike | Instances | Margins,
    rule: AskedRule | None = None,
    *,
    over: Noise | None = None,
    level: float = 0.95,
    repeats: int = 2000,
    rng: int | np.random.Generator | None = 0,
    models: Iterable[str] | None = None,
    space: WeightSpace | None = None,
    method: AskedMethod | None = None,
    bounds: Bounds | None = None,
    options: Mapping[str, Any] | None = None,
) -> RankSets:
    """Return sets of ranks that hold for all models together, with the pairs of models whose order is real.

    Parameters
    ----------
    source : Leaderboard, Instances or Margins
        The table, whose tasks of weight 0 take no part; or votes between two models, each counting once.
    rule : str or Rule, optional
        By default the table's own (`Leaderboard.rule`; of instances the mean). One that is a mean over the tasks
        (``"mean"``, ``"macro_average"``, Borda and other points, the mean rank, the win rate, the optimality gap), or
        one that reads majorities (Copeland, minimax, Schulze, Kemeny, ...).
        Of votes Bradley-Terry, the default, or one that reads majorities. Bradley-Terry of a table is Borda: where all
        models meet equally often, strengths stand as points do.
    over : {"tasks", "groups", "new_tasks", "instances", "both", "standard_errors", "votes"}, optional
        What might have been otherwise, by default the tasks, of votes the votes: other votes of the same kind; other
        tasks of the same kind, drawn with equal chance, each with its weight, within the board's groups where it has
        some; other groups of tasks of the same kind, whole, six or more, for tasks that move together, by means and
        points; one task more of the same kind, on which models rank by score (`predicted`: 19 tasks or more at 95%, of
        equal weight); other instances of the same tasks; both, which is wider than either (the spread between tasks
        already holds that of their instances, so it counts that twice); or the scores by their standard errors, as
        independent normal noise. Always paired: all models meet the same draw.
    level : float
        Of all sets together.
    repeats : int
        How many draws, for methods that draw; from 100 to 100,000.
    rng : int, Generator or None
        The seed.
    models : iterable of str, optional
        Compare these only, as if the table held no others.
    space : WeightSpace, optional
        Bounds of single tasks around today's weights, such as ``WeightSpace(board).within("0.5")``: intervals, and
        so the ranks, hold under all these weights together. By the mean, over instances or standard errors.
    method : {"bounded", "nemenyi", "wilcoxon"}, optional
        ``"bounded"`` for intervals that are sure for every number of independent tasks, whatever their differences are
        like, by the mean between ``bounds`` and by points for places; they are wide, see `betting_intervals`. Or a test
        that papers report: Friedman's with Nemenyi's, or Wilcoxon's signed ranks of the scores with
        Holm's steps. By Borda or the mean rank, over tasks of equal weight. By default the method that was measured to
        hold best for the rule.
    bounds : (lowest, highest) or str, or mapping of such by task, optional
        For ``"bounded"`` by the mean: between which every score lies, such as ``(0, 100)`` or ``"0:100"``; by default
        what the table declares.
    options : mapping, optional
        Options of the rule, such as ``{"missing": "median"}``.

    Returns
    -------
    RankSets
        ``.ranks`` ``.pairs`` ``.classes`` ``.contenders`` ``.smith_set`` ``.summary()`` ``.verify()``.

    Raises
    ------
    InputError
        If the rule is neither a mean over tasks nor reads majorities, there is one task only, all models tie on all
        tasks, a group has fewer than three tasks, a score lacks its standard error, an option is wrong, or the mean
        has more pairs times draws than two thousand million (1,414 models in 2,000 draws).

    Notes
    -----
    Every pair is studentised on its own, and the intervals hold for all pairs at once; hence the ranks do (Klein,
    Wright and Wieczorek). By means of scores the critical value is that of the largest statistic in bootstrap samples
    of whole tasks (within groups, if any), each studentised in its own sample (Hall 1992), and p-values
    step down (Romano and Wolf 2005); lopsided differences make it large, where it is infinite nothing can be claimed.
    Where scores are missing it is Bonferroni's with Student's t. By points for places it is the larger of that of the
    draws and Bonferroni's with two thirds of the degrees of freedom, as points are bounded. By plurality, veto and
    approval two models differ by a sign alone: the same sign tests as by majority rules, or bets on bounded differences
    where models share a point or weights differ. By majority rules: exact sign tests, see `sign_tests`. "How sure are
    the ranks?" has the measured coverage. O(models^2 x tasks x draws) time, blocks of some 10 MB.

    A missing score: by the mean a pair is compared on the tasks that both have, and so by Borda, the mean rank and the
    win rate with ``missing="skip"`` (five tasks or more), which assumes that gaps have nothing to do with who is ahead;
    other means leave models out that lack a score unless ``missing`` says otherwise; to majority rules it is no lead.

    References
    ----------
    M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, "Inference for ranks with applications to mobility across
    neighbourhoods and academic achievement across countries", Review of Economic Studies 91 (2024); M. Klein, T. Wright
    and J. Wieczorek, "A joint confidence region for an overall ranking of populations", JRSS C 69 (2020); P. Hall, The
    Bootstrap and Edgeworth Expansion (1992); J. P. Romano and M. Wolf, "Exact and approximate stepdown methods for
    multiple hypothesis testing", JASA 100 (2005); J. N. K. Rao and C. F. J. Wu, "Resampling inference with complex
    survey data", JASA 83 (1988).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {f"t{place}": {"a": 9 + place % 3, "b": 5 + place % 2, "c": 6 - place % 2} for place in range(12)}
    ... )
    >>> found = rank_sets(board)
    >>> found.summary()
       low  high classes
    a    1     1       a
    b    2     3       b
    c    2     3       b
    """
    source = as_table(source)
    if not isinstance(source, Leaderboard | Instances | Margins):
        raise InputError(f"expected a Leaderboard, Instances or Margins for rank sets; got a {type(source).__name__}")
    of_votes = isinstance(source, Margins)
    own = "bradley_terry" if of_votes else source.rule if isinstance(source, Leaderboard) else "mean"
    asked = one_question(rule or ("copeland" if own == "majority" else own), options=options)
    if space is not None and not isinstance(space, WeightSpace):
        raise InputError(f"space must be a WeightSpace or None; got a {type(space).__name__}")
    chosen: Noise = one_of("over", over or ("votes" if of_votes else "tasks"), get_args(Noise))
    settings = Settings(
        question=asked,
        over=chosen,
        level=checked_share("level", level),
        repeats=checked_count("repeats", repeats, least=LEAST_REPEATS, most=MOST_REPEATS),
        seed=seed_of(rng),
        space=space,
        test=None if method is None else one_of("method", method, ASKED),
        bounds=bounds_asked(source, asked, method, bounds),
    )
    named = source.models if models is None else each_checked("models", models, str, such_as="['ada', 'bo']")
    found = measured(source, settings, named)
    parts = {name: value for name, value in vars(found).items() if name != "joint"}
    known = {name: value for name, value in vars(settings).items() if name != "test"}
    return RankSets(**known, **parts, **vars(found.joint))
