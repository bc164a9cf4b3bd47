"""Which rules the explorer offers for a board, with the conventions that its missing scores and tolerances allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weightlab.data import Leaderboard
from weightlab.rules import RULES, Needs

__all__ = ["Offer", "offers", "withheld"]


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A rule with options, as the page offers it.

    Attributes
    ----------
    name : str
        As in the registry of rules.
    label : str
        What the page calls it.
    options : mapping
        Options that are set, as the registry takes them.
    missing : str, optional
        The way to treat missing scores that is set where a board has any; None where they need none.
    """

    name: str
    label: str
    options: Mapping[str, str] = field(default_factory=dict)
    missing: str | None = None

    def for_board(self, board: Leaderboard) -> Offer:
        """Return the offer with the way to treat missing scores, where the board has any."""
        if self.missing is None or not board.missing_cells:
            return self
        words = {"skip": "missing scores left out", "last": "missing scores last"}[self.missing]
        options = {**self.options, "missing": self.missing}
        return Offer(name=self.name, label=f"{self.label} ({words})", options=options, missing=self.missing)

    def to_dict(self) -> dict[str, Any]:
        """Return the offer ready for JSON."""
        rule = RULES[self.name].using(**self.options)
        return {
            "id": "-".join([self.name, *(value for name, value in self.options.items() if name != "missing")]),
            "name": self.name,
            "label": self.label,
            "counts": rule.counts,
            "options": dict(self.options),
            "ties": rule.needs is Needs.PLACES,
        }


ALL = (
    Offer(name="mean", label="Mean", missing="skip"),
    Offer(name="mean_win_rate", label="Mean win rate", missing="skip"),
    Offer(name="mean_rank", label="Mean rank", missing="skip"),
    Offer(name="borda", label="Borda", missing="last"),
    Offer(name="plurality", label="Plurality", missing="last"),
    Offer(name="veto", label="Veto", missing="last"),
    Offer(name="dowdall", label="Dowdall", missing="last"),
    Offer(name="copeland", label="Copeland"),
    Offer(name="minimax", label="Minimax, winning votes", options={"score": "winning_votes"}),
    Offer(name="minimax", label="Minimax, margins", options={"score": "margins"}),
    Offer(name="minimax", label="Minimax, pairwise opposition", options={"score": "pairwise_opposition"}),
    Offer(name="schulze", label="Schulze, margins", options={"strength": "margins"}),
    Offer(name="schulze", label="Schulze, winning votes", options={"strength": "winning_votes"}),
)
"""All offers, the most used first."""


def offers(board: Leaderboard) -> tuple[Offer, ...]:
    """Return the rules that can be applied to a board under every weighting, as far as its declarations decide."""
    return tuple(one.for_board(board) for one in ALL if not _reason(one, board))


def withheld(board: Leaderboard) -> dict[str, str]:
    """Return the labels of the rules that are not offered, with the reason."""
    reasons = {one.label: _reason(one, board) for one in ALL}
    return {label: reason for label, reason in reasons.items() if reason}


def _reason(offer: Offer, board: Leaderboard) -> str:
    tolerant = [*board.tolerance, *board.relative_tolerance]
    if RULES[offer.name].needs is Needs.PLACES and tolerant:
        return f"it reads places, and ties within the score tolerance of {tolerant[0]} are no places"
    return ""
