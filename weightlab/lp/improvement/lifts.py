"""Lifts: the fewest tasks on which a model must rise to the best score to win, by several rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import median_high
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, Number, common_denominator, fraction, largest_entry
from weightlab._result import ByName, Frozen, Proof, Record, Result, Seen, ensure, exact_series, on_word_of, weakest
from weightlab._solver import Formulation, Rows, Solver, integer_optimum, solve, solver_name, within
from weightlab._solver.branch_tree import BranchTree
from weightlab._solver.covers import PARTS, SCALE, Cover, CoverConstraint, FewestCover, fewest_cover
from weightlab._text import among, counted, first_few
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import ImpossibleError, InputError, UnprovedError
from weightlab.lp.by_model import ByModel
from weightlab.lp.certificate import check_bound, check_weighting, column_sums, least_lead, nonzero, series_dict
from weightlab.lp.certificates.lp_rows import allowed_rows
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.improvement.lift_rules import LiftMissing, LiftRule, LiftRuleLike, LiftScores
from weightlab.lp.improvement.score_column import board_with_scores, with_scores
from weightlab.lp.space.conditions import Near, Relation
from weightlab.lp.space.space import Vectors, WeightSpace, space_for


class LiftCut(Record):
    """A bound on the lead over a mixture of rivals, whatever the weights, with some tasks lifted.

    Attributes
    ----------
    lifted : tuple of str
        These tasks.
    mixture : mapping from rival to Fraction
        The shares of the rivals, all positive.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    bound : Fraction
        What no weights of the space lead by.
    """

    lifted: tuple[str, ...]
    mixture: Mapping[str, Fraction]
    vectors: Vectors
    bound: Fraction


class LiftsInSpace(Frozen):
    """Leads of a model, today and lifted, under weights that are free within a space.

    Attributes
    ----------
    today, then : ndarray of Python integers, rivals x tasks
        By how much the model leads each rival on each task, as it is and lifted there.
    rivals : tuple of str
        Names of the rows.
    space : WeightSpace
        Allowed weights.
    shared : bool
        Whether a shared first place is enough.
    """

    today: AnyArray
    then: AnyArray
    rivals: tuple[str, ...]
    space: WeightSpace
    shared: bool

    def lifted(self, chosen: Sequence[int]) -> AnyArray:
        """Return the leads with some tasks lifted."""
        return np.where(np.isin(np.arange(self.today.shape[1]), list(chosen)), self.then, self.today)

    def wins(self, least: Fraction) -> bool:
        """Return whether a least lead is enough."""
        return least > 0 or (self.shared and least == 0)

    def row(self, cut: LiftCut) -> tuple[list[int], int]:
        """Return the row that lifted tasks meet because of a cut, ensuring that its vectors prove it.

        Under weights of the space, each further lift adds to the lead over the mixture at most its gain there times the
        most that its task may weigh. All of them must make up for what the bound lacks of a win.
        """
        before = self.lifted([self.space.tasks.index(task) for task in cut.lifted])
        check_bound(before, self.rivals, cut.mixture, cut.vectors, self.space, bound=cut.bound)
        gains = column_sums(self.then - before, [cut.mixture.get(rival, Fraction(0)) for rival in self.rivals])
        most = [cap * gain for cap, gain in zip(most_weights(self.space), gains, strict=True)]
        *numerators, lacking = common_denominator([*most, -cut.bound])[0]
        return numerators, lacking + (not self.shared)

    def fewest(self) -> tuple[FewestCover, tuple[LiftCut, ...], tuple[Fraction, ...]]:
        """Return the fewest tasks to lift, the proof that fewer are not enough, and weights with which the model wins.

        Raises
        ------
        EmptySpaceError
            If there are no weights.
        UnprovedError, TimeLimitError
            If the optimum was not shown.

        Notes
        -----
        An integer program with a weight, its lifted part and a choice for each task. It lets leads of 0 pass, and what
        rounding adds: a set on which no weights win is cut off (logic-based Benders decomposition).
        """
        count, cuts, never = len(self.space.tasks), list[LiftCut](), list[LiftCut]()
        if (weights := self._tried((), cuts)) is not None:
            return FewestCover(tasks=(), mixture={}, solver=None), (), weights
        if self._tried(range(count), never) is None:
            return FewestCover(tasks=None, mixture={0: Fraction(1)}, solver=None), tuple(never), ()
        program = self._program()
        duals = solve(program.relaxed()).duals
        chosen = tuple[int, ...]()
        while weights is None:
            # A mixture that blocks a set says something of all tasks, too: sets that tie like this one fail it.
            cuts += [self._mixed(cuts[-1].mixture)] if chosen else []
            asked = [CoverConstraint.of(*self.row(cut), most=SCALE) for cut in cuts[-2:]]
            matrix = np.zeros((len(asked), len(program.columns)), dtype=np.int64)
            matrix[:, -count:] = [one.coefficients for one in asked]
            rows = Rows.from_matrix(matrix, lower=[one.least for one in asked], labels=["cut"] * len(asked))
            program = program.with_rows(rows)
            x = integer_optimum(program).x
            chosen = tuple(task for task, one in enumerate(x[-count:]) if one)
            weights = self._tried(chosen, cuts)
        if duals is not None and (mixture := np.maximum(duals[: len(self.rivals)], 0)).any():
            parts = (PARTS * mixture / mixture.sum()).tolist()
            cuts.append(
                self._mixed({rival: Fraction(round(one)) for rival, one in zip(self.rivals, parts, strict=True)})
            )
        found = fewest_cover(self.cover(cuts))
        if found.tasks is None or len(found.tasks) < len(chosen):
            found = FewestCover(tasks=chosen, mixture={}, solver=solver_name())
        return replace(found, tasks=chosen), tuple(cuts), weights

    def cover(self, cuts: Sequence[LiftCut]) -> Cover:
        """Return the rows that lifted tasks meet because of all cuts."""
        rows = [self.row(cut) for cut in cuts]
        gains = np.array([own for own, _ in rows], dtype=object).reshape(len(rows), len(self.space.tasks))
        return Cover.of(gains, [lacking for _, lacking in rows])

    def _tried(self, chosen: Sequence[int], cuts: list[LiftCut]) -> tuple[Fraction, ...] | None:
        """Return weights under which the model wins with some tasks lifted; None after adding the cut that says no."""
        widest = widest_margin(self.lifted(chosen), self.rivals, self.space)
        if self.wins(widest.lower):
            return widest.weights
        cuts.append(self._cut(chosen, widest.blockers, widest.vectors, widest.upper))
        return None

    def _mixed(self, parts: Mapping[str, Fraction]) -> LiftCut:
        """Return the cut of a mixture of rivals, given in parts, with no task lifted."""
        blockers = [parts.get(rival, Fraction(0)) / sum(parts.values()) for rival in self.rivals]
        mixed, unit = common_denominator(column_sums(self.today, blockers))
        alone = widest_margin(np.array([mixed], dtype=object), ("mixture",), self.space)
        vectors = tuple({task: one / unit for task, one in vector.items()} for vector in alone.vectors)
        return self._cut((), blockers, vectors, alone.upper / unit)

    def _program(self) -> Formulation:
        """Return the program: weights, auxiliary variables of the space, lifted parts of the weights, choices."""
        count, first = len(self.space.tasks), len(self.space.tasks) + len(self.space.auxiliaries)
        width = first + 2 * count
        unit = max(1, largest_entry(self.then), largest_entry(self.today)) // SCALE + 1
        rounded = [-(-one // unit) for one in (self.today, self.then - self.today)]
        none = np.zeros((len(self.rivals), first - count), dtype=object)
        leads = np.hstack([rounded[0], none, rounded[1], 0 * rounded[1]])
        most = most_weights(self.space)
        links: list[dict[int, Fraction | int]] = [{task: 1, first + task: -1} for task in range(count)]
        links += [{first + task: -1, first + count + task: most[task]} for task in range(count)]
        rows = Rows.join(
            Rows.from_matrix(leads, lower=0, labels=self.rivals),
            Rows.from_dicts(links, width=width, lower=0, labels=[f"link {row}" for row in range(2 * count)]),
            allowed_rows(self.space.tasks, self.space.auxiliaries, self.space.rows, width),
        )
        return Formulation.over(
            [str(column) for column in range(width)],
            rows,
            name="fewest lifts",
            objective=[0] * (width - count) + [1] * count,
            upper=[None] * (width - count) + [1] * count,
            integral=[False] * (width - count) + [True] * count,
        )

    def _cut(self, chosen: Sequence[int], blockers: Sequence[Fraction], vectors: Vectors, bound: Fraction) -> LiftCut:
        return LiftCut(
            lifted=tuple(self.space.tasks[one] for one in chosen),
            mixture=nonzero(blockers, self.rivals),
            vectors=vectors,
            bound=bound,
        )


def most_weights(space: WeightSpace) -> list[Fraction]:
    """Return for each task a weight that it has at most: by conditions on it alone, and by its distance from today."""
    most = dict.fromkeys(space.tasks, Fraction(1))
    for row in space.rows:
        for task, factor in row.tasks.items() if len(row.tasks) == 1 and not row.auxiliaries else ():
            if row.relation is not Relation.AT_LEAST and factor > 0:
                most[task] = min(most[task], row.bound / factor)
    for near in (one for one in space.conditions if isinstance(one, Near) and one.norm == "l1"):
        most = {task: min(cap, near.centre[task] + near.radius / 2) for task, cap in most.items()}
    return list(most.values())


LiftTies: TypeAlias = Literal["no", "ok"]
"""Whether a shared first place is enough."""


class Lifts(Record):
    """The fewest tasks to lift one model on, with the proof that fewer are not enough.

    Attributes
    ----------
    tasks : tuple of str, or None
        The tasks in the order of the table; None where the model does not win lifted on all of them.
    mixture : Series of Fraction by rival
        Of rivals: with one task fewer, the tasks that bring most against this mixture do not bring what is lacking.
        Empty where the model wins as it is, where a tree shows it, and where a solver is named.
    tree : BranchTree or None
        Proves that fewer are not enough, where no mixture does.
    solver : Solver or None
        Solver whose bound shows that fewer are not enough; None where that is checked without a solver.
    weights : Series of Fraction by task
        Where weights are free within a space: weights under which the model wins, lifted; else empty.
    cuts : tuple of LiftCut
        Where weights are free: the gains that lifts must bring, whatever the weights. The mixture is over these cuts.
    """

    tasks: tuple[str, ...] | None
    mixture: Seen[pd.Series] = ByName()
    tree: BranchTree | None
    solver: Solver | None
    weights: Seen[pd.Series] = ByName()
    cuts: tuple[LiftCut, ...]

    def check(self, cover: Cover, tasks: tuple[str, ...], rivals: tuple[str, ...]) -> None:
        """Ensure that the tasks are enough and, unless a solver is named, that fewer are not."""
        self._check_form(tasks, rivals)
        chosen = None if self.tasks is None else [tasks.index(one) for one in self.tasks]
        for row in () if chosen is None else cover.unmet(chosen):
            ensure(holds=False, failure=f"lifted on {list(self.tasks or ())}, the model does not pass {rivals[row]!r}")
        if chosen == []:
            nothing = not len(self.mixture) and self.solver is None and self.tree is None
            ensure(nothing, "no lift is needed, so there is nothing to prove")
            return
        count = len(tasks) if chosen is None else len(chosen) - 1
        # A mixture of rivals could lack something though the one that the sentence names is passed.
        ensure(chosen is not None or len(self.mixture) == 1, "the mixture is not of the one rival that is not passed")
        if len(self.mixture):
            shares = {rivals.index(rival): share for rival, share in series_dict(self.mixture).items()}
            ensure(self.solver is None and self.tree is None, "a mixture shows it, and something else is relied on")
            ensure(cover.is_refuted_by(shares, count), f"the mixture does not show that {count} lifts do not do")
            return
        if self.tree is not None:
            ensure(self.solver is None, "a solver is named where its bound is not relied on")
            self.tree.check(cover.program, count + 1)
            return
        # With weights that are free, cuts say only part of what lifts must do.
        lifted = [] if len(self.weights) else chosen or []
        fewer = (cover.unmet([one for one in lifted if one != left]) for left in lifted)
        ensure(all(fewer), f"{count} lifts do")
        ensure(self.solver is not None, "a solver is named where, and only where, it is relied on")

    def _check_form(self, tasks: tuple[str, ...], rivals: tuple[str, ...]) -> None:
        in_order = self.tasks is None or self.tasks == tuple(among(tasks, self.tasks))
        ensure(in_order, "the lifted tasks are not tasks of the table, each once and in order")
        names = [str(one) for one in self.mixture.index]
        ensure(set(names) <= set(rivals) and len(set(names)) == len(names), "the mixture is not of rivals, each once")
        ensure(all(share > 0 for share in self.mixture), "a rival is in the mixture without a share")


class _LiftResult(Result):
    """The fields of both results: a table, a rule, the size of a lift, and whether ties are enough."""

    rule: LiftRule
    level: Fraction | None
    ties: LiftTies
    space: WeightSpace | None
    table: Leaderboard

    @property
    def _how(self) -> str:
        return "to the task's best score" if self.level is None else f"by {self.level}"

    def _scores(self, source: Leaderboard | None) -> LiftScores:
        if source is not None:
            self.table.ensure_same(source, weights="shares", groups=False)
        ensure(self.level is None or self.level > 0, f"a lift by {self.level} is not a lift")
        ensure(self.space is None or self.space.tasks == self.table.tasks, "the space has different tasks")
        return _scores_of(self.table, self.rule, self.level, self.space)

    def _check(self, scores: LiftScores, model: str, lifts: Lifts) -> None:
        rivals, shared = _rivals(self.table, model), self.ties == "ok"
        if self.space is None:
            ensure(not lifts.cuts and not len(lifts.weights), "weights are free, but there is no space")
            cover = scores.cover(self.table.models.index(model), shared=shared)
        else:
            leads = _in_space(scores, model, self.space, shared=shared)
            cover, rivals = leads.cover(lifts.cuts), tuple(map(str, range(len(lifts.cuts))))
            if lifts.tasks is not None:
                check_weighting(lifts.weights, self.space)
                lifted = leads.lifted([self.table.tasks.index(one) for one in lifts.tasks])
                ensure(
                    leads.wins(least_lead(lifted, lifts.weights.tolist())), f"{model!r} does not win under the weights"
                )
        lifts.check(cover, self.table.tasks, rivals)

    @property
    def _under(self) -> str:
        return "" if self.space is None else f" Weights are free.{self.space.conditions_sentence}"


class FewestLifts(_LiftResult, kind="fewest_lifts"):
    """The fewest tasks on which a model must be lifted to win, or the proof that lifts on all tasks do not suffice.

    Attributes
    ----------
    model : str
        Who is to win.
    lifts : Lifts
        The tasks, and why fewer are not enough.
    rule : LiftRule
        The rule to win by.
    level : Fraction or None
        By how much a lifted score improves; None for the best score of the task.
    ties : {"no", "ok"}
        Whether a shared first place is enough.
    space : WeightSpace or None
        Where weights are free: under some weights of it the model wins. None where today's count.
    table : Leaderboard
        The table as it is.
    """

    derived = ("count",)
    model: str
    lifts: Lifts

    @property
    def tasks(self) -> tuple[str, ...] | None:
        """The tasks to lift the model on, in the order of the table; None where all of them do not suffice."""
        return self.lifts.tasks

    @property
    def count(self) -> int | None:
        """How many tasks that is; None where all of them do not suffice."""
        return None if self.lifts.tasks is None else len(self.lifts.tasks)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        if self.tasks is None:
            return {"no lifts make it win": Proof.EXACT}
        return {"the lifts make it win": Proof.EXACT, "no smaller set is enough": on_word_of(self.lifts.solver)}

    def board(self) -> Leaderboard:
        """Return the table with the model lifted on these tasks."""
        scores = LiftScores(self.table, self.rule, self.level)
        row = self.table.models.index(self.model)
        lifted = {}
        for task in self.tasks or ():
            column = self.table.tasks.index(task)
            gain = scores.lifted[column] if self.level is None else scores.lifted[row, column]
            own = scores.columns[column]
            if own.gains[row] is not None:
                lifted[self.model, task] = own.score(Fraction(int(gain), scores.denominator))
        return with_scores(self.table, lifted)

    def __str__(self) -> str:
        """Name the tasks, and the proof that fewer are not enough."""
        wins = "wins" if self.ties == "no" else "wins or ties for the first place"
        by = rule_words(self.rule)
        if self.tasks is None:
            blocked = self.lifts.mixture.index if self.space is None else self.lifts.cuts[-1].mixture
            rival = first_few(map(str, blocked))
            fails = f"lifted {self._how} on all tasks, it does not pass {rival}"
            return f"{self.model} never {wins} {by}: {fails}.{self._under}"
        if not self.tasks:
            return f"{self.model} {wins} {by} as it is.{self._under}"
        tasks = f"{counted(len(self.tasks), 'task')} ({first_few(self.tasks)})"
        said = f"by {self.lifts.solver}'s bound fewer are not enough" if self.lifts.solver else "fewer are not enough"
        return f"{self.model} {wins} {by} if lifted {self._how} on {tasks}; {said}.{self._under}"

    def to_frame(self) -> pd.DataFrame:
        """Return one row a lifted task: its score today and lifted."""
        names = list(self.tasks or ())
        today, then = (board.scores.loc[self.model, names].astype(float) for board in (self.table, self.board()))
        return pd.DataFrame({"from": today, "to": then}, index=pd.Index(names, name="task"))

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check in exact arithmetic, without a solver, that the lifts make the model win and no fewer can.

        The latter is the solver's claim if a solver is named.

        Parameters
        ----------
        source : Leaderboard, optional
            The table; scores, declarations and shares of weight must be those that the result carries.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        scores = self._scores(source)
        ensure(self.model in self.table.models, f"the table has no model {self.model!r}")
        self._check(scores, self.model, self.lifts)
        self.board()  # which must be a table: a level beyond all doubles makes none
        return True


class LiftCounts(ByModel[FewestLifts], _LiftResult, kind="lift_counts"):
    """For every model the fewest tasks to lift it on so that it wins; ``counts["T5"]`` is one model's `FewestLifts`.

    Attributes
    ----------
    lifts : mapping from model to Lifts
        The tasks of each model, and why fewer are not enough; in the order of the table.
    rule : LiftRule
        The rule to win by.
    level : Fraction or None
        By how much a lifted score improves; None for the best score of the task.
    ties : {"no", "ok"}
        Whether a shared first place is enough.
    space : WeightSpace or None
        Where weights are free: under some weights of it the model wins. None where today's count.
    table : Leaderboard
        The table as it is.
    """

    lifts: Mapping[str, Lifts]

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {
            "the lifts make the models win": Proof.EXACT,
            "no smaller set is enough": weakest(on_word_of(one.solver) for one in self.lifts.values()),
        }

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in the order of the table."""
        return self.table.models

    def _one(self, position: int) -> FewestLifts:
        name = self.models[position]
        own = {part.name: getattr(self, part.name) for part in dataclasses.fields(self) if part.name != "lifts"}
        return FewestLifts(model=name, lifts=self.lifts[name], **own)

    @property
    def counts(self) -> pd.Series:
        """The number of lifts by model; ``"never"`` where lifts on all tasks do not suffice."""
        found = ["never" if one.tasks is None else len(one.tasks) for one in self.lifts.values()]
        return pd.Series(found, index=list(self.lifts), dtype=object, name="lifts")

    @property
    def medians(self) -> tuple[Fraction, ...]:
        """The lower weighted median of each model's scores today, negated where lower is better."""
        scores = LiftScores(self.table, self.rule, self.level)
        return tuple(Fraction(one, scores.denominator) for one in scores.medians)

    @property
    def median(self) -> int | None:
        """The median number of lifts over the models, the upper one of two; None where that is never."""
        worst = len(self.table.tasks) + 1
        found = median_high(worst if one.tasks is None else len(one.tasks) for one in self.lifts.values())
        return None if found == worst else found

    @property
    def fewest(self) -> tuple[str, ...]:
        """The models that do not win today and need fewest lifts to."""
        counts = {model: len(one.tasks) for model, one in self.lifts.items() if one.tasks}
        least = min(counts.values(), default=0)
        return tuple(model for model, count in counts.items() if count == least)

    def __str__(self) -> str:
        """Say what half of the models need, and who needs fewest."""
        width = len(self.table.tasks)
        never = f"do not win even lifted on all {counted(width, 'task')}"
        typical = never if self.median is None else f"need lifts on at most {self.median} of {width} tasks"
        text = f"{rule_words(self.rule, begins=True)}, half of the models {typical}"
        if not self.fewest:
            return f"{text}.{self._under}"
        count, verb = self.counts[self.fewest[0]], "needs" if len(self.fewest) == 1 else "need"
        return f"{text}; {first_few(self.fewest)} {verb} fewest: {count}.{self._under}"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per model: the number of lifts (or never) and the tasks."""
        tasks = [", ".join(one.tasks or ()) for one in self.lifts.values()]
        return pd.DataFrame({"lifts": self.counts, "tasks": tasks}).rename_axis(index="model")

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check every model's lifts, and that fewer are not enough; see `FewestLifts.verify`.

        Raises
        ------
        ProofError
            Naming the model and what fails first.
        """
        scores = self._scores(source)
        ensure(tuple(self.lifts) == self.table.models, "the lifts are not of the models of the table, in order")
        for model, one in self.lifts.items():
            self._check(scores, model, one)
        return True


def checked_level(level: object) -> Fraction | None:
    """Return by how much a score is raised, None to the best of its task, or raise InputError."""
    try:
        amount = None if isinstance(level, str) and level == "best" else fraction(level)
    except InputError:
        amount = Fraction(0)  # refused with whatever is not a number
    if amount is not None and amount <= 0:
        raise InputError(f"level must be 'best' or a number above 0; got {level!r}")
    return amount


class LiftOptions(TypedDict, total=False):
    """What `fewest_lifts` takes besides the table, the model and the rule."""

    level: Literal["best"] | Number
    ties: LiftTies
    missing: LiftMissing
    space: WeightSpace | None
    time_limit: float | None


@overload
def fewest_lifts(
    board: LeaderboardLike, model: str, rule: LiftRuleLike = ..., **options: Unpack[LiftOptions]
) -> FewestLifts: ...


@overload
def fewest_lifts(
    board: LeaderboardLike, model: None = None, rule: LiftRuleLike = ..., **options: Unpack[LiftOptions]
) -> LiftCounts: ...


def fewest_lifts(
    board: LeaderboardLike,
    model: str | None = None,
    rule: LiftRuleLike = "majority",
    *,
    level: Literal["best"] | Number = "best",
    ties: LiftTies = "no",
    missing: LiftMissing = "error",
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> FewestLifts | LiftCounts:
    """Find the fewest tasks on which a model must rise to the task's best score so that it is the only winner.

    Parameters
    ----------
    board : Leaderboard
        The table; today's weights count, as in the rule.
    model : str, optional
        Who is to win; without one, the table of all models.
    rule : str or sequence of numbers
        ``"majority"`` (every head-to-head won), ``"mean"``, ``"median"`` (the lower weighted median: the least score
        with half of the weight at or below it), ``"mean_win_rate"``, ``"borda"``, ``"plurality"``, ``"veto"``,
        ``"dowdall"``, or the points of the places, best first. Tied models share the points of their places.
    level : "best" or number
        A lifted score is the best that any model has on the task, so that the two tie there; or it improves by this
        many units of score, whatever others have.
    ties : {"no", "ok"}
        Whether a shared first place is enough.
    missing : {"error", "skip", "last"}
        What becomes of missing scores: refused; left out (mean, median, mean win rate); or last (points). By majority
        they tie. A score that the model does not have cannot be lifted.
    space : WeightSpace, optional
        Weights are free within it: the lifted model must win under some of them, whatever today's are. By rules whose
        leads are sums over tasks: not by the median, nor by means where scores are missing.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    FewestLifts or LiftCounts
        Of the model, or of all models.

    Raises
    ------
    ImpossibleError
        If lifts on all tasks do not suffice; its ``proof`` is the FewestLifts that shows it. In the table of all models
        that is ``"never"``.
    InputError
        If the level is not positive, or the rule cannot read the table.
    UnknownNameError, MissingScoresError
        For an unknown model or rule, and for missing scores that may not be.
    UnprovedError, TimeLimitError
        If the optimum was not shown; ``known["found"]`` has the `FewestLifts` of the models that were done.

    Notes
    -----
    NP-hard by Borda and win rate already. A lift changes a model's lead over a rival on that task alone, so the least
    number is a cover: against each rival the lifts must bring what is lacking. The dual of its linear program is a
    mixture of rivals; if the best of fewer tasks bring too little against the mixture, fewer fail, which is
    checked exactly. Where that bound falls short, a tree of such bounds shows it, as far as a number of nodes goes;
    beyond it the solver's bound is named.

    References
    ----------
    Beyond Arrow, arXiv 2605.23628 (how many tasks must be lifted until a model wins).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 3}, "y": {"a": 7, "b": 6}, "z": {"a": 1, "b": 4}})
    >>> print(wl.lp.fewest_lifts(board, "a"))
    a wins head-to-head if lifted to the task's best score on 2 tasks (x, z); fewer are not enough.
    >>> wl.lp.fewest_lifts(board, rule="mean").counts.to_dict()
    {'a': 2, 'b': 0}
    """
    table = board_with_scores(board)
    if ties not in ("no", "ok"):
        raise InputError(f"ties must be 'no' or 'ok'; got {ties!r}")
    amount = checked_level(level)
    asked = LiftRule.of(rule, missing)
    chosen = table.models if model is None else (table.models[table.signs().position(model)],)
    allowed = None if space is None else space_for(table.signs(), space)
    scores = _scores_of(table, asked, amount, allowed)
    lifts: dict[str, Lifts] = {}
    options: dict[str, Any] = {"rule": asked, "level": amount, "ties": ties, "space": allowed, "table": table}
    try:
        with within(time_limit, lifts=lifts):
            for one in chosen:
                lifts[one] = _lifts_of(scores, one, allowed, shared=ties == "ok")
    except UnprovedError as error:
        error.known["found"] = tuple(FewestLifts(model=one, lifts=own, **options) for one, own in lifts.items())
        raise
    if model is None:
        return LiftCounts(lifts=lifts, **options).verified()
    result = FewestLifts(model=chosen[0], lifts=lifts[chosen[0]], **options).verified()
    if result.tasks is None:
        raise ImpossibleError(str(result), proof=result)
    return result


def _scores_of(table: Leaderboard, rule: LiftRule, level: Fraction | None, space: WeightSpace | None) -> LiftScores:
    """Return the scores as they count: where weights are free, each task once."""
    if space is None:
        return LiftScores(table, rule, level)
    if rule.name == "median" or (rule.missing == "skip" and table.missing_cells):
        raise InputError(f"by {rule} a lead is not a sum over tasks, so weights cannot be free: omit space=")
    return LiftScores(table.replace(weights=dict.fromkeys(table.tasks, 1)), rule, level)


def _in_space(scores: LiftScores, model: str, space: WeightSpace, *, shared: bool) -> LiftsInSpace:
    today, then = scores.lifts(scores.table.models.index(model))
    return LiftsInSpace(today=today, then=then, rivals=_rivals(scores.table, model), space=space, shared=shared)


def _lifts_of(scores: LiftScores, model: str, space: WeightSpace | None, *, shared: bool) -> Lifts:
    table, names = scores.table, _rivals(scores.table, model)
    cuts, weights = tuple[LiftCut, ...](), tuple[Fraction, ...]()
    if space is None:
        found = fewest_cover(scores.cover(table.models.index(model), shared=shared))
    else:
        found, cuts, weights = _in_space(scores, model, space, shared=shared).fewest()
        names = tuple(map(str, range(len(cuts))))
    return Lifts(
        tasks=None if found.tasks is None else tuple(table.tasks[one] for one in found.tasks),
        mixture=exact_series(list(found.mixture.values()), [names[row] for row in found.mixture], "share"),
        tree=found.tree,
        solver=found.solver,
        weights=exact_series(list(weights), table.tasks if weights else [], "weight"),
        cuts=cuts,
    )


def _rivals(table: Leaderboard, model: str) -> tuple[str, ...]:
    return tuple(one for one in table.models if one != model)
