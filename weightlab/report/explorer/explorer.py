"""The explorer as a part of a page: its markup, style, script and data, and a bare page that holds nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from weightlab._result import Frozen
from weightlab.data import Leaderboard, Signs
from weightlab.data.frame.cells import exact_text
from weightlab.data.linear_rule import MEAN
from weightlab.exceptions import InputError
from weightlab.lp import Prospects, prospects
from weightlab.report.output.document import harmless_json
from weightlab.rules import RULES, Needs
from weightlab.views.ways import Way, own_ways

_COMMENT = re.compile(r"^ *//[^\n]*\n|^ */\*\*.*?\*/\n|/\*\*.*?\*/ ?", re.MULTILINE | re.DOTALL)
"""In the scripts; not needed to load a page."""
DATA_ID = "weightlab-explorer-data"
"""The id of the element ``<script type="application/json">`` that holds the data."""


class Part(Frozen, eq=True):
    """What a page needs to hold the explorer.

    Attributes
    ----------
    html : str
        The markup, a ``<section>``, names escaped.
    css : str
        The style; it applies inside the section only.
    script : str
        The script, to be run after the markup and the data are there.
    data : str
        JSON that may stand inside ``<script type="application/json" id="weightlab-explorer-data">`` as it is.
    """

    html: str
    css: str
    script: str
    data: str


def explorer_part(board: Leaderboard, *, proved: Sequence[Prospects] = ()) -> Part:
    """Return the explorer of a board.

    Parameters
    ----------
    board : Leaderboard
        Its weights are those that the page starts from.
    proved : sequence of Prospects
        What is proved of its models over all weights by the table's own rule or head-to-head, if it is known already.

    Returns
    -------
    Part
        No inline handlers and no style attributes; the script asks nothing of the network and never turns text into
        markup or code, so that a policy of hashes alone admits it.

    Raises
    ------
    InputError, UnprovedError
        As for `payload`.
    """
    told = payload(board, proved=proved)
    return Part(html=section(told), css=style(), script=script_of(__package__), data=harmless_json(told))


def bare_page(part: Part, *, title: str = "Weight explorer") -> str:
    """Return a page that holds the explorer alone, under a policy that admits its own style and script only."""
    return (
        _environment()
        .get_template("bare.html.jinja")
        .render(part=part, title=title, data_id=DATA_ID, script_hash=hash_of(part.script), style_hash=hash_of(part.css))
    )


def hash_of(text: str) -> str:
    """Return the hash by which a content security policy admits a style or a script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def section(told: dict[str, Any] | None = None) -> str:
    """Return the markup of the explorer, of a table or, for a page that reads one, of none yet."""
    return _environment().get_template("explorer.html.jinja").render(told=told)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    loader = PackageLoader("weightlab.report.explorer", ".")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


@lru_cache(maxsize=1)
def style() -> str:
    """Return the style sheet of the explorer."""
    return (files(__package__) / "explorer.css").read_text(encoding="utf-8")


@lru_cache(maxsize=2)
def script_of(*packages: str, without: str = "") -> str:
    """Return the script files of packages in the order of their numbers, as one function, without comments."""
    parts = [one for package in packages for one in files(package).iterdir() if one.name.endswith(".js")]
    named = sorted((one for one in parts if one.name != without), key=lambda one: one.name)
    body = "\n".join(one.read_text(encoding="utf-8") for one in named)
    return f'(() => {{\n"use strict";\n{_COMMENT.sub("", body)}}})();\n'


# What the explorer is told of a board: names, exact scores, places, weights, and what is proved of each model.

COMPUTED = (MEAN, "borda")
"""Rules whose points the page computes from scores."""
FORMAT = 2
"""Of the payload: a page refuses one that it does not know."""


def payload(board: Leaderboard, *, proved: Sequence[Prospects] = ()) -> dict[str, Any]:
    """Return the explorer's data of a board, exact and ready for JSON.

    Parameters
    ----------
    board : Leaderboard
        Its weights are those that the page starts from.
    proved : sequence of Prospects
        What is proved of its models over all weights by the table's own rule or head-to-head, if it is known already.

    Returns
    -------
    dict
        ``models`` and ``tasks`` (name, direction, weight, scores as decimal text, places from the last up, tolerance),
        ``groups``, ``ways`` (the table's own rule, then head-to-head: which models are ranked and what is proved of
        each, verdict, bounds, weights and blockers as ``"p/q"``), ``rules`` that are offered,
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
    tasks = _tasks(board, board.signs())
    place = {task: column for column, task in enumerate(board.tasks)}
    return {
        "format": FORMAT,
        "fingerprint": _fingerprint(board.models, tasks),
        "models": list(board.models),
        "tasks": tasks,
        "groups": [{"name": name, "tasks": [place[one] for one in own]} for name, own in board.groups.items()],
        "ways": [_way(way, board, proved) for way in own_ways(board)],
        **conventions(board),
    }


def conventions(board: Leaderboard) -> dict[str, Any]:
    """Return the rules that are offered for a board, and those that are withheld, ready for JSON."""
    reasons = [{"label": label, "reason": reason} for label, reason in withheld(board).items()]
    return {"rules": [one.to_dict() for one in offers(board)], "withheld": reasons}


def _way(way: Way, board: Leaderboard, proved: Sequence[Prospects]) -> dict[str, Any]:
    """Return the proofs by a rule for its models, and points by rules that the page does not compute."""
    name = way.rule.name
    known = next((one for one in proved if one.rule == way.rule), None) or prospects(way.board, rule=way.rule)
    _check(known, way)
    place = {model: row for row, model in enumerate(board.models)}
    points = None if known.points is None or name in COMPUTED else known.points
    return {
        "rule": name,
        "by": way.rule.by,
        "models": [place[model] for model in way.board.models],
        "points": points
        and {
            "numerators": [list(map(str, column)) for column in points.numerators.T.tolist()],
            "denominator": str(points.denominator),
        },
        "prospects": [_prospect(known, row, place) for row in range(len(known.models))],
    }


def _check(known: Prospects, way: Way) -> None:
    if known.space.conditions:
        raise InputError("the explorer lets all weights be chosen: it needs prospects without conditions")
    own = way.board.signs() if known.points is None else way.rule.points(way.board)
    if known.leads.to_dict() != own.to_dict():
        raise InputError("these prospects are of another table than the board")


def _tasks(board: Leaderboard, signs: Signs) -> list[dict[str, Any]]:
    places = signs.to_dict()["places"]
    return [
        {
            "name": task,
            "lower": task in board.lower_is_better,
            "weight": str(board.weights[task]),
            "scores": [None if score is None else exact_text(score) for score in board.cells.column(column)],
            "places": signs.tolerant[column].levels() if column in signs.tolerant else places[task],
            "tolerant": _tolerance(signs, column),
        }
        for column, task in enumerate(board.tasks)
    ]


def _tolerance(signs: Signs, column: int) -> dict[str, Any] | None:
    """Return which scores of a task tie; whole numbers are text, as numbers in JavaScript hold only 53 bits."""
    if column not in signs.tolerant:
        return None
    written = signs.tolerant[column].to_dict()
    return {
        "values": [None if value is None else str(value) for value in written["values"]],
        "allowed": str(written["allowed"]),
        "scale": str(written["scale"]),
        "relative": written["relative"],
    }


def _prospect(known: Prospects, row: int, place: Mapping[str, int]) -> dict[str, Any]:
    """Return the proofs for one model, without weights and blockers of 0."""
    one, tasks = known.prospects[row], known.leads.tasks
    return {
        "verdict": str(one.verdict),
        "lower": str(one.lower),
        "upper": str(one.upper),
        "weights": [[tasks.index(task), str(weight)] for task, weight in one.weights.items()],
        "blockers": [[place[rival], str(share)] for rival, share in one.blockers.items()],
    }


def _fingerprint(models: tuple[str, ...], tasks: list[dict[str, Any]]) -> str:
    """Return a short text that differs between tables, so that a link is not read against another one."""
    names = json.dumps([models, [task["name"] for task in tasks]], ensure_ascii=True)
    return hashlib.sha256(names.encode("ascii")).hexdigest()[:12]


# Which rules the explorer offers for a board, with the conventions that its missing scores and tolerances allow.


class Offer(Frozen, eq=True):
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
