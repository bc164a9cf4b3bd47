"""Whether the rankings of a benchmark share a structure, and what follows from it.

Each test returns a result that is true when the property holds, carries a witness either way and re-checks it.
"""

from __future__ import annotations

from weightlab.domains.condorcet_domain import CondorcetDomain, MajorityCycle, condorcet_domain
from weightlab.domains.consecutive import ClashingSets
from weightlab.domains.deepest import DeepestOrder, deepest_order
from weightlab.domains.depth import CommonalitySharing, TukeyDepth, commonality_sharing, tukey_depth
from weightlab.domains.distance import DistanceRestricted, distance_restricted
from weightlab.domains.euclidean import ClashingDistances, OneEuclidean, one_euclidean
from weightlab.domains.forbidden import Forbidden, Pattern
from weightlab.domains.group_separable import GroupSeparable, group_separable
from weightlab.domains.guarantee import Guarantee
from weightlab.domains.incomplete import ClashingSides
from weightlab.domains.near_consensus import StrictCircles
from weightlab.domains.nearest import Nearest, nearest
from weightlab.domains.necessarily import FarApart, Necessarily, necessarily
from weightlab.domains.on_tree import SinglePeakedOnTree, StuckLeaf, single_peaked_on_tree
from weightlab.domains.possibly import ForbiddenOrders, Inseparable, Possibly, possibly
from weightlab.domains.single_crossing import SingleCrossing, single_crossing
from weightlab.domains.single_peaked import SingleCaved, SinglePeaked, single_caved, single_peaked
from weightlab.domains.ufg import UfgDepth, ufg_depth
from weightlab.domains.value_restricted import EveryPlace, ValueRestricted, value_restricted

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
    "StrictCircles",
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
