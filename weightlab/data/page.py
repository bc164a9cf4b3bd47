"""Tables of scores as a notebook shows them, with what is declared about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from weightlab._notebook import notebook_html

__all__ = ["data_html"]

NAMED = 5
"""So many names are listed; the others are counted."""


def data_html(
    sentence: str, frame: pd.DataFrame, caption: str, *, lower: Sequence[str], weights: pd.Series, whole: str
) -> str:
    """Return HTML: a sentence, which columns are better when lower or do not weigh 1, and the table."""
    said = [sentence]
    if lower:
        said.append(f"lower is better: {_listed(lower)}")
    heavy = [f"{name} {weight}" for name, weight in weights.items() if weight != 1]
    if heavy:
        said.append(f"weights: {_listed(heavy)}{'' if len(heavy) == len(weights) else ', the others 1'}")
    return notebook_html("; ".join(said), "", frame, caption, whole=whole)


def _listed(names: Iterable[str]) -> str:
    kept = list(names)
    more = f" and {len(kept) - NAMED} more" if len(kept) > NAMED else ""
    return ", ".join(kept[:NAMED]) + more
