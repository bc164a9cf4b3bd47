"""Relations: one binary relation over the models for each item, such as the majority relation of each dataset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from weightlab._typing import BoolArray
from weightlab.data.frozen import FrozenArrays
from weightlab.exceptions import InputError, UnknownNameError

__all__ = ["Relations"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Relations(FrozenArrays):
    """Binary relations over the same models.

    Attributes
    ----------
    items : tuple of str
        What each relation belongs to: datasets of a suite, voters of a profile.
    models : tuple of str
        What is related.
    array : ndarray of bool, items x models x models
        ``array[i, x, y]``: in relation ``i``, x is at least as good as y (or better, for strict relations).
        The diagonal is True.
    """

    items: tuple[str, ...]
    models: tuple[str, ...]
    array: BoolArray

    def __post_init__(self) -> None:
        """Check the shape and make the array read-only."""
        expected = (len(self.items), len(self.models), len(self.models))
        if self.array.shape != expected or self.array.dtype != np.bool_:
            raise InputError(
                f"relations need a boolean array of shape {expected}; got {self.array.dtype} {self.array.shape}"
            )
        if not self.array[:, range(len(self.models)), range(len(self.models))].all():
            raise InputError("the diagonal of every relation must be True")
        super().__post_init__()

    def __len__(self) -> int:
        """Return the number of relations."""
        return len(self.items)

    def of(self, item: str) -> pd.DataFrame:
        """Return one relation as a frame, models x models.

        Raises
        ------
        UnknownNameError
            If there is no such item.
        """
        return pd.DataFrame(self.array[self._position(item)], index=list(self.models), columns=list(self.models))

    def select(self, items: Iterable[str]) -> Relations:
        """Return some of the relations, in the given order and once each.

        Raises
        ------
        UnknownNameError
            If an item is not known.
        """
        listed = (items,) if isinstance(items, str) else items
        places = list(dict.fromkeys(self._position(item) for item in listed))
        return Relations(
            items=tuple(self.items[place] for place in places), models=self.models, array=self.array[places]
        )

    def _position(self, item: str) -> int:
        if str(item) not in self.items:
            raise UnknownNameError("item", item, self.items, holder="set of relations")
        return self.items.index(str(item))


def majority_relation(margins: np.ndarray, *, strict: bool) -> BoolArray:
    """Return who beats (strict) or at least ties whom, from a square array of margins; the diagonal is True."""
    relation = np.asarray(margins > 0 if strict else margins >= 0, dtype=np.bool_)
    np.fill_diagonal(relation, val=True)
    return relation
