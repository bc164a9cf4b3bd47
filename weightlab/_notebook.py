"""A sentence and a table as a notebook shows them: text in the notebook's own colours, nothing to run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from weightlab._text import first_few, shown

OPEN = 15
"""So many rows stand open; more are folded away."""

SLACK = 5
"""So few more rows are not worth folding."""

ROWS, COLUMNS = 400, 40
"""So many rows and columns are written at most; the others are counted."""

NAMED = 5
"""So many names are listed; the others are counted."""

ROOM = "0.1em 0.7em 0.1em 0"
SCROLLED = "overflow-x: auto"
PLAIN = "border-collapse: collapse; margin: 0.4em 0"
BESIDE = "text-align: left; font-weight: bold; padding: 0.2em 0; white-space: nowrap"
NUMBER = f"text-align: right; padding: {ROOM}; font-variant-numeric: tabular-nums; white-space: nowrap"
WORD = f"text-align: left; padding: {ROOM}"
RULED = "border-bottom: 1px solid currentColor"
BADGE = "border: 1px solid currentColor; border-radius: 1em; padding: 0 0.5em; font-size: 0.8em; white-space: nowrap"


def notebook_html(sentence: str, badge: str, frame: pd.DataFrame, caption: str, *, whole: str = "summary()") -> str:
    """Return HTML without scripts or colours of its own, for light and dark notebooks.

    Parameters
    ----------
    sentence : str
        What is said first.
    badge : str
        How it is proved, in a word or two; nothing where that is not said.
    frame : DataFrame
        The table; its index names the rows.
    caption : str
        What the table shows.
    whole : str
        What has all of a table that is too large to be shown.
    """
    mark = f' <span style="{BADGE}">{_html(badge)}</span>' if badge else ""
    return f"<div><p>{_html(sentence)}{mark}</p>{''.join(_tables(frame, caption, whole))}</div>"


def data_html(
    sentence: str, frame: pd.DataFrame, caption: str, *, lower: Sequence[str], weights: pd.Series, whole: str
) -> str:
    """Return HTML: a sentence, which columns are better when lower or do not weigh 1, and the table of scores."""
    notes = [sentence]
    if lower:
        notes.append(f"lower is better: {first_few(lower, NAMED)}")
    heavy = [f"{name} {weight}" for name, weight in weights.items() if weight != 1]
    if heavy:
        notes.append(f"weights: {first_few(heavy, NAMED)}{'' if len(heavy) == len(weights) else ', the others 1'}")
    return notebook_html("; ".join(notes), "", frame, caption, whole=whole)


def _tables(frame: pd.DataFrame, caption: str, whole: str) -> Iterator[str]:
    """Yield the table, or its first rows and, folded away, the others; and a line on what is left out."""
    kept = frame.iloc[:ROWS, :COLUMNS]
    if len(kept) <= OPEN + SLACK:
        yield _table(kept, caption)
    else:
        yield _table(kept.iloc[:OPEN], f"{caption}: the first {OPEN} of {len(frame)} rows")
        rest = f"{caption}: rows {OPEN + 1} to {len(kept)}"
        yield f"<details><summary>{_html(rest)}</summary>{_table(kept.iloc[OPEN:], rest)}</details>"
    more = [f"{len(frame) - ROWS} more rows"] if len(frame) > ROWS else []
    more += [f"{len(frame.columns) - COLUMNS} more columns"] if len(frame.columns) > COLUMNS else []
    if more:
        yield f"<p>{_html(' and '.join(more))}: {_html(whole)} has them all.</p>"


def _table(frame: pd.DataFrame, caption: str) -> str:
    known = frame.attrs.get("right", ())
    right = [place in known or is_numbers(frame.iloc[:, place]) for place in range(len(frame.columns))]
    corner = "".join(_heading("" if name is None else name, "col", WORD) for name in frame.index.names)
    heads = "".join(
        _heading(name, "col", NUMBER if number else WORD) for name, number in zip(frame.columns, right, strict=True)
    )
    rows = "".join(f"<tr>{_row(name, cells, right)}</tr>" for name, *cells in frame.itertuples(name=None))
    return (
        f'<div style="{SCROLLED}"><table style="{PLAIN}"><caption style="{BESIDE}">{_html(caption)}</caption>'
        f'<thead style="{RULED}"><tr>{corner}{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(name: Any, cells: Sequence[Any], right: Sequence[bool]) -> str:
    names = name if isinstance(name, tuple) else (name,)
    shown_cells = (
        f'<td style="{NUMBER if number else WORD}">{_html(cell_text(cell))}</td>'
        for cell, number in zip(cells, right, strict=True)
    )
    return "".join([*(_heading(one, "row", WORD) for one in names), *shown_cells])


def _heading(name: Any, scope: str, style: str) -> str:
    text = " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)
    return f'<th scope="{scope}" style="{style}">{_html(text)}</th>'


def is_numbers(column: pd.Series) -> bool:
    """Return whether a column holds numbers, apart from gaps."""
    kept = [cell for cell in column.tolist() if not _is_gap(cell)]
    return bool(kept) and all(isinstance(cell, Real) and not isinstance(cell, bool | np.bool_) for cell in kept)


def _is_gap(cell: Any) -> bool:
    return cell is None or cell is pd.NA or (isinstance(cell, float) and math.isnan(cell))


def cell_text(cell: Any) -> str:
    """Return a cell as text: numbers to six digits, booleans as yes and no, gaps as nothing."""
    if _is_gap(cell):
        return ""
    if isinstance(cell, bool | np.bool_):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.6g}"
    if isinstance(cell, tuple | list):
        return ", ".join(map(cell_text, cell))
    return str(cell)


def _html(text: object) -> str:
    return escape(shown(text))
