"""Questions about two models, and the model that a few answers prove to be the best for the person who gave them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, Number, fraction
from weightlab._result import ByName, Proof, Record, Seen, ensure, exact_series
from weightlab._solver import Rows, deadline_in, within
from weightlab._solver.propose import smallest, smallest_program
from weightlab._text import counted, in_words, percent
from weightlab._validate import one_of
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.linear_rule import LinearRule, PointsLike, RuleLike, Scale
from weightlab.data.points import Missing, Points, Ties
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.by_model import ByRule
from weightlab.lp.certificate import check_bound, check_exact, check_point
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.choosing.shortlist import Mixture, loss_words
from weightlab.lp.choosing.shortlist_search import Search
from weightlab.lp.ranks.rank_range import End, rank_end
from weightlab.lp.sampling.draws import draws_from
from weightlab.lp.space.conditions import ZERO, Bounded, Relation
from weightlab.lp.space.space import WeightSpace, space_for

DRAWS = 1_000
"""Weightings that a question is chosen by."""
FAVOURITES = 12
"""Models from which the next pair is chosen."""
RANKS_IN = 5
"""Seconds for the ranks of the leader."""
EVEN = 0.02
"""Where the best pair leaves a smaller part of the draws on one side, the leader meets its strongest rival."""
Says: TypeAlias = Literal["first", "equal", "skip"]
AnswerLike: TypeAlias = "tuple[str, str] | tuple[str, str, str] | Answer"
"""The model that one would rather have and the other; a third text says ``"equal"`` or ``"skip"`` instead."""


class Answer(Record, eq=True):
    """An answer about two models.

    Attributes
    ----------
    first, second : str
        The models; of a ``"first"`` answer the first is the one preferred.
    says : {"first", "equal", "skip"}
        The first rather than the second, both about equal, or no answer.
    """

    first: str
    second: str
    says: Says

    @classmethod
    def of(cls, given: Any, models: Sequence[str]) -> Answer:
        """Return an answer about two different models of a table."""
        if isinstance(given, Answer):
            given = (given.first, given.second, given.says)
        if isinstance(given, str) or not isinstance(given, Sequence) or len(given) not in (2, 3):
            raise InputError(
                f"an answer is a pair of models, the preferred one first, and maybe 'equal' or 'skip'; got {given!r}"
            )
        first, second, *rest = given
        for model in (first, second):
            if model not in models:
                raise UnknownNameError("model", model, models)
        if first == second:
            raise InputError(f"an answer is about two models; got {first!r} twice")
        says: Says = one_of("says", rest[0] if rest else "first", get_args(Says))
        return cls(first=first, second=second, says=says)

    def __str__(self) -> str:
        """Say the answer."""
        words = {"first": "rather than", "equal": "about equal to", "skip": "or"}[self.says]
        return f"{self.first} {words} {self.second}" + (" (skipped)" if self.says == "skip" else "")


class Asked(ByRule, kind="asked"):
    """What some answers prove, or the next question.

    Attributes
    ----------
    rule, points, space
        The rule, the points of all models on all tasks, the weights that were allowed before any answer.
    answers : tuple of Answer
        As they were given.
    loss : Fraction
        How much less than the best the proved model may have, in points of the rule.
    equal : Fraction
        About equal: the lead is below this part of the largest lead that one of both has on a task.
    weights : Series of Fraction by task
        Weights that fit all answers strictly, without those in ``withdraw``.
    conflict : Mixture or None
        Shares of answers that cannot all hold, though without any one of them the others can: under no weights is that
        mixture of their leads above 0.
    withdraw : tuple of int
        Numbers (from 1) of few answers without which the others can hold.
    leader : str or None
        The model that is proved, or that leads under most of the weightings drawn; None where answers contradict.
    mixtures : mapping from model to Mixture
        For each other model what shows that the leader is at most ``loss`` behind it; empty where that is not proved.
    won : mapping from model to int
        How many of the weightings drawn each model wins; empty where the leader is proved.
    next : tuple of two str, or None
        The pair to ask about; None where the leader is proved, nothing is left to ask, or answers contradict.
    seed : int
        What the draws follow from.
    """

    points: Points
    answers: tuple[Answer, ...]
    loss: Fraction
    equal: Fraction
    weights: Seen[pd.Series] = ByName("space.tasks")
    conflict: Mixture | None
    withdraw: tuple[int, ...]
    leader: str | None
    mixtures: Mapping[str, Mixture]
    won: Mapping[str, int]
    next: tuple[str, str] | None
    seed: int

    @property
    def settled(self) -> bool:
        """Whether the leader is proved: first, within the loss, under every weighting that fits the answers."""
        return self.leader is not None and self.next is None and not self.won

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """A proved model and a contradiction are exact; who leads before that is sampled."""
        if self.conflict is not None or self.settled:
            return {"everything": Proof.EXACT}
        return {"some weights fit the answers": Proof.EXACT, "who leads most often": Proof.SAMPLED}

    @cached_property
    def rows(self) -> dict[str, tuple[Fraction, ...]]:
        """What an answer asks to be above 0 under the weights: a row per preference, two per pair about equal."""
        return rows_of(self.points, self.answers, self.equal)

    @cached_property
    def allowed(self) -> WeightSpace:
        """The weights that fit the answers, ties allowed, without those in ``withdraw``: for any other question."""
        return _allowed(self.space, _kept(self.rows, self.withdraw))

    @cached_property
    def ranks(self) -> tuple[int, int] | None:
        """The best and the worst rank that the leader can have under the weights that fit; None without a leader.

        Both are proved. What takes longer than `RANKS_IN` seconds may be wider than it need be.
        """
        if self.leader is None:
            return None
        deadline = deadline_in(RANKS_IN)
        best, worst = (
            rank_end(self.points, self.leader, self.allowed, end, deadline=deadline).bound for end in get_args(End)
        )
        return best, worst

    def __str__(self) -> str:
        """Say what the answers prove."""
        fit = f" that fits your {counted(len(self.answers), 'answer')}" if self.answers else ""
        if self.conflict is not None:
            told = [f"{number} ({self.answers[number - 1]})" for number in self.conflicting]
            out = in_words([str(one) for one in self.withdraw])
            clash = f"no weights fit answers {in_words(told, len(told))} together"
            return f"{self.by_rule}, {clash}. Without {out} the others can hold."
        if self.settled:
            near = (
                f"within {loss_words(self.loss, of_range=False)} of the best"
                if self.loss
                else "first or tied for first"
            )
            alike = "".join(f" {one} has the same scores." for one in self.twins[:1])
            alike = f" {in_words(list(self.twins), 5)} have the same scores." if len(self.twins) > 1 else alike
            return f"{self.by_rule}, {self.leader} is {near} under every weighting{fit}, by these scores.{alike}"
        some = sorted(self.won, key=lambda model: -self.won[model])
        drawn = sum(self.won.values())
        shares = [percent(Fraction(self.won[model], max(1, drawn))) for model in some[:5]]
        fit = " that fit your answers" if self.answers else ""
        often = f"{some[0]} is first under {shares[0]} of {drawn:,} sampled weightings{fit}" if some else ""
        led = ", ".join(
            [often, *(f"{model} under {share}" for model, share in list(zip(some, shares, strict=False))[1:])]
        )
        more = f" and {len(some) - 5} more" if len(some) > 5 else ""
        asked = (
            "No other question would tell them apart."
            if self.next is None
            else f"Next: would you rather have {self.next[0]} or {self.next[1]}?"
        )
        return f"{self.by_rule}, {led}{more}. {asked}"

    @property
    def twins(self) -> tuple[str, ...]:
        """The other models with the leader's points on every task: whatever is proved of it holds of them."""
        if self.leader is None:
            return ()
        even = (self.points.matrix(self.leader) == 0).all(axis=1)
        return tuple(model for model, one in zip(self.points.rivals(self.leader), even, strict=True) if one)

    @property
    def conflicting(self) -> tuple[int, ...]:
        """Numbers of the answers that cannot all hold."""
        return () if self.conflict is None else tuple(sorted({_number(name) for name in self.conflict.shares}))

    def to_frame(self) -> pd.DataFrame:
        """Return the models that can lead, with how many of the weightings drawn each wins; the proved one alone."""
        won = {self.leader: 1} if self.settled else dict(self.won)
        return (
            pd.DataFrame({"won": pd.Series(won, dtype=object)}).rename_axis("model").sort_values("won", ascending=False)
        )

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check in exact arithmetic what the answers prove; draws are not repeated.

        Parameters
        ----------
        source : Leaderboard or Profile, optional
            The table; its points must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        self.check_kind(None)
        self.rule.check(self.points, self.space.tasks, source)
        models = self.points.models
        for one in self.answers:
            ensure(Answer.of(one, models) == one, "an answer has another form")
        check_exact(loss=self.loss, equal=self.equal)
        ensure(self.loss >= 0 and self.equal >= 0, "a loss, or what is about equal, is negative")
        ensure(set(self.withdraw) <= set(range(1, len(self.answers) + 1)), "an answer is withdrawn that was not given")
        ensure(
            bool(self.withdraw) == (self.conflict is not None),
            "answers are withdrawn where, and only where, some conflict",
        )
        counted_draws = set(self.won) <= set(models) and all(count >= 0 for count in self.won.values())
        ensure(counted_draws, "a model wins fewer than 0 draws, or is not among the models")
        weights = self.weights.tolist()
        check_point(weights, self.space)
        for name, row in _kept(self.rows, self.withdraw).items():
            lead = sum((one * weight for one, weight in zip(row, weights, strict=True)), ZERO)
            ensure(lead > 0, f"the weights do not fit answer {name}: its lead is {lead}")
        if self.conflict is not None:
            names = list(self.rows)
            ensure(self.conflict.loss <= 0, "the conflict leaves room for weights")
            ensure(self.leader is None and not self.mixtures and self.next is None, "answers conflict, and one leads")
            (matrix, unit), proof = whole_rows(self.rows.values()), self.conflict
            check_bound(matrix, names, proof.shares, proof.vectors, self.space, bound=proof.loss, unit=unit)
            return True
        ensure(self.leader in models, "the leader is not among the models")
        ensure(self.next is None or len({*self.next} & {*models}) == 2, "no next question about two models")
        if not self.mixtures:
            ensure(self.won or len(models) == 1, "nothing is proved, and nothing was drawn")
            return True
        ensure(not self.won and self.next is None, "a proved model needs no draws and no question")
        ensure(set(self.mixtures) == set(models) - {str(self.leader)}, "there must be one mixture per other model")
        own = self.points.matrix(str(self.leader))
        for place, model in enumerate(self.points.rivals(str(self.leader))):
            shown = self.mixtures[model]
            ensure(shown.loss <= self.loss, f"{model!r} may be ahead by {shown.loss}, more than {self.loss}")
            parts = (-own[place][None], [str(self.leader)], shown.shares, shown.vectors, self.allowed)
            check_bound(*parts, bound=shown.loss, unit=self.points.denominator)
        return True


def rows_of(points: Points, answers: Sequence[Answer], equal: Fraction) -> dict[str, tuple[Fraction, ...]]:
    """Return by name what answers ask to be above 0: the lead of the one preferred, or what about equal leaves."""
    found: dict[str, tuple[Fraction, ...]] = {}
    for number, one in enumerate(answers, start=1):
        lead = [
            Fraction(int(own), points.denominator)
            for own in points.over_all(points.models.index(one.first))[points.models.index(one.second)]
        ]
        if one.says == "first":
            found[str(number)] = tuple(lead)
        elif one.says == "equal" and any(lead):
            room = equal * max(map(abs, lead))
            found[f"{number}-"] = tuple(room - own for own in lead)
            found[f"{number}+"] = tuple(room + own for own in lead)
    return found


def whole_rows(rows: Iterable[Sequence[Fraction]]) -> tuple[AnyArray, int]:
    """Return rows of fractions as integers over a unit."""
    listed = [list(row) for row in rows]
    unit = lcm(*[one.denominator for row in listed for one in row])
    return np.array([[int(one * unit) for one in row] for row in listed], dtype=object), unit


def _number(name: str) -> int:
    return int(name.strip("+-"))


def _kept(rows: Mapping[str, tuple[Fraction, ...]], without: Collection[int]) -> dict[str, tuple[Fraction, ...]]:
    return {name: row for name, row in rows.items() if _number(name) not in without}


def _allowed(space: WeightSpace, rows: Mapping[str, Sequence[Fraction]]) -> WeightSpace:
    """Return the space with the closed rows of answers."""
    terms = [{task: one for task, one in zip(space.tasks, row, strict=True) if one} for row in rows.values()]
    return space.and_condition(*(Bounded(tasks=one, relation=Relation.AT_LEAST, bound=ZERO) for one in terms if one))


def ask(
    board: SignsLike,
    answers: Iterable[AnswerLike] = (),
    *,
    loss: Number = 0,
    equal: Number = "1/100",
    rule: RuleLike = "mean",
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> Asked:
    """Return the model that some answers prove to be the best for you, or the next question.

    Parameters
    ----------
    board : Leaderboard or Profile
        The table.
    answers : iterable of pairs
        ``("A", "B")``: A rather than B; ``("A", "B", "equal")``: about equal; ``("A", "B", "skip")``: not asked again.
    loss : number, optional
        The model may be this much below the best, in points of the rule.
    equal : number, optional
        About equal means: a lead below this part of the largest lead that one of both has on a task.
    rule : str or sequence of numbers
        ``"mean"``, ``"borda"``, ``"plurality"``, ``"veto"``, ``"dowdall"`` or the points of the places.
    ties, missing : str, optional
        Options of rules by place, as for ``board.points()``.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Weights allowed before any answer.
    seed : int, optional
        What the draws behind the next question follow from: the same answers and seed give the same question.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    Asked

    Raises
    ------
    InputError, UnknownNameError, MissingScoresError
        If an answer is about a model that is not in the table or about one model, or the rule does not read the table.
    EmptySpaceError
        If no weights meet the conditions, without any answer.
    UnprovedError, TimeLimitError
        As for `prospect`.

    Notes
    -----
    An answer says ``(S_A - S_B) w > 0``. All can hold exactly when the widest margin in their rows is above 0; else the
    blockers are the contradiction (von Neumann 1928). What is proved holds on the closed rows, hence wherever the
    answers hold. The next pair splits weightings drawn from what is left most evenly, among the models that win there
    most often and the strongest rival of the leader (uncertainty sampling: Lewis and Gale, SIGIR 1994).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 3, "c": 2}})
    >>> wl.lp.ask(board).next
    ('a', 'b')
    >>> print(wl.lp.ask(board, [("a", "b")]))
    By average, a is first or tied for first under every weighting that fits your 1 answer, by these scores.
    """
    linear = LinearRule.of(rule, ties=ties, missing=missing, scaled=scaled)
    points = linear.points(as_table(board))
    base = space_for(points, space)
    if not isinstance(answers, Iterable):
        raise InputError(f"answers is a list of pairs of models; got {answers!r}")
    given = tuple(Answer.of(one, points.models) for one in answers)
    amount, part = _share("loss", loss), _share("equal", equal)
    rows = rows_of(points, given, part)
    with within(time_limit):
        fitting = _fitting(base, rows)
        conflict, withdraw = None, tuple[int, ...]()
        leader, mixtures, won, pair = None, dict[str, Mixture](), dict[str, int](), None
        if rows and fitting.lower <= 0:
            conflict = _conflict(base, rows, fitting)
            withdraw = _withdrawn(base, rows)
            fitting = _fitting(base, _kept(rows, withdraw))
        else:
            next_question = _Next(points, _allowed(base, rows), given, loss=amount, seed=seed, point=fitting.weights)
            leader, mixtures, won, pair = next_question.found()
    return Asked(
        rule=linear,
        points=points,
        space=base,
        answers=given,
        loss=amount,
        equal=part,
        weights=exact_series(fitting.weights, base.tasks, "weight"),
        conflict=conflict,
        withdraw=withdraw,
        leader=leader,
        mixtures=mixtures,
        won=won,
        next=pair,
        seed=seed,
    ).verified()


def _share(name: str, value: Number) -> Fraction:
    exact = fraction(value)
    if exact < 0:
        raise InputError(f"{name} must not be negative; got {value}")
    return exact


def _fitting(space: WeightSpace, rows: Mapping[str, Sequence[Fraction]]) -> MarginProof:
    """Return the weights that fit answers with the widest margin; any weights where there is no answer."""
    matrix, _ = whole_rows(rows.values())
    if not rows:
        matrix = np.zeros((1, len(space.tasks)), dtype=np.int64)
    return widest_margin(matrix, list(rows) or ["none"], space)


def _conflict(space: WeightSpace, rows: Mapping[str, tuple[Fraction, ...]], fitting: MarginProof) -> Mixture:
    """Return a minimal set of answers that cannot all hold."""
    blocking = [name for name, share in zip(rows, fitting.blockers, strict=True) if share]
    kept, found = rows, fitting
    for number in sorted({_number(name) for name in blocking}):
        fewer = {name: row for name, row in rows.items() if name in blocking and _number(name) != number}
        if fewer and (left := _fitting(space, fewer)).lower <= 0:
            kept, found = fewer, left
            blocking = [name for name, share in zip(fewer, left.blockers, strict=True) if share]
    shares = {name: share for name, share in zip(kept, found.blockers, strict=True) if share}
    return Mixture(shares=shares, vectors=found.vectors, loss=found.upper / whole_rows(kept.values())[1])


def _withdrawn(space: WeightSpace, rows: Mapping[str, tuple[Fraction, ...]]) -> tuple[int, ...]:
    """Return few answers without which the others can hold: one of each contradiction that is met."""
    numbers = sorted({_number(name) for name in rows})

    def clash(names: Mapping[str, tuple[Fraction, ...]]) -> Rows | None:
        if not names or (found := _fitting(space, names)).lower > 0:
            return None
        blocked = {_number(name) for name, share in zip(names, found.blockers, strict=True) if share}
        hit = np.array([[int(number in blocked) for number in numbers]])
        return Rows.from_matrix(hit, lower=1, labels=["a contradiction"])

    first = clash(rows)
    if first is None:
        return ()
    program = smallest_program([str(number) for number in numbers], first, "withdrawn answers")
    chosen = smallest(program, lambda out: clash(_kept(rows, {numbers[one] for one in out})))
    return tuple(numbers[one] for one in chosen)


class _Next:
    """What some answers prove, or the pair to ask about."""

    def __init__(
        self,
        points: Points,
        allowed: WeightSpace,
        answers: Sequence[Answer],
        *,
        loss: Fraction,
        seed: int,
        point: Sequence[Fraction],
    ) -> None:
        self.points, self.allowed, self.loss = points, allowed, loss
        self.asked = {frozenset((one.first, one.second)) for one in answers}
        try:
            (drawn,) = draws_from(allowed, samples=DRAWS, rng=seed).blocks(10 * DRAWS)
        except InputError:  # what is left is too narrow to draw from
            drawn = np.array([[float(one) for one in point]])
        numbers = points.numerators.astype(object)
        self.scores = ((numbers - numbers.min(axis=0)) / points.denominator).astype(np.float64)
        self.totals = self.scores @ drawn.T

    def found(self) -> tuple[str | None, dict[str, Mixture], dict[str, int], tuple[str, str] | None]:
        """Return the leader, with mixtures where it is proved; else the wins of all models and the next pair."""
        models = self.points.models
        counts = np.bincount(self.totals.argmax(axis=0), minlength=len(models))
        order = np.argsort(-counts, kind="stable")
        best, wide = self.totals.max(axis=0), float(np.ptp(self.scores, axis=0).max()) * 1e-9
        regrets = (best - self.totals).max(axis=1)
        leader = int(order[0] if not self.loss else np.argmin(regrets))
        rival = None
        if regrets[leader] <= float(self.loss) + wide:
            search = Search(models, self.points.numerators, self.points.denominator, self.allowed, [leader])
            proved = search.mixtures([0], self.loss)
            if proved is not None:
                shown = {name: Mixture(shares=s, vectors=v, loss=at) for name, (s, v, at) in proved.items()}
                return models[leader], shown, {}, None
            rival = search.strongest
        won = {models[one]: int(counts[one]) for one in order if counts[one]}
        return models[leader], {}, won, self._pair([int(one) for one in order if counts[one]], leader, rival)

    def _pair(self, winners: list[int], leader: int, rival: int | None) -> tuple[str, str] | None:
        """Return the pair that splits the draws most evenly; else the leader and its strongest rival."""
        if rival is None:
            rival = int(np.argmax((self.totals - self.totals[leader]).max(axis=1)))
        chosen = list(dict.fromkeys([leader, *winners[:FAVOURITES], rival]))
        pairs = [
            (one, other)
            for place, one in enumerate(chosen)
            for other in chosen[place + 1 :]
            if self._is_new(one, other)
        ]
        parts = [float((self.totals[one] > self.totals[other]).mean()) for one, other in pairs]
        if pairs:
            best = int(np.argmin([abs(part - 0.5) for part in parts]))
            if min(parts[best], 1 - parts[best]) >= EVEN or not self._is_new(leader, rival):
                return self._named(*pairs[best])
        if self._is_new(leader, rival):
            return self._named(leader, rival)
        return None

    def _is_new(self, one: int, other: int) -> bool:
        """Return whether a pair was not asked about, and each of both is ahead somewhere."""
        over = self.points.numerators[one] - self.points.numerators[other]
        names = frozenset((self.points.models[one], self.points.models[other]))
        return names not in self.asked and bool((over > 0).any() and (over < 0).any())

    def _named(self, one: int, other: int) -> tuple[str, str]:
        first, second = sorted((one, other))
        return self.points.models[first], self.points.models[second]
