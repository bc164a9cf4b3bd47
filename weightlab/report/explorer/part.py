"""The explorer as a part of a page: its markup, style, script and data, and a bare page that holds nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from weightlab.data import Leaderboard
from weightlab.lp import Prospects
from weightlab.report.explorer.payload import payload

__all__ = ["DATA_ID", "Part", "bare_page", "explorer_part", "safe_json"]

DATA_ID = "weightlab-explorer-data"
"""The id of the element ``<script type="application/json">`` that holds the data."""

ESCAPES = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


@dataclass(frozen=True, kw_only=True)
class Part:
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


def explorer_part(board: Leaderboard, *, proved: Prospects | None = None) -> Part:
    """Return the explorer of a board.

    Parameters
    ----------
    board : Leaderboard
        Its weights are those that the page starts from.
    proved : Prospects, optional
        What is proved of its models over all weights, if that is known already.

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
    return Part(html=_html(told), css=_css(), script=_script(), data=safe_json(told))


def bare_page(part: Part, *, title: str = "Weight explorer") -> str:
    """Return a page that holds the explorer alone, under a policy that admits its own style and script only."""
    return (
        _environment()
        .get_template("bare.html.jinja")
        .render(
            part=part, title=title, data_id=DATA_ID, script_hash=_hash_of(part.script), style_hash=_hash_of(part.css)
        )
    )


def safe_json(told: Any) -> str:
    """Return JSON text that ends no script element, whatever it holds."""
    return json.dumps(told, separators=(",", ":"), allow_nan=False).translate(ESCAPES)


def _hash_of(text: str) -> str:
    """Return the hash by which a content security policy admits a style or a script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _html(told: dict[str, Any]) -> str:
    return _environment().get_template("explorer.html.jinja").render(told=told)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    loader = PackageLoader("weightlab.report.explorer", ".")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


@lru_cache(maxsize=1)
def _css() -> str:
    return (files(__package__) / "explorer.css").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _script() -> str:
    """Return the script files in the order of their numbers, as one function of their own."""
    parts = sorted((one for one in files(__package__).iterdir() if one.name.endswith(".js")), key=lambda one: one.name)
    body = "\n".join(one.read_text(encoding="utf-8") for one in parts)
    return f'(() => {{\n"use strict";\n{body}}})();\n'
