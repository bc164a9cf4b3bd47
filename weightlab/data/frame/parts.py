"""Parts of data that are saved as JSON, and cells that a result and its source must share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from weightlab._result import ensure, part, refuse_others, to_json

Reader: TypeAlias = Callable[[Any, str], Any]
"""From a part of a document, and what messages call it, to what is read."""
SOURCE = "in the source"
Readers: TypeAlias = Mapping[str, Reader]
"""How each part of a document is read, by name."""


def as_written(value: Any, _: str) -> Any:
    """Return a part of a document that is read together with others."""
    return value


class Data:
    """Base of data: a document of them holds their parts, by name.

    Attributes
    ----------
    own_part : str
        The part by which such a document is known.
    readers : mapping from str to callable
        How each part of a document is read.
    optional : collection of str
        Parts that a document may lack.
    """

    __slots__ = ()

    own_part: ClassVar[str]
    readers: ClassVar[Readers]
    optional: ClassVar[frozenset[str]] = frozenset()

    def parts(self) -> dict[str, Any]:
        """Return the parts of the data, by name, in exact numbers; None if a number is missing."""
        raise NotImplementedError

    @classmethod
    def from_parts(cls, read: Mapping[str, Any]) -> Self:
        """Return the data of parts that were read from a document."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the parts ready for JSON: exact numbers as text ``"p/q"``, null if a number is missing."""
        return {name: to_json(one) for name, one in self.parts().items()}

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """Return the data that ``to_dict`` wrote.

        Raises
        ------
        InputError
            If parts are missing, unknown or of the wrong form, or a number is not written as ``"p/q"``.
        """
        what = f"the {cls.__name__.lower()}"
        read = {
            name: reader(part(document, name, what), name)
            for name, reader in cls.readers.items()
            if name not in cls.optional or name in document
        }
        refuse_others(document, cls.readers, what)
        return cls.from_parts(read)


def ensure_same_cells(
    told: str, names: Sequence[Sequence[str]], carried: Any, given: Any, *, units: Any = (1, 1), where: str = SOURCE
) -> None:
    """Raise ProofError, naming the first cell that differs, unless the cells of a result match its source.

    Parameters
    ----------
    told : str
        What a cell is, with a place for each name: ``"the score of {} on {} is"``.
    names : sequence of sequences of str
        The names along each axis of the cells.
    carried, given : ndarray or sequence
        Exact values, of the result and of its source.
    units : (number, number)
        What the values of either are divided by.
    where : str
        What the message calls the source.
    """
    own, source = np.asarray(carried), np.asarray(given)
    if units[0] != units[1]:
        own, source = own.astype(object) * units[1], source.astype(object) * units[0]
    unit = units[0] if units[0] == units[1] else units[0] * units[1]
    for cell in np.argwhere(own != source)[:1].tolist():
        named = [repr(some[place]) for some, place in zip(names, cell, strict=True)]
        theirs, mine = (one.item(*cell) if unit == 1 else Fraction(one.item(*cell)) / unit for one in (source, own))
        ensure(holds=False, failure=f"{told.format(*named)} {theirs} {where}, not {mine}")
