"""From a table and a rule to joint intervals of all differences between models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import FloatArray
from weightlab._result import Frozen
from weightlab.data import Instances, Leaderboard, Margins
from weightlab.data.frame.declarations import Range
from weightlab.data.points import made_complete
from weightlab.exceptions import InputError
from weightlab.lp import WeightSpace
from weightlab.lp.unknown_scores.bounds import usual_bounds
from weightlab.rules import Rule
from weightlab.rules import rule as registered
from weightlab.rules.inputs import InapplicableError, group_weighted, weighing
from weightlab.studies.confidence.bounded import betting_intervals
from weightlab.studies.confidence.contributions import (
    OF_SCORES,
    group_names,
    group_stratum,
    instance_strata,
    is_pairwise,
    membership,
    noisy_tasks,
    place_bounds,
    readable,
    score_errors,
    shares,
    sure_signs,
    task_strata,
    task_values,
    worth_of_places,
)
from weightlab.studies.confidence.drawn_tasks import Together, deciding, moving_together
from weightlab.studies.confidence.new_tasks import predicted
from weightlab.studies.confidence.rank_tests import (
    Friedman,
    friedman,
    nemenyi,
    refuse_untestable,
    task_ranks,
    wilcoxon,
)
from weightlab.studies.confidence.sign_tests import (
    OF_MAJORITIES,
    ONE_POINT,
    binomial_leads,
    counted_leads,
    sign_tests,
)
from weightlab.studies.confidence.simultaneous import (
    Differences,
    JointIntervals,
    Stratum,
    estimated,
    joint_intervals,
    mean_intervals,
    normal_intervals,
    reach_of,
)
from weightlab.studies.confidence.vote_strengths import count_of_votes, joint_of_votes
from weightlab.studies.confidence.weighted_noise import joint_under_weights
from weightlab.studies.question import Question
from weightlab.studies.resampling.places import SUMS_OVER_TASKS

Noise: TypeAlias = Literal["tasks", "groups", "new_tasks", "instances", "both", "standard_errors", "votes"]
"""What might have been otherwise."""
Method: TypeAlias = Literal[
    "bootstrap_t", "student", "sign_tests", "hoeffding", "bounded", "normal", "bounds", "sandwich",
    "weights", "nemenyi", "wilcoxon", "conformal",
]  # fmt: skip
"""How joint intervals are made."""
Made: TypeAlias = tuple[Method, JointIntervals]
"""How intervals were made, and these."""
RankTest: TypeAlias = Literal["nemenyi", "wilcoxon"]
"""Tests of ranks, used only on request."""
AskedMethod: TypeAlias = Literal["bounded", "nemenyi", "wilcoxon"]
"""Methods that can be asked for."""
DRAWN: tuple[Noise, ...] = ("tasks", "groups")
MEASURED_WITH_NOISE: tuple[Noise, ...] = ("instances", "standard_errors")
LEAST_GROUPS = 6
"""Fewer whole groups separate nothing: any two models may differ alike by chance."""


class Settings(Frozen):
    """The question: by which rule, over what, at which level, in how many draws from which seed, by which method."""

    question: Question
    over: Noise
    level: float
    repeats: int
    seed: int
    space: WeightSpace | None = None
    test: AskedMethod | None = None
    bounds: Range | None = None

    def __post_init__(self) -> None:
        """Raise InapplicableError for a method of what it does not read."""
        drawn = ("tasks", "groups") if self.test == "bounded" else ("tasks",)
        if self.test is not None and (self.over not in drawn or self.space is not None):
            told = f"the method {self.test} is of tasks that are drawn, under the weights that the table has"
            raise InapplicableError(Fault(told, Cure("over", "tasks")))

    @property
    def draws(self) -> dict[str, Any]:
        """The options of methods that draw."""
        return {"level": self.level, "repeats": self.repeats, "seed": self.seed}


class Measured(Frozen):
    """Joint intervals of all pairs of models, how they were made, and of what."""

    models: tuple[str, ...]
    tasks: int
    method: Method
    joint: JointIntervals
    mean_ranks: FloatArray
    incomplete: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    deciding: tuple[str, ...] = ()
    together: float | None = None
    worth: float | None = None
    friedman: Friedman | None = None


def measured(source: Leaderboard | Instances | Margins, asked: Settings, models: tuple[str, ...]) -> Measured:
    """Return the joint intervals of all pairs of some models of a table.

    Raises
    ------
    InputError
        If the rule or the table does not allow it.
    """
    if len(models) < 2:
        raise InputError(f"ranks are of two models or more; got {len(models)}")
    source = source if models == source.models else source.select(models=models)
    if isinstance(source, Margins):
        return _of_votes(source, asked)
    if asked.over == "votes":
        raise InputError(Fault("votes are between two models, and a table has tasks", Cure("over", "tasks")))
    rule = rule_asked(asked.question)
    board = source.means() if isinstance(source, Instances) else source
    whole = weighing(group_weighted(board) if asked.question.rule is None else board)
    board = readable(whole, rule, asked.over)
    incomplete = tuple(model for model in whole.models if model not in board.models)
    if incomplete and isinstance(source, Instances):
        source = source.select(models=board.models)
    _refuse(source, board, rule.name, asked.over)
    method, joint, omnibus = _joint(source, board, rule, asked)
    drawn_within = omnibus is None and asked.over in ("tasks", "both") and rule.name not in OF_MAJORITIES
    within = drawn_within and len(board.groups) > 1
    alone = deciding(task_values(board, rule)).tolist() if method == "bootstrap_t" and asked.over == "tasks" else []
    drawing = asked.over in ("tasks", "both", "new_tasks")
    found = _together(board, asked.seed) if drawing and len(board.models) > 2 else None
    drawn = group_names(board) if asked.over == "groups" else tuple(board.groups) if within else ()
    return Measured(
        models=board.models,
        incomplete=incomplete,
        tasks=len(board.tasks),
        groups=drawn,
        deciding=tuple(board.tasks[place] for place in alone),
        together=None if found is None else found.p,
        worth=None if found is None else found.worth,
        method=method,
        joint=joint,
        mean_ranks=pairwise_ranks(board.margins()),
        friedman=omnibus,
    )


def _refuse(source: Leaderboard | Instances, board: Leaderboard, rule: str, over: str) -> None:
    """Raise InputError where the table does not show what differs, or nothing differs."""
    if over in ("instances", "both") and not isinstance(source, Instances):
        told = f"ranks over {over} need scores on single instances, and a table has those of tasks"
        raise InputError(Fault(told, Cure("over", "tasks")))
    if over in ("tasks", "both", "new_tasks") and len(board.tasks) < 2:
        other = "instances" if isinstance(source, Instances) else "standard_errors"
        raise InputError(Fault("one task does not show how tasks differ", Cure("over", other)))
    if over == "new_tasks" and len(set(board.weights)) > 1:
        raise InputError(Fault("a new task has no weight, and these weights differ", Cure("over", "tasks")))
    if over == "groups" and rule in OF_MAJORITIES:
        raise InapplicableError(Fault("whole groups are drawn for means and points", Cure("over", "tasks")))
    if not board.margins().wins.any():
        raise InputError("all models tie on all tasks: there is nothing to separate")


def pairwise_ranks(margins: Margins) -> FloatArray:
    """Return 1 and the share of tasks, or votes, that a model lost to each rival, ties half.

    On complete tables that is its average rank. NaN for a model that never met some rival.
    """
    there = margins.wins + margins.wins.T + margins.ties
    np.fill_diagonal(there, 1)
    lost = (margins.wins.T + margins.ties / 2) / np.where(there > 0, there, np.nan)
    return np.asarray(1 + lost.astype(np.float64).sum(axis=1))


def _of_votes(votes: Margins, asked: Settings) -> Measured:
    if asked.space is not None:
        raise InputError("votes have no weights")
    if asked.over != "votes":
        raise InputError(Fault(f"votes have no {asked.over.replace('_', ' ')}", Cure("over", "votes")))
    if not votes.wins.any():
        raise InputError("all votes are ties: there is nothing to separate")
    count, name = count_of_votes(votes), "" if asked.question.rule is None else asked.question.rule.name
    joint = joint_of_votes(votes, name, **asked.draws)
    method: Method = "sandwich" if name == "bradley_terry" else "sign_tests"
    ranks = pairwise_ranks(votes)
    return Measured(models=votes.models, tasks=count, method=method, joint=joint, mean_ranks=ranks)


def _together(board: Leaderboard, seed: int) -> Together:
    """Test whether the tasks move together, by the groups that are named, else by what all tasks show."""
    named = board.groups.values()
    apart = bool(named) and sum(map(len, named)) == len(set().union(*named))
    groups = membership(board).argmax(axis=0) if apart and len(group_names(board)) > 1 else None
    return moving_together(task_values(board, registered("mean")), groups, seed)


def has_rank_sets(rule: Rule) -> bool:
    """Return whether a rule is a mean over tasks, reads majorities or makes strengths of wins."""
    return rule.name in SUMS_OVER_TASKS | OF_MAJORITIES | {"bradley_terry"}


def rule_asked(question: Question) -> Rule:
    """Return the rule of a question that rank sets can answer, or raise InapplicableError."""
    if question.average == "macro_average":
        return registered("mean")
    rule = question.rule
    if rule is not None and rule.name == "bradley_terry":
        # Where all models meet equally often its strengths stand as Borda's points do.
        return registered("borda")
    if rule is None or not has_rank_sets(rule):
        known = ", ".join(sorted(SUMS_OVER_TASKS | OF_MAJORITIES))
        raise InapplicableError(
            f"rank sets are of rules that are means over tasks or read majorities ({known}, macro_average); "
            f"{question.name} is neither"
        )
    return rule


def _joint(
    source: Leaderboard | Instances, board: Leaderboard, rule: Rule, asked: Settings
) -> tuple[Method, JointIntervals, Friedman | None]:
    if asked.test is None or asked.test == "bounded":
        return *_by_rule(source, board, rule, asked), None
    refuse_untestable(board, rule)
    ranks = task_ranks(board)
    joint = nemenyi(ranks, asked.level) if asked.test == "nemenyi" else wilcoxon(board)
    return asked.test, joint, friedman(ranks)


def _by_rule(source: Leaderboard | Instances, board: Leaderboard, rule: Rule, asked: Settings) -> Made:
    """Return how intervals were made, and these, by the table `MADE`, or raise InapplicableError where it has a gap."""
    over = asked.over
    if asked.space is not None:
        if over not in ("instances", "standard_errors") or asked.question.rule is None or rule.name != "mean":
            raise InapplicableError(
                "rank sets under weights are by the mean over instances or standard errors: where tasks are drawn a "
                "task's weight has no fixed meaning"
            )
        data = source if over == "instances" else board
        return "weights", joint_under_weights(data, board, asked.space, **asked.draws)
    family = "majority" if rule.name in OF_MAJORITIES else "scores" if rule.name in OF_SCORES else "places"
    make = MADE.get(("mean" if rule.name == "mean" else family, over))
    if make is None:
        reads, why = "the mean, for points by place and for majority rules", ""
        if over == "both":
            reads, why = "the mean alone", "(the noise of instances is part of how tasks differ)"
        told = f"ranks over {over} are for {reads}, not for {asked.question.name}"
        raise InapplicableError(Fault(told, Cure("over", "tasks", why)))
    return make(source, board, rule, asked)


def _over_new_tasks(_: Leaderboard | Instances, board: Leaderboard, __: Rule, asked: Settings) -> Made:
    return "conformal", predicted(task_ranks(board), asked.level)


def _by_majorities(_: Leaderboard | Instances, board: Leaderboard, __: Rule, asked: Settings) -> Made:
    if asked.test is not None:
        raise InapplicableError("sign tests of majorities are sure already, and need no bounds: omit the method")
    return "sign_tests" if len(set(board.weights)) == 1 else "hoeffding", sign_tests(board, asked.level)


def _over_tasks(_: Leaderboard | Instances, board: Leaderboard, rule: Rule, asked: Settings) -> Made:
    """Return how intervals of means over drawn tasks, or whole groups of them, were made, and these."""
    values, whole = task_values(board, rule), asked.over == "groups"
    strata = [group_stratum(board, values)] if whole else task_strata(board, values)
    method: Method
    if asked.test != "bounded" and rule.name not in ONE_POINT:
        method, joint = mean_intervals(strata, places=rule.name not in OF_SCORES, **asked.draws)
    elif asked.test is None and not whole and len(set(board.weights)) == 1 and len(np.unique(values)) <= 2:
        method, joint = "sign_tests", binomial_leads(*counted_leads(values), asked.level)
    else:
        one = strata[0] if whole else Stratum(values=values, weights=shares(board))
        method, joint = "bounded", betting_intervals(one.values, one.weights, _most(board, rule, asked), asked.level)
    if whole and len(strata[0].weights) < LEAST_GROUPS:
        none = np.full(len(joint.p), np.nan)
        joint = replace(joint, low=none, high=none, p=np.ones(len(none)))
    return method, joint


def _most(board: Leaderboard, rule: Rule, asked: Settings) -> float:
    """Return the largest difference that two models can have on a task, or raise InputError if it is unknown."""
    lacking = made_complete(board.missing_cells, board.models, board.tasks) if board.missing_cells else None
    if lacking and (rule.name == "mean" or is_pairwise(rule)):
        raise InputError(Fault("bounded differences need every score", *lacking))
    if rule.name not in OF_SCORES:
        return float(np.ptp(worth_of_places(rule, board)))
    if rule.name != "mean":
        raise InapplicableError(f"bounded differences are available for the mean and points by place, not for {rule}")
    low, high = asked.bounds or (None, None)
    if low is None or high is None:
        raise InputError(Fault("the range of possible scores is needed, and none is declared", *usual_bounds(board)))
    scores = board.cells.floats
    if scores.min() < low or scores.max() > high:
        raise InputError(f"some scores are outside the declared range from {float(low):g} to {float(high):g}")
    return float(high - low)


def _over_instances(source: Leaderboard | Instances, board: Leaderboard, _: Rule, asked: Settings) -> Made:
    """Return intervals of means over instances; where tasks are drawn, too, their errors are added."""
    assert isinstance(source, Instances)  # noqa: S101 - checked by the caller
    strata = instance_strata(source)
    found = estimated(strata)
    if asked.over == "both":
        tasks = estimated(task_strata(board, task_values(board, registered("mean"))))
        found = Differences(value=tasks.value, error=np.hypot(tasks.error, found.error), freedom=tasks.freedom)
    return "student", joint_intervals(found, level=asked.level, reach=reach_of(strata))


def _over_errors(_: Leaderboard | Instances, board: Leaderboard, __: Rule, asked: Settings) -> Made:
    share = shares(board)
    scores = share @ task_values(board, registered("mean"))
    errors = np.sqrt(((share[:, None] * score_errors(board)) ** 2).sum(axis=0))
    return "normal", normal_intervals(scores, np.diag(errors), **asked.draws)


def _by_sure_signs(source: Leaderboard | Instances, board: Leaderboard, rule: Rule, asked: Settings) -> Made:
    """Return bounds of what a rule by places or majorities says, from who surely leads whom on each task."""
    sure = sure_signs(noisy_tasks(source if asked.over == "instances" else board), asked.level)
    share = shares(board)
    rows, columns = np.triu_indices(len(board.models), 1)
    if rule.name in OF_MAJORITIES:
        margins = board.margins()
        lead = (margins.array / (margins.denominator * sum(board.weights))).astype(np.float64)[rows, columns]
        low, high = np.where(sure > 0, 1.0, -1.0), np.where(sure < 0, -1.0, 1.0)
    else:
        scores = share @ task_values(board, rule)
        lead = scores[rows] - scores[columns]
        low, high = place_bounds(rule, board, sure)
    # Where every sign is sure the ends are the lead itself, up to rounding.
    low, high = np.minimum(share @ low, lead), np.maximum(share @ high, lead)
    return "bounds", JointIntervals(difference=lead, low=low, high=high, p=np.full(len(rows), np.nan))


MADE: Mapping[tuple[str, Noise], Callable[[Leaderboard | Instances, Leaderboard, Rule, Settings], Made]] = {
    **{(family, "new_tasks"): _over_new_tasks for family in ("mean", "scores", "places", "majority")},
    **{(family, over): _over_tasks for family in ("mean", "scores", "places") for over in DRAWN},
    ("majority", "tasks"): _by_majorities,
    ("mean", "instances"): _over_instances,
    ("mean", "both"): _over_instances,
    ("mean", "standard_errors"): _over_errors,
    **{(family, over): _by_sure_signs for family in ("places", "majority") for over in MEASURED_WITH_NOISE},
}
"""By what a rule reads and what varies, how intervals are made; combinations that are missing have no intervals."""
