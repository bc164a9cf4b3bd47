"""Value-restricted profiles: of any three models one is never best, never in the middle or never worst."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

import numpy as np

from weightlab._exact import AnyArray
from weightlab._result import Record, ensure
from weightlab.data import Profile
from weightlab.data.convert import ProfileLike
from weightlab.domains.result import Claim, profile_fields, ranks_of_part

PLACES = ("best", "medium", "worst")


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
        return f"each of {a}, {b} and {c} is best, medium and worst for one of {', '.join(self.voters)}"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the voters rank the models as claimed."""
        ensure(len(set(self.models)) == len(self.models) == len(self.seen) == 3, "three models are needed")
        own = ranks_of_part(profile, self.models, self.voters)
        for place, (model, row) in enumerate(zip(self.models, self.seen, strict=True)):
            ensure(len(row) == 3, f"three voters are needed for {model!r}")
            for value, voter in zip(PLACES, row, strict=True):
                ranks = own[self.voters.index(voter)].tolist()
                puts = fills(ranks, place)[value]
                ensure(puts, f"voter {voter!r} does not put {model!r} {value} of the three")


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

    @property
    def restrictions(self) -> tuple[str, ...]:
        """Which of ``"best"``, ``"medium"``, ``"worst"`` suits every triple: one of the three models never has it.

        Single-peaked profiles are worst-restricted, single-caved ones best-restricted, group-separable ones
        medium-restricted.
        """
        never = ~every_triple(self.profile.ranks, places_seen)[1]
        # The mask picks the same place of all three models.
        return tuple(
            place for bit, place in enumerate(PLACES) if all(bool(one & (0b001001001 << bit)) for one in set(never))
        )

    by_triples: ClassVar[bool] = True
    theorem: ClassVar[str] = "Sen 1966"
    theorem_with_ties: ClassVar[tuple[str, str]] = "transitive", "Sen 1966; Sen and Pattanaik 1969"

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
            ensure(_all_seen(self.profile.ranks) is None, "three models are each seen best, medium and worst")


def value_restricted(source: ProfileLike) -> ValueRestricted:
    """Test whether of any three models one is never best, never medium or never worst of the three.

    Parameters
    ----------
    source : Profile or Leaderboard
        Rankings of all models by every voter, ties allowed. Voters of weight 0 are left out and named.

    Returns
    -------
    ValueRestricted
        True when it holds; else with three models and their voters.

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
    profile, given = profile_fields(source, "value restriction", ties=True)
    models = _all_seen(profile.ranks)
    witness = None if models is None else _every_place(profile, models)
    result = ValueRestricted(**given, holds=witness is None, witness=witness)
    return result.checked() if witness is not None else result


def _all_seen(ranks: AnyArray) -> AnyArray | None:
    """Return the first triple of models each of which is seen best, medium and worst, if there is one."""
    full = (models[seen == ALL_SEEN] for models, seen in parts_of_triples(ranks, places_seen))
    return next((models[0] for models in full if len(models)), None)


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


# Every three models at once: which of them are seen best, in the middle and worst, and how voters rank them.

PART = 10**6
"""Number of ranks compared at a time."""
ALL_SEEN = (1 << 9) - 1
"""All nine places of a triple: bit ``3 * model + place`` for each of its models and best, middle, worst."""


def every_triple(ranks: AnyArray, ask: Callable[[AnyArray, AnyArray, AnyArray], AnyArray]) -> tuple[AnyArray, AnyArray]:
    """Return all triples of models i < j < k, by position, one row each, and the condition on the ranks of each."""
    parts = list(parts_of_triples(ranks, ask))
    models = np.concatenate([np.empty((0, 3), dtype=np.intp), *(models for models, _ in parts)])
    return models, np.concatenate([np.empty(0, dtype=np.uint16), *(values for _, values in parts)])


def ways_of(first: AnyArray, second: AnyArray, third: AnyArray) -> AnyArray:
    """Return from the ranks of the models of some triples which ways of ranking each occur, as bits of 27.

    The way of ranking i, j, k has the number ``9 * (s_ij + 1) + 3 * (s_jk + 1) + (s_ki + 1)`` with the signs of the
    three duels around the cycle: s_ij is 1 if i is above j, -1 if below, 0 if tied.
    """
    # Three signs of three values each make a number below 27, and the set of those that occur the bits of 32.
    signs = (np.sign(second - first), np.sign(third - second), np.sign(first - third))
    number = (9 * (signs[0] + 1) + 3 * (signs[1] + 1) + signs[2] + 1).astype(np.uint8)
    return np.asarray(np.bitwise_or.reduce(np.left_shift(np.uint32(1), number, dtype=np.uint32), axis=0))


def parts_of_triples(
    ranks: AnyArray, ask: Callable[[AnyArray, AnyArray, AnyArray], AnyArray]
) -> Iterator[tuple[AnyArray, AnyArray]]:
    """Yield all triples in batches with one first model, with the condition on the ranks of i, j and k."""
    size = max(1, PART // max(1, len(ranks)))
    ranks = ranks.astype(np.min_scalar_type(-1 - ranks.max(initial=0)))  # the smaller, the faster they are compared
    for first, *pairs in triples_by_first(ranks.shape[1]):
        for start in range(0, len(pairs[0]), size):
            second, third = (one[start : start + size] for one in pairs)
            models = np.column_stack([np.full(len(second), first), second, third])
            yield models, ask(ranks[:, first, None], ranks[:, second], ranks[:, third])


def triples_by_first(count: int) -> Iterator[tuple[int, AnyArray, AnyArray]]:
    """Yield each i below a number with the j and the k of all i < j < k."""
    second, third = np.triu_indices(count, k=1)
    for first in range(count - 2):
        start = np.searchsorted(second, first + 1)  # the pairs of later models come after those of earlier ones
        yield first, second[start:], third[start:]


def threes(count: int) -> AnyArray:
    """Return all i < j < k below a number, one row each."""
    blocks = [np.column_stack([np.full(len(one), i), one, other]) for i, one, other in triples_by_first(count)]
    return np.concatenate([np.empty((0, 3), dtype=np.intp), *blocks])


def places_seen(first: AnyArray, second: AnyArray, third: AnyArray) -> AnyArray:
    """Return from the ranks of the models of some triples which of their nine places some voter fills, as bits.

    A voter is concerned with a triple unless it ties all three; a model is best for a voter who puts no other of them
    above it, worst if none below it, in the middle if it is between two others or ties one of them.

    References
    ----------
    Sen, "A possibility theorem on majority decisions", Econometrica 34 (1966), for weak orders.
    """
    lowest = np.minimum(np.minimum(first, second), third)
    highest = np.maximum(np.maximum(first, second), third)
    # A voter who ties all three says nothing about them (Sen's "concerned" individuals).
    concerned = lowest < highest
    seen = np.zeros(second.shape[1], dtype=np.uint16)
    for model, (own, one, other) in enumerate(((first, second, third), (second, first, third), (third, first, second))):
        between = (np.minimum(one, other) <= own) & (own <= np.maximum(one, other))
        for place, fills in enumerate((own == lowest, between, own == highest)):
            seen |= (fills & concerned).any(axis=0).astype(np.uint16) << np.uint16(3 * model + place)
    return seen
