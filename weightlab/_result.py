"""What all results share: a sentence, a table, a form that travels as JSON, and a way to re-check the claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from enum import StrEnum
from fractions import Fraction
from functools import wraps
from typing import Any, ClassVar, Self, cast

import numpy as np
import pandas as pd

from weightlab._exact import as_float
from weightlab._notebook import notebook_html
from weightlab._pictures import Pictures
from weightlab._record import Record, part, read_items
from weightlab._text import first_few, without
from weightlab.exceptions import ImpossibleError, InputError, NoWinnerError, ProofError, WeightlabError

GROUNDS = ("proved", "believed")
"""Parts of a document of a result; results inside others do not have them, the whole speaks for its parts."""

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


def weakest(proofs: Iterable[Proof]) -> Proof:
    """Return how much is proved of claims together: as much as of the one that is proved least."""
    return max(proofs, key=list(Proof).index, default=Proof.EXACT)


def on_word_of(solver: object) -> Proof:
    """Return how much is proved of a claim that rests on a solver where one is named, and on nothing else."""
    return Proof.EXACT_WITNESS if solver else Proof.EXACT


class Result(Record):
    """Base of all results: frozen keyword-only dataclasses made beside the function that returns them.

    A subclass names its kind, ``class Prospect(Result, kind="prospect")``, and defines ``__str__``, ``summary`` and
    ``verify``; its fields say how it travels (see `Record`). One that can rest on a solver or on draws says in
    ``proofs`` which of its claims do; what is proved and what is believed follows, in documents, too.
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

    @classmethod
    def class_of(cls, document: Mapping[str, Any], what: str) -> type[Record]:
        """Return the class of a document's kind, where the base has none; it must be of this base."""
        if cls.kind:
            return cls
        found = KINDS.get(str(document.get("kind")))
        if found is None or not issubclass(found, cls):
            raise InputError(f"{what}: a result of kind {document.get('kind')!r} is no {cls.__name__}")
        return found

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
        """The claims that rest on a solver's word or on random draws."""
        return tuple(claim for claim, proof in self.proofs.items() if proof is not Proof.EXACT)

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON, with what of it is proved and what is believed."""
        written = self.written_without(())
        return {"kind": self.kind} | {name: list(getattr(self, name)) for name in GROUNDS} | written

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """Return the result that ``to_dict`` wrote.

        Raises
        ------
        InputError
            If parts are missing, unknown or of the wrong form.
        ProofError
            If a derived value, or what is said to be proved, is not what the fields give.
        """
        own = {name: value for name, value in read_items(document, "the result") if name not in GROUNDS}
        result = cls.read_part(own, "")
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
            If there is no picture of such a result (it says of which there are), or matplotlib is not installed.
        """
        return Pictures.draw(self, **options)

    def __repr__(self) -> str:
        """Return the type and the sentence, never the data."""
        return f"{type(self).__name__}: {' '.join(str(self).splitlines())}"

    def _repr_html_(self) -> str:
        words = {Proof.EXACT: "proved", Proof.EXACT_WITNESS: "proved by witness", Proof.SAMPLED: "sampled"}
        kind = (self.kind or type(self).__name__).replace("_", " ")
        return notebook_html(str(self), words[self.proof], self.summary(), f"{kind[:1].upper()}{kind[1:]}")


def in_floats(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose columns of fractions are floats, NaN where there is none, as in columns of nothing."""
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
        inside = _solvers_of([getattr(part, one.name) for one in fields(cast("Any", part))])
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
            raise ProofError(f"the {self.kind or type(self).__name__} answers what has no answer: {error}") from error
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
        raise kind(f"{what}: {error}") from None


def ensure_same_names(what: str, own: Sequence[str], given: Sequence[str], *, in_order: bool = False) -> None:
    """Raise ProofError with what is more and what is fewer unless a source has the same names, each once."""
    more, fewer = without(given, own), without(own, given)
    parts = [f"more: {', '.join(map(repr, more[:5]))}"] if more else []
    parts += [f"fewer: {', '.join(map(repr, fewer[:5]))}"] if fewer else []
    different = "; ".join(parts) or "the same names, but some more than once"
    ensure(not parts and len(own) == len(given), f"the source has other {what}: {different}")
    ensure(not in_order or tuple(own) == tuple(given), f"the source has the {what} in another order")


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
    except (TypeError, AttributeError, IndexError, ValueError, ArithmeticError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the result has a part of the wrong form: {error}") from error
