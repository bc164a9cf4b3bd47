"""Tables of scores as a notebook shows them, with what is declared about them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from weightlab._notebook import notebook_html
from weightlab._text import first_few

__all__ = ["data_html"]

NAMED = 5
"""So many names are listed; the others are counted."""


def data_html(
    sentence: str, frame: pd.DataFrame, caption: str, *, lower: Sequence[str], weights: pd.Series, whole: str
) -> str:
    """Return HTML: a sentence, which columns are better when lower or do not weigh 1, and the table."""
    said = [sentence]
    if lower:
        said.append(f"lower is better: {first_few(lower, NAMED)}")
    heavy = [f"{name} {weight}" for name, weight in weights.items() if weight != 1]
    if heavy:
        said.append(f"weights: {first_few(heavy, NAMED)}{'' if len(heavy) == len(weights) else ', the others 1'}")
    return notebook_html("; ".join(said), "", frame, caption, whole=whole)
