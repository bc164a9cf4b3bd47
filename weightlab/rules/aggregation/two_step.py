"""Groups of tasks, or tasks of instances, as voters: each with a weight of its own, or with a ranking to be ranked."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import FLOAT_EXACT, INT64_SAFE, AnyArray, Number, common_denominator
from weightlab._result import Frozen, Proof, Result, ensure
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Profile, as_table
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.named_tables import Table
from weightlab.data.linear_rule import rule_words
from weightlab.data.points import NAMED_VECTORS
from weightlab.data.profile import Order, dense_ranks
from weightlab.exceptions import InputError
from weightlab.rules.inputs import (
    Needs,
    Preparation,
    boards_of,
    checked_group_weights,
    is_score,
    refuse_ungrouped,
)
from weightlab.rules.outcome import Outcome
from weightlab.rules.ranking import Ranking, ensure_same_source, prepared_rank, rank, ranking_of
from weightlab.rules.registry import Rule, RuleLike
from weightlab.rules.registry import rule as registered
from weightlab.rules.scoring import means, positional
from weightlab.rules.scoring.score_table import decimals


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
        # Rankings that are made when asked for are sums of points, whose proof is exact.
        steps = {} if isinstance(self.steps, LazyRankings) else self.steps
        return {"final ranking": self.final.proof} | {f"ranking of {name}": one.proof for name, one in steps.items()}

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
    at_once = scores_of_tables(source, names, first) if isinstance(source, Instances) else None
    steps: Mapping[str, Ranking]
    if isinstance(source, Instances) and at_once is not None:
        steps = LazyRankings(instances=source, rule=first, names=names)
        table = _second_table_at_once(at_once, weights, second.needs)
    else:
        steps = {name: rank(board, first) for name, board in boards_of(source, names).items()}
        table = second_table(steps, weights, second.needs, source.models)
    own = tuple(weights[name] for name in names)
    return TwoStepRanking(source=source, steps=steps, weights=own, final=rank(table, second))


def _second_table_at_once(scores: TableScores, weights: Mapping[str, Fraction], needs: Needs) -> Profile | Leaderboard:
    """Return the input of the second step, without the rankings of the first."""
    own = {name: weights[name] for name in scores.tables}
    if needs is Needs.SCORES:
        return Leaderboard.from_cells(scores.models, scores.tables, scores.cells(), weights=own)
    return scores.profile(list(own.values()))


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
    /,
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
    /,
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
    instances: Instances, rule: RuleLike = "borda", /, *, each: Literal["instance", "task"] = "instance", **options: Any
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
    weights = {str(task): weight for task, weight in instances.weights.items() if weight}
    if rule.name not in NAMED_VECTORS or each not in {"instance", "task"} or len(weights) < len(instances.tasks):
        return None
    found = scores_of_tables(instances, tuple(weights), rule, models=instances.models)
    if found is None:
        return None
    shares = [
        weight / (below * (size if each == "task" else 1))
        for weight, (_, _, below), size in zip(weights.values(), found.rows, found.sizes, strict=True)
    ]
    integers, denominator = common_denominator(shares)
    columns = zip(*(scores for _, scores, _ in found.rows), strict=True)
    totals = [sum(map(operator.mul, integers, scores)) for scores in columns]
    return Outcome.by_total(totals, denominator)


def two_level(
    instances: Instances, rule: RuleLike = "borda", /, *, then: RuleLike | None = None, **options: Any
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


# Many tables ranked at once: the scores of all tasks' instances in a few passes, however small each table is.


BLOCK_CELLS = 1 << 18
"""Tables are combined up to this number of cells; a larger one stays separate."""
Totals: TypeAlias = tuple[AnyArray, list[int]]
"""Scores (tables x models) as integers, and the denominator of each table."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LazyRankings(Mapping[str, Ranking]):
    """The rankings of some tasks of instances, each made when it is first asked for.

    Attributes
    ----------
    instances : Instances
        What is ranked.
    rule : Rule
        By what, with its options.
    names : tuple of str
        The tasks.
    """

    instances: Instances
    rule: Rule
    names: tuple[str, ...]
    _made: dict[str, Ranking] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> Ranking:
        """Return the ranking of one task."""
        if name not in self.names:
            raise KeyError(name)
        if name not in self._made:
            self._made[name] = rank(self.instances.leaderboard(name), self.rule)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the tasks."""
        return iter(self.names)

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.names)


class TableScores(Frozen):
    """Exact scores of the models in each of many tables; the greater is better.

    Attributes
    ----------
    models, tables : tuple of str
        All models, and the names of the tables.
    rows : list of (list of int, list of int, int)
        For each table where its models stand among all, their scores as integers, and the denominator.
    sizes : list of int
        How many instances each table has.
    """

    models: tuple[str, ...]
    tables: tuple[str, ...]
    rows: list[tuple[list[int], list[int], int]]
    sizes: list[int]

    def profile(self, weights: Sequence[Fraction]) -> Profile:
        """Return the profile whose voters are the tables; a model that a table lacks is not ranked by it."""
        largest = max(max(map(abs, scores)) for _, scores, _ in self.rows)
        levels = np.full((len(self.tables), len(self.models)), np.nan)
        for line, (places, scores, _) in zip(levels, self.rows, strict=True):
            line[places] = scores if largest < FLOAT_EXACT else _dense(scores)
        return Profile(models=self.models, voters=self.tables, ranks=dense_ranks(levels), weights=tuple(weights))

    def cells(self) -> Cells:
        """Return the scores as the cells of a board, models x tables."""
        shape = (len(self.models), len(self.tables))
        return self._plain_cells(shape) or Cells.from_fractions(self._fractions(), shape)

    def _fractions(self) -> dict[tuple[int, int], Fraction]:
        return {
            (place, column): Fraction(score, denominator)
            for column, (places, scores, denominator) in enumerate(self.rows)
            for place, score in zip(places, scores, strict=True)
        }

    def _plain_cells(self, shape: tuple[int, int]) -> Cells | None:
        """Return the cells without a fraction where all scores are short decimals."""
        tops, bottoms = np.zeros(shape, dtype=object), np.ones(shape, dtype=object)
        floats = np.full(shape, np.nan)
        for column, (places, scores, denominator) in enumerate(self.rows):
            tops[places, column], bottoms[places, column] = scores, denominator
            floats[places, column] = [score / denominator for score in scores]
        found = decimals(np.nan_to_num(floats))
        if found is None or not (found[0].astype(object) * bottoms == tops * found[1]).all():
            return None
        return Cells(floats=floats, exact={})


def scores_of_tables(
    instances: Instances, names: Sequence[str], rule: Rule, models: tuple[str, ...] | None = None
) -> TableScores | None:
    """Return a rule's scores of the models on tasks of instances; None if each needs its own computation.

    Parameters
    ----------
    instances, names, rule
        What is ranked, the tasks, and by what.
    models : tuple of str, optional
        Who is ranked in every task; by default the models of the task.

    Notes
    -----
    The rules are the arithmetic mean and plurality, veto, Borda and Dowdall, on tables without gaps (the latter also
    with ``missing="last"``). O(models x instances x log models), with a fixed effort for each 2**18 cells, not for each
    task.
    """
    summed = _summing(rule)
    if summed is None:
        return None
    position = {model: place for place, model in enumerate(instances.models)}
    tables = [instances.table(name) for name in names]
    found = _sums_of(
        tables if models is None else [_of_all(table, models) for table in tables], names, summed, instances
    )
    if found is None:
        return None
    mean = rule.function is means.mean
    rows = [
        ([position[model] for model in one.models], one.scores, one.denominator * (one.size if mean else 1))
        for one in found
    ]
    sizes = [one.size for one in found]
    return TableScores(models=instances.models, tables=tuple(names), rows=rows, sizes=sizes)


class _Sums(Frozen):
    """What the instances of a task give the models: integers over a denominator, and how many instances there are."""

    models: tuple[str, ...]
    scores: list[int]
    denominator: int
    size: int


def _sums_of(tables: list[Table], names: Sequence[str], summed: Summing, instances: Instances) -> list[_Sums] | None:
    """Return the sums over the instances of some tables; None where the rule is not such a sum."""
    if any(len(table.models) < 2 for table in tables):
        return None
    lower = set(instances.lower_is_better)
    found = {
        name: _Sums(models=table.models, scores=[0] * len(table.models), denominator=1, size=0)
        for name, table in zip(names, tables, strict=True)
    }
    there = [(name, table) for name, table in zip(names, tables, strict=True) if table.columns]
    for start, stop in _batches([table for _, table in there]):
        batch = dict(there[start:stop])
        sizes = [len(table.columns) for table in batch.values()]
        totals = summed(_together(list(batch.values())), sizes, [name in lower for name in batch])
        if totals is None:
            return None
        for name, scores, below, size in zip(batch, totals[0].tolist(), totals[1], sizes, strict=True):
            found[name] = _Sums(models=batch[name].models, scores=scores, denominator=below, size=size)
    return list(found.values())


def _of_all(table: Table, models: tuple[str, ...]) -> Table:
    """Return the table with a row for each of the models, those that it lacks without scores."""
    if table.models == models:
        return table
    rows = [models.index(model) for model in table.models]
    floats = np.full((len(models), len(table.columns)), np.nan)
    floats[rows] = table.cells.floats
    exact = {(rows[row], column): value for (row, column), value in table.cells.exact.items()}
    return Table(models=models, columns=table.columns, cells=Cells(floats=floats, exact=exact))


Summing: TypeAlias = Callable[[Cells, list[int], list[bool]], "Totals | None"]
"""From cells (models x all instances), the instances of each table, and where lower is better, to the scores."""


def _summing(rule: Rule) -> Summing | None:
    """Return how a rule's scores in many tables are summed at once, if they are sums over instances."""
    options = rule.options
    ties, missing = options.get("ties", "average"), options.get("missing", "error")
    if is_score(missing) or options.get("unlisted") == "last":
        return None
    if rule.function is means.mean and missing in {"error", "skip"}:
        return _scores
    if rule.name not in NAMED_VECTORS or ties not in {"average", "min", "max"} or missing not in {"error", "last"}:
        return None

    def points(cells: Cells, sizes: list[int], lower: list[bool]) -> Totals | None:
        return _points(cells, sizes, lower, rule.name, ties=ties, last=missing == "last")

    return points


def _batches(tables: Sequence[Table]) -> Iterator[tuple[int, int]]:
    """Go through runs of tables of the same models with few cells in all, or of one table."""
    start, cells = 0, 0
    for place, table in enumerate(tables):
        size = table.cells.floats.size
        if place > start and (table.models != tables[start].models or cells + size > BLOCK_CELLS):
            yield start, place
            start, cells = place, 0
        cells += size
    if tables:
        yield start, len(tables)


def _together(tables: Sequence[Table]) -> Cells:
    """Return the cells of tables of the same models side by side."""
    if len(tables) == 1:
        return tables[0].cells
    exact: dict[tuple[int, int], Fraction] = {}
    before = 0
    for table in tables:
        exact.update({(row, before + column): value for (row, column), value in table.cells.exact.items()})
        before += len(table.columns)
    return Cells(floats=np.concatenate([table.cells.floats for table in tables], axis=1), exact=exact)


def _points(cells: Cells, sizes: list[int], lower: list[bool], vector: str, *, ties: Any, last: bool) -> Totals | None:
    """Return the sums of the points of places; None where a score is missing and may not be."""
    ranks = dense_ranks(cells.levels(lower_is_better=np.repeat(lower, sizes)).T)
    unranked = ranks == 0
    if unranked.any():
        if not last:
            return None
        ranks = np.where(unranked, ranks.max(axis=1, keepdims=True) + 1, ranks)
    return positional.points_of_tables(ranks, sizes, vector, ties)


def _scores(cells: Cells, sizes: list[int], lower: list[bool]) -> Totals | None:
    """Return the sums of scores; None where one is missing or has more digits than a double."""
    found = None if cells.exact or cells.missing.any() else decimals(cells.floats)
    if found is None:
        return None
    integers, denominator = found
    if int(np.abs(integers).max()) * max(sizes) >= INT64_SAFE:
        return None
    sums = np.add.reduceat(integers, positional.first_rows(sizes), axis=1).T
    sums[np.array(lower)] *= -1
    return sums, [denominator] * len(sizes)


def _dense(scores: list[int]) -> list[int]:
    """Return small numbers in the same order."""
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    return [place[score] for score in scores]
