"""What several questions say about one board, with what proves it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any

from weightlab._result import Implied, Proof, Record, ensure
from weightlab.data import Leaderboard, LeaderboardLike, as_table
from weightlab.data.profile import Order
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.rules import Ranking, rank
from weightlab.rules.ranking import ensure_same_source
from weightlab.rules.refusal import NO_ANSWER, Refusal, check_refusals, reasons, refusal
from weightlab.studies.question import VOTENRANK, Answer, Question, RulesLike, ensure_named, questions


class Answers(Mapping[str, Answer], Record):
    """Answers by the names of the questions, all about the same board.

    Attributes
    ----------
    board : Leaderboard
        What was asked about.
    questions : dict from str to Question
        Those that have an answer.
    found : dict from str to Answer
        The answers.
    refusals : tuple of Refusal
        Rules without an answer, and why.
    """

    board: Leaderboard = field(repr=False)
    questions: Mapping[str, Question]
    found: Mapping[str, Annotated[Answer, Implied("source", "board")]]
    refusals: tuple[Refusal, ...] = ()

    def __getitem__(self, name: str) -> Answer:
        """Return the answer to a question, or raise UnknownNameError."""
        if name not in self.found:
            raise UnknownNameError("rule", name, tuple(self.found), holder="study")
        return self.found[name]

    def __contains__(self, name: object) -> bool:
        """Tell whether a question has an answer."""
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
        return {name: one.order for name, one in self.found.items()}

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
    """Return what each rule or function says about a board.

    Default rules, not all of which apply to every table, are left out where they have no answer; those that the user
    names must have one.

    Raises
    ------
    InputError
        If no default rule has an answer, or the board is none. The first named rule without an answer raises its own.
    """
    board = checked_board(board)
    found: dict[str, Answer] = {}
    refusals: list[Refusal] = []
    asked = questions(rules, options=options, default=default)
    for name, question in asked.items():
        try:
            found[name] = question.answer(board)
        except NO_ANSWER as error:
            if rules is not None or question.rule is None:
                raise
            refusals.append(refusal(question.rule, error))
    if not found:
        listed = "; ".join(f"{name}: {reason}" for name, reason in reasons(refusals).items())
        raise InputError(f"no rule has an answer ({listed})")
    answering = {name: question for name, question in asked.items() if name in found}
    return Answers(board=board, questions=answering, found=found, refusals=tuple(refusals))


def checked_board(board: Any) -> Leaderboard:
    """Return what a study is about, or raise InputError if it is no leaderboard."""
    if not isinstance(table := as_table(board), Leaderboard):
        raise InputError(f"this study is about a Leaderboard; got a {type(board).__name__}")
    return table


def _check(question: Question, claimed: Answer, board: Leaderboard) -> None:
    """Raise ProofError unless this is what the question says about the board."""
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
