"""How far the rankings of the tasks are from one another, and from the rankings that sum them up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import IntArray, Number, fraction
from weightlab._result import Result, ensure
from weightlab._text import counted
from weightlab._validate import seed_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Profile, as_table
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError
from weightlab.rules import pooled
from weightlab.rules.inputs import Missing, Needs, complete_ranks, rule_data
from weightlab.rules.ranking import levels_in
from weightlab.studies.parallel import checked_count, generator_of
from weightlab.studies.question import Answers, OfRules, RulesLike, ask

TABLE_8 = ("borda", "mean")
"""The rules of Colombo et al., table 8."""


class Dispersion(OfRules, Result, kind="dispersion"):
    """Mean Kendall distances of rankings to the tasks, and of the tasks to one another.

    Attributes
    ----------
    answers : Answers
        The rankings by rule, with the board.
    between : Fraction
        Mean distance of two tasks drawn by weight independently (the same task may come twice).
    distances : dict from str to Fraction
        Weighted mean distance of each rule's ranking to the tasks.
    random : tuple of Fraction
        The same of each random strict ranking.
    tie_penalty : Fraction
        What a pair costs that one order ties and the other does not.
    missing : str
        What became of missing scores in the tasks' rankings.
    seed : int
        Random ranking ``i`` is drawn from the child ``i`` of this seed.
    """

    answers: Answers
    between: Fraction
    distances: Mapping[str, Fraction]
    random: tuple[Fraction, ...]
    tie_penalty: Fraction
    missing: Missing
    seed: int

    def __post_init__(self) -> None:
        """Raise InputError for an invalid penalty or seed."""
        checked_penalty(self.tie_penalty)
        seed_of(self.seed)

    @property
    def model_pairs(self) -> int:
        """How many pairs of models there are."""
        return comb(len(self.answers.board.models), 2)

    @property
    def total(self) -> Fraction:
        """The sum over all ordered pairs of tasks, each counted by its weight (equation (3) of Colombo et al.)."""
        weights = self.answers.board.weights.tolist()
        return self.between * sum(weights, Fraction(0)) ** 2

    @property
    def least(self) -> Fraction:
        """No ranking is nearer to the tasks than this share of what they are apart: half, or the tie penalty if less.

        Half by the triangle inequality. With a lesser penalty the distance is no metric: a ranking that ties a pair is
        twice the penalty away from two tasks together that order the pair in two ways, and these 1 from one another.
        """
        return self.between * min(Fraction(1, 2), self.tie_penalty)

    @property
    def draws(self) -> pd.DataFrame:
        """One row a random ranking, with its mean distance to the tasks."""
        return pd.DataFrame({"draw": range(len(self.random)), "distance": self.random})

    def __str__(self) -> str:
        """Say how far the tasks are apart, and which ranking is nearest to them."""
        nearest = min(self.distances, key=lambda name: self.distances[name])
        apart = float(self.between)
        return (
            f"Two tasks order {apart:.4g} of {counted(self.model_pairs, 'pair')} differently on average; the ranking "
            f"{rule_words(nearest)} differs from a task on {float(self.distances[nearest]):.4g}, and none on less than "
            f"{float(self.least):.4g}."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the mean distance by rule, of random rankings and between tasks, and each as a share of all pairs."""
        rows = dict(self.distances)
        if self.random:
            rows["random"] = sum(self.random, Fraction(0)) / len(self.random)
        rows["between tasks"] = self.between
        shares = {name: one / max(1, self.model_pairs) for name, one in rows.items()}
        return pd.DataFrame({"distance": rows, "share": shares})

    def verify(self, source: Leaderboard | Instances | None = None) -> bool:
        """Re-check every ranking, and work every distance out again; given the source, that the board is its own.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        board = None if source is None else ranked_board(source)
        self.answers.verify(board)
        own = _found(self.answers, self.tie_penalty, self.missing, self.seed, len(self.random))
        ensure(self.between == own.between, f"two tasks are {own.between} apart, not {self.between}")
        for name, distance in own.distances.items():
            ensure(self.distances.get(name) == distance, f"the ranking by {name!r} is {distance} from the tasks")
        ensure(len(self.distances) == len(own.distances), "there is a distance for a rule without a ranking")
        for number, (one, other) in enumerate(zip(self.random, own.random, strict=True)):
            ensure(one == other, f"random ranking {number} of seed {self.seed} is at another distance")
        return True


def dispersion(
    source: LeaderboardLike | Instances,
    rules: RulesLike = None,
    *,
    options: Mapping[str, Any] | None = None,
    tie_penalty: Number = "1/2",
    missing: Missing = "error",
    repeats: int = 100,
    rng: int | np.random.Generator | None = None,
) -> Dispersion:
    """Work out how far the tasks' rankings are apart, and how far from them the rankings by some rules are.

    Parameters
    ----------
    source : Leaderboard or Instances
        Tasks count with their weights; of Instances, each instance ranks the models, with the weight of its task.
    rules : rule, function, iterable or mapping of these, optional
        Whose rankings to compare: see `Question`. By default Borda and the mean, as far as they apply.
    options : mapping, optional
        Options for all rules that have them.
    tie_penalty : number
        The Kendall distance counts the pairs that two rankings order in opposite ways, and this for each pair that only
        one of them ties. With 1/2 it is a metric.
    missing : {"error", "last", "median"}
        In the tasks' rankings: refuse, let them tie for the last place, or fill them with the median of the task.
    repeats : int
        How many random strict rankings to compare with; 0 for none.
    rng : int, Generator or None
        The seed of these.

    Returns
    -------
    Dispersion
        ``.between`` ``.distances`` ``.random`` ``.total`` ``.least`` ``.summary()`` ``.draws`` ``.left_out``
        ``.verify()``.

    Raises
    ------
    MissingScoresError
        If scores are missing and may not be.
    InputError
        If an option is wrong or a rule has no answer.

    Notes
    -----
    Exact. O(models^2 x tasks), and not O(tasks^2 x models log models) as in the paper: two tasks part a pair of models
    if one has it this way and the other that way, so the two counts of each pair say it all. A strict random ranking
    is models (models - 1) / 4 away on average where no task ties.

    References
    ----------
    Colombo et al., "What are the best systems?", appendix C and table 8, which measures distances between lists of
    systems in order (inverse permutations) in place of ranks. Fagin et al., "Comparing and aggregating rankings with
    ties", PODS 2004, for the penalty.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 1, "c": 2}})
    >>> found = dispersion(board, ["borda"], repeats=0)
    >>> found.between, found.distances["borda"]
    (Fraction(1, 2), Fraction(1, 2))
    """
    board = ranked_board(source)
    penalty = checked_penalty(tie_penalty)
    checked_count("repeats", repeats, least=0)
    seed = seed_of(rng)
    task_profile(board, missing)  # before any rule is applied: it knows which ways with missing scores there are here
    return _found(ask(board, rules, options=options, default=TABLE_8), penalty, missing, seed, repeats)


def _found(answers: Answers, penalty: Fraction, missing: Missing, seed: int, repeats: int) -> Dispersion:
    profile, models = task_profile(answers.board, missing), answers.board.models
    measured = mean_distance(profile, penalty)
    drawn = (generator_of(seed, number).permutation(len(models)) for number in range(repeats))
    return Dispersion(
        answers=answers,
        between=mean_between(profile, penalty),
        distances={name: measured(levels_in(one.order, models)) for name, one in answers.items()},
        random=tuple(map(measured, drawn)),
        tie_penalty=penalty,
        missing=missing,
        seed=seed,
    )


def task_profile(board: Leaderboard, missing: Missing) -> Profile:
    """Return the complete rankings of the tasks that weigh.

    Raises
    ------
    MissingScoresError
        If scores are missing and may not be.
    """
    profile = rule_data(board, Needs.PLACES, missing=missing)
    if not isinstance(profile, Profile):
        raise InputError("margins have no tasks")  # pragma: no cover - a board is read as places
    ranks = complete_ranks(profile, missing)
    return Profile(models=profile.models, voters=profile.voters, ranks=ranks.astype(np.int32), weights=profile.weights)


def ranked_board(source: Any) -> Leaderboard:
    """Return the board whose tasks rank the models, of Instances with all instances as tasks, or raise InputError."""
    board = pooled(source) if isinstance(source, Instances) else as_table(source)
    if not isinstance(board, Leaderboard):
        raise InputError(f"this study is about a Leaderboard or Instances; got a {type(source).__name__}")
    return board


# Kendall distances of weak orders to all tasks of a profile at once, and between the tasks, from head-to-heads alone.


def mean_distance(profile: Profile, penalty: Fraction) -> Callable[[IntArray], Fraction]:
    """Return a function for the weighted mean distance of a weak order, as places, to a profile's tasks: O(models^2).

    Against "x above y" are the tasks with y above x, and those that tie the two, at the penalty each; against a tie are
    those that order the two, at the penalty.
    """
    margins, total = profile.margins(), sum(profile.weights, Fraction(0))
    wins, tied = margins.wins.astype(object), margins.ties.astype(object)
    parts, ties = penalty.denominator, penalty.numerator
    above, level = parts * wins.T + ties * tied, ties * (wins + wins.T)

    def measured(levels: IntArray) -> Fraction:
        higher, same = levels[:, None] < levels[None, :], np.triu(levels[:, None] == levels[None, :], 1)
        cost = int(above[higher].sum()) + int(level[same].sum())
        return Fraction(cost, parts * margins.denominator) / total

    return measured


def mean_between(profile: Profile, penalty: Fraction) -> Fraction:
    """Return the mean distance of two of a profile's tasks drawn independently by weight: O(models^2).

    A pair of models parts two tasks if one places it this way and the other that way; so each pair is examined once,
    not each pair of tasks.
    """
    margins, upper = profile.margins(), np.triu_indices(len(profile.models), 1)
    there, back, tied = (one.astype(object)[upper] for one in (margins.wins, margins.wins.T, margins.ties))
    # Two tasks drawn independently differ on a pair in either order, hence twice each product.
    cost = 2 * Fraction(int((there * back).sum())) + 2 * penalty * int((tied * (there + back)).sum())
    return cost / margins.denominator**2 / sum(profile.weights, Fraction(0)) ** 2


def distance(first: IntArray, second: IntArray, penalty: Fraction) -> Fraction:
    """Return the Kendall distance of two weak orders given as places: O(models^2).

    Pairs that they order in opposite ways, and ``penalty`` for each pair that only one of them ties.
    """
    one, other = (np.sign(levels[:, None] - levels[None, :]) for levels in (first, second))
    contrary, half = int((one * other < 0).sum()) // 2, int(((one == 0) != (other == 0)).sum()) // 2
    return contrary + penalty * half


def checked_penalty(given: Number) -> Fraction:
    """Return the cost of a pair tied in one order only, or raise InputError."""
    try:
        penalty = fraction(given)
    except InputError:
        raise InputError(f"tie_penalty must be a number from 0 to 1; got {given!r}") from None
    if not 0 <= penalty <= 1:
        raise InputError(f"tie_penalty must be a number from 0 to 1; got {given!r}")
    return penalty
