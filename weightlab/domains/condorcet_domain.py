"""Condorcet domains: sets of orders from which no electorate, however composed, makes a majority cycle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from weightlab._exact import AnyArray
from weightlab._result import Record, ensure
from weightlab.data import Profile
from weightlab.data.convert import ProfileLike
from weightlab.domains.result import Claim, profile_fields, ranks_of_part
from weightlab.domains.value_restricted import parts_of_triples, ways_of

MULTIPLIERS = np.array([(a, b, c) for a in range(3) for b in range(3) for c in range(3)][1:])
"""If no electorate makes a cycle, some multipliers of its three duels prove it, and these are enough.

The multipliers y >= 0, not all 0, with ``y . s <= 0`` for the signs s of every voter form a cone. Two of its faces
meet in an extreme ray, which is then a cross product of vectors of entries -1, 0, 1: its entries are at most 2.
"""


class MajorityCycle(Record):
    """An electorate whose strict majority relation has a cycle.

    Attributes
    ----------
    models : tuple of str
        Three models, each of which beats the next and the last the first.
    electorate : dict from str to int
        The voters who make it so, with their weights.
    """

    models: tuple[str, ...]
    electorate: dict[str, int]

    @property
    def voters(self) -> tuple[str, ...]:
        """The voters of the electorate."""
        return tuple(self.electorate)

    def __str__(self) -> str:
        """Say who beats whom with which voters."""
        a, b, c = self.models
        who = ", ".join(f"{voter} x {weight}" for voter, weight in self.electorate.items())
        return f"with {who}, {a} beats {b}, {b} beats {c} and {c} beats {a}"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless these voters of the profile, so weighted, make the cycle."""
        ensure(len(set(self.models)) == len(self.models) == 3, "three models are needed")
        weights = list(self.electorate.values())
        ensure(all(type(one) is int and one > 0 for one in weights), "weights of an electorate are positive integers")
        ranks = ranks_of_part(profile, self.models, self.voters)
        for place, model in enumerate(self.models):
            other = (place + 1) % 3
            lead = sum(w * int(s) for w, s in zip(weights, np.sign(ranks[:, other] - ranks[:, place]), strict=True))
            ensure(lead > 0, f"{model!r} does not beat {self.models[other]!r} in the electorate: margin {lead}")


class CondorcetDomain(Claim, kind="condorcet_domain"):
    """Whether no weights of the voters make a strict majority cycle.

    Attributes
    ----------
    witness : MajorityCycle or None
        When some do: the cycle and the electorate.
    """

    witness: MajorityCycle | None

    by_triples: ClassVar[bool] = True
    theorem: ClassVar[str] = "Sen 1966"
    theorem_with_ties: ClassVar[tuple[str, str]] = "acyclic", "the definition"

    def __str__(self) -> str:
        """Say that no electorate makes a cycle, or name one that does."""
        if self.witness is None:
            return "No weights of the rankings make a majority cycle: the rankings are a Condorcet domain."
        return f"Not a Condorcet domain: {self.witness}."

    def check(self) -> None:
        """Raise ProofError unless the electorate makes the cycle, or multipliers show for every triple that none can.

        Three models are enough: in a longer cycle two models apart either duel, which shortens it, or tie; if they tie
        for every voter they can stand in for each other, and if not, a little more weight for a voter who ranks them
        decides this head-to-head and changes no other.
        """
        ensure((self.witness is None) == self.holds, "a cycle is what the answer no rests on")
        if self.witness is not None:
            self.witness.check(self.profile)
        else:
            ensure(next(_cyclic(self.profile.ranks), None) is None, "some electorate makes a cycle of three models")


def condorcet_domain(source: ProfileLike) -> CondorcetDomain:
    """Test whether any electorate of these voters, in any numbers, can make a strict majority cycle.

    Parameters
    ----------
    source : Profile or Leaderboard
        Rankings of all models by every voter, ties allowed. Voters of weight 0 are left out and named; the weights
        of the others play no part in the answer.

    Returns
    -------
    CondorcetDomain
        True when none can; else with three models and an electorate in which they beat each other in a cycle.

    Raises
    ------
    InputError
        If a voter leaves models out.

    Notes
    -----
    O(models^3 x voters). For each triple and direction a linear program asks for weights of the voters that win all
    three duels of the cycle. Voters rank three models in at most 13 ways, so it is solved by a look at the ways that
    occur. For strict orders the answer is that of ``value_restricted``.

    References
    ----------
    Sen, "A possibility theorem on majority decisions", Econometrica 34 (1966). Puppe and Slinko, "Maximal Condorcet
    domains", 2024.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders(
    ...     [["a", ("b", "c")], ["b", "a", "c"], ["c", "b", "a"]], voters=["acc", "speed", "size"]
    ... )
    >>> print(wl.domains.condorcet_domain(profile))
    Not a Condorcet domain: with acc x 2, speed x 1, size x 2, c beats b, b beats a and a beats c.
    """
    profile, given = profile_fields(source, "being a Condorcet domain", ties=True)
    witness = None
    for triples, backwards in _cyclic(profile.ranks):
        models = triples[0][::-1] if backwards[0] else triples[0]
        cycle = tuple(profile.models[int(model)] for model in models)
        witness = MajorityCycle(models=cycle, electorate=_electorate(profile, models))
        witness.check(profile)
        break
    return CondorcetDomain(**given, holds=witness is None, witness=witness)


def _cyclic(ranks: AnyArray) -> Iterator[tuple[AnyArray, AnyArray]]:
    """Yield triples that some electorate turns into a cycle, and whether it runs against their order, in batches."""
    for models, values in parts_of_triples(ranks, ways_of):
        ways, which = np.unique(values, return_inverse=True)
        none = np.array([[_proves_none(_signs(int(one)), turn) for turn in (1, -1)] for one in ways], dtype=np.bool_)
        found = np.flatnonzero(~(none[:, 0] & none[:, 1])[which])
        if len(found):
            yield models[found], none[:, 0][which[found]]


def _signs(ways: int) -> AnyArray:
    """Return the signs of the three duels around the cycle, a row for each way that occurs."""
    numbers = np.array([number for number in range(27) if ways >> number & 1])
    return np.column_stack([numbers // 9, numbers // 3 % 3, numbers % 3]) - 1


def _proves_none(signs: AnyArray, direction: int) -> bool:
    """Return whether some multipliers show that no electorate wins all three head-to-heads of the cycle."""
    return bool((direction * signs @ MULTIPLIERS.T <= 0).all(axis=0).any())


def cyclic_triples(ranks: AnyArray) -> AnyArray:
    """Return the triples of models, by position, that some electorate turns into a cycle."""
    return np.concatenate([np.empty((0, 3), dtype=np.intp), *(triples for triples, _ in _cyclic(ranks))])


def _electorate(profile: Profile, models: AnyArray) -> dict[str, int]:
    """Return weights of at most three voters under whom each model beats the next, around the cycle.

    A vector of a cone lies in the cone of at most as many of its generators as it has entries, here three; weights
    up to 4 are enough for any signs.
    """
    ranks = profile.ranks[:, models]
    signs = np.sign(np.roll(ranks, -1, axis=1) - ranks)
    _, firsts = np.unique(signs, axis=0, return_index=True)
    voters = sorted(int(voter) for voter in firsts)
    for three in np.ndindex(*[len(voters)] * 3):
        some = sorted({voters[place] for place in three})
        weights = _weights(signs[some])
        if weights is not None:
            return {profile.voters[v]: w for v, w in zip(some, weights, strict=True) if w}
    raise AssertionError("some three voters make a cycle of which no multipliers show that there is none")


def _weights(signs: AnyArray) -> list[int] | None:
    """Return the least weights from 0 to 4 under which all three duels are won, if there are any."""
    count = len(signs)
    grid = np.stack(np.meshgrid(*[np.arange(5)] * count, indexing="ij"), axis=-1).reshape(-1, count)
    winning = grid[(grid @ signs > 0).all(axis=1)]
    if len(winning) == 0:
        return None
    return [int(weight) for weight in winning[winning.sum(axis=1).argmin()]]
