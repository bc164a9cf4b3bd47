"""What would reconcile two rules that part: the least change of weights, and the least change of scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from weightlab._exact import fraction
from weightlab._result import Proof, ensure
from weightlab._validate import Faults, exact_numbers, is_scalar
from weightlab.data import Leaderboard
from weightlab.exceptions import ImpossibleError, InputError, UnprovedError
from weightlab.lp.terms import ByTask
from weightlab.studies.answers import Answers
from weightlab.studies.common_winner import CommonWinner, winner_of
from weightlab.studies.reconciling_scores import ReconcilingScores, scores_for
from weightlab.studies.rise_rules import reads_scores

__all__ = ["Reconciliation", "reconciliation"]

Pair = tuple[str, str]

NOT_FOUND = (InputError, UnprovedError, ImpossibleError)
"""What is raised where a least change is not known, was not found in time, or does not exist."""

SHARED = "rules", "answers"
"""What the parts have in common with the whole, and do not write again."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Reconciliation:
    """The least changes that reconcile two rules.

    Attributes
    ----------
    weights : CommonWinner or None
        The nearest weights under which the rules have a winner in common.
    scores : ReconcilingScores or None
        The least that one model must improve so that they have one or, where they have one today, so that they agree on
        a pair.
    unknown : mapping from {"weights", "scores"} to str
        Why one of them is not known.
    """

    weights: CommonWinner | None
    scores: ReconcilingScores | None
    unknown: Mapping[str, str]

    @property
    def parts(self) -> dict[str, CommonWinner | ReconcilingScores | None]:
        """Both by name."""
        return {"weights": self.weights, "scores": self.scores}

    @property
    def proof(self) -> Proof:
        """How much ``verify`` re-checks: as much as of the part that is proved least."""
        proofs = {one.proof for one in self.parts.values() if one is not None}
        return Proof.EXACT_WITNESS if Proof.EXACT_WITNESS in proofs else Proof.EXACT

    def __str__(self) -> str:
        """Say both changes, or why they are not known."""
        said = []
        for name, part in self.parts.items():
            reason = self.unknown.get(name, "").rstrip(".")
            said.append(f"No least change of {name} is given: {reason}." if part is None else str(part))
        return " ".join(said)

    def check(self, answers: Answers, norm: str) -> None:
        """Ensure that both are about these answers, and all that they claim."""
        ensure(
            set(self.unknown) == {name for name, part in self.parts.items() if part is None},
            "for each least change that is not given there is a reason, and for no other",
        )
        for part in self.parts.values():
            if part is not None:
                ensure(part.rules == tuple(answers), "a least change is of other rules")
                ensure(part.answers.orders == answers.orders, "a least change is of other rankings")
                part.verify(answers.board)
        ensure(self.weights is None or self.weights.norm == norm, f"changes are not measured by {norm}")

    def to_dict(self) -> dict[str, Any]:
        """Return both ready for JSON, without the answers."""
        found: dict[str, Any] = {"unknown": dict(self.unknown)}
        for name, part in self.parts.items():
            own = None if part is None else part.to_dict()
            found[name] = None if own is None else {key: value for key, value in own.items() if key not in SHARED}
        return found

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], shared: Mapping[str, Any]) -> Self:
        """Return what ``to_dict`` wrote, with the rules and answers of the whole."""
        weights, scores = document["weights"], document["scores"]
        own = {name: shared[name] for name in SHARED}
        return cls(
            weights=None if weights is None else CommonWinner.from_dict({**weights, **own}),
            scores=None if scores is None else ReconcilingScores.from_dict({**scores, **own}),
            unknown={str(name): str(reason) for name, reason in document["unknown"].items()},
        )


def reconciliation(
    answers: Answers, pair: Pair | None, *, norm: str, best: ByTask | None, time_limit: float | None
) -> Reconciliation:
    """Return what reconciles the two rules that answered: on the pair, if they have a winner in common today."""
    if best is not None:
        _ensure_numbers(best, answers.board)
    unknown: dict[str, str] = {}
    weights: CommonWinner | None = None
    scores: ReconcilingScores | None = None
    one, other = (answer.winners for answer in answers.values())
    both = [model for model in one if model in other]
    try:
        weights = winner_of(answers, model=None, norm=norm, time_limit=time_limit)
    except NOT_FOUND as error:
        unknown["weights"] = f"none is needed for a common winner, {both[0]}" if both else str(error)
    by_score = best is not None or any(reads_scores(question) for question in answers.questions.values())
    limits = {"cost": 1, "at_most": None, "best": best}
    try:
        scores = scores_for(
            answers,
            pair=pair if both else None,
            model=None,
            kind="score" if by_score else "result",
            limits=limits,
            time_limit=time_limit,
        )
    except NOT_FOUND as error:
        unknown["scores"] = str(error)
    return Reconciliation(weights=weights, scores=scores, unknown=unknown)


def _ensure_numbers(best: ByTask, board: Leaderboard) -> None:
    """Raise InputError unless the best scores are a number, or numbers by task."""
    if is_scalar(best):
        fraction(best)
        return
    faults = Faults()
    exact_numbers(best, board.tasks, "task", faults, what="best score", holder="leaderboard")
    faults.raise_if_any()
