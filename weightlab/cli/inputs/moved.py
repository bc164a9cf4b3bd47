"""Studies that became commands of their own: the call that asks the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightlab.cli.terminal.cures import command_line
from weightlab.io.sources.urls import is_whole

PLACES = ("model", "rival")
"""Options that are now said by their order: the first ``--model`` is compared with the second."""


def moved(name: str, new: str, arguments: Sequence[str]) -> str:
    """Return the error in a call of ``weightlab study``, and below it a call that works.

    Parameters
    ----------
    name : str
        The study, as it was typed.
    new : str
        The command that it became.
    arguments : sequence of str
        The words of the call, ``study`` first.
    """
    told = f"the study {name} is a command of its own"
    if not arguments or not all(map(is_whole, arguments)):
        return f"{told}; see 'weightlab {new} --help'"
    words = list(arguments[1:])
    words.remove(name)
    return "\n".join([f"{told}:", *(f"  {one}" for one in command_line([new, *_translated(words)], {}))])


def _translated(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a call with ``--option`` as the options that commands have instead, models first."""
    placed, others, rest = dict[str, str](), list[str](), iter(words)
    for word in rest:
        option, joined, text = word.partition("=")
        if option != "--option":
            others.append("--help" if word == "--list" else word)
            continue
        text = text if joined else next(rest, "")
        name, _, value = text.rpartition("=")
        if name in PLACES:
            placed[name] = value
        elif name == "models":
            others += [f"--ranked={one}" for one in value.split(",") if one]
        elif name == "level":
            others.append(f"--level={value}")
        else:
            others += ["--option", text]
    yield from (f"--model={placed[name]}" for name in PLACES if name in placed)
    yield from others
