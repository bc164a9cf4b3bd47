"""What the coming or going of one model does to the order of the others by one rule: which pairs, and who is best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, IntArray
from weightlab._result import Frozen, Record
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.data.linear_rule import rule_words
from weightlab.rules import Rule
from weightlab.rules.inputs import Data
from weightlab.rules.refusal import NO_ANSWER
from weightlab.studies.question import Answer, Question

REVERSED = "reversed"
COUNTS = (
    "changes",
    "unanswered",
    "changed",
    "reversed",
    "leader",
    "pairs_reversed",
    "pairs_tied",
    "pairs_split",
    "first_pair",
)
"""What is counted, as `Independence.draws` explains it."""
PLACES = {1: "ahead of", 0: "tied with", -1: "behind"}
Rows: TypeAlias = tuple[int, ...]
"""Positions of some models on a board."""
Change: TypeAlias = Literal["added", "removed"]


class Flip(Record, eq=True):
    """Two models whose order is another once a third has come or gone.

    Attributes
    ----------
    dataset : str
        Of a suite; empty for a single leaderboard.
    rule : str
        By which rule.
    change : {"added", "removed"}
        What happened to ``model``.
    model : str
        The third.
    first, second : str
        The one that was ahead, or where they were level the one that is ahead now; and the other.
    before, after : int
        1 where the first is ahead, 0 where they tie, -1 where the second is.
    gaps : (Fraction, Fraction), optional
        How far apart the scores of the two by the rule are before and after; None where these are not exact.
    """

    dataset: str
    rule: str
    change: Change
    model: str
    first: str
    second: str
    before: Literal[1, 0, -1]
    after: Literal[1, 0, -1]
    gaps: tuple[Fraction, Fraction] | None

    @property
    def effect(self) -> str:
        """One was ahead and the other is (reversed), they tie now (tied), or they tied and one is ahead (split)."""
        return "split" if not self.before else "tied" if not self.after else REVERSED

    @property
    def buffer(self) -> Fraction:
        """The smaller of the two gaps, as in Beyond Arrow; 0 where they are not known."""
        return min(self.gaps or (Fraction(0),))

    def __str__(self) -> str:
        """Say what happens."""
        was, now = (
            f"{PLACES[place]} {self.second}" + (f" by {gap}" if place and gap else "")
            for place, gap in zip((self.before, self.after), self.gaps or (None, None), strict=True)
        )
        by = rule_words(self.rule, begins=True)
        return f"{by}, {self.first} is {was}; once {self.model} is {self.change}, it is {now}."


class LeaderChange(Record, eq=True):
    """Who is best of the models that stay, before and after a model is added or removed.

    Attributes
    ----------
    dataset, rule, change, model
        As of a `Flip`.
    before, after : tuple of str
        The best of those that stay, without regard to the model that is added or removed.
    """

    dataset: str
    rule: str
    change: Change
    model: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        """Say what happens."""
        now, was = (" and ".join(names) for names in (self.after, self.before))
        return f"Once {self.model} is {self.change}, {self.rule} puts {now} first of the others, not {was}."


# Two rankings -----------------------------------------------------------------------------------------------------


def pair_changes(before: AnyArray, after: AnyArray) -> IntArray:
    """Return the pairs whose order differs between two rankings of the same models, each given as levels from the best.

    Returns
    -------
    ndarray of int, pairs x 4
        The position of the one ahead before, or where they tied of the one ahead after; that of the other; and whether
        the first is ahead (1), tied (0) or behind (-1), before and after. Of a pair that swaps the last is
        -1, of one that becomes tied 0; of one that ceases to be tied the one before it is 0.

    Notes
    -----
    O(models^2).
    """
    signs, others = (np.sign(levels[None, :] - levels[:, None]).astype(np.int64) for levels in (before, after))
    changed = (signs != others) & ((signs > 0) | ((signs == 0) & (others > 0)))
    return np.column_stack([*np.nonzero(changed), signs[changed], others[changed]])


# One question to many parts of one table --------------------------------------------------------------------------


class RankedPart(Frozen):
    """The place of each of some models among these alone, from 0; ties share one. And their scores, where exact."""

    levels: AnyArray
    scores: tuple[Fraction, ...] | None = None

    @property
    def best(self) -> list[int]:
        """Which of them are best."""
        return [int(place) for place in np.flatnonzero(self.levels == self.levels.min())]

    def at(self, kept: Sequence[int]) -> RankedPart:
        """Return the places of some of them."""
        return RankedPart(levels=self.levels[kept], scores=self.scores and tuple(self.scores[place] for place in kept))


Ranker: TypeAlias = Callable[[Sequence[int]], RankedPart]
"""From positions of models on a board to their places among themselves."""


def ranker_of(question: Question, board: Leaderboard, *, afresh: bool = False) -> Ranker:
    """Return the function that ranks some models of a board as if there were no others.

    Notes
    -----
    What a rule reads (places, duels) is taken from the board once and cut for each part, which is the same as reading
    the part: places keep their order, and a head-to-head has no third. Medians that fill gaps depend on the models
    present, so with ``missing="median"`` each part is read afresh, and so it is for functions, and if ``afresh``.
    """
    rule = question.rule
    if afresh or rule is None or rule.fills:
        return lambda rows: _answered(question.answer(part_of(board, rows)), [board.models[row] for row in rows])
    data = rule.data_of(board)
    return lambda rows: _applied(rule, _cut(data, rows))


def part_of(board: Leaderboard, rows: Sequence[int]) -> Leaderboard:
    """Return the board of some of its models, without the tasks on which none of them has a score."""
    gone = set(np.flatnonzero(board.cells.missing[list(rows)].all(axis=0)).tolist())
    tasks = [task for place, task in enumerate(board.tasks) if place not in gone] if gone else None
    return board.select(models=[board.models[row] for row in rows], tasks=tasks)


def _cut(data: Data, rows: Sequence[int]) -> Data:
    models = [data.models[row] for row in rows]
    if isinstance(data, Margins):
        return data.select(models)
    if isinstance(data, Profile):
        part = data.select(models=models)
        voting = [voter for voter, ranks in zip(part.voters, part.ranks, strict=True) if ranks.any()]
        return part if len(voting) == len(part.voters) else part.select(voters=voting)
    return part_of(data, rows)


def _answered(answer: Answer, models: Sequence[str]) -> RankedPart:
    scores = None if answer.scores is None else answer.scores[list(models)].tolist()
    return RankedPart(levels=answer.levels(models), scores=_exact(scores))


def _applied(rule: Rule, data: Data) -> RankedPart:
    outcome = rule.apply(data)
    levels = np.empty(len(data.models), dtype=np.int64)
    for level, group in enumerate(outcome.order):
        levels[list(group)] = level
    return RankedPart(levels=levels, scores=_exact(outcome.scores))


def _exact(scores: Sequence[Any] | None) -> tuple[Fraction, ...] | None:
    return tuple(scores) if scores and all(isinstance(one, Fraction) for one in scores) else None


# Added and removed models -----------------------------------------------------------------------------------------


class Walk(Frozen, eq=True):
    """Sets of models of one dataset's board, each with one model more or one less than the set before.

    Attributes
    ----------
    case : int
        Where its counts are added.
    dataset : str
        Of which board the models are.
    steps : tuple of tuples of int
        Positions on the board, set by set.
    """

    case: int
    dataset: str
    steps: tuple[Rows, ...]


@dataclass(kw_only=True, eq=False)
class Changes:
    """What happens along a walk by one rule: counts in the order of `COUNTS`, and each change if it is to be listed."""

    counts: IntArray = field(default_factory=lambda: np.zeros(len(COUNTS), dtype=np.int64))
    flips: list[Flip] = field(default_factory=list)
    leaders: list[LeaderChange] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)


def changes_along(
    walk: Walk,
    *,
    models: Mapping[str, Sequence[str]],
    rankers: Mapping[str, Mapping[str, Ranker]],
    starts: Mapping[str, Mapping[str, RankedPart | None]],
) -> dict[str, Changes]:
    """Return each rule's input at every step of a walk.

    Parameters
    ----------
    walk : Walk
        Where it goes.
    models, rankers : mappings from dataset
        The names of the board's models, and by rule how it ranks some of them.
    starts : mapping from dataset to mapping from rule to RankedPart
        The rankings from which all walks of a dataset start, and whose changes are listed; empty where each walk
        starts elsewhere, and changes are counted.
    """
    names, every = models[walk.dataset], {}
    for rule, ranker in rankers[walk.dataset].items():
        was = starts[walk.dataset][rule] if starts else rank_part(ranker, walk.steps[0])
        every[rule] = seen = Changes()
        for before, after in zip(walk.steps, walk.steps[1:], strict=False):
            now = rank_part(ranker, after)
            fewer, more = sorted((before, after), key=len)
            moved = names[(set(more) - set(fewer)).pop()]
            if was is None or now is None:
                seen.counts[COUNTS.index("unanswered")] += 1
                seen.unanswered.append(moved)
            else:
                stayed, stay = (
                    one.at([rows.index(row) for row in fewer]) for one, rows in ((was, before), (now, after))
                )
                seen.counts += _counts(stayed, stay)
                change = "added" if more is after else "removed"
                about = {"dataset": walk.dataset, "rule": rule, "change": change, "model": moved}
                if starts:
                    _list(seen, stayed, stay, [names[row] for row in fewer], about)
            was = now
    return every


def rank_part(ranker: Ranker, rows: Rows) -> RankedPart | None:
    """Return the places of some models, None where the rule has no answer."""
    try:
        return ranker(rows)
    except NO_ANSWER:
        return None


def _counts(was: RankedPart, now: RankedPart) -> list[int]:
    """Return the contribution of one change to the counts, in the order of `COUNTS`."""
    first, second, before, after = pair_changes(was.levels, now.levels).T
    reversed_, tied, split = (int(one.sum()) for one in (after < 0, after == 0, before == 0))
    # The first two models are at positions 0 and 1: no other pair adds up to 1.
    first_pair = bool((first + second == 1).any())
    return [1, 0, len(first) > 0, reversed_ > 0, was.best != now.best, reversed_, tied, split, first_pair]


def _list(seen: Changes, was: RankedPart, now: RankedPart, models: Sequence[str], about: Mapping[str, Any]) -> None:
    """List the pairs that change, and who was best and is."""
    for i, j, before, after in pair_changes(was.levels, now.levels).tolist():
        gaps = tuple(abs(one.scores[i] - one.scores[j]) for one in (was, now) if one.scores is not None)
        named = {**about, "first": models[i], "second": models[j], "before": before, "after": after}
        seen.flips.append(Flip(**named, gaps=gaps if len(gaps) == 2 else None))
    if was.best != now.best:
        best, best_now = (tuple(models[place] for place in one.best) for one in (was, now))
        seen.leaders.append(LeaderChange(**about, before=best, after=best_now))
