"""Pictures, in two steps: marks as a table that can be read and tested, then drawn by matplotlib.

``draw`` chooses by what it is given; ``save`` writes a file. Nothing here imports matplotlib before it draws.
"""

from __future__ import annotations

from weightlab.plots.canvas import OKABE_ITO, THEMES, Theme
from weightlab.plots.draw import PICTURES, Picture, draw, marks, pictures_of, rendered, save
from weightlab.plots.majority.majority_graph import draw_majority_graph, majority_graph_marks
from weightlab.plots.majority.margins import draw_margins, margins_marks
from weightlab.plots.ranks.agreement import agreement_marks, draw_agreement
from weightlab.plots.ranks.disagreement import disagreement_marks, draw_disagreement
from weightlab.plots.ranks.dispersion import dispersion_marks, draw_dispersion
from weightlab.plots.ranks.rank_intervals import draw_rank_intervals, rank_intervals_marks
from weightlab.plots.ranks.ranking import draw_ranking, ranking_marks
from weightlab.plots.ranks.ranks_by_rule import draw_ranks, ranks_marks
from weightlab.plots.ranks.robustness import draw_robustness, robustness_marks
from weightlab.plots.structure.audit import audit_marks, draw_audit
from weightlab.plots.structure.depths import depths_marks, draw_depths
from weightlab.plots.structure.separation_tree import draw_separation_tree, separation_tree_marks
from weightlab.plots.structure.single_peaked import draw_single_peaked, single_peaked_marks
from weightlab.plots.structure.sweep import draw_sweep, sweep_marks
from weightlab.plots.weights.stability import draw_stability, stability_marks
from weightlab.plots.weights.weight_ranges import draw_weight_ranges, weight_ranges_marks
from weightlab.plots.weights.winner_map import draw_winner_map, winner_map_marks
from weightlab.plots.weights.winning_shares import draw_winning_shares, winning_shares_marks

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
