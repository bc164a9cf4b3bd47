"""The nearest profile of a domain: the fewest models or voters to drop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from weightlab._result import Proof, ensure
from weightlab._solver import Formulation, Rows, Sense, integer_optimum
from weightlab._typing import FloatArray
from weightlab.data.convert import ProfileLike
from weightlab.data.profile import Profile
from weightlab.domains.claim import Claim, admitted, names
from weightlab.domains.hitting import hitting_sets
from weightlab.domains.registry import Obstruction, hereditary_domain, obstruction_from_dict, obstruction_of
from weightlab.exceptions import InputError, UnprovedError

__all__ = ["Drop", "Nearest", "nearest"]

Drop: TypeAlias = Literal["models", "voters"]
"""What may be left out."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Nearest(Claim, kind="nearest"):
    """The fewest models or voters without which a profile belongs to a domain; true when it already does.

    Attributes
    ----------
    domain : str
        Which domain.
    drop : {"models", "voters"}
        What may be left out.
    dropped : tuple of str
        As few as possible.
    optima : tuple of tuple of str or None
        When asked for: all selections that are as few.
    obstructions : tuple of witnesses
        Forbidden sub-profiles, one thing of each of which has to go; together they need as many as are dropped.
    exact : bool
        Whether that is re-checked by a search, or rests on the solver.
    solver : str
        Whose integer program found it; empty when there was nothing to drop.
    """

    domain: str
    drop: Drop
    dropped: tuple[str, ...]
    optima: tuple[tuple[str, ...], ...] | None
    obstructions: tuple[Obstruction, ...]
    exact: bool
    solver: str

    @property
    def proof(self) -> Proof:
        """How much of the claim ``verify`` re-checks."""
        return Proof.EXACT if self.exact else Proof.EXACT_WITNESS

    @property
    def kept(self) -> Profile:
        """The profile without what is dropped; it belongs to the domain."""
        return _without(self.profile, self.drop, self.dropped)

    def __str__(self) -> str:
        """Say what to drop."""
        name = self.domain.replace("_", "-")
        if not self.dropped:
            return f"The rankings are {name} as they are."
        what = self.drop if len(self.dropped) > 1 else self.drop[:-1]
        listed = ", ".join(self.dropped)
        others = f" ({len(self.optima)} ways in all)" if self.optima is not None and len(self.optima) > 1 else ""
        rests = "" if self.exact else f", says {self.solver}"
        return f"The rankings are {name} without {len(self.dropped)} {what}: {listed}{others}; no fewer will do{rests}."

    def check(self) -> None:
        """Raise ProofError unless what is kept belongs to the domain and nothing less could be dropped."""
        test = hereditary_domain(self.domain)
        ensure(self.drop in {"models", "voters"}, f"nobody can drop {self.drop!r}")
        ensure(self.holds == (not self.dropped), "the profile belongs to the domain when nothing has to be dropped")
        known = set(_things(self.profile, self.drop))
        for selection in (self.dropped, *(self.optima or ())):
            ensure(set(selection) <= known and len(set(selection)) == len(selection), f"{selection} cannot be dropped")
            ensure(len(selection) == len(self.dropped), "a selection has another size")
            claim = test(_without(self.profile, self.drop, selection))
            ensure(claim.holds, f"without {selection} the profile is not of the domain {self.domain!r}")
            claim.check()
        sets = []
        for obstruction in self.obstructions:
            obstruction.check(self.profile)
            sets.append(_offenders(obstruction, self.drop))
        if self.exact:
            self._check_least(sets)
        else:
            ensure(self.solver, "neither a search nor a solver shows that nothing less could be dropped")

    def _check_least(self, sets: Sequence[frozenset[str]]) -> None:
        size = len(self.dropped)
        fewer = next(hitting_sets(sets, size - 1), None) if size else None
        ensure(fewer is None, f"{sorted(fewer or ())} meet all the forbidden sub-profiles, and they are fewer")
        if self.optima is not None:
            found = {frozenset(selection) for selection in self.optima}
            ensure(len(found) == len(self.optima), "a selection is listed twice")
            ensure(frozenset(self.dropped) in found, "what is dropped is not among the selections")
            possible = set(hitting_sets(sets, size))
            ensure(found == possible, "not all selections that meet the forbidden sub-profiles are listed")

    def parts(self) -> dict[str, Any]:
        """Return domain, selection and obstructions ready for JSON."""
        return {
            "domain": self.domain,
            "drop": self.drop,
            "dropped": list(self.dropped),
            "optima": None if self.optima is None else [list(selection) for selection in self.optima],
            "obstructions": [obstruction.to_dict() for obstruction in self.obstructions],
            "exact": bool(self.exact),
            "solver": self.solver,
        }

    @classmethod
    def parts_from(cls, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return domain, selection and obstructions read from JSON."""
        optima = document["optima"]
        return {
            "domain": str(document["domain"]),
            "drop": _checked_drop(document["drop"]),
            "dropped": names(document["dropped"]),
            "optima": None if optima is None else tuple(names(selection) for selection in optima),
            "obstructions": tuple(obstruction_from_dict(one) for one in document["obstructions"]),
            "exact": document["exact"] is True,
            "solver": str(document["solver"]),
        }


def nearest(
    source: ProfileLike,
    domain: str,
    *,
    drop: Drop = "models",
    all_optima: bool = False,
    time_limit: float | None = None,
) -> Nearest:
    """Find the fewest models or voters without which the rankings belong to a domain.

    Parameters
    ----------
    source : Profile or Leaderboard
        Rankings as the test of that domain accepts them. Voters of weight 0 are left out and named.
    domain : str
        ``"single_peaked"``, ``"single_caved"``, ``"group_separable"``, ``"single_crossing"``,
        ``"value_restricted"`` or ``"condorcet_domain"``.
    drop : {"models", "voters"}
        What may be left out.
    all_optima : bool
        Find all smallest selections, not one.
    time_limit : float, optional
        Seconds for the integer program.

    Returns
    -------
    Nearest
        With what to drop and the forbidden sub-profiles that make it necessary.

    Raises
    ------
    InputError
        If the test of the domain refuses the rankings.
    UnknownNameError
        If there is no such domain.
    TimeLimitError
        If time ran out; ``known`` has the best selection found.
    UnprovedError
        If there are too many smallest selections to list.

    Notes
    -----
    NP-hard in general. An integer program picks things so that each forbidden sub-profile loses one; those that
    what is kept still has are found by the test of the domain and added. That no smaller selection will do is shown
    once more by a search over the sub-profiles that were found, where that is short.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c", "d"], ["b", "c", "a", "d"], ["c", "a", "b", "d"]])
    >>> print(wl.domains.nearest(profile, "single_peaked", all_optima=True))
    The rankings are single-peaked without 1 model: c (3 ways in all); no fewer will do.
    """
    test = hereditary_domain(domain)
    _checked_drop(drop)
    given = admitted(source, f"the nearest {domain} profile", ties=True, gaps=True)
    search = _Search(given["profile"], test, drop)
    search.violated_exactly((Fraction(0),) * len(search.things))
    solver, dropped = "", frozenset[str]()
    if search.found:
        optimum = integer_optimum(search.formulation(), lazy=search, time_limit=time_limit)
        solver = optimum.solver
        dropped = frozenset(thing for thing, gone in zip(search.things, optimum.x, strict=True) if gone)
    optima = search.all_of_size(len(dropped)) if all_optima else None
    if optima:
        dropped = optima[0]
    result = Nearest(
        **given,
        holds=not dropped,
        domain=domain,
        drop=drop,
        dropped=search.in_order(dropped),
        optima=None if optima is None else tuple(search.in_order(selection) for selection in optima),
        obstructions=tuple(search.found),
        exact=search.shows_least(len(dropped)),
        solver=solver,
    )
    result.check()
    return result


class _Search:
    """Forbidden sub-profiles of what is kept, found as they are needed; rows of the integer program."""

    def __init__(self, profile: Profile, test: Callable[[Profile], Claim], drop: Drop) -> None:
        self.profile, self.test, self.drop = profile, test, drop
        self.things = _things(profile, drop)
        self.place = {thing: position for position, thing in enumerate(self.things)}
        self.found: list[Obstruction] = []

    def formulation(self) -> Formulation:
        """Return the program: pick as few things as possible, at least one of each sub-profile found so far."""
        count = len(self.things)
        return Formulation(
            name=f"fewest {self.drop} to drop",
            sense=Sense.MINIMISE,
            columns=self.things,
            objective=(1,) * count,
            rows=self._rows(self.found),
            lower=(0,) * count,
            upper=(1,) * count,
            integral=(True,) * count,
        )

    def violated(self, x: FloatArray) -> Rows | None:
        """Return rows for forbidden sub-profiles among what a float point keeps."""
        return self._new_rows(np.asarray(x) < 0.5)

    def violated_exactly(self, x: Sequence[Fraction]) -> Rows | None:
        """Return rows for forbidden sub-profiles among what an exact point keeps, or None when there are none."""
        return self._new_rows(np.array([2 * one < 1 for one in x], dtype=np.bool_))

    def all_of_size(self, size: int) -> list[frozenset[str]]:
        """Return all selections of so many things that are enough, in the order of the things."""
        while True:
            sets = [_offenders(one, self.drop) for one in self.found]
            possible = list(hitting_sets(sets, size))
            before = len(self.found)
            for selection in possible:
                self._new_rows(np.array([thing not in selection for thing in self.things], dtype=np.bool_))
            if len(self.found) == before:
                return sorted(possible, key=lambda one: [self.place[thing] for thing in self.in_order(one)])

    def shows_least(self, size: int) -> bool:
        """Tell whether a search shows that fewer things do not meet the sub-profiles found."""
        sets = [_offenders(one, self.drop) for one in self.found]
        try:
            return size == 0 or next(hitting_sets(sets, size - 1), None) is None
        except UnprovedError:
            return False

    def in_order(self, selection: frozenset[str]) -> tuple[str, ...]:
        """Return a selection in the order of the profile."""
        return tuple(sorted(selection, key=self.place.__getitem__))

    def _new_rows(self, kept: np.ndarray) -> Rows | None:
        """Find sub-profiles of what is kept, no two sharing a thing, until what remains belongs to the domain."""
        rest = [thing for thing, keep in zip(self.things, kept, strict=True) if keep]
        new: list[Obstruction] = []
        while rest:
            obstruction = obstruction_of(self.test(_with(self.profile, self.drop, rest)))
            if obstruction is None:
                break
            new.append(obstruction)
            offenders = _offenders(obstruction, self.drop)
            rest = [thing for thing in rest if thing not in offenders]
        self.found += new
        return self._rows(new) if new else None

    def _rows(self, obstructions: Sequence[Obstruction]) -> Rows:
        entries = [{self.place[one]: 1 for one in _offenders(obstruction, self.drop)} for obstruction in obstructions]
        labels = [f"sub-profile {number}" for number in range(len(entries))]
        return Rows.from_dicts(entries, width=len(self.things), lower=1, labels=labels)


def _things(profile: Profile, drop: Drop) -> tuple[str, ...]:
    return profile.models if drop == "models" else profile.voters


def _with(profile: Profile, drop: Drop, kept: Sequence[str]) -> Profile:
    return profile.select(models=kept) if drop == "models" else profile.select(voters=kept)


def _without(profile: Profile, drop: Drop, dropped: Sequence[str]) -> Profile:
    gone = set(dropped)
    return _with(profile, drop, [thing for thing in _things(profile, drop) if thing not in gone])


def _offenders(obstruction: Obstruction, drop: Drop) -> frozenset[str]:
    return frozenset(obstruction.models if drop == "models" else obstruction.voters)


def _checked_drop(drop: Any) -> Drop:
    if drop == "models":
        return "models"
    if drop == "voters":
        return "voters"
    raise InputError(f"drop must be 'models' or 'voters'; got {drop!r}")
