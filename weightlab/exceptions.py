"""Errors of weightlab, a tree by meaning under one root.

Every error says what was found, where, and what would be accepted, and carries these as attributes. Names in what it
says are escaped where a terminal would obey them.
"""

from __future__ import annotations

import difflib
import inspect
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from weightlab._cures import Cure, Spoken, as_argument

__all__ = [
    "Cure",
    "DirectionWarning",
    "EmptySpaceError",
    "FileFormatError",
    "ImpossibleError",
    "InputError",
    "MissingScoresError",
    "NoWinnerError",
    "ProofError",
    "ReadingError",
    "ResultsWarning",
    "SolverError",
    "SolverWarning",
    "TimeLimitError",
    "UnknownNameError",
    "UnprovedError",
    "WeightlabError",
]

LONGEST_MISSPELT = 1000
"""For longer names no similar one is searched: that takes memory and time."""


class WeightlabError(Spoken, Exception):
    """Root of all errors that weightlab raises on purpose.

    Attributes
    ----------
    cure : tuple of Cure
        What would help: arguments with the values to pass, the likelier first. Each is tried: the call then goes on,
        or fails for another reason.
    message : str
        What is wrong, without what would help.
    faults : tuple of str
        What was found wrong, one sentence each (past the first twenty, one that counts the rest); a lone fault is
        the message itself.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel whole between processes, whatever the parameters of the class are."""
        return _restored, (type(self), self.args, self.__dict__)


class InputError(WeightlabError, ValueError):
    """The data or the call are wrong."""


class FileFormatError(InputError):
    """A file cannot be read as what it is meant to be.

    Attributes
    ----------
    path : str
        The file.
    """

    def __init__(self, path: object, faults: str | Sequence[str]) -> None:
        self.path = str(path)
        super().__init__(faults, heading=self.path)


class ReadingError(FileFormatError):
    """A table is read in one way only likely, and no answer is given until its owner says so.

    Attributes
    ----------
    reading : Reading
        How it would be read: each column with its role, direction and evidence.
    ways : tuple of mappings
        Keywords of the reader under which the same cells were read, the likelier first; empty where none did.
    """

    def __init__(self, path: object, faults: str | Sequence[str], *, reading: Any, ways: Sequence[Any] = ()) -> None:
        self.reading = reading
        self.ways: tuple[Mapping[str, Any], ...] = tuple(ways)
        super().__init__(path, faults)

    def __str__(self) -> str:
        """Say what is uncertain, and the arguments that settle it, the likelier first."""
        said = " or ".join(_arguments(one) for one in self.cure[:2])
        between = "; " if len(self.faults) == 1 else "\n"
        return f"{self.message}{between}pass {said}" if said else super().__str__()

    @property
    def cure(self) -> tuple[Cure, ...]:
        """What would help: ``accept_reading``, or what only the owner of the table knows."""
        made = []
        for way in self.ways:
            whole: Cure | None = None
            for argument, value in reversed([*way.items()]):
                whole = Cure(argument, value, also=whole)
            made += [whole] if whole else []
        return tuple(made)


def _arguments(cure: Cure | None) -> str:
    """Return all arguments of a cure as Python writes them."""
    said = []
    while cure is not None:
        said.append(as_argument(replace(cure, also=None)).removeprefix("pass "))
        cure = cure.also
    return ", ".join(said)


class UnknownNameError(InputError, LookupError):
    """A name that the data do not have.

    Attributes
    ----------
    kind : str
        What kind of name was looked up: ``"model"``, ``"task"``, ``"group"``, ...
    name : str
        The name that was given.
    known : tuple of str
        The names there are.
    suggestion : str or None
        The nearest known name.
    """

    def __init__(self, kind: str, name: object, known: Iterable[str], *, holder: str = "leaderboard") -> None:
        self.kind = kind
        self.name = str(name)
        self.known = tuple(known)
        self.suggestion = nearest_name(self.name, self.known)
        super().__init__(unknown_name(kind, self.name, self.known, holder=holder))


class MissingScoresError(InputError):
    """A question needs every score, and the table has missing cells."""


class EmptySpaceError(InputError):
    """No weights satisfy the conditions of a weight space.

    Attributes
    ----------
    conditions : tuple of str
        An irreducible set of conditions that contradict each other: without any one of them the others can be met.
    proof : Any
        The result whose ``verify()`` re-checks the contradiction.
    """

    def __init__(self, message: str, *, conditions: Sequence[str] = (), proof: Any = None) -> None:
        self.conditions = tuple(conditions)
        self.proof = proof
        super().__init__(message)


class ProofError(WeightlabError):
    """A claim does not hold: the first inequality that fails is named."""


class UnprovedError(WeightlabError):
    """No exact proof was found; what is known is carried along.

    Attributes
    ----------
    known : dict
        What is known none the less, such as bounds.
    """

    def __init__(self, message: str, *, known: dict[str, Any] | None = None) -> None:
        self.known: dict[str, Any] = known or {}
        super().__init__(message)


class TimeLimitError(UnprovedError):
    """The time limit ended the search before a proof was found."""


class ImpossibleError(WeightlabError):
    """The question has no answer, and the attached result proves it.

    Attributes
    ----------
    proof : Any
        A result (such as a ``Prospect``) whose ``verify()`` shows the impossibility.
    """

    def __init__(self, message: str, *, proof: Any) -> None:
        self.proof = proof
        super().__init__(message)


class NoWinnerError(WeightlabError):
    """There is no Condorcet winner to ask about.

    Attributes
    ----------
    nearest : Any
        Where the weights may move: the result (such as a ``BrokenCycle``) that names the nearest ones with a winner;
        None when there are none.
    proof : Any
        Then the result (such as a ``Prospects``) whose ``verify()`` proves it.
    """

    def __init__(self, message: str, *, nearest: Any = None, proof: Any = None) -> None:
        self.nearest = nearest
        self.proof = proof
        super().__init__(message)


class SolverError(WeightlabError):
    """The solver failed in a way that no answer can be drawn from."""


class SolverWarning(Spoken, UserWarning):
    """The solver in use is not the usual one; answers are checked all the same."""


class ResultsWarning(Spoken, UserWarning):
    """Result files leave something out, or hold scores that are hard to compare.

    Attributes
    ----------
    cases : mapping from str to tuple of str
        By line of the message: all that the line counts and names but some of.
    """

    cases: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @staticmethod
    def _joined(faults: Sequence[str], heading: str) -> str:  # noqa: ARG004 - a warning has none
        return "\n".join(faults)


class DirectionWarning(Spoken, UserWarning):
    """A name such as latency suggests that lower scores lead, and the direction was not declared: higher ones do."""


def warn_caller(warning: Warning) -> None:
    """Warn at the line of the caller: the nearest one that is not of this package."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "weightlab":
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


def _restored(kind: type[WeightlabError], args: tuple[Any, ...], attributes: dict[str, Any]) -> WeightlabError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


def nearest_name(name: str, known: Sequence[str]) -> str | None:
    """Return the known name most like ``name``, compared without regard to case, or None when none is near."""
    if len(name) > LONGEST_MISSPELT:
        return None
    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.casefold(), candidate)
    matches = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[matches[0]] if matches else None


def unknown_name(kind: str, name: str, known: Sequence[str], *, holder: str = "leaderboard") -> str:
    """Return the sentence that says which name is unknown, what there is, and what may have been meant."""
    shown = ", ".join(repr(one) for one in known[:6]) + (f", ... ({len(known)} in all)" if len(known) > 6 else "")
    nearest = nearest_name(name, known)
    hint = f" (did you mean {nearest!r}?)" if nearest is not None else ""
    has = f"the {holder} has {shown}" if known else f"the {holder} has none"
    return f"no {kind} named {name!r}; {has}{hint}"
