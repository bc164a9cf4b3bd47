"""Shortlists: the few models that always include one close to the best, whatever the weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm
from typing import Any

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray, Number, common_denominator, exact_products, fraction
from weightlab._result import Proof, Record, ensure, on_word_of, weakest
from weightlab._solver import SolverIfAny, within
from weightlab._solver.branch_tree import BranchTree, IntegerRows
from weightlab._text import counted, in_words, percent, quoted, rounded
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.linear_rule import LinearRule, PointsLike, RuleLike, Scale
from weightlab.data.points import Missing, Points, Ties
from weightlab.exceptions import InputError, UnknownNameError, UnprovedError
from weightlab.lp.by_model import ByRule
from weightlab.lp.certificate import check_bound, check_exact, check_point
from weightlab.lp.choosing.shortlist_search import Found, Search
from weightlab.lp.space.conditions import ONE, ZERO
from weightlab.lp.space.space import Vectors, WeightSpace, space_for

SIZES = 5
"""Largest set of the frontier searched for by default."""
COSTS = 50
"""Largest number of sets of a frontier of costs."""


class Mixture(Record):
    """A mixture of chosen models that is nowhere far below another model.

    Attributes
    ----------
    shares : mapping from model to Fraction
        Of the chosen models; they sum to 1.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    loss : Fraction
        The other model is above the mixture by at most this under every weighting.
    """

    shares: Mapping[str, Fraction]
    vectors: Vectors
    loss: Fraction


class Short(Record):
    """One set of the frontier, with its proof.

    Attributes
    ----------
    models : tuple of str
        The set, in board order.
    loss : Fraction
        Under every weighting the best of the set is within this of the best of all models.
    mixtures : mapping from model to Mixture
        For each model outside the set.
    weightings : tuple of mappings from task to Fraction
        Weightings at which a better set needs a member among the best: those that lose less than ``loss`` there (at
        most the loss that was given together with costs).
    tree : BranchTree or None
        Shows what a set with such a member at each of the weightings has or costs at least.
    solver : str
        On whose word that rests where no tree closes; empty otherwise.
    """

    models: tuple[str, ...]
    loss: Fraction
    mixtures: Mapping[str, Mixture]
    weightings: tuple[Mapping[str, Fraction], ...]
    tree: BranchTree | None
    solver: SolverIfAny

    @property
    def packing(self) -> tuple[Mapping[str, Fraction], ...]:
        """The weightings, where no model is among the best at two of them: then a set needs a member for each."""
        return () if self.tree is not None or self.solver else self.weightings


class Shortlist(ByRule, kind="shortlist"):
    """The fewest models (or the cheapest) that include one within a loss of the best under every weighting.

    Attributes
    ----------
    rule, points, space
        The rule, the points of all models on all tasks, the weights that were allowed.
    frontier : tuple of Short
        The set of least loss for each size from 1 on. With costs the cheapest model, then the cheapest set that loses
        less, and so on; where a loss was given, too, the cheapest set that has it alone.
    size : int or None
        The requested size.
    limit : Fraction or None
        The requested loss.
    costs : mapping from model to Fraction
        What each model costs; empty where sets are compared by size.
    among : tuple of str
        The models that may be chosen.
    of_range : bool
        Whether scores, and so losses, are shares of each task's range instead of points of the rule.
    """

    points: Points
    frontier: tuple[Short, ...]
    size: int | None
    limit: Fraction | None
    costs: Mapping[str, Fraction]
    among: tuple[str, ...]
    of_range: bool

    @property
    def _last(self) -> Short:
        return self.frontier[-1]

    @property
    def models(self) -> tuple[str, ...]:
        """The shortlist."""
        return self._last.models

    @property
    def loss(self) -> Fraction:
        """Under every allowed weighting the best of the shortlist is within this of the best of all."""
        return self._last.loss

    @property
    def mixtures(self) -> Mapping[str, Mixture]:
        """For each other model the mixture of the shortlist that is nowhere further below it."""
        return self._last.mixtures

    @property
    def cost(self) -> Fraction | None:
        """What the shortlist costs; None without costs."""
        return self.price(self._last) if self.costs else None

    def price(self, one: Short) -> Fraction:
        """Return the cost of a set; without costs its number of models."""
        return sum((self.costs.get(model, ONE) for model in one.models), ZERO)

    def size_words(self, one: Short) -> str:
        """Return the cost of a set, or its number of models, as words."""
        return f"cost {cost_words(self.price(one))}" if self.costs else counted(len(one.models), "model")

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """The losses are proved; so is the optimality of the sets where a tree shows it."""
        least = weakest(on_word_of(one.solver) for one in self.frontier)
        better = "cheaper set" if self.costs else "better set of the size"
        return {"the losses": Proof.EXACT, f"no {better}": least}

    @cached_property
    def _numbers(self) -> tuple[AnyArray, int]:
        return numbers_of(self.points, of_range=self.of_range)

    def __str__(self) -> str:
        """Say which models suffice, and by how much they may miss the best."""
        named, words = (
            in_words([quoted(one) for one in self.models], len(self.models)),
            loss_words(self.loss, of_range=self.of_range),
        )
        found = f"{self.by_rule}, {named} {'is' if len(self.models) == 1 else 'together are'} enough: "
        far = "the best of them is" if len(self.models) > 1 else "it is"
        what = (
            "first, or tied for first, under every weighting"
            if not self.loss
            else (f"within {words} of the best of {counted(len(self.points.models), 'model')} under every weighting")
        )
        return f"{found}{far} {what}.{self._least_words}{self.space.conditions_sentence}"

    @property
    def _least_words(self) -> str:
        if self.costs:
            least = "that costs no more comes closer" if self.loss else "that costs less is as good"
            if self.limit is not None:
                least = f"within {loss_words(self.limit, of_range=self.of_range)} costs less"
            return f" The cost is {cost_words(self.cost or ZERO)}: no set {least}."
        if not self.loss:
            return ""
        others = "other model comes" if len(self.models) == 1 else f"other {counted(len(self.models), 'model')} come"
        count = len(self._last.packing)
        why = f": each model comes closer at no more than one of {count} weightings" if count else ""
        return f" No {others} closer{why}."

    def to_frame(self) -> pd.DataFrame:
        """Return the frontier: for each size, and with costs each cost, the loss and the models."""
        rows = [(self.price(one), len(one.models), one.loss, ", ".join(one.models)) for one in self.frontier]
        found = pd.DataFrame(rows, columns=["cost", "size", "worst loss", "models"])
        return found.set_index("cost") if self.costs else found.drop(columns="cost").set_index("size")

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check in exact arithmetic each mixture and, with a tree, that the sets cannot be improved.

        Parameters
        ----------
        source : Leaderboard or Profile, optional
            The table; its points must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        self.check_kind(None)
        self.rule.check(self.points, self.space.tasks, source)
        ensure(
            self.among and set(self.among) <= set(self.points.models), "the models to choose from are not the table's"
        )
        ensure(len(set(self.among)) == len(self.among), "a model to choose from is listed twice")
        ensure(self.frontier, "the frontier has no set")
        if self.costs:
            ensure(set(self.costs) == set(self.among), "there must be one cost per model to choose from")
            check_exact(**{f"the cost of {model!r}": cost for model, cost in self.costs.items()})
            ensure(min(self.costs.values()) > 0, "a cost is not positive")
        self._check_frontier()
        matrix, unit = self._numbers
        listed, over = common_denominator([self.costs.get(model, ONE) for model in self.among])
        prices = [self.price(one) for one in self.frontier]
        given = bool(self.costs) and self.limit is not None
        for one, price, following in zip(self.frontier, prices, [*prices[1:], None], strict=True):
            self._check(one)
            if one.solver:
                ensure(one.tree is None, "a solver is named where its bound is not relied on")
            elif not one.loss and not given:
                ensure(one.tree is None, "a loss of 0 needs no proof")
            else:
                # What loses less costs as much as the next set, or more than the last; with a loss given, as this one.
                claim = int((price if given else following or price + Fraction(1, over)) * over)
                loss = one.loss if self.limit is None or not given else self.limit
                rows = near(matrix, unit, self._points(one), loss, self._columns, strict=not given)
                check_covers(rows, listed, claim, one.tree)
        return True

    def _check_frontier(self) -> None:
        """Ensure that the sets follow one another, and end where they were to end."""
        losses, sizes = [one.loss for one in self.frontier], [len(one.models) for one in self.frontier]
        ensure(self.loss >= 0, "a loss is negative")
        if self.costs and self.limit is not None:
            ensure(len(sizes) == 1 and self.loss <= self.limit, "with costs and a loss there is one set, of that loss")
            return
        prices = [self.price(one) for one in self.frontier]
        if self.costs:
            ensure(prices[0] == min(self.costs.values()), "the frontier does not begin with the cheapest model")
            ensure(prices == sorted(set(prices)), "the costs do not rise")
            ensure(losses == sorted(set(losses), reverse=True) and self.size is None, "the losses do not fall")
            return
        ensure(sizes == list(range(1, len(sizes) + 1)), "the sets are not of the sizes 1, 2, 3, ...")
        ensure(losses == sorted(losses, reverse=True), "the losses rise with the size")
        met = self.limit is None or self.loss <= self.limit < min([*losses[:-1], self.limit + 1])
        ensure(met, "the frontier does not end at the requested loss")
        short = self.size is None or len(sizes) == self.size or (len(sizes) < self.size and not self.loss)
        ensure(short, "the frontier does not end at the requested size")

    def _check(self, one: Short) -> None:
        """Ensure that a set has its loss, and that it cannot be improved."""
        matrix, unit = self._numbers
        place = {model: row for row, model in enumerate(self.points.models)}
        ensure(set(one.models) <= set(self.among), "a model of the set may not be chosen")
        ensure(len(set(one.models)) == len(one.models), "a model of the set is listed twice")
        ensure(set(one.mixtures) == set(place) - set(one.models), "there must be one mixture per other model")
        chosen = matrix[[place[model] for model in one.models]]
        check_exact(loss=one.loss)
        for model, mixture in one.mixtures.items():
            check_exact(loss=mixture.loss)
            ensure(mixture.loss <= one.loss, f"{model!r} may be above the set by {mixture.loss}, more than {one.loss}")
            rows = matrix[place[model]] - chosen
            check_bound(rows, one.models, mixture.shares, mixture.vectors, self.space, bound=mixture.loss, unit=unit)

    @property
    def _columns(self) -> list[int]:
        return [self.points.models.index(model) for model in self.among]

    def _points(self, one: Short) -> list[list[Fraction]]:
        """Return the weightings of a set, ensuring that they are allowed."""
        points = [[weights.get(task, ZERO) for task in self.space.tasks] for weights in one.weightings]
        for weights, point in zip(one.weightings, points, strict=True):
            ensure(set(weights) <= set(self.space.tasks), "a weighting is about other tasks than those of the space")
            check_point(point, self.space)
        return points


def check_covers(rows: AnyArray, costs: Sequence[int], claim: int, tree: BranchTree | None) -> None:
    """Ensure that sets with a member in each row cost at least the claim: by a tree, or no column is in two rows.

    Parameters
    ----------
    rows : ndarray of 0 and 1, weightings x models
        Which models count at which weighting.
    costs : sequence of int
        What each model costs.
    claim : int
        What sets cost at least.
    tree : BranchTree or None
        Without one, the cheapest models of all rows must cost the claim together.

    Raises
    ------
    ProofError
        Where it does not follow.
    """
    if tree is not None:
        tree.check(IntegerRows.binary(rows, [1] * len(rows), costs), claim)
        return
    ensure(bool((rows.sum(axis=0) <= 1).all()), "a model is among the best at two weightings, and there is no tree")
    least = [min((cost for cost, one in zip(costs, row, strict=True) if one), default=claim) for row in rows]
    ensure(sum(least) >= claim, f"the weightings show that better sets cost {sum(least)}, not {claim}")


def near(
    matrix: AnyArray,
    unit: int,
    weightings: Sequence[Sequence[Fraction]],
    loss: Fraction,
    columns: Sequence[int],
    *,
    strict: bool,
) -> AnyArray:
    """Return which models lose less than ``loss`` (or just as much) at each weighting: 0 or 1, a row per weighting."""
    rows = np.zeros((len(weightings), len(columns)), dtype=object)
    for row, point in enumerate(weightings):
        weights, under = common_denominator(point)
        values = exact_products(matrix, weights).tolist()
        least = max(values) * loss.denominator - loss.numerator * unit * under
        rows[row] = [int(values[at] * loss.denominator >= least + strict) for at in columns]
    return rows


def numbers_of(points: Points, *, of_range: bool) -> tuple[AnyArray, int]:
    """Return points as integers over a unit; where asked, as shares of the range of each task.

    A task on which all models are equal has no range and counts as 0.
    """
    if not of_range:
        return points.numerators, points.denominator
    own = points.numerators.astype(object)
    ranges = [int(one) for one in own.max(axis=0) - own.min(axis=0)]
    unit = lcm(*[one for one in ranges if one])
    return (own - own.min(axis=0)) * np.array([unit // one if one else 0 for one in ranges], dtype=object), unit


def loss_words(loss: Fraction, *, of_range: bool) -> str:
    """Return a loss as words, rounded up so that the sentence stays true."""
    if of_range:
        return f"{percent(loss, ceil)} of each task's range"
    text = rounded(loss, 1 if loss > 10 else 3, ceil) if loss.denominator > 1 else str(loss)
    text = text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
    return f"{text} {'point' if loss == 1 else 'points'}"


def cost_words(cost: Fraction) -> str:
    """Return a cost with up to six digits."""
    return f"{float(cost):.6g}"


def shortlist(
    board: SignsLike,
    *,
    size: int | None = None,
    loss: Number | str | None = None,
    cost: Mapping[str, Number] | None = None,
    among: Sequence[str] | None = None,
    rule: RuleLike = "mean",
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> Shortlist:
    """Find the few models that include one within a loss of the best model under every weighting.

    Parameters
    ----------
    board : Leaderboard or Profile
        The table.
    size : int, optional
        Number of models: the set of least loss, with those of all smaller sizes. By default up to 5; not with ``cost``.
    loss : number or str, optional
        Greatest loss, in points of the rule, or ``"1%"`` of each task's range: then scores are read as shares of their
        task's range. The smallest set that has no greater one; with ``cost`` the cheapest.
    cost : mapping from model to number, optional
        Positive costs of the models that may be chosen: the cheapest model, then the cheapest set that loses less, and
        so on, up to 50 sets; with ``loss`` only the cheapest set that has no greater one.
    among : sequence of str, optional
        The models that may be chosen; losses are counted against all. By default all, or those with a cost.
    rule : str or sequence of numbers
        ``"mean"``, ``"borda"``, ``"plurality"``, ``"veto"``, ``"dowdall"`` or the points of the places.
    ties, missing : str, optional
        Options of rules by place, as for ``board.points()``.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights, which sum to 1; by default all.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    Shortlist

    Raises
    ------
    InputError, UnknownNameError, MissingScoresError
        If a size, loss or cost is not positive, a size is above the number of models, no set has the loss, a model is
        unknown, or the rule does not read such a table.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`; ``known["result"]`` is the Shortlist of the sizes found, if any, as an interruption's is.

    Notes
    -----
    The loss of a set K against a model m is the value of a matrix game (von Neumann 1928), max over w of min over k in
    K of (S_m - S_k) w: a mixture of K proves it from above, a weighting from below. The least loss of k models is a
    k-centre problem over infinitely many weightings, NP-hard; weightings are added where a proposed set loses more
    than the known ones let it, until none does. No other set is better: at the weightings carried no k models include
    one that loses less at each of them, a set cover whose bound a `BranchTree` proves.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 3, "c": 2}})
    >>> wl.lp.shortlist(board, size=1).loss
    Fraction(1, 1)
    >>> wl.lp.shortlist(board, loss=0).models
    ('a', 'b')
    """
    board = as_table(board)
    linear = LinearRule.of(rule, ties=ties, missing=missing, scaled=scaled)
    points = linear.points(board)
    allowed = space_for(points, space)
    limit, of_range = _limit(loss)
    chosen = _candidates(points, among, cost)
    costs = _costs(cost, chosen)
    _check_size(size, limit, len(chosen), has_costs=bool(costs))
    if of_range and allowed.conditions:
        raise InputError("a loss in percent reads scores as shares of their range, which conditions on weights do not")
    asked = Shortlist(
        rule=linear,
        points=points,
        space=allowed,
        frontier=(),
        size=size,
        limit=limit,
        costs=costs,
        among=tuple(chosen),
        of_range=of_range,
    )
    found = list[Found]()
    try:
        with within(time_limit):
            _search(asked, found)
    except (UnprovedError, KeyboardInterrupt) as error:
        some = tuple(_short(one, allowed) for one in found)
        part = replace(asked, frontier=some, size=None, limit=None)
        vars(error)["known"] = {"result": part.verified()} if found else {}
        raise
    if limit is not None and found[-1].loss > limit:
        whole = f"all {counted(len(chosen), 'model')} to choose from together"
        raise InputError(
            f"no set has a loss of {limit}: {whole} lose up to {loss_words(found[-1].loss, of_range=of_range)}"
        )
    return replace(asked, frontier=tuple(_short(one, allowed) for one in found)).verified()


def _search(asked: Shortlist, found: list[Found]) -> None:
    """Add the sets of a question, size by size; with costs the cheapest one."""
    matrix, unit = numbers_of(asked.points, of_range=asked.of_range)
    models, limit = asked.points.models, asked.limit
    costs = common_denominator([asked.costs[one] for one in asked.among])[0] if asked.costs else None
    search = Search(models, matrix, unit, asked.space, [models.index(one) for one in asked.among], costs=costs)
    if costs is not None and limit is not None:
        found.append(search.cheapest(limit))
        return
    most = COSTS if costs else asked.size or (SIZES if limit is None else len(asked.among))
    for one in search.by_cost() if costs else search.by_size():
        found.append(one)
        if one.loss <= (limit or ZERO) or len(found) == most:
            break


def _short(found: Found, space: WeightSpace) -> Short:
    """Return a set that was found, as a result holds it."""
    return Short(
        models=found.models,
        loss=found.loss,
        mixtures={model: Mixture(shares=s, vectors=v, loss=at) for model, (s, v, at) in found.mixtures.items()},
        weightings=tuple(
            {task: weight for task, weight in zip(space.tasks, point, strict=True) if weight}
            for point in found.weightings
        ),
        tree=found.tree,
        solver=found.solver,
    )


def _limit(loss: Number | str | None) -> tuple[Fraction | None, bool]:
    """Return the requested loss, and whether it is a share of each task's range."""
    if loss is None:
        return None, False
    of_range = isinstance(loss, str) and loss.strip().endswith("%")
    try:
        limit = fraction(str(loss).strip().removesuffix("%") if of_range else loss)
    except InputError:
        raise InputError(f"loss must be a number of points, or a percentage such as '1%'; got {loss!r}") from None
    if limit < 0:
        raise InputError(f"loss must not be negative; got {loss}")
    return (limit / 100, True) if of_range else (limit, False)


def _candidates(points: Points, among: Sequence[str] | None, cost: Mapping[str, Number] | None) -> list[str]:
    """Return the models that may be chosen, in board order."""
    if isinstance(among, str) or not isinstance(among, Iterable | None):
        raise InputError(f"among is a list of models; got {among!r}")
    if not isinstance(cost, Mapping | None):
        raise InputError(f"cost is a mapping from model to number; got {cost!r}")
    named = list(cost) if among is None and cost else list(points.models if among is None else among)
    for model in named:
        if model not in points.models:
            raise UnknownNameError("model", model, points.models)
    wanted = set(named)
    chosen = [model for model in points.models if model in wanted]
    if not chosen:
        raise InputError("there is no model to choose from; name some in among=")
    return chosen


def _costs(cost: Mapping[str, Number] | None, chosen: Sequence[str]) -> dict[str, Fraction]:
    """Return the exact costs of the models that may be chosen; none where sets are compared by size."""
    if cost is None:
        return {}
    if not cost:
        raise InputError("cost= names no model; leave it out to compare sets by size")
    for model in chosen:
        if model not in cost:
            raise InputError(f"no cost for model {model!r}; every model to choose from needs one")
    exact = {model: fraction(cost[model]) for model in chosen}
    for model, own in exact.items():
        if own <= 0:
            raise InputError(f"the cost of {model!r} must be positive; got {own}")
    return exact


def _check_size(size: Any, limit: Fraction | None, count: int, *, has_costs: bool) -> None:
    if size is None:
        return
    if limit is not None:
        raise InputError("size= and loss= are both given; a set of a size has the least loss, so omit one")
    if has_costs:
        raise InputError("size= and cost= are both given; with costs sets are compared by cost, so omit one")
    if type(size) is not int or size < 1:
        raise InputError(f"size must be a whole number of models, 1 or more; got {size!r}")
    if size > count:
        raise InputError(
            Fault(f"size must be at most {count}, the number of models to choose from; got {size}", Cure("size", count))
        )
