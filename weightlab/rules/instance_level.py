"""Rankings from scores of single instances: all instances at once, or a ranking a task first."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from weightlab.data import Instances, Leaderboard
from weightlab.data.cells import Cells
from weightlab.exceptions import InputError
from weightlab.rules.ranking import Ranking, rank
from weightlab.rules.registry import RuleLike
from weightlab.rules.two_step import TwoStepRanking, in_two_steps

__all__ = ["one_level", "pooled", "two_level"]


def one_level(
    instances: Instances, rule: RuleLike = "borda", /, *, each: Literal["instance", "task"] = "instance", **options: Any
) -> Ranking:
    """Rank the models by a rule whose voters are all instances of all tasks.

    Parameters
    ----------
    instances : Instances
        Tables, models x instances, one a task, with weights of the tasks.
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
    return rank(pooled(instances, each=each), rule, **options)


def two_level(
    instances: Instances, rule: RuleLike = "borda", /, *, then: RuleLike | None = None, **options: Any
) -> TwoStepRanking:
    """Rank the models in each task by a rule whose voters are its instances, then rank the tasks' rankings.

    Parameters
    ----------
    instances : Instances
        Tables, models x instances, one a task, with weights of the tasks.
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
    boards = {task: instances.leaderboard(task) for task in instances.tasks if weights[task]}
    return in_two_steps(boards, weights, instances.models, rule=rule, then=then, options=options)


def pooled(instances: Instances, *, each: Literal["instance", "task"] = "instance") -> Leaderboard:
    """Return the leaderboard whose tasks are all instances of all tasks, named ``task/instance``.

    Parameters
    ----------
    instances : Instances
        Tasks of weight 0 are left out.
    each : {"instance", "task"}
        Who has the weight of a task: each of its instances, or all of them together.

    Notes
    -----
    Where two instances would have the same name, all are named by their quoted parts, ``'task'/'instance'``.
    """
    if each not in {"instance", "task"}:
        raise InputError(f"each must be 'instance' or 'task'; got {each!r}")
    label = _labels(instances)
    models = instances.models
    position = {model: row for row, model in enumerate(models)}
    names: list[str] = []
    blocks, exact = [], {}
    weights: dict[str, Fraction] = {}
    lower: list[str] = []
    for task, weight in instances.weights.items():
        if not weight:
            continue
        table = instances.table(str(task))
        rows = [position[model] for model in table.models]
        block = np.full((len(models), len(table.columns)), np.nan)
        block[rows] = table.cells.floats
        exact.update({(rows[row], len(names) + column): score for (row, column), score in table.cells.exact.items()})
        own = [label(str(task), column) for column in table.columns]
        weights.update(dict.fromkeys(own, weight if each == "instance" else weight / len(own)))
        lower.extend(own if task in instances.lower_is_better else [])
        names.extend(own)
        blocks.append(block)
    cells = Cells(floats=np.concatenate(blocks, axis=1), exact=exact)
    return Leaderboard.from_cells(models, names, cells, lower_is_better=lower, weights=weights)


def _labels(instances: Instances) -> Callable[[str, str], str]:
    """Return how to name an instance of a task so that no two names are the same."""
    plain = [f"{task}/{column}" for task in instances.tasks for column in instances.table(task).columns]
    if len(set(plain)) == len(plain):
        return lambda task, column: f"{task}/{column}"
    return lambda task, column: f"{task!r}/{column!r}"
