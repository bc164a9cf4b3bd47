"""What a rule says, in the user's names, with what it was read from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import IntArray, as_float
from weightlab._result import (
    Codec,
    Proof,
    Result,
    Seen,
    ensure,
    name_index,
    read_items,
    read_numbers,
    to_json,
)
from weightlab._text import first_few, without
from weightlab.data import Instances, Leaderboard, Margins, Order, Profile, as_table
from weightlab.data.linear_rule import CONDORCET, MAJORITY, rule_words
from weightlab.exceptions import MissingScoresError, ProofError
from weightlab.graph import OptimalOrder, RankedPairsRanking
from weightlab.graph.median_orders.result import either, orders_text
from weightlab.rules.inputs import Data, Preparation, Source, of_ballots
from weightlab.rules.outcome import Elimination, Outcome, Round
from weightlab.rules.registry import AnyRule, Rule, RuleLike
from weightlab.rules.registry import rule as registered

COPELAND = "copeland"
RELATIVE = 1e-9
"""Irrational scores are re-computed in floats, whose last digits differ between machines."""


def read_scores(value: Any, what: str) -> Mapping[str, Fraction | float]:
    """Return scores by model, all of them fractions or all floats, or raise InputError."""
    written = dict(read_items(value, what))
    floats = all(isinstance(score, float) for score in written.values())
    return written if floats else read_numbers(written, "the score")


def eliminations_of(rounds: Sequence[Elimination]) -> tuple[Elimination, ...]:
    """Return rounds without who takes part, which follows from who left before."""
    return tuple(Elimination(numerators=one.numerators, denominator=one.denominator, left=one.left) for one in rounds)


def scores_field(called: Callable[[Any], str | None]) -> Seen[Any]:
    """Return a field of scores by model, or of none; ``called`` gives the name of the Series that it is seen as."""

    def see(record: Any, held: Mapping[str, Fraction | float] | None) -> pd.Series | None:
        if held is None:
            return None
        kind = object if not held or any(isinstance(score, Fraction) for score in held.values()) else None
        return pd.Series([*held.values()], index=name_index(tuple(held)), dtype=kind, name=called(record))

    held = Annotated[Any, Codec(to_json, read_scores)]
    return Seen(held, lambda scores: None if scores is None else {str(one): own for one, own in scores.items()}, see)


RankedSource: TypeAlias = Leaderboard | Profile | Margins | Instances
"""What a ranking is of, and carries."""


def ensure_same_source(carried: RankedSource, given: Any) -> None:
    """Raise ProofError, naming the first difference, unless a result carries the given source, if any."""
    if given is None or carried is given:
        return
    if isinstance(carried, Leaderboard | Profile):
        carried.ensure_same(given, in_order=True)
    else:
        alike = isinstance(given, type(carried)) or isinstance(carried, type(given))
        ensure(alike, f"the result is of {type(carried).__name__}, not {type(given).__name__}")
        carried.ensure_same(given)


def read_by(rule: Rule, source: RankedSource, preparation: Preparation) -> Data:
    """Return the prepared input of a rule from a source."""
    return rule.data_of(preparation.apply(source))


class Ranking(Result, kind="ranking"):
    """A weak order of the models by a rule.

    Attributes
    ----------
    rule : Rule
        With its options.
    scores : Series
        By model, best first, in units of ``rule.counts``: exact (Fraction), or floats for rules whose scores are
        irrational. A rule that only orders scores the number of models left behind.
    order : tuple of tuples of str
        The weak order, best first: exact, never from rounded scores. Of a rule with several optimal orders one of them,
        the witness; ``ranks``, ``ranges``, ``places`` and ``winners`` are about all.
    winners : tuple of str
        Who wins, in board order: the first of the order, or, for a rule with several optimal orders, the first of any.
    rounds : tuple of Round
        What happened in each round, for rules that eliminate.
    source : Leaderboard, Profile, Margins or Instances
        What is ranked.
    preparation : Preparation
        How the table that the rule reads is made from it: as it is, with weights by group, from instances.
    witness : Result or None
        What proves an order that is not worked out from scores: ``order`` is read from it.
    """

    rule: AnyRule
    winners: tuple[str, ...]
    order: Order
    scores: Seen[pd.Series] = scores_field(lambda ranking: ranking.rule.name)
    rounds: Seen[tuple[Round, ...]] = Seen(tuple[Elimination, ...], eliminations_of, lambda one, held: one.among(held))
    preparation: Preparation = Preparation.none()
    source: RankedSource
    witness: Result | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.source.models

    def among(self, eliminations: Sequence[Elimination]) -> tuple[Round, ...]:
        """Return rounds with who takes part: all that no round before eliminates; raise InputError if scores lack."""
        models, rounds = self.models, list[Round]()
        for one in eliminations:
            rounds.append(Round(models=models, numerators=one.numerators, denominator=one.denominator, left=one.left))
            models = tuple(without(models, one.left))
        return tuple(rounds)

    @cached_property
    def data(self) -> Data:
        """What the rule reads: the tasks that weigh, missing scores filled if requested."""
        return read_by(self.rule, self.source, self.preparation)

    @property
    def optimal(self) -> OptimalOrder | None:
        """What is known of all optimal orders, for a rule that has them: Kemeny's and Slater's."""
        return self.witness if isinstance(self.witness, OptimalOrder) else None

    @cached_property
    def places(self) -> Order:
        """The weak order of the ranks, best first: models that share a rank tie, whatever order is the witness."""
        if self.optimal is None:
            return self.order
        best = self.optimal.ranges["best"]
        return tuple(tuple(group.index) for _, group in best.groupby(best, sort=True))

    @property
    def ranges(self) -> pd.DataFrame | None:
        """Between which ranks each model is in the optimal orders, as ``KemenyRanking.ranges``; None of other rules."""
        return None if self.optimal is None else self.optimal.ranges

    @property
    def ranks(self) -> pd.Series:
        """Ranks from 1 by model, best first; models that tie share the least rank.

        Of a rule with several optimal orders the best rank that each model takes in any of them.
        """
        ranks: dict[str, int] = {}
        for group in self.places:
            ranks.update(dict.fromkeys(group, len(ranks) + 1))
        if self.optimal is not None:
            ranks = {str(model): int(best) for model, best in self.optimal.ranks.items()}
        return pd.Series(list(ranks.values()), index=name_index(tuple(ranks)), dtype=np.int64, name="rank")

    def levels(self, models: Sequence[str]) -> IntArray:
        """Return the place of each of these models in the order, from 0; models that tie share one."""
        return levels_in(self.places, models)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return super().proofs if self.witness is None else self.witness.proofs

    def __str__(self) -> str:
        """Return the sentence that names the winner."""
        by = rule_words(self.rule, begins=True)
        counted = f"{self.rule.counts}: {score_text(self.scores[self.places[0][0]])}"
        if self.optimal is not None and len(self.winners) > 1:
            count = len(self.models)
            several = f"{orders_text(self.optimal.number, self.optimal.at_least)} are optimal"
            return f"{by}, {either(self.winners)} is first among {count:,} models: {several}."
        tail = ""
        if isinstance(self.witness, RankedPairsRanking) and self.witness.tie_break_mattered:
            tail = " It depends on how ties between majorities are broken"
            tail += f": {either(self.witness.may_win)} may win, too." if self.witness.may_win else "."
        wins = f"{first_few(self.winners)} tie for the win" if len(self.winners) > 1 else f"{self.winners[0]} wins"
        return f"{by}, {wins} among {len(self.models):,} models ({counted}).{tail}"

    def to_frame(self) -> pd.DataFrame:
        """Return rank and score of each model, best first."""
        frame = pd.DataFrame({"rank": self.ranks, "score": self.scores})
        if self.optimal is not None:
            frame.insert(1, "ranks", pd.Series(self.optimal.places, index=list(self.models)))
        return frame

    def verify(self, source: Source | Instances | None = None) -> bool:
        """Work the ranking out again, exactly, from what it carries; given the source, check that this is the source's.

        A ranking with a witness is read from the witness, which is verified first.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure_same_source(self.source, source)
        if isinstance(self.source, Margins):
            self.source.check()
        _ensure_same(self, ranking_of(self.rule, self.source, self.preparation, self._outcome()))
        return True

    def _outcome(self) -> Outcome:
        if self.witness is None:
            ensure(self.rule.read is None, f"the rule {self.rule.name!r} needs a witness, and has none")
            return self.rule.apply(self.data)
        self.witness.verify(self.data)
        if self.rule.read is None:
            raise ProofError(f"the rule {self.rule.name!r} has no witness")
        return self.rule.read(self.witness, **self.rule.own_options)


def own_rule_name(source: object) -> str:
    """Return the rule by which a source is ranked by default.

    A table's own; Borda of rankings, Copeland of pairwise margins, as of a table whose rule is the majority: it ranks
    all models.
    """
    if isinstance(source, Leaderboard):
        return COPELAND if source.rule in (MAJORITY, CONDORCET) else source.rule
    return COPELAND if isinstance(source, Margins) else "borda"


def rank(source: Source, rule: RuleLike | None = None, **options: Any) -> Ranking:
    """Rank the models of a table by a rule.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        As far as the rule can read it: means need a leaderboard, rules that read places a leaderboard or a profile.
    rule : str or Rule, optional
        A name of `RULES`, or a rule with its options. By default the table's own (`Leaderboard.rule`), Borda for
        rankings, Copeland for duels.
    **options
        Options of the rule, such as ``ties="max"``, ``missing="skip"`` or ``gamma=0.95``. Every rule takes
        ``missing=0``, or another score that stands for missing ones, and every rule that reads rankings or majorities
        ``unlisted="last"`` or ``"unknown"`` of models that a voter (or a task) leaves out; by default a profile stands
        as it was read.

    Returns
    -------
    Ranking
        ``.scores`` ``.ranks`` ``.winners`` ``.order`` ``.rounds`` ``.verify()``.

    Raises
    ------
    UnknownNameError
        If there is no such rule.
    MissingScoresError
        If the rule reads scores or places, some are missing, and no ``missing=`` says what to do about that.
    NoWinnerError, ImpossibleError
        If the rule has no answer: no Condorcet winner, no Bradley-Terry estimate.

    Notes
    -----
    Tasks of weight 0 take no part. Rules that read duels count a missing score as a tie, and refuse ``missing="last"``
    and the like.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 2, "b": 2, "c": 5}})
    >>> ranking = rank(board, "borda", ties="average")
    >>> ranking.ranks.to_dict()
    {'a': 1, 'c': 2, 'b': 3}
    >>> print(ranking)
    By Borda (ties=average), a wins among 3 models (points: 2.5).
    """
    asked: RankedSource = as_table(source)
    return prepared_rank(asked, Preparation.none(), own_rule_name(asked) if rule is None else rule, **options)


def winners(source: Source, rule: RuleLike | None = None, **options: Any) -> tuple[str, ...]:
    """Return who wins by a rule, in board order; the parameters are those of `rank`.

    Examples
    --------
    >>> import weightlab as wl
    >>> winners(wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]), "minimax", score="margins")
    ('a', 'b', 'c')
    """
    return rank(source, rule, **options).winners


def prepared_rank(source: Source | Instances, preparation: Preparation, rule: RuleLike, /, **options: Any) -> Ranking:
    """Rank the models of a source by a rule once it is prepared."""
    chosen = registered(rule, **options)
    asked: RankedSource = as_table(source)
    try:
        outcome = chosen.apply(read_by(chosen, asked, preparation))
    except MissingScoresError as error:
        raise (of_ballots(error) if isinstance(asked, Profile) else error) from None
    return ranking_of(chosen, asked, preparation, outcome)


def ranking_of(rule: Rule, source: RankedSource, preparation: Preparation, outcome: Outcome) -> Ranking:
    """Return an outcome in the names of the source."""
    names = source.models
    order = tuple(tuple(map(names.__getitem__, group)) for group in outcome.order)
    places = [place for group in outcome.order for place in group]
    first = outcome.order[0]
    return Ranking(
        rule=rule,
        scores={names[place]: outcome.scores[place] for place in places},
        order=outcome.witness.order if isinstance(outcome.witness, OptimalOrder) else order,
        winners=tuple(names[place] for place in first),
        rounds=outcome.rounds,
        source=source,
        preparation=preparation,
        witness=outcome.witness,
    )


def _ensure_same(claimed: Ranking, found: Ranking) -> None:
    """Raise ProofError at the first difference between what is claimed and what was found."""
    ensure(claimed.order == found.order, f"the order by {claimed.rule} is not the one claimed")
    ensure(claimed.winners == found.winners, f"the winners by {claimed.rule} are {found.winners}")
    ensure(list(claimed.scores.index) == list(found.scores.index), "the scores are not in the order of the ranking")
    for model, claim, fact in zip(found.scores.index, claimed.scores, found.scores, strict=True):
        same = (
            claim == fact if isinstance(fact, Fraction) else math.isclose(claim, fact, rel_tol=RELATIVE, abs_tol=1e-12)
        )
        ensure(same, f"the score of {model!r} by {claimed.rule} is {fact}, not {claim}")
    ensure(len(claimed.rounds) == len(found.rounds), f"there are {len(found.rounds)} rounds, not {len(claimed.rounds)}")
    for number, (claim, fact) in enumerate(zip(claimed.rounds, found.rounds, strict=True), start=1):
        ensure(claim.left == fact.left, f"those who leave after round {number} are {fact.left}, not {claim.left}")
        ensure(claim.exact == fact.exact, f"the scores of round {number} are not those claimed")


def levels_in(order: Order, models: Sequence[str]) -> IntArray:
    """Return the place of each of these models in an order, from 0; models that tie share one."""
    level = {model: place for place, group in enumerate(order) for model in group}
    return np.array([level[model] for model in models], dtype=np.int64)


DIGITS = 6
"""Significant digits of a score, where no more are needed to tell it from its neighbours."""


def score_text(score: Fraction | float, digits: int = DIGITS) -> str:
    """Return a score of any size: whole numbers of up to 25 digits whole, others to this many significant digits.

    Thousands stand apart, as in 1,299.5.
    """
    if isinstance(score, Fraction) and score.denominator == 1 and abs(score.numerator) < 10**25:
        return f"{score.numerator:,}"
    value = as_float(score)
    if isinstance(score, Fraction) and (math.isinf(value) or digits > np.finfo(float).precision):
        with localcontext(prec=digits):
            exact = (Decimal(score.numerator) / score.denominator).normalize()
        return f"{exact:,f}" if -5 < exact.adjusted() < digits else str(exact).lower()
    return f"{value + 0.0:,.{digits}g}"  # zero has no sign


def score_texts(scores: Sequence[Fraction | float]) -> list[str]:
    """Return scores in the order of a ranking, with as many digits as tell neighbours that differ apart."""
    digits = dict.fromkeys(scores, DIGITS)
    different = list(digits)
    for place, other in enumerate(different[1:]):
        one = different[place]
        while score_text(one, digits[other]) == score_text(other, digits[other]):
            digits[other] += 1
        digits[one] = max(digits[one], digits[other])
    return [score_text(score, digits[score]) for score in scores]
