"""The forms of an answer but the screen: HTML, Markdown, LaTeX, and tables separated by commas or tabs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from html import escape

from weightlab._text import shown
from weightlab._version import __version__
from weightlab.views.markdown import NO_NAMES, Names, marked
from weightlab.views.view import PROVED_BY, Facts, Lines, Table, View

# HTML: text in the colours of the notebook or page that it stands in, nothing to run.

OPEN, SLACK = 15, 5
"""Rows of a table that stand open, and the smallest number of rows that are folded away."""
ROWS, COLUMNS = 400, 40
"""Largest numbers of rows and columns written; the others are counted."""
ROOM = "padding: 0.1em 0.7em 0.1em 0"
WORD = f"text-align: left; vertical-align: top; {ROOM}"
NUMBER = f"text-align: right; {ROOM}; font-variant-numeric: tabular-nums; white-space: nowrap"
LISTED, LINE = "display: grid; grid-template-columns: max-content auto; gap: 0 1.5em", "margin: 0; grid-column: 2"
PLAIN = "border-collapse: collapse; margin: 0.4em 0"
BESIDE = "text-align: left; font-weight: bold; padding: 0.2em 0; white-space: nowrap"
RULED = "border-bottom: 1px solid currentColor"
BADGE = "border: 1px solid currentColor; border-radius: 1em; padding: 0 0.5em; font-size: 0.8em; white-space: nowrap"
PAGE = (
    "<!doctype html>\n"
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    '<meta name="color-scheme" content="light dark"><meta name="generator" content="weightlab {version}">'
    "<title>{title}</title></head>\n"
    '<body style="font-family: system-ui, sans-serif; max-width: 72em; margin: auto; padding: 1em">\n'
    "<main>\n<h1>{title}</h1>\n{parts}\n</main></body></html>\n"
)


def html(view: View, *, whole: str = "summary()") -> str:
    """Return a view as a part of a page; ``whole`` names the call that shows a table in full."""
    said = [_html_block(one, whole) for one in view.parts]
    if view.headline and view.results:
        badge = f' <span style="{BADGE}">{PROVED_BY[view.results[0].proof]}</span>'
        said[0] = said[0].replace("</p>", f"{badge}</p>", 1)
    return f"<div>{''.join(said)}</div>"


def page(views: Sequence[View], title: str) -> str:
    """Return a whole page of views, without scripts."""
    return PAGE.format(version=__version__, title=_text(title), parts="\n".join(map(html, views)))


def _html_block(block: Table | Facts | Lines, whole: str) -> str:
    if isinstance(block, tuple):
        return f"<p>{'<br>'.join(map(_text, block))}</p>"
    if isinstance(block, Table):
        return _html_tables(block, whole)
    lines = []
    for heading, said in block.lines:
        lines += [f"<dt>{_text(heading)}</dt>", *(f'<dd style="{LINE}">{_text(one)}</dd>' for one in said)]
    return f'<dl style="{LISTED}">{"".join(lines)}</dl>'


def _html_tables(block: Table, whole: str) -> str:
    """Return a table, or its first rows and, folded away, the others; and a line on what is not written."""
    rows, caption, count = block.rows[:ROWS], block.caption or "Table", len(block.rows)
    if len(rows) <= OPEN + SLACK:
        told = _html_table(block, rows, caption)
    else:
        rest = f"{caption}: rows {OPEN + 1} to {len(rows)}"
        told = _html_table(block, rows[:OPEN], f"{caption}: the first {OPEN} of {count} rows")
        told += f"<details><summary>{_text(rest)}</summary>{_html_table(block, rows[OPEN:], rest)}</details>"
    more = [f"{count - ROWS} more rows"] if count > ROWS else []
    more += [f"{len(block.headings) - COLUMNS} more columns"] if len(block.headings) > COLUMNS else []
    return told + (f"<p>{_text(' and '.join(more))}: {_text(whole)} has them all.</p>" if more else "")


def _html_table(block: Table, rows: Sequence[Sequence[str]], caption: str) -> str:
    kinds = [NUMBER if place in block.right else WORD for place in range(min(len(block.headings), COLUMNS))]
    named = next((place for place in range(len(kinds)) if place not in block.right), 0)
    heads = (
        f'<th scope="col" style="{kind}">{_text(one)}</th>' for one, kind in zip(block.headings, kinds, strict=False)
    )
    lines = []
    for row in rows:
        cells = [
            f'<th scope="row" style="{kind}">{_text(cell)}</th>'
            if place == named
            else f'<td style="{kind}">{_text(cell)}</td>'
            for place, (cell, kind) in enumerate(zip(row, kinds, strict=False))
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div style="overflow-x: auto"><table style="{PLAIN}"><caption style="{BESIDE}">{_text(caption)}</caption>'
        f'<thead style="{RULED}"><tr>{"".join(heads)}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def _text(text: object) -> str:
    """Return a text as HTML: the one place where names are escaped."""
    return escape(shown(text))


# Markdown.


def names_of(view: View) -> Names:
    """Return the names of the models and tasks in a view."""
    parts = [getattr(one, part, ()) for one in view.results for part in ("models", "tasks")]
    named = [names for names in parts if isinstance(names, tuple)]
    return Names.of({name for names in named for name in names if isinstance(name, str)}) if named else NO_NAMES


def markdown(view: View) -> str:
    """Return a view as Markdown; names and other text from outside weightlab are never markup."""
    names = names_of(view)
    return "\n\n".join(_markdown_block(one, names) for one in view.parts)


def _markdown_block(block: Table | Facts | Lines, names: Names) -> str:
    if isinstance(block, tuple):
        return "\\\n".join(marked(line, names) for line in block)
    if isinstance(block, Facts):
        return "\n".join(f"- {marked(one, names)}: {marked('; '.join(said), names)}" for one, said in block.lines)
    rule = ["---:" if place in block.right else "---" for place in range(len(block.headings))]
    rows = [[marked(one, names) for one in block.headings], rule]
    rows += [[marked(one, names) for one in row] for row in block.rows]
    caption = f"**{marked(block.caption, names)}**\n\n" if block.caption else ""
    return caption + "\n".join(f"| {' | '.join(row)} |" for row in rows)


# LaTeX.

TEX = str.maketrans(
    {
        **{one: f"\\{one}" for one in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        '"': r"\textquotedbl{}",
        "[": "{[}",
        "]": "{]}",
    }
)
"""What LaTeX would obey, and how it is printed."""


def latex(view: View) -> str:
    """Return the tables of a view for ``booktabs``, with what else it says as paragraphs."""
    return "\n\n".join(map(_latex_block, view.parts))


def _latex_block(block: Table | Facts | Lines) -> str:
    if isinstance(block, tuple):
        return "\n\n".join(map(tex, block))
    if isinstance(block, Facts):
        lines = (rf"\item[{tex(heading)}] {tex('; '.join(said))}" for heading, said in block.lines)
        return "\n".join([r"\begin{description}", *lines, r"\end{description}"])
    columns = "".join("r" if place in block.right else "l" for place in range(len(block.headings)))
    head, *rows = (" & ".join(map(tex, row)) + r" \\" for row in (block.headings, *block.rows))
    return "\n".join(
        [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]
    )


def tex(text: str) -> str:
    """Return a text as LaTeX prints it."""
    return shown(text).translate(TEX)


# Tables for programs.


def separated(view: View, delimiter: str = ",") -> str:
    """Return the tables and facts of a view as rows of cells, an empty line between two of them; else its sentences."""
    held = io.StringIO()
    writer = csv.writer(held, delimiter=delimiter, lineterminator="\n")
    parts = [one for one in view.parts if not isinstance(one, tuple)] or view.parts
    for place, one in enumerate(parts):
        held.write("\n" * bool(place))
        writer.writerows(_rows(one))
    return held.getvalue()


def _rows(block: Table | Facts | Lines) -> list[Sequence[str]]:
    if isinstance(block, Table):
        return [block.headings, *block.rows]
    if isinstance(block, Facts):
        return [(heading, line) for heading, said in block.lines for line in said]
    return [(line,) for line in block]


FORMS: Mapping[str, Callable[[View], str]] = {
    ".md": markdown,
    ".tex": latex,
    ".csv": separated,
    ".tsv": lambda view: separated(view, "\t"),
}
"""Forms by the ending of a file's name, besides pages and documents."""


def is_form(ending: str) -> bool:
    """Return whether a file with this extension holds a human-readable answer, or its tables, and not a document."""
    return ending in FORMS or ending in (".html", ".htm")


def written(views: Sequence[View], ending: str, title: str) -> str:
    """Return views as a file with this ending holds them; a view may have its own words for one."""
    if ending in (".html", ".htm"):
        return page(views, title)
    plain = FORMS.get(ending)
    own = [view for view in views if plain is not None or ending in view.files]
    texts = [view.files[ending]() if ending in view.files else FORMS[ending](view) for view in own]
    return "\n\n".join(text.strip("\n") for text in texts if text.strip("\n")) + "\n"
