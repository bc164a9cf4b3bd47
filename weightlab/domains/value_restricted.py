"""Value-restricted profiles: of any three models one is never best, never in the middle or never worst."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from weightlab._record import Record
from weightlab._result import ensure
from weightlab._typing import AnyArray
from weightlab.data.convert import ProfileLike
from weightlab.data.profile import Profile
from weightlab.domains.claim import Claim, admitted, has_no_ties
from weightlab.domains.guarantee import NO_GUARANTEE, Guarantee, condorcet_guarantee
from weightlab.domains.triples import ALL_SEEN, places_seen

__all__ = ["EveryPlace", "ValueRestricted", "value_restricted"]

PLACES = ("best", "medium", "worst")


@dataclass(frozen=True, kw_only=True, eq=False)
class EveryPlace(Record):
    """Three models each of which some voter puts best, some voter medium and some voter worst.

    Attributes
    ----------
    models : tuple of str
        The three.
    seen : tuple of tuple of str
        For each model, voters who put it best, medium and worst.
    """

    models: tuple[str, ...]
    seen: tuple[tuple[str, ...], ...]

    @property
    def voters(self) -> tuple[str, ...]:
        """The voters, each once."""
        return tuple(dict.fromkeys(voter for row in self.seen for voter in row))

    def __str__(self) -> str:
        """Name the models and the voters."""
        a, b, c = self.models
        return f"each of {a}, {b} and {c} is best, medium and worst for someone among {', '.join(self.voters)}"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the voters put the models where it is said."""
        ensure(len(set(self.models)) == len(self.models) == len(self.seen) == 3, "three models are needed")
        strangers = [one for one in self.voters if one not in profile.voters]
        strangers += [one for one in self.models if one not in profile.models]
        ensure(not strangers, f"{strangers[:1]} is not in the profile")
        columns = [profile.models.index(model) for model in self.models]
        for place, (model, row) in enumerate(zip(self.models, self.seen, strict=True)):
            ensure(len(row) == 3, f"three voters are needed for {model!r}")
            for value, voter in zip(PLACES, row, strict=True):
                ranks = profile.ranks[profile.voters.index(voter), columns].tolist()
                puts = fills(ranks, place)[value]
                ensure(puts, f"voter {voter!r} does not put {model!r} {value} of the three")


@dataclass(frozen=True, kw_only=True, eq=False)
class ValueRestricted(Claim, kind="value_restricted"):
    """Whether of any three models one is never best, never medium or never worst of the three (Sen).

    Attributes
    ----------
    witness : EveryPlace or None
        When it does not hold: three models, and voters who put each of them in each place.

    Notes
    -----
    With ties only the voters concerned count, who do not tie all three; a model that ties one of the others fills
    two places at once.
    """

    witness: EveryPlace | None

    @cached_property
    def conditions(self) -> pd.DataFrame:
        """The never-conditions: a row a triple of models, a truth value for each of its models and places.

        Columns are ``("first", "best")`` and so on: True when no voter puts the first of the triple best of it.
        """
        triples = places_seen(self.profile.ranks)
        never = (triples.values[:, None] >> np.arange(9) & 1) == 0
        index = pd.MultiIndex.from_arrays(
            [np.asarray(self.profile.models, dtype=object)[triples.models[:, column]] for column in range(3)],
            names=["first", "second", "third"],
        )
        columns = pd.MultiIndex.from_product([["first", "second", "third"], PLACES], names=["model", "never"])
        return pd.DataFrame(never, index=index, columns=columns)

    @property
    def restrictions(self) -> tuple[str, ...]:
        """Which of ``"best"``, ``"medium"``, ``"worst"`` alone will do: of any three models one is never there.

        Single-peaked profiles are worst-restricted, single-caved ones best-restricted, group-separable ones
        medium-restricted.
        """
        never = ~places_seen(self.profile.ranks).values
        return tuple(
            place for bit, place in enumerate(PLACES) if all(bool(one & (0b001001001 << bit)) for one in set(never))
        )

    @cached_property
    def guarantee(self) -> Guarantee:
        """What is certain about the majority relation of this very profile, and by which theorem."""
        if not self.holds:
            return NO_GUARANTEE
        if has_no_ties(self.profile):
            return condorcet_guarantee(self.profile, "Sen 1966")
        ties = (("strict orders of all models", False),)
        return Guarantee(strict="transitive", weak="", theorem="Sen 1966; Sen and Pattanaik 1969", hypotheses=ties)

    def __str__(self) -> str:
        """Say by which places, or name the three models."""
        if self.witness is not None:
            return f"Not value-restricted: {self.witness}."
        enough = self.restrictions
        alone = f" (already {' and '.join(enough)}-restricted)" if enough else ""
        return f"The rankings are value-restricted{alone}: of any three models one is never best, medium or worst."

    def check(self) -> None:
        """Raise ProofError unless every triple has a never-condition, or the witness has none."""
        ensure((self.witness is None) == self.holds, "a witness is what the answer no rests on")
        if self.witness is not None:
            self.witness.check(self.profile)
        else:
            full = places_seen(self.profile.ranks).values == ALL_SEEN
            ensure(not full.any(), "three models are each seen best, medium and worst")


def value_restricted(source: ProfileLike) -> ValueRestricted:
    """Test whether of any three models one is never best, never medium or never worst of the three.

    Parameters
    ----------
    source : Profile or Leaderboard
        Rankings of all models by every voter, ties allowed. Voters of weight 0 are left out and named.

    Returns
    -------
    ValueRestricted
        True when it holds, with the never-conditions of every triple; else with three models and their voters.

    Raises
    ------
    InputError
        If a voter leaves models out.

    Notes
    -----
    O(models^3 x voters) comparisons. For strict orders it holds exactly if no weights of the voters make a majority
    cycle (see ``condorcet_domain``).

    References
    ----------
    Sen, "A possibility theorem on majority decisions", Econometrica 34 (1966).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "b", "a"]])
    >>> wl.domains.value_restricted(profile).restrictions
    ('medium', 'worst')
    """
    given = admitted(source, "value restriction", ties=True)
    profile = given["profile"]
    triples = places_seen(profile.ranks)
    full = np.flatnonzero(triples.values == ALL_SEEN)
    witness = _every_place(profile, triples.models[full[0]]) if len(full) else None
    result = ValueRestricted(**given, holds=witness is None, witness=witness)
    if witness is not None:
        result.check()
    return result


def fills(ranks: list[int], model: int) -> dict[str, bool]:
    """Return which places of three a model fills for a voter, who must be concerned: not tie all three."""
    own, (one, other) = ranks[model], sorted(ranks[:model] + ranks[model + 1 :])
    concerned = len(set(ranks)) > 1
    return {
        "best": concerned and own <= one,
        "medium": concerned and one <= own <= other,
        "worst": concerned and own >= other,
    }


def _every_place(profile: Profile, models: AnyArray) -> EveryPlace:
    rows = profile.ranks[:, models].tolist()
    seen = tuple(
        tuple(profile.voters[next(v for v, row in enumerate(rows) if fills(row, model)[place])] for place in PLACES)
        for model in range(3)
    )
    return EveryPlace(models=tuple(profile.models[int(model)] for model in models), seen=seen)
