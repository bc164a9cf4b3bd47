"""Groups of tasks, or tasks of instances, as voters: each with a weight of its own, or with a ranking to be ranked."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import Number, common_denominator
from weightlab._result import Proof, Result, ensure
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Profile, as_table
from weightlab.data.frame.cells import Cells
from weightlab.data.linear_rule import rule_words
from weightlab.data.points import NAMED_VECTORS
from weightlab.data.profile import Order
from weightlab.exceptions import InputError
from weightlab.rules.inputs import (
    Needs,
    Preparation,
    boards_of,
    checked_group_weights,
    refuse_ungrouped,
)
from weightlab.rules.outcome import Outcome
from weightlab.rules.ranking import Ranking, ensure_same_source, prepared_rank, rank, ranking_of
from weightlab.rules.registry import Rule, RuleLike
from weightlab.rules.registry import rule as registered


class TwoStepRanking(Result, kind="two_step_ranking"):
    """A ranking of rankings.

    Attributes
    ----------
    source : Leaderboard or Instances
        What is ranked.
    steps : dict from str to Ranking
        The first step: a ranking for each group of tasks (or each task, of its instances).
    weights : tuple of Fraction
        What each of them weighs in the second step.
    final : Ranking
        The second step: the groups are the voters (or the tasks, for a rule that reads scores).
    """

    derived: ClassVar[tuple[str, ...]] = ("winners",)

    steps: Mapping[str, Ranking]
    weights: tuple[Fraction, ...]
    final: Ranking
    source: Leaderboard | Instances

    def __post_init__(self) -> None:
        """Raise InputError unless each group has a weight above 0."""
        if len(self.weights) != len(self.steps):
            raise InputError(f"{len(self.weights)} weights for {len(self.steps)} groups")
        if any(weight <= 0 for weight in self.weights):
            raise InputError("the weights of groups that take part are positive")

    @property
    def scores(self) -> pd.Series:
        """Scores of the second step by model, best first."""
        return self.final.scores

    @property
    def ranks(self) -> pd.Series:
        """Ranks of the second step by model, best first."""
        return self.final.ranks

    @property
    def order(self) -> Order:
        """The weak order of the second step, best first."""
        return self.final.order

    @property
    def places(self) -> Order:
        """The weak order of the ranks of the second step, best first."""
        return self.final.places

    @property
    def winners(self) -> tuple[str, ...]:
        """Who wins the second step, in board order."""
        return self.final.winners

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.source.models

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """The rankings, and how much of each ``verify`` re-checks."""
        within = {f"ranking of {name}": one.proof for name, one in self.steps.items()}
        return {"final ranking": self.final.proof} | within

    def __str__(self) -> str:
        """Return the sentence that names the winner."""
        first, noun = next(iter(self.steps.values())).rule, "task" if isinstance(self.source, Instances) else "group"
        within = f"in each of {len(self.steps)} {noun}s" if len(self.steps) > 1 else f"in its one {noun}"
        return f"{self.final} Second of two steps: the first ranks {rule_words(first)} {within}."

    def to_frame(self) -> pd.DataFrame:
        """Return the final rank and score of each model and its rank in each group, best first."""
        inner = {name: step.ranks.reindex(self.final.scores.index).astype("Int64") for name, step in self.steps.items()}
        groups = pd.DataFrame(inner, index=self.final.scores.index)
        return pd.concat({"final": self.final.to_frame(), "groups": groups}, axis=1)

    def verify(self, source: Leaderboard | Instances | None = None) -> bool:
        """Re-check both steps, and that the second is about the first.

        Parameters
        ----------
        source : Leaderboard or Instances, optional
            What the first step must have been read from, group by group or task by task.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure_same_source(self.source, source)
        weights = dict(zip(self.steps, self.weights, strict=True))
        if isinstance(self.source, Instances):
            own = {name: weight for name, weight in self.source.weights.items() if weight}
            ensure(weights == own, "the tasks and their weights are not those of the source")
        ensure(len({str(step.rule) for step in self.steps.values()}) == 1, "the first step is not by one rule")
        plain = all(one.preparation.how == "none" for one in (*self.steps.values(), self.final))
        ensure(plain, "a ranking is not of the table of its step as it is")
        for name, board in boards_of(self.source, self.steps).items():
            self.steps[name].verify(board)
        return self.final.verify(second_table(self.steps, weights, self.final.rule.needs, self.models))


def in_two_steps(
    source: Leaderboard | Instances,
    weights: Mapping[str, Fraction],
    *,
    rule: RuleLike,
    then: RuleLike | None,
    options: Mapping[str, Any],
) -> TwoStepRanking:
    """Rank the models in each group (or task) that weighs, and the rankings by the same rule or by another."""
    first = registered(rule, **options)
    second = first if then is None else registered(then)
    names = tuple(name for name, weight in weights.items() if weight)
    steps = {name: rank(board, first) for name, board in boards_of(source, names).items()}
    table = second_table(steps, weights, second.needs, source.models)
    own = tuple(weights[name] for name in names)
    return TwoStepRanking(source=source, steps=steps, weights=own, final=rank(table, second))


def second_table(
    steps: Mapping[str, Ranking], weights: Mapping[str, Fraction], needs: Needs, models: tuple[str, ...]
) -> Profile | Leaderboard:
    """Return the input of the second step: rankings of the first, or its scores if the rule averages scores."""
    if needs is Needs.SCORES:
        return _score_table(steps, weights, models)
    ranks = []
    for step in steps.values():
        level = {model: place for place, group in enumerate(step.places, start=1) for model in group}
        ranks.append([level.get(model, 0) for model in models])
    return Profile(
        models=models,
        voters=tuple(steps),
        ranks=np.array(ranks, dtype=np.int32),
        weights=tuple(weights[name] for name in steps),
    )


def _score_table(steps: Mapping[str, Ranking], weights: Mapping[str, Fraction], models: tuple[str, ...]) -> Leaderboard:
    floats = np.full((len(models), len(steps)), np.nan)
    exact: dict[tuple[int, int], Fraction] = {}
    for column, step in enumerate(steps.values()):
        _refuse_inexact(step.rule, step.scores)
        for model, score in step.scores.items():
            row = models.index(str(model))
            floats[row, column] = float(score)
            if Fraction(repr(float(score))) != score:
                exact[row, column] = score
    lower = [name for name, step in steps.items() if step.rule.lower_is_better]
    cells = Cells(floats=floats, exact=exact)
    return Leaderboard.from_cells(
        models, tuple(steps), cells, lower_is_better=lower, weights={name: weights[name] for name in steps}
    )


def _refuse_inexact(rule: Rule, scores: pd.Series) -> None:
    if scores.dtype != object:
        told = f"the scores of {rule.name!r} are irrational, so a mean of them is not exact"
        raise InputError(Fault(told, Cure("then", "borda", "or another rule that reads places or duels")))


def grouped(
    board: LeaderboardLike,
    rule: RuleLike = "borda",
    *,
    group_weights: Mapping[str, Number] | None = None,
    **options: Any,
) -> Ranking:
    """Rank the models by a rule with a weight a group, shared among its tasks.

    Parameters
    ----------
    board : Leaderboard
        With groups that hold every task that weighs.
    rule : str or Rule
        As for `rank`.
    group_weights : mapping from group to number, optional
        Exact as written; unlisted groups weigh 1.
    **options
        Options of the rule.

    Returns
    -------
    Ranking
        Of the board that `group_weighted` returns.

    Raises
    ------
    InputError
        If a task that weighs is in no group, naming all such tasks.

    References
    ----------
    Vote'n'Rank, section 2.4 and figure 1, B.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 3, "b": 2}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 3}},
    ...     groups={"speed": ["x", "y"], "quality": ["z"]},
    ... )
    >>> wl.rules.rank(board, "plurality").winners, grouped(board, "plurality").winners
    (('a',), ('a', 'b'))
    """
    board = as_table(board)
    weights = checked_group_weights(board, group_weights)
    return prepared_rank(board, Preparation(how="grouped", group_weights=weights), rule, **options)


def two_step(
    board: LeaderboardLike,
    rule: RuleLike = "borda",
    *,
    then: RuleLike | None = None,
    group_weights: Mapping[str, Number] | None = None,
    **options: Any,
) -> TwoStepRanking:
    """Rank the models in each group of tasks, then rank the groups' rankings.

    Parameters
    ----------
    board : Leaderboard
        With groups that do not overlap and hold every task that weighs.
    rule : str or Rule
        For the first step, on the tasks of each group with their weights.
    then : str or Rule, optional
        For the second step, with the groups as voters: the first rule by default. A mean of scores reads the scores of
        the first step, any other rule its orders with their ties.
    group_weights : mapping from group to number, optional
        Weights of the groups in the second step, exact as written; unlisted groups weigh 1, and groups of weight 0
        take no part.
    **options
        Options of the first rule, and of the second where it is the same.

    Returns
    -------
    TwoStepRanking
        ``.steps`` (a `Ranking` a group), ``.final``, and its ``.scores`` ``.ranks`` ``.order`` ``.winners``.

    Raises
    ------
    InputError
        If a task that weighs is in no group or in several, naming them.

    Notes
    -----
    A model without any score in a group is not ranked there: what the second step makes of that is its ``missing``.

    References
    ----------
    Vote'n'Rank, section 2.4 and figure 1, C.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 2, "b": 3, "c": 1}, "z": {"a": 1, "b": 3, "c": 2}},
    ...     groups={"speed": ["x"], "quality": ["y", "z"]},
    ... )
    >>> ranking = two_step(board, "borda", group_weights={"speed": 3})
    >>> ranking.steps["quality"].winners, ranking.winners
    (('b',), ('a',))
    """
    board = as_table(board)
    weights = checked_group_weights(board, group_weights)
    refuse_ungrouped(board)
    _refuse_overlaps(board)
    return in_two_steps(board, weights, rule=rule, then=then, options=options)


def _refuse_overlaps(board: Leaderboard) -> None:
    homes: dict[str, list[str]] = {}
    for name, tasks in board.groups.items():
        for task in tasks:
            if board.weights[task]:
                homes.setdefault(task, []).append(name)
    shared = [f"{task!r} ({', '.join(map(repr, names))})" for task, names in homes.items() if len(names) > 1]
    if shared:
        raise InputError(
            f"the groups of a two-step aggregation may not overlap; in several groups: {', '.join(shared)}"
        )


def one_level(
    instances: Instances, rule: RuleLike = "borda", *, each: Literal["instance", "task"] = "instance", **options: Any
) -> Ranking:
    """Rank the models by a rule whose voters are all instances of all tasks.

    Parameters
    ----------
    instances : Instances
        Tables, models x instances, one per task, with weights of the tasks.
    rule : str or Rule
        As for `rank`.
    each : {"instance", "task"}
        Who has the weight of a task: each of its instances, as in the paper, so that a task with more instances counts
        for more; or all of them together.
    **options
        Options of the rule, such as ``missing="last"`` where a model lacks an instance.

    Returns
    -------
    Ranking
        Of the board that `pooled` returns.

    Notes
    -----
    O(models x instances) for positional rules.

    References
    ----------
    Colombo et al., "What are the best systems?", section 3.3.

    Examples
    --------
    >>> import weightlab as wl
    >>> instances = wl.Instances(
    ...     {"qa": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 1}}, "nli": {"n1": {"a": 0, "b": 1}}}
    ... )
    >>> one_level(instances, "borda").winners, one_level(instances, "borda", each="task").winners
    (('a', 'b'), ('b',))
    """
    preparation, chosen = Preparation(how="pooled", group_weights={}, each=each), registered(rule, **options)
    outcome = _summed_at_one_level(instances, chosen, each)
    if outcome is None:
        return prepared_rank(instances, preparation, chosen)
    return ranking_of(chosen, instances, preparation, outcome)


def _summed_at_one_level(instances: Instances, rule: Rule, each: str) -> Outcome | None:
    """Return the outcome of a positional rule from its points in each task; None where it is not their sum."""
    if rule.name not in NAMED_VECTORS or each not in {"instance", "task"} or not all(instances.weights):
        return None
    totals = [Fraction(0)] * len(instances.models)
    for name, weight in instances.weights.items():
        table = instances.table(str(name))
        if table.models != instances.models or not table.columns or table.cells.missing.any():
            return None
        share = weight / (len(table.columns) if each == "task" else 1)
        scores = rule.apply(rule.data_of(instances.leaderboard(str(name)))).scores
        totals = [total + share * score for total, score in zip(totals, scores, strict=True)]
    return Outcome.by_total(*common_denominator(totals))


def two_level(
    instances: Instances, rule: RuleLike = "borda", *, then: RuleLike | None = None, **options: Any
) -> TwoStepRanking:
    """Rank the models in each task by a rule whose voters are its instances, then rank the tasks' rankings.

    Parameters
    ----------
    instances : Instances
        Tables, models x instances, one per task, with weights of the tasks.
    rule : str or Rule
        For each task.
    then : str or Rule, optional
        For the second step, with the tasks as voters and their weights: the first rule by default. A mean of scores
        reads the scores of the first step: ``two_level(instances, "mean")`` is the usual mean over tasks of means over
        instances.
    **options
        Options of the first rule, and of the second where it is the same.

    Returns
    -------
    TwoStepRanking
        ``.steps`` (a `Ranking` a task), ``.final``, and its ``.scores`` ``.ranks`` ``.order`` ``.winners``.

    References
    ----------
    Colombo et al., "What are the best systems?", section 3.3.

    Examples
    --------
    >>> import weightlab as wl
    >>> instances = wl.Instances(
    ...     {"qa": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 1}}, "nli": {"n1": {"a": 0, "b": 1}}}
    ... )
    >>> two_level(instances, "borda").ranks.to_dict()
    {'a': 1, 'b': 1}
    """
    weights: dict[str, Fraction] = {str(task): weight for task, weight in instances.weights.items()}
    return in_two_steps(instances, weights, rule=rule, then=then, options=options)
