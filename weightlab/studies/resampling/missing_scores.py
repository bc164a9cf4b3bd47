"""What if scores are missing: how far rankings move when scores are taken away at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np

from weightlab._exact import BoolArray
from weightlab._result import Frozen, Proof, Result, ensure
from weightlab._text import counted
from weightlab._validate import RngLike, one_of, seed_of
from weightlab.data import Leaderboard, LeaderboardLike, Margins, Signs
from weightlab.exceptions import InputError
from weightlab.rules import rank
from weightlab.rules.inputs import WAYS, Needs, weighing
from weightlab.rules.refusal import Refusal, refusal_of
from weightlab.studies.parallel import checked_count, each_checked, generator_of, parallel_map
from weightlab.studies.question import Answers, AskedRule, OfRules, Question, RulesLike, ask, checked_board, questions
from weightlab.studies.resampling.ranking_moves import MovedRankings, RankingMoves
from weightlab.studies.resampling.resample import Places, places_of_duels, places_of_function, places_of_rule

FIGURE_2 = ("mean", "optimality_gap", "minimax", "copeland")
"""The rules of Vote'n'Rank, figure 2."""


class OmittedScores(MovedRankings, OfRules, Result, kind="omitted_scores"):
    """The rankings of one board by several rules, and of many boards that lack some of its scores.

    Attributes
    ----------
    answers : Answers
        The rankings of the board itself by rule, with the board.
    moves : RankingMoves
        The rankings of the boards with fewer scores, by number of scores, draw and rule.
    seed : int
        The scores that draw ``i`` takes away follow from this seed, ``i`` and their number.
    repeats : int
        How many draws for each number.
    """

    answers: Answers
    moves: RankingMoves
    seed: int
    repeats: int

    def __post_init__(self) -> None:
        """Raise InputError for a seed, or a number of scores, that is none."""
        seed_of(self.seed)
        for count in self.counts:
            checked_count("counts", count, least=0)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many scores were taken away."""
        return self.moves.settings

    def omitted(self, count: int, draw: int) -> tuple[tuple[str, str], ...]:
        """Return which (model, task) pairs a draw takes away.

        Raises
        ------
        InputError
            If there is no such draw.
        """
        if count not in self.counts or not 0 <= draw < self.repeats:
            raise InputError(f"no draw {draw} that takes {counted(count, 'score')} away")
        board = weighing(self.answers.board)
        gone = taken_away(~board.cells.missing, count, self.seed, draw)
        return tuple((board.models[row], board.tasks[column]) for row, column in np.argwhere(gone).tolist())

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"which scores are missing": Proof.SAMPLED}

    def __str__(self) -> str:
        """Say which rule keeps its ranking best and which worst, when most scores are missing."""
        many = f"{counted(self.counts[-1], 'score')} of {int((~weighing(self.answers.board).cells.missing).sum())}"
        return f"Without {many} {self.best_and_worst(self.counts[-1])}"

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Take the same scores away and rank every board again; given the board, also check that it is the source.

        Raises
        ------
        ProofError
            Naming the first draw and rule that is wrong.

        Notes
        -----
        It takes as long as the study on one core.
        """
        self.answers.verify(source)
        ensure(self.rules == tuple(self.answers), "the rules are not those of the rankings of the whole board")
        ensure(self.moves.models == self.answers.board.models, "the models are not those of the board")
        self.moves.check("omitted", self.repeats)
        total = int((~weighing(self.answers.board).cells.missing).sum())
        ensure(self.counts == checked_counts(self.counts, total), "a number of scores is listed twice")
        found = _moves(self.answers, self.counts, self.repeats, self.seed, top=self.moves.top)
        self.moves.ensure_same(found)
        return True


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
        ``.summary()`` ``.draws`` ``.omitted(count, draw)`` ``.left_out`` ``.verify()``.

    Raises
    ------
    InputError
        If an option is wrong, or so many scores cannot be taken away.
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
    answers = _asked(board, rules, missing, options)
    total = int((~weighing(board).cells.missing).sum())
    numbers = checked_counts(counts, total)
    times = checked_count("repeats", repeats, least=1)
    first = min(checked_count("top", top, least=1), len(board.models))
    seed = seed_of(rng)
    return OmittedScores(
        answers=answers,
        moves=_moves(answers, numbers, times, seed, top=first, n_jobs=n_jobs, progress=progress),
        seed=seed,
        repeats=times,
    )


def _asked(board: Leaderboard, rules: RulesLike, missing: str, options: Mapping[str, Any] | None) -> Answers:
    """Return each rule's result on the whole board, with its treatment of missing scores."""
    one_of("missing", missing, WAYS)
    asked: dict[str, AskedRule] = {}
    refusals: list[Refusal] = []
    known = questions(rules, options=options, default=FIGURE_2)
    for name, question in known.items():
        rule = question.rule
        if rule is None:
            asked[name] = question.function or question.answer
        elif rules is None and rule.lacking:
            refusals += filter(None, [refusal_of(rule, partial(rank, board))])
        elif "missing" in rule.parameters and "missing" not in rule.options:
            filled = rule.using(missing=missing)
            asked[question.label or str(filled)] = filled
        else:
            asked[question.label or name] = rule
    return replace(ask(board, asked), refusals=tuple(refusals))


def _moves(
    answers: Answers,
    counts: tuple[int, ...],
    repeats: int,
    seed: int,
    *,
    top: int,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> RankingMoves:
    board = answers.board
    asked = [OmittedAnswers.of(question, board) for question in answers.questions.values()]
    present: BoolArray = ~weighing(board).cells.missing
    work = partial(_drawn, asked=asked, present=present, counts=counts, seed=seed)
    draws = parallel_map(work, range(repeats), n_jobs=n_jobs, progress=progress)
    reference = {
        name: (answer.levels(board.models), np.isin(np.array(board.models), list(answer.winners)))
        for name, answer in answers.found.items()
    }
    return RankingMoves.of(board.models, reference, draws, setting="omitted", settings=counts, top=top)


def _drawn(
    draw: int, *, asked: list[OmittedAnswers], present: BoolArray, counts: tuple[int, ...], seed: int
) -> list[list[Any]]:
    """Return the places by number of scores and rule in one draw."""
    gone = [taken_away(present, count, seed, draw) for count in counts]
    return [[one.places(cells) for one in asked] for cells in gone]


# Boards without some of their scores: which are taken away, and what a question says about the rest.

USUAL_PARTS = (20, 10, 5, 2.5)
"""Of all scores one in so many is taken away by default."""
MOST_TRIES = 1000
"""So often scores are drawn once more that would leave a model or a task none."""


class OmittedAnswers(Frozen):
    """A question to a board without some of its scores.

    Attributes
    ----------
    question : Question
        What is asked.
    board : Leaderboard
        The board without the tasks of weight 0.
    signs : Signs or None
        Who leads whom on each task, where the rule reads duels: the others lead each other as before.
    """

    question: Question
    board: Leaderboard
    signs: Signs | None

    @classmethod
    def of(cls, question: Question, board: Leaderboard) -> Self:
        """Return the way to ask a question of a board."""
        kept = weighing(board)
        duels = question.rule is not None and question.rule.needs is Needs.MARGINS and not board.tolerance
        plain = duels and not board.relative_tolerance and not (question.rule and question.rule.fills)
        return cls(question=question, board=kept, signs=kept.signs() if plain else None)

    def places(self, gone: BoolArray) -> Places:
        """Return its result without some scores (models x tasks)."""
        rule = self.question.rule
        if rule is None:
            return places_of_function(self.question, self._without(gone))
        if self.signs is None:
            return places_of_rule(rule, rule.data_of(self._without(gone)))
        levels = np.where(gone, np.nan, self.signs.levels)
        signs = Signs(models=self.board.models, tasks=self.board.tasks, levels=levels)
        margins = Margins.from_signs(signs, self.board.weights.tolist())
        return places_of_duels(rule, margins)

    def _without(self, gone: BoolArray) -> Leaderboard:
        return self.board.replace(cells=self.board.cells.where(~gone))


def taken_away(present: BoolArray, count: int, seed: int, draw: int) -> BoolArray:
    """Return which of the scores that are there one draw takes away.

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
