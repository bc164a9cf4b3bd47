"""Prospects of all models of a table: every verdict proved, every margin bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar, Unpack, cast, overload

import numpy as np
import pandas as pd

from weightlab._exact import (
    AnyArray,
    FloatArray,
    IntArray,
    common_denominator,
    exact_products,
    integer_weights,
    largest_entry,
    nearest_fractions,
)
from weightlab._result import ByName, Frozen, Record, Seen, ensure, told_of
from weightlab._solver import (
    OpenProgram,
    Rows,
    Sense,
    deadline_in,
    exact_optimum,
    open_program,
    optimal_point,
    seconds_left,
    within,
)
from weightlab._validate import ensure_jobs
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.linear_rule import MAJORITY, LeadsLike, RuleLike, Scale, refuse_point_options
from weightlab.data.points import Missing, Points, Ties
from weightlab.data.signs import Signs
from weightlab.exceptions import ImpossibleError, InputError, SolverError, TimeLimitError, UnprovedError
from weightlab.lp.by_model import Asked, ByModel, OfTable, Options
from weightlab.lp.certificate import (
    check_exact,
    check_todays,
    check_weighting,
    check_weights,
    most,
    todays_shares,
)
from weightlab.lp.certificates.infeasible_space import refuse_empty
from weightlab.lp.certificates.lp_rows import margin_program, weights_program
from weightlab.lp.certificates.max_margin import MarginProof, Verdict, verdict_between, widest_margin
from weightlab.lp.space.conditions import ZERO, LinearRow, Relation
from weightlab.lp.space.space import Vectors, WeightSpace
from weightlab.lp.verdicts.one_by_one import ONE_BY_ONE, PartialProspects, prospects_one_by_one
from weightlab.lp.verdicts.prospect import LinearLike, Prospect, prospect_from

S = TypeVar("S")
T = TypeVar("T")

CHUNK = 50
"""Number of models that a worker gets at a time."""


class Prospects(OfTable, ByModel[Prospect], kind="prospects"):
    """The verdict on every model with bounds of its margin; ``prospects["T5"]`` is one model's `Prospect`.

    Attributes
    ----------
    rule, signs, points, space
        As of an `OfTable`.
    prospects : tuple of ModelBounds
        One per model, in the order of the table.
    today : Series of Fraction by task, or None
        The weights of the table as shares, for who tells how far others are; None where the table has none.
    """

    today: Seen[pd.Series | None] = ByName("space.tasks", called="weight")
    prospects: tuple[ModelBounds, ...]

    def __post_init__(self) -> None:
        """Raise InputError unless there is one prospect per model, of rivals and tasks of the table."""
        if self.signs is None and self.points is None:
            raise InputError("there are neither signs nor points")
        if tuple(one.model for one in self.prospects) != self.models:
            raise InputError("there must be one prospect per model, in the order of the table")
        for kind, known in (("weights", self.leads.tasks), ("blockers", self.models)):
            for one in self.prospects:
                for unknown in sorted(getattr(one, kind).keys() - set(known)):
                    raise InputError(f"{kind} of {one.model!r}: {unknown!r} is not in the table")

    @cached_property
    def verdicts(self) -> pd.Series:
        """Verdict by model."""
        return self._series([one.verdict for one in self.prospects], "verdict")

    @cached_property
    def lower(self) -> pd.Series:
        """Exact lower bound of the margin by model."""
        return self._series([one.lower for one in self.prospects], "lower")

    @cached_property
    def upper(self) -> pd.Series:
        """Exact upper bound of the margin by model."""
        return self._series([one.upper for one in self.prospects], "upper")

    def _series(self, values: Sequence[Any], name: str) -> pd.Series:
        return pd.Series(list(values), index=list(self.models), dtype=object, name=name)

    def with_verdict(self, *verdicts: str) -> tuple[str, ...]:
        """Return the models with one of these verdicts, in board order."""
        chosen = {Verdict(verdict) for verdict in verdicts}
        return tuple(model for model in self.models if self.verdicts[model] in chosen)

    def _one(self, position: int) -> Prospect:
        """Return one model's prospect; where the bounds leave a gap, one more program closes it."""
        one = self.prospects[position]
        if one.lower != one.upper:
            one = Prover(self.space, self.leads).exact(RowsOf(model=position, rows=self.leads.over_all(position)))
        return prospect_from(self._asked, one.model, one.proof(self.leads))

    def bounded(self, model: str) -> Prospect:
        """Return one model's prospect with the bounds as they were proved, without solving anything."""
        return prospect_from(self._asked, model, self.prospects[self.leads.position(model)].proof(self.leads))

    @property
    def _asked(self) -> Asked:
        return Asked(rule=self.rule, leads=self.leads, space=self.space)

    def __str__(self) -> str:
        """Count the verdicts in one sentence; another one names the conditions, if there are any."""
        strict, weak, never = (len(self.with_verdict(verdict)) for verdict in Verdict)
        tie = "ties" if weak == 1 else "tie"
        if self.points is None:
            able = f"Head-to-head, {strict} of {len(self)} models can win, {weak} {tie} at best, {never} can never win."
        else:
            alone = f"{strict} of {len(self)} models can be the only winner"
            able = f"{self.by_rule}, {alone}, {weak} {tie} at best, {never} can never win."
        return able + self.space.conditions_sentence

    def to_frame(self) -> pd.DataFrame:
        """Return verdicts, margins (None where only bounds are known) and their bounds, one row per model."""
        known = [low if low == high else None for low, high in zip(self.lower, self.upper, strict=True)]
        return pd.DataFrame(
            {
                "verdict": [str(verdict) for verdict in self.verdicts],
                "margin": known,
                "lower": self.lower.tolist(),
                "upper": self.upper.tolist(),
            },
            index=list(self.models),
        )

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check every verdict and bound in exact arithmetic, without a solver.

        Raises
        ------
        ProofError
            Naming the first model and inequality that fail.
        """
        self.check_leads(source)
        if self.today is not None:
            check_weighting(self.today, WeightSpace(self.space.tasks))
            check_todays(source, self.today)
        places = {model: place for place, model in enumerate(self.models)}
        for one in self.prospects:
            with told_of(repr(one.model)):
                one.check(self.leads, places, self.space)
        return True


class ManyOptions(Options, total=False):
    """What `prospects` takes besides the table and the rule."""

    exact: bool
    n_jobs: int
    progress: Callable[[int], None] | None


@overload
def prospects(board: LeadsLike, *, rule: LinearLike = ..., **options: Unpack[ManyOptions]) -> Prospects: ...


@overload
def prospects(board: LeadsLike, *, rule: RuleLike, **options: Unpack[ManyOptions]) -> Prospects | PartialProspects: ...


def prospects(
    board: LeadsLike,
    *,
    rule: RuleLike = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    exact: bool = False,
    time_limit: float | None = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Prospects | PartialProspects:
    """Decide for every model whether it can be the Condorcet winner, or a rule's, under some weights, with proofs.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part.
    rule : str or sequence of numbers
        By which it wins, as for `prospect`: ``"majority"``, ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``,
        ``"veto"`` or the points of the places; or by one program per model ``"copeland"``, ``"minimax"`` or
        ``"geometric_mean"``.
    ties, missing : str, optional
        Options of rules by place, as for `prospect`.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights; by default all that are not negative and sum to 1.
    exact : bool
        Close the gap between the bounds of every margin, not only prove its sign.
    time_limit : float, optional
        Seconds for all models.
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``. -1 takes all cores, -2 all but one.
    progress : callable, optional
        Called with the number of models done since the last call.

    Returns
    -------
    Prospects
        By Copeland, minimax and the geometric mean a `PartialProspects`: verdicts that are not proved within the time
        limit are open, and said to be.

    Raises
    ------
    InputError
        If ``n_jobs`` is 0 or no whole number, or as for `prospect`.
    UnknownNameError, MissingScoresError, EmptySpaceError
        As for `prospect`.
    UnprovedError, TimeLimitError
        If a model's verdict was not proved, or not within the time limit, with the model's name;
        ``known["verdicts"]`` has the verdicts that were, by model, and where only ``exact`` failed ``known["lower"]``
        and ``known["upper"]`` are the model's bounds.

    Notes
    -----
    A model that leads some task alone, or trails some rival everywhere, is settled at once. For the others a program
    with few rivals grows by the rivals it violates, until weights beat every rival or a mixture of rivals blocks;
    what is found is rounded to integers and checked exactly; conditions are rows of that program. Memory is O(models x
    tasks): of 20,000 x 100 some 0.4 GB, and 0.3 GB in each further process.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 3}, "y": {"a": 2, "b": 3, "c": 1}})
    >>> print(wl.lp.prospects(board))
    Head-to-head, 2 of 3 models can win, 1 ties at best, 0 can never win.
    """
    ensure_jobs(n_jobs)
    table = cast("LeadsLike", as_table(board))
    if isinstance(rule, str) and rule in ONE_BY_ONE and scaled is None:
        refuse_point_options(rule, ties, missing)
        return prospects_one_by_one(cast("SignsLike", table), rule, space=space, time_limit=time_limit)
    asked = Asked.of(table, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    leads, allowed = asked.leads, asked.space
    count = len(leads.models)
    chunks = [range(start, min(start + CHUNK, count)) for start in range(0, count, CHUNK)]
    found: list[ModelBounds] = []
    if isinstance(leads, Signs):
        _ = leads.places  # made once, before other processes map the memory of its arrays
    settings: dict[str, Any] = {"exact": exact, "time_limit": time_limit, "deadline": deadline_in(time_limit)}
    work = partial(_chunk, prover=Prover(allowed, leads), leads=leads, **settings)
    try:
        for part in in_processes(work, chunks, n_jobs):
            found.extend(part)
            if progress is not None:
                progress(len(part))
    except UnprovedError as error:
        error.known["verdicts"] = _verdicts(leads.models, found) | error.known["verdicts"]
        raise
    today = None if isinstance(table, Signs | Points) else todays_shares(table, leads.tasks)
    return Prospects(**asked.of_table, space=allowed, today=today, prospects=tuple(found))


def in_processes(work: Callable[[S], T], items: Sequence[S], n_jobs: int) -> Iterator[T]:
    """Yield what a function makes of each item, in their order, by as many processes as ``n_jobs`` says."""
    if n_jobs == 1 or len(items) == 1:
        return map(work, items)
    joblib = _joblib(n_jobs)
    return iter(joblib.Parallel(n_jobs=n_jobs, return_as="generator")(joblib.delayed(work)(item) for item in items))


def processes(n_jobs: int) -> int:
    """Return how many processes ``n_jobs`` means on this machine."""
    return 1 if n_jobs == 1 else int(_joblib(n_jobs).effective_n_jobs(n_jobs))


def _joblib(n_jobs: int) -> Any:
    try:
        import joblib  # noqa: PLC0415 - optional
    except ImportError:
        raise InputError(f"n_jobs={n_jobs} needs joblib: install weightlab[parallel], or leave n_jobs at 1") from None
    return joblib


def _chunk(
    models: range,
    *,
    prover: Prover,
    leads: Signs | Points,
    exact: bool,
    time_limit: float | None,
    deadline: float | None,
) -> list[ModelBounds]:
    """Return bounds of some models; an error carries the verdicts found before it."""
    found: list[ModelBounds] = []
    for model in models:
        try:
            with within(seconds_left(deadline)):  # said again, since this may be another process
                found.append(_bounds(prover, model, leads, exact=exact))
        except UnprovedError as error:
            known = {"verdicts": {}, **error.known}
            known["verdicts"] = _verdicts(leads.models[models.start :], found) | known["verdicts"]
            sought = "exact margin" if "lower" in error.known else "proof"
            why = f"no {sought} within {time_limit} s" if isinstance(error, TimeLimitError) else str(error)
            raise type(error)(f"{leads.models[model]!r}: {why}", known=known) from error
    return found


def _bounds(prover: Prover, model: int, leads: Signs | Points, *, exact: bool) -> ModelBounds:
    own = RowsOf(model=model, rows=leads.over_all(model))
    found = prover.bounds(own)
    if not exact or found.lower == found.upper:
        return found
    try:
        return prover.exact(own)
    except UnprovedError as error:
        error.known |= {"lower": found.lower, "upper": found.upper}
        error.known["verdicts"] = _verdicts(leads.models[model:], [found])
        raise


def _verdicts(models: Sequence[str], found: Sequence[ModelBounds]) -> dict[str, Verdict | None]:
    """Return the verdicts that bounds of the first of these models prove."""
    return {model: verdict_between(one.lower, one.upper) for model, one in zip(models, found, strict=False)}


# Proved bounds of many margins, fast: screens, constraint generation over rivals, and integer checks of what is found.
#
# The floats of a solver only propose weights and blockers; both are rounded to integers over a power of two, and the
# bounds are proved exactly by these integers. Verdicts that rounding cannot prove are settled by the exact program.


UNITS = 2**50
"""Rounded weights and blockers are multiples of 1 / UNITS; products with signs stay below 2**53, exact in floats."""
FEWER = 2**30
"""Units for rows of larger numbers, so that their products take one limb or two."""
INSIDE = 4e-9
"""Weights are moved inside the conditions by this much, which is more than solvers and rounding violate them by."""
BATCH = 30
"""Number of violated rivals added at a time."""
SIMPLE = 10**5
"""Multipliers, and weights and blockers of a margin of 0, are tried with denominators up to this."""
CLEAR = 1e-7
"""A float margin nearer to 0 than this is settled exactly."""


class ModelBounds(Record):
    """Bounds of one model's margin, as a `Prospect` has them, without weights and blockers that are 0.

    Attributes
    ----------
    model : str
        Of which model.
    lower, upper : Fraction
        The margin lies between them.
    weights : mapping from task to Fraction
        Under which every lead is at least ``lower``.
    blockers : mapping from rival to Fraction
        A mixture over which no weights lead by more than ``upper``.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    """

    derived = ("verdict",)

    model: str
    lower: Fraction
    upper: Fraction
    weights: Mapping[str, Fraction]
    blockers: Mapping[str, Fraction]
    vectors: Vectors

    @property
    def verdict(self) -> Verdict | None:
        """What the bounds prove; None where they leave it open."""
        return verdict_between(self.lower, self.upper)

    def proof(self, leads: Signs | Points) -> MarginProof:
        """Return the bounds of the whole numbers of the rows, with a weight per task and a share per rival."""
        rivals = leads.rivals(self.model)
        return MarginProof(
            rivals=rivals,
            lower=self.lower * leads.unit,
            upper=self.upper * leads.unit,
            weights=tuple(self.weights.get(task, ZERO) for task in leads.tasks),
            blockers=tuple(self.blockers.get(rival, ZERO) for rival in rivals),
            vectors=self.vectors,
        )

    def check(self, leads: Signs | Points, places: Mapping[str, int], space: WeightSpace) -> None:
        """Ensure that weights and blockers prove the bounds, and these a verdict; ``places`` are those of the models.

        The check of `Prospect.verify`, over the numbers that are not 0 alone.
        """
        check_exact(lower=self.lower, upper=self.upper, **self.weights)
        check_weights(self.weights, space)
        own = places[self.model]
        rows = leads.over_all(own)
        ensure(self.model not in self.blockers, f"{self.model!r} blocks itself")
        # Few of many tasks have a weight.
        used = [task for task, name in enumerate(leads.tasks) if name in self.weights]
        weights, units = common_denominator([self.weights[leads.tasks[task]] for task in used])
        least = Fraction(int(np.delete(exact_products(rows[:, used], weights), own).min()), units * leads.unit)
        ensure(least == self.lower, f"the least lead is {least}, not {self.lower}")
        check_exact(**self.blockers)
        shares, beneath = common_denominator([*self.blockers.values()])
        ensure(sum(shares) == beneath, f"the shares of the blockers sum to {Fraction(sum(shares), beneath)}, not to 1")
        mixed = rows[[places[name] for name in self.blockers]]
        proved = most(space, self.vectors, mixed, [*self.blockers.values()]) / leads.unit
        ensure(proved == self.upper, f"the blockers prove a bound of {proved}, not {self.upper}")
        ensure(self.verdict is not None, "the bounds prove no verdict")


class RowsOf(Frozen):
    """By how much one model leads all models, itself included (models x tasks): signs, or differences of points."""

    model: int
    rows: AnyArray

    @cached_property
    def scale(self) -> int:
        """The largest of the whole numbers."""
        return max(1, largest_entry(self.rows))

    @cached_property
    def floats(self) -> AnyArray:
        """The rows as floats up to 1: single ones hold signs."""
        if self.scale == 1:
            return self.rows.astype(np.float32)
        return np.asarray(self.rows / self.scale).astype(np.float64)

    @cached_property
    def ahead(self) -> AnyArray:
        """How many more models are behind than ahead on each task."""
        return np.asarray(self.floats.sum(axis=0) if self.scale == 1 else np.sign(self.floats).sum(axis=0))

    def leads(self, weights: FloatArray) -> AnyArray:
        """Return the leads under weights, in units of ``scale``, infinite over the model itself."""
        leads: AnyArray = self.floats @ weights.astype(self.floats.dtype)
        leads[self.model] = np.inf
        return leads

    def nearest(self, weights: IntArray, units: int) -> tuple[IntArray, IntArray]:
        """Return rivals, those with the least lead among them, and their exact leads."""
        leads = self.leads(weights / units)
        # Rounding the rows and the weights and adding up n products moves a sum by less than (n + 4) 2**-23, as numbers
        # are rounded to 24 bits and the weights sum to 1 (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
        # section 3.1): who is farther from the least than twice that has no smaller lead. Likewise with 53 bits.
        nearest = np.flatnonzero(leads <= leads.min() + (len(weights) + 4) * 2 * float(np.finfo(leads.dtype).eps))
        return nearest, exact_products(self.rows[nearest], weights)


class Prover:
    """Bounds of one model after another over the same tasks and space.

    Parameters
    ----------
    space : WeightSpace
        Allowed weights, tasks in the order of the table.
    leads : Signs or Points
        The table: rows of points need fewer units.
    """

    def __init__(self, space: WeightSpace, leads: Signs | Points) -> None:
        self.space, self.leads = space, leads
        self.tasks = len(space.tasks)
        self._units = UNITS if isinstance(leads, Signs) else max(FEWER, 2 * len(space.tasks) ** 2)
        self._base = margin_program(space.tasks, space.rows, space.auxiliaries)

    @cached_property
    def _program(self) -> OpenProgram:
        """One instance of the solver for all models."""
        return open_program(self._base)

    def bounds(self, own: RowsOf) -> ModelBounds:
        """Return bounds that prove a model's verdict.

        Raises
        ------
        EmptySpaceError, UnprovedError, TimeLimitError
            As for `prospect`.
        """
        # A rival ahead on every task blocks the model alone, whatever the weights (the model's own row is 0).
        most = own.rows.max(axis=1)
        weights, units, _ = self._inner
        if most.min() < 0:
            return self._single(own, weights, units, int(np.argmin(most)))
        # A task on which it leads all others wins with all weight, where that is allowed.
        for task in np.flatnonzero(own.ahead == len(most) - 1).tolist():
            if self._allows(_only(task, self.tasks), 1):
                blocker = int(np.argmin(np.delete(most, own.model)))
                return self._single(own, _only(task, self.tasks), 1, blocker + int(blocker >= own.model))
        found = self._generated(own, self._first(own))
        return found if isinstance(found, ModelBounds) else self.exact(own, found)

    def _single(self, own: RowsOf, weights: IntArray, units: int, blocker: int) -> ModelBounds:
        """Return the bounds that weights and one rival prove; by signs they are exact."""
        return self._proved(own, (weights, units), {blocker: Fraction(1)}, ({},) * len(self.space.conditions))

    def _proved(
        self,
        own: RowsOf,
        weights: tuple[IntArray, int],
        blockers: Mapping[int, Fraction],
        vectors: Vectors,
    ) -> ModelBounds:
        """Return the bounds that weights (over a unit), shares of rivals by their positions and vectors prove."""
        (whole, units), models = weights, self.leads.models
        named = zip(self.leads.tasks, whole.tolist(), strict=True)
        return ModelBounds(
            model=models[own.model],
            lower=Fraction(int(own.nearest(whole, units)[1].min()), units * self.leads.unit),
            upper=most(self.space, vectors, own.rows[[*blockers]], [*blockers.values()]) / self.leads.unit,
            weights={task: Fraction(weight, units) for task, weight in named if weight},
            blockers={models[row]: share for row, share in blockers.items()},
            vectors=vectors,
        )

    @cached_property
    def _inner(self) -> tuple[IntArray, int, float]:
        """Weights of the space as integers over a denominator, and by how much they are inside all rows, at least.

        Nothing where an equation, or rows that leave a single value, are met as soon as weights are rounded.
        """
        rows, inside, one = self.space.rows, "inside", Fraction(1)
        if not rows:
            return _only(0, self.tasks), 1, 0.0
        sign = {Relation.AT_MOST: 1, Relation.AT_LEAST: -1, Relation.EQUAL: 0}
        moved = [replace(row, auxiliaries={**row.auxiliaries, inside: Fraction(sign[row.relation])}) for row in rows]
        moved.append(LinearRow(name=inside, tasks={}, relation=Relation.AT_MOST, bound=one, auxiliaries={inside: one}))
        extra = (*self.space.auxiliaries, inside)
        objective = (0,) * (self.tasks + len(extra) - 1) + (1,)
        program = weights_program(
            self.space.tasks, extra, moved, name="inside all conditions", sense=Sense.MAXIMISE, objective=objective
        )
        try:
            found = exact_optimum(program)
        except ImpossibleError:
            refuse_empty(self.space)
        weights, units = common_denominator(found.x[: self.tasks])
        return _integers(weights), units, float(found.value)

    def _allows(self, weights: IntArray, units: int) -> bool:
        return not self.space.rows or self.space.has(dict(zip(self.space.tasks, weights.tolist(), strict=True)), units)

    def exact(self, own: RowsOf, rivals: IntArray | None = None) -> ModelBounds:
        """Return the exact margin; the rivals that are known to bind may be given, and others join as they are met."""
        rivals = np.delete(np.arange(len(own.rows)), own.model) if rivals is None else rivals
        while True:
            proof = widest_margin(own.rows[rivals], [str(rival) for rival in rivals.tolist()], self.space)
            weights, units = common_denominator(proof.weights)
            # Of fewer rivals the margin is no smaller; if no other is nearer at these weights, it is that of all.
            nearest, leads = own.nearest(_integers(weights), units)
            if proof.lower * units <= leads.min():
                blockers = {row: share for row, share in zip(rivals.tolist(), proof.blockers, strict=True) if share}
                return self._proved(own, (_integers(weights), units), blockers, proof.vectors)
            rivals = np.union1d(rivals, nearest)

    def _first(self, own: RowsOf) -> IntArray:
        """Return the rivals to begin with: strong ones all over, and strong ones where the model itself is."""
        # Tasks on which few rivals are ahead get most of the model's weight: rivals strong there will be binding.
        behind = (len(own.rows) - 1 - own.ahead) / 2  # number of rivals ahead by task, a tie counting half
        strong = 1 / (1 + behind)
        # At a vertex as many rows bind as there are tasks: with conditions on every task, few of them are rivals'.
        count = min(len(own.rows) - 1, 8 if len(self.space.rows) >= self.tasks else self.tasks // 3 + 10)
        return np.union1d(
            _smallest(own.leads(np.ones(self.tasks)), count), _smallest(own.leads(strong / strong.sum()), count)
        )

    def _generated(self, own: RowsOf, chosen: IntArray) -> ModelBounds | IntArray:
        """Return bounds by constraint generation, stopping at the first that prove a verdict; else the rivals met."""
        self._program.replace(self._base)
        self._program.add_rows(self._rows(own, chosen))
        known, deadline = np.zeros(len(own.rows), dtype=np.bool_), deadline_in(None)
        known[chosen] = known[own.model] = True
        while True:
            # Weights against a mixture of rivals is a zero-sum game, whose value is the margin (von Neumann's minimax
            # theorem): the chosen rivals alone give an upper bound, the weights' least lead over all rivals a lower
            # one.
            point, duals = _solved(self._program, deadline)
            weights, margin = point[: self.tasks], float(point[-1])
            leads = own.leads(weights)
            # Only the sign matters, so the search ends as soon as one of the two bounds shows it.
            clear = margin < -CLEAR or leads.min() > CLEAR
            fresh = np.empty(0, dtype=np.int64) if clear else _smallest(leads, min(len(leads) - 1, BATCH))
            fresh = fresh[(leads[fresh] < margin - CLEAR) & ~known[fresh]]
            if not len(fresh):
                found = self._rounded(own, weights, chosen, duals, simple=not clear)
                return chosen if found is None else found
            chosen = np.concatenate([chosen, fresh])
            known[fresh] = True
            self._program.add_rows(self._rows(own, fresh))

    def _rows(self, own: RowsOf, chosen: IntArray) -> Rows:
        # The margin is counted in units of the largest number, so that the solver's floats are near one.
        kind = np.dtype(object) if own.rows.dtype == object else np.dtype(np.int64)
        matrix = np.zeros((len(chosen), len(self._base.columns)), dtype=kind)
        matrix[:, : self.tasks], matrix[:, -1] = own.rows[chosen], -own.scale
        return Rows.from_matrix(matrix, lower=0, labels=[str(row) for row in chosen])

    def _rounded(
        self, own: RowsOf, weights: FloatArray, chosen: IntArray, duals: FloatArray, *, simple: bool
    ) -> ModelBounds | None:
        """Return the bounds that rounded weights and duals prove, or None when they prove no verdict."""
        # The first dual is that of the row of weights, then come those of the conditions. Maximising, rows "at least 0"
        # have duals of at most 0: negated, they are the shares of the blockers.
        rows = self.space.rows
        blockers = np.maximum(-duals[1 + len(rows) :], 0)
        # From here on integers only: any allowed weights prove a lower bound and any mixture an upper one, so rounding
        # can cost sharpness but not truth.
        if not (np.isfinite(weights).all() and weights.sum() > 0 and np.isfinite(duals).all() and blockers.sum() > 0):
            return None
        shares, share_units = _integers_near(blockers, None if simple else self._units)
        pairs = zip(nearest_fractions(duals[1 : 1 + len(rows)], SIMPLE), rows, strict=True)
        multipliers = tuple(
            dual * (row.scale * own.scale) if dual and row.relation.allows(dual.numerator) else ZERO
            for dual, row in pairs
        )
        mixture = {int(chosen[row]): Fraction(int(shares[row]), share_units) for row in np.flatnonzero(shares)}
        allowed = self._allowed(weights, simple=simple)
        found = self._proved(own, allowed, mixture, self.space.vectors(multipliers))
        return None if found.verdict is None else found

    def _allowed(self, weights: FloatArray, *, simple: bool) -> tuple[IntArray, int]:
        """Return allowed weights near these as integers over a denominator; others where rounding leaves the space."""
        inner, units, inside = self._inner
        if inside and not simple:
            step = min(1.0, INSIDE / inside)
            weights = weights + step * ((inner / units).astype(np.float64) - weights)
        whole, total = _integers_near(weights, None if simple else self._units)
        return (whole, total) if self._allows(whole, total) else (inner, units)


def _solved(program: OpenProgram, deadline: float | None) -> tuple[FloatArray, FloatArray]:
    solution = program.solve(seconds_left(deadline))
    point = optimal_point(solution, "widest margin")
    if solution.duals is None:
        raise SolverError("widest margin: an optimal solution without duals")
    return point, solution.duals


def _integers_near(shares: FloatArray, units: int | None) -> tuple[IntArray, int]:
    """Return integers in the proportions of shares, and their sum: ``units``, or the least for small denominators.

    A vertex has small ones: so a margin of exactly 0 is seen.
    """
    if units is not None:
        return integer_weights(shares, units), units
    shares = np.maximum(shares, 0)
    whole, _ = common_denominator(nearest_fractions(shares / shares.sum(), SIMPLE))
    return _integers(whole), sum(whole)


def _only(task: int, tasks: int) -> IntArray:
    """Return all weight on one task."""
    weights = np.zeros(tasks, dtype=np.int64)
    weights[task] = 1
    return weights


def _smallest(values: np.ndarray, count: int) -> IntArray:
    """Return the positions of the ``count`` smallest values."""
    if count >= len(values):
        return np.arange(len(values))
    return np.argpartition(values, count)[:count]


def _integers(values: Sequence[int]) -> IntArray:
    fits = all(abs(value) < 2**62 for value in values)
    return np.array(values, dtype=np.int64 if fits else object)
