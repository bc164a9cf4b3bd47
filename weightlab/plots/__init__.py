"""Pictures, in two steps: marks as a table that can be read and tested, then drawn by matplotlib.

``draw`` chooses by what it is given; ``save`` writes a file. Nothing here imports matplotlib before it draws.
"""

from weightlab._exports import name_all as _name_all
from weightlab.plots.canvas import OKABE_ITO as OKABE_ITO
from weightlab.plots.canvas import THEMES as THEMES
from weightlab.plots.canvas import Theme as Theme
from weightlab.plots.draw import PICTURES as PICTURES
from weightlab.plots.draw import Picture as Picture
from weightlab.plots.draw import draw as draw
from weightlab.plots.draw import marks as marks
from weightlab.plots.draw import pictures_of as pictures_of
from weightlab.plots.draw import rendered as rendered
from weightlab.plots.draw import save as save
from weightlab.plots.majority.majority_graph import draw_majority_graph as draw_majority_graph
from weightlab.plots.majority.majority_graph import majority_graph_marks as majority_graph_marks
from weightlab.plots.majority.margins import draw_margins as draw_margins
from weightlab.plots.majority.margins import margins_marks as margins_marks
from weightlab.plots.ranks.agreement import agreement_marks as agreement_marks
from weightlab.plots.ranks.agreement import draw_agreement as draw_agreement
from weightlab.plots.ranks.critical_difference import cd_marks as cd_marks
from weightlab.plots.ranks.critical_difference import draw_cd as draw_cd
from weightlab.plots.ranks.disagreement import disagreement_marks as disagreement_marks
from weightlab.plots.ranks.disagreement import draw_disagreement as draw_disagreement
from weightlab.plots.ranks.dispersion import dispersion_marks as dispersion_marks
from weightlab.plots.ranks.dispersion import draw_dispersion as draw_dispersion
from weightlab.plots.ranks.mean_spans import draw_mean_spans as draw_mean_spans
from weightlab.plots.ranks.mean_spans import mean_spans_marks as mean_spans_marks
from weightlab.plots.ranks.rank_intervals import draw_rank_intervals as draw_rank_intervals
from weightlab.plots.ranks.rank_intervals import rank_intervals_marks as rank_intervals_marks
from weightlab.plots.ranks.ranking import draw_ranking as draw_ranking
from weightlab.plots.ranks.ranking import ranking_marks as ranking_marks
from weightlab.plots.ranks.ranks_by_rule import draw_ranks as draw_ranks
from weightlab.plots.ranks.ranks_by_rule import ranks_marks as ranks_marks
from weightlab.plots.ranks.robustness import draw_robustness as draw_robustness
from weightlab.plots.ranks.robustness import robustness_marks as robustness_marks
from weightlab.plots.structure.audit import audit_marks as audit_marks
from weightlab.plots.structure.audit import draw_audit as draw_audit
from weightlab.plots.structure.depths import depths_marks as depths_marks
from weightlab.plots.structure.depths import draw_depths as draw_depths
from weightlab.plots.structure.separation_tree import draw_separation_tree as draw_separation_tree
from weightlab.plots.structure.separation_tree import separation_tree_marks as separation_tree_marks
from weightlab.plots.structure.single_peaked import draw_single_peaked as draw_single_peaked
from weightlab.plots.structure.single_peaked import single_peaked_marks as single_peaked_marks
from weightlab.plots.structure.sweep import draw_sweep as draw_sweep
from weightlab.plots.structure.sweep import sweep_marks as sweep_marks
from weightlab.plots.weights.fewest import draw_fewest as draw_fewest
from weightlab.plots.weights.fewest import fewest_marks as fewest_marks
from weightlab.plots.weights.firmness import draw_firmness as draw_firmness
from weightlab.plots.weights.firmness import firmness_marks as firmness_marks
from weightlab.plots.weights.stability import draw_stability as draw_stability
from weightlab.plots.weights.stability import stability_marks as stability_marks
from weightlab.plots.weights.verdicts import draw_verdicts as draw_verdicts
from weightlab.plots.weights.verdicts import verdicts_marks as verdicts_marks
from weightlab.plots.weights.weight_ranges import draw_weight_ranges as draw_weight_ranges
from weightlab.plots.weights.weight_ranges import weight_ranges_marks as weight_ranges_marks
from weightlab.plots.weights.winner_map import draw_winner_map as draw_winner_map
from weightlab.plots.weights.winner_map import winner_map_marks as winner_map_marks
from weightlab.plots.weights.winning_shares import draw_winning_shares as draw_winning_shares
from weightlab.plots.weights.winning_shares import winning_shares_marks as winning_shares_marks
from weightlab.plots.weights.winning_weights import draw_winning_weights as draw_winning_weights
from weightlab.plots.weights.winning_weights import winning_weights_marks as winning_weights_marks

_name_all(globals())
