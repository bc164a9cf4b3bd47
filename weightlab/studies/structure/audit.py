"""Is this benchmark well behaved? The audit of a whole suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Generic, TypeVar, cast

import pandas as pd

from weightlab._result import Proof, Result, ensure
from weightlab._text import counted
from weightlab._validate import one_of
from weightlab.data import Profile, Suite, SuiteLike, as_tables
from weightlab.data.profile import TIE_BREAKS, TieBreak
from weightlab.exceptions import UnknownNameError, UnprovedError
from weightlab.studies.structure.across_datasets import AmongDatasets, among_datasets
from weightlab.studies.structure.dataset import DatasetAudit, Selection, as_suite, audit_dataset, boards_of, chosen
from weightlab.studies.structure.proportions import Count, counts_of
from weightlab.studies.structure.repair import Droppable, Repair, least_repair

# What was found dataset by dataset, by the dataset's name.

Found = TypeVar("Found")


class ByDataset(Generic[Found]):
    """Base of the results that hold something for each dataset of a suite."""

    datasets: Mapping[str, Found]

    def __getitem__(self, dataset: str) -> Found:
        """Return the findings on one dataset, or raise UnknownNameError."""
        if dataset not in self.datasets:
            raise UnknownNameError("dataset", dataset, tuple(self.datasets), holder="study")
        return self.datasets[dataset]


REPAIRS: tuple[tuple[str, Droppable], ...] = (
    ("acyclic", "datasets"),
    ("acyclic", "models"),
    ("condorcet_domain", "metrics"),
)
"""Repairs found by default: for metrics a domain, since a majority cycle may appear when one goes."""


def profiles_of(datasets: Mapping[str, DatasetAudit]) -> dict[str, Profile]:
    """Return the rankings of each dataset that were tested."""
    return {name: one.profile for name, one in datasets.items()}


class Audit(Result, ByDataset[DatasetAudit], kind="audit", table_of=as_tables):
    """Whether a suite is well behaved: dataset by dataset, and all datasets together.

    Attributes
    ----------
    models, metrics : tuple of str
        The subject; metrics of weight 0 are not among them.
    weightless : tuple of str
        Metrics of weight 0, which have no say.
    break_ties : {"alphabetical", "reverse", None}
        How ties were broken in the rankings that were tested.
    datasets : dict from str to DatasetAudit
        The datasets that could be audited.
    unaudited : dict from str to str
        The others, with the reason.
    counts : dict from str to Count
        On how many datasets each property holds, with Wilson's 95% interval.
    among : dict from str to AmongDatasets
        What the datasets' majority relations say together, under ``break_ties`` (the first) and, where a dataset has
        ties, under the other ways to break ties by name; ``"kept"`` stands for ties that are kept.
    repairs : tuple of Repair
        The least to drop: datasets, and models, so that the majority relation is acyclic; metrics, so that the rankings
        of each dataset are a Condorcet domain.
    unrepaired : dict from str to str
        What to drop where that was not found in time, and why.
    """

    models: tuple[str, ...]
    metrics: tuple[str, ...]
    weightless: tuple[str, ...]
    break_ties: TieBreak
    datasets: Mapping[str, DatasetAudit]
    unaudited: Mapping[str, str]
    counts: Mapping[str, Count]
    among: Mapping[str, AmongDatasets]
    repairs: tuple[
        Repair,
        ...,
    ] = field(default=())
    unrepaired: Mapping[str, str] = field(default_factory=dict)

    @property
    def together(self) -> AmongDatasets:
        """What the majority relations of the datasets say together, ties broken as asked."""
        return self.among[breaking_name(self.break_ties)]

    @property
    def complete(self) -> bool:
        """Whether nothing requested was dropped anywhere."""
        return not self.unaudited and all(one.complete for one in self.datasets.values())

    @property
    def tie_changes(self) -> dict[str, tuple[str, ...]]:
        """The datasets on which some property depends on how ties are broken, with these properties."""
        found = {name: one.ties.changes for name, one in self.datasets.items() if one.ties is not None}
        return {name: changes for name, changes in found.items() if changes}

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        repairs = {f"repair by leaving out {one.drop} ({one.goal})": one.proof for one in self.repairs}
        return {name: one.proof for name, one in self.datasets.items()} | repairs

    def __str__(self) -> str:
        """Say on how many datasets the majority makes sense, and which model is represented as best."""
        if len(self.datasets) == 1 and not self.unaudited:
            return str(next(iter(self.datasets.values())))
        count = self.counts["acyclic"]
        every = counted(count.asked, "dataset")
        sentence = f"The majority relation of the metrics is acyclic on {count.holds} of {every}"
        sharing = self.together.sharing
        if sharing is not None and sharing.order is not None:
            return f"{sentence}; the representative ranking begins with {' and '.join(sharing.order[0])}."
        return f"{sentence}; there is no representative ranking: {self.together.why_not}."

    def to_frame(self) -> pd.DataFrame:
        """Return one row per dataset: the audited part, a boolean per property, majority, tau, buffer and radius."""
        return pd.DataFrame(
            [one.facts() for one in self.datasets.values()], index=pd.Index(list(self.datasets), name="dataset")
        )

    def repair(self, goal: str, *, drop: Droppable = "models", time_limit: float | None = None) -> Repair:
        """Return the least to drop so that every dataset reaches a goal; see `Repair` for goals.

        Parameters
        ----------
        goal : str
            ``"acyclic"``, or a domain such as ``"single_peaked"``.
        drop : {"models", "metrics", "datasets"}
            What may be left out.
        time_limit : float, optional
            Seconds for the search.

        Raises
        ------
        InputError
            If there is no such goal.
        TimeLimitError
            If time ran out.
        """
        return least_repair(
            profiles_of(self.datasets), goal, drop=drop, models=self.models, metrics=self.metrics, time_limit=time_limit
        )

    def verify(self, source: Suite | None = None) -> bool:
        """Re-check every claim from the scores carried; given the suite, also that they are the suite's own.

        Parameters
        ----------
        source : Suite, optional
            The suite that was audited.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the dataset and the first thing that does not hold.
        """
        audits = list(self.datasets.values())
        ensure(audits, "no dataset was audited")
        for listed in (self.models, self.metrics, self.weightless):
            ensure(len(set(listed)) == len(listed), "a model or a metric is named twice")
        for name, one in self.datasets.items():
            ensure(one.dataset == name, f"{name!r} is the audit of {one.dataset!r}")
            ensure(one.break_ties == self.break_ties, f"{name!r}: ties were broken differently")
            named = {*one.board.models, *one.left_out}
            ensure(named == set(self.models), f"{name!r}: some models are neither kept nor left out")
            metrics = {*one.board.tasks, *one.lacking}
            ensure(metrics == set(self.metrics), f"{name!r}: some metrics are neither present nor lacking")
            one.verify()
        ensure(not set(self.unaudited) & set(self.datasets), "a dataset is both audited and not")
        ensure(not set(self.weightless) & set(self.metrics), "a metric both has a weight and has none")
        ensure(dict(self.counts) == counts_of(audits), "the counts are others")
        self._check_together(audits)
        self._check_repairs()
        if source is not None:
            self._check_source(as_suite(source))
        return True

    def _check_together(self, audits: Sequence[DatasetAudit]) -> None:
        ensure(list(self.among) == breaking_names(audits, self.break_ties), "the ways to break ties differ")
        for how, one in self.among.items():
            ensure(breaking_name(one.break_ties) == how, f"under {how!r} ties are broken differently")
            one.check(audits)

    def _check_repairs(self) -> None:
        profiles = profiles_of(self.datasets)
        asked = [(one.goal, one.drop) for one in self.repairs]
        ensure(asked == [one for one in REPAIRS if one in asked], "repairs are duplicated or out of order")
        known = {f"{goal}, {drop}" for goal, drop in asked} | set(self.unrepaired)
        wanted = {f"{goal}, {drop}" for goal, drop in REPAIRS}
        ensure(not known or known == wanted, f"repairs are of {', '.join(sorted(known))}, not the expected ones")
        for one in self.repairs:
            ensure((one.models, one.metrics) == (self.models, self.metrics), "a repair has different models or metrics")
            one.verify(profiles)

    def _check_source(self, suite: Suite) -> None:
        ensure(set(self.models) | set(suite.models) == set(suite.models), "the source lacks a model that was audited")
        known = {*self.metrics, *self.weightless}
        ensure(known <= set(suite.metrics), "the source lacks a metric that was audited")
        asked = chosen(suite, self.models, [*self.metrics, *self.weightless])
        ensure(set(asked.weightless) == set(self.weightless), "other metrics of the source have weight 0")
        found = boards_of(suite, asked)
        ensure({*self.datasets, *self.unaudited} == set(found), "the source has different datasets")
        for dataset, one in found.items():
            if one.board is None:
                ensure(self.unaudited.get(dataset) == one.reason, f"{dataset!r} cannot be audited: {one.reason}")
            else:
                ensure(dataset in self.datasets, f"{dataset!r} can be audited")
                self.datasets[dataset].check_source(suite, asked)


def audit(
    suite: SuiteLike,
    *,
    models: Iterable[str] | None = None,
    metrics: Iterable[str] | None = None,
    break_ties: TieBreak = "alphabetical",
    repair: bool = True,
    time_limit: float | None = None,
    progress: Callable[[str], object] | None = None,
) -> Audit:
    """Ask of every dataset of a suite, and of all together, whether they are well behaved.

    Metrics are the voters. On each dataset the models count that have a score on every metric which the dataset has;
    what is left out is named with the reason.

    Parameters
    ----------
    suite : Suite
        Score tables, models x metrics, dataset by dataset. Weights of metrics count in majorities; metrics of weight
        0 are left out and named.
    models, metrics : iterable of str, optional
        What to ask about; all by default.
    break_ties : {"alphabetical", "reverse", None}
        How scores that tie are ordered in the rankings that are tested, as in the paper; None keeps the ties, and
        properties of strict rankings alone are then not tested where ties occur.
    repair : bool
        Whether to look for the least to drop, too.
    time_limit : float, optional
        Seconds for each search that is NP-hard: what is not found by then is reported as undecided, not guessed.
    progress : callable, optional
        Called with a dataset's name when it is done.

    Returns
    -------
    Audit

    Raises
    ------
    InputError
        If names are unknown, no dataset has two models with every score, or metrics have a score tolerance (ties
        within one are not transitive).

    Notes
    -----
    Tests, majorities and what holds however ties are broken are polynomial. What holds for *some* way to break ties and
    the least to drop are integer programs in general.

    References
    ----------
    Gordienko et al., Beyond Arrow, sections 4.3, 5 and 6.

    Examples
    --------
    >>> import weightlab as wl
    >>> table = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 2, "b": 3, "c": 1}}
    >>> found = wl.studies.audit(wl.Suite({"qa": table, "code": table}))
    >>> print(found.counts["single_peaked"])
    2 of 2 (of a random sample: 95% interval 34% to 100%)
    >>> print(found)
    The majority relation of the metrics is acyclic on 2 of 2 datasets; the representative ranking begins with a and b.
    """
    suite = as_tables(suite)
    one_of("break_ties", break_ties, TIE_BREAKS)
    asked = chosen(suite, models, metrics)
    found = boards_of(suite, asked)
    audits: dict[str, DatasetAudit] = {}
    for dataset, one in found.items():
        if one.board is not None:
            audits[dataset] = audit_dataset(dataset, one, break_ties=break_ties, time_limit=time_limit)
        if progress is not None:
            progress(dataset)
    repairs, unrepaired = _repairs(audits, asked, time_limit) if repair else ([], {})
    listed = list(audits.values())
    return Audit(
        models=asked.models,
        metrics=asked.metrics,
        weightless=asked.weightless,
        break_ties=break_ties,
        datasets=audits,
        unaudited={dataset: one.reason for dataset, one in found.items() if one.board is None},
        counts=counts_of(listed),
        among={how: among_datasets(listed, breaking_of(how)) for how in breaking_names(listed, break_ties)},
        repairs=tuple(repairs),
        unrepaired=unrepaired,
    )


def breaking_name(how: TieBreak) -> str:
    """Return the name of a tie-breaking."""
    return "kept" if how is None else how


def breaking_of(name: str) -> TieBreak:
    """Return the way to break ties with this name."""
    return None if name == "kept" else cast("TieBreak", name)


def breaking_names(audits: Sequence[DatasetAudit], asked: TieBreak) -> list[str]:
    """Return the ways to break ties in use: the requested one, and all others if any dataset has ties."""
    others = ["alphabetical", "reverse", "kept"] if any(one.ties is not None for one in audits) else []
    return list(dict.fromkeys([breaking_name(asked), *others]))


def _repairs(
    audits: Mapping[str, DatasetAudit], asked: Selection, time_limit: float | None
) -> tuple[list[Repair], dict[str, str]]:
    ask = partial(least_repair, profiles_of(audits), models=asked.models, metrics=asked.metrics, time_limit=time_limit)
    found: list[Repair] = []
    undone: dict[str, str] = {}
    for goal, drop in REPAIRS:
        try:
            found.append(ask(goal, drop=drop))
        except UnprovedError as error:
            undone[f"{goal}, {drop}"] = error.message.replace("fewest voters", f"fewest {drop}")
    return found, undone
