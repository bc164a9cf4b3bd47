"""Rankings from scores of single instances: all instances at once, or a ranking a task first."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from weightlab.data import Instances
from weightlab.rules.aggregation.two_step import TwoStepRanking, in_two_steps
from weightlab.rules.preparation import Preparation
from weightlab.rules.ranking import Ranking, prepared_rank
from weightlab.rules.registry import RuleLike


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
    return prepared_rank(instances, Preparation(how="pooled", group_weights={}, each=each), rule, **options)


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
    return in_two_steps(instances, weights, rule=rule, then=then, options=options)
