"""The majority relations of all datasets together: do they form a domain, and which of them represents the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeAlias, cast

import numpy as np

from weightlab._result import Frozen, Record, ensure
from weightlab._text import counted, first_few
from weightlab.data import Profile, Relations, TieBreak
from weightlab.data.frame.named_tables import first_appearances
from weightlab.data.margins import majority_relation
from weightlab.domains import CommonalitySharing, CondorcetDomain, commonality_sharing, condorcet_domain
from weightlab.domains.result import Claim, ranks_of_part
from weightlab.graph import intransitive_triple, shortest_cycle
from weightlab.studies.structure.dataset import DatasetAudit, common_models
from weightlab.studies.structure.properties import check_claim

NOTHING_COMMON = "fewer than two models have every score on all datasets"


class AmongDatasets(Record):
    """What the weak majority relations of the datasets say as voters, over the models that all datasets share.

    Attributes
    ----------
    break_ties : {"alphabetical", "reverse", None}
        How ties inside the metrics were broken.
    models : tuple of str
        The models audited on every dataset.
    profiles : dict from str to Profile
        The rankings of each dataset's metrics over these models.
    cyclic : dict from str to tuple of str
        The datasets whose strict majority relation has a cycle, with the cycle.
    unranked : dict from str to tuple of str
        The datasets whose weak majority is not a ranking of the models: x, y, z such that x beats or ties y, y beats or
        ties z, and z beats x.
    condorcet : CondorcetDomain or None
        Whether the majority relations that are rankings are a Condorcet domain: no weights of the datasets make a
        majority cycle. None without two of them or without models in common.
    sharing : CommonalitySharing or None
        The relations of greatest depth; None where a majority relation has a cycle, on which the rule is not
        defined, or where fewer than two models are common.
    """

    break_ties: TieBreak
    models: tuple[str, ...]
    profiles: Mapping[str, Profile]
    cyclic: Mapping[str, tuple[str, ...]]
    unranked: Mapping[str, tuple[str, ...]]
    condorcet: CondorcetDomain | None
    sharing: CommonalitySharing | None

    @cached_property
    def relations(self) -> Relations:
        """The weak majority relations, dataset by dataset."""
        return relations_of(self.models, self.profiles)

    @property
    def forms_condorcet_domain(self) -> bool | None:
        """Whether all majority relations are rankings, and together a Condorcet domain; None without common models."""
        if len(self.models) < 2:
            return None
        return not self.unranked and (self.condorcet is None or self.condorcet.holds)

    @property
    def _shared(self) -> str:
        return f"among the {len(self.models)} models in common"

    @property
    def why_no_domain(self) -> str:
        """Why the majority relations are no Condorcet domain; empty where they are one."""
        if len(self.models) < 2:
            return NOTHING_COMMON
        if self.unranked:
            count = counted(len(self.profiles), "dataset")
            few = first_few(self.unranked, 4)
            return f"the majority is not transitive {self._shared} on {len(self.unranked)} of {count}: {few}"
        return "" if self.condorcet is None or self.condorcet.holds else str(self.condorcet.witness)

    @property
    def why_not(self) -> str:
        """Why there is no representative ranking; empty if there is one."""
        if len(self.models) < 2:
            return NOTHING_COMMON
        if self.cyclic:
            count = counted(len(self.profiles), "dataset")
            few = first_few(self.cyclic, 4)
            return f"the majority relation has a cycle {self._shared} on {len(self.cyclic)} of {count}: {few}"
        if self.sharing is not None and self.sharing.order is None:
            told = str(self.sharing).rstrip(".")
            return told[0].lower() + told[1:]
        return ""

    def check(self, audits: Sequence[DatasetAudit]) -> None:
        """Raise ProofError unless all of it follows from the audits of the datasets."""
        own = among_datasets(audits, self.break_ties)
        ensure(self.models == own.models, f"the models that all datasets share are {own.models}, not {self.models}")
        ensure(set(self.profiles) == set(own.profiles), "the datasets are others")
        for dataset, profile in own.profiles.items():
            ensure(self.profiles[dataset].to_dict() == profile.to_dict(), f"the rankings on {dataset!r} are others")
        ensure(dict(self.cyclic) == dict(own.cyclic), "the datasets with a cycle, or their cycles, are others")
        ensure(dict(self.unranked) == dict(own.unranked), "the datasets whose majority is not transitive differ")
        ensure(
            (self.condorcet is None) == (own.condorcet is None),
            "the test of a Condorcet domain is missing, or not required",
        )
        if self.condorcet is not None and own.condorcet is not None:
            check_claim(self.condorcet, own.condorcet.profile, "condorcet_domain")
        ensure((self.sharing is None) == (own.sharing is None), "commonality sharing is defined or is not")
        if self.sharing is not None:
            data = self.sharing.data
            once = data.own and not data.left_out and set(data.weights) == {1}
            ensure(once, "each dataset counts once in commonality sharing")
            self.sharing.verify(own.relations)


def among_datasets(audits: Sequence[DatasetAudit], break_ties: TieBreak) -> AmongDatasets:
    """Return the summary of the majority relations of all audited datasets.

    References
    ----------
    Gordienko et al., Beyond Arrow, section 4.3: only where all majority relations are acyclic is commonality sharing
    defined.
    """
    models = common_models(audits)
    enough = len(models) >= 2
    profiles = profiles_among({one.dataset: one for one in audits}, models, break_ties)
    cyclic = {dataset: way for dataset, one in profiles.items() if (way := shortest_cycle(one)) is not None}
    unranked = {
        dataset: triple
        for dataset, one in profiles.items()
        if (triple := intransitive_triple(one, strict=False)) is not None
    }
    voters = _as_voters(models, profiles) if enough else None
    defined = enough and not cyclic
    return AmongDatasets(
        break_ties=break_ties,
        models=models,
        profiles=profiles,
        cyclic=cyclic,
        unranked=unranked,
        condorcet=None if voters is None or len(voters.voters) < 2 else condorcet_domain(voters),
        sharing=commonality_sharing(relations_of(models, profiles)) if defined else None,
    )


def relations_of(models: tuple[str, ...], profiles: Mapping[str, Profile]) -> Relations:
    """Return the weak majority relation of each profile."""
    array = [majority_relation(profile.margins().array, strict=False) for profile in profiles.values()]
    shape = (len(profiles), len(models), len(models))
    return Relations(items=tuple(profiles), models=models, array=np.array(array, dtype=np.bool_).reshape(shape))


def profiles_among(
    datasets: Mapping[str, DatasetAudit], models: tuple[str, ...], break_ties: TieBreak
) -> dict[str, Profile]:
    """Return the rankings of each audited dataset over these models."""
    if len(models) < 2:
        return {}
    return {one.dataset: one.board.rankings(break_ties).select(models=models) for one in datasets.values()}


def _as_voters(models: tuple[str, ...], profiles: Mapping[str, Profile]) -> Profile | None:
    """Return the majority relations that are rankings as a profile whose voters are the datasets; None of none.

    In a ranking, who is above beats more models, and who ties beats as many.
    """
    orders = {}
    for dataset, profile in profiles.items():
        if intransitive_triple(profile, strict=False) is None:
            beaten = (profile.margins().array > 0).sum(axis=1).tolist()
            levels = sorted(set(beaten), reverse=True)
            orders[dataset] = [[m for m, b in zip(models, beaten, strict=True) if b == level] for level in levels]
    return Profile.from_orders(orders.values(), models=models, voters=list(orders)) if orders else None


# All datasets as one profile, so that what is dropped is dropped on every dataset at once.
#
# To drop models, the voters of all datasets stand side by side: each ranks the models of its dataset. To drop metrics,
# each metric is one voter who ranks the models of one dataset after the other. Names carry the number of their dataset,
# so that a forbidden sub-profile found inside one dataset names what is to go on all.

Part: TypeAlias = Literal["models", "metrics"]
"""What may be dropped on all datasets at once."""


class DatasetCycle(Record, eq=True):
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
        """Raise ProofError unless the voters make the cycle."""
        ensure(len(set(self.models)) == len(self.models) >= 3, "a cycle has three models or more")
        ranks_of_part(profile, self.models, self.voters, gaps=True)
        margins = profile.select(models=self.models, voters=self.voters).margins()
        for one, other in zip(self.models, [*self.models[1:], self.models[0]], strict=True):
            ensure(margins.margin(one, other) > 0, f"{one!r} does not beat {other!r}")


class _Acyclic(Frozen, eq=True):
    """Whether majority relations are acyclic, in the shape of a claim about a domain."""

    holds: bool
    witness: DatasetCycle | None


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
    """Return whether the majority relation is acyclic, as something with ``holds`` and ``witness``."""
    cycle = shortest_cycle(profile)
    witness = None if cycle is None else DatasetCycle(models=cycle, voters=profile.voters)
    return cast("Claim", _Acyclic(holds=cycle is None, witness=witness))


def three_cycles(profile: Profile) -> list[int]:
    """Return the sets of three models, as bits, that beat one another in a cycle. O(models^3)."""
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
