"""One cell of a sweep: the light facts of every dataset for one set of models, of metrics, and one breaking of ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from weightlab._typing import AnyArray
from weightlab.data import Profile
from weightlab.data.profile import TieBreak
from weightlab.data.relations import majority_relation
from weightlab.domains.guarantee import is_acyclic, is_transitive
from weightlab.studies.light import holds
from weightlab.studies.rank_tables import part_of_table

__all__ = ["MAJORITY_FACTS", "Cell", "Facts", "cell_facts", "misfit"]

MAJORITY_FACTS = ("transitive", "weakly_transitive", "acyclic", "condorcet_winner")
"""What is said of the majority in every cell; the winner by name."""

Facts: TypeAlias = dict[str, bool | int | str | None]
"""The facts of one dataset: ``models`` and ``metrics`` (how many), a boolean a property, and the majority's."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What is asked about.

    Attributes
    ----------
    models, metrics : tuple of str
        In the order of the suite.
    break_ties : {"alphabetical", "reverse", None}
        How ties are broken.
    """

    models: tuple[str, ...]
    metrics: tuple[str, ...]
    break_ties: TieBreak


def cell_facts(tables: Mapping[str, Profile], cell: Cell, properties: Sequence[str]) -> dict[str, Facts]:
    """Return the facts of every dataset.

    A dataset on which fewer than two of the models have every score has ``models`` 0 and None for all else. So have
    properties of strict rankings where ties are kept.
    """
    found = {}
    for dataset, table in tables.items():
        profile = part_of_table(table, cell.models, cell.metrics, cell.break_ties)
        found[dataset] = _nothing(properties) if profile is None else _facts(profile, properties)
    return found


def misfit(facts: Mapping[str, Any], datasets: Sequence[str], properties: Sequence[str]) -> str:
    """Return what is wrong with facts that were read, or nothing: each dataset's, each of them, each of its type."""
    if list(facts) != list(datasets):
        return f"facts of the datasets {', '.join(datasets)} are needed"
    expected = _nothing(properties)
    for dataset, one in facts.items():
        if not isinstance(one, Mapping) or list(one) != list(expected):
            return f"{dataset!r}: facts are {', '.join(expected)}"
        for name, fact in one.items():
            counts, winner = type(fact) is int, fact is None or isinstance(fact, str)
            fits = {"models": counts, "metrics": counts, "condorcet_winner": winner}
            if not fits.get(name, fact is None or isinstance(fact, bool)):
                return f"{dataset!r}: {name} is {fact!r}"
    return ""


def _facts(profile: Profile, properties: Sequence[str]) -> Facts:
    lead = _lead(profile)
    strict = majority_relation(lead, strict=True)
    winners = np.flatnonzero((lead > 0).sum(axis=1) == len(lead) - 1)
    return {
        "models": len(profile.models),
        "metrics": len(profile.voters),
        **holds(profile, properties),
        "transitive": is_transitive(strict),
        "weakly_transitive": is_transitive(majority_relation(lead, strict=False)),
        "acyclic": is_acyclic(strict),
        "condorcet_winner": profile.models[int(winners[0])] if len(winners) else None,
    }


def _lead(profile: Profile) -> AnyArray:
    """Return the margins of all duels, up to a positive factor."""
    if len(set(profile.weights)) > 1:
        return profile.margins().array
    ranks = profile.ranks
    return np.asarray(np.sign(ranks[:, None, :] - ranks[:, :, None]).sum(axis=0))


def _nothing(properties: Sequence[str]) -> Facts:
    return {"models": 0, "metrics": 0, **dict.fromkeys((*properties, *MAJORITY_FACTS))}
