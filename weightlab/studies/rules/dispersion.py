"""How far the rankings of the tasks are from one another, and from the rankings that sum them up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np
import pandas as pd

from weightlab._exact import INT64_SAFE, AnyArray, IntArray, Number, fraction
from weightlab._result import Frozen, Result, ensure
from weightlab._text import counted
from weightlab._validate import seed_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Profile, as_table
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError, ProofError
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
        Mean distance of two tasks drawn by weight, one after the other (the same task may come twice).
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
        """Raise InputError for a penalty or a seed that is none."""
        checked_penalty(self.tie_penalty)
        seed_of(self.seed)

    @property
    def model_pairs(self) -> int:
        """How many pairs of models there are."""
        return pairs_of(self.answers.board.models)

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
        costs = KendallCosts.of(task_profile(self.answers.board, self.missing), self.tie_penalty)
        ensure(self.between == costs.between(), f"two tasks are {costs.between()} apart, not {self.between}")
        for name, answer in self.answers.items():
            own = costs.mean_distance(levels_in(answer.order, self.answers.board.models))
            ensure(self.distances.get(name) == own, f"the ranking by {name!r} is {own} from the tasks")
        ensure(len(self.distances) == len(self.answers), "a distance is told of a rule without a ranking")
        for number, one in enumerate(self.random):
            if one != _random_distance(costs, self.seed, number):
                raise ProofError(f"random ranking {number} of seed {self.seed} is at another distance")
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
    costs = KendallCosts.of(task_profile(board, missing), penalty)
    answers = ask(board, rules, options=options, default=TABLE_8)
    return Dispersion(
        answers=answers,
        between=costs.between(),
        distances={name: costs.mean_distance(levels_in(one.order, board.models)) for name, one in answers.items()},
        random=tuple(_random_distance(costs, seed, number) for number in range(repeats)),
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


def _random_distance(costs: KendallCosts, seed: int, number: int) -> Fraction:
    return costs.mean_distance(generator_of(seed, number).permutation(len(costs.wins)))


# Kendall distances of weak orders to all tasks of a profile at once, and between the tasks, from the duels alone.


class KendallCosts(Frozen):
    """What it costs to place one model above another, or tied with it: the weight of the tasks that say otherwise.

    Attributes
    ----------
    above : ndarray of int, models x models
        Cost of placing the row above the column, times ``denominator``.
    level : ndarray of int, models x models
        Cost of placing both level, times ``denominator``.
    tied : ndarray of int, models x models
        Weight of the tasks that tie the two, times ``scale``.
    wins : ndarray of int, models x models
        Weight of the tasks that place the row above the column, times ``scale``.
    penalty : Fraction
        What a pair costs that one order ties and the other does not.
    denominator, scale : int
        Of the costs and of the weights.
    total : Fraction
        The weight of all tasks.
    """

    above: AnyArray
    level: AnyArray
    tied: AnyArray
    wins: AnyArray
    penalty: Fraction
    denominator: int
    scale: int
    total: Fraction

    @classmethod
    def of(cls, profile: Profile, penalty: Fraction) -> Self:
        """Return the costs of a complete profile, O(models^2 x tasks)."""
        margins = profile.margins()
        largest = int(margins.wins.max(initial=0)) + int(margins.ties.max(initial=0))
        count = len(profile.models)
        safe = 4 * largest**2 * max(penalty.denominator, penalty.numerator) * count**2 < INT64_SAFE
        wins, tied = (one.astype(np.int64 if safe else object) for one in (margins.wins, margins.ties))
        parts, ties = penalty.denominator, penalty.numerator
        return cls(
            # Against "x above y" are the tasks with y above x, and those that tie the two, at the penalty each;
            # multiplied by the penalty's denominator to stay in integers.
            above=parts * wins.T + ties * tied,
            level=ties * (wins + wins.T),
            tied=tied,
            wins=wins,
            penalty=penalty,
            denominator=parts * margins.denominator,
            scale=margins.denominator,
            total=sum(profile.weights, Fraction(0)),
        )

    def mean_distance(self, levels: IntArray) -> Fraction:
        """Return the weighted mean distance of a weak order, given as places, to the tasks: O(models^2)."""
        higher = levels[:, None] < levels[None, :]
        same = np.triu(levels[:, None] == levels[None, :], 1)
        cost = int(self.above[higher].sum()) + int(self.level[same].sum())
        return Fraction(cost, self.denominator) / self.total

    def between(self) -> Fraction:
        """Return the mean distance of two tasks drawn by weight, one after the other: O(models^2).

        A pair of models parts two tasks if one places it this way and the other that way; so each pair is looked at
        once, not each pair of tasks.
        """
        parts, ties = self.penalty.denominator, self.penalty.numerator
        upper = np.triu_indices(len(self.wins), 1)
        there, back, tied = self.wins[upper], self.wins.T[upper], self.tied[upper]
        # Two tasks drawn one after the other differ on a pair in either order, hence twice each product.
        cost = int((2 * parts * there * back + 2 * ties * tied * (there + back)).sum())
        return Fraction(cost, parts * self.scale**2) / self.total**2


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


def pairs_of(models: Sequence[str]) -> int:
    """Return how many pairs of models there are: the greatest distance of strict orders."""
    return len(models) * (len(models) - 1) // 2
