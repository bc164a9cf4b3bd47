"""What all results share: a sentence, a table, a JSON form, and a way to re-check the claim.

Results are records: dataclasses whose annotations say how each field is written as JSON and how strictly it is read.
A class that inherits from `Record` has ``to_dict`` and ``from_dict`` without writing them:

>>> class Lead(Record):
...     derived = ("wins",)
...     tasks: tuple[str, ...]
...     margin: Fraction
...     weights: Mapping[str, Fraction]
...
...     @property
...     def wins(self) -> bool:
...         return self.margin > 0
>>> document = {"wins": True, "tasks": ["x", "y"], "margin": "1/3", "weights": {"y": "1/1"}}
>>> lead = Lead.from_dict(document)
>>> lead.weights
{'y': Fraction(1, 1)}
>>> lead.to_dict() == document
True

Numbers are texts ``"p/q"``, so nothing is rounded. What is *derived* is written for the reader's sake; when it is read,
it is compared with what the fields say, so that a forged verdict raises ProofError. Anything of another form than the
annotation says raises InputError with the field's name. Reading takes time and memory in proportion to the document.

Most annotations need no more (texts, integers, Fractions, enums, tuples, mappings, other records). `Codec` inside
``Annotated`` names two functions of the module that write and read a field with a form of its own.

Fields hold plain values. What people see as a Series or a frame is held as a mapping or a matrix, and made when it is
looked at: ``weights: Seen[pd.Series] = ByName("space.tasks")``, or `Seen` itself with a function for either way.

*Tables* (score tables, rankings, duels, signs, spaces of weights) may be long, and many parts hold the same one. Where
one stands in a document once, it stands in its place; where it stands more than once, it is written once, in the
document's part ``"shared_tables"``, and each place says ``{"table": number}``. Otherwise no part of a document depends
on another.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
import typing
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache, partial, wraps
from inspect import getattr_static
from operator import attrgetter, methodcaller
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
import numpy.typing as npt
import pandas as pd

from weightlab._cures import at
from weightlab._exact import INT64_SAFE, AnyArray, BoolArray, SignArray, as_float
from weightlab._pictures import Pictures
from weightlab._text import first_few, in_words, is_text, without
from weightlab.exceptions import ImpossibleError, InputError, NoWinnerError, ProofError, UnprovedError, WeightlabError

_RATIO = re.compile(r"-?\d+(/\d+)?", re.ASCII)
_ZERO = Fraction(0)

T = TypeVar("T")


# Marks of annotations ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Codec:
    """Marks a field with a form of its own.

    Attributes
    ----------
    write : callable
        From the field to JSON. A function that the module defines: a lambda in an annotation sees no names.
    read : callable
        From JSON and what to call it to the field; raises InputError for anything that is never written.
    table : bool
        Whether the field is a table, which is written once where it stands in a document more than once.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]
    table: bool = False


# Records ----------------------------------------------------------------------------------------------------------


class Seen(Generic[T]):
    """A field that is held plainly, so that a document is read part by part, and is seen in pandas' form.

    ``corners: Seen[pd.DataFrame] = Seen(...)``. The visible form is made on each access.

    Parameters
    ----------
    hint : type
        How the field's value is written.
    hold : callable
        From either form to what is held.
    see : callable
        From the record and what is held to what is seen; raises InputError if the other fields do not fit it.
    """

    def __init__(self, hint: Any, hold: Callable[[Any], Any], see: Callable[[Any, Any], Any]) -> None:
        self.hint, self.hold, self.see, self.field = hint, hold, see, ""

    def __set_name__(self, owner: type, field: str) -> None:
        self.field = field

    def __set__(self, record: object, value: Any) -> None:
        vars(record)[self.field] = self.hold(value)

    def __get__(self, record: object | None, owner: type | None = None) -> T:
        if record is None:
            raise AttributeError(self.field)  # by which a dataclass knows that the field has no default
        return cast("T", self.see(record, vars(record)[self.field]))


class ByName(Seen[Any]):
    """A field that holds fractions by name in a mapping, and is seen as a Series; so each of a tuple, or None.

    Parameters
    ----------
    along : str
        Where the record says what names there may be, ``"space.tasks"``: the Series has one entry for each of them, in
        order; those that are 0 are neither held nor written. By default the names are those that the mapping has.
    called : str
        The Series' name; by default the field's, in the singular.
    """

    def __init__(self, along: str = "", *, called: str = "") -> None:
        super().__init__(None, self._held, self._series)
        self._along, self._called = along, called

    def _held(self, value: Any) -> Any:
        if value is None or isinstance(value, tuple):
            return value and tuple(map(self._held, value))
        return {str(name): one for name, one in value.items() if one or not self._along}

    def _series(self, record: object, value: Any) -> Any:
        if value is None or isinstance(value, tuple):
            return value and tuple(self._series(record, one) for one in value)
        names = attrgetter(self._along)(record) if self._along else tuple(value)
        for unknown in () if value.keys() <= set(names) else sorted(value.keys() - set(names)):
            raise InputError(f"{self.field}: {_shown(unknown)} is not among the {len(names)} names that it may have")
        called = self._called or self.field.removesuffix("s")
        return exact_series([value.get(name, _ZERO) for name in names], names, called)


@typing.dataclass_transform(
    frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(dataclasses.field,)
)
@dataclass(frozen=True, kw_only=True, eq=False)
class Frozen:
    """Base of values: a class that inherits from it is a frozen, keyword-only dataclass, and says so nowhere else.

    They are compared by identity, since arrays and tables have no one truth value; ``class Place(Frozen, eq=True)``
    compares its fields.
    """

    def __init_subclass__(cls, *, eq: bool = False, **options: Any) -> None:
        """Make the class a dataclass."""
        super().__init_subclass__(**options)
        dataclass(frozen=True, kw_only=True, eq=eq)(cls)


class Record(Frozen):
    """Base of records with a JSON form: ``to_dict`` and ``from_dict`` follow from the annotated fields.

    A document holds ``kind`` (of results), the derived values and the fields in order; all of them, and nothing else.
    Fields are texts, truth values, numbers, Fractions, StrEnums, Literals, None, tuples, mappings from text, other
    records, whatever has ``to_dict`` and ``from_dict``, unions whose members' parts differ, Series held as `ByName`,
    and arrays marked as `SignMatrix`, `BoolMatrix`, `IntMatrix`, `ExactMatrix` or `Codec`.

    Attributes
    ----------
    derived : tuple of str
        Properties that are written and, when read, compared with what the fields say: a forged one raises ProofError.
    """

    derived: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the record ready for JSON, with everything that a check needs; fractions are text ``"p/q"``."""
        writing = Writing()
        return writing.finished(self.written(writing))

    def written(self, writing: Writing) -> dict[str, Any]:
        """Return the record as part of a document that is being written."""
        kind = {"kind": _kind(type(self))} if _kind(type(self)) else {}
        derived = {name: to_json(getattr(self, name)) for name in self.derived}
        held, forms = vars(self), _forms(type(self)).items()
        return kind | derived | {name: write(held[name], writing) for name, (write, _) in forms}

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
        tables = document.get(SHARED, []) if isinstance(document, Mapping) else []
        reading, own = Reading(read_list(tables, SHARED)), document
        if isinstance(document, Mapping):
            own = {name: one for name, one in document.items() if name != SHARED}
        record = cls.read_part(own, "", reading)
        reading.ensure_all_read()
        return record

    @classmethod
    def read_part(cls, document: Any, what: str, reading: Reading) -> Self:
        """Return the record from a part of a document; messages call it ``what``."""
        holder, expected = what or "the result", _parts(cls)
        for name in expected:
            part(document, name, what)
        refuse_others(document, expected, holder)
        if _kind(cls) and document["kind"] != _kind(cls):
            raise InputError(f"{holder}: a {_kind(cls)} is needed; got a {_shown(document['kind'])}")
        forms = _forms(cls).items()
        record = cls(
            **{name: read(document[name], f"{what}.{name}" if what else name, reading) for name, (_, read) in forms}
        )
        for name in _forms(cls):  # so that names which a Series cannot have are refused at once
            getattr(record, name)
        for name in cls.derived:
            record.ensure_derived(name, document[name], holder)
        return record

    def ensure_derived(self, name: str, written: Any, holder: str) -> None:
        """Raise ProofError unless a derived value is what was written in a document of ``holder``."""
        try:
            found = to_json(getattr(self, name))
        except UnprovedError as error:
            raise ProofError(error.message) from error
        except (KeyError, TypeError, AttributeError, IndexError, ValueError, ArithmeticError) as error:
            raise InputError(f"{holder}: its parts do not fit together, so it has no {name}: {error}") from error
        if not same_json(found, written):
            raise ProofError(f"{holder} does not prove {name} {_shown(written)}: it is {_shown(found)}")


def _kind(kind: type[Record]) -> str:
    """Return the kind of a class of results; other records have none."""
    return str(getattr(kind, "kind", ""))


def _parts(kind: type[Record]) -> list[str]:
    """Return the parts of a document of a record: its kind, what is derived, and the fields."""
    return [*(["kind"] if _kind(kind) else []), *kind.derived, *_forms(kind)]


def same_json(one: Any, other: Any) -> bool:
    """Return whether two values are the same in JSON, where true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    if isinstance(one, float) and type(other) in (int, float):  # the last digits of floats differ between machines
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return type(one) is type(other) and bool(one == other)


# Tables, each written once ------------------------------------------------------------------------------------------


SHARED = "shared_tables"
"""The part of a document that holds what occurs in it more than once."""


class Writing:
    """A document while it is written: only in the end it is known which tables come again."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[Any, Any]] = {}
        self._by_text: dict[str, Any] = {}
        self._places: Counter[int] = Counter()

    def table(self, value: Any, write: Callable[[Any], Any]) -> Any:
        """Return a table as it is written: one object, in however many places it stands."""
        if id(value) not in self._held:  # the value is held, too: the number of what is gone may be given again
            written = write(value)
            self._held[id(value)] = value, self._by_text.setdefault(json.dumps(written), written)
        _, written = self._held[id(value)]
        self._places[id(written)] += 1
        return written

    def finished(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return the document with each table in its only place, or in the part ``"shared_tables"``."""
        shared = [one for one in self._by_text.values() if self._places[id(one)] > 1]
        numbers = {id(one): number for number, one in enumerate(shared)}

        def told(value: Any) -> Any:
            if id(value) in numbers:
                return {"table": numbers[id(value)]}
            if isinstance(value, dict):
                return {name: told(one) for name, one in value.items()}
            return [told(one) for one in value] if isinstance(value, list) else value

        return cast("dict[str, Any]", told(document)) | {SHARED: shared} if shared else document


class Reading:
    """A document while it is read: each of its tables is read when a part first refers to it, and once."""

    def __init__(self, tables: Sequence[Any] = ()) -> None:
        self._tables = tables
        self._read: dict[tuple[int, Any], Any] = {}

    def target(self, value: Any, what: str) -> tuple[int | None, Any]:
        """Return the value here, or the number of the table to which a part refers, and that table."""
        if not isinstance(value, Mapping) or set(value) != {"table"}:
            return None, value
        number, count = value["table"], len(self._tables)
        if type(number) is not int or not 0 <= number < count:
            raise InputError(f"{what}: there is no table {_shown(number)} among the {count} of the document")
        return number, self._tables[number]

    def table(self, value: Any, what: str, read: Callable[[Any, str], Any]) -> Any:
        """Return a table that stands here, or to which a part refers: read once, whoever refers to it."""
        number, found = self.target(value, what)
        if number is None:
            return read(found, what)
        if (number, read) not in self._read:
            self._read[number, read] = read(found, f"table {number}")
        return self._read[number, read]

    def ensure_all_read(self) -> None:
        """Raise InputError where no part refers to a table: nothing in a document is superfluous."""
        unread = set(range(len(self._tables))) - {number for number, _ in self._read}
        if unread:
            raise InputError(f"{SHARED}: no part of the result refers to table {min(unread)}")


# From annotations to forms ----------------------------------------------------------------------------------------

Writer: TypeAlias = Callable[[Any, Writing], Any]
Reader: TypeAlias = Callable[[Any, str, Reading], Any]
"""From a part of a document, what messages call it, and the document's tables."""


def hints_of(kind: Any) -> dict[str, Any]:
    """Return as what each field of a class is held, and so how it is written."""
    hints = get_type_hints(kind, include_extras=True)
    held = {field.name: hints[field.name] for field in dataclasses.fields(kind) if field.init}
    for name, hint in held.items():
        if get_origin(hint) is Seen:
            held[name] = getattr_static(kind, name).hint or get_args(hint)[0]
    return held


def _forms(kind: Any) -> dict[str, tuple[Writer, Reader]]:
    """Return how each field of a class is written and read; they are made once."""
    if kind not in _FORMS:
        _FORMS[kind] = {name: (_writer(hint), _reader(hint, name)) for name, hint in hints_of(kind).items()}
    if not _FORMS[kind]:
        raise InputError(f"a {kind.__name__} has no JSON form")
    return _FORMS[kind]


_FORMS: dict[Any, dict[str, tuple[Writer, Reader]]] = {}


def _writer(hint: Any) -> Writer:
    """Return how what has a type hint is written: by its own type or by a mark, alone or in a tuple or a union."""
    if get_origin(hint) is Annotated:
        codec = _codec(hint)
        return lambda value, writing: writing.table(value, codec.write) if codec.table else codec.write(value)
    inner = next((_writer(one) for one in get_args(hint) if get_origin(one) is Annotated), None)
    if inner is None:
        return to_json
    many = get_origin(hint) is tuple
    return lambda value, writing: (
        [inner(one, writing) for one in value] if many else None if value is None else inner(value, writing)
    )


def _codec(hint: Any) -> Codec:
    return next(mark for mark in get_args(hint)[1:] if isinstance(mark, Codec))


def _reader(hint: Any, field: str) -> Reader:
    """Return how what has a type hint is read."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        codec = _codec(hint)
        return lambda value, what, reading: (
            reading.table(value, what, codec.read) if codec.table else codec.read(value, what)
        )
    if origin in (Union, UnionType):
        return _any_of(arguments, field)
    if origin is tuple:
        return _tuple(arguments, field)
    if origin in (dict, Mapping) or hint is pd.Series:
        inner = _reader(Fraction if hint is pd.Series else arguments[1], field)
        return lambda value, what, reading: {
            name: inner(one, f"{what} of {name!r}", reading) for name, one in read_items(value, what)
        }
    if _has_own_form(hint):
        return partial(read_own, hint)
    read = _scalar_reader(hint)
    if read is None:
        raise TypeError(f"{field}: a {hint} has no JSON form; mark it with Codec")
    return lambda value, what, _: read(value, what)


def _tuple(hints: Sequence[Any], field: str) -> Reader:
    endless = hints[-1] is Ellipsis
    inners = [_reader(one, field) for one in hints if one is not Ellipsis]

    def read(value: Any, what: str, reading: Reading) -> tuple[Any, ...]:
        listed = read_list(value, what)
        readers = inners * (len(listed) if endless else 1)
        if len(listed) != len(readers):
            raise InputError(f"{what}: a list of {len(readers)} is needed; got {_shown(value)}")
        pairs = zip(readers, listed, strict=True)
        return tuple(inner(one, f"{what}[{place}]", reading) for place, (inner, one) in enumerate(pairs))

    return read


def _any_of(hints: Sequence[Any], field: str) -> Reader:
    """Return the reader of a union: of what has forms of its own, told by its parts, else of the first that fits."""
    kinds = [one for one in hints if _has_own_form(one) and one is not NoneType]
    readers = [_reader(one, field) for one in hints if one not in kinds and one is not NoneType]
    if len(kinds) + len(readers) > 1 and any(get_origin(one) not in (None, Literal) for one in hints):
        raise TypeError(f"{field}: of {hints} not all can be distinguished; mark it with Codec")

    def read(value: Any, what: str, reading: Reading) -> Any:
        if value is None and NoneType in hints:
            return None
        if kinds and (isinstance(value, Mapping) or not readers):
            kind = (
                kinds[0] if len(kinds) == 1 else _recognised(kinds, _object(reading.target(value, what)[1], what), what)
            )
            return read_own(kind, value, what, reading)
        fault = None
        for inner in readers:
            try:
                return inner(value, what, reading)
            except InputError as error:
                fault = fault or error
        raise fault or InputError(f"{what}: {_shown(value)} is none of {hints}")

    return read


def _recognised(kinds: Sequence[Any], value: Any, what: str, called: str = "") -> Any:
    """Return the class that a document is of: the record with just its parts, or the data with a part of its own."""
    document = _object(value, what)
    for kind in kinds:
        if getattr(kind, "own_part", None) in document:
            return kind
        record = issubclass(kind, Record) and document.get("kind", "") == _kind(kind)
        if record and (_kind(kind) or set(document) == set(_parts(kind))):
            return kind
    raise InputError(f"{what}: this is no {called or ' and no '.join(kind.__name__ for kind in kinds)}")


def _has_own_form(hint: Any) -> bool:
    """Return whether a class has a form of its own; the frames of pandas do not."""
    own = isinstance(hint, type) and hasattr(hint, "to_dict") and hasattr(hint, "from_dict")
    return own and not issubclass(hint, pd.DataFrame | pd.Series)


def _is_table(kind: type) -> bool:
    """Return whether values of a class are tables: data and spaces of weights are, other records are not."""
    return hasattr(kind, "own_part") or not issubclass(kind, Record)


def read_own(kind: Any, value: Any, what: str, reading: Reading) -> Any:
    """Return a record, data or a space from a part of a document; of a base, what is of a class below it."""
    if _is_table(kind):
        return reading.table(value, what, table_reader(kind))
    if _is_base(kind):
        kind = _recognised([*_below(kind)], value, what, kind.__name__)
    return kind.read_part(_object(value, what), what, reading)


@cache
def _is_base(kind: Any) -> bool:
    """Return whether documents belong to subclasses: this class has no fields, or is one of results without a kind."""
    return not hints_of(kind) or getattr(kind, "kind", None) == ""


def _below(kind: Any) -> Iterator[Any]:
    for one in kind.__subclasses__():
        yield from _below(one) if _is_base(one) else (one, *_below(one))


@cache
def table_reader(kind: Any) -> Callable[[Any, str], Any]:
    """Return the reader for a table of a class with its own form."""
    if issubclass(kind, Record):
        return lambda value, what: kind.read_part(_object(value, what), what, Reading())
    return lambda value, what: kind.from_dict(_object(value, what))


def _object(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{what}: an object is needed; got {_shown(value)}")
    return value


def _scalar_reader(hint: Any) -> Callable[[Any, str], Any] | None:
    """Return the reader of a scalar, None for other hints."""
    if hint is Fraction:
        return read_fraction
    if hint in (str, bool, int, float):
        return partial(_read_scalar, hint)
    if get_origin(hint) is Literal:
        return partial(_read_choice, get_args(hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return lambda value, what: hint(_read_choice([str(one) for one in hint], value, what))
    return None


# What is written ---------------------------------------------------------------------------------------------------


def to_json(value: Any, writing: Writing | None = None) -> Any:
    """Return a value ready for JSON: fractions as ``"p/q"``, tuples as lists, Series as mappings, enums as text.

    In a document that is being written tables wait until it is known in how many places they stand.

    Raises
    ------
    TypeError
        For a value that has no such form.
    ValueError
        For a float that is not finite, which JSON cannot say.
    """
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping | pd.Series) and not isinstance(value, Record):
        return {str(name): to_json(one, writing) for name, one in value.items()}
    if _has_own_form(type(value)):
        if writing is None:
            return value.to_dict()
        return writing.table(value, to_json) if _is_table(type(value)) else value.written(writing)
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value!r} has no JSON form")
    if isinstance(value, str | int | float | bool | None):
        return str(value) if isinstance(value, StrEnum) else value
    if isinstance(value, bytes | bytearray) or not isinstance(value, Sequence | set | frozenset):
        raise TypeError(f"a {type(value).__name__} has no JSON form")
    return [to_json(one, writing) for one in (value if isinstance(value, Sequence) else sorted(value))]


def exact_series(values: Sequence[Fraction | int], names: Sequence[str], name: str) -> pd.Series:
    """Return a Series of Fractions by name.

    Raises
    ------
    InputError
        If there are more or fewer values than names, or one is not a fraction.
    """
    kinds = set(map(type, values))
    if len(values) != len(names) or not all(issubclass(kind, Fraction | int) for kind in kinds):
        raise InputError(f"{name}: {len(names)} fractions are needed, one a name")
    # pandas takes longer over a list than over an array.
    fractions = values if kinds <= {Fraction} else map(Fraction, values)
    exact = np.fromiter(fractions, dtype=object, count=len(values))
    index = name_index(tuple(names)) if set(map(type, names)) <= {str} else list(names)
    return pd.Series(exact, index=index, name=name, copy=False)


def name_index(names: tuple[str, ...]) -> pd.Index:
    """Return the index that pandas makes of names; it is made once, since many series share it."""
    return _name_index(names).view()


@lru_cache(maxsize=128)
def _name_index(names: tuple[str, ...]) -> pd.Index:
    return pd.Index(names)


def signs_to_json(signs: SignArray) -> list[str]:
    """Return signs as one text of ``+``, ``0`` and ``-`` a row."""
    return ["".join(row) for row in np.array(["-", "0", "+"])[signs.astype(np.int64) + 1]]


def bits_to_json(bits: BoolArray) -> list[str]:
    """Return truth values as one text of ``1`` and ``0`` a row."""
    return ["".join(row) for row in np.where(bits, "1", "0")]


# What is read: each raises InputError that says what the value was meant to be ---------------------------------------


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
        if not isinstance(name, str) or not is_text(name):
            raise InputError(f"{what}: the names must be texts; got {_shown(name)}")
        yield name, one


def read_names(value: Any, what: str) -> tuple[str, ...]:
    """Return a list of texts as a tuple, or raise InputError."""
    return tuple(_read_scalar(str, name, what) for name in read_list(value, what))


def read_fraction(text: Any, what: str) -> Fraction:
    """Return a fraction written as ``"p/q"``, or raise InputError."""
    # Only p/q: Fraction("1e999999999") would fill the memory.
    if isinstance(text, str) and _RATIO.fullmatch(text):
        try:
            numerator, _, denominator = text.partition("/")
            return Fraction(int(numerator), int(denominator or 1))
        except (ValueError, ZeroDivisionError) as error:  # more digits than Python reads, or q is 0
            raise InputError(f"{what}: {text[:60]!r} is not a fraction: {error}") from error
    raise InputError(f"{what}: {str(text)[:60]!r} is not a fraction 'p/q'")


def read_numbers(value: Any, what: str) -> dict[str, Fraction]:
    """Return an object of fractions by name, or raise InputError."""
    return {name: read_fraction(text, f"{what} of {name!r}") for name, text in read_items(value, what)}


def read_integers(value: Any, what: str, width: int | None = None, dimensions: int = 2) -> AnyArray:
    """Return integers from nested lists of equal lengths (the innermost of this one), or raise InputError."""
    cells = _read_cells(value, what, width, dimensions)
    if any(type(one) is not int for one in cells.flat):
        raise InputError(f"{what}: a cell is not an integer")
    return cells.astype(np.int64) if max(map(abs, cells.flat), default=0) < INT64_SAFE else cells


def read_fractions(value: Any, what: str) -> AnyArray:
    """Return a table of fractions, rows x columns, from lists of one length, or raise InputError."""
    cells = _read_cells(value, what, None, 2)
    exact = (read_fraction(one, what) for one in cells.flat)
    return np.fromiter(exact, dtype=object, count=cells.size).reshape(cells.shape)


def _read_cells(value: Any, what: str, width: int | None, dimensions: int) -> AnyArray:
    listed = read_list(value, what)
    try:
        found = np.array(listed, dtype=object)
    except ValueError:  # lists of unequal lengths
        found = np.empty(0, dtype=object)
    found = found if listed else found.reshape((0,) * (dimensions - 1) + (width or 0,))
    if found.ndim != dimensions or width not in {None, found.shape[-1]}:
        of = "equal lengths" if width is None else f"{width} cells"
        raise InputError(f"{what}: lists of {of} in {dimensions - 1} others are needed")
    return found


def read_signs(texts: Any, what: str) -> SignArray:
    """Return signs from one text of ``+``, ``0`` and ``-`` a row, all of one length, or raise InputError."""
    letters = _read_letters(texts, what, "+0-")
    return np.where(letters == ord("+"), 1, np.where(letters == ord("-"), -1, 0)).astype(np.int8)


def read_bits(texts: Any, what: str) -> BoolArray:
    """Return truth values from one text of ``1`` and ``0`` a row, all of one length, or raise InputError."""
    return np.asarray(_read_letters(texts, what, "10") == ord("1"), dtype=np.bool_)


def _read_letters(texts: Any, what: str, allowed: str) -> AnyArray:
    listed = read_list(texts, what)
    width = len(listed[0]) if listed and isinstance(listed[0], str) else 0
    if any(not isinstance(row, str) or len(row) != width or row.strip(allowed) for row in listed):
        raise InputError(f"{what}: texts of one length are needed, written with {in_words(list(map(repr, allowed)))}")
    return np.frombuffer("".join(listed).encode(), dtype=np.uint8).reshape(len(listed), width)


def _read_scalar(kind: type, value: Any, what: str) -> Any:
    if (type(value) is not kind and (kind, type(value)) != (float, int)) or (kind is str and not is_text(value)):
        needed = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}[kind]
        raise InputError(f"{what}: {needed} is needed; got {_shown(value)}")
    if kind is float and not math.isfinite(value):
        raise InputError(f"{what}: a number is needed; got {value}")
    return kind(value)


def _read_choice(choices: Collection[Any], value: Any, what: str) -> Any:
    if not any(type(value) is type(one) and value == one for one in choices):
        raise InputError(f"{what}: one of {', '.join(map(repr, choices))} is needed; got {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


# Marked types ------------------------------------------------------------------------------------------------------

SignMatrix: TypeAlias = Annotated[npt.NDArray[np.int8], Codec(signs_to_json, read_signs, table=True)]
"""Signs, rows x columns."""

BoolMatrix: TypeAlias = Annotated[npt.NDArray[np.bool_], Codec(bits_to_json, read_bits)]
"""Truth values, rows x columns."""


def integers(dimensions: int, width: int | None = None) -> Codec:
    """Return how an array of integers is written: as nested lists; int64 where they fit, Python integers otherwise."""
    return Codec(methodcaller("tolist"), partial(read_integers, width=width, dimensions=dimensions))


IntMatrix: TypeAlias = Annotated[AnyArray, integers(2)]
"""Integers, rows x columns."""

ExactMatrix: TypeAlias = Annotated[AnyArray, Codec(to_json, read_fractions)]
"""Fractions, rows x columns, as lists; an object array."""


# Results -----------------------------------------------------------------------------------------------------------

FORMAT = 2
"""The form of documents that this version writes and reads; those before it had no number."""

GROUNDS = ("proved", "believed")
"""Parts of a document of a result; results inside others do not have them, the whole speaks for its parts."""

KINDS: dict[str, type[Result]] = {}
"""Results by kind, so that one can be read back from JSON."""


class Proof(StrEnum):
    """How much of a claim is re-checked by ``verify()``."""

    EXACT = "exact"
    """Everything, in exact arithmetic."""

    EXACT_WITNESS = "exact_witness"
    """Feasibility and value exactly; optimality relies on the bound of a solver, which is named."""

    SAMPLED = "sampled"
    """An estimate from random draws."""


def weakest(proofs: Iterable[Proof]) -> Proof:
    """Return how much is proved of claims together: as much as of the one that is proved least."""
    return max(proofs, key=list(Proof).index, default=Proof.EXACT)


def on_word_of(solver: object) -> Proof:
    """Return how much is proved of a claim that rests on a solver where one is named, and on nothing else."""
    return Proof.EXACT_WITNESS if solver else Proof.EXACT


class Result(Record):
    """Base of all results: records made beside the function that returns them.

    A subclass names its kind, ``class Prospect(Result, kind="prospect")``, and defines ``__str__``, ``summary`` and
    ``verify``; its fields say how it is written (see `Record`). One that can rely on a solver or on draws says in
    ``proofs`` which of its claims do; what is proved and what is not follows, in documents, too.
    """

    kind: ClassVar[str] = ""
    table_of: ClassVar[Callable[[Any], Any]] = staticmethod(lambda source: source)
    """What a plain frame is as the source of ``verify``; ``data.convert``, which knows the tables, says so."""

    def __init_subclass__(cls, *, kind: str = "", table_of: Callable[[Any], Any] | None = None, **options: Any) -> None:
        """Register the kind, so that a result can be read back from JSON, and keep the data out of ``repr``."""
        super().__init_subclass__(**options)
        # A dataclass makes a ``__repr__`` of its own, all data in one line, unless the class itself has one.
        cls.__repr__ = Result.__repr__  # type: ignore[method-assign]
        if "__str__" in cls.__dict__:
            cls.__str__ = _naming_solvers(cls.__str__)  # type: ignore[method-assign]
        if "verify" in cls.__dict__:
            cls.verify = _refusing(cls.verify)  # type: ignore[method-assign]
        if table_of is not None:
            cls.table_of = staticmethod(table_of)
        if kind:
            cls.kind = kind
            KINDS[kind] = cls

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What the result claims, and how much of each claim ``verify`` re-checks; by default everything."""
        return {"everything": Proof.EXACT}

    @property
    def proof(self) -> Proof:
        """How much of the claims together ``verify`` re-checks: as much as of the one that is proved least."""
        return weakest(self.proofs.values())

    @property
    def proved(self) -> tuple[str, ...]:
        """The claims that ``verify`` re-checks, in exact arithmetic."""
        shown = tuple(claim for claim, proof in self.proofs.items() if proof is Proof.EXACT)
        return shown if self.believed else ("everything",)

    @property
    def believed(self) -> tuple[str, ...]:
        """The claims that rely on a solver's bound or on random draws."""
        return tuple(claim for claim, proof in self.proofs.items() if proof is not Proof.EXACT)

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON, with its format, and what of it is proved and what is not."""
        grounds = {name: list(getattr(self, name)) for name in GROUNDS}
        return {"kind": self.kind, "format": FORMAT} | grounds | super().to_dict()

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """Return the result that ``to_dict`` wrote.

        Raises
        ------
        InputError
            If it is of another format, or parts are missing, unknown or of the wrong form.
        ProofError
            If a derived value, or the list of proved claims, does not follow from the fields.
        """
        ensure_format(document)
        own = {name: value for name, value in read_items(document, "the result") if name not in {"format", *GROUNDS}}
        result = super().from_dict(own)
        for name in GROUNDS:
            result.ensure_derived(name, part(document, name), "the result")
        return result

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

    def verified(self) -> Self:
        """Return the result itself once ``verify`` has re-checked it."""
        self.verify()
        return self

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a table of exact values and text."""
        return pd.DataFrame({"value": [str(self)]})

    def summary(self) -> pd.DataFrame:
        """Return the table of ``to_frame`` for people: fractions as floats, infinite beyond every float."""
        return in_floats(self.to_frame())

    def plot(self, **options: Any) -> Any:
        """Draw the result, as ``weightlab.plots.draw(result, **options)`` does.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        InputError
            If there is no picture of such a result (it names those that have one), or matplotlib is not installed.
        """
        return Pictures.draw(self, **options)

    def __repr__(self) -> str:
        """Return the type and the sentence, never the data."""
        return f"{type(self).__name__}: {' '.join(str(self).splitlines())}"

    def _repr_html_(self) -> str:
        return Pictures.told(self, "html")

    def to_markdown(self) -> str:
        """Return the screen of the result's command as Markdown, with all names escaped."""
        return Pictures.told(self, "md")

    def to_latex(self) -> str:
        """Return what the command of such a result says, as LaTeX: its tables for ``booktabs``."""
        return Pictures.told(self, "tex")


def in_floats(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose columns of fractions are floats, NaN for missing entries, as in empty columns."""
    shown = frame.copy()
    for place in range(len(frame.columns)):
        column = frame.iloc[:, place].tolist()
        if any(isinstance(one, Fraction) for one in column) or set(column) == {None}:
            shown.isetitem(place, np.array([as_float(one) for one in column], dtype=np.float64))
    return shown


def _naming_solvers(sentence: Callable[..., str]) -> Callable[..., str]:
    """Return a sentence that says what rests on a solver's word, and on whose, unless it names the solver itself."""

    @wraps(sentence)
    def said(self: Result) -> str:
        words = sentence(self)
        claims = [claim for claim, proof in self.proofs.items() if proof is Proof.EXACT_WITNESS]
        names = sorted(_solvers_of(self)) if claims else []
        if any(name in words for name in names) or not claims:
            return words
        return f"{words} Taken from {' and '.join(names) or 'a solver'}, not proved: {first_few(claims)}."

    return said


def _solvers_of(part: Any) -> set[str]:
    """Return the names of all solvers that a record or a part of one names."""
    if isinstance(part, Record):
        own = getattr(part, "solver", None)
        inside = _solvers_of([vars(part)[one.name] for one in dataclasses.fields(cast("Any", part))])
        return {str(own), *inside} if own else inside
    inner = part.values() if isinstance(part, Mapping) else part if isinstance(part, (list, tuple)) else ()
    return {name for one in inner for name in _solvers_of(one)}


def _refusing(verify: Callable[..., bool]) -> Callable[..., bool]:
    """Return a check that refuses numbers with which it cannot count, such as those too long to be a float or a text.

    Numbers of a document may have thousands of digits, and their sums more than Python writes in a message.
    """

    @wraps(verify)
    def checked(self: Result, source: Any = None) -> bool:
        try:
            return verify(self, type(self).table_of(source))
        except (ImpossibleError, NoWinnerError) as error:
            raise ProofError(
                f"the {self.kind or type(self).__name__} answers what has no answer: {error.message}"
            ) from error
        except (AttributeError, TypeError) as error:
            if source is None:
                raise
            # Which types a question takes is known where it is asked alone; another one lacks what is looked for.
            told = f"the {self.kind or type(self).__name__} is not about a {type(source).__name__}"
            raise InputError(told) from error
        except (ArithmeticError, ValueError) as error:
            if isinstance(error, WeightlabError):
                raise
            name = self.kind or type(self).__name__
            raise ProofError(f"the numbers of the {name} cannot be checked: {error}") from error

    return checked


def ensure(holds: object, failure: str) -> None:
    """Raise ProofError with the failed inequality unless the condition holds."""
    if not holds:
        raise ProofError(failure)


@contextmanager
def told_of(what: str, kind: type[ProofError | InputError] = ProofError) -> Iterator[None]:
    """Let an error of a kind say what it is about, before what is wrong with it."""
    try:
        yield
    except kind as error:
        raise kind([at(what, fault) for fault in error.placed]) from None


def ensure_same_names(what: str, own: Sequence[str], given: Sequence[str], *, in_order: bool = False) -> None:
    """Raise ProofError with what is more and what is fewer unless a source has the same names, each once."""
    more, fewer = without(given, own), without(own, given)
    parts = [f"more: {', '.join(map(repr, more[:5]))}"] if more else []
    parts += [f"fewer: {', '.join(map(repr, fewer[:5]))}"] if fewer else []
    different = "; ".join(parts) or "the same names, but some more than once"
    ensure(not parts and len(own) == len(given), f"the source has different {what}: {different}")
    ensure(not in_order or tuple(own) == tuple(given), f"the source has the {what} in another order")


def ensure_format(document: Any) -> None:
    """Raise InputError unless a result is of the format that this version reads: no other is read by accident."""
    if not isinstance(document, Mapping) or (type(document.get("format")) is int and document["format"] == FORMAT):
        return
    has = f"is of format {_shown(document['format'])}" if "format" in document else "has no format number"
    raise InputError(
        f"this document {has}, so another version of weightlab wrote it; this version reads format {FORMAT}: "
        "make it again, with the command that made it"
    )


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
    ensure_format(document)
    try:
        return KINDS[document["kind"]].from_dict(document)
    except KeyError as error:
        raise InputError(f"the result lacks {error.args[0]!r}") from error
    except (TypeError, AttributeError, IndexError, ValueError, ArithmeticError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the result has a part of the wrong form: {error}") from error
