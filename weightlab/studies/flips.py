"""Whether a model that is added turns the order of two others round: the instability that motivates Beyond Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
import pandas as pd

from weightlab._exact import common_denominator
from weightlab._result import Result, ensure, read_fraction, to_json
from weightlab._typing import AnyArray
from weightlab._validate import counted
from weightlab.data import Leaderboard, Suite
from weightlab.domains.claim import names
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.rules.documents import data_to_json, ensure_same_data
from weightlab.studies.by_dataset import ByDataset
from weightlab.studies.metric_cycles import boards_with, read_board, voting_metrics
from weightlab.studies.narrowing import as_suite, tolerance_fault
from weightlab.studies.repeats import checked_count

__all__ = ["Flip", "Flips", "flips"]


@dataclass(frozen=True, kw_only=True)
class Flip:
    """A model that turns the order of two others round when it is added.

    Attributes
    ----------
    added : str
        The model that comes.
    ahead, behind : str
        The one that had the better mean rank before, and has the worse one after; and the other.
    before, after : Fraction
        The lead in mean rank of ``ahead`` before, and of ``behind`` after.
    """

    added: str
    ahead: str
    behind: str
    before: Fraction
    after: Fraction

    @property
    def buffer(self) -> Fraction:
        """The smaller of the two leads."""
        return min(self.before, self.after)

    def __str__(self) -> str:
        """Say what happens."""
        return (
            f"{self.ahead} is ahead of {self.behind} by {self.before} in mean rank; once {self.added} is added, "
            f"{self.behind} is ahead by {self.after}"
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetFlips:
    """The flips of one dataset.

    Attributes
    ----------
    top : tuple of str
        The models that are ranked, best on the main metric first.
    added : tuple of str
        The models that were added, one at a time.
    flips : int
        How many times one of these turned a pair of the others round.
    widest : Flip or None
        One of largest buffer; None where there is none.
    """

    top: tuple[str, ...]
    added: tuple[str, ...]
    flips: int
    widest: Flip | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Flips(Result, ByDataset[DatasetFlips], kind="flips"):
    """On which datasets a model that is added turns the order of two others round.

    Attributes
    ----------
    metrics : tuple of str
        Whose ranks are averaged.
    by : str
        The metric that chooses the models that are ranked.
    top : int
        How many are ranked.
    boards : dict from str to Leaderboard
        The exact scores of each dataset, of the models with a score on all these metrics.
    datasets : dict from str to DatasetFlips
        What was found.
    """

    metrics: tuple[str, ...]
    by: str
    top: int
    boards: Mapping[str, Leaderboard]
    datasets: Mapping[str, DatasetFlips]

    @property
    def flipped(self) -> tuple[str, ...]:
        """The datasets with a flip."""
        return tuple(dataset for dataset, one in self.datasets.items() if one.flips)

    def __str__(self) -> str:
        """Say on how many datasets there is a flip."""
        every = counted(len(self.datasets), "dataset")
        return f"A model that is added turns the order of two others round on {len(self.flipped)} of {every}."

    def summary(self) -> pd.DataFrame:
        """Return a row a dataset: models ranked and added, how many flips, and the widest."""
        rows = [
            {
                "ranked": len(one.top),
                "added": len(one.added),
                "flips": one.flips,
                "widest": None if one.widest is None else str(one.widest),
                "buffer": None if one.widest is None else float(one.widest.buffer),
            }
            for one in self.datasets.values()
        ]
        return pd.DataFrame(rows, index=pd.Index(list(self.datasets), name="dataset"))

    def verify(self, source: Suite | None = None) -> bool:
        """Add every model again; given the suite, also check that the scores are its own.

        Parameters
        ----------
        source : Suite, optional
            The suite that was asked about.

        Raises
        ------
        ProofError
            Naming the dataset and the first thing that does not hold.
        """
        ensure(set(self.datasets) == set(self.boards), "the datasets and their scores do not fit")
        ensure(len(set(self.metrics)) == len(self.metrics), "a metric is named twice")
        for dataset, one in self.datasets.items():
            board = self.boards[dataset]
            ensure(set(board.tasks) == set(self.metrics), f"{dataset!r}: the scores are of other metrics")
            ensure(not board.missing_cells, f"{dataset!r}: a score is missing")
            own = _flips(board, self.by, self.top)
            for part in ("top", "added", "flips"):
                here, there = getattr(one, part), getattr(own, part)
                ensure(here == there, f"{dataset!r}: {part} is {there}, not {here}")
            ensure((one.widest is None) == (own.widest is None), f"{dataset!r}: the widest flip is {own.widest}")
            if one.widest is not None and own.widest is not None:
                _check(board, one, one.widest)
                ensure(one.widest.buffer == own.widest.buffer, f"{dataset!r}: a flip has buffer {own.widest.buffer}")
        if source is not None:
            self._check_source(as_suite(source))
        return True

    def _check_source(self, suite: Suite) -> None:
        ensure(set(self.metrics) <= set(suite.metrics), "the source lacks a metric")
        given = _boards(suite, self.metrics)
        ensure(set(given) == set(self.boards), "the source has other datasets with these metrics")
        for dataset, board in self.boards.items():
            try:
                ensure_same_data(board, given[dataset])
            except ProofError as error:
                raise ProofError(f"{dataset!r}: {error}") from None

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON, with all scores."""
        found = {
            dataset: {
                "top": list(one.top),
                "added": list(one.added),
                "flips": one.flips,
                "widest": None if one.widest is None else {p: to_json(getattr(one.widest, p)) for p in FLIP},
            }
            for dataset, one in self.datasets.items()
        }
        return {
            "kind": self.kind,
            "metrics": list(self.metrics),
            "by": self.by,
            "top": self.top,
            "boards": {dataset: data_to_json(board) for dataset, board in self.boards.items()},
            "datasets": found,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote."""
        boards = {str(dataset): read_board(one) for dataset, one in document["boards"].items()}
        metrics, by, top = names(document["metrics"]), str(document["by"]), document["top"]
        if by not in metrics or type(top) is not int or top < 2:
            raise InputError(f"'by' must be one of the metrics and 'top' 2 or more; got {by!r} and {top!r}")
        return cls(
            metrics=metrics,
            by=by,
            top=top,
            boards=boards,
            datasets={str(dataset): _read(one) for dataset, one in document["datasets"].items()},
        )


FLIP = ("added", "ahead", "behind", "before", "after")


def flips(suite: Suite, *, by: str, metrics: Iterable[str] | None = None, top: int = 15) -> Flips:
    """Look on every dataset for a model that turns the order of two others round when it is added.

    The best models on one metric are ranked by the mean of their ranks on all metrics (Borda's count over ranks);
    then each of the others is added by itself, and the mean ranks are taken again. A flip is a pair of which one is
    strictly ahead before, and the other after.

    Parameters
    ----------
    suite : Suite
        Weights of metrics count in the mean. Models without a score on some of the metrics are left out.
    by : str
        The metric that chooses the best models, such as accuracy; ties in order of the suite.
    metrics : iterable of str, optional
        Whose ranks are averaged; all by default. Datasets that lack one are left out.
    top : int
        How many models are ranked. Where there are no more, none can be added.

    Returns
    -------
    Flips
        With a flip of largest buffer for each dataset.

    Raises
    ------
    InputError
        If metrics are unknown, ``by`` is not among them, ``top`` is less than 2, or metrics have a score tolerance
        (ties within one are not transitive, hence no ranks).

    Notes
    -----
    O(models x top^2 x metrics) for each dataset, in exact arithmetic. Tied models share the mean of their ranks.

    References
    ----------
    Gordienko et al., Beyond Arrow, section 3 (Table 2) and appendix A.6.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 9, "b": 8, "c": 7}, "y": {"a": 5, "b": 6, "c": 7}, "z": {"a": 5, "b": 7, "c": 6}}
    >>> found = wl.studies.flips(wl.Suite({"qa": scores}, weights={"x": "2.5"}), by="x", top=2)
    >>> print(found["qa"].widest)
    a is ahead of b by 1/9 in mean rank; once c is added, b is ahead by 1/9
    """
    chosen = voting_metrics(suite, metrics)
    if by not in chosen:
        raise UnknownNameError("metric", by, chosen, holder="selection of metrics with a weight above 0")
    top = checked_count("top", top, least=2)
    tolerant = tolerance_fault(suite, chosen)
    if tolerant:
        raise InputError(tolerant)
    boards = _boards(suite, chosen)
    return Flips(
        metrics=chosen,
        by=by,
        top=top,
        boards=boards,
        datasets={dataset: _flips(board, by, top) for dataset, board in boards.items()},
    )


def _boards(suite: Suite, metrics: tuple[str, ...]) -> dict[str, Leaderboard]:
    """Return the complete models of the datasets that have all metrics and two such models."""
    found = {}
    for dataset, board in boards_with(suite, metrics).items():
        missing = board.missing.any(axis=1)
        whole = [model for model in board.models if not missing[model]]
        if set(board.tasks) == set(metrics) and len(whole) >= 2:
            found[dataset] = board.select(models=whole)
    return found


def _flips(board: Leaderboard, by: str, top: int) -> DatasetFlips:
    models = board.models
    order = _best_first(board, by)
    ranked, others = order[:top], order[top:]
    weights, _ = common_denominator(board.weights.tolist())
    total = sum(weights)
    # Twice the weighted rank that a model (column) has from a rival (row): 2 if the rival leads, 1 if they tie.
    ranks = board.rankings().ranks.astype(object)
    pushed = sum(w * (1 + np.sign(row[None, :] - row[:, None])) for w, row in zip(weights, ranks, strict=True))
    pushed = np.asarray(pushed, dtype=object)
    base = pushed[np.ix_(ranked, ranked)].sum(axis=0)
    lead = base[None, :] - base[:, None]
    flips, widest = 0, None
    for other in others:
        shift = pushed[other, ranked]
        after = -(lead + shift[None, :] - shift[:, None])
        turned = (lead > 0) & (after > 0)
        flips += int(turned.sum())
        for i, j in np.argwhere(turned).tolist():
            if widest is None or min(lead[i, j], after[i, j]) > min(widest[0], widest[1]):
                widest = (lead[i, j], after[i, j], other, ranked[i], ranked[j])
    return DatasetFlips(
        top=tuple(models[i] for i in ranked),
        added=tuple(models[i] for i in others),
        flips=flips,
        widest=None if widest is None else _named(widest, models, 2 * total),
    )


def _best_first(board: Leaderboard, by: str) -> list[int]:
    column = board.rankings().ranks[board.tasks.index(by)]
    return [int(i) for i in np.argsort(column, kind="stable")]


def _named(widest: tuple[Any, ...], models: tuple[str, ...], unit: int) -> Flip:
    before, after, added, ahead, behind = widest
    return Flip(
        added=models[added],
        ahead=models[ahead],
        behind=models[behind],
        before=Fraction(int(before), unit),
        after=Fraction(int(after), unit),
    )


def _check(board: Leaderboard, one: DatasetFlips, flip: Flip) -> None:
    """Raise ProofError unless the flip happens, by mean ranks taken one by one."""
    ensure({flip.ahead, flip.behind} <= set(one.top), f"{flip.ahead!r} and {flip.behind!r} are not both ranked")
    ensure(flip.added in one.added, f"{flip.added!r} is not added")
    before = _mean_rank(board, one.top, flip.behind) - _mean_rank(board, one.top, flip.ahead)
    more = (*one.top, flip.added)
    after = _mean_rank(board, more, flip.ahead) - _mean_rank(board, more, flip.behind)
    ensure(before > 0 and after > 0, f"{flip.added!r} does not turn {flip.ahead!r} and {flip.behind!r} round")
    ensure((before, after) == (flip.before, flip.after), f"the leads are {before} and {after}")


def _mean_rank(board: Leaderboard, models: tuple[str, ...], model: str) -> Fraction:
    part = board.select(models=models)
    own: AnyArray = part.rankings().ranks
    place, weights = part.models.index(model), part.weights.tolist()
    ranks = [1 + int((row < row[place]).sum()) + Fraction(int((row == row[place]).sum()) - 1, 2) for row in own]
    whole = sum(weights, Fraction(0))
    return sum((weight * rank for weight, rank in zip(weights, ranks, strict=True)), Fraction(0)) / whole


def _read(document: Mapping[str, Any]) -> DatasetFlips:
    written, count = document["widest"], document["flips"]
    if type(count) is not int:
        raise InputError(f"'flips' is a number; got {count!r}")
    widest = None
    if written is not None:
        widest = Flip(
            added=str(written["added"]),
            ahead=str(written["ahead"]),
            behind=str(written["behind"]),
            before=read_fraction(written["before"], "before"),
            after=read_fraction(written["after"], "after"),
        )
    return DatasetFlips(top=names(document["top"]), added=names(document["added"]), flips=count, widest=widest)
