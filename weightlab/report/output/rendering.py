"""A report as one HTML page (no network, nothing run but its own two scripts, every name a text), or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from html import unescape
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from weightlab._result import Frozen, Result
from weightlab._text import shown
from weightlab._version import __version__
from weightlab.data import Leaderboard, Suite
from weightlab.exceptions import InputError
from weightlab.lp import Prospects, prospects
from weightlab.plots import marks, rendered
from weightlab.plots.canvas import NO_PICTURES
from weightlab.plots.themed_svg import themed_svg
from weightlab.report.blocks import PROVED_BY, Block, Contents, Drawing, Facts, Section, Table, Words
from weightlab.report.explorer.explorer import DATA_ID, Part, explorer_part, hash_of
from weightlab.report.output.document import PACK, packed
from weightlab.views.markdown import Names, fenced, marked
from weightlab.views.unproved import fits
from weightlab.views.ways import own_ways

UNFOLDED = 10
"""Rows of a table shown; the later ones are collapsed."""
FEW = 3
"""Largest number of parts shown expanded; a longer report expands only the first questions and single models."""
OPEN = re.compile("win|trust|model-.*")
INSIDE = 4
"""Collapsed things named."""
SLACK = 5
"""Smallest number of rows to collapse."""
MANY = 9
"""On paper the headings of tables with more columns are turned, so that the columns can be narrow."""
LEAF = 17
"""Tables with more columns are broken into several on paper, by the page's script."""


def page_of(report: Contents, pictures: Iterator[Figure] | None = None) -> str:
    """Return the page of a report; given pictures take the places of those that would be drawn, in their order."""
    part = _explorer(report)
    style = _text("page.css") + ("" if part is None else part.css)
    scripts = [_text("page.js"), *([] if part is None else [part.script])]
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            report=report,
            sections=[_shown(section, report, pictures) for section in report.sections],
            proofs=[_proof(place, one, report) for place, one in enumerate(report.results)],
            pack=packed(report.document.to_dict(), report.made_from(), "null" if part is None else part.data),
            pack_id=PACK,
            explorer=part,
            explorer_data=DATA_ID,
            style=style,
            style_hash=hash_of(style),
            scripts=scripts,
            script_hashes=[hash_of(one) for one in scripts],
            many=MANY,
            leaf=LEAF,
            version=__version__,
            legend=[(str(proof), means.partition(": ")[2]) for proof, means in PROVED_BY.items()],
        )
    )


def fragment_of(report: Contents) -> str:
    """Return the answers of a report as a notebook shows them."""
    return _environment().get_template("fragment.html.jinja").render(report=report, sections=report.sections)


def _explorer(report: Contents) -> Part | None:
    if report.board is None:
        return None
    ways = own_ways(report.board)
    told = (*report.results, *report.answers.kept)
    proved = [one for one in told if isinstance(one, Prospects) and not one.space.conditions]
    for way in ways:
        if not any(one.rule == way.rule for one in proved):
            ask = partial(prospects, way.board, rule=way.rule, exact=True)
            proved.append(report.answers.ask(ask, fits(Prospects, rule=way.rule)))
    return explorer_part(report.board, proved=proved)


class _Shown(Frozen, eq=True):
    """A section as the template needs it."""

    key: str
    question: str
    answer: str
    proof: str
    folded: bool
    inside: str
    first: tuple[dict[str, Any], ...]
    rest: tuple[dict[str, Any], ...]
    commands: tuple[str, ...]
    proved_by: tuple[tuple[int, str, str], ...]
    left_out: tuple[str, ...]


def _shown(section: Section, report: Contents, pictures: Iterator[Figure] | None) -> _Shown:
    places, plots = report.places(section), [one.command for one in section.blocks if isinstance(one, Drawing)]
    folded, standing = _fold(section, report)
    ordered = [*standing, *(one for one in section.blocks if one not in standing)]
    blocks = tuple(_page_block(one, f"{section.key}-{place}", pictures) for place, one in enumerate(ordered, start=1))
    return _Shown(
        key=section.key,
        question=section.question,
        answer=section.answer,
        proof="" if section.proof is None else str(section.proof),
        folded=folded,
        inside="" if standing == section.blocks else _inside(ordered[len(standing) :], section),
        first=blocks[: len(standing)],
        rest=blocks[len(standing) :],
        commands=tuple(dict.fromkeys(filter(None, (section.command, *plots)))),
        proved_by=tuple((place, report.results[place].kind, str(report.results[place].proof)) for place in places),
        left_out=section.left_out,
    )


def _fold(section: Section, report: Contents) -> tuple[bool, tuple[Block, ...]]:
    """Return whether a section is folded away, and its blocks that stand before what is: up to the first table."""
    if len(report.sections) <= FEW:
        return False, section.blocks
    if not OPEN.fullmatch(section.key) and (section.key != "behaved" or isinstance(report.source, Leaderboard)):
        return True, ()
    end = next((place for place, one in enumerate(section.blocks) if isinstance(one, Table | Facts)), -1) + 1
    return False, tuple(one for one in section.blocks[:end] if not isinstance(one, Drawing))


def _inside(blocks: Sequence[Block], section: Section) -> str:
    """Return the collapsed part: from above its tables to below its pictures."""
    named = [one.caption + " (picture)" * isinstance(one, Drawing) for one in blocks if not isinstance(one, Words)]
    more = [f"{len(named) - INSIDE} more"] * (len(named) > INSIDE)
    return "; ".join([*named[:INSIDE], *more, *["what was left out"] * bool(section.left_out)])


def _page_block(block: Block, key: str, pictures: Iterator[Figure] | None) -> dict[str, Any]:
    if isinstance(block, Table):
        return {"form": "table", "key": key, "table": block, "parts": list(_parts(block))}
    if isinstance(block, Facts):
        return {"form": "facts", "key": key, "facts": block}
    if isinstance(block, Words):
        return {"form": "words", "key": key, "words": block}
    return {"form": "figure", "key": key, "figure": figure_of(block, pictures)}


def _parts(table: Table) -> Iterator[dict[str, Any]]:
    """Yield the rows that stand open, and those that are folded away."""
    rows = table.rows
    if len(rows) <= UNFOLDED + SLACK:
        yield {"rows": rows, "folded": False, "of": ""}
        return
    yield {"rows": rows[:UNFOLDED], "folded": False, "of": f"the first {UNFOLDED} of {len(rows)} rows"}
    yield {"rows": rows[UNFOLDED:], "folded": True, "of": f"rows {UNFOLDED + 1} to {len(rows)}"}


def _proof(place: int, result: Result, report: Contents) -> dict[str, Any]:
    said = {one.answer for one in report.sections}
    said |= {block.text for one in report.sections for block in one.blocks if isinstance(block, Words)}
    return {
        "place": place,
        "kind": result.kind,
        "sentence": "" if shown(result) in said else shown(result),
        "proof": str(result.proof),
        "asked": [one for one in report.sections if result in one.results],
    }


# Figures, drawn in memory for light and for dark paper.

WIDE = 600
"""Points from which on a figure is wide."""


class Figure(Frozen, eq=True):
    """A drawn figure.

    Attributes
    ----------
    caption : str
        What it shows.
    alt : str
        What is to be seen, in words, from the marks.
    address : str
        Holds the picture itself, in the colours of light and of dark paper; empty where it was not drawn.
    missing : str
        Why it was not drawn, and how to get it.
    wide : bool
        Whether it is wider than others, and needs more room for its texts to be read.
    """

    caption: str
    alt: str
    address: str = ""
    missing: str = ""
    wide: bool = False


def figure_of(drawing: Drawing, pictures: Iterator[Figure] | None = None) -> Figure:
    """Return a figure with its picture, the next of those given or drawn, or with the reason why there is none."""
    alt, given = "", None if pictures is None else next(pictures, None)
    try:
        alt = alt_text(drawing)
        if given is not None and (given.address or given.missing == NO_PICTURES):
            return replace(given, caption=drawing.caption, alt=alt)
        picture = themed_svg(rendered(drawing.thing, "svg", kind=drawing.kind, **drawing.options).decode("utf-8"))
    except InputError as error:
        return Figure(caption=drawing.caption, alt=alt, missing=shown(error))
    found = re.search(r"<svg [^<>]*?width='([0-9.]+)pt'", picture)
    wide = found is not None and float(found[1]) > WIDE
    return Figure(caption=drawing.caption, alt=alt, address=_address(picture), wide=wide)


_FIGURES = re.compile(
    r'<figure id="[^"]*">\n(?:<picture>\n<img src="(?P<address>data:image/svg[+]xml,[^"\n&#]*)" '
    r'alt="[^"]*"(?P<wide> class="wide")?>|<p class="missing">This figure is missing: (?P<missing>[^<]*))'
)


def figures_in(page: str) -> Iterator[Figure]:
    """Yield the pictures of a page, each an address that holds it, or that it is missing for want of matplotlib."""
    for found in _FIGURES.finditer(page):
        if found["address"]:
            yield Figure(caption="", alt="", address=found["address"], wide=bool(found["wide"]))
        else:
            missing = unescape(found["missing"] or "").startswith(f"{NO_PICTURES}.")
            yield Figure(caption="", alt="", missing=NO_PICTURES if missing else "")


def alt_text(drawing: Drawing) -> str:
    """Return a figure's title and notes as text."""
    found = marks(drawing.thing, drawing.kind, **drawing.options)
    texts = found.loc[found["mark"].isin(["title", "note"]), "label"]
    return shown(" ".join(str(text).rstrip(".") + "." for text in texts))


def _address(picture: str) -> str:
    """Return an address that holds a picture: within an attribute in double quotes nothing of it is markup."""
    return "data:image/svg+xml," + re.sub(r'[%#&"\n]', lambda found: f"%{ord(found[0]):02X}", picture)


# Markdown: every answer, line and table; of figures what they show, in words.


def markdown_of(report: Contents) -> str:
    """Return the report as Markdown."""
    return (
        _environment()
        .get_template("report.md.jinja")
        .render(
            report=report,
            names=_names(report.source),
            blocks={section.key: [_markdown_block(one) for one in section.blocks] for section in report.sections},
            places={section.key: report.places(section) for section in report.sections},
            proofs=[(one.kind.replace("_", " "), shown(one), _in_words(one)) for one in report.results],
            legend=[means.partition(": ")[::2] for means in PROVED_BY.values()],
            version=__version__,
        )
    )


@pass_context
def _marked(context: Context, text: object) -> Markup:
    return Markup(marked(text, context["names"]))  # noqa: S704 - not HTML


def _fenced(text: str) -> Markup:
    return Markup(fenced(text))  # noqa: S704 - as above


def _names(source: Leaderboard | Suite | None) -> Names:
    """Return the names in a report."""
    if source is None:
        return Names()
    if isinstance(source, Suite):
        return Names.of([*source.models, *source.metrics, *source.datasets])
    return Names.of([*source.models, *source.tasks, *source.groups])


def _markdown_block(block: Block) -> dict[str, Any]:
    if isinstance(block, Table):
        return {"form": "table", "table": block}
    if isinstance(block, Facts):
        return {"form": "facts", "facts": block}
    if isinstance(block, Drawing):
        return {"form": "figure", "caption": block.caption, "words": _words(block), "command": block.command}
    return {"form": "words", "text": block.text}


def _in_words(result: Result) -> str:
    return PROVED_BY[result.proof].partition(": ")[0]


def _words(drawing: Drawing) -> str:
    try:
        return alt_text(drawing)
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
    made.filters |= {"md": _marked, "fenced": _fenced}
    return made


def _text(name: str) -> str:
    return (files("weightlab.report") / "templates" / name).read_text(encoding="utf-8")
