"""Whether the rankings of a benchmark share a structure, and what follows from it.

Each test returns a result that is true when the property holds, carries a witness either way and re-checks it.
"""

from __future__ import annotations

from weightlab.domains.condorcet_domain import CondorcetDomain, MajorityCycle, condorcet_domain
from weightlab.domains.depth.deepest_order import DeepestOrder, deepest_order
from weightlab.domains.depth.tukey import CommonalitySharing, TukeyDepth, commonality_sharing, tukey_depth
from weightlab.domains.depth.union_free_generic import UfgDepth, ufg_depth
from weightlab.domains.distance_restricted import DistanceRestricted, distance_restricted
from weightlab.domains.forbidden.subprofiles import Forbidden, Pattern
from weightlab.domains.group_separable import GroupSeparable, group_separable
from weightlab.domains.nearly_structured.nearest import Nearest, nearest
from weightlab.domains.one_euclidean import ClashingDistances, OneEuclidean, one_euclidean
from weightlab.domains.result import Guarantee
from weightlab.domains.single_crossing import SingleCrossing, single_crossing
from weightlab.domains.single_peakedness.consecutive_ones import ClashingSets
from weightlab.domains.single_peakedness.incomplete_orders import ClashingSides
from weightlab.domains.single_peakedness.on_tree import SinglePeakedOnTree, StuckLeaf, single_peaked_on_tree
from weightlab.domains.single_peakedness.single_peaked import SingleCaved, SinglePeaked, single_caved, single_peaked
from weightlab.domains.value_restricted import EveryPlace, ValueRestricted, value_restricted
from weightlab.domains.weak_orders.necessarily import FarApart, Necessarily, StrictCycles, necessarily
from weightlab.domains.weak_orders.possibly import ForbiddenOrders, Inseparable, Possibly, possibly

__all__ = [
    "ClashingDistances",
    "ClashingSets",
    "ClashingSides",
    "CommonalitySharing",
    "CondorcetDomain",
    "DeepestOrder",
    "DistanceRestricted",
    "EveryPlace",
    "FarApart",
    "Forbidden",
    "ForbiddenOrders",
    "GroupSeparable",
    "Guarantee",
    "Inseparable",
    "MajorityCycle",
    "Nearest",
    "Necessarily",
    "OneEuclidean",
    "Pattern",
    "Possibly",
    "SingleCaved",
    "SingleCrossing",
    "SinglePeaked",
    "SinglePeakedOnTree",
    "StrictCycles",
    "StuckLeaf",
    "TukeyDepth",
    "UfgDepth",
    "ValueRestricted",
    "commonality_sharing",
    "condorcet_domain",
    "deepest_order",
    "distance_restricted",
    "group_separable",
    "nearest",
    "necessarily",
    "one_euclidean",
    "possibly",
    "single_caved",
    "single_crossing",
    "single_peaked",
    "single_peaked_on_tree",
    "tukey_depth",
    "ufg_depth",
    "value_restricted",
]
