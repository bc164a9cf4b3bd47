"""Relations: one binary relation over the models for each item, such as the majority relation of each dataset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from weightlab._exact import BoolArray
from weightlab._result import ensure, ensure_same_names, part, read_items, read_names, refuse_others
from weightlab.data.frame.arrays import FrozenArrays
from weightlab.exceptions import InputError, UnknownNameError


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

    own_part: ClassVar[str] = "relations"

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
        for what, names in (("a model", self.models), ("a relation", self.items)):
            if len(set(names)) < len(names):
                raise InputError(f"{what} is named twice")
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

    def to_dict(self) -> dict[str, Any]:
        """Return the relations ready for JSON, each as texts of ``0`` and ``1``, one a model."""
        texts = [["".join(row) for row in one] for one in self.array.astype(int).astype(str)]
        return {"models": list(self.models), "relations": dict(zip(self.items, texts, strict=True))}

    @classmethod
    def from_dict(cls, document: Any) -> Relations:
        """Return the relations that ``to_dict`` wrote.

        Raises
        ------
        InputError
            If one is not a text of ``0`` and ``1`` a model, or parts are missing.
        """
        models = read_names(part(document, "models", "the relations"), "models")
        written = dict(read_items(part(document, "relations", "the relations"), "relations"))
        rows = [row for item, listed in written.items() for row in read_names(listed, f"the relation of {item!r}")]
        refuse_others(document, ("models", "relations"), "the relations")
        fits = all(len(listed) == len(models) for listed in written.values())
        if not fits or any(len(row) != len(models) or row.strip("01") for row in rows):
            raise InputError(f"relations must be {len(models)} texts of 0 and 1, one character a model")
        shape = (len(written), len(models), len(models))
        array = np.array([[one == "1" for one in row] for row in rows], dtype=np.bool_).reshape(shape)
        return cls(items=tuple(written), models=models, array=array)

    def ensure_same(self, source: Any) -> None:
        """Raise ProofError, naming the first difference, unless a source has these models, in order, and relations.

        Parameters
        ----------
        source : Relations, Profile or Suite
            Of a profile the weak orders, of a suite the weak majority relations are meant.
        """
        given = source
        if not isinstance(source, Relations):
            given = source.majority_relations() if hasattr(source, "majority_relations") else source.relations()
        ensure_same_names("models", self.models, given.models, in_order=True)
        ensure_same_names("items", self.items, given.items)
        for item, own, other in zip(self.items, self.array, given.select(self.items).array, strict=True):
            same = np.array_equal(own, other)
            ensure(same, f"the relation of {item!r} is another one in the source")

    def _position(self, item: str) -> int:
        if str(item) not in self.items:
            raise UnknownNameError("item", item, self.items, holder="set of relations")
        return self.items.index(str(item))


def majority_relation(margins: np.ndarray, *, strict: bool) -> BoolArray:
    """Return who beats (strict) or at least ties whom, from a square array of margins; the diagonal is True."""
    relation = np.asarray(margins > 0 if strict else margins >= 0, dtype=np.bool_)
    np.fill_diagonal(relation, val=True)
    return relation
