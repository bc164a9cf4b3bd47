"""What all results share: a sentence, a table, a form that travels as JSON, and a way to re-check the claim."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Self, TypeVar

import pandas as pd

from weightlab._notebook import notebook_html
from weightlab.exceptions import InputError, ProofError

__all__ = [
    "Proof",
    "Result",
    "ensure",
    "exact_series",
    "fractions_to_json",
    "name_index",
    "result_from_dict",
    "to_json",
]

R = TypeVar("R", bound="Result")

_RATIO = re.compile(r"-?\d+(/\d+)?", re.ASCII)

KINDS: dict[str, type[Result]] = {}
"""Results by kind, so that one can be read back from JSON."""


class Proof(StrEnum):
    """How much of a claim is re-checked by ``verify()``."""

    EXACT = "exact"
    """Everything, in exact arithmetic."""

    EXACT_WITNESS = "exact_witness"
    """Feasibility and value exactly; that nothing is better rests on a solver's bound, which is named."""

    SAMPLED = "sampled"
    """An estimate from random draws."""


class Result:
    """Base of all results: frozen keyword-only dataclasses made beside the function that returns them.

    A subclass names its kind, ``class Prospect(Result, kind="prospect")``, and defines ``__str__``, ``summary``,
    ``verify``, ``to_dict`` and ``from_dict``.
    """

    kind: ClassVar[str] = ""

    def __init_subclass__(cls, *, kind: str = "", **options: Any) -> None:
        """Register the kind, so that a result can be read back from JSON."""
        super().__init_subclass__(**options)
        if kind:
            cls.kind = kind
            KINDS[kind] = cls

    @property
    def proof(self) -> Proof:
        """How much of the claim ``verify`` re-checks."""
        return Proof.EXACT

    def verify(self, source: Any = None) -> bool:
        """Re-check the claim without a solver; given the source table, also that the signs (or ranks) are that table's.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        raise ProofError(f"a {type(self).__name__} carries nothing to check (source: {type(source).__name__})")

    def summary(self) -> pd.DataFrame:
        """Return the result as a table of floats and text."""
        return pd.DataFrame({"value": [str(self)]})

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON, with everything that ``verify`` needs; fractions are text ``"p/q"``."""
        raise InputError(f"a {type(self).__name__} does not travel as JSON")

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote."""
        raise InputError(f"a {cls.__name__} does not travel as JSON: {sorted(document)}")

    def _repr_html_(self) -> str:
        words = {Proof.EXACT: "proved", Proof.EXACT_WITNESS: "proved by witness", Proof.SAMPLED: "sampled"}
        kind = (self.kind or type(self).__name__).replace("_", " ")
        return notebook_html(str(self), words[self.proof], self.summary(), f"{kind[:1].upper()}{kind[1:]}")


def ensure(holds: object, failure: str) -> None:
    """Raise ProofError with the failed inequality unless the condition holds."""
    if not holds:
        raise ProofError(failure)


def to_json(value: Any) -> Any:
    """Return a value ready for JSON: fractions as ``"p/q"``, tuples as lists, Series as mappings, enums as text.

    Raises
    ------
    TypeError
        For a value that has no such form.
    ValueError
        For a float that is not finite, which JSON cannot say.
    """
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, pd.Series):
        return {str(name): to_json(one) for name, one in zip(value.index, value.tolist(), strict=True)}
    if isinstance(value, Mapping):
        return {str(name): to_json(one) for name, one in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    elif isinstance(value, set | frozenset):
        value = sorted(value)
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value!r} does not travel as JSON")
    if isinstance(value, str | int | float | bool | None):
        return value
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [to_json(one) for one in value]
    raise TypeError(f"a {type(value).__name__} does not travel as JSON")


def fractions_to_json(values: Sequence[Fraction]) -> list[str]:
    """Return fractions as texts ``"p/q"``."""
    return [f"{value.numerator}/{value.denominator}" for value in values]


def exact_series(values: Sequence[Fraction] | Mapping[str, Any], names: Sequence[str], name: str) -> pd.Series:
    """Return a Series of Fractions by name, from fractions in order or from a mapping read from JSON.

    Raises
    ------
    InputError
        If the mapping has other names, the sequence another length, or either holds what is not a fraction.
    """
    if isinstance(values, Mapping):
        if set(values) != set(names):
            raise InputError(f"{name}: the names are not those of the result")
        values = [read_fraction(values[one], f"{name} of {one!r}") for one in names]
    if len(values) != len(names) or not all(isinstance(value, Fraction | int) for value in values):
        raise InputError(f"{name}: {len(names)} fractions are needed, by name or in order")
    exact = [value if type(value) is Fraction else Fraction(value) for value in values]
    index = name_index(tuple(names)) if all(type(one) is str for one in names) else list(names)
    return pd.Series(exact, index=index, dtype=object, name=name)


def name_index(names: tuple[str, ...]) -> pd.Index:
    """Return the index that pandas makes of names; it is made once, since many series share it."""
    return _name_index(names).view()


@lru_cache(maxsize=128)
def _name_index(names: tuple[str, ...]) -> pd.Index:
    return pd.Index(names)


def read_fraction(text: Any, what: str) -> Fraction:
    """Return a fraction written as ``"p/q"``, or raise InputError saying what it was meant to be."""
    # Only p/q: Fraction("1e999999999") would fill the memory.
    if isinstance(text, str) and _RATIO.fullmatch(text):
        try:
            numerator, _, denominator = text.partition("/")
            return Fraction(int(numerator), int(denominator or 1))
        except (ValueError, ZeroDivisionError) as error:  # more digits than Python reads, or q is 0
            raise InputError(f"{what}: {text[:60]!r} is not a fraction: {error}") from error
    raise InputError(f"{what}: {str(text)[:60]!r} is not a fraction 'p/q'")


def result_from_dict(document: Any) -> Result:
    """Return the result that a JSON document describes.

    Raises
    ------
    InputError
        If it is not a result that this version knows, or parts are missing or of the wrong form.
    """
    if not isinstance(document, Mapping) or not isinstance(document.get("kind"), str):
        raise InputError("this is not a result: a JSON object with a 'kind' is needed")
    if document["kind"] not in KINDS:
        raise InputError(f"no result of kind {document['kind']!r}; there are {', '.join(sorted(KINDS))}")
    try:
        return KINDS[document["kind"]].from_dict(document)
    except KeyError as error:
        raise InputError(f"the result lacks {error.args[0]!r}") from error
    except (TypeError, AttributeError, IndexError, ValueError, ArithmeticError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the result has a part of the wrong form: {error}") from error
