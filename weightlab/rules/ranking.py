"""What a rule says, in the user's names, with what it was read from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Self

import numpy as np
import pandas as pd

from weightlab._record import name_index
from weightlab._result import Proof, Result, ensure, fractions_to_json, read_fraction, result_from_dict, to_json
from weightlab._text import first_few
from weightlab._typing import Order
from weightlab.data import Instances
from weightlab.exceptions import InputError, ProofError
from weightlab.rules.documents import data_from_json, data_to_json, ensure_same_data
from weightlab.rules.entry import Data, Source, entered
from weightlab.rules.outcome import Outcome, Round
from weightlab.rules.preparation import Preparation
from weightlab.rules.registry import RuleLike
from weightlab.rules.registry import rule as registered
from weightlab.rules.rule import Rule

__all__ = ["Ranking", "rank", "winners"]

RELATIVE = 1e-9
"""Irrational scores are re-computed in floats, whose last digits differ between machines."""


@dataclass(frozen=True, kw_only=True, eq=False)
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
        The weak order, best first: exact, never from rounded scores.
    winners : tuple of str
        Who wins, in board order: the first of the order, or, for a rule with several optimal orders, the first of all.
    rounds : tuple of Round
        What happened in each round, for rules that eliminate.
    data : Leaderboard, Profile or Margins
        What the rule read: the tasks that weigh, missing scores filled where that was asked for.
    preparation : Preparation
        How the table that the rule read was made from the user's: as it is, with weights by group, from instances.
    witness : Result or None
        What proves an order that is not worked out from scores: ``order`` is read from it.
    """

    rule: Rule
    scores: pd.Series
    order: Order
    winners: tuple[str, ...]
    rounds: tuple[Round, ...] = ()
    data: Data = field(repr=False)
    preparation: Preparation = field(default=Preparation.none(), repr=False)
    witness: Result | None = field(default=None, repr=False)

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.data.models

    @property
    def ranks(self) -> pd.Series:
        """Ranks from 1 by model, best first; models that tie share the least rank."""
        ranks: dict[str, int] = {}
        for group in self.order:
            ranks.update(dict.fromkeys(group, len(ranks) + 1))
        return pd.Series(ranks, dtype=np.int64, name="rank")

    @property
    def proof(self) -> Proof:
        """How much of the claim ``verify`` re-checks."""
        return Proof.EXACT if self.witness is None else self.witness.proof

    def __str__(self) -> str:
        """Return the sentence that names the winner."""
        counted = f"{self.rule.counts}: {score_text(self.scores[self.order[0][0]])}"
        if len(self.winners) > 1:
            return (
                f"By {self.rule} {first_few(self.winners)} tie for the win among {len(self.models)} models ({counted})."
            )
        return f"By {self.rule} {self.winners[0]} wins among {len(self.models)} models ({counted})."

    def summary(self) -> pd.DataFrame:
        """Return rank and score (as a float, infinite beyond every float) of each model, best first."""
        return pd.DataFrame({"rank": self.ranks, "score": as_floats(self.scores)})

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
        if source is not None:
            missing = self.rule.options.get("missing", "error")
            prepared = self.preparation.apply(source)
            ensure_same_data(self.data, entered(prepared, self.rule.needs, missing=missing))
        _ensure_same(self, made(self.rule, self.data, self.preparation, self._outcome()))
        return True

    def _outcome(self) -> Outcome:
        if self.witness is None:
            ensure(self.rule.read is None, f"the rule {self.rule.name!r} needs a witness, and there is none")
            return self.rule.apply(self.data)
        self.witness.verify(self.data)
        if self.rule.read is None:
            raise ProofError(f"the rule {self.rule.name!r} has no witness")
        return self.rule.read(self.witness, **self.rule.options)

    def to_dict(self) -> dict[str, Any]:
        """Return the ranking ready for JSON, with what the rule read."""
        return {**self.claims(), "data": data_to_json(self.data)}

    def claims(self) -> dict[str, Any]:
        """Return the ranking ready for JSON, without what the rule read: rankings of one table share that."""
        exact = self.scores.dtype == object
        return {
            "kind": self.kind,
            "rule": self.rule.name,
            "options": to_json(dict(self.rule.options)),
            "winners": list(self.winners),
            "order": [list(group) for group in self.order],
            "scores": dict(
                zip(self.scores.index, to_json(self.scores.tolist()) if exact else self.scores.tolist(), strict=True)
            ),
            "rounds": _rounds_to_json(self.rounds),
            "preparation": self.preparation.to_dict(),
            "witness": None if self.witness is None else self.witness.to_dict(),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the ranking that ``to_dict`` wrote.

        Raises
        ------
        InputError
            If its form is wrong, or its rule is not in the registry.
        """
        return cls.claimed(document, data_from_json(document["data"]))

    @classmethod
    def claimed(cls, document: Mapping[str, Any], data: Data) -> Self:
        """Return the ranking of which ``claims`` wrote all but what the rule read."""
        witness = document["witness"]
        return cls(
            rule=registered(document["rule"], **document["options"]),
            scores=_scores_from_json(document["scores"]),
            order=tuple(tuple(group) for group in document["order"]),
            winners=tuple(document["winners"]),
            rounds=_rounds_from_json(document["rounds"]),
            data=data,
            preparation=Preparation.from_dict(document["preparation"]),
            witness=None if witness is None else result_from_dict(witness),
        )


def rank(source: Source, rule: RuleLike = "borda", /, **options: Any) -> Ranking:
    """Rank the models of a table by a rule.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        As far as the rule can read it: means need a leaderboard, rules that read places a leaderboard or a profile.
    rule : str or Rule
        A name of `RULES`, or a rule with its options.
    **options
        Options of the rule, such as ``ties="max"``, ``missing="skip"`` or ``gamma=0.95``.

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
    Tasks of weight 0 take no part. Rules that read duels count a missing score as nobody's lead.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 2, "b": 2, "c": 5}})
    >>> ranking = rank(board, "borda", ties="average")
    >>> ranking.ranks.to_dict()
    {'a': 1, 'c': 2, 'b': 3}
    >>> print(ranking)
    By borda(ties=average) a wins among 3 models (points: 2.5).
    """
    return prepared_rank(source, Preparation.none(), rule, **options)


def winners(source: Source, rule: RuleLike = "borda", /, **options: Any) -> tuple[str, ...]:
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
    data = entered(preparation.apply(source), chosen.needs, missing=chosen.options.get("missing", "error"))
    return made(chosen, data, preparation, chosen.apply(data))


def made(rule: Rule, data: Data, preparation: Preparation, outcome: Outcome) -> Ranking:
    """Return an outcome in the names of the data."""
    names = data.models
    order = tuple(tuple(map(names.__getitem__, group)) for group in outcome.order)
    places = [place for group in outcome.order for place in group]
    exact = all(isinstance(score, Fraction) for score in outcome.scores)
    scores = pd.Series(
        [outcome.scores[place] for place in places],
        index=name_index(names).take(places),
        dtype=object if exact else np.float64,
        name=rule.name,
    )
    first = outcome.order[0] if outcome.winners is None else outcome.winners
    return Ranking(
        rule=rule,
        scores=scores,
        order=order,
        winners=tuple(names[place] for place in first),
        rounds=outcome.rounds,
        data=data,
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
        ensure(claim.models == fact.models, f"round {number} is not among the models that were left")
        ensure(claim.left == fact.left, f"those who leave after round {number} are {fact.left}, not {claim.left}")
        ensure(claim.exact == fact.exact, f"the scores of round {number} are not those claimed")


def as_floats(scores: pd.Series) -> pd.Series:
    """Return scores as floats, infinite where they are beyond every float."""
    return scores.map(_as_float).astype(np.float64)


def score_text(score: Fraction | float) -> str:
    """Return the first six digits of a score of any size."""
    value = _as_float(score)
    if isinstance(score, Fraction) and math.isinf(value):
        rounded = Decimal(f"{Decimal(score.numerator) / score.denominator:.6g}")
        return str(rounded.normalize()).lower()
    return f"{value:.6g}"


def _as_float(score: Fraction | float) -> float:
    try:
        return float(score)
    except OverflowError:
        return math.inf if score > 0 else -math.inf


def _rounds_to_json(rounds: Sequence[Round]) -> list[dict[str, Any]]:
    """Return rounds ready for JSON; who takes part is said where it is not whoever the round before left in."""
    written: list[dict[str, Any]] = []
    for place, one in enumerate(rounds):
        known = place > 0 and one.models == _staying(rounds[place - 1])
        models = {} if known else {"models": list(one.models)}
        written.append({**models, "scores": fractions_to_json(one.exact), "left": list(one.left)})
    return written


def _rounds_from_json(documents: Sequence[Mapping[str, Any]]) -> tuple[Round, ...]:
    rounds: list[Round] = []
    for one in documents:
        models = _staying(rounds[-1]) if rounds and "models" not in one else tuple(one["models"])
        scores = [read_fraction(score, "a score of a round") for score in one["scores"]]
        if len(scores) != len(models):
            raise InputError(f"{len(scores)} scores for the {len(models)} models of a round")
        rounds.append(Round.of(models, scores, tuple(one["left"])))
    return tuple(rounds)


def _staying(one: Round) -> tuple[str, ...]:
    left = set(one.left)
    return tuple(model for model in one.models if model not in left)


def _scores_from_json(document: Mapping[str, Any]) -> pd.Series:
    values: Sequence[Any] = list(document.values())
    if all(isinstance(value, float) for value in values):
        return pd.Series(values, index=list(document), dtype=np.float64)
    exact = [read_fraction(value, f"the score of {model!r}") for model, value in document.items()]
    return pd.Series(exact, index=list(document), dtype=object)
