"""Pictures, in two steps: marks as a table that can be read and tested, then drawn by matplotlib.

``draw`` chooses by what it is given; ``save`` writes a file. Nothing here imports matplotlib before it draws.
"""

from __future__ import annotations

from weightlab.plots.agreement import agreement_marks, draw_agreement
from weightlab.plots.audit import audit_marks, draw_audit
from weightlab.plots.depths import depths_marks, draw_depths
from weightlab.plots.disagreement import disagreement_marks, draw_disagreement
from weightlab.plots.dispersion import dispersion_marks, draw_dispersion
from weightlab.plots.drawing import draw, marks, rendered, save
from weightlab.plots.majority_graph import draw_majority_graph, majority_graph_marks
from weightlab.plots.margins import draw_margins, margins_marks
from weightlab.plots.rank_intervals import draw_rank_intervals, rank_intervals_marks
from weightlab.plots.ranking import draw_ranking, ranking_marks
from weightlab.plots.ranks import draw_ranks, ranks_marks
from weightlab.plots.registry import PICTURES, Picture, pictures_of
from weightlab.plots.robustness import draw_robustness, robustness_marks
from weightlab.plots.separation_tree import draw_separation_tree, separation_tree_marks
from weightlab.plots.single_peaked import draw_single_peaked, single_peaked_marks
from weightlab.plots.stability import draw_stability, stability_marks
from weightlab.plots.sweep import draw_sweep, sweep_marks
from weightlab.plots.theme import OKABE_ITO, THEMES, Theme
from weightlab.plots.weight_ranges import draw_weight_ranges, weight_ranges_marks
from weightlab.plots.winner_map import draw_winner_map, winner_map_marks
from weightlab.plots.winning_shares import draw_winning_shares, winning_shares_marks

__all__ = [
    "OKABE_ITO",
    "PICTURES",
    "THEMES",
    "Picture",
    "Theme",
    "agreement_marks",
    "audit_marks",
    "depths_marks",
    "disagreement_marks",
    "dispersion_marks",
    "draw",
    "draw_agreement",
    "draw_audit",
    "draw_depths",
    "draw_disagreement",
    "draw_dispersion",
    "draw_majority_graph",
    "draw_margins",
    "draw_rank_intervals",
    "draw_ranking",
    "draw_ranks",
    "draw_robustness",
    "draw_separation_tree",
    "draw_single_peaked",
    "draw_stability",
    "draw_sweep",
    "draw_weight_ranges",
    "draw_winner_map",
    "draw_winning_shares",
    "majority_graph_marks",
    "margins_marks",
    "marks",
    "pictures_of",
    "rank_intervals_marks",
    "ranking_marks",
    "ranks_marks",
    "rendered",
    "robustness_marks",
    "save",
    "separation_tree_marks",
    "single_peaked_marks",
    "stability_marks",
    "sweep_marks",
    "weight_ranges_marks",
    "winner_map_marks",
    "winning_shares_marks",
]
