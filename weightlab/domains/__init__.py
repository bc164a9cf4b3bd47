"""Whether the rankings of a benchmark share a structure, and what follows from it.

Each test returns a result that is true when the property holds, carries a witness either way and re-checks it.
"""

from __future__ import annotations

from weightlab.domains.consecutive import ClashingSets
from weightlab.domains.forbidden import Forbidden, Pattern
from weightlab.domains.guarantee import Guarantee
from weightlab.domains.single_peaked import SingleCaved, SinglePeaked, single_caved, single_peaked

__all__ = [
    "ClashingSets",
    "Forbidden",
    "Guarantee",
    "Pattern",
    "SingleCaved",
    "SinglePeaked",
    "single_caved",
    "single_peaked",
]
