"""Scenarios: among all weights under which a model wins, those that serve an objective, or several in turn, best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._exact import Number, fraction
from weightlab._result import ByName, Proof, Seen, ensure, exact_series
from weightlab._solver import within
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.linear_rule import MAJORITY, LeadsLike, RuleLike, Scale
from weightlab.data.points import Missing, Ties
from weightlab.exceptions import InputError
from weightlab.lp.by_model import Asked, OfModel
from weightlab.lp.certificate import check_exact, check_todays, check_weighting, leads, least_lead
from weightlab.lp.certificates.max_margin import Verdict
from weightlab.lp.certificates.objectives import DistanceFrom, LinearObjective, Objective, objective_for
from weightlab.lp.scenarios import lexicographic
from weightlab.lp.space.space import WeightSpace
from weightlab.lp.verdicts.prospect import Prospect, linear_prospect, prospect_with_margin


class Scenario(OfModel, kind="scenario"):
    """Winning weights that serve an objective best (and others in turn), with what proves it stage by stage.

    Attributes
    ----------
    model, rule, signs, points, space
        As of an `OfModel`.
    margin : Fraction
        Required least lead, as a share of weight or in points; 0 means "undefeated".
    stages : tuple of LinearStage, MarginStage or TasksStage
        One per objective: its optimum over the weights that serve the objectives before it best, and the proof.
    ends : tuple of Prospect
        The same model among the weights that serve all objectives best: the proof of ``attained``. Several when the
        fewest tasks are an objective and several sets of tasks serve the later objectives equally well.
    chosen : int
        Which of them the weights are of.
    strict_weights : Series of Fraction by task, or None
        Weights that win strictly and miss the optima by ``slacks``. A weak model has none; that it is weak is for its
        `Prospect` to prove, so None claims nothing.
    slacks : tuple of Fraction, or None
        What they miss, one per objective; all 0 when the optimum is attained. After the first that is not 0 they may
        be negative: what is lost on one objective may be a gain for the next.
    """

    margin: Fraction
    stages: tuple[lexicographic.LexicographicStage, ...]
    ends: tuple[Prospect, ...]
    chosen: int
    strict_weights: Seen[pd.Series | None] = ByName("space.tasks", called="weight")
    slacks: tuple[Fraction, ...] | None

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"weights": Proof.EXACT} | {stage.words: stage.proof for stage in self.stages}

    @property
    def at_optimum(self) -> Prospect:
        """The model's prospect among optimal weights; its space is that of optimal weights."""
        return self.ends[self.chosen]

    @property
    def weights(self) -> pd.Series:
        """Optimal weights; they win strictly if any optimal ones do."""
        return self.at_optimum.weights

    @property
    def value(self) -> Fraction:
        """The optimum of the (first) objective."""
        return self.values[0]

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The optimum of each objective, over the weights that serve those before it best."""
        return tuple(stage.value for stage in self.stages)

    @property
    def slack(self) -> Fraction | None:
        """What ``strict_weights`` miss the first optimum by."""
        return None if self.slacks is None else self.slacks[0]

    @property
    def attained(self) -> bool:
        """Whether some optimal weights win strictly: otherwise only weights arbitrarily near to them do."""
        return self.at_optimum.verdict is Verdict.STRICT

    @property
    def verdict(self) -> Verdict:
        """What ``weights`` do: ``strict`` when they beat every rival, ``weak`` when they tie some."""
        return Verdict.STRICT if min(self.leads) > 0 else Verdict.WEAK

    @property
    def rivals(self) -> tuple[str, ...]:
        """Rows of the signs."""
        return self.at_optimum.rivals

    @property
    def leads(self) -> pd.Series:
        """The exact lead over each rival under ``weights``, as a share of total weight or in points of the rule."""
        return exact_series(self.scaled(leads(self.rows, self.weights.tolist())), self.rivals, "lead")

    def __str__(self) -> str:
        """Say the optimum in one sentence; others tell of strict wins and name the conditions, if there are any."""
        wins = "wins" if self.verdict is Verdict.STRICT else "is undefeated"
        optima = ", then ".join(stage.words for stage in self.stages)
        leading = f", leading every rival by at least {self.lead_words(self.margin)}" if self.margin else ""
        said = f"{self.by_rule}, {self.model} {wins} with {optima}{leading}.{self._more_tasks()}"
        return said + self.space.conditions_sentence

    def _more_tasks(self) -> str:
        """Say how many tasks a strict win takes, where it takes more."""
        for stage, slack in zip(self.stages, self.slacks or (), strict=False):
            if slack:
                strictly = stage.strictly if isinstance(stage, lexicographic.TasksStage) and stage.shows_ties else None
                wins = "win head-to-head" if self.points is None else "be first alone"
                return f" To {wins} it needs {strictly.size} tasks." if strictly is not None else ""
        return ""

    def to_frame(self) -> pd.DataFrame:
        """Return the weights: the optimal ones and, where there are any, those that win strictly."""
        columns = {"optimal": self.weights}
        if self.strict_weights is not None:
            columns["strict"] = self.strict_weights
        return pd.DataFrame(columns)

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check feasibility, the optimum of every stage, and ``attained``, in exact arithmetic, without a solver.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        check_exact(margin=self.margin)
        ensure(self.margin >= 0, f"a margin of {self.margin} is not a win")
        ensure(self.stages, "there is no objective")
        whole = type(self.chosen) is int and 0 <= self.chosen < len(self.ends)
        ensure(whole, f"there is no end {self.chosen!r} of the stages")
        self.check_rows(self.rivals, source)
        if source is not None:
            self._verify_todays(source)
        self._verify_ends(self._verify_stages())
        self._verify_strict()
        return True

    def _verify_todays(self, source: SignsLike) -> None:
        """Ensure that weights marked as the table's own are those of the source."""
        for stage in self.stages:
            objective = stage.objective if isinstance(stage, lexicographic.LinearStage) else None
            if isinstance(objective, DistanceFrom) and objective.todays:
                check_todays(source, exact_series(list(objective.centre.values()), list(objective.centre), "weight"))

    def _verify_stages(self) -> lexicographic.Region:
        """Ensure each stage's optimum over what the stages before it leave, and return what the last one leaves."""
        region = lexicographic.Region(spaces=(self.space,), least=self.margin, rule=self.rule, unit=self.unit)
        for stage in self.stages:
            stage.check(self.model, self.rows, self.rivals, region)
            region = stage.after(region)
            ensure(
                not isinstance(stage, lexicographic.TasksStage) or stage.found.is_complete or stage is self.stages[-1],
                "later objectives need all smallest sets of tasks",
            )
        return region

    def _verify_ends(self, region: lexicographic.Region) -> None:
        ensure(len(self.ends) == len(region.spaces), "there must be one end a space of optimal weights")
        for end, space in zip(self.ends, region.spaces, strict=True):
            lexicographic.check_prospect(end, self.model, self.rows, self.rivals, space, region)
            ensure(end.lower >= region.least, f"the least lead of optimal weights is {end.lower}, below {region.least}")
        if self.attained:
            return
        strict = [end.model for end in self.ends if end.verdict is Verdict.STRICT]
        ensure(not strict, "optimal weights that win strictly were passed over")
        last = self.stages[-1]
        if isinstance(last, lexicographic.TasksStage) and not last.found.is_complete:
            ensure(last.shows_ties, "nothing proves that strict wins need more tasks")

    def _verify_strict(self) -> None:
        strict, slacks = self.strict_weights, self.slacks
        ensure((strict is None) == (slacks is None), "strict weights and slacks belong together")
        if strict is None or slacks is None:
            ensure(not self.attained, "strict weights attain the optimum, but none are given")
            return
        ensure(len(slacks) == len(self.stages), "there must be one slack an objective")
        for number, slack in enumerate(slacks, start=1):
            check_exact(**{f"slack {number}": slack})
        missed = next((slack for slack in slacks if slack), Fraction(0))
        ensure(missed >= 0, f"the slack is negative: {missed}")
        ensure(
            not (self.attained and missed), f"strict weights attain the optimum, but those given miss it by {missed}"
        )
        check_weighting(strict, self.space)
        least = least_lead(self.rows, strict.tolist()) / self.unit
        ensure(least > 0, f"the strict weights win a head-to-head only by {least}")
        ensure(least >= self.margin, f"the strict weights win a head-to-head by {least}, below {self.margin}")
        for stage, slack in zip(self.stages, slacks, strict=True):
            found = lexicographic.missed_by(stage, strict, self.rows)
            ensure(found == slack, f"the strict weights miss the {stage.words} by {found}, not {slack}")


def scenario(
    board: LeadsLike,
    model: str,
    objective: Objective | Sequence[Objective],
    *,
    rule: RuleLike = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    margin: Number = 0,
    time_limit: float | None = None,
) -> Scenario:
    """Find, among all weights under which a model is undefeated, those that serve an objective best.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table.
    model : str
        Who is to win.
    objective : Objective or sequence of Objective
        `closest_to`, `most_balanced`, `least_weight`, `most_weight`, `widest_margin` or `fewest_tasks`. Of several
        the first counts most: each one chooses among the weights that serve those before it best.
    rule : str or sequence of numbers
        By which it wins: ``"majority"``, ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"`` or the
        points of the places.
    ties, missing : str, optional
        Options of rules by place, as for `prospect`.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights.
    margin : number
        Least lead over every rival, as a share of total weight (by other rules in their points); not negative.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    Scenario

    Raises
    ------
    ImpossibleError
        If no weights of the space give such leads; its ``proof`` is the Prospect that shows it.
    InputError
        If the margin is negative, there is no objective or something else in its place, or ``fewest_tasks`` is
        given twice.
    UnknownNameError, MissingScoresError, EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`.

    Notes
    -----
    Winning every head-to-head is an open condition, so the best strictly winning weights need not exist: the optimum is
    over leads of at least ``margin``, ``attained`` says whether strict winners reach it, and ``strict_weights`` come
    within 1/1000 of it, or win on as many more tasks as their slack says.

    One linear program per objective, and one more that decides whether strict winners attain it. The fewest tasks are
    NP-hard: see `fewest_task_sets`. Objectives after it are served on every smallest set of tasks.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2 ("a linear function that needs to be optimised").

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 1, "b": 2}})
    >>> print(wl.lp.scenario(board, "a", wl.lp.closest_to()))
    Head-to-head, a is undefeated with the least weight to move from equal weights, 16.7%.
    >>> print(wl.lp.scenario(board, "a", [wl.lp.most_weight("y"), wl.lp.fewest_tasks()]))
    Head-to-head, a is undefeated with the greatest weight of y, 50%, then the smallest set of tasks, 2.
    """
    board = as_table(board)
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    allowed = asked.space
    objectives = _objectives(objective)
    for one in objectives:  # told before anything is solved
        _resolved(one, board, allowed)
    least = fraction(margin)

    def prospect_in(cut: WeightSpace) -> Prospect:
        return linear_prospect(asked, model, space=cut)

    stages: list[lexicographic.LexicographicStage] = []
    with within(time_limit, stages=stages):
        widest = prospect_with_margin(asked, model, least)
        solver = lexicographic.LexicographicSolver(widest, least, prospect_in, stages)
        for number, one in enumerate(objectives, start=1):
            solver.optimise(_resolved(one, board, solver.region.spaces[0]), last=number == len(objectives))
        outcome = solver.outcome()
    strict = outcome.strict_weights
    return Scenario(
        model=model,
        **asked.fields(model),
        margin=least,
        stages=tuple(stages),
        ends=outcome.ends,
        chosen=outcome.chosen,
        space=allowed,
        strict_weights=strict,
        slacks=None
        if strict is None
        else tuple(lexicographic.missed_by(stage, strict, widest.rows) for stage in stages),
    ).verified()


def _objectives(objective: Any) -> list[Objective]:
    """Return the objectives as a list, refusing anything else and whatever cannot be served."""
    listed = list(objective) if isinstance(objective, Iterable) and not isinstance(objective, str) else [objective]
    if not listed:
        raise InputError("a scenario needs an objective")
    for one in listed:
        if not isinstance(one, Objective):
            raise InputError(f"an objective such as closest_to() is needed, or several; got {one!r}")
    if sum(one.kind == "fewest_tasks" for one in listed) > 1:
        raise InputError("fewest_tasks() can be asked for once only in a list of objectives")
    return listed


def _resolved(objective: Objective, board: object, space: WeightSpace) -> LinearObjective | Objective:
    """Return the linear objective over a space, or the objective itself if it is not linear."""
    if objective.kind in {"widest_margin", "fewest_tasks"}:
        return objective
    return objective_for(objective, board, space)
