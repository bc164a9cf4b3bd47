"""What the explorer is told of a board: names, exact scores, places, weights, and what is proved of each model."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab.data import Leaderboard, Signs
from weightlab.data.cells import exact_text
from weightlab.exceptions import InputError
from weightlab.lp import Prospects, prospects
from weightlab.lp.certificates.max_margin import verdict_between
from weightlab.report.explorer.offered import offers, withheld

__all__ = ["payload"]

FORMAT = 1
"""Of the payload: a page refuses one that it does not know."""


def payload(board: Leaderboard, *, proved: Prospects | None = None) -> dict[str, Any]:
    """Return what the explorer needs of a board, ready for JSON and exact.

    Parameters
    ----------
    board : Leaderboard
        Its weights are those that the page starts from.
    proved : Prospects, optional
        What is proved of its models over all weights, if that is known already.

    Returns
    -------
    dict
        ``models`` and ``tasks`` (name, direction, weight, scores as decimal text, places from the last up, tolerance),
        ``groups``, ``prospects`` (verdict, bounds, weights and blockers as ``"p/q"``), ``rules`` that are offered,
        ``withheld`` ones with the reason, and ``fingerprint``, which a link carries to show whose weights it holds.

    Raises
    ------
    InputError
        If what is proved is of another table, or under conditions on the weights.
    UnprovedError
        If a model's verdict cannot be proved.

    Notes
    -----
    O(models x tasks) beside the proofs.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 0.2, "b": 0.1}, "y": {"a": 1, "b": 2}}, weights={"y": "1/3"})
    >>> payload(board)["tasks"][1]["weight"]
    '1/3'
    """
    known = prospects(board) if proved is None else _checked(proved, board)
    tasks = _tasks(board, known.signs)
    place = {task: column for column, task in enumerate(board.tasks)}
    return {
        "format": FORMAT,
        "fingerprint": _fingerprint(board.models, tasks),
        "models": list(board.models),
        "tasks": tasks,
        "groups": [{"name": name, "tasks": [place[one] for one in own]} for name, own in board.groups.items()],
        "prospects": [_prospect(known, row) for row in range(len(board.models))],
        "rules": [one.to_dict() for one in offers(board)],
        "withheld": [{"label": label, "reason": reason} for label, reason in withheld(board).items()],
    }


def _checked(proved: Prospects, board: Leaderboard) -> Prospects:
    if proved.space.conditions:
        raise InputError("the explorer lets all weights be chosen: it needs prospects without conditions")
    if proved.signs.to_dict() != board.signs().to_dict():
        raise InputError("these prospects are of another table than the board")
    return proved


def _tasks(board: Leaderboard, signs: Signs) -> list[dict[str, Any]]:
    places = signs.to_dict()["places"]
    return [
        {
            "name": task,
            "lower": task in board.lower_is_better,
            "weight": str(board.weights[task]),
            "scores": [None if score is None else exact_text(score) for score in board.cells.column(column)],
            "places": _places(signs, column) if column in signs.tolerant else places[task],
            "tolerant": _tolerance(signs, column),
        }
        for column, task in enumerate(board.tasks)
    ]


def _places(signs: Signs, column: int) -> list[int | None]:
    return signs.tolerant[column].levels()


def _tolerance(signs: Signs, column: int) -> dict[str, Any] | None:
    """Return what says which scores of a task tie; whole numbers are text, since a page's own hold 53 bits only."""
    if column not in signs.tolerant:
        return None
    written = signs.tolerant[column].to_dict()
    return {
        "values": [None if value is None else str(value) for value in written["values"]],
        "allowed": str(written["allowed"]),
        "scale": str(written["scale"]),
        "relative": written["relative"],
    }


def _prospect(known: Prospects, row: int) -> dict[str, Any]:
    """Return what is proved of one model; weights and blockers that are 0 are left out."""
    one = known.bounds[row]
    shares = one.weights.tolist()
    blockers = zip(one.blocking.tolist(), one.blockers.tolist(), strict=True)
    return {
        "verdict": str(verdict_between(one.lower, one.upper)),
        "lower": str(one.lower),
        "upper": str(one.upper),
        "weights": [[int(task), str(Fraction(int(shares[task]), one.weight_units))] for task in np.flatnonzero(shares)],
        "blockers": [[rival, str(Fraction(share, one.blocker_units))] for rival, share in blockers if share],
    }


def _fingerprint(models: tuple[str, ...], tasks: list[dict[str, Any]]) -> str:
    """Return a short text that differs between tables, so that a link is not read against another one."""
    names = json.dumps([models, [task["name"] for task in tasks]], ensure_ascii=True)
    return hashlib.sha256(names.encode("ascii")).hexdigest()[:12]
