"""What if scores are missing: how far rankings move when scores are taken away at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np

from weightlab._exact import BoolArray, IntArray
from weightlab._text import counted
from weightlab._validate import RngLike, one_of, seed_of
from weightlab.data import LeaderboardLike
from weightlab.exceptions import InputError
from weightlab.rules.inputs import WAYS, weighing
from weightlab.studies.parallel import checked_count, each_checked, generator_of
from weightlab.studies.question import Question, RulesLike, answering, checked_board, questions
from weightlab.studies.resampling.draws import RankingMoves, drawn, experiment
from weightlab.studies.resampling.places import of_cells

FIGURE_2 = ("mean", "optimality_gap", "minimax", "copeland")
"""The rules of Vote'n'Rank, figure 2."""
USUAL_PARTS = (20, 10, 5, 2.5)
"""Default denominators of the share of scores that is removed."""
MOST_TRIES = 1000
"""So often scores are drawn once more that would leave a model or a task none."""


class OmittedScores(RankingMoves, kind="omitted_scores"):
    """The rankings of one board by several rules, and of many boards that lack some of its scores: see `Draws`."""

    OPTIONS: ClassVar[tuple[str, ...]] = ("top",)
    ARGUMENTS: ClassVar[Mapping[str, str]] = {"omitted": "counts"}
    CLAIM: ClassVar[str] = "which scores are missing"

    def __str__(self) -> str:
        """Say which rule keeps its ranking best and which worst, when most scores are missing."""
        most = self.values("omitted")[-1]
        return f"Without {counted(most, 'score')} of {self.total} {self.best_and_worst(most)}"


@experiment
def missing_scores(
    board: LeaderboardLike,
    rules: RulesLike = None,
    *,
    counts: Iterable[int] | None = None,
    missing: str = "median",
    options: Mapping[str, Any] | None = None,
    top: int = 7,
    repeats: int = 100,
    rng: RngLike = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> OmittedScores:
    """Take scores of a board away at random, rank what is left, and compare with the ranking of the whole board.

    Parameters
    ----------
    board : Leaderboard
        What is ranked. Scores on tasks of weight 0 are never taken away. It may lack scores already.
    rules : rule, function, iterable or mapping of these, optional
        See `Question`. By default those of Vote'n'Rank, figure 2: mean, optimality gap, Minimax and Copeland, as far as
        they apply (the optimality gap needs ``options={"gamma": ...}``).
    counts : iterable of int, optional
        How many scores to take away; by default a twentieth, a tenth, a fifth and two fifths of them.
    missing : {"median", "last", "skip"}
        What rules that have such an option, and in which it is not set, make of a missing score. Rules that read duels
        have none: a missing score counts as a tie. Name a rule twice, in a mapping, to compare its ways.
    options : mapping, optional
        Options for all rules that have them.
    top : int
        How many of the first models to look at apart; at most all.
    repeats : int
        How many draws for each number of scores.
    rng : int or Generator, optional
        The seed of the draws; the result keeps it.
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``. The result does not depend on it.
    progress : callable, optional
        Called with the number of draws done since the last call.

    Returns
    -------
    OmittedScores
        ``.summary()`` ``.draws`` ``.left_out`` ``.verify()``; `taken_away` says which scores a draw takes away.

    Raises
    ------
    InputError
        If an option is wrong, or that many scores cannot be removed.
    MissingScoresError
        If a rule that is named needs every score and the board lacks some.

    Notes
    -----
    Every set of that many scores that leaves each model and each task one is equally likely. O(counts x repeats x
    rules) rankings. `lp.missing` says exactly what given gaps leave open, for all values that they may have.

    References
    ----------
    Vote'n'Rank, section 3.3 and figure 2.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.datasets.load_leaderboard("votenrank-a1")
    >>> found = missing_scores(board, ["mean", "copeland"], counts=[2, 4], repeats=50, rng=0)
    >>> found.summary()["tau_b"].round(2).to_dict()
    {('mean(missing=median)', 2): 0.7, ('mean(missing=median)', 4): 0.55, ('copeland', 2): 0.66, ('copeland', 4): 0.5}
    """
    board = checked_board(board)
    one_of("missing", missing, WAYS)
    asked = {
        one.name: one
        for question in questions(rules, options=options, default=FIGURE_2).values()
        for one in [_told(question, missing)]
    }

    def whole(question: Question) -> IntArray:
        return question.answer(board).levels(board.models)

    found, refusals = answering(asked, whole, usual=rules is None)
    known = {name: asked[name] for name in found}
    weigh, seed = weighing(board), seed_of(rng)
    present: BoolArray = ~weigh.cells.missing
    numbers = checked_counts(counts, int(present.sum()))
    times = checked_count("repeats", repeats, least=1)
    first = min(checked_count("top", top, least=1), len(board.models))
    levels = drawn(
        {name: of_cells(question, weigh) for name, question in known.items()},
        lambda draw, count: taken_away(present, count, seed, draw),
        numbers,
        repeats=times,
        width=present.size,
        n_jobs=n_jobs,
        progress=progress,
    )
    return OmittedScores(
        experiment="missing_scores",
        questions=known,
        settings={"omitted": tuple(map(Fraction, numbers))},
        models=board.models,
        rules=tuple(found),
        total=int(present.sum()),
        seed=seed,
        whole=np.array(list(found.values())),
        levels=levels,
        refusals=refusals,
        top=first,
    )


def _told(question: Question, missing: str) -> Question:
    """Return a question that knows what to make of a missing score, where its rule has such an option not yet set."""
    rule = question.rule
    if rule is None or rule.lacking or "missing" not in rule.parameters or "missing" in rule.options:
        return question
    return replace(question, rule=rule.using(missing=missing))


def taken_away(present: BoolArray, count: int, seed: int, draw: int) -> BoolArray:
    """Return which of the existing scores one draw removes.

    Every set of that many scores that leaves each model and each task one is equally likely: others are drawn over.

    Raises
    ------
    InputError
        If no such set was met in a thousand tries.
    """
    rng = generator_of(seed, draw, count)
    cells = np.flatnonzero(present)
    for _ in range(MOST_TRIES):
        gone = np.zeros(present.size, dtype=np.bool_)
        gone[rng.choice(cells, size=count, replace=False)] = True
        left = present & ~gone.reshape(present.shape)
        if left.any(axis=0).all() and left.any(axis=1).all():
            return gone.reshape(present.shape)
    raise InputError(
        f"{count} of {len(cells)} scores are too many to take away: in {MOST_TRIES} tries a model or a task was always "
        f"left without any"
    )


def checked_counts(counts: Iterable[int] | None, total: int) -> tuple[int, ...]:
    """Return how many scores are taken away, without repetition, or raise InputError."""
    if counts is None:
        return tuple(dict.fromkeys(max(1, int(total / part)) for part in USUAL_PARTS))
    listed = each_checked("counts", counts, partial(checked_count, "counts", least=1), such_as="[10, 20]")
    if not listed:
        raise InputError("counts: at least one number of scores is needed; got none")
    if max(listed) >= total:
        raise InputError(f"counts must leave some of the {total} scores; got {max(listed)}")
    return listed
