"""All datasets as one profile, so that what is dropped is dropped on every dataset at once.

To drop models, the voters of all datasets stand side by side: each ranks the models of its dataset. To drop metrics,
each metric is one voter who ranks the models of one dataset after the other. Names carry the number of their dataset,
so that a forbidden sub-profile found inside one dataset names what is to go on all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import numpy as np

from weightlab._record import Record
from weightlab._result import ensure
from weightlab.data import Profile
from weightlab.data.tables import first_appearances
from weightlab.domains.claim import Claim
from weightlab.graph import shortest_cycle

__all__ = ["Circle", "Part", "joint_profile", "joint_test", "parts_of"]

Part: TypeAlias = Literal["models", "metrics"]
"""What may be dropped on all datasets at once."""


@dataclass(frozen=True, kw_only=True)
class Circle(Record):
    """A majority cycle of some voters, as an obstruction: one of its models has to go.

    Attributes
    ----------
    models, voters : tuple of str
        Each model beats the next, and the last the first, by the majority of the voters.
    """

    models: tuple[str, ...]
    voters: tuple[str, ...]

    def __str__(self) -> str:
        """Say who beats whom."""
        return " > ".join([*self.models, self.models[0]])

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the voters make the circle."""
        ensure(len(set(self.models)) == len(self.models) >= 3, "a circle has three models or more")
        ensure(set(self.voters) <= set(profile.voters), "the circle has voters that are not there")
        ensure(set(self.models) <= set(profile.models), "the circle has models that are not there")
        margins = profile.select(models=self.models, voters=self.voters).margins()
        for one, other in zip(self.models, [*self.models[1:], self.models[0]], strict=True):
            ensure(margins.margin(one, other) > 0, f"{one!r} does not beat {other!r}")


@dataclass(frozen=True, kw_only=True)
class _Acyclic:
    """Whether majorities run in no circle, in the shape of a claim about a domain."""

    holds: bool
    witness: Circle | None


def joint_profile(profiles: Mapping[str, Profile], drop: Part) -> Profile:
    """Return all datasets as one profile; models that a voter does not rank there are unranked."""
    return _side_by_side(profiles) if drop == "models" else _one_after_another(profiles)


def parts_of(joint: Profile, drop: Part) -> Iterator[Profile]:
    """Yield the profile of each dataset that still has models and voters, in the names of the joint profile."""
    own = joint.voters if drop == "models" else joint.models
    for places in _by_number(own).values():
        if drop == "models":
            rows, columns = places, np.flatnonzero(joint.ranks[places[0]]).tolist()
        else:
            rows, columns = np.flatnonzero(joint.ranks[:, places[0]]).tolist(), places
        if rows and columns:
            yield _part(joint, rows, columns)


def joint_test(test: Callable[[Profile], Claim], drop: Part) -> Callable[[Profile], Claim]:
    """Return the test that asks each dataset in turn: the first no, or the last yes."""

    def asked(joint: Profile) -> Claim:
        found: Claim | None = None
        for part in parts_of(joint, drop):
            found = test(part)
            if not found.holds:
                break
        return found if found is not None else cast("Claim", _Acyclic(holds=True, witness=None))

    return asked


def acyclic(profile: Profile) -> Claim:
    """Return whether the majority runs in no circle, as something with ``holds`` and ``witness``."""
    cycle = shortest_cycle(profile)
    witness = None if cycle is None else Circle(models=cycle, voters=profile.voters)
    return cast("Claim", _Acyclic(holds=cycle is None, witness=witness))


def three_cycles(profile: Profile) -> list[int]:
    """Return the sets of three models, as bits, that beat one another in a circle. O(models^3)."""
    beats = profile.margins().array > 0
    found = []
    for first, row in enumerate(beats):
        # The first of the three in the order of the profile beats the second, which beats the third, which beats it.
        for second in np.flatnonzero(row):
            thirds = np.flatnonzero(beats[second] & beats[:, first])
            found += [1 << first | 1 << int(second) | 1 << int(t) for t in thirds if t > first and second > first]
    return found


def number_of(name: str) -> int:
    """Return the number of the dataset that a name of the joint profile carries."""
    return int(name.partition(" ")[0])


def _side_by_side(profiles: Mapping[str, Profile]) -> Profile:
    models = first_appearances(one.models for one in profiles.values())
    voters = [f"{number} {voter}" for number, one in enumerate(profiles.values()) for voter in one.voters]
    ranks = np.zeros((len(voters), len(models)), dtype=np.int32)
    place = {model: column for column, model in enumerate(models)}
    row = 0
    for one in profiles.values():
        ranks[row : row + len(one.voters), [place[model] for model in one.models]] = one.ranks
        row += len(one.voters)
    weights = tuple(weight for one in profiles.values() for weight in one.weights)
    return Profile(models=models, voters=tuple(voters), ranks=ranks, weights=weights)


def _one_after_another(profiles: Mapping[str, Profile]) -> Profile:
    voters = first_appearances(one.voters for one in profiles.values())
    models = [f"{number} {model}" for number, one in enumerate(profiles.values()) for model in one.models]
    weights = {
        voter: weight for one in profiles.values() for voter, weight in zip(one.voters, one.weights, strict=True)
    }
    ranks = np.zeros((len(voters), len(models)), dtype=np.int32)
    place = {voter: row for row, voter in enumerate(voters)}
    column = 0
    for one in profiles.values():
        rows = [place[voter] for voter in one.voters]
        above = ranks[rows].max(axis=1, initial=0)
        ranks[rows, column : column + len(one.models)] = one.ranks + above[:, None]
        column += len(one.models)
    return Profile(models=tuple(models), voters=voters, ranks=ranks, weights=tuple(weights[voter] for voter in voters))


def _part(joint: Profile, rows: list[int], columns: list[int]) -> Profile:
    """Return one dataset's rankings: a voter gives its models ranks without a gap, after those of earlier datasets."""
    ranks = joint.ranks[np.ix_(rows, columns)]
    return Profile(
        models=tuple(joint.models[column] for column in columns),
        voters=tuple(joint.voters[row] for row in rows),
        ranks=ranks - (ranks.min(axis=1, keepdims=True) - 1),
        weights=tuple(joint.weights[row] for row in rows),
    )


def _by_number(listed: Sequence[str]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for place, name in enumerate(listed):
        found.setdefault(number_of(name), []).append(place)
    return found
