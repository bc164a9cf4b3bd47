"""Pictures, in two steps: marks as a table that can be read and tested, then drawn by matplotlib.

``draw`` chooses by what it is given; ``save`` writes a file. Nothing here imports matplotlib before it draws.
"""

from __future__ import annotations

from weightlab.plots.drawing import draw, marks, rendered, save
from weightlab.plots.majority_graph import draw_majority_graph, majority_graph_marks
from weightlab.plots.margins import draw_margins, margins_marks
from weightlab.plots.registry import PICTURES, Picture, pictures_of
from weightlab.plots.theme import OKABE_ITO, THEMES, Theme

__all__ = [
    "OKABE_ITO",
    "PICTURES",
    "THEMES",
    "Picture",
    "Theme",
    "draw",
    "draw_majority_graph",
    "draw_margins",
    "majority_graph_marks",
    "margins_marks",
    "marks",
    "pictures_of",
    "rendered",
    "save",
]
