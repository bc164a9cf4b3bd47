"""One cell of a sweep: the light facts of every dataset for a set of models, of metrics, and a way to break ties."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
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
from weightlab.studies.structure.properties import Compared, holds
from weightlab.studies.structure.proportions import MAJORITY_FACTS

Facts: TypeAlias = dict[str, bool | int | str | None]
"""The facts of one dataset: ``models`` and ``metrics`` (how many), a boolean a property, and the majority's."""


class Cell(Frozen, eq=True):
    """The subject of the question.

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


class Shared(Frozen):
    """Rankings of some models by all metrics that rank them all, and what every set of these metrics has of them."""

    profile: Profile
    signs: AnyArray
    compared: Compared
    facts: dict[tuple[int, ...], Facts]


MOST_SHARED = 10_000_000
"""Bytes of rankings, roughly, that are held for further sets of metrics."""


def cell_facts(
    tables: Mapping[str, Profile], cell: Cell, properties: Sequence[str], made: dict[Any, Shared] | None = None
) -> dict[str, Facts]:
    """Return the facts of every dataset.

    A dataset on which fewer than two of the models have every score has ``models`` 0 and None for all else. So have
    properties of strict rankings where ties are kept.

    Parameters
    ----------
    tables, cell, properties
        The ranks behind the suite, and the question.
    made : dict, optional
        What former cells have in common with this one, which is added to it.
    """
    found = {}
    made = {} if made is None else made
    for dataset, table in tables.items():
        rows, columns = _counting(table, cell)
        if len(columns) < 2 or not rows:
            found[dataset] = _nothing(properties)
            continue
        shared = made.get(key := (dataset, cell.break_ties, tuple(columns)))
        if shared is None:
            if len(made) * (len(columns) ** 3 + 2_000) > MOST_SHARED:
                made.clear()
            made[key] = shared = _shared(table, columns, cell.break_ties)
        voters = [shared.profile.voters.index(table.voters[row]) for row in rows]
        # Metrics that a dataset lacks make no difference, so that many sets ask the same of it.
        if (asked := tuple(voters)) not in shared.facts:
            shared.facts[asked] = _facts(shared, voters, properties)
        found[dataset] = shared.facts[asked]
    return found


def _counting(table: Profile, cell: Cell) -> tuple[list[int], list[int]]:
    """Return the metrics of a cell that rank any of its models, and the models that all these rank."""
    place = {model: column for column, model in enumerate(table.models)}
    columns = [place[model] for model in cell.models if model in place]
    row = {metric: position for position, metric in enumerate(table.voters)}
    rows = [row[metric] for metric in cell.metrics if metric in row]
    part: BoolArray = np.asarray(table.ranks[np.ix_(rows, columns)] > 0)
    there = np.flatnonzero(part.any(axis=1))
    whole = np.flatnonzero(part[there].all(axis=0))
    return [rows[at] for at in there.tolist()], [columns[at] for at in whole.tolist()]


def _shared(table: Profile, columns: list[int], break_ties: TieBreak) -> Shared:
    part = table.ranks[:, columns]
    rows = np.flatnonzero((part > 0).all(axis=1)).tolist()
    levels = [np.unique(line, return_inverse=True)[1].reshape(-1) + 1 for line in part[rows]]
    profile = Profile(
        models=tuple(table.models[column] for column in columns),
        voters=tuple(table.voters[row] for row in rows),
        ranks=np.array(levels, dtype=np.int32),
        weights=tuple(table.weights[row] for row in rows),
    ).break_ties(break_ties)
    ranks = profile.ranks
    signs = np.sign(ranks[:, None, :] - ranks[:, :, None])
    return Shared(profile=profile, signs=signs, compared=Compared.of(ranks), facts={})


def misfit(facts: Mapping[str, Any], datasets: Sequence[str], properties: Sequence[str]) -> str:
    """Return the errors in the facts read, if any: dataset, presence and type are checked."""
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


def _facts(shared: Shared, voters: list[int], properties: Sequence[str]) -> Facts:
    @cache
    def profile() -> Profile:
        whole = shared.profile
        return Profile(
            models=whole.models,
            voters=tuple(whole.voters[voter] for voter in voters),
            ranks=whole.ranks[voters],
            weights=tuple(whole.weights[voter] for voter in voters),
        )

    # Margins up to a positive factor.
    even = len({shared.profile.weights[voter] for voter in voters}) == 1
    lead = shared.signs[voters].sum(axis=0) if even else profile().margins().array
    strict = majority_relation(lead, strict=True)
    winners = np.flatnonzero((lead > 0).sum(axis=1) == len(lead) - 1)
    return {
        "models": len(lead),
        "metrics": len(voters),
        **holds(shared.compared, voters, properties, profile),
        "transitive": is_transitive(strict),
        "weakly_transitive": is_transitive(majority_relation(lead, strict=False)),
        "acyclic": is_acyclic(strict),
        "condorcet_winner": shared.profile.models[int(winners[0])] if len(winners) else None,
    }


def _nothing(properties: Sequence[str]) -> Facts:
    return {"models": 0, "metrics": 0, **dict.fromkeys((*properties, *MAJORITY_FACTS))}


# The ranks behind a suite, small enough to send to other processes: all that a cell of a sweep reads.


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
