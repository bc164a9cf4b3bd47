"""The audit of one dataset: which structures its rankings have, and what their majority says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from weightlab._result import Frozen, Proof, Record, Result, ensure, ensure_same_names, told_of
from weightlab._text import counted, first_few, shown
from weightlab._validate import Faults, named_subset
from weightlab.data import Leaderboard, Profile, Suite
from weightlab.data.frame.named_tables import Table
from weightlab.data.margins import majority_relation
from weightlab.data.profile import TIE_BREAKS, TieBreak
from weightlab.data.suite import ALL_TASKS
from weightlab.domains import Necessarily, Possibly, necessarily, possibly
from weightlab.domains.registry import domain_words
from weightlab.domains.result import Claim
from weightlab.exceptions import InputError, ProofError, UnprovedError
from weightlab.graph import CycleRobustness, most_robust_cycle
from weightlab.studies.structure.majority import Majority, MetricAgreement, majority_of, metric_agreement
from weightlab.studies.structure.properties import PROPERTIES, check_claim, check_claims, claims_of


class DatasetAudit(Result, kind="dataset_audit"):
    """Whether one dataset's rankings are well behaved, with a witness for every answer.

    Attributes
    ----------
    dataset : str
        Its name.
    board : Leaderboard
        The exact scores of the models that have one on every metric.
    left_out : dict from str to tuple of str
        The models that were left out, with the metrics on which they have no score.
    lacking : tuple of str
        The metrics that have no score on this dataset.
    break_ties : {"alphabetical", "reverse", None}
        How ties were broken in the rankings that were tested.
    claims : dict from str to Claim
        Each property with its witness; those of strict rankings alone are not asked where ties are kept.
    majority : Majority
        What the majority of these rankings says.
    agreement : MetricAgreement
        How far the metrics agree, ties as they are.
    robust_cycle : CycleRobustness or None
        A majority cycle of the scores as they stand, ties being ties, of largest buffer; with its radius. None where
        there is no cycle.
    ties : TieBreaking or None
        What changes if ties are broken differently; None where no metric ties any two models.
    """

    dataset: str
    board: Leaderboard
    left_out: Mapping[str, tuple[str, ...]]
    lacking: tuple[str, ...]
    break_ties: TieBreak
    claims: Mapping[str, Claim]
    majority: Majority
    agreement: MetricAgreement
    robust_cycle: CycleRobustness | None
    ties: TieBreaking | None

    @cached_property
    def profile(self) -> Profile:
        """The rankings that were tested."""
        return self.board.rankings(self.break_ties)

    @property
    def complete(self) -> bool:
        """Whether no requested model or metric was dropped."""
        return not self.left_out and not self.lacking

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        ties = {} if self.ties is None else {f"{name} if ties are broken": one for name, one in self.ties.some.items()}
        return {str(name): one.proof for name, one in [*self.claims.items(), *ties.items()]}

    @property
    def size(self) -> str:
        """Models and what ranks them, in words: the metrics of a dataset, the tasks of a score table."""
        noun = "task" if self.dataset == ALL_TASKS else "metric"
        return f"{counted(len(self.board.models), 'model')} x {counted(len(self.board.tasks), noun)}"

    def relation(self, *, strict: bool = False) -> pd.DataFrame:
        """Return the majority relation of the tested rankings: beats, or at least ties; the diagonal is True."""
        relation = majority_relation(self.profile.margins().array, strict=strict)
        return pd.DataFrame(relation, index=list(self.board.models), columns=list(self.board.models))

    def __str__(self) -> str:
        """Say what holds, and whether the majority makes sense."""
        held = [domain_words(name) for name, claim in self.claims.items() if claim]
        structure = f"the rankings are {', '.join(held)}" if held else "the rankings have none of the structures"
        if self.majority.condorcet_winner is not None:
            majority = f"{self.majority.condorcet_winner} beats all others"
        else:
            # Ties that are broken can take head-to-heads from a model that wins all of them as the scores stand.
            so = "" if self.ties is None or self.break_ties is None else "with ties broken so, "
            majority = f"{so}no model beats all others"
        if self.majority.cycle is not None:
            around = " > ".join([*self.majority.cycle, self.majority.cycle[0]])
            majority += f", and the majority relation has a cycle: {around}"
        # The rankings that were tested are not the scores as they stand: models and ties of those may be gone.
        gone = f", without {first_few(map(shown, self.left_out))}" if self.left_out else ""
        broken = "" if self.ties is None or self.break_ties is None else f", ties broken in {self.break_ties} order"
        return f"{self.dataset} ({self.size}{gone}{broken}): {structure}; {majority}."

    def facts(self) -> dict[str, Any]:
        """Return one row of the audit's table: counts, a boolean a property, majority facts, taus, buffer, radius."""
        cycle, winner = self.robust_cycle, self.majority.condorcet_winner
        return {
            "complete": self.complete,
            "models": len(self.board.models),
            "metrics": len(self.board.tasks),
            **{name: self.claims[name].holds if name in self.claims else None for name in PROPERTIES},
            "transitive": self.majority.transitive,
            "weakly_transitive": self.majority.weakly_transitive,
            "acyclic": self.majority.acyclic,
            "condorcet_winner": winner,
            "cycle": None if self.majority.cycle is None else " > ".join(self.majority.cycle),
            "three_cycles": self.majority.three_cycles,
            "robust_cycle": None if cycle is None else " > ".join(cycle.cycle),
            "buffer": None if cycle is None else float(cycle.buffer),
            "radius": None if cycle is None else float(cycle.radius),
            "mean_tau": self.agreement.mean,
            "least_tau": self.agreement.least,
            "ties_matter": self.ties is not None and bool(self.ties.changes or self.ties.open_duels),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return each property with its answer, and its witness in words."""
        rows = {name: (claim.holds, str(claim)) for name, claim in self.claims.items()}
        return pd.DataFrame(list(rows.values()), index=list(rows), columns=["holds", "witness"])

    def verify(self, source: Suite | Leaderboard | None = None) -> bool:
        """Re-check every claim from the scores carried; given the suite, also that they are the suite's own.

        Parameters
        ----------
        source : Suite or Leaderboard, optional
            The suite, or the leaderboard of this dataset; models and metrics of it may be more than are carried, and
            of the models carried all scores must be the same.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure(not self.board.missing_cells, f"{self.dataset!r}: a score is missing")
        ensure(not set(self.left_out) & set(self.board.models), f"{self.dataset!r}: a model left out is not left out")
        ensure(not set(self.lacking) & set(self.board.tasks), f"{self.dataset!r}: a metric that is lacking is there")
        for listed in (self.lacking, *self.left_out.values()):
            ensure(len(set(listed)) == len(listed), f"{self.dataset!r}: a metric is named twice")
        with told_of(repr(self.dataset)):
            self._check()
        if isinstance(source, Leaderboard):
            ensure(set(self.board.models) <= set(source.models), f"{self.dataset!r}: the source lacks a model")
            ensure(set(self.board.tasks) <= set(source.tasks), f"{self.dataset!r}: the source lacks a metric")
            self._compare_scores(source.select(models=self.board.models, tasks=self.board.tasks))
        elif source is not None:
            self.check_source(as_suite(source), None)
        return True

    def _check(self) -> None:
        ensure(self.break_ties in TIE_BREAKS, f"ties are not broken {self.break_ties!r}")
        check_claims(self.claims, self.profile)
        ensure(self.majority == majority_of(self.profile), "the majority is another")
        kept = self.board.rankings()
        self.agreement.check(kept)
        best = most_robust_cycle(self.board, by="buffer")
        ensure((best is None) == (self.robust_cycle is None), f"a cycle of the scores: {best}")
        if self.robust_cycle is not None and best is not None:
            self.robust_cycle.verify(self.board)
            ensure(set(self.robust_cycle.table.units) == {1}, "the gaps of the cycle are not in raw scores")
            ensure(self.robust_cycle.buffer == best.buffer, f"a cycle has a larger buffer: {best.buffer}")
        ensure(kept.is_strict == (self.ties is None), "the effect of ties must be given exactly where ties occur")
        if self.ties is not None:
            self.ties.check(kept)

    def check_source(self, suite: Suite, asked: Selection | None) -> None:
        """Raise ProofError unless the suite has these scores, and lacks the scores reported as missing."""
        if asked is None:
            everything = {*self.board.models, *self.left_out}
            metrics = {*self.board.tasks, *self.lacking}
            models = tuple(model for model in suite.models if model in everything)
            ensure(set(models) == everything, "the source lacks a model of the result")
            ensure(metrics <= set(suite.metrics), "the source lacks a metric of the result")
            asked = chosen(suite, models, [metric for metric in suite.metrics if metric in metrics])
        ensure(self.dataset in suite.datasets, f"the source has no dataset {self.dataset!r}")
        own = dataset_board(suite, self.dataset, asked)
        self._compare(own)

    def _compare_scores(self, given: Leaderboard) -> None:
        """Raise ProofError unless the scores are the same; an audit asks about neither groups nor tolerances."""
        with told_of(repr(self.dataset)):
            self.board.ensure_same(given, groups=False, tolerances=False, in_order=True)

    def _compare(self, own: DatasetBoard) -> None:
        if own.board is None:
            raise ProofError(f"{self.dataset!r} cannot be audited: {own.reason}")
        ensure(set(own.board.models) == set(self.board.models), f"{self.dataset!r}: other models are complete")
        ensure(set(own.board.tasks) == set(self.board.tasks), f"{self.dataset!r}: the source has different metrics")
        self._compare_scores(own.board.select(models=self.board.models))
        same = {model: set(gaps) for model, gaps in self.left_out.items()}
        ensure(same == {model: set(gaps) for model, gaps in own.left_out.items()}, "other models are left out")
        ensure(set(self.lacking) == set(own.lacking), f"{self.dataset!r}: other metrics have no score")


def audit_dataset(
    dataset: str, found: DatasetBoard, *, break_ties: TieBreak, time_limit: float | None = None
) -> DatasetAudit:
    """Return the audit of one dataset that has two models with every score."""
    if found.board is None:
        raise InputError(f"dataset {dataset!r}: {found.reason}")
    profile = found.board.rankings(break_ties)
    ties = tie_breaking(found.board, time_limit=time_limit)
    own = claims_of(profile) if ties is None or break_ties is None else ties.claims[break_ties]
    return DatasetAudit(
        dataset=dataset,
        board=found.board,
        left_out=found.left_out,
        lacking=found.lacking,
        break_ties=break_ties,
        claims=own,
        majority=majority_of(profile),
        agreement=metric_agreement(found.board.rankings()),
        robust_cycle=most_robust_cycle(found.board, by="buffer"),
        ties=ties,
    )


def common_models(audits: Iterable[DatasetAudit]) -> tuple[str, ...]:
    """Return the models that all datasets are audited on, in the order of the first."""
    boards = [one.board for one in audits]
    shared = set.intersection(*(set(board.models) for board in boards)) if boards else set()
    return tuple(model for model in boards[0].models if model in shared) if boards else ()


# From a suite to the table of each dataset that can be audited, and what had to be left out.


class Selection(Frozen, eq=True):
    """The models and metrics in question, in the given order.

    Attributes
    ----------
    models, metrics : tuple of str
        The names; metrics of weight 0 are not among them.
    weightless : tuple of str
        Metrics of weight 0, which have no say.
    """

    models: tuple[str, ...]
    metrics: tuple[str, ...]
    weightless: tuple[str, ...]


class DatasetBoard(Frozen):
    """One dataset as it can be audited.

    Attributes
    ----------
    board : Leaderboard or None
        The models with every score; None where there are not two.
    left_out : dict from str to tuple of str
        The requested models that were left out, with the metrics on which they have no score.
    lacking : tuple of str
        The requested metrics without any score here.
    reason : str
        Why there is no board; empty if there is one.
    """

    board: Leaderboard | None
    left_out: dict[str, tuple[str, ...]]
    lacking: tuple[str, ...]
    reason: str = ""


def as_suite(source: object) -> Suite:
    """Return a source that is a suite.

    Raises
    ------
    InputError
        If it is something else, such as the table of one dataset.
    """
    if not isinstance(source, Suite):
        raise InputError(f"the claim is about a suite: a long table is its source, not a {type(source).__name__}")
    return source


def chosen(suite: Suite, models: Iterable[str] | None, metrics: Iterable[str] | None) -> Selection:
    """Return the models and metrics in question, all by default.

    Raises
    ------
    InputError
        Listing all errors: unknown names, fewer than two models, no metric of a weight above 0, metrics whose scores
        tie within a tolerance (such ties are not transitive, hence no ranking).
    """
    faults = Faults()
    rows = suite.models if models is None else named_subset(models, suite.models, "model", faults, holder="suite")
    columns = (
        suite.metrics if metrics is None else named_subset(metrics, suite.metrics, "metric", faults, holder="suite")
    )
    weights = suite.weights
    kept = tuple(metric for metric in columns if weights[metric])
    if not faults and len(rows) < 2:
        one = f"one, {rows[0]!r}, on {counted(len(suite.datasets), 'dataset')}" if rows else "none"
        more = "; give a file or folder that holds the scores of other models too" if len(suite.models) == 1 else ""
        faults.add(f"two models are needed; got {one}{more}")
    if not faults and not kept:
        faults.add("a metric with a weight above 0 is needed; got none")
    tolerant = tolerance_fault(suite, kept)
    if tolerant:
        faults.add(tolerant)
    faults.raise_if_any()
    weightless = tuple(metric for metric in columns if not weights[metric])
    return Selection(models=tuple(rows), metrics=kept, weightless=weightless)


def tolerance_fault(suite: Suite, metrics: Iterable[str]) -> str:
    """Return why metrics cannot rank models, if some of them have a score tolerance; else nothing."""
    tolerant = [metric for metric in metrics if metric in suite.tolerance or metric in suite.relative_tolerance]
    if not tolerant:
        return ""
    return (
        f"rankings need transitive ties, and ties within a score tolerance are not transitive; "
        f"metrics with a tolerance: {', '.join(map(repr, tolerant))}"
    )


def dataset_board(suite: Suite, dataset: str, asked: Selection) -> DatasetBoard:
    """Return one dataset over the models that have a score on every metric that it has."""
    table = suite.table(dataset).select(models=asked.models, columns=asked.metrics)
    lacking = tuple(metric for metric in asked.metrics if metric not in table.columns)
    gaps = table.cells.missing
    left_out = {
        model: tuple(metric for metric, gap in zip(table.columns, row, strict=True) if gap)
        for model, row in zip(table.models, gaps, strict=True)
        if row.any()
    }
    absent = set(asked.models) - set(table.models)
    left_out |= {model: table.columns for model in asked.models if model in absent}
    left_out = {model: left_out[model] for model in asked.models if model in left_out}
    whole = [table.models[row] for row in np.flatnonzero(~gaps.any(axis=1))]
    if len(whole) < 2 or not table.columns:
        return DatasetBoard(board=None, left_out=left_out, lacking=lacking, reason=_reason(table, len(whole)))
    return DatasetBoard(board=board_of(suite, table.select(models=whole)), left_out=left_out, lacking=lacking)


def board_of(suite: Suite, table: Table) -> Leaderboard:
    """Return the leaderboard of a part of one dataset, with the directions and weights of its metrics."""
    lower = [metric for metric in suite.lower_is_better if metric in table.columns]
    told = suite.weights.to_dict()
    weights = {metric: told[metric] for metric in table.columns}
    return Leaderboard.from_cells(table.models, table.columns, table.cells, lower_is_better=lower, weights=weights)


def ensure_same_datasets(
    carried: Mapping[str, Leaderboard] | Mapping[str, Profile], given: Mapping[str, Leaderboard] | Mapping[str, Profile]
) -> None:
    """Raise ProofError, naming the dataset, unless a result carries for each dataset the data of its source."""
    ensure_same_names("datasets", list(carried), list(given))
    for dataset, one in carried.items():
        with told_of(repr(dataset)):
            one.ensure_same(given[dataset], in_order=True)


def boards_of(suite: Suite, asked: Selection) -> dict[str, DatasetBoard]:
    """Return all datasets of a suite, narrowed.

    Raises
    ------
    InputError
        If no dataset has two models with every score.
    """
    found = {dataset: dataset_board(suite, dataset, asked) for dataset in suite.datasets}
    if all(one.board is None for one in found.values()):
        faults = Faults()
        faults.add("no dataset has two models with every score")
        for dataset, one in found.items():
            faults.add(f"dataset {dataset!r}: {one.reason}")
        faults.raise_if_any()
    return found


def _reason(table: Table, whole: int) -> str:
    if not table.models:
        return "none of the models has a score on any of the metrics"
    has = counted(whole, "model") + (" has" if whole == 1 else " have")
    gaps = table.cells.missing.sum(axis=0)
    worst = int(gaps.argmax())
    most = f"; {table.columns[worst]!r} lacks {int(gaps[worst])} of {len(table.models)} scores" if gaps.any() else ""
    return f"only {has} every score, and two are needed{most}"


# What changes on one dataset when its ties break differently: reversed, in every way, in some way.


BREAKINGS: tuple[TieBreak, ...] = ("alphabetical", "reverse")
IMPLIED = {"one_euclidean": ("single_peaked", "single_crossing")}
"""What follows from a property: where that fails however ties are broken, so does the property."""
UNDECIDED = {"one_euclidean", "single_peaked_on_tree"}
"""Properties that cannot be tested here for all ways, or some way, to break ties at once."""
NOT_ASKED = "not decided here for all ways to break ties at once"
NOT_FOUND = "whether for some way to break ties: "
"""The text for these, and the beginning of the text where a search did not finish in time."""


class TieBreaking(Record):
    """What the properties and the majority of one dataset are when its ties are broken differently.

    Attributes
    ----------
    profile : Profile
        The rankings with their ties.
    claims : dict from way to break ties to dict from property to Claim
        Under ``"alphabetical"`` and ``"reverse"``.
    majorities : dict from way to break ties to Majority
        The majority under these.
    every : dict from property to Necessarily
        Whether it holds however the ties are broken.
    some : dict from property to Possibly
        Whether it holds for some way to break ties; only where it holds for neither of the two.
    undecided : dict from property to str
        What is not decided, and why.
    open_duels : tuple of (str, str)
        The duels whose majority depends on how ties are broken.
    """

    profile: Profile
    claims: Mapping[str, Mapping[str, Claim]]
    majorities: Mapping[str, Majority]
    every: Mapping[str, Necessarily]
    some: Mapping[str, Possibly]
    undecided: Mapping[str, str]
    open_duels: tuple[tuple[str, str], ...]

    def under_some(self, name: str) -> bool | None:
        """Return whether a property holds under some tie-breaking; None if undecided."""
        if any(claims[name].holds for claims in self.claims.values()):
            return True
        # Where an implication of the property fails however ties are broken, so does the property.
        if any(self.some[one].holds is False for one in IMPLIED.get(name, ()) if one in self.some):
            return False
        return self.some[name].holds if name in self.some else None

    def under_every(self, name: str) -> bool | None:
        """Return whether a property holds under every tie-breaking; None if undecided."""
        if not all(claims[name].holds for claims in self.claims.values()):
            return False
        return self.every[name].holds if name in self.every else None

    @property
    def changes(self) -> tuple[str, ...]:
        """The properties that depend on how ties are broken."""
        return tuple(name for name in PROPERTIES if self.under_some(name) and self.under_every(name) is False)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a property: alphabetical, reverse, every, some; None where not decided."""
        rows = [
            (*(self.claims[how][name].holds for how in self.claims), self.under_every(name), self.under_some(name))
            for name in PROPERTIES
        ]
        return pd.DataFrame(rows, index=list(PROPERTIES), columns=[*self.claims, "every", "some"], dtype=object)

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless all parts match these rankings, and each claim holds."""
        ensure(self.profile.to_dict() == profile.to_dict(), "the ties are those of other rankings")
        ensure(not profile.is_strict, "there are no ties to break")
        ensure(set(self.claims) == set(BREAKINGS) == set(self.majorities), "the two named tie-breaks are needed")
        for how in BREAKINGS:
            broken = profile.break_ties(how)
            check_claims(self.claims[str(how)], broken)
            ensure(self.majorities[str(how)] == majority_of(broken), f"the majority under {how!r} is another")
        together: list[tuple[str, Necessarily | Possibly]] = [*self.every.items(), *self.some.items()]
        for name, claim in together:
            ensure(claim.domain == name, f"the claim on {name!r} is about another domain")
            check_claim(claim, profile, name)
        self._check_undecided()
        ensure(self.open_duels == open_duels(profile), "different head-to-heads depend on the ties")

    def _check_undecided(self) -> None:
        """Raise ProofError unless exactly the undecided properties are listed as such."""
        ensure(set(self.every) == set(PROPERTIES) - UNDECIDED, "the properties under all tie-breaks differ")
        for name in PROPERTIES:
            why = self.undecided.get(name, "")
            if name in UNDECIDED:
                ensure(why == NOT_ASKED, f"{name!r} must be listed as not decided for all ways to break ties")
            else:
                decided = self.under_some(name) is not None
                ensure(decided == (not why), f"it is not given once whether {name!r} can hold for some tie-break")
                ensure(decided or why.startswith(NOT_FOUND), f"why {name!r} is not decided is not said")
        ensure(set(self.undecided) <= set(PROPERTIES), "an undecided name is not a property")


def tie_breaking(board: Leaderboard, *, time_limit: float | None = None) -> TieBreaking | None:
    """Return the sensitivity to tie-breaking, or None if no metric ties two models.

    Parameters
    ----------
    board : Leaderboard
        Complete.
    time_limit : float, optional
        Seconds for each integer program; what is not decided by then is reported as undecided.

    Notes
    -----
    What holds however ties are broken is polynomial; what holds for some way is, for properties other than
    single-peaked, single-caved, group-separable and distance-restricted, an integer program, which is solved only where
    the property fails under both ways by name.
    """
    profile = board.rankings()
    if profile.is_strict:
        return None
    claims = {str(how): claims_of(profile.break_ties(how)) for how in BREAKINGS}
    undecided = {name: NOT_ASKED for name in PROPERTIES if name in UNDECIDED}
    every = {name: necessarily(profile, name) for name in PROPERTIES if name not in UNDECIDED}
    some: dict[str, Possibly] = {}
    for name in every:
        if any(one[name].holds for one in claims.values()):
            continue
        try:
            some[name] = possibly(profile, name, time_limit=time_limit)
        except UnprovedError as error:
            undecided[name] = f"{NOT_FOUND}{error.message}"
    return TieBreaking(
        profile=profile,
        claims=claims,
        majorities={str(how): majority_of(profile.break_ties(how)) for how in BREAKINGS},
        every=every,
        some=some,
        undecided=undecided,
        open_duels=open_duels(profile),
    )


def open_duels(profile: Profile) -> tuple[tuple[str, str], ...]:
    """Return the head-to-heads whose strict majority depends on how ties are broken.

    Each voter breaks the tie of one pair either way, so the margin runs from all of them against to all of them for.
    """
    margins = profile.margins()
    lead, ties = margins.array, margins.ties
    # The margin takes its extremes when all ties go one way: equal signs there mean the same majority in between.
    always = np.sign(lead - ties) == np.sign(lead + ties)
    return tuple(
        (profile.models[i], profile.models[j]) for i, j in np.argwhere(np.triu(~always & (ties > 0), k=1)).tolist()
    )
