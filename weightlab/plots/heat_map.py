"""What heat maps share: shaded cells with their values, names on two sides, and the scale of shades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from weightlab.plots.canvas import Axes, Theme, turned


def draw_heat(
    ax: Axes,
    cells: pd.DataFrame,
    names: Sequence[str],
    look: Theme,
    *,
    cell: float,
    scale: Mapping[float, str],
    of: str,
) -> None:
    """Draw the cells of a square table.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.
    cells : DataFrame
        ``x``, ``y`` (places from 0; y runs downwards), ``shade`` (-1 to 1; missing in cells that say nothing) and
        ``label``, the value where it is written.
    names : sequence of str
        Of the rows and columns, as they are shown.
    look : Theme
        The colours.
    cell : float
        Inches of a side of a cell.
    scale : mapping from float to str
        The labels of the scale at these shades; no scale is drawn where there is nothing.
    of : str
        What the scale measures.
    """
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415 (an extra)

    shades = np.full((len(names), len(names)), np.nan)
    shades[cells["y"].astype(int), cells["x"].astype(int)] = cells["shade"].astype(float)
    shading = LinearSegmentedColormap.from_list(of, look.diverging).with_extremes(bad=look.grid)
    image = ax.imshow(shades, cmap=shading, vmin=-1, vmax=1, aspect="equal", interpolation="none")
    _write_values(ax, cells, shading, look)
    ax.set_xticks(range(len(names)), names, rotation=turned(names, cell))
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    figure = ax.get_figure(root=True)
    if scale and figure is not None:
        bar = figure.colorbar(image, ax=ax, shrink=0.7, aspect=30, label=of)
        bar.set_ticks(list(scale), labels=list(scale.values()))
        bar.outline.set_visible(False)


def _write_values(ax: Axes, cells: pd.DataFrame, shading: Any, look: Theme) -> None:
    """Write the values into the cells that have one, in the colour that can be read on their shade."""
    from matplotlib.colors import to_hex  # noqa: PLC0415 (an extra)

    for x, y, shade, label in cells[["x", "y", "shade", "label"]].itertuples(index=False):
        if label:
            under = look.grid if pd.isna(shade) else to_hex(shading((float(shade) + 1) / 2))
            ax.text(x, y, label, ha="center", va="center", fontsize="small", color=look.text_on(under), in_layout=False)
