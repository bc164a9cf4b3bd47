"""One cell of a sweep: the light facts of every dataset for one set of models, of metrics, and one breaking of ties."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Frozen
from weightlab.data import Profile, Suite
from weightlab.data.margins import majority_relation
from weightlab.data.profile import TieBreak, dense_ranks
from weightlab.domains.result import is_acyclic, is_transitive
from weightlab.exceptions import InputError
from weightlab.studies.structure.dataset import tolerance_fault
from weightlab.studies.structure.properties import holds
from weightlab.studies.structure.proportions import MAJORITY_FACTS

Facts: TypeAlias = dict[str, bool | int | str | None]
"""The facts of one dataset: ``models`` and ``metrics`` (how many), a boolean a property, and the majority's."""


class Cell(Frozen, eq=True):
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


# The ranks behind a suite, small enough to travel to other processes: all that a cell of a sweep reads.


def part_of_table(
    table: Profile, models: Sequence[str], metrics: Sequence[str], break_ties: TieBreak
) -> Profile | None:
    """Return the rankings of the models that have a score on all the metrics; None of fewer than two models.

    Metrics that rank none of the models are left out.
    """
    place = {model: column for column, model in enumerate(table.models)}
    columns = [place[model] for model in models if model in place]
    row = {metric: position for position, metric in enumerate(table.voters)}
    rows = [row[metric] for metric in metrics if metric in row]
    part = table.ranks[np.ix_(rows, columns)]
    there: BoolArray = np.asarray((part > 0).any(axis=1))
    part = part[there]
    whole: BoolArray = np.asarray((part > 0).all(axis=0))
    if whole.sum() < 2 or not len(part):
        return None
    part = part[:, whole]
    used = [position for position, kept in zip(rows, there, strict=True) if kept]
    kept = [table.models[column] for column, has in zip(columns, whole, strict=True) if has]
    levels = [np.unique(line, return_inverse=True)[1].reshape(-1) + 1 for line in part]
    return Profile(
        models=tuple(kept),
        voters=tuple(table.voters[position] for position in used),
        ranks=np.array(levels, dtype=np.int32),
        weights=tuple(table.weights[position] for position in used),
    ).break_ties(break_ties)


def rank_tables(suite: Suite) -> dict[str, Profile]:
    """Return how the metrics of every dataset rank the models, without those of weight 0.

    Models without a score are not ranked.

    Raises
    ------
    InputError
        If scores of a metric tie within a tolerance, which is not transitive.
    """
    tolerant = tolerance_fault(suite, suite.metrics)
    if tolerant:
        raise InputError(tolerant)
    weights, lower = suite.weights, set(suite.lower_is_better)
    found = {}
    for dataset in suite.datasets:
        table = suite.table(dataset)
        directions = np.array([metric in lower for metric in table.columns], dtype=np.bool_)
        levels = table.cells.levels(lower_is_better=directions)
        kept = [column for column, metric in enumerate(table.columns) if weights[metric]]
        found[dataset] = Profile(
            models=table.models,
            voters=tuple(table.columns[column] for column in kept),
            ranks=dense_ranks(levels[:, kept].T),
            weights=tuple(weights[table.columns[column]] for column in kept),
        )
    return found


def fingerprint(tables: Mapping[str, Profile]) -> str:
    """Return a text that differs when any name, rank or weight does."""
    written = json.dumps({dataset: one.to_dict() for dataset, one in tables.items()}, sort_keys=True)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
