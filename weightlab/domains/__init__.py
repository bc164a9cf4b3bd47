"""Whether the rankings of a benchmark share a structure, and what follows from it.

Each test returns a result that is true when the property holds, carries a witness either way and re-checks it.
"""

from weightlab._exports import name_all as _name_all
from weightlab.domains.condorcet_domain import CondorcetDomain as CondorcetDomain
from weightlab.domains.condorcet_domain import MajorityCycle as MajorityCycle
from weightlab.domains.condorcet_domain import condorcet_domain as condorcet_domain
from weightlab.domains.depth.deepest_order import DeepestOrder as DeepestOrder
from weightlab.domains.depth.deepest_order import deepest_order as deepest_order
from weightlab.domains.depth.tukey import CommonalitySharing as CommonalitySharing
from weightlab.domains.depth.tukey import TukeyDepth as TukeyDepth
from weightlab.domains.depth.tukey import commonality_sharing as commonality_sharing
from weightlab.domains.depth.tukey import tukey_depth as tukey_depth
from weightlab.domains.distance_restricted import DistanceRestricted as DistanceRestricted
from weightlab.domains.distance_restricted import distance_restricted as distance_restricted
from weightlab.domains.forbidden import Forbidden as Forbidden
from weightlab.domains.forbidden import Pattern as Pattern
from weightlab.domains.group_separable import GroupSeparable as GroupSeparable
from weightlab.domains.group_separable import group_separable as group_separable
from weightlab.domains.nearly_structured.nearest import Nearest as Nearest
from weightlab.domains.nearly_structured.nearest import nearest as nearest
from weightlab.domains.one_euclidean import ClashingDistances as ClashingDistances
from weightlab.domains.one_euclidean import OneEuclidean as OneEuclidean
from weightlab.domains.one_euclidean import one_euclidean as one_euclidean
from weightlab.domains.result import Guarantee as Guarantee
from weightlab.domains.single_crossing import SingleCrossing as SingleCrossing
from weightlab.domains.single_crossing import single_crossing as single_crossing
from weightlab.domains.single_peakedness.consecutive_ones import ClashingSets as ClashingSets
from weightlab.domains.single_peakedness.incomplete_orders import ClashingSides as ClashingSides
from weightlab.domains.single_peakedness.on_tree import SinglePeakedOnTree as SinglePeakedOnTree
from weightlab.domains.single_peakedness.on_tree import StuckLeaf as StuckLeaf
from weightlab.domains.single_peakedness.on_tree import single_peaked_on_tree as single_peaked_on_tree
from weightlab.domains.single_peakedness.single_peaked import SingleCaved as SingleCaved
from weightlab.domains.single_peakedness.single_peaked import SinglePeaked as SinglePeaked
from weightlab.domains.single_peakedness.single_peaked import single_caved as single_caved
from weightlab.domains.single_peakedness.single_peaked import single_peaked as single_peaked
from weightlab.domains.value_restricted import EveryPlace as EveryPlace
from weightlab.domains.value_restricted import ValueRestricted as ValueRestricted
from weightlab.domains.value_restricted import value_restricted as value_restricted
from weightlab.domains.weak_orders.necessarily import FarApart as FarApart
from weightlab.domains.weak_orders.necessarily import Necessarily as Necessarily
from weightlab.domains.weak_orders.necessarily import StrictCycles as StrictCycles
from weightlab.domains.weak_orders.necessarily import necessarily as necessarily
from weightlab.domains.weak_orders.possibly import ForbiddenOrders as ForbiddenOrders
from weightlab.domains.weak_orders.possibly import Inseparable as Inseparable
from weightlab.domains.weak_orders.possibly import Possibly as Possibly
from weightlab.domains.weak_orders.possibly import possibly as possibly

_name_all(globals())
