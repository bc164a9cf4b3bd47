"""How results travel as JSON: the annotations of a class's fields say how each is written and, strictly, read back.

Numbers are texts ``"p/q"``, so nothing is rounded on the way. Whatever a document holds, reading it takes time and
memory in proportion to its size; what has another form than the annotation says is refused with the field's name.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
import pandas as pd

from weightlab._typing import AnyArray, BoolArray, SignArray
from weightlab.exceptions import InputError, ProofError, UnprovedError

__all__ = [
    "ITS_NAMES",
    "BoolMatrix",
    "Exact",
    "ExactMatrix",
    "Given",
    "IntMatrix",
    "Over",
    "Record",
    "SignMatrix",
    "Travels",
    "bits_to_json",
    "exact_series",
    "fractions_to_json",
    "name_index",
    "part",
    "read_bits",
    "read_fraction",
    "read_integers",
    "read_items",
    "read_list",
    "read_names",
    "read_numbers",
    "read_signs",
    "refuse_others",
    "signs_to_json",
    "to_json",
]

Exact: TypeAlias = Annotated[pd.Series, "exact"]
"""A Series of Fractions under names of its own: ``{"name": "p/q"}``, zeros included."""

SignMatrix: TypeAlias = Annotated[npt.NDArray[np.int8], "signs"]
"""Signs, rows x columns: one text of ``+``, ``0`` and ``-`` a row."""

BoolMatrix: TypeAlias = Annotated[npt.NDArray[np.bool_], "bits"]
"""Truth values, rows x columns: one text of ``1`` and ``0`` a row."""

IntMatrix: TypeAlias = Annotated[AnyArray, "integers"]
"""Integers, rows x columns, as lists; int64 where they fit, Python integers otherwise."""

ExactMatrix: TypeAlias = Annotated[AnyArray, "fractions"]
"""Fractions, rows x columns, as lists; an object array."""

MACHINE_INTEGER = 2**62
"""Integers below this size may be added and subtracted in int64."""

_RATIO = re.compile(r"-?\d+(/\d+)?", re.ASCII)


@dataclass(frozen=True)
class Over:
    """Marks a Series of Fractions whose names another field knows, so that one usual value is left out.

    Attributes
    ----------
    names : str
        Where the names are: a field, and attributes of it after dots, such as ``"space.tasks"``. A field that the
        class itself lacks is looked up in the record that holds it.
    name : str
        The name of the Series; by default the field's, in the singular.
    usual : int
        The value of what is not listed.
    """

    names: str
    name: str = ""
    usual: int = 0


@dataclass(frozen=True)
class Travels:
    """Marks a field with a form of its own.

    Attributes
    ----------
    write : callable
        From the field to JSON. A function that the module defines: a lambda in an annotation sees no names.
    read : callable
        From JSON and what to call it to the field; raises InputError for anything that is never written.
    given : tuple of str
        Paths as for `Over`: what they lead to are further arguments of the reader.
    """

    write: Callable[[Any], Any]
    read: Callable[..., Any]
    given: tuple[str, ...] = ()


class Given:
    """Marks records one part of which follows from the record that holds them: it is not written, but found when read.

    Whether the part is what follows is for ``verify`` to say: what is written does not depend on it.

    Parameters
    ----------
    part : str
        The field of the marked records; or a name that the records inside look up, such as ``"space"``.
    find : callable or str
        A function that the module defines, from what the paths lead to; or the one path.
    *paths : str
        As for `Over`, from the record that holds the marked ones; after a dot, such as ``".rule"``, from the marked one
        itself. `ITS_NAMES` leads to the names under which the marked one stands in mappings, the outermost first.
    """

    def __init__(self, part: str, find: Callable[..., Any] | str, *paths: str) -> None:
        self.part = part
        self.find: Callable[..., Any] = (lambda value: value) if isinstance(find, str) else find
        self.paths = (find,) if isinstance(find, str) else paths


ITS_NAMES = "@"
"""See `Given`."""


class Record:
    """Base of dataclasses that travel as JSON: ``to_dict`` and ``from_dict`` follow from the annotated fields.

    A document holds ``kind`` (of results), the derived values and the fields in order; all of them, and nothing else.
    Fields are texts, truth values, integers, Fractions, StrEnums, Literals, None, tuples, mappings from text, other
    records, whatever has ``to_dict`` and ``from_dict``, unions whose members' parts differ, and arrays and Series
    marked as `Exact`, `SignMatrix`, `IntMatrix`, `Over` or `Travels`.

    Attributes
    ----------
    derived : tuple of str
        Properties that are written and, when read, compared with what the fields say: a forged one raises ProofError.
    """

    derived: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the record ready for JSON, with everything that a check needs; fractions are text ``"p/q"``."""
        return self.written_without(())

    def written_without(self, given: Collection[str]) -> dict[str, Any]:
        """Return the record ready for JSON, without the fields that the record which holds it knows."""
        kind = {"kind": _kind(type(self))} if _kind(type(self)) else {}
        derived = {name: to_json(getattr(self, name)) for name in self.derived}
        forms = {name: form for name, form in _forms(type(self)).items() if name not in given}
        return kind | derived | {name: form.write(getattr(self, name)) for name, form in forms.items()}

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """Return the record that ``to_dict`` wrote.

        Raises
        ------
        InputError
            If parts are missing, unknown or of the wrong form.
        ProofError
            If a derived value is not the one that the fields give.
        """
        return cls.read_part(document, "")

    @classmethod
    def told(cls, document: Mapping[str, Any], what: str) -> type[Record]:
        """Return the class of a document of this base: another one where the base is abstract."""
        del document, what
        return cls

    @classmethod
    def read_part(cls, document: Any, what: str, outer: _Reading | Mapping[str, Any] | None = None) -> Self:
        """Return the record from a part of a document; messages call it ``what``, ``outer`` has what it lacks."""
        forms, holder = _forms(cls), what or "the result"
        if not isinstance(document, Mapping):
            raise InputError(f"{holder}: an object is needed; got {_shown(document)}")
        expected = _parts(cls, outer)
        for name in expected:
            part(document, name, what)
        refuse_others(document, expected, holder)
        if _kind(cls) and document["kind"] != _kind(cls):
            raise InputError(f"{holder}: a {_kind(cls)} is needed; got a {_shown(document['kind'])}")
        reading = _Reading(cls, document, what, outer)
        record = cls(**{name: reading[name] for name in forms})
        for name in cls.derived:
            record._ensure_derived(name, document[name], holder)
        return record

    def _ensure_derived(self, name: str, written: Any, holder: str) -> None:
        try:
            found = to_json(getattr(self, name))
        except UnprovedError as error:
            raise ProofError(str(error)) from error
        except (KeyError, TypeError, AttributeError, IndexError, ValueError, ArithmeticError) as error:
            raise InputError(f"{holder}: its parts do not fit together, so it has no {name}: {error}") from error
        if not _alike(found, written):
            raise ProofError(f"{holder} does not prove {name} {_shown(written)}: it is {_shown(found)}")


class _Reading:
    """Fields of one record, each read when it is first asked for; those that it lacks are the enclosing record's.

    Attributes
    ----------
    given : tuple of Given
        What the records read from here on do not hold themselves.
    keys : tuple of str
        The names under which they stand in mappings.
    """

    given: tuple[Given, ...] = ()
    keys: tuple[str, ...] = ()

    def __init__(
        self, kind: type[Record], document: Mapping[str, Any], what: str, outer: _Reading | Mapping[str, Any] | None
    ) -> None:
        self.forms, self.document, self.outer = _forms(kind), document, outer
        self.prefix = f"{what}." if what else ""
        self.values: dict[str, Any] = {}

    def with_(self, **own: Any) -> _Reading:
        """Return the same fields, for records to which something is given or that stand under a name."""
        found = copy(self)
        found.__dict__.update(own)
        return found

    def __getitem__(self, name: str) -> Any:
        given = next((one for one in _given(self.outer) if one.part == name), None)
        if given is not None and name not in self.values:
            self.values[name] = given.find(*map(self._given_at, given.paths))
        if name in self.values:
            return self.values[name]
        if name not in self.forms:
            if self.outer is None or (isinstance(self.outer, Mapping) and name not in self.outer):
                raise InputError(f"this is part of a result and cannot be read alone: it has no {name!r}")
            return self.outer[name]
        self.values[name] = self.forms[name].read(self.document[name], self.prefix + name, self)
        return self.values[name]

    def _given_at(self, path: str) -> Any:
        """Return what a path of a `Given` leads to that this record is marked with."""
        return self.at(path[1:]) if path.startswith(".") else self.outer.at(path)  # type: ignore[union-attr]

    def at(self, path: str) -> Any:
        """Return what a path such as ``"space.tasks"`` leads to."""
        if path == ITS_NAMES:
            return self.keys
        field, *attributes = path.split(".")
        value = self[field]
        for attribute in attributes:
            if value is None:
                raise InputError(f"without the {field} there is nothing of its {attribute}")
            value = getattr(value, attribute)
        return value


@dataclass(frozen=True)
class _Form:
    """How one field is written, and how it is read from (value, what it is, the record it is in)."""

    write: Callable[[Any], Any]
    read: Callable[[Any, str, _Reading], Any]


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
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value!r} does not travel as JSON")
    if isinstance(value, str | int | float | bool | None):
        return value
    return _whole_to_json(value)


def _whole_to_json(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return [to_json(one) for one in sorted(value)]
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [to_json(one) for one in value]
    if _is_carried(type(value)):
        return value.to_dict()
    raise TypeError(f"a {type(value).__name__} does not travel as JSON")


def fractions_to_json(values: Sequence[Fraction]) -> list[str]:
    """Return fractions as texts ``"p/q"``."""
    return [f"{value.numerator}/{value.denominator}" for value in values]


def part(document: Any, name: str, what: str = "") -> Any:
    """Return a part of a JSON object, or raise InputError naming it."""
    if not isinstance(document, Mapping):
        raise InputError(f"{what or 'the result'}: an object is needed; got {_shown(document)}")
    if name not in document:
        raise InputError(f"{what or 'the result'} lacks {name!r}")
    return document[name]


def refuse_others(document: Mapping[str, Any], names: Collection[str], what: str) -> None:
    """Raise InputError where a JSON object has a part besides those that are read: it may change what they mean."""
    unknown = [name for name in document if name not in names]
    if unknown:
        raise InputError(f"{what} has no part {_shown(unknown[0])}; its parts are {', '.join(names)}")


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


def read_names(value: Any, what: str) -> tuple[str, ...]:
    """Return a list of texts as a tuple, or raise InputError."""
    return tuple(_read_scalar(str, name, what) for name in read_list(value, what))


def read_numbers(value: Any, what: str) -> dict[str, Fraction]:
    """Return an object of fractions by name, or raise InputError."""
    return {name: read_fraction(text, f"{what} of {name!r}") for name, text in read_items(value, what)}


def read_integers(rows: Any, what: str, shape: tuple[int, int] | None = None) -> AnyArray:
    """Return a table of integers read from lists, rows x columns, all rows of one length.

    Raises
    ------
    InputError
        If it is no such table, or one of another shape.
    """
    listed = read_list(rows, what)
    width = shape[1] if shape else len(read_list(listed[0], what)) if listed else 0
    if (shape and len(listed) != shape[0]) or any(not isinstance(row, list) or len(row) != width for row in listed):
        raise InputError(f"{what}: {shape[0] if shape else len(listed)} rows of {width} integers are needed")
    if any(type(one) is not int for row in listed for one in row):
        raise InputError(f"{what}: a cell is not an integer")
    largest = max((abs(one) for row in listed for one in row), default=0)
    kind: Any = np.int64 if largest < MACHINE_INTEGER else object
    return np.array(listed, dtype=kind).reshape(len(listed), width)


def read_fractions(rows: Any, what: str) -> AnyArray:
    """Return a table of fractions read from lists, rows x columns, all rows of one length, or raise InputError."""
    listed = [read_list(row, what) for row in read_list(rows, what)]
    width = len(listed[0]) if listed else 0
    if any(len(row) != width for row in listed):
        raise InputError(f"{what}: {len(listed)} rows of {width} fractions are needed")
    table = np.empty((len(listed), width), dtype=object)
    for place, row in enumerate(listed):
        table[place] = [read_fraction(text, what) for text in row]
    return table


def signs_to_json(signs: SignArray) -> list[str]:
    """Return signs as one text of ``+``, ``0`` and ``-`` a row."""
    letters = np.array(["-", "0", "+"])
    return ["".join(row) for row in letters[signs.astype(np.int64) + 1]]


def read_signs(texts: Any, what: str) -> SignArray:
    """Return signs read from one text of ``+``, ``0`` and ``-`` a row, all of one length, or raise InputError."""
    listed = read_list(texts, what)
    width = len(listed[0]) if listed and isinstance(listed[0], str) else 0
    if any(not isinstance(row, str) or len(row) != width or row.strip("+0-") for row in listed):
        raise InputError(f"{what}: texts of one length are needed, written with '+', '0' and '-'")
    letters = np.frombuffer("".join(listed).encode(), dtype=np.uint8).reshape(len(listed), width)
    return np.where(letters == ord("+"), 1, np.where(letters == ord("-"), -1, 0)).astype(np.int8)


def bits_to_json(bits: BoolArray) -> list[str]:
    """Return truth values as one text of ``1`` and ``0`` a row."""
    return ["".join(row) for row in np.where(bits, "1", "0")]


def read_bits(texts: Any, what: str) -> BoolArray:
    """Return truth values read from one text of ``1`` and ``0`` a row, all of one length, or raise InputError."""
    listed = read_names(texts, what)
    width = len(listed[0]) if listed else 0
    if any(len(row) != width or row.strip("01") for row in listed):
        raise InputError(f"{what}: texts of one length are needed, written with '1' and '0'")
    letters = np.frombuffer("".join(listed).encode(), dtype=np.uint8).reshape(len(listed), width)
    return np.asarray(letters == ord("1"), dtype=np.bool_)


FORMS: dict[Any, dict[str, _Form]] = {}
"""The forms of the fields of each class, made when first asked for."""


def _forms(kind: Any) -> dict[str, _Form]:
    if kind not in FORMS:
        if not dataclasses.is_dataclass(kind):
            raise InputError(f"a {kind.__name__} does not travel as JSON")
        hints = get_type_hints(kind, include_extras=True)
        own = [field.name for field in dataclasses.fields(kind) if field.init]
        FORMS[kind] = {name: _form(hints[name], name) for name in own}
    return FORMS[kind]


def _given(outer: _Reading | Mapping[str, Any] | None) -> tuple[Given, ...]:
    return outer.given if isinstance(outer, _Reading) else ()


def _parts(kind: type[Record], outer: _Reading | Mapping[str, Any] | None) -> list[str]:
    """Return the parts of a document of a record: its kind, what is derived, and the fields that are not given."""
    given = {one.part for one in _given(outer)}
    return [*(["kind"] if _kind(kind) else []), *kind.derived, *(name for name in _forms(kind) if name not in given)]


def _kind(kind: type[Record]) -> str:
    """Return the kind of a class of results; other records have none."""
    return str(getattr(kind, "kind", ""))


def _form(hint: Any, field: str) -> _Form:
    """Return the form of what has a type hint."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        given = tuple(mark for mark in arguments[1:] if isinstance(mark, Given))
        marked = next((form for mark in arguments[1:] if (form := _marked(mark, field))), None)
        form = marked or _form(arguments[0], field)
        return _Form(partial(_write_given, given, form), partial(_read_given, given, form)) if given else form
    if origin in (Union, UnionType):
        return _one_of([one for one in arguments if one is not NoneType], field, optional=NoneType in arguments)
    if origin is tuple:
        return _tuple(arguments, field)
    if origin in (dict, Mapping):
        inner = _form(arguments[1], field)
        return _Form(partial(_write_mapping, inner), partial(_read_mapping, inner))
    if _is_carried(hint):
        return _Form(lambda value: value.to_dict(), partial(_read_carried, hint))
    read = _plain(hint)
    if read is None:
        raise TypeError(f"{field}: a {hint} has no form in which it travels; mark it with Travels")
    return _Form(to_json, lambda value, what, _: read(value, what))


def _tuple(hints: Sequence[Any], field: str) -> _Form:
    if hints[-1] is Ellipsis:
        inner = _form(hints[0], field)
        return _Form(partial(_write_each, inner), partial(_read_tuple, inner))
    inners = [_form(one, field) for one in hints]
    return _Form(partial(_write_several, inners), partial(_read_several, inners))


def _marked(mark: Any, field: str) -> _Form | None:
    singular = field.removesuffix("s")
    if isinstance(mark, Travels):
        return _Form(mark.write, partial(_read_own, mark))
    if isinstance(mark, Over):
        return _Form(partial(_write_sparse, mark), partial(_read_sparse, mark, mark.name or singular))
    marks: dict[Any, tuple[Callable[[Any], Any], Callable[[Any, str], Any]]] = {
        "exact": (to_json, partial(_read_exact, name=singular)),
        "signs": (signs_to_json, read_signs),
        "bits": (bits_to_json, read_bits),
        "fractions": (to_json, read_fractions),
        "integers": (lambda value: value.tolist(), read_integers),
    }
    return _marked(Travels(*marks[mark]), field) if mark in marks else None


def _plain(hint: Any) -> Callable[[Any, str], Any] | None:
    """Return the reader of a scalar, None if the hint is none."""
    if hint in (str, bool, int):
        return partial(_read_scalar, hint)
    if hint is Fraction:
        return read_fraction
    if hint is float:
        return _read_float
    if get_origin(hint) is Literal:
        return partial(_read_choice, get_args(hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return lambda value, what: hint(_read_choice([str(one) for one in hint], value, what))
    return None


def _is_carried(hint: Any) -> bool:
    """Tell whether a class has a form of its own; the frames of pandas do not."""
    own = isinstance(hint, type) and hasattr(hint, "to_dict") and hasattr(hint, "from_dict")
    return own and not issubclass(hint, pd.DataFrame | pd.Series)


def _one_of(hints: list[Any], field: str, *, optional: bool) -> _Form:
    if len(hints) == 1:
        inner = _form(hints[0], field)
        return _Form(
            lambda value: None if optional and value is None else inner.write(value),
            lambda value, what, reading: None if optional and value is None else inner.read(value, what, reading),
        )
    scalars = [reader for one in hints if (reader := _plain(one))]
    carried = [one for one in hints if _is_carried(one)]
    if len(scalars) + len(carried) < len(hints):
        raise TypeError(f"{field}: of {hints} not all can be told apart; mark it with Travels")

    def read(value: Any, what: str, reading: _Reading) -> Any:
        if optional and value is None:
            return None
        if carried and isinstance(value, Mapping):
            return _read_carried(_told(carried, value, what, reading), value, what, reading)
        faults = []
        for reader in scalars:
            try:
                return reader(value, what)
            except InputError as error:
                faults.append(str(error))
        raise InputError(faults[0] if faults else f"{what}: an object is needed; got {_shown(value)}")

    return _Form(to_json, read)


def _told(kinds: Sequence[Any], document: Mapping[str, Any], what: str, reading: _Reading) -> Any:
    """Return the class that a document is of: the record with just its parts, or the data with the part that tells."""
    for kind in kinds:
        if getattr(kind, "told_by", None) in document:
            return kind
        own = issubclass(kind, Record) and document.get("kind", "") == _kind(kind)
        if own and (_kind(kind) or set(document) == set(_parts(kind, reading))):
            return kind
    raise InputError(f"{what}: this is no {' and no '.join(kind.__name__ for kind in kinds)}")


def _read_carried(kind: Any, value: Any, what: str, reading: _Reading) -> Any:
    if not isinstance(value, Mapping):
        raise InputError(f"{what}: an object is needed; got {_shown(value)}")
    if not issubclass(kind, Record):
        return kind.from_dict(value)
    told = kind.told(value, what)
    if told.from_dict.__func__ is Record.from_dict.__func__:  # type: ignore[attr-defined]
        return told.read_part(value, what, reading)
    return told.from_dict(value)


def _write_given(given: Sequence[Given], form: _Form, value: Any) -> Any:
    parts = {one.part for one in given}
    if isinstance(value, Record) and type(value).to_dict is Record.to_dict:
        return value.written_without(parts)
    written = form.write(value)
    return written and {name: one for name, one in written.items() if name not in parts}


def _read_given(given: tuple[Given, ...], form: _Form, value: Any, what: str, reading: _Reading) -> Any:
    return form.read(value, what, reading.with_(given=given))


def _write_each(inner: _Form, values: Any) -> list[Any]:
    return [inner.write(value) for value in values]


def _read_tuple(inner: _Form, value: Any, what: str, reading: _Reading) -> tuple[Any, ...]:
    return tuple(inner.read(one, f"{what}[{place}]", reading) for place, one in enumerate(read_list(value, what)))


def _write_several(inners: Sequence[_Form], values: Any) -> list[Any]:
    return [inner.write(value) for inner, value in zip(inners, values, strict=True)]


def _read_several(inners: Sequence[_Form], value: Any, what: str, reading: _Reading) -> tuple[Any, ...]:
    listed = read_list(value, what)
    if len(listed) != len(inners):
        raise InputError(f"{what}: a list of {len(inners)} is needed; got {_shown(value)}")
    pairs = zip(inners, listed, strict=True)
    return tuple(inner.read(one, f"{what}[{place}]", reading) for place, (inner, one) in enumerate(pairs))


def _write_mapping(inner: _Form, values: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): inner.write(value) for name, value in values.items()}


def _read_mapping(inner: _Form, value: Any, what: str, reading: _Reading) -> dict[str, Any]:
    return {
        name: inner.read(one, f"{what} of {name!r}", reading.with_(keys=(*reading.keys, name)))
        for name, one in read_items(value, what)
    }


def _read_exact(value: Any, what: str, *, name: str) -> pd.Series:
    found = read_numbers(value, what)
    return exact_series(list(found.values()), list(found), name)


def _read_own(mark: Travels, value: Any, what: str, reading: _Reading) -> Any:
    return mark.read(value, what, *map(reading.at, mark.given))


def _write_sparse(mark: Over, values: pd.Series) -> dict[str, Any]:
    return {str(name): to_json(value) for name, value in values.items() if value != mark.usual}


def _read_sparse(mark: Over, name: str, value: Any, what: str, reading: _Reading) -> pd.Series:
    names = tuple(map(str, reading.at(mark.names)))
    listed = read_numbers(value, what)
    unknown = sorted(listed.keys() - set(names))
    if unknown:
        raise InputError(f"{what}: {_shown(unknown[0])} is not among the {mark.names}")
    usual = Fraction(mark.usual)
    return exact_series([listed.get(one, usual) for one in names], names, name)


def _read_scalar(kind: type, value: Any, what: str) -> Any:
    if type(value) is not kind:
        needed = {str: "a text", bool: "true or false", int: "a whole number"}[kind]
        raise InputError(f"{what}: {needed} is needed; got {_shown(value)}")
    return value


def _read_float(value: Any, what: str) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise InputError(f"{what}: a number is needed; got {_shown(value)}")
    return float(value)


def _read_choice(choices: Collection[Any], value: Any, what: str) -> Any:
    if not any(type(value) is type(one) and value == one for one in choices):
        raise InputError(f"{what}: one of {', '.join(map(repr, choices))} is needed; got {_shown(value)}")
    return value


def read_list(value: Any, what: str) -> list[Any]:
    """Return a list, or raise InputError."""
    if not isinstance(value, list):
        raise InputError(f"{what}: a list is needed; got {_shown(value)}")
    return value


def read_items(value: Any, what: str) -> Iterator[tuple[str, Any]]:
    """Go through the entries of an object by name, or raise InputError."""
    if not isinstance(value, Mapping):
        raise InputError(f"{what}: an object with an entry for each name is needed; got {_shown(value)}")
    for name, one in value.items():
        if not isinstance(name, str):
            raise InputError(f"{what}: the names must be texts; got {_shown(name)}")
        yield name, one


def _alike(one: Any, other: Any) -> bool:
    """Tell whether two values are the same in JSON, where true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, float) and type(other) in (int, float):  # the last digits of floats differ between machines
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return type(one) is type(other) and bool(one == other)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
