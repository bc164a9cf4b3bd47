"""The nearest profile of a domain: the fewest models or voters to drop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, get_args

from weightlab._result import Proof, ensure
from weightlab._solver import SolverIfAny
from weightlab._text import without
from weightlab.data import Profile
from weightlab.data.convert import ProfileLike
from weightlab.domains.forbidden import FORBIDDEN, Forbidden
from weightlab.domains.nearly_structured import search
from weightlab.domains.nearly_structured.hitting import HittingSearch, ensure_fewest
from weightlab.domains.registry import Obstruction, domain_words, hereditary_domain
from weightlab.domains.result import Claim, distinct, ensure_distinct, profile_fields
from weightlab.exceptions import InputError


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
    solver : Solver, or an empty text
        Whose word that is; empty when it is re-checked.
    """

    domain: str
    drop: search.Drop
    dropped: tuple[str, ...]
    optima: tuple[tuple[str, ...], ...] | None
    obstructions: tuple[Obstruction, ...]
    exact: bool
    solver: SolverIfAny

    takes_gaps: ClassVar[bool] = True

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        fewest = Proof.EXACT if self.exact else Proof.EXACT_WITNESS
        return {"what is kept": Proof.EXACT, f"no fewer {self.drop} will do": fewest}

    @property
    def kept(self) -> Profile:
        """The profile without what is dropped; it belongs to the domain."""
        return _without(self.profile, self.drop, self.dropped)

    def __str__(self) -> str:
        """Say what to drop."""
        name = domain_words(self.domain)
        if not self.dropped:
            return f"The rankings are {name} as they are."
        what = self.drop if len(self.dropped) > 1 else self.drop[:-1]
        listed = ", ".join(self.dropped)
        others = f" ({len(self.optima)} ways in all)" if self.optima is not None and len(self.optima) > 1 else ""
        rests = "" if self.exact else f", according to {self.solver}"
        said = f"The rankings are {name} without {len(self.dropped)} {what}: {listed}{others}"
        return f"{said}; this number is minimal{rests}."

    @property
    def steps(self) -> int:
        """What is kept is tested once for every selection, some domains by all triples of models."""
        triples = self.domain in {"value_restricted", "condorcet_domain"}
        size = len(self.profile.models) ** 3 * len(self.profile.voters) if triples else 0
        return size * (1 + len(self.optima or ()))

    def check(self) -> None:
        """Raise ProofError unless what is kept belongs to the domain and nothing less could be dropped."""
        test = hereditary_domain(self.domain)
        ensure(self.drop in {"models", "voters"}, f"there is no dropping of {self.drop!r}")
        ensure(self.holds == (not self.dropped), "the profile belongs to the domain when nothing has to be dropped")
        known = set(search.things_of(self.profile, self.drop))
        for selection in (self.dropped, *(self.optima or ())):
            ensure(set(selection) <= known and len(set(selection)) == len(selection), f"{selection} cannot be dropped")
            ensure(len(selection) == len(self.dropped), "a selection has another size")
            claim = test(_without(self.profile, self.drop, selection))
            ensure(claim.holds, f"without {selection} the profile is not of the domain {self.domain!r}")
            claim.check()
        ensure_distinct("an obstruction", self.obstructions)
        for obstruction in self.obstructions:
            obstruction.check(self.profile)
            if isinstance(obstruction, Forbidden):
                alone = obstruction.pattern in FORBIDDEN[self.domain]
            else:
                alone = not test(self.profile.select(models=obstruction.models, voters=obstruction.voters)).holds
            ensure(alone, f"{obstruction} is no obstruction to {self.domain!r}")
        ensure(self.exact == (not self.solver), "a solver is named exactly where its word is needed")
        if self.exact:
            self._check_least()
        else:
            ensure(self.optima is None, "that these are all selections is not shown")

    def _check_least(self) -> None:
        things = search.things_of(self.profile, self.drop)
        size = len(self.dropped)
        sets = ensure_fewest(things, [search.things_of(one, self.drop) for one in self.obstructions], size)
        if self.optima is not None:
            found = {sum(1 << things.index(thing) for thing in selection) for selection in self.optima}
            ensure(len(found) == len(self.optima), "a selection is listed twice")
            ensure(set(self.dropped) in [set(one) for one in self.optima], "what is dropped is not listed")
            ensure(found == set(HittingSearch(sets, size)), "other selections meet the forbidden sub-profiles, too")


def nearest(
    source: ProfileLike,
    domain: str,
    *,
    drop: search.Drop = "models",
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
        Seconds for the search.

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
        If time ran out; ``known`` has the best selection found (``x``), its size (``value``) and the ``bound``.
    UnprovedError
        If there are too many smallest selections to list.

    Notes
    -----
    NP-hard in general. A branch and bound picks things so that each forbidden sub-profile loses one; of strict rankings
    those of three models (or voters) are found all at once, others by testing the domain while the kept part still has
    one. A search over the sub-profiles used confirms that no smaller selection suffices. If it takes too long, an
    integer program continues.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c", "d"], ["b", "c", "a", "d"], ["c", "a", "b", "d"]])
    >>> print(wl.domains.nearest(profile, "single_peaked", all_optima=True))
    The rankings are single-peaked without 1 model: a (3 ways in all); this number is minimal.
    """
    test = hereditary_domain(domain)
    if drop not in get_args(search.Drop):
        raise InputError(f"drop must be 'models' or 'voters'; got {drop!r}")
    profile, given = profile_fields(source, f"the nearest {domain} profile", ties=True, gaps=True)
    dropping = search.DeletionSearch(profile, test, drop, time_limit=time_limit)
    dropping.learn(domain)
    least = dropping.fewest()
    selection, proved, optima = least.selection, least.proved, None
    if all_optima:
        selections, proved = dropping.all_as_few(selection.bit_count(), proved)
        optima = tuple(sorted(map(dropping.named, selections), key=lambda one: [dropping.place[name] for name in one]))
    return Nearest(
        **given,
        holds=not selection,
        domain=domain,
        drop=drop,
        dropped=optima[0] if optima else dropping.named(selection),
        optima=optima,
        obstructions=distinct(map(dropping.witness, proved)),
        exact=not least.solver,
        solver=least.solver,
    ).checked()


def _without(profile: Profile, drop: search.Drop, dropped: tuple[str, ...]) -> Profile:
    return search.restricted_to(profile, drop, without(search.things_of(profile, drop), dropped))
