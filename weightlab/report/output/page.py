"""A report as one HTML page: no network, nothing run but its own two scripts, every name a text."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from weightlab._result import Result
from weightlab._version import __version__
from weightlab.lp import Prospects
from weightlab.report.blocks import PROVED_BY, Drawing, Facts, Section, Table, Words
from weightlab.report.explorer import DATA_ID, Part, explorer_part
from weightlab.report.output.contents import Contents
from weightlab.report.output.document import DOCUMENT, PART, RESULT, embedded
from weightlab.report.output.figures import drawn
from weightlab.report.text.words import shown

__all__ = ["fragment_of", "page_of"]

UNFOLDED = 15
"""So many rows of a table stand open; the later ones are folded away."""
SLACK = 5
"""So few more rows are not worth folding."""
MANY = 9
"""On paper the headings of tables with more columns are turned, so that the columns can be narrow."""
LEAF = 17
"""Tables with more columns are broken into several on paper, each with so many at most and with its rows named."""


def page_of(report: Contents) -> str:
    """Return the page of a report."""
    part = _explorer(report)
    style = _text("page.css") + ("" if part is None else part.css)
    scripts = [_text("page.js"), *([] if part is None else [part.script])]
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            report=report,
            sections=[_shown(section, report) for section in report.sections],
            proofs=[_proof(place, one, report) for place, one in enumerate(report.results)],
            embedded=embedded(report.document.to_dict()),
            explorer=part,
            explorer_data=DATA_ID,
            style=style,
            style_hash=hash_of(style),
            scripts=scripts,
            script_hashes=[hash_of(one) for one in scripts],
            many=MANY,
            version=__version__,
            legend=[(str(proof), means.partition(": ")[2]) for proof, means in PROVED_BY.items()],
            document_class=DOCUMENT,
            part_class=PART,
            result_class=RESULT,
        )
    )


def fragment_of(report: Contents) -> str:
    """Return the answers of a report as a notebook shows them."""
    return _environment().get_template("fragment.html.jinja").render(report=report, sections=report.sections)


def hash_of(text: str) -> str:
    """Return the hash by which a content security policy admits a style or a script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def _explorer(report: Contents) -> Part | None:
    if report.board is None:
        return None
    proved = next((one for one in report.results if isinstance(one, Prospects)), None)
    return explorer_part(report.board, proved=proved)


@dataclass(frozen=True, kw_only=True)
class _Shown:
    """A section as the template needs it."""

    key: str
    question: str
    answer: str
    proof: str
    blocks: tuple[dict[str, Any], ...]
    command: str
    proved_by: tuple[tuple[int, str, str], ...]
    left_out: tuple[str, ...]


def _shown(section: Section, report: Contents) -> _Shown:
    places = report.places(section)
    return _Shown(
        key=section.key,
        question=section.question,
        answer=section.answer,
        proof="" if section.proof is None else str(section.proof),
        blocks=tuple(_block(one, f"{section.key}-{place}") for place, one in enumerate(section.blocks, start=1)),
        command=section.command,
        proved_by=tuple((place, report.results[place].kind, str(report.results[place].proof)) for place in places),
        left_out=section.left_out,
    )


def _block(block: Table | Facts | Words | Drawing, key: str) -> dict[str, Any]:
    if isinstance(block, Table):
        parts, leaves = list(_parts(block)), list(_leaves(block))
        return {"form": "table", "key": key, "table": block, "parts": parts, "leaves": leaves}
    if isinstance(block, Facts):
        return {"form": "facts", "key": key, "facts": block}
    if isinstance(block, Words):
        return {"form": "words", "key": key, "words": block}
    return {"form": "figure", "key": key, "figure": drawn(block), "command": block.command}


def _parts(table: Table) -> Iterator[dict[str, Any]]:
    """Yield the rows that stand open, and those that are folded away."""
    rows = table.rows
    if len(rows) <= UNFOLDED + SLACK:
        yield {"rows": rows, "folded": False, "of": ""}
        return
    yield {"rows": rows[:UNFOLDED], "folded": False, "of": f"the first {UNFOLDED} of {len(rows)} rows"}
    yield {"rows": rows[UNFOLDED:], "folded": True, "of": f"rows {UNFOLDED + 1} to {len(rows)}"}


def _leaves(table: Table) -> Iterator[dict[str, Any]]:
    """Yield a table with many columns in parts that fit on paper; nothing where it fits whole."""
    count = len(table.headings) - 1
    if count < LEAF:
        return
    leaves = -(-count // (LEAF - 1))
    for place in range(leaves):
        columns = (0, *range(1 + place * count // leaves, 1 + (place + 1) * count // leaves))
        rows = [tuple(row[column] for column in columns) for row in table.rows]
        right = [at for at, column in enumerate(columns) if column in table.right]
        part = Table.of(table.caption, [table.headings[column] for column in columns], rows, right)
        yield {"table": part, "rows": part.rows, "of": f"part {place + 1} of {leaves}"}


def _proof(place: int, result: Result, report: Contents) -> dict[str, Any]:
    return {
        "place": place,
        "kind": result.kind,
        "sentence": shown(result),
        "proof": str(result.proof),
        "means": PROVED_BY[result.proof],
        "asked": [one for one in report.sections if result in one.results],
    }


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("weightlab.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _text(name: str) -> str:
    return (files("weightlab.report") / "templates" / name).read_text(encoding="utf-8")
