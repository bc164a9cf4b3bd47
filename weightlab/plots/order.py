"""In which order models stand, and how many of them are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeVar

from weightlab.data import Margins
from weightlab.exceptions import InputError
from weightlab.graph import kemeny
from weightlab.graph.copeland_minimax import copeland_values

__all__ = ["ModelOrder", "first_models", "models_in_order"]

T = TypeVar("T")

ModelOrder: TypeAlias = Literal["copeland", "kemeny", "board"]
"""Duels won minus duels lost; the order that the duels contradict least; as in the table."""


def models_in_order(margins: Margins, order: str) -> list[str]:
    """Return the models by Copeland score and then by the sum of margins, in Kemeny order, or as they come.

    Raises
    ------
    InputError
        If the order is none of these.
    """
    models = list(margins.models)
    if order == "board":
        return models
    if order == "kemeny":
        return [model for place in kemeny(margins).order for model in place]
    if order != "copeland":
        raise InputError(f"order must be 'copeland', 'kemeny' or 'board'; got {order!r}")
    duels, sums = copeland_values(margins, "difference"), margins.array.sum(axis=1)
    return [models[row] for row in sorted(range(len(models)), key=lambda row: (-duels[row], -sums[row]))]


def first_models(listed: Sequence[T], most: int | None) -> list[T]:
    """Return the first ones, as many as are to be shown; all for None.

    Raises
    ------
    InputError
        If not even one is to be shown.
    """
    if most is None:
        return list(listed)
    if most < 1:
        raise InputError(f"most must be at least 1; got {most}")
    return list(listed[:most])
