"""Arrays that cannot be changed: the base of the data classes that hold them, and of leads, which compare models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from weightlab._exact import AnyArray, exact_products
from weightlab._pictures import Pictures
from weightlab._result import Frozen, ensure_same_names
from weightlab._text import counted
from weightlab.exceptions import UnknownNameError

_NAMES = ("items", "voters", "models", "tasks")
"""What has names in some of them."""


class FrozenArrays(Frozen):
    """Base of values whose arrays are read-only, also after pickling and copying.

    An array that owns its memory is taken over and made read-only; a view of memory that could still be written
    through another name is copied.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        """Keep the arrays out of ``repr``: a dataclass makes one of its own."""
        super().__init_subclass__(**options)
        cls.__repr__ = FrozenArrays.__repr__  # type: ignore[method-assign]

    frame_caption = ""
    """What its frame shows; its own name where this says nothing."""

    def __repr__(self) -> str:
        """Return one honest line: what it is and how large."""
        sizes = [counted(len(vars(self)[names]), names[:-1]) for names in _NAMES if names in vars(self)]
        return f"{type(self).__name__}: {' x '.join(sizes)}" if sizes else type(self).__name__

    def _repr_html_(self) -> str | None:
        if not hasattr(self, "frame"):
            return None  # a notebook shows the line
        return Pictures.frame(repr(self), self.frame(), self.frame_caption or type(self).__name__, "frame()")

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, _own(value))
                vars(self)[name].setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the attributes; arrays come out of a pickle writeable."""
        vars(self).update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)


class OfModels(FrozenArrays):
    """Base class of arrays with one row per model."""

    models: tuple[str, ...]

    def position(self, model: str) -> int:
        """Return the row of a model.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        """
        try:
            return self.models.index(str(model))
        except ValueError:
            raise UnknownNameError("model", model, self.models) from None

    def rivals(self, model: str) -> tuple[str, ...]:
        """Return all models but one, in board order."""
        position = self.position(model)
        return self.models[:position] + self.models[position + 1 :]


def positions(
    names: str | Iterable[str] | None, known: Sequence[str], kind: str, *, holder: str = "leaderboard"
) -> list[int]:
    """Return the positions of names, in the given order and once each; of all that are known where none are given.

    Raises
    ------
    UnknownNameError
        If a name is not known.
    """
    if names is None:
        return list(range(len(known)))
    place = {name: position for position, name in enumerate(known)}
    listed = (names,) if isinstance(names, str) else tuple(map(str, names))
    for name in listed:
        if name not in place:
            raise UnknownNameError(kind, name, known, holder=holder)
    return [place[name] for name in dict.fromkeys(listed)]


def places_in(own: Any, source: Any, *kinds: str, in_order: bool = False) -> list[list[int]]:
    """Return where what is named of each kind, such as ``"models"``, stands in a source that has the same names.

    Raises
    ------
    ProofError
        Naming the extra and the missing names; or if the order differs where the same one is required.
    """
    for kind in kinds:
        ensure_same_names(kind, getattr(own, kind), getattr(source, kind), in_order=in_order)
    return [positions(getattr(own, kind), getattr(source, kind), kind) for kind in kinds]


def _own(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    owner: Any = array.base  # another array, or whatever else lends its memory
    if owner is None or (isinstance(owner, np.ndarray) and not owner.flags.writeable):
        return array
    return array.copy()


class Leads(OfModels):
    """The rows of every question about weights: `Signs` are those of majorities, `Points` those of linear rules.

    With weights w that sum to 1, a model with the rows G leads its rivals by ``G w / unit``.
    """

    tasks: tuple[str, ...]

    @property
    def unit(self) -> int:
        """What the whole numbers of the rows are divided by."""
        return 1

    def over_all(self, position: int) -> AnyArray:
        """Return by how much a model leads every model, itself included, on each task (models x tasks)."""
        raise NotImplementedError

    def matrix(self, model: str) -> AnyArray:
        """Return G_m, by how much a model leads its rivals on each task (rivals x tasks, rivals in board order)."""
        position = self.position(model)
        leads = self.over_all(position)
        return np.concatenate([leads[:position], leads[position + 1 :]])

    def ahead(self, weights: Sequence[int]) -> AnyArray:
        """Return which model is ahead under proportional weights: 1, 0 or -1 (models x models)."""
        signs = [np.sign(exact_products(self.over_all(row), weights)) for row in range(len(self.models))]
        return np.array(signs, dtype=np.int8)
