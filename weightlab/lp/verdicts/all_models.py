"""Prospects of all models of a table: every verdict proved, every margin bounded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import common_denominator
from weightlab._result import (
    Result,
    ensure,
    part,
    read_fraction,
    read_list,
    read_numbers,
    refuse_others,
    to_json,
    told_of,
)
from weightlab._solver import deadline_in, seconds_left
from weightlab._validate import ensure_jobs
from weightlab.data.convert import SignsLike
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, ProofError, TimeLimitError, UnprovedError
from weightlab.lp.certificates.max_margin import Verdict, verdict_between
from weightlab.lp.certificates.primal import check_table
from weightlab.lp.space.condition_text import conditions_sentence
from weightlab.lp.space.space import WeightSpace, signs_and_space
from weightlab.lp.verdicts.prospect import Prospect, prospect_from
from weightlab.lp.verdicts.screening import Bounds, Prover

CHUNK = 50
"""So many models are handed to a worker at a time."""


class Prospects(Result, kind="prospects"):
    """The verdict on every model with bounds of its margin; ``prospects["T5"]`` is one model's `Prospect`.

    Attributes
    ----------
    signs : Signs
        The table's signs.
    space : WeightSpace
        The weights that were allowed.
    bounds : tuple of Bounds
        One a model, with the integers that prove them.
    """

    signs: Signs
    space: WeightSpace
    bounds: tuple[Bounds, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.signs.models

    @cached_property
    def verdicts(self) -> pd.Series:
        """Verdict by model."""
        return self._series([verdict_between(one.lower, one.upper) for one in self.bounds], "verdict")

    @cached_property
    def lower(self) -> pd.Series:
        """Exact lower bound of the margin by model."""
        return self._series([one.lower for one in self.bounds], "lower")

    @cached_property
    def upper(self) -> pd.Series:
        """Exact upper bound of the margin by model."""
        return self._series([one.upper for one in self.bounds], "upper")

    def _series(self, values: Sequence[Any], name: str) -> pd.Series:
        return pd.Series(list(values), index=list(self.models), dtype=object, name=name)

    def with_verdict(self, *verdicts: str) -> tuple[str, ...]:
        """Return the models with one of these verdicts, in board order."""
        chosen = {Verdict(verdict) for verdict in verdicts}
        return tuple(model for model in self.models if self.verdicts[model] in chosen)

    def __getitem__(self, model: str) -> Prospect:
        """Return one model's prospect; where the bounds leave a gap, one more program closes it."""
        position = self.signs.position(model)
        one = self.bounds[position]
        if one.lower != one.upper:
            one = Prover(self.space).exact(self.signs.over_all(position), position, self.models)
        return prospect_from(self.signs, model, self.space, one.proof(position, self.models))

    def bounded(self, model: str) -> Prospect:
        """Return one model's prospect with the bounds as they were proved, without solving anything."""
        position = self.signs.position(model)
        return prospect_from(self.signs, model, self.space, self.bounds[position].proof(position, self.models))

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.bounds)

    def __iter__(self) -> Iterator[str]:
        """Go through the models' names, in board order."""
        return iter(self.models)

    def __str__(self) -> str:
        """Count the verdicts in one sentence; another one names the conditions, if there are any."""
        strict, weak, never = (len(self.with_verdict(verdict)) for verdict in Verdict)
        counted = f"{strict} can win, {weak} {'ties' if weak == 1 else 'tie'} at best, {never} can never win"
        return f"Of {len(self)} models {counted}.{conditions_sentence(self.space)}"

    def to_frame(self) -> pd.DataFrame:
        """Return verdicts, margins (None where only bounds are known) and their bounds, one row a model."""
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
        check_table(self.signs, self.space, source)
        ensure(len(self.bounds) == len(self.models), "there must be one pair of bounds a model")
        for position, model in enumerate(self.models):
            with told_of(repr(model)):
                if self.space.conditions:
                    self.bounded(model)  # which verifies what it returns
                else:
                    self.bounds[position].check(self.signs.over_all(position), position)
        return True

    def written_without(self, given: Collection[str]) -> dict[str, Any]:
        """Return all proofs ready for JSON; weights and blockers that are 0 are left out."""
        del given
        return {
            "kind": self.kind,
            "signs": self.signs.to_dict(),
            "space": self.space.to_dict(),
            "prospects": [self._entry(position) for position in range(len(self))],
        }

    def _entry(self, position: int) -> dict[str, Any]:
        one = self.bounds[position]
        weights = zip(self.signs.tasks, one.weights.tolist(), strict=True)
        blockers = zip(one.blocking.tolist(), one.blockers.tolist(), strict=True)
        return {
            "model": self.models[position],
            "verdict": str(verdict_between(one.lower, one.upper)),
            "lower": to_json(one.lower),
            "upper": to_json(one.upper),
            "weights": {task: to_json(Fraction(weight, one.weight_units)) for task, weight in weights if weight},
            "blockers": {self.models[r]: to_json(Fraction(share, one.blocker_units)) for r, share in blockers if share},
            "multipliers": to_json(list(one.multipliers)),
        }

    @classmethod
    def read_part(cls, document: Any, what: str, outer: Any = None) -> Prospects:
        """Return the result that ``to_dict`` wrote; nothing of it is given by a record that holds it.

        Raises
        ------
        ProofError
            If a verdict written is not the one that its bounds prove.
        InputError
            If parts are missing or of the wrong form.
        """
        del outer
        if part(document, "kind", what) != cls.kind:
            raise InputError(f"{what or 'the result'}: a {cls.kind} is needed; got a {document['kind']!r}")
        refuse_others(document, ("kind", "signs", "space", "prospects"), what or "the result")
        signs, space = Signs.from_dict(part(document, "signs")), WeightSpace.from_dict(part(document, "space"))
        entries = read_list(part(document, "prospects"), "prospects")
        if [part(entry, "model", "a prospect") for entry in entries] != list(signs.models):
            raise InputError("there must be one prospect a model, in the order of the signs")
        places = tuple({name: place for place, name in enumerate(names)} for names in (signs.tasks, signs.models))
        return cls(signs=signs, space=space, bounds=tuple(_bounds_from(entry, *places) for entry in entries))


def prospects(
    board: SignsLike,
    *,
    space: WeightSpace | None = None,
    exact: bool = False,
    time_limit: float | None = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Prospects:
    """Decide for every model whether it can be the Condorcet winner under some weights, with proofs.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part.
    space : WeightSpace, optional
        Allowed weights; by default all that are not negative and sum to 1.
    exact : bool
        Close the gap between the bounds of every margin, not only prove its sign.
    time_limit : float, optional
        Seconds for each model.
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``. -1 takes all cores, -2 all but one.
    progress : callable, optional
        Called with the number of models done since the last call.

    Returns
    -------
    Prospects

    Raises
    ------
    InputError
        If ``n_jobs`` is 0 or no whole number.
    EmptySpaceError
        As for `prospect`.
    UnprovedError, TimeLimitError
        If a model's verdict was not proved, or not within the time limit, with the model's name;
        ``known["verdicts"]`` has the verdicts that were, by model, and where only ``exact`` failed ``known["lower"]``
        and ``known["upper"]`` are the model's bounds.

    Notes
    -----
    A model that leads some task alone, or trails some rival everywhere, is settled at once. For the others a program
    with few rivals grows by the rivals it violates, until weights beat every rival or a mixture of rivals blocks;
    what is found is rounded to integers and checked exactly. Memory is O(models x tasks).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 3}, "y": {"a": 2, "b": 3, "c": 1}})
    >>> print(wl.lp.prospects(board))
    Of 3 models 2 can win, 1 ties at best, 0 can never win.
    """
    ensure_jobs(n_jobs)
    signs, allowed = signs_and_space(board, space)
    count = len(signs.models)
    chunks = [range(start, min(start + CHUNK, count)) for start in range(0, count, CHUNK)]
    found: list[Bounds] = []
    work = partial(_chunk, signs=signs, exact=exact, time_limit=time_limit)
    try:
        for part in _parts(work, allowed, chunks, n_jobs):
            found.extend(part)
            if progress is not None:
                progress(len(part))
    except UnprovedError as error:
        error.known["verdicts"] = _verdicts(signs.models, found) | error.known["verdicts"]
        raise
    return Prospects(signs=signs, space=allowed, bounds=tuple(found))


def _parts(
    work: Callable[[Prover, range], list[Bounds]], space: WeightSpace, chunks: Sequence[range], n_jobs: int
) -> Iterator[list[Bounds]]:
    if n_jobs == 1 or len(chunks) == 1:
        prover = Prover(space)
        yield from (work(prover, chunk) for chunk in chunks)
        return
    try:
        import joblib  # noqa: PLC0415 - optional
    except ImportError:
        raise InputError(f"n_jobs={n_jobs} needs joblib: install weightlab[parallel], or leave n_jobs at 1") from None
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator")
    yield from parallel(joblib.delayed(work)(Prover(space), chunk) for chunk in chunks)


def _chunk(prover: Prover, models: range, *, signs: Signs, exact: bool, time_limit: float | None) -> list[Bounds]:
    """Return bounds of some models; an error carries the verdicts found before it."""
    found: list[Bounds] = []
    for model in models:
        try:
            found.append(_bounds(prover, model, signs, exact=exact, time_limit=time_limit))
        except UnprovedError as error:
            known = {"verdicts": {}, **error.known}
            known["verdicts"] = _verdicts(signs.models[models.start :], found) | known["verdicts"]
            sought = "exact margin" if "lower" in error.known else "proof"
            why = f"no {sought} within {time_limit} s" if isinstance(error, TimeLimitError) else str(error)
            raise type(error)(f"{signs.models[model]!r}: {why}", known=known) from error
    return found


def _bounds(prover: Prover, model: int, signs: Signs, *, exact: bool, time_limit: float | None) -> Bounds:
    deadline = deadline_in(time_limit)
    duels = signs.over_all(model)
    found = prover.bounds(duels, model, signs.models, time_limit)
    if not exact or found.lower == found.upper:
        return found
    try:
        return prover.exact(duels, model, signs.models, seconds_left(deadline))
    except UnprovedError as error:
        error.known |= {"lower": found.lower, "upper": found.upper}
        error.known["verdicts"] = _verdicts(signs.models[model:], [found])
        raise


def _verdicts(models: Sequence[str], found: Sequence[Bounds]) -> dict[str, Verdict | None]:
    """Return the verdicts that bounds of the first of these models prove."""
    return {model: verdict_between(one.lower, one.upper) for model, one in zip(models, found, strict=False)}


ENTRY = ("model", "verdict", "lower", "upper", "weights", "blockers", "multipliers")
"""The parts of what is written of one model."""


def _bounds_from(entry: Mapping[str, Any], task: Mapping[str, int], model: Mapping[str, int]) -> Bounds:
    """Return the bounds of one model that an entry has; tasks and models go by their places in the signs."""
    who = repr(entry["model"])
    refuse_others(entry, ENTRY, who)
    written, blocking = (read_numbers(part(entry, kind, who), f"{kind} of {who}") for kind in ("weights", "blockers"))
    for kind, found, known in (("weights", written, task), ("blockers", blocking, model)):
        unknown = [name for name in found if name not in known]
        if unknown:
            raise InputError(f"{kind} of {who}: {unknown[0]!r} is not in the signs")
    weights, weight_units = common_denominator([written.get(name, Fraction(0)) for name in task])
    blockers, blocker_units = common_denominator(list(blocking.values()))
    lower, upper = (read_fraction(part(entry, bound, who), f"{bound} of {who}") for bound in ("lower", "upper"))
    multipliers = read_list(part(entry, "multipliers", who), f"multipliers of {who}")
    if str(verdict_between(lower, upper)) != part(entry, "verdict", who):
        raise ProofError(f"{who}: the bounds {lower} and {upper} do not prove {entry['verdict']!r}")
    return Bounds(
        lower=lower,
        upper=upper,
        weights=np.array(weights, dtype=object),
        weight_units=weight_units,
        blocking=np.array([model[name] for name in blocking], dtype=np.int64),
        blockers=np.array(blockers, dtype=object),
        blocker_units=blocker_units,
        multipliers=tuple(read_fraction(value, f"multiplier of {who}") for value in multipliers),
    )
