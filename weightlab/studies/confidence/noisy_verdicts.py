"""Who can win head-to-head whatever the noise of the scores: verdicts for every table within joint intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import SignArray
from weightlab._result import Proof, Result, ensure
from weightlab._solver import within
from weightlab._text import counted, in_words, level_text
from weightlab._validate import one_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike
from weightlab.data.convert import as_scores
from weightlab.data.frame.cells import Cells
from weightlab.exceptions import InputError
from weightlab.lp import Prospect, WeightSpace, prospect
from weightlab.lp.certificates.max_margin import Verdict
from weightlab.rules.inputs import weighing
from weightlab.studies.confidence.contributions import noisy_tasks, sure_signs
from weightlab.studies.parallel import checked_share

Noise: TypeAlias = Literal["instances", "standard_errors"]


class NoisyVerdicts(Result, kind="noisy_verdicts"):
    """Who can win head-to-head under some weights: for every table in joint intervals of all differences on all tasks.

    Attributes
    ----------
    over : {"instances", "standard_errors"}
        Where the noise comes from.
    level : float
        Of all intervals, and so of all verdicts, together.
    worst, best : tuple of Prospect
        One a model, exact: where every lead that is not sure is lost, and where it is won.
    """

    derived = ("verdicts", "open")

    over: Noise
    level: float
    worst: tuple[Prospect, ...]
    best: tuple[Prospect, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return tuple(one.model for one in self.worst)

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdicts that hold for every such table, by model."""
        return {one.model: one.verdict for one, other in self._both if one.verdict == other.verdict}

    @property
    def open(self) -> tuple[str, ...]:
        """The models whose verdict the noise leaves open."""
        return tuple(one.model for one, other in self._both if one.verdict != other.verdict)

    @property
    def _both(self) -> Iterator[tuple[Prospect, Prospect]]:
        yield from zip(self.worst, self.best, strict=True)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"verdicts": Proof.EXACT, "coverage": Proof.SAMPLED}

    def __str__(self) -> str:
        """Count the verdicts that hold whatever the noise, and name the models for which it decides."""
        noise = "other instances" if self.over == "instances" else "errors of the size of the standard errors"
        left = f"; the noise decides for {in_words(self.open)}" if self.open else ""
        strict, weak, never = (list(self.verdicts.values()).count(verdict) for verdict in Verdict)
        able = (
            f"{strict} of {counted(len(self.worst), 'model')} can win, {weak} {'ties' if weak == 1 else 'tie'} at best"
        )
        return (
            f"With {noise}, at {level_text(self.level)} for all verdicts together: "
            f"head-to-head, {able}, {never} can never win{left}.{self.worst[0].space.conditions_sentence}"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return for each model its verdict where every lead that is not sure is lost, and where it is won."""
        rows = [(one.verdict.words, other.verdict.words) for one, other in self._both]
        return pd.DataFrame(rows, index=list(self.models), columns=["at worst", "at best"])

    def verify(self, source: Leaderboard | Instances | None = None) -> bool:
        """Re-check every verdict exactly; given the source, also which leads are sure.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        checked_share("level", self.level)
        space = self.worst[0].space.to_dict() if self.worst else None
        ensure(space is not None and len(set(self.models)) == len(self.worst) == len(self.best), "models are repeated")
        for one, other in self._both:
            ensure(one.model == other.model, f"the verdicts on {one.model!r} are about two models")
            ensure(one.space.to_dict() == other.space.to_dict() == space, "the verdicts are under other weights")
            ensure(one.rows.shape == other.rows.shape, f"the leads of {one.model!r} are on other tasks")
            rivals = tuple(name for name in self.models if name != one.model)
            ensure(one.rivals == other.rivals == rivals, f"the rivals of {one.model!r} are not the other models")
            open_ = one.rows != other.rows
            ensure((one.rows[open_] == -1).all() and (other.rows[open_] == 1).all(), "an open lead is not lost and won")
            one.verify()
            other.verify()
        if source is not None:
            board, leads = _sure_leads(source, self.over, self.level)
            ensure(board.models == self.models, "the models are not those of the source")
            named = self.worst[0].space.tasks == board.tasks
            ensure(named, "the tasks are not those of the source, in order")  # signs go by their places
            for place, (one, other) in enumerate(self._both):
                lost, won = _at_ends(leads[place], place)
                same = np.array_equal(one.rows, lost) and np.array_equal(other.rows, won)
                ensure(same, f"the sure leads of {one.model!r} are not those of the source")
        return True


def noisy_verdicts(
    source: LeaderboardLike | Instances,
    *,
    over: Noise,
    level: float = 0.95,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> NoisyVerdicts:
    """Decide who can win head-to-head under some weights for every table that the noise of the scores allows.

    Parameters
    ----------
    source : Leaderboard or Instances
        The table, with standard errors, or scores on single instances; tasks of weight 0 take no part.
    over : {"instances", "standard_errors"}
        Where the noise comes from: other instances of the same tasks, or normal errors of known size.
    level : float
        Of all verdicts together.
    space : WeightSpace, optional
        Allowed weights; by default all.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    NoisyVerdicts
        ``.verdicts`` ``.open`` ``.worst`` ``.best`` ``.summary()`` ``.verify()``.

    Raises
    ------
    InputError
        If a score has no standard error, or a task one instance.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `lp.prospect`; ``known["worst"]`` and ``known["best"]`` have the verdicts of the first models.

    Notes
    -----
    Joint intervals of the differences of all pairs on all tasks, Bonferroni over the tasks, tell which leads are sure.
    A model's verdict depends on its own leads alone and can but improve with them: it is the same for every such table
    if it is the same where all that are not sure are lost and where all are won. Two exact programs a model.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 5, "b": 1, "c": 1.1}, "y": {"a": 1, "b": 9, "c": 1.1}}
    >>> errors = {task: dict.fromkeys("abc", 0.2) for task in scores}
    >>> print(noisy_verdicts(wl.Leaderboard(scores, standard_errors=errors), over="standard_errors"))
    With errors of the size of the standard errors, at 95% for all verdicts together: head-to-head, 2 of 3 models ...
    """
    one_of("over", over, ("instances", "standard_errors"))
    checked_share("level", level)
    board, leads = _sure_leads(as_scores(source, "verdicts under noise are of"), over, level)
    found: tuple[list[Prospect], list[Prospect]] = ([], [])
    with within(time_limit, worst=found[0], best=found[1]):
        for place, model in enumerate(board.models):
            for ends, signs in zip(found, _at_ends(leads[place], place), strict=True):
                ends.append(prospect(_table_of(board, place, signs), model, space=space))
    return NoisyVerdicts(over=over, level=float(level), worst=tuple(found[0]), best=tuple(found[1]))


def _sure_leads(source: Leaderboard | Instances, over: Noise, level: float) -> tuple[Leaderboard, SignArray]:
    """Return the table, and who surely leads whom (models x models x tasks): 1, -1, or 0 where it is open."""
    if (over == "instances") != isinstance(source, Instances):
        other = "standard_errors" if over == "instances" else "instances"
        raise InputError(Fault(f"this source has no {over.replace('_', ' ')}", Cure("over", other)))
    if isinstance(source, Instances):
        board = weighing(source.means())
    else:
        board = source = source.with_weights([1] * len(source.tasks))  # today's weights play no part, not even of 0
    sure = sure_signs(noisy_tasks(source), level).astype(np.int8)
    count = len(board.models)
    rows, columns = np.triu_indices(count, 1)
    leads = np.zeros((count, count, len(sure)), dtype=np.int8)
    leads[rows, columns], leads[columns, rows] = sure.T, -sure.T
    return board, leads


def _at_ends(leads: SignArray, model: int) -> tuple[SignArray, SignArray]:
    """Return a model's signs against its rivals where all leads that are open are lost, and where they are won."""
    own = np.delete(leads, model, axis=0)
    return np.where(own == 0, -1, own).astype(np.int8), np.where(own == 0, 1, own).astype(np.int8)


def _table_of(board: Leaderboard, model: int, signs: SignArray) -> Leaderboard:
    """Return a table in which a model has just these signs."""
    scores = np.insert(-signs, model, 0, axis=0).astype(np.float64)
    return Leaderboard.from_cells(board.models, board.tasks, Cells(floats=scores, exact={}))
