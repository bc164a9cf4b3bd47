"""An audit at a glance: which dataset has which structure."""

from __future__ import annotations

from typing import Any

import pandas as pd

from weightlab.plots.canvas import Axes, Theme, canvas, short_names
from weightlab.plots.marks import headline, marks_frame, note, of_kind, title, words_of
from weightlab.studies import Audit, DatasetAudit
from weightlab.studies.structure.properties import PROPERTIES
from weightlab.studies.structure.proportions import MAJORITY_FACTS

COLUMNS = ["dataset", "property", "of", "role", "ties", "x", "y"]
SIGNS = {"holds": "o", "fails": "x", "not asked": "_", "not audited": "_"}
"""Shapes, so that the answers differ without colour."""


def audit_marks(found: Audit) -> pd.DataFrame:
    """Return the cells of a picture of an audit: datasets down, properties across.

    Parameters
    ----------
    found : Audit
        What `studies.audit` returned.

    Returns
    -------
    DataFrame
        ``mark`` is ``"cell"``, ``"count"``, ``"title"`` or ``"note"``. Cells, dataset by dataset: ``y`` and ``x``
        (places from 0; y runs downwards), ``dataset``, ``property``, ``of`` (``"rankings"``, or ``"majority"`` for what
        is said of their majority), ``role``: ``"holds"``, ``"fails"``, ``"not asked"`` (properties of strict rankings
        where ties are kept) or ``"not audited"`` (the dataset as a whole); and ``ties``: ``"depend"`` where the answer
        depends on how ties are broken, ``"undecided"`` where that is not known, else ``""``. Counts, one a property,
        have as ``label`` on how many datasets it holds.
    """
    facts = {name: one.facts() for name, one in found.datasets.items()}
    names = [*PROPERTIES, *MAJORITY_FACTS]
    cells = [
        {
            "mark": "cell",
            "y": y,
            "x": x,
            "dataset": dataset,
            "property": name,
            "of": "majority" if name in MAJORITY_FACTS else "rankings",
            "role": _role(name, facts[dataset][name]) if dataset in facts else "not audited",
            "ties": _ties(found.datasets[dataset], name) if dataset in facts else "",
        }
        for y, dataset in enumerate([*found.datasets, *found.unaudited])
        for x, name in enumerate(names)
    ]
    counts = [
        {"mark": "count", "property": name, "x": x, "label": f"{found.counts[name].holds}/{found.counts[name].asked}"}
        for x, name in enumerate(names)
    ]
    return marks_frame([*cells, *counts, *_words(found, {str(cell["ties"]) for cell in cells})], COLUMNS)


def _role(name: str, fact: Any) -> str:
    if name == "condorcet_winner":
        return "fails" if fact is None else "holds"
    return "not asked" if fact is None else "holds" if fact else "fails"


def _ties(one: DatasetAudit, name: str) -> str:
    """Return whether the answer depends on tie-breaking, for properties where this is tested."""
    if one.ties is None or name not in PROPERTIES:
        return ""
    some, every = one.ties.under_some(name), one.ties.under_every(name)
    if some and every is False:
        return "depend"
    return "" if some is False or every else "undecided"


def _words(found: Audit, ties: set[str]) -> list[dict[str, Any]]:
    count = found.counts["acyclic"]
    head = f"The majority relation is acyclic on {count.holds} of {count.asked} datasets"
    words = ["Disc: holds; cross: fails; dash: not asked."]
    if "depend" in ties:
        words.append("A square around: it depends on how ties are broken.")
    if "undecided" in ties:
        words.append("A question mark: whether it depends on how ties are broken is undecided.")
    if found.unaudited:
        words.append("Datasets of dashes alone have too few models with every score.")
    words.append("Below: on how many datasets it holds.")
    return [title(head), note(" ".join(words))]


def draw_audit(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of an audit.

    Parameters
    ----------
    marks : DataFrame
        As ``audit_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    cells, counts = of_kind(marks, "cell"), of_kind(marks, "count")
    datasets = short_names(cells["dataset"].unique().tolist())
    with canvas(ax, size=(8, 3.1 + 0.26 * len(datasets)), theme=theme, fixed=True) as (axes, look):
        for role, own in cells.groupby("role", sort=False):
            _draw_signs(axes, own, str(role), look)
        depend = cells[cells["ties"] == "depend"]
        axes.scatter(depend["x"], depend["y"], s=15**2, marker="s", facecolors="none", edgecolors=look.ink)
        for x, y in cells.loc[cells["ties"] == "undecided", ["x", "y"]].itertuples(index=False):
            axes.text(x + 0.27, y, "?", va="center", ha="center", fontsize=8, color=look.faint, in_layout=False)
        last = len(datasets)
        for x, label in counts[["x", "label"]].itertuples(index=False):
            axes.text(x, last + 0.05, label, ha="center", va="center", fontsize=8, weight="bold", in_layout=False)
        edge = int(cells.loc[cells["of"] == "majority", "x"].min())
        axes.axvline(edge - 0.5, color=look.faint, linewidth=0.8)
        axes.axhline(last - 0.5, color=look.faint, linewidth=0.8)
        words = [words_of(str(name)) for name in counts["property"]]
        axes.set_xticks(range(len(words)), words, rotation=45, ha="left", rotation_mode="anchor")
        axes.set_yticks([*range(last), last], [*datasets, "holds on"])
        axes.xaxis.tick_top()
        axes.set_xlim(-0.5, len(words) + 0.3)
        axes.set_ylim(last + 0.5, -0.5)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        headline(axes, marks)
    return axes


def _draw_signs(ax: Axes, own: pd.DataFrame, role: str, look: Theme) -> None:
    """Draw the signs of one answer."""
    colour = look.colour({"holds": "first", "fails": "second"}.get(role, "other"))
    ax.plot(
        own["x"], own["y"], linestyle="", marker=SIGNS[role], markersize=8 if role != "fails" else 7, color=colour,
        markeredgewidth=2 if role != "holds" else 0,
    )  # fmt: skip
