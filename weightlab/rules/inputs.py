"""What a rule reads: scores, places or margins, taken from whatever the user holds; zero-weight tasks stay outside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from statistics import median
from typing import Any, Literal, TypeAlias

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import IntArray, Number, fraction, shortest_decimal
from weightlab._result import Record, told_of
from weightlab._validate import Faults, exact_numbers, one_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Margins, Profile, as_table
from weightlab.data.convert import MarginsLike, Unlisted, as_listed, as_profile
from weightlab.data.frame.cells import Cells
from weightlab.data.points import missing_scores
from weightlab.exceptions import InputError, MissingScoresError, UnknownNameError
from weightlab.graph import margins_of

Source: TypeAlias = MarginsLike
"""What users hand to a rule."""
Data: TypeAlias = Leaderboard | Profile | Margins
"""What a rule reads, and what its result carries."""
Missing: TypeAlias = str
"""What to do about missing scores: ``"error"``, ``"last"``, ``"skip"`` or ``"median"``, as far as the rule knows it."""
WAYS = ("error", "last", "skip", "median")


def has_gaps(source: object) -> bool:
    """Return whether scores are missing, or models unlisted, on a task with weight; unknown for margins."""
    if isinstance(source, Leaderboard):
        return any(source.weights[task] for _, task in source.missing_cells)
    return isinstance(source, Profile) and not (source.ranks > 0).all()


class InapplicableError(InputError):
    """A rule cannot be applied to this table, though another could."""


class Needs(StrEnum):
    """What a rule reads."""

    SCORES = "scores"
    """The scores themselves."""

    PLACES = "places"
    """How each task ranks the models."""

    MARGINS = "margins"
    """The weighted head-to-head majorities."""


def is_score(missing: object) -> bool:
    """Return whether the option for missing scores is a score that replaces each of them, not one of `WAYS`."""
    return not (isinstance(missing, str) and missing in WAYS)


def as_declared(
    source: Any, needs: Needs, *, missing: Missing | Number = "error", unlisted: Unlisted | None = None
) -> Any:
    """Return a source with missing scores replaced by a score, and unlisted models last, if the options say so.

    Raises
    ------
    InapplicableError
        If the source has no scores, or no rankings, that could be filled, or the rule reads scores and models are last.
    InputError
        If the score is not a number, or ``unlisted`` is unknown.
    """
    if is_score(missing):
        with told_of(f"missing must be {', '.join(map(repr, WAYS))} or a score", InputError):
            score = fraction(missing)
        source = _filled(source if isinstance(source, Leaderboard) else as_listed(source, unlisted), score)
    if unlisted == "last" and needs is Needs.SCORES and has_gaps(source):
        raise InapplicableError("this rule reads scores, and unlisted='last' is about rankings")
    return as_listed(source, unlisted)


def _filled(source: Any, score: Fraction) -> Any:
    """Return the board with one score wherever one is missing."""
    if not has_gaps(source):
        return source
    if not isinstance(source, Leaderboard):
        told = f"missing={score} is a score, and rankings have none"
        raise InapplicableError(Fault(told, Cure("unlisted", "last")))
    floats, exact = source.cells.floats.copy(), dict(source.cells.exact)
    gaps = np.isnan(floats)
    floats[gaps] = float(score)
    if shortest_decimal(float(score)) != score:
        exact.update(dict.fromkeys(map(tuple, np.argwhere(gaps).tolist()), score))
    return source.replace(cells=Cells(floats=floats, exact=exact))


def rule_data(source: Any, needs: Needs, *, missing: Missing = "error") -> Data:
    """Return the input of a rule from a source, without tasks of weight 0.

    Raises
    ------
    InapplicableError
        If the source does not hold it: a profile has no scores, margins have no places.
    """
    if needs is Needs.MARGINS:
        return margins_of(source)
    return score_data(source, missing) if needs is Needs.SCORES else place_data(source, missing)


def score_data(source: Any, missing: Missing = "error") -> Leaderboard:
    """Return the scores that a rule reads from a source, without the tasks of weight 0.

    Raises
    ------
    InapplicableError
        If the source has none.
    """
    if not isinstance(source, Leaderboard):
        raise InapplicableError(f"this rule reads scores: give it a Leaderboard, not a {type(source).__name__}")
    # Medians first: a model may have its only scores on tasks of weight 0.
    return weighing(with_medians(source) if missing == "median" else source)


def place_data(source: Any, missing: Missing = "error") -> Profile:
    """Return the places that a rule reads from a source, without the tasks of weight 0.

    Raises
    ------
    InapplicableError
        If the source has none.
    """
    if not isinstance(source, Leaderboard | Profile):
        kind = type(source).__name__
        raise InapplicableError(f"this rule reads places on tasks: give it a Leaderboard or a Profile, not a {kind}")
    if missing == "median":
        if not isinstance(source, Leaderboard):
            raise InapplicableError("medians need scores, and a profile has none")
        source = weighing(with_medians(source))
    profile = _profile(source)
    voters = [voter for voter, weight in zip(profile.voters, profile.weights, strict=True) if weight]
    return profile if len(voters) == len(profile.voters) else profile.select(voters=voters)


def _profile(source: Leaderboard | Profile) -> Profile:
    try:
        return as_profile(source)
    except InputError as error:
        # A score tolerance: its ties are not transitive.
        raise InapplicableError(error.faults) from error


def weighing(board: Leaderboard) -> Leaderboard:
    """Return the board without the tasks of weight 0."""
    weighing = [task for task, weight in board.weights.items() if weight]
    return board if len(weighing) == len(board.tasks) else board.select(tasks=[str(task) for task in weighing])


def with_medians(board: Leaderboard) -> Leaderboard:
    """Return the board with each missing score replaced by the exact median of its task (Vote'n'Rank, section 3.3)."""
    if not board.missing_cells:
        return board
    floats = board.cells.floats.copy()
    exact: dict[tuple[int, int], Fraction] = dict(board.cells.exact)
    for column in sorted({board.tasks.index(task) for _, task in board.missing_cells}):
        values = board.cells.column(column)
        middle = Fraction(median([value for value in values if value is not None]))
        for row in [row for row, value in enumerate(values) if value is None]:
            floats[row, column] = float(middle)
            if shortest_decimal(float(middle)) != middle:
                exact[row, column] = middle
    return board.replace(cells=Cells(floats=floats, exact=exact))


def complete_ranks(profile: Profile, missing: Missing) -> IntArray:
    """Return dense ranks (voters x models) in which unranked models tie for the last place, if requested.

    Raises
    ------
    MissingScoresError
        If models are unranked and may not be.
    """
    allowed = ("error", "last", "median")
    check_missing(missing, allowed)
    if profile.is_complete:
        return profile.ranks
    if missing != "last":
        raise unranked(profile, allowed)
    last = profile.ranks.max(axis=1, keepdims=True) + 1
    return np.where(profile.ranks > 0, profile.ranks, last)


def check_missing(missing: Missing, allowed: Sequence[str]) -> None:
    """Raise InputError unless the rule knows this way to treat missing scores."""
    if missing not in allowed:
        error = InapplicableError if missing in WAYS else InputError
        raise error(f"missing must be {', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}; got {missing!r}")


def number_option(name: str, value: Number) -> Fraction:
    """Return the exact number that an option of a rule says, or raise InputError with the option's name."""
    with told_of(name, InputError):
        return fraction(value)


def unranked(profile: Profile, allowed: Sequence[str]) -> MissingScoresError:
    """Return the error that names the first missing cells and the possible treatments."""
    lacking = [(voter, model) for voter, models in profile.unranked.items() for model in models]
    place = {model: row for row, model in enumerate(profile.models)}
    cells = [
        (model, voter) for voter, model in sorted(lacking, key=lambda cell: place[cell[1]])
    ]  # as tables count them
    return missing_scores(
        cells, profile.models, profile.voters, *(way for way in allowed if way != "error"), votes=True
    )


def of_ballots(error: MissingScoresError) -> MissingScoresError:
    """Return the error with cures for ballots: models may be last there, but no scores have a median."""
    kept = [one for one in error.cure if one.argument != "missing" or one.value == "skip"]
    return MissingScoresError(Fault(error.faults[0], Cure("unlisted", "last"), *kept))


# How the table that a rule read was made from the user's: as it is, with weights by group, or from instances.


class Preparation(Record, eq=True):
    """What was done to a source before a rule read it.

    Attributes
    ----------
    how : {"none", "grouped", "pooled"}
        Nothing; weights shared by group; all instances as tasks of one table.
    group_weights : dict from str to Fraction
        Of groups, where they are shared.
    each : {"instance", "task"}
        Who has the weight of a task, where instances are pooled.
    """

    how: Literal["none", "grouped", "pooled"] = "none"
    group_weights: Mapping[str, Fraction]
    each: Literal["instance", "task"] = "instance"

    def __post_init__(self) -> None:
        """Raise InputError for parts of another preparation than this one."""
        if self.how != "grouped" and self.group_weights:
            raise InputError(f"a table that is prepared by {self.how!r} has no weights of groups")
        if self.how != "pooled" and self.each != "instance":
            raise InputError(f"a table that is prepared by {self.how!r} has no instances that share weights")

    @classmethod
    def none(cls) -> Preparation:
        """Return the preparation that does nothing."""
        return cls(group_weights={})

    def apply(self, source: Any) -> Any:
        """Return the input of the rule.

        Raises
        ------
        InputError
            If the source is not what can be prepared so.
        """
        if self.how == "grouped":
            if not isinstance(source, Leaderboard):
                raise InputError(f"weights by group need a Leaderboard; got a {type(source).__name__}")
            return group_weighted(source, self.group_weights)
        if self.how == "pooled":
            if not isinstance(source, Instances):
                raise InputError(f"this ranking is of Instances; got a {type(source).__name__}")
            return pooled(source, each=self.each)
        return source


def group_weighted(board: LeaderboardLike, group_weights: Mapping[str, Number] | None = None) -> Leaderboard:
    """Return the board in which each group has its weight, shared among its tasks in proportion to their weights.

    A task in several groups gets a share of each.

    Raises
    ------
    InputError
        If a task that weighs is in no group, or a weight is negative, unknown or all are 0.
    """
    board = as_table(board)
    weights = checked_group_weights(board, group_weights)
    refuse_ungrouped(board)
    own = board.weights
    shares = dict.fromkeys(board.tasks, Fraction(0))
    for name, tasks in board.groups.items():
        total = sum(own[list(tasks)].tolist(), Fraction(0))
        if not total and weights[name]:
            raise InputError(f"group {name!r} weighs {weights[name]}, but all its tasks have weight 0")
        for task in tasks if total else ():
            shares[task] += weights[name] * own[task] / total
    return board.replace(weights=shares)


def pooled(instances: Instances, *, each: Literal["instance", "task"] = "instance") -> Leaderboard:
    """Return the leaderboard whose tasks are all instances of all tasks, named ``task/instance``.

    Parameters
    ----------
    instances : Instances
        Tasks of weight 0 are left out.
    each : {"instance", "task"}
        Who has the weight of a task: each of its instances, or all of them together.

    Notes
    -----
    Where two instances would have the same name, all are named by their quoted parts, ``'task'/'instance'``.
    """
    one_of("each", each, ("instance", "task"))
    label = _labels(instances)
    models = instances.models
    position = {model: row for row, model in enumerate(models)}
    names: list[str] = []
    blocks, exact = [], {}
    weights: dict[str, Fraction] = {}
    lower: list[str] = []
    for task, weight in instances.weights.items():
        if not weight:
            continue
        table = instances.table(str(task))
        rows = [position[model] for model in table.models]
        block = np.full((len(models), len(table.columns)), np.nan)
        block[rows] = table.cells.floats
        exact.update({(rows[row], len(names) + column): score for (row, column), score in table.cells.exact.items()})
        own = [label(str(task), column) for column in table.columns]
        weights.update(dict.fromkeys(own, weight if each == "instance" else weight / len(own)))
        lower.extend(own if task in instances.lower_is_better else [])
        names.extend(own)
        blocks.append(block)
    cells = Cells(floats=np.concatenate(blocks, axis=1), exact=exact)
    return Leaderboard.from_cells(models, names, cells, lower_is_better=lower, weights=weights)


def boards_of(source: Leaderboard | Instances, names: Iterable[str]) -> dict[str, Leaderboard]:
    """Return the leaderboard of each group of a board, or of each task of instances, by name.

    A board keeps the tasks of the group that weigh, and the models that have a score on any of them.

    Raises
    ------
    UnknownNameError, InputError
        If there is no such group or task, or none of its tasks weighs.
    """
    if isinstance(source, Instances):
        return {name: source.leaderboard(name) for name in names}
    boards = {}
    for name in names:
        if name not in source.groups:
            raise UnknownNameError("group", name, tuple(source.groups))
        boards[name] = _of_group(source, source.groups[name])
    return boards


def checked_group_weights(board: Leaderboard, given: Mapping[str, Number] | None) -> dict[str, Fraction]:
    """Return a weight for every group of a board, 1 by default, or raise InputError listing all errors."""
    names = tuple(board.groups)
    if not names:
        raise InputError("the leaderboard has no groups; declare groups of its tasks")
    faults = Faults()
    exact = exact_numbers(given or {}, names, "group", faults, what="weight", holder="leaderboard")
    weights = {name: exact.get(name, Fraction(1)) for name in names}
    for name, weight in weights.items():
        if weight < 0:
            faults.add(f"weight of group {name!r} is negative: {weight}")
    if not any(weights.values()):
        faults.add("all groups have weight 0")
    faults.raise_if_any()
    return weights


def refuse_ungrouped(board: Leaderboard) -> None:
    """Raise InputError naming the tasks that weigh and are in no group."""
    members = {task for tasks in board.groups.values() for task in tasks}
    outside = [task for task, weight in board.weights.items() if weight and task not in members]
    if outside:
        noun = "task is" if len(outside) == 1 else "tasks are"
        listed = ", ".join(map(repr, outside))
        raise InputError(
            f"{len(outside)} {noun} in no group: {listed}; group every task that weighs, or give it weight 0"
        )


def _labels(instances: Instances) -> Callable[[str, str], str]:
    """Return how to name an instance of a task so that all names differ."""
    plain = [f"{task}/{column}" for task in instances.tasks for column in instances.table(task).columns]
    if len(set(plain)) == len(plain):
        return lambda task, column: f"{task}/{column}"
    return lambda task, column: f"{task!r}/{column!r}"


def _of_group(board: Leaderboard, tasks: tuple[str, ...]) -> Leaderboard:
    weighing = [task for task in tasks if board.weights[task]]
    if not weighing:
        raise InputError(f"all tasks of a group have weight 0: {', '.join(map(repr, tasks))}")
    there = board.missing[weighing].all(axis=1)
    return board.select(models=[model for model in board.models if not there[model]], tasks=weighing)
