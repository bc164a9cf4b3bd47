"""A question to a table as a study asks it: a rule of the registry or any function of a leaderboard, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias, TypeVar

import pandas as pd

from weightlab._cures import reworded
from weightlab._exact import IntArray
from weightlab._result import Codec, Proof, Record, Seen, Writing, ensure
from weightlab.data import Leaderboard, LeaderboardLike, Order, as_table
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.rules import Ranking, Rule, grouped, rank, two_step
from weightlab.rules import rule as registered
from weightlab.rules.ranking import ensure_same_source, levels_in, scores_field
from weightlab.rules.refusal import NO_ANSWER, Refusal, check_refusals, reasons, refusal
from weightlab.rules.registry import AnyRule

T = TypeVar("T")
AskedRule: TypeAlias = "str | Rule | Callable[[Leaderboard], Any]"
"""A rule, the name of one or of an average by group, or any function of a leaderboard: see `Question`."""
RulesLike: TypeAlias = "AskedRule | Iterable[AskedRule] | Mapping[str, AskedRule] | None"
"""One question or several, in a mapping under names of their own; None means those of the study."""
VOTENRANK = ("mean", "geometric_mean", "optimality_gap", "copeland", "minimax", "plurality", "dowdall", "borda")
"""The rules of Vote'n'Rank, tables 1 and 2."""


class FunctionAnswer(Record):
    """What a function says about a table.

    Attributes
    ----------
    order : tuple of tuples of str
        Weak order of all models, best first.
    winners : tuple of str
        Who wins.
    scores : Series or None
        By model, best first, where the function gives scores.
    proof : Proof
        Of the ranking that the function returns, if it returns one.
    """

    order: Order
    winners: tuple[str, ...]
    scores: Seen[pd.Series | None] = scores_field(lambda _: None)
    proof: Proof = Proof.EXACT

    @property
    def places(self) -> Order:
        """The weak order, as a `Ranking` has it."""
        return self.order

    def levels(self, models: Sequence[str]) -> IntArray:
        """Return the place of each of these models in the order, from 0; models that tie share one."""
        return levels_in(self.order, models)


Answer: TypeAlias = Ranking | FunctionAnswer
"""What a question says about a table: of a rule its ranking, which can be verified."""


def function_to_json(function: Callable[..., Any] | None) -> str | None:
    """Return the name of an average by group, the only functions that can be saved."""
    return next((name for name, one in AVERAGES.items() if one is function), None)


def read_function(value: Any, what: str) -> Callable[[Leaderboard], Any] | None:
    """Return the function that ``function_to_json`` wrote, or raise InputError."""
    if value is not None and (not isinstance(value, str) or value not in AVERAGES):
        raise InputError(f"{what}: one of {', '.join(map(repr, AVERAGES))} is needed; got {value!r}")
    return None if value is None else AVERAGES[value]


class Question(Record):
    """A rule with its options, or a function, under the name it has in a result.

    A function is given a `Leaderboard` and returns one of:

    - a `Ranking`, or a weak order, best first: a tuple of tuples of tied names;
    - the winners: one name or a flat sequence of names (all others tie behind them; all models, in board order, tie);
    - a Series of scores by model, the greater the better.

    Attributes
    ----------
    label : str
        The user's own name for it; empty for none.
    rule : Rule or None
        With its options.
    function : callable or None
        Where it is not a rule of the registry. Such a question has no JSON form, unless it is one of the averages
        by group, which have names: ``"macro_average"`` and ``"two_step_average"``.
    """

    derived = ("name",)

    label: str = ""
    rule: AnyRule | None = None
    function: Annotated[Callable[[Leaderboard], Any] | None, Codec(function_to_json, read_function)] = None

    def written(self, writing: Writing) -> dict[str, Any]:
        """Return the question as part of a document.

        Raises
        ------
        InputError
            If it is a function that has no name here.
        """
        if self.function is not None and self.average is None:
            raise InputError(f"the function {self.name!r} has no JSON form; rules of the registry do")
        return super().written(writing)

    @property
    def name(self) -> str:
        """What it is called in results: what it is by, preceded by the user's own name, if any.

        A name that is the rule's own, in whatever case and with blanks for underscores, stands alone: ``"Borda"`` for
        Borda with any options. So does that of a function that is no average by group.
        """
        by = self.average if self.rule is None else str(self.rule)
        if by is None or self.label in ("", by):
            return by or self.label
        own = by if self.rule is None else self.rule.name
        return self.label if self.label.lower().replace(" ", "_") == own else f"{self.label} ({by})"

    @property
    def average(self) -> str | None:
        """The name of the average by group that it is, or None."""
        return function_to_json(self.function)

    def answer(self, board: Leaderboard) -> Answer:
        """Return its answer for a table.

        Raises
        ------
        InputError
            If a function returns something else than a ranking, an order, winners or scores of the board's models;
            a rule that has no answer raises one of `NO_ANSWER`.
        """
        if self.rule is not None:
            return rank(board, self.rule)
        if self.function is None:
            raise InputError(f"the question {self.name!r} has neither a rule nor a function")
        return _of_any(self.function(board), board.models, self.name)


def questions(
    rules: RulesLike, *, options: Mapping[str, Any] | None = None, default: Sequence[str] = VOTENRANK
) -> dict[str, Question]:
    """Return questions by name.

    Parameters
    ----------
    rules : str, Rule, function, iterable of these, or mapping from names to these
        A rule of the registry is called by its name with its options, a function by its own name; in a mapping the
        keys are the names, behind which a rule's own name stands in brackets where it differs.
        ``"macro_average"`` and ``"two_step_average"`` are functions that go by name.
    options : mapping, optional
        Options for all rules that have them; what is set on a rule itself stays.
    default : sequence of str
        Rules where none are given.

    Raises
    ------
    UnknownNameError
        If there is no such rule.
    InputError
        If two questions have one name, none is given, or an option is one that no rule has.

    Examples
    --------
    >>> list(questions(["borda", max], options={"ties": "max"}))
    ['borda(ties=max)', 'max']
    """
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f"options are a mapping, such as {{'ties': 'max'}}; got {options!r}")
    given = options or {}
    found: dict[str, Question] = {}
    used: set[str] = set()
    for name, one in _listed(default if rules is None else rules):
        question = _question(name, one, given, used)
        if question.name in found:
            raise InputError(f"two questions are called {question.name!r}; name them in a mapping")
        found[question.name] = question
    if not found:
        raise InputError("at least one rule is needed; got none")
    for option in given:
        if option not in used:
            raise InputError(f"none of the rules has an option {option!r}")
    return found


def one_question(rule: AskedRule, *, options: Mapping[str, Any] | None = None) -> Question:
    """Return the question by one rule, with options as for `questions`, which also says what it refuses."""
    asked = questions(rule, options=options)
    if len(asked) != 1:
        raise InputError(f"expected one rule; got {', '.join(asked)}")
    return next(iter(asked.values()))


def ensure_named(asked: Mapping[str, Question]) -> None:
    """Raise ProofError unless each question is listed under its own name."""
    for name, question in asked.items():
        ensure(name == question.name, f"the answer for {name!r} is by {question.name!r}")


def _listed(rules: Any) -> list[tuple[str | None, Any]]:
    """Return the named items, each with its given name, if any."""
    if isinstance(rules, Mapping):
        return [(str(name), one) for name, one in rules.items()]
    if isinstance(rules, str | Rule) or callable(rules):
        return [(None, rules)]
    if not isinstance(rules, Iterable):
        raise InputError(f"rules are one, several, or a mapping of them by name; got {rules!r}")
    return [(None, one) for one in rules]


def _question(name: str | None, one: Any, options: Mapping[str, Any], used: set[str]) -> Question:
    if isinstance(one, str) and one.replace("-", "_") in AVERAGES:
        average = one.replace("-", "_")
        return Question(label=name or "", function=AVERAGES[average])
    if isinstance(one, str | Rule):
        rule = registered(one)
        own = {key: value for key, value in options.items() if rule.takes(key, value)}
        used.update(own)
        rule = rule.using(**{key: value for key, value in own.items() if key not in rule.options})
        return Question(label=name or "", rule=rule)
    if not callable(one):
        raise InputError(f"a question is a rule, the name of one, or a function of a leaderboard; got {one!r}")
    return Question(label=_name_of(one) if name is None else name, function=one)


def _name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function, of the one in a partial, or of the type of another thing that can be called."""
    inner = getattr(function, "func", function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def _of_any(said: Any, models: tuple[str, ...], name: str) -> FunctionAnswer:
    """Return a function's result as an answer, or raise InputError."""
    if isinstance(said, Ranking):
        answer = FunctionAnswer(order=said.places, winners=said.winners, scores=said.scores, proof=said.proof)
    elif isinstance(said, pd.Series):
        answer = _of_scores(said, name)
    else:
        order = _as_order(said, models, name)
        answer = FunctionAnswer(order=order, winners=order[0], scores=None)
    ranked = [model for group in answer.order for model in group]
    if sorted(ranked) != sorted(models):
        raise InputError(f"the function {name!r} must rank each of the {len(models)} models once; got {said!r}")
    return answer


def _of_scores(scores: pd.Series, name: str) -> FunctionAnswer:
    if scores.isna().any():
        raise InputError(f"the function {name!r} gives no score to {scores.index[scores.isna()][0]!r}")
    best_first = scores.sort_values(ascending=False, kind="stable")
    groups: dict[Any, list[str]] = {}
    for model, score in best_first.items():
        groups.setdefault(score, []).append(str(model))
    order = tuple(tuple(group) for group in groups.values())
    return FunctionAnswer(order=order, winners=order[0] if order else (), scores=best_first if order else None)


def _as_order(said: Any, models: tuple[str, ...], name: str) -> Order:
    """Return a given order, or the one of winners before all others, each group in board order."""
    refusal = InputError(f"the function {name!r} must return a ranking, an order, winners or scores; got {said!r}")
    groups = [said] if isinstance(said, str) else said
    if not isinstance(groups, Sequence) or not groups:
        raise refusal
    if all(isinstance(one, str) for one in groups):
        winners = set(groups)
        if not winners <= set(models):
            raise refusal
        if len(winners) == len(models) and list(groups) != list(models):
            raise InputError(
                f"the function {name!r} names all models in one row: an order is written as a row of groups, such as "
                f"(({groups[0]!r},), ({groups[1]!r},), ...), and winners in board order"
            )
        rest = tuple(model for model in models if model not in winners)
        first = tuple(model for model in models if model in winners)
        return (first, rest) if rest else (first,)
    if any(isinstance(one, str) or not isinstance(one, Sequence) for one in groups):
        raise refusal
    position = {model: place for place, model in enumerate(models)}
    return tuple(
        tuple(sorted((str(model) for model in group), key=lambda model: position.get(model, -1)))
        for group in groups
        if len(group)
    )


# Averages that rank by groups of tasks, as questions for studies.


def macro_average(board: LeaderboardLike) -> Ranking:
    """Return the ranking by the mean over groups of tasks of the means within each.

    A question for studies; the micro average is the rule ``"mean"``. See `grouped`.
    """
    return grouped(board, "mean")


def two_step_average(board: LeaderboardLike) -> Ranking:
    """Return the ranking by Borda over groups of tasks, each of which ranks the models by the mean of its tasks.

    A question for studies. The groups are the voters of the ranking. See `two_step`.
    """
    return two_step(board, "mean", then="borda").final


AVERAGES: Mapping[str, Callable[[Leaderboard], Ranking]] = MappingProxyType(
    {"macro_average": macro_average, "two_step_average": two_step_average}
)
"""The averages by group that studies know by name, besides the rules of the registry."""


# What several questions say about one board, with what proves it.


class Answers(Mapping[str, Answer], Record):
    """Answers by the names of the questions, all about the same board.

    Attributes
    ----------
    board : Leaderboard
        The table in question.
    questions : dict from str to Question
        Those that have an answer.
    found : dict from str to Answer
        The answers.
    refusals : tuple of Refusal
        Rules without an answer, and why.
    """

    board: Leaderboard = field(repr=False)
    questions: Mapping[str, Question]
    found: Mapping[str, Answer]
    refusals: tuple[Refusal, ...] = ()

    def __getitem__(self, name: str) -> Answer:
        """Return the answer to a question, or raise UnknownNameError."""
        if name not in self.found:
            raise UnknownNameError("rule", name, tuple(self.found), holder="study")
        return self.found[name]

    def __contains__(self, name: object) -> bool:
        """Return whether a question has an answer."""
        return name in self.found

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the questions."""
        return iter(self.found)

    def __len__(self) -> int:
        """Return how many answers there are."""
        return len(self.found)

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two questions, where there are two."""
        one, other = self.found
        return one, other

    @property
    def orders(self) -> dict[str, Order]:
        """The weak orders by question."""
        return {name: one.places for name, one in self.found.items()}

    @property
    def left_out(self) -> dict[str, str]:
        """Why rules have no answer, by rule."""
        return reasons(self.refusals)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """The rankings, and how much of each ``verify`` re-checks."""
        return {name: one.proof for name, one in self.found.items()}

    def verify(self, source: Any = None) -> None:
        """Re-check every ranking and ask every function again; given the source, check that the board is its own.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure(list(self.questions) == list(self.found), "the questions and the answers do not fit")
        ensure_same_source(self.board, source)
        ensure_named(self.questions)
        for name, question in self.questions.items():
            _check(question, self.found[name], self.board)
        check_refusals(self.refusals, self.found, lambda rule: rank(self.board, rule))


class OfRules:
    """Base of results about what several rules say of one board."""

    answers: Answers

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that have an answer."""
        return tuple(self.answers)

    @property
    def left_out(self) -> Mapping[str, str]:
        """Default rules that have no answer on this board, and why."""
        return self.answers.left_out

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """The rankings, and how much of each ``verify`` re-checks."""
        return self.answers.proofs


def ask(
    board: LeaderboardLike,
    rules: RulesLike,
    *,
    options: Mapping[str, Any] | None = None,
    default: Sequence[str] = VOTENRANK,
) -> Answers:
    """Return the answer of each rule or function for a board.

    Default rules, not all of which apply to every table, are left out where they have no answer; those that the user
    names must have one.

    Raises
    ------
    InputError
        If no default rule has an answer, or the board is not one. The first named rule without an answer raises its
        own.
    """
    board = checked_board(board)
    asked = questions(rules, options=options, default=default)
    found, refusals = answering(asked, lambda question: question.answer(board), usual=rules is None)
    known = {name: question for name, question in asked.items() if name in found}
    return Answers(board=board, questions=known, found=found, refusals=refusals)


def answering(
    asked: Mapping[str, Question], ask: Callable[[Question], T], *, usual: bool
) -> tuple[dict[str, T], tuple[Refusal, ...]]:
    """Return the answers and, of the default rules of a study, those without an answer; others raise their own errors.

    Raises
    ------
    InputError
        If none has an answer.
    """
    found: dict[str, T] = {}
    refusals: list[Refusal] = []
    faults: list[str] = []
    for name, question in asked.items():
        try:
            found[name] = ask(question)
        except NO_ANSWER as error:
            if not usual or question.rule is None:
                raise
            refusals.append(refusal(question.rule, error))
            faults += error.faults
    if not found:
        listed = "; ".join(f"{name}: {reason}" for name, reason in reasons(refusals).items())
        raise InputError(reworded(f"no rule has an answer ({listed})", *faults))
    return found, tuple(refusals)


def checked_board(board: Any) -> Leaderboard:
    """Return the subject of a study, or raise InputError if it is not a leaderboard."""
    if not isinstance(table := as_table(board), Leaderboard):
        raise InputError(f"this study is about a Leaderboard; got a {type(board).__name__}")
    return table


def _check(question: Question, claimed: Answer, board: Leaderboard) -> None:
    """Raise ProofError unless this answers the question about the board."""
    name = question.name
    if question.rule is not None:
        if not isinstance(claimed, Ranking):
            raise ProofError(f"what the rule {name!r} says carries no ranking")
        ensure(str(claimed.rule) == str(question.rule), f"the ranking of {name!r} is by {claimed.rule}")
        ensure(claimed.preparation.how == "none", f"the ranking of {name!r} is not of the board as it is")
        claimed.verify(board)
        return
    own = question.answer(board)
    ensure(claimed.order == own.order, f"the order by {name!r} is not the one claimed")
    ensure(claimed.winners == own.winners, f"the winners by {name!r} are {own.winners}")
    ensure(claimed.proof is own.proof, f"what {name!r} says is {own.proof}")
    mine, theirs = claimed.scores, own.scores
    same = mine is theirs if mine is None or theirs is None else mine.equals(theirs)
    ensure(same, f"the scores by {name!r} are not those claimed")
