"""The same questions over any grid of model sets, metric sets and ways to break ties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial as bound
from math import comb
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._result import Result, ensure
from weightlab._text import counted
from weightlab._validate import Faults, ensure_few_draws, ensure_jobs, named_subset, one_of
from weightlab.data import Profile, Suite, SuiteLike, as_tables
from weightlab.data.profile import TIE_BREAKS, TieBreak
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.studies.grid.cell import Cell, Facts, Shared, cell_facts, fingerprint, rank_tables
from weightlab.studies.grid.checkpoint import PartialFile, cell_key
from weightlab.studies.parallel import finished_parts
from weightlab.studies.structure.dataset import as_suite, ensure_same_datasets
from weightlab.studies.structure.properties import PROPERTIES
from weightlab.studies.structure.proportions import MAJORITY_FACTS

PAPER = ("single_peaked", "group_separable", "distance_restricted")
"""The structures of Beyond Arrow."""
CELL = ("model_set", "metric_set", "break_ties")


EVERY = "all"
"""What the set of all models or metrics is called, and no other."""


class Sweep(Result, kind="sweep", table_of=as_tables):
    """Facts of every dataset for every cell of a grid.

    Attributes
    ----------
    model_sets, metric_sets : dict from str to tuple of str
        The sets by name.
    breakings : tuple of {"alphabetical", "reverse", None}
        How ties were broken.
    properties : tuple of str
        The properties tested on each dataset's rankings.
    facts : tuple of dict from dataset to dict
        Cell by cell: model sets outermost, ways to break ties innermost.
    tables : dict from str to Profile
        The ranks of all models by all metrics, from which everything follows.
    """

    model_sets: Mapping[str, tuple[str, ...]]
    metric_sets: Mapping[str, tuple[str, ...]]
    breakings: tuple[TieBreak, ...]
    properties: tuple[str, ...]
    facts: tuple[Mapping[str, Facts], ...]
    tables: Mapping[str, Profile]

    @property
    def cells(self) -> list[tuple[tuple[str, str, str], Cell]]:
        """The names of each cell's sets and tie-break, and the cell, in the order of ``facts``."""
        return _grid(self.model_sets, self.metric_sets, self.breakings)

    def table(self) -> pd.DataFrame:
        """Return one row per cell and dataset: the question, how many models and metrics counted, and the facts.

        A dataset on which fewer than two of a cell's models have every score has 0 models, and no facts.
        """
        rows = [
            {**dict(zip(CELL, named, strict=True)), "dataset": dataset, **one}
            for (named, _), facts in zip(self.cells, self.facts, strict=True)
            for dataset, one in facts.items()
        ]
        return pd.DataFrame(rows, columns=[*CELL, "dataset", "models", "metrics", *self.properties, *MAJORITY_FACTS])

    def to_frame(self) -> pd.DataFrame:
        """Return one row per cell: on how many datasets each property holds, out of those where it could be tested."""
        rows = []
        for (named, _), facts in zip(self.cells, self.facts, strict=True):
            asked = [one for one in facts.values() if one["models"]]
            counts = {name: sum(bool(one[name]) for one in asked) for name in (*self.properties, *MAJORITY_FACTS)}
            rows.append({**dict(zip(CELL, named, strict=True)), "datasets": len(asked), **counts})
        return pd.DataFrame(rows, columns=[*CELL, "datasets", *self.properties, *MAJORITY_FACTS])

    def __str__(self) -> str:
        """Say how large the grid is, and how often the majority relation is acyclic."""
        asked = [one for facts in self.facts for one in facts.values() if one["models"]]
        acyclic = sum(bool(one["acyclic"]) for one in asked)
        return (
            f"{counted(len(self.facts), 'cell')} of {counted(len(self.tables), 'dataset')}: the majority relation is "
            f"acyclic in {acyclic} of {len(asked)} cases."
        )

    def verify(self, source: Suite | None = None) -> bool:
        """Work out every cell again from the ranks carried; given the suite, also check that they are its own.

        Parameters
        ----------
        source : Suite, optional
            The suite of the sweep.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first cell and dataset that is wrong.

        Notes
        -----
        Polynomial, without a solver; it takes as long as the sweep on one core.
        """
        cells = self.cells
        ensure(cells and self.tables, "a sweep needs a cell and a dataset")
        ensure(len(set(self.breakings)) == len(self.breakings), "a way to break ties is named twice")
        ensure(len(cells) == len(self.facts), f"the grid has {len(cells)} cells, the facts {len(self.facts)}")
        ensure(set(self.properties) <= set(PROPERTIES), "a property is unknown")
        ensure(len(set(self.properties)) == len(self.properties), "a property is named twice")
        known = {model for table in self.tables.values() for model in table.models}
        voting = {metric for table in self.tables.values() for metric in table.voters}
        for sets, there in ((self.model_sets, known), (self.metric_sets, voting)):
            for name, members in sets.items():
                ensure(members and set(members) <= there, f"the set {name!r} is empty or has a name that is not there")
                ensure(len(set(members)) == len(members), f"the set {name!r} has a name twice")
                ensure(name != EVERY or set(members) == there, f"the set {EVERY!r} lacks a name")
        weights = [weight for table in self.tables.values() for weight in table.weights]
        ensure(all(weight > 0 for weight in weights), "a metric has no weight")
        made: dict[Any, Shared] = {}
        for (named, cell), facts in zip(cells, self.facts, strict=True):
            own = cell_facts(self.tables, cell, self.properties, made)
            ensure(list(own) == list(facts), f"cell {', '.join(named)}: the datasets are others")
            for dataset, one in own.items():
                ensure(one == facts[dataset], f"cell {', '.join(named)}: on {dataset!r} the facts are {one}")
        if source is not None:
            ensure_same_datasets(self.tables, rank_tables(as_suite(source)))
        return True


def sweep(
    suite: SuiteLike,
    *,
    model_sets: SetsLike = None,
    metric_sets: SetsLike = None,
    break_ties: TieBreak | Sequence[TieBreak] = "alphabetical",
    properties: Sequence[str] = PAPER,
    n_jobs: int = 1,
    backend: str | None = None,
    partial: str | PathLike[str] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Sweep:
    """Ask whether every dataset is well behaved, for every cell of a grid.

    A cell is a set of models, a set of metrics and a way to break ties; on each dataset the models of the set count
    that have a score on every metric of the set which the dataset has.

    Parameters
    ----------
    suite : Suite
        Score tables, models x metrics, dataset by dataset.
    model_sets, metric_sets : mapping from name to set, or list of sets, optional
        By default one set of all. ``random_model_sets`` draws sets.
    break_ties : {"alphabetical", "reverse", None}, or several
        How ties are broken; None keeps them.
    properties : sequence of str
        What to ask, by default the three structures of Beyond Arrow; any of those that `audit` tests.
    n_jobs : int
        Processes; -1 for all cores. Anything but 1 needs joblib.
    backend : str, optional
        Any backend of joblib, such as ``"dask"``.
    partial : path, optional
        A file to which finished cells are written. If it exists, the cells in it are not recomputed (``verify``
        does so); a last line that was torn is cut off. It is refused if it has different scores or properties, or a
        cell lacks facts.
    progress : callable, optional
        Called with the number of cells that are newly done: first those of the file.

    Returns
    -------
    Sweep

    Raises
    ------
    InputError
        If names are unknown, sets empty, or joblib is needed and not installed.
    FileFormatError
        If the partial file is of something else or broken before its last line.

    Notes
    -----
    Facts are computed without witnesses: about 1.5 ms for a dataset of 7 models and 4 metrics. `audit` gives the
    witnesses of one cell.

    References
    ----------
    Gordienko et al., Beyond Arrow, section 6.

    Examples
    --------
    >>> import weightlab as wl
    >>> suite = wl.datasets.load("classifiers")
    >>> sets = wl.studies.random_model_sets(suite, size=4, count=5, rng=0)
    >>> found = wl.studies.sweep(suite, model_sets=sets, break_ties=["alphabetical", "reverse"])
    >>> found.table().shape[0] == 5 * 2 * 12
    True
    """
    suite = as_tables(suite)
    asked = tuple(dict.fromkeys(properties))
    for name in asked:
        if name not in PROPERTIES:
            raise UnknownNameError("property", name, tuple(PROPERTIES), holder="sweep")
    breakings = _breakings(break_ties)
    tables = rank_tables(suite)
    weights = suite.weights
    voting = tuple(metric for metric in suite.metrics if weights[metric])
    sets = named_sets(model_sets, suite.models, "model"), named_sets(metric_sets, voting, "metric")
    grid = [cell for _, cell in _grid(*sets, breakings)]
    header = {"scores": fingerprint(tables), "properties": list(asked)}
    opened = (
        nullcontext() if partial is None else PartialFile(partial, header, datasets=tuple(tables), properties=asked)
    )
    with opened as file:
        done = {} if file is None else dict(file.cells)
        todo = {key: cell for cell in grid if (key := cell_key(cell)) not in done}
        if progress is not None and len(todo) < len(grid):
            progress(len(grid) - len(todo))
        for cell, facts in finished_cells(tables, list(todo.values()), asked, n_jobs=n_jobs, backend=backend):
            if file is not None:
                file.add(cell, facts)
            done[cell_key(cell)] = facts
            if progress is not None:
                progress(1)
    return Sweep(
        model_sets=sets[0],
        metric_sets=sets[1],
        breakings=breakings,
        properties=asked,
        facts=tuple(done[cell_key(cell)] for cell in grid),
        tables=tables,
    )


def _breakings(given: TieBreak | Sequence[TieBreak]) -> tuple[TieBreak, ...]:
    listed = (given,) if given is None or isinstance(given, str) else tuple(dict.fromkeys(given))
    for how in listed:
        one_of("break_ties", how, TIE_BREAKS)
    if not listed:
        raise InputError("pass at least one way to break ties; got none")
    return listed


def _grid(
    model_sets: Mapping[str, tuple[str, ...]], metric_sets: Mapping[str, tuple[str, ...]], breakings: Sequence[TieBreak]
) -> list[tuple[tuple[str, str, str], Cell]]:
    return [
        ((one, other, "kept" if how is None else how), Cell(models=models, metrics=metrics, break_ties=how))
        for one, models in model_sets.items()
        for other, metrics in metric_sets.items()
        for how in breakings
    ]


# Side by side: what cells share (rankings of the same models) is made once where they are sent together.


LARGEST_BLOCK, DATASET_PARTS = 64, 8
"""Maximum number of cells in a block, and of parts into which its datasets are cut."""

Block: TypeAlias = Sequence[Cell]


def finished_cells(
    tables: Mapping[str, Profile],
    cells: Sequence[Cell],
    properties: Sequence[str],
    *,
    n_jobs: int = 1,
    backend: str | None = None,
) -> Iterator[tuple[Cell, dict[str, Facts]]]:
    """Yield each cell with its facts as soon as it is done, in any order.

    Parameters
    ----------
    tables : mapping from str to Profile
        The ranks behind the suite.
    cells : sequence of Cell
        The cells to examine.
    properties : sequence of str
        Which properties are tested.
    n_jobs, backend : int, str, optional
        How many processes, and which of joblib's backends runs them.

    Raises
    ------
    InputError
        If joblib is needed and not installed, or does not know the backend.
    """
    ensure_jobs(n_jobs)
    if n_jobs == 1 and backend is None:
        made: dict[Any, Shared] = {}
        yield from ((cell, cell_facts(tables, cell, properties, made)) for cell in cells)
        return
    # Cells share nothing across datasets, so that one set of models with many of metrics spreads by dataset.
    step = -(-len(tables) // DATASET_PARTS)
    datasets = [list(tables)[start : start + step] for start in range(0, len(tables), step)]
    blocks = blocks_of(cells)
    items = [(number, block, part) for number, block in enumerate(blocks) for part in datasets]
    waiting: list[dict[str, list[Facts]]] = [{} for _ in blocks]
    work = bound(_facts_of_block, tables, properties)
    for done in finished_parts(work, items, n_jobs=n_jobs, backend=backend, in_order=False):
        for number, facts in done:
            waiting[number] |= facts
            if len(whole := waiting[number]) == len(tables):
                waiting[number] = {}
                for place, cell in enumerate(blocks[number]):
                    yield cell, {dataset: whole[dataset][place] for dataset in tables}


def blocks_of(cells: Sequence[Cell]) -> list[Block]:
    """Return the cells in blocks that are worked out together: those of one set of models, or of several small ones."""
    groups: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells:
        groups.setdefault(cell.models, []).append(cell)
    blocks: list[list[Cell]] = [[]]
    for group in groups.values():
        if len(blocks[-1]) + len(group) <= LARGEST_BLOCK // 2:
            blocks[-1] += group
        else:
            blocks += [group[start : start + LARGEST_BLOCK] for start in range(0, len(group), LARGEST_BLOCK)]
    return [block for block in blocks if block]


def _facts_of_block(
    tables: Mapping[str, Profile], properties: Sequence[str], item: tuple[int, Block, Sequence[str]]
) -> tuple[int, dict[str, list[Facts]]]:
    """Return the number of a block, and the facts of all its cells on some datasets."""
    number, block, datasets = item
    made: dict[Any, Shared] = {}
    facts = [cell_facts({dataset: tables[dataset] for dataset in datasets}, cell, properties, made) for cell in block]
    return number, {dataset: [one[dataset] for one in facts] for dataset in datasets}


# Sets of models to ask about: named by the user, or drawn at random without repeats.


SetsLike: TypeAlias = Mapping[str, Iterable[str]] | Sequence[Iterable[str]] | None
"""Sets by name, or a list of sets; None is one set of everything."""


def random_model_sets(
    models: SuiteLike | Sequence[str], *, size: int, count: int, rng: int | np.random.Generator | None = None
) -> dict[str, tuple[str, ...]]:
    """Draw different sets of models, each equally likely.

    Parameters
    ----------
    models : Suite or sequence of str
        Whose models to draw from.
    size : int
        How many models a set has.
    count : int
        How many sets.
    rng : int or Generator, optional
        The seed; the same one gives the same sets.

    Returns
    -------
    dict from str to tuple of str
        ``"random 1"``, ``"random 2"``, ... with the models in their given order.

    Raises
    ------
    InputError
        If there are too few models, or too few different sets.

    Notes
    -----
    O(count x models). Where most of the sets are requested, they are drawn by number instead.

    Examples
    --------
    >>> from weightlab.studies import random_model_sets
    >>> random_model_sets(["a", "b", "c"], size=2, count=2, rng=0)
    {'random 1': ('b', 'c'), 'random 2': ('a', 'b')}
    """
    given: Suite | Sequence[str] = as_tables(models)
    known = given.models if isinstance(given, Suite) else tuple(dict.fromkeys(map(str, given)))
    if not 1 <= size <= len(known) or count < 0:
        raise InputError(f"sets of 1 to {len(known)} models can be drawn; got size {size} and count {count}")
    ensure_few_draws("count", int(count))
    total = comb(len(known), size)
    if count > total:
        there = "is 1 set" if total == 1 else f"are {total} different sets"
        raise InputError(f"of {len(known)} models there {there} of {size}; {count} were requested")
    generator = np.random.default_rng(rng)
    drawn: dict[tuple[int, ...], None] = {}
    if total <= 4 * count:
        drawn = dict.fromkeys(_numbered(int(one), len(known), size) for one in generator.permutation(total)[:count])
    while len(drawn) < count:
        drawn[tuple(sorted(int(one) for one in generator.permutation(len(known))[:size]))] = None
    return {f"random {place}": tuple(known[i] for i in one) for place, one in enumerate(drawn, start=1)}


def named_sets(given: SetsLike, known: Sequence[str], kind: str) -> dict[str, tuple[str, ...]]:
    """Return sets by name, each in the order of the suite; unnamed ones are called by their number.

    Raises
    ------
    InputError
        Listing all errors: unknown names, empty sets, no set at all, text in place of a set.
    """
    if given is None:
        return {EVERY: tuple(known)}
    faults = Faults()
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence):
        raise InputError(f"sets of {kind}s are a mapping from names to sets, or a list of sets; got {given!r}")
    pairs: list[tuple[Any, Any]] = (
        list(given.items()) if isinstance(given, Mapping) else list(enumerate(given, start=1))
    )
    found = {}
    for name, one in pairs:
        where = f"{kind} set {str(name)!r}"
        if isinstance(one, str):
            faults.add(f"{where}: a list of {kind}s is needed; got {one!r}")
            continue
        members = set(named_subset(one, known, kind, faults, holder="suite", where=where))
        if str(name) == EVERY and members < {*known}:
            faults.add(f"{where}: what is called {EVERY!r} must be all {kind}s")
        if not members and not faults:
            faults.add(f"{where} is empty")
        found[str(name)] = tuple(member for member in known if member in members)
    if not pairs:
        faults.add(f"at least one set of {kind}s is needed; got none")
    faults.raise_if_any()
    return found


def _numbered(number: int, count: int, size: int) -> tuple[int, ...]:
    """Return the set of this number among all sets of this many positions, in lexicographic order."""
    found: list[int] = []
    for place in range(count):
        if len(found) == size:
            break
        with_place = comb(count - place - 1, size - len(found) - 1)
        if number < with_place:
            found.append(place)
        else:
            number -= with_place
    return tuple(found)
