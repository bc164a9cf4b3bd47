"""A report as Markdown: every answer, line and table; of figures what they show, in words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from weightlab._result import Result
from weightlab._version import __version__
from weightlab.exceptions import InputError
from weightlab.report.blocks import PROVED_BY, Block, Drawing, Facts, Table
from weightlab.report.output.contents import Contents
from weightlab.report.output.figures import told
from weightlab.report.text.words import shown

__all__ = ["escaped", "markdown_of"]

SPECIAL = re.compile(r"[\\`*_\[\]<>#!|~$&]|^[-+=](?=\s|=|-|$)|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
"""What could be markup: a backslash before any of these makes it text. The later ones begin lists and rules."""


def markdown_of(report: Contents) -> str:
    """Return the report as Markdown."""
    return (
        _environment()
        .get_template("report.md.jinja")
        .render(
            report=report,
            blocks={section.key: [_block(one) for one in section.blocks] for section in report.sections},
            places={section.key: report.places(section) for section in report.sections},
            proofs=[(one.kind.replace("_", " "), shown(one), _in_words(one)) for one in report.results],
            legend=[means.partition(": ")[::2] for means in PROVED_BY.values()],
            version=__version__,
        )
    )


def escaped(text: object) -> Markup:
    """Return a text of one line that Markdown shows as it is."""
    return Markup(SPECIAL.sub(lambda found: f"\\{found[0]}", str(text).replace("\n", " ")))  # noqa: S704 - not HTML


def fenced(text: str) -> Markup:
    """Return text as a block of code, within a fence that is longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markup(f"{fence}console\n{text}\n{fence}")  # noqa: S704 - as above


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Table):
        return {"form": "table", "table": block}
    if isinstance(block, Facts):
        return {"form": "facts", "facts": block}
    if isinstance(block, Drawing):
        return {"form": "figure", "caption": block.caption, "told": _told(block), "command": block.command}
    return {"form": "words", "text": block.text}


def _in_words(result: Result) -> str:
    return PROVED_BY[result.proof].partition(": ")[0]


def _told(drawing: Drawing) -> str:
    try:
        return told(drawing)
    except InputError as error:
        return shown(error)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("weightlab.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["md"] = escaped
    made.filters["fenced"] = fenced
    return made
