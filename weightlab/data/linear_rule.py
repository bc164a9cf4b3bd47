"""Linear rules, weights still free: what a place or a score is worth on each task."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, TypeAlias, cast

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray, Number
from weightlab._result import Record, ensure
from weightlab.data.convert import ProfileLike, SignsLike, as_signs, as_table
from weightlab.data.frame.arrays import places_in
from weightlab.data.frame.parts import ensure_same_cells
from weightlab.data.frame.scales import RANGE, Z
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.points import NAMED_VECTORS, Missing, Points, Ties, check_options, missing_scores, scoring_vector
from weightlab.data.profile import Profile
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, UnknownNameError

PointsLike: TypeAlias = ProfileLike
"""What points are made from; the mean needs the scores of a leaderboard."""
LeadsLike: TypeAlias = SignsLike | Points
"""Input of a question by a linear rule: a table, or what the rule reads from it."""
RuleLike: TypeAlias = "str | Sequence[Number] | LinearRule"
"""A rule by name, or the points of the places, best first; or the rule of a result."""
MEAN = "mean"
SCORING = "scoring"
Scale: TypeAlias = Literal["range", "z"]
"""From 0 for the worst score on a task to 1 for the best, or in standard deviations from the task's mean."""
SCALED = {f"{MEAN}:scaled={RANGE}": RANGE, f"{MEAN}:scaled={Z}": Z}
"""Means of scores on a scale of each task's own, by name."""
POINT_RULES = (MEAN, *NAMED_VECTORS)
"""Linear rules by name, as in the registry of rules; a custom vector is the rule ``scoring`` there."""
MOST_BY_DOWDALL = 300
"""Largest number of models by Dowdall's points: their common denominator has 298 bits for 200 models."""
NAMED = ("baldwin", "borda", "coombs", "copeland", "dowdall", "kemeny", "nanson", "schulze", "slater")
"""Rules that are called after a person."""
WORDS = {
    f"{MEAN}:scaled={RANGE}": "by average of scores scaled to 0..1",
    f"{MEAN}:scaled={Z}": "by average of z-scores",
}
"""What sentences call them; the standard deviations of z-scores are rounded to 12 significant digits."""
MAJORITY, CONDORCET = "majority", "condorcet"
"""The rule that reads signs, by its two names: the winner beats every rival, each task counting by its weight."""


class LinearRule(Record, eq=True):
    """A linear rule: a model leads a rival by the sum over the tasks of weight times sign, or of weight times points.

    Attributes
    ----------
    name : str
        As in the registry of rules, or ``"majority"``, ``"mean:scaled=range"`` or ``"mean:scaled=z"``.
    ties : {"average", "min", "max"}
        What tied models get: the average of their places' points, those of the least place ("min", the best) or of the
        greatest ("max"); means take no notice.
    missing : {"error", "last"}
        Whether missing scores are refused or tie for the last places.
    vector : tuple of Fraction, or None
        Points of the places, best first, for the rule ``scoring``.
    """

    name: str
    ties: Ties = "average"
    missing: Missing = "error"
    vector: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse a rule that there is not, and options that it does not have."""
        if self.name not in (MAJORITY, *POINT_RULES, *SCALED, SCORING):
            raise UnknownNameError("linear rule", self.name, POINT_RULES, holder="list of them")
        if (self.name == SCORING) != (self.vector is not None) or self.vector == ():
            raise InputError(f"the points of the places are needed for the rule {SCORING!r}, and for no other")
        if (self.is_majority or self.is_mean) and (self.ties, self.missing) != ("average", "error"):
            reads = "the mean reads scores" if self.is_mean else "the majority reads duels"
            raise InputError(f"{reads}, not places: it takes no ties and no missing")
        check_options("borda", self.ties, self.missing)

    @classmethod
    def of(
        cls, rule: RuleLike, *, ties: Ties | None = None, missing: Missing | None = None, scaled: Scale | None = None
    ) -> LinearRule:
        """Return the rule that a user means.

        Raises
        ------
        UnknownNameError, InputError
            If there is no such linear rule, or it has no such option.
        """
        if scaled is not None:
            rule = _scaled_mean(rule, scaled)
        if isinstance(rule, LinearRule):
            return rule
        refuse_irrational(rule)
        name, vector = rule, None
        if not isinstance(rule, str):
            name, vector = SCORING, _vector(rule)
        elif rule not in (*POINT_RULES, *SCALED):
            name, own = _with_options(rule)
            ties, missing = own.get("ties", ties), own.get("missing", missing)  # type: ignore[assignment]
        is_mean = name in (MEAN, *SCALED)
        if is_mean and ties is not None:
            raise InputError(f"the mean reads scores, not places: it takes no ties={ties!r}")
        if is_mean and missing not in (None, "error"):
            raise InputError(f"the mean has no points for a missing score: it takes no missing={missing!r}")
        return cls(name=str(name), ties=ties or "average", missing=missing or "error", vector=vector)

    @classmethod
    def or_own(
        cls,
        rule: RuleLike | None,
        board: object = None,
        *,
        ties: Ties | None = None,
        missing: Missing | None = None,
        scaled: Scale | None = None,
    ) -> LinearRule:
        """Return the rule that a user means, which may be the majority; by default a table's own.

        Where there are no scores, the majority is the default.

        Raises
        ------
        UnknownNameError, InputError
            As `of`; also where the table's own rule is no linear one.
        """
        if rule is None:
            rule = board.rule if isinstance(board, Leaderboard) else MAJORITY
            if rule not in (MAJORITY, *POINT_RULES):
                told = f"the table's own rule is {rule}, by which this question cannot be asked"
                raise InputError(Fault(told, Cure("rule", MEAN), Cure("rule", MAJORITY)))
        if scaled is not None or not isinstance(rule, str) or rule not in (MAJORITY, CONDORCET):
            return cls.of(rule, ties=ties, missing=missing, scaled=scaled)
        refuse_point_options(rule, ties, missing)
        return cls(name=MAJORITY)

    def __str__(self) -> str:
        """Return the name, with ways to treat ties and missing scores that are not the usual ones."""
        shown = self.name
        if self.vector is not None:
            some = ", ".join(map(str, self.vector[:6])) + (", ..." if len(self.vector) > 6 else "")
            shown = f"{self.name} ({some})"
        shown += "" if self.ties == "average" else f", ties={self.ties}"
        return shown if self.missing == "error" else f"{shown}, missing={self.missing}"

    @property
    def by(self) -> str:
        """By which rule, as it stands inside a sentence."""
        return f"{rule_words(self.name)}{str(self).removeprefix(self.name)}"

    @property
    def is_majority(self) -> bool:
        """Whether it reads signs, not points."""
        return self.name == MAJORITY

    @property
    def is_mean(self) -> bool:
        """Whether it reads scores, as they are or on a scale of each task's own."""
        return self.name in (MEAN, *SCALED)

    def leads(self, board: LeadsLike) -> Signs | Points:
        """Return the values that order the models: signs, or points as ``points`` makes them."""
        if isinstance(board, Points) and not self.is_majority:
            return board
        if self.is_majority:
            return as_signs(cast("SignsLike", board))
        if isinstance(board, Signs):
            raise InputError(
                "points are made from a Leaderboard or a Profile; got Signs, which serve the rules of duels"
            )
        return self.points(cast("SignsLike", board))

    def ranked(self, board: SignsLike) -> SignsLike:
        """Return the part of a table that the rule ranks: without incomplete models if it refuses gaps.

        Raises
        ------
        InputError
            If fewer than two models have every score.
        """
        refuses = isinstance(board, Leaderboard) and board.missing_cells and self.missing == "error"
        return cast("Leaderboard", board).complete() if refuses and not self.is_majority else board

    def points(self, board: SignsLike) -> Points:
        """Return the points of every model on every task.

        Raises
        ------
        MissingScoresError
            If scores are missing and may not be.
        InputError
            If the table does not hold what the rule reads.
        """
        board = as_table(board)
        if self.name == "dowdall" and isinstance(board, Leaderboard | Profile) and len(board.models) > MOST_BY_DOWDALL:
            told = f"by Dowdall at most {MOST_BY_DOWDALL} models are asked about, since exact points of more grow long"
            raise InputError(Fault(f"{told}; there are {len(board.models):,}", Cure("rule", "borda")))
        if isinstance(board, Leaderboard):
            kind = "scores" if self.is_mean else self.vector or self.name
            made = board.points(kind, ties=self.ties, missing=self.missing)
            return made.on_own_scales(SCALED[self.name]) if self.name in SCALED else made
        if not isinstance(board, Profile):
            raise InputError(f"points are made from a Leaderboard or a Profile; got a {type(board).__name__}")
        if self.is_mean:
            raise InputError("the mean needs scores, and a profile has none: give it the leaderboard")
        absent = [(model, voter) for voter, models in board.unranked.items() for model in models]
        if absent and self.missing == "error":
            raise missing_scores(absent, board.models, board.voters, "last", votes=True)
        levels = np.nan_to_num(board.signs().levels, nan=-np.inf)
        return Points.from_levels(board.models, board.voters, levels, self._places(len(board.models)), self.ties)

    def _places(self, count: int) -> list[Fraction]:
        return scoring_vector(self.name if self.vector is None else list(self.vector), count)

    def check(self, points: Points, tasks: Sequence[str], source: SignsLike | None) -> None:
        """Ensure that the rule gives these points for some table, or for the source if given.

        The points of a rule by place order the models; what the rule gives for that order must be the same points.
        """
        _check_points(points, tasks)
        if source is not None:
            table = self.points(self.ranked(source))
            own = table.numerators[np.ix_(*places_in(points, table, "models", "tasks"))]
            _ensure_same(points, own, table.denominator, "in the source")
        if self.is_mean:
            return
        order = [np.unique(column, return_inverse=True)[1] for column in points.numerators.T]
        levels = np.array(order, dtype=np.float64).T
        made = Points.from_levels(points.models, points.tasks, levels, self._places(len(points.models)), self.ties)
        _ensure_same(points, made.numerators, made.denominator, f"by the rule {self}")


def rule_words(rule: object, *, begins: bool = False) -> str:
    """Return how a sentence names a rule, such as ``by Borda (ties=max)``, within it or where it begins.

    Examples
    --------
    >>> rule_words("mean_win_rate"), rule_words("majority"), rule_words("borda(ties=max)", begins=True)
    ('by mean win rate', 'head-to-head', 'By Borda (ties=max)')
    """
    name, bracket, options = str(rule).partition("(")
    known = {MAJORITY: "head-to-head", CONDORCET: "head-to-head", MEAN: "by average", **WORDS}
    known |= {"bradley_terry": "by Bradley-Terry"} | {one: f"by {one.capitalize()}" for one in NAMED}
    plain = name.strip()
    words = known.get(plain, f"by {plain.replace('_', ' ')}") + (f" ({options}" if bracket else "")
    return words[:1].upper() + words[1:] if begins else words


def _scaled_mean(rule: object, scale: object) -> str:
    """Return the name of the mean of scores on a scale; empty for other rules."""
    name = f"{MEAN}:scaled={scale}"
    if name not in SCALED:
        raise InputError(f"scaled must be {' or '.join(map(repr, SCALED.values()))}; got {scale!r}")
    if (rule.name if isinstance(rule, LinearRule) else rule) not in (MEAN, name):
        raise InputError(
            Fault(f"only the mean reads scores on a scale: by {rule} there is no scaled={scale!r}", Cure("rule", MEAN))
        )
    return name


def refuse_other_rules(question: str, rule: object, instead: str) -> None:
    """Raise InputError if a question about pairwise majorities is asked with another rule.

    Parameters
    ----------
    question : str
        What it is about.
    rule : object
        What was passed for ``rule``.
    instead : str
        The question that answers by a rule.
    """
    if rule not in (MAJORITY, CONDORCET):
        told = f"{question}, by majority; by {rule} ask {instead}"
        raise InputError(Fault(told, Cure("rule", None)))


def refuse_irrational(rule: object) -> None:
    """Raise InputError for the geometric mean where a question is about how far ahead a model is."""
    if rule == "geometric_mean":
        told = "by geometric mean leads are sums of logarithms, of which only the sign is proved"
        raise InputError(f"{told}: it answers who can be the only winner, as prospect and prospects ask, and no more")


def refuse_point_options(rule: str, ties: Ties | None, missing: Missing | None) -> None:
    """Raise InputError where ties or missing scores are to be treated in a way that duels do not know."""
    for name, value in (("ties", ties), ("missing", missing)):
        if value is not None:
            raise InputError(
                f"{rule} reads duels, where a tie or a missing score counts for neither: it takes no {name}={value!r}"
            )


def _ensure_same(points: Points, numerators: AnyArray, denominator: int, where: str) -> None:
    names, units = (points.models, points.tasks), (points.denominator, denominator)
    ensure_same_cells("the points of {} on {} are", names, points.numerators, numerators, units=units, where=where)


def _with_options(rule: str) -> tuple[str, dict[str, str]]:
    """Return the name and the options of a rule that is written as ``"borda:ties=max,missing=last"``."""
    name, _, written = rule.partition(":")
    own = dict(one.partition("=")[::2] for one in written.split(",")) if written else {}
    if name not in POINT_RULES or not own.keys() <= {"ties", "missing"}:
        raise UnknownNameError("linear rule", rule, POINT_RULES, holder="list of them")
    return name, own


def _vector(points: object) -> tuple[Fraction, ...]:
    """Return the points of the places that a user lists."""
    listed = points.tolist() if isinstance(points, np.ndarray | pd.Series) else points
    if isinstance(listed, bytes) or not isinstance(listed, Sequence) or not listed:
        raise InputError(f"a rule is a name or a list of the points of the places, best first; got {points!r}")
    return tuple(scoring_vector(listed, len(listed)))


def _check_points(points: Points, tasks: Sequence[str]) -> None:
    """Ensure that points are whole numbers over a positive one, shaped models x tasks, in this order."""
    ensure(points.tasks == tuple(tasks), "the tasks of the space are not those of the points, in the same order")
    ensure(len(points.models) > 1, "there must be at least two models")
    ensure(len(set(points.models)) == len(points.models), "two models have the same name")
    ensure(type(points.denominator) is int and points.denominator > 0, "points need a positive denominator")
    ensure(points.numerators.shape == (len(points.models), len(points.tasks)), "the points do not fit models and tasks")
    whole = points.numerators.dtype.kind == "i" or all(type(one) is int for one in points.numerators.ravel().tolist())
    ensure(whole, "the numerators of points must be whole numbers")
