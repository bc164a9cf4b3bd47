"""The majority graph: models from the top down, wins over lower models on the right, over higher ones on the left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import Frozen
from weightlab.data import Margins
from weightlab.data.components import strong_components
from weightlab.exceptions import InputError
from weightlab.graph import margins_of
from weightlab.graph.majority_graph import MajorityLike, beats
from weightlab.plots.canvas import Axes, Theme, canvas, short_names, width_of
from weightlab.plots.marks import first_models, first_of, headline, marks_frame, models_in_order, note, rows_of, title

EdgesShown: TypeAlias = Literal["all", "telling"]
"""Every edge; or all but the wins over lower models that are not adjacent, which go without saying."""
ALL_UP_TO = 8
"""Largest number of models for which all edges are shown by default."""
WIDE_UP_TO = 5
"""Largest number of models with room for wide arrows."""
ROW, HIGH_ROW = 0.36, 0.5
"""Inches from a model to the next; where all edges are shown, there are more of them to tell apart."""
COLUMNS = ["model", "rival", "y", "to_y", "layer", "margin", "width", "span", "side", "role"]


def majority_graph_marks(
    source: MajorityLike, *, edges: EdgesShown | None = None, most: int | None = 30
) -> pd.DataFrame:
    """Return the marks of a majority graph: models in layers, and an arrow from each winner to its loser.

    Models stand one below the other, by Copeland score. A *layer* is a least set of models that beats all models below
    it: a strong component of "beats or ties". The first layer is the Smith set.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    edges : {"all", "telling"}, optional
        Every edge, the default for up to 8 models; or only what the order does not say: wins over higher models, ties,
        and wins over the next lower model. A note counts what is not drawn.
    most : int, optional
        Number of models shown, from the first; the title names omissions. None shows all.

    Returns
    -------
    DataFrame
        ``mark`` is ``"node"``, ``"edge"``, ``"tie"``, ``"layer"``, ``"title"`` or ``"note"``. Nodes: ``model``,
        ``y`` (place from 0, downwards), ``layer`` (from 0), ``role`` (``"first"`` in the Smith set, else ``"other"``),
        ``label``. Edges: ``model`` (the winner), ``rival`` (the loser), ``margin`` (exact), ``width`` (points, in
        proportion to the margin), ``span`` (places between the two), ``side`` and ``role`` (``"right"``, ``"for"``:
        the winner stands higher; ``"left"``, ``"against"``: it stands lower), ``y`` and ``to_y`` (where the arrow
        leaves and ends; those of one model are spread over its height). Ties: the same, ``side`` ``"right"`` and
        ``role`` ``"even"``. Layers of two models or more, and the first: ``y`` and ``to_y`` of its first and last
        model.

    Raises
    ------
    InputError
        If ``edges`` is not known, or ``most`` is not positive.

    Notes
    -----
    O(models^2) on the margins.

    Examples
    --------
    >>> import weightlab as wl
    >>> marks = wl.plots.majority_graph_marks(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"])))
    >>> marks.loc[marks.mark == "edge", ["model", "rival", "side"]].values.tolist()
    [['a', 'b', 'right'], ['c', 'a', 'left'], ['b', 'c', 'right']]
    """
    margins = margins_of(source)
    listed = models_in_order(margins, "copeland")
    kept = first_models(listed, most)
    if edges not in {None, "all", "telling"}:
        raise InputError(f"edges must be 'all' or 'telling'; got {edges!r}")
    telling = edges == "telling" or (edges is None and len(kept) > ALL_UP_TO)
    layers = _layers(margins.select(listed))
    duels = list(_duels(margins.select(kept)))
    drawn = [one for one in duels if not telling or one.side == "left" or one.margin == 0 or one.span == 1]
    nodes = [
        {"mark": "node", "model": model, "y": place, "layer": int(layer), "label": label,
         "role": "other" if layer else "first"}
        for place, (model, layer, label) in enumerate(zip(kept, layers, short_names(kept), strict=False))
    ]  # fmt: skip
    words = _words(len(kept), len(listed), duels, left_out=len(duels) - len(drawn))
    return marks_frame([*_bands(layers, len(kept)), *nodes, *_arrows(drawn, kept), *words], COLUMNS)


def draw_majority_graph(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a majority graph.

    Parameters
    ----------
    marks : DataFrame
        As ``majority_graph_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    nodes, arcs, layers = rows_of(marks, "node"), rows_of(marks, "edge", "tie"), rows_of(marks, "layer")
    half = 0.1 + 0.038 * max([8, *(width_of(one.label) for one in nodes)])
    left, right = (_reach(max([0, *(one.span for one in arcs if one.side == side)])) for side in ("left", "right"))
    labels = 0.075 * max([0, *(width_of(one.label) for one in layers)])
    width = 2 * half + left + right + labels + 0.3
    row = HIGH_ROW if 1 < len(nodes) <= ALL_UP_TO else ROW
    size = (max(4.8, width), 0.9 + row * len(nodes))
    with canvas(ax, size=size, theme=theme, fixed=True) as (axes, look):
        _draw_layers(axes, layers, look, start=-half - left - 0.1, stop=half + right + 0.1)
        for arc in arcs:
            _draw_arc(axes, arc, look, half=half)
        for node in nodes:
            _draw_node(axes, node, look, half=half, row=row)
        axes.set_xlim(-half - left - 0.12, half + right + labels + 0.18)
        axes.set_ylim(len(nodes) - 0.4, -0.6)
        axes.set_axis_off()
        headline(axes, marks)
    return axes


class _Duel(Frozen, eq=True):
    """A duel of two models by their places; the winner first, or the higher one where they tie."""

    first: int
    second: int
    margin: Fraction
    share: float

    @property
    def span(self) -> int:
        return abs(self.first - self.second)

    @property
    def side(self) -> str:
        return "right" if self.first < self.second else "left"


def _layers(margins: Margins) -> AnyArray:
    """Return the layer of each model, in an order in which they stand from the top down."""
    _, component = strong_components(~beats(margins).T)
    changes = np.concatenate([[0], np.cumsum(component[1:] != component[:-1])]) if len(component) else component
    return np.asarray(changes)


def _duels(margins: Margins) -> Iterator[_Duel]:
    array = margins.array
    largest = max((abs(int(one)) for one in array.flat), default=0) or 1
    for higher in range(len(margins.models)):
        for lower in range(higher + 1, len(margins.models)):
            won = int(array[higher, lower])
            first, second = (higher, lower) if won >= 0 else (lower, higher)
            yield _Duel(
                first=first, second=second, margin=Fraction(abs(won), margins.denominator), share=abs(won) / largest
            )


def _arrows(duels: Sequence[_Duel], models: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the mark of each head-to-head, its ends spread over the height of the models so that no two cross."""
    ports = _ports(duels)
    widest = 3.4 if len(models) <= WIDE_UP_TO else 2.0
    for place, duel in enumerate(duels):
        tie = duel.margin == 0
        yield {
            "mark": "tie" if tie else "edge",
            "model": models[duel.first],
            "rival": models[duel.second],
            "y": ports[place, duel.first],
            "to_y": ports[place, duel.second],
            "margin": duel.margin,
            "width": 1.0 if tie else 0.6 + widest * duel.share,
            "span": duel.span,
            "side": duel.side,
            "role": "even" if tie else "for" if duel.side == "right" else "against",
        }


def _ports(duels: Sequence[_Duel]) -> dict[tuple[int, int], float]:
    """Return where each pair's line meets its two models: rows of the upper half lead up, of the lower half down."""
    meeting: dict[tuple[int, str, bool], list[tuple[int, int]]] = {}
    for place, duel in enumerate(duels):
        for here, there in ((duel.first, duel.second), (duel.second, duel.first)):
            meeting.setdefault((here, duel.side, there > here), []).append((duel.span, place))
    ports = {}
    for (here, _, down), listed in meeting.items():
        # From the top: the longest of those that lead down, the shortest of those that lead up.
        ordered = sorted(listed, reverse=down)
        for position, (_, place) in enumerate(ordered, start=1):
            step = 0.36 * position / (len(ordered) + 1)
            ports[place, here] = here + (step if down else step - 0.36)
    return ports


def _bands(layers: AnyArray, shown: int) -> Iterator[dict[str, Any]]:
    """Yield the mark of the first layer and of each that holds several models, as far as it is shown."""
    for layer in range(int(layers[shown - 1]) + 1):
        places = np.flatnonzero(layers == layer)
        inside = places[places < shown]
        if layer and len(places) == 1:
            continue
        name = ("Condorcet winner" if len(places) == 1 else "Smith set") if layer == 0 else "cycle or ties"
        cut = "" if len(inside) == len(places) else f", {len(inside)} of {len(places)}"
        yield {
            "mark": "layer", "y": int(inside[0]), "to_y": int(inside[-1]), "layer": layer, "label": f"{name}{cut}",
            "role": "other" if layer else "first",
        }  # fmt: skip


def _words(shown: int, there: int, duels: Sequence[_Duel], *, left_out: int) -> Iterator[dict[str, Any]]:
    yield title(f"Majority graph: {first_of(shown, there, 'model')} by Copeland score")
    upsets, ties = sum(one.side == "left" for one in duels), sum(one.margin == 0 for one in duels)
    parts = ["Arrows lead from the winner of a head-to-head to the loser, the wider the larger the margin"]
    if upsets:
        parts.append("dashed on the left: the lower model wins")
    if ties:
        parts.append("dotted: a tie")
    yield note("; ".join(parts) + ".")
    if left_out:
        yield note(
            f"Not drawn: {left_out} wins over lower models that are not adjacent. A model beats every model below it "
            "unless a dashed arrow or a dotted line joins them."
        )


def _reach(span: float) -> float:
    """Return how far from the names an arc over a number of places goes, in inches."""
    return min(3.2, 0.25 + 0.28 * float(span) ** 0.8) if span else 0.0


def _draw_layers(ax: Axes, layers: Sequence[Any], look: Theme, *, start: float, stop: float) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415 (an extra)

    for band in layers:
        height = band.to_y - band.y + 0.9
        ax.add_patch(
            Rectangle(
                (start, band.y - 0.45), stop - start, height,
                facecolor=look.colour(band.role), alpha=0.13, edgecolor="none", zorder=0,
            )
        )  # fmt: skip
        ax.text(stop + 0.08, (band.y + band.to_y) / 2, band.label, va="center", color=look.faint, fontsize=8.5)


def _draw_arc(ax: Axes, arc: Any, look: Theme, *, half: float) -> None:
    from matplotlib.patches import FancyArrowPatch  # noqa: PLC0415 (an extra)
    from matplotlib.path import Path  # noqa: PLC0415 (an extra)

    side = 1 if arc.side == "right" else -1
    edge, far = side * half, side * (half + _reach(arc.span) * 4 / 3)
    # Three quarters of the way to its handles is as far as a Bézier curve goes.
    path = Path(
        [(edge, arc.y), (far, arc.y), (far, arc.to_y), (edge, arc.to_y)],
        [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4],
    )
    tie = arc.mark == "tie"
    ax.add_patch(
        FancyArrowPatch(
            path=path,
            arrowstyle="-" if tie else "-|>",
            mutation_scale=5 + 1.6 * arc.width,
            linewidth=arc.width,
            linestyle=":" if tie else "-" if arc.side == "right" else (0, (4, 1.5)),
            color=look.faint if tie else look.colour(arc.role),
            shrinkA=0,
            shrinkB=0,
            zorder=1 + 1 / (1 + arc.span),
        )
    )


def _draw_node(ax: Axes, node: Any, look: Theme, *, half: float, row: float) -> None:
    from matplotlib.patches import FancyBboxPatch  # noqa: PLC0415 (an extra)

    first = node.role == "first"
    ax.add_patch(
        FancyBboxPatch(
            (-half, node.y - 0.36), 2 * half, 0.72,
            boxstyle="round,pad=0,rounding_size=0.06", mutation_aspect=1 / row,
            facecolor=look.paper, edgecolor=look.colour(node.role), linewidth=1.6 if first else 1.0, zorder=3,
        )
    )  # fmt: skip
    ax.text(0, node.y, node.label, ha="center", va="center", fontsize=8.5, zorder=4,
            fontweight="bold" if first else "normal")  # fmt: skip
