"""What weights can and cannot do: prospects, weight spaces, scenarios, all with exact certificates."""

from __future__ import annotations

from weightlab.lp.prospect import Prospect, prospect
from weightlab.lp.space import WeightSpace
from weightlab.lp.verdict import Verdict

__all__ = ["Prospect", "Verdict", "WeightSpace", "prospect"]
