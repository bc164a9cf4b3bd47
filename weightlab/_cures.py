"""What is wrong and what would help, apart from the words: Python names arguments, the prompt options, TOML keys."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

from weightlab._text import HIDDEN, MOST_IN_LINE, shortened, shown, shown_lines


@dataclass(frozen=True)
class Cure:
    """A change of a call after which it goes on, or fails for another reason.

    Attributes
    ----------
    argument : str
        The keyword to pass, or with a dot before it the method of the data to call first: ``".complete"``.
    value : Any
        What to pass, of a method its keywords; None where the keyword is to be omitted.
    effect : str
        What that does, as a sentence goes on: ``"to confirm it"``.
    also : Cure or None
        What is to be done besides.
    """

    argument: str
    value: Any
    effect: str = ""
    also: Cure | None = None

    def of(self, *columns: str) -> Cure:
        """Return the cure for some columns, which stand where its value has ``...``."""
        if self.value == [...]:
            return replace(self, value=[*columns])
        if isinstance(self.value, Mapping) and ... in self.value:
            return replace(self, value=dict.fromkeys(columns, self.value[...]))
        return self


Words: TypeAlias = Callable[[Cure], str]
"""How a front end asks for a cure, ``pass over='tasks'``; empty where it has no words for it."""


class Fault(str):
    """What is wrong, in words of no front end, with the cures of which each would help.

    Attributes
    ----------
    cure : tuple of Cure
        The likelier first.
    file : str
        The file that it is about, where it is about one.
    """

    __slots__ = ("cure", "file")
    cure: tuple[Cure, ...]
    file: str

    def __new__(cls, text: str, *cure: Cure, file: str = "") -> Self:
        """Return the text with its cures."""
        made = super().__new__(cls, text)
        made.cure, made.file = cure, file
        return made

    def of(self, *columns: str) -> Fault:
        """Return it with the cures for some columns."""
        return Fault(self, *(cure.of(*columns) for cure in self.cure), file=self.file)

    def told(self, words: Words) -> str:
        """Return it as it is shown, with its cures in the words of a front end, in a TOML file as its keys."""
        text = shortened(shown_lines(self))
        words = as_key if self.file.endswith(".toml") else words
        said = (_both(words(one), words(one.also)) if one.also else words(one) for one in self.cure)
        # One that is too long to be shown whole is not shown: what it names would not be there.
        whole = [shown(one) for one in said if 0 < len(one) <= MOST_IN_LINE]
        if not whole:
            return text
        return f"{text.removesuffix('.')}; {_in_row(whole, ' or ')}{'.' * text.endswith('.')}"


def _in_row(said: Sequence[str], between: str) -> str:
    """Return requests in a row, without a verb that the one before has."""
    verbs = [one.partition(" ")[0] for one in said]
    shorter = (one.removeprefix(f"{verb} ") for verb, one in zip(verbs, said[1:], strict=False))
    return between.join([said[0], *shorter])


def _both(one: str, other: str) -> str:
    return _in_row([one, other], " and ") if one and other else ""


def as_fault(told: str) -> Fault:
    """Return the error text, which a plain text is without a cure."""
    return told if isinstance(told, Fault) else Fault(told)


def reworded(text: str, *told: str) -> Fault:
    """Return a text with the cures of what was told before."""
    return Fault(text, *distinct(cure for one in told for cure in as_fault(one).cure))


def at(place: object, told: str) -> Fault:
    """Return the error text with its place: a file, an argument, a dataset."""
    before = as_fault(told)
    return Fault(f"{place}: {told}", *before.cure, file=before.file or str(place))


def distinct(cures: Iterable[Cure]) -> tuple[Cure, ...]:
    """Return cures once each."""
    found: list[Cure] = []
    for cure in cures:
        if cure not in found:
            found.append(cure)
    return tuple(found)


class Spoken(BaseException):
    """An error or warning that knows its cures.

    Attributes
    ----------
    faults : tuple of str
        What was found wrong, one sentence each, without what would help.
    heading : str
        What they are about.
    """

    def __init__(self, told: str | Sequence[str] = "", *, heading: str = "") -> None:
        self.faults: tuple[str, ...] = (told,) if isinstance(told, str) else tuple(told)
        self.heading = heading
        super().__init__(self._joined(self.faults, heading))

    @property
    def cure(self) -> tuple[Cure, ...]:
        """What would help: arguments with the values to pass, the likelier first."""
        return distinct(cure for fault in self.faults for cure in as_fault(fault).cure)

    @property
    def placed(self) -> tuple[str, ...]:
        """The faults, each with what they are about before it."""
        return tuple(at(self.heading, fault) for fault in self.faults) if self.heading else self.faults

    @property
    def message(self) -> str:
        """What is wrong, without what would help."""
        return self.told(lambda _: "")

    def told(self, words: Words) -> str:
        """Return the message with cures in the words of a front end, and long numbers and texts shortened."""
        faults = (as_fault(fault) for fault in self.faults)
        told = [Fault(one, *one.cure, file=one.file or self.heading).told(words) for one in faults]
        return self._joined(told, shortened(shown_lines(self.heading)))

    def __str__(self) -> str:
        """Return the message with cures as arguments; ``args`` has it whole and without them."""
        return self.told(as_argument)

    @staticmethod
    def _joined(faults: Sequence[str], heading: str) -> str:
        if len(faults) == 1:
            return f"{heading}: {faults[0]}" if heading else str(faults[0])
        first = f"{heading}: {len(faults)} faults" if heading else f"{len(faults)} faults"
        return "\n".join([f"{first}:", *(f"  - {fault}" for fault in faults)])


def as_argument(cure: Cure) -> str:
    """Return a cure in the words of Python."""
    if cure.value is None:
        said = f"omit {cure.argument}"
    elif cure.argument.startswith("."):
        said = f"call {cure.argument}({', '.join(f'{name}={value!r}' for name, value in cure.value.items())})"
    else:
        said = f"pass {cure.argument}={cure.value!r}"
    return f"{said} {cure.effect}".rstrip()


def as_key(cure: Cure) -> str:
    """Return a cure in the words of a TOML file."""
    said = f"omit {cure.argument}" if cure.value is None else f"write {cure.argument} = {_as_toml(cure.value)}"
    return f"{said} {cure.effect}".rstrip()


def _as_toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_as_toml(name)} = {_as_toml(one)}' for name, one in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_toml, value))}]"
    if isinstance(value, str):
        return f'"{"".join(map(_letter, value))}"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def _letter(letter: str) -> str:
    if unicodedata.category(letter) in HIDDEN:
        return f"\\U{ord(letter):08x}"
    return f"\\{letter}" if letter in '"\\' else letter
