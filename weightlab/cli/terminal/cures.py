"""Cures in the words of the prompt: options of the command that runs, as a shell takes them, or keys of a TOML file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weightlab._cures import Cure, as_key
from weightlab._text import shell_word
from weightlab.io.tables.declarations import KEYS

OPTIONS: Mapping[str, tuple[str, ...]] = {
    ".break_ties": ("--break-ties",),
    ".complete": ("--complete",),
    ".select": ("--tasks",),
    "higher_is_better": ("--higher",),
    "lower_is_better": ("--lower",),
    "repeats_by": ("--repeats-by",),
    "weights": ("--weight",),
    **{name: (f"--{name}",) for name in ("drop", "percent", "transpose", "missing", "over", "spread")},
    **{
        name: (f"--{name}",)
        for name in ("separator", "decimal", "thousands", "table", "format", "then", "scaled", "rounded")
    },
    **dict.fromkeys(("metrics", "outcomes", "perturbation", "split", "standard_errors"), ()),
    **dict.fromkeys(("duplicates", "encoding", "groups", "name", "precision", "raw", "tasks"), ()),
    **dict.fromkeys(("how", "step"), ()),
}
"""The options that stand for an argument, of which a command has one or none.

Those with none may still be keys of a TOML file.
"""
OF_ALL_COLUMNS = ("--spread",)
"""Options that take for all columns what a mapping says of some."""
OFFERED: set[str] = set()
"""The options of the command that runs."""


def offer(options: Iterable[str]) -> None:
    """Note the options of the command that runs: no other is advised."""
    OFFERED.clear()
    OFFERED.update(options)


def as_options(cure: Cure) -> str:
    """Return a cure in the words of the prompt; nothing where the command that runs has no such option."""
    if cure.argument.startswith("."):
        cure = replace(cure, value=next(iter(cure.value.values()), True))
    option = next((one for one in OPTIONS[cure.argument] if one in OFFERED), None)
    if option is not None and cure.value is not False:
        said_so = f"omit {option}" if cure.value is None else f"pass {' '.join(_words(option, cure.value))}"
    elif cure.argument in KEYS and "--config" in OFFERED and (option is None or cure.value is False):
        said_so = f"{as_key(replace(cure, effect=''))} in a TOML file (--config)"
    else:
        return ""
    return f"{said_so} {cure.effect}".rstrip()


def _words(option: str, value: Any) -> Iterator[str]:
    """Yield an option with each of its values."""
    if value is True:
        yield option
        return
    if isinstance(value, Mapping):
        named = [f"{name}={one}" for name, one in value.items()]
        value = list(dict.fromkeys(value.values())) if option in OF_ALL_COLUMNS else named
    for one in value if isinstance(value, list | tuple) else [value]:
        yield f"{option}{'=' if str(one).startswith('-') else ' '}{quoted([str(one)])}"


def quoted(words: Sequence[str]) -> str:
    """Return words as a shell takes them."""
    return " ".join(map(shell_word, words))
