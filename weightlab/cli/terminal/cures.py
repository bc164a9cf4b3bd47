"""Cures in the words of the prompt: options of the command that runs, as a shell takes them, or keys of a TOML file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weightlab._cures import Cure, as_key
from weightlab._text import shell_word
from weightlab.io.sources.urls import bare, is_url, is_whole
from weightlab.io.tables.declarations import KEYS

OPTIONS: Mapping[str, tuple[str, ...]] = {
    ".break_ties": ("--break-ties",),
    ".complete": ("--complete",),
    ".select": ("--tasks",),
    "effect_size": ("--effect-size",),
    "higher_is_better": ("--higher",),
    "lower_is_better": ("--lower",),
    "repeats_by": ("--repeats-by",),
    "missing_value": ("--missing-value",),
    "weights_from": ("--weights-from",),
    "size_limit": ("--size-limit",),
    "bounds": ("--between",),
    "unlisted": ("--option",),
    **{name: (f"--{name}",) for name in ("drop", "percent", "rule", "missing", "over", "split", "spread")},
    **{
        name: (f"--{name}",)
        for name in (
            "separator",
            "decimal",
            "thousands",
            "table",
            "member",
            "format",
            "then",
            "scaled",
            "rounded",
            "size",
        )
    },
    **dict.fromkeys(("metrics", "outcomes", "perturbation"), ()),
    **dict.fromkeys(("duplicates", "encoding", "groups", "name", "precision", "raw", "tasks"), ()),
    **dict.fromkeys(("how", "space", "step"), ()),
}
"""The options that replace an argument; a command has at most one.

Those with none may still be keys of a TOML file.
"""
SAID: Mapping[str, tuple[str, ...]] = {
    **OPTIONS,
    **{name: (f"--{name}",) for name in ("keep", "transpose")},
    **{name: (f"--{name.replace('_', '-')}",) for name in ("accept_reading", "name_column", "dataset_column")},
}
"""The options that stand for all that a reading may say."""
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
    options = OPTIONS[cure.argument]
    if cure.argument.startswith("."):
        options = ("--models",) if "models" in cure.value else options
        value = next(iter(cure.value.values()), True)
        named: Any = value
        if "models" in cure.value:
            named = [f'"{one}"' if "," in one else one for one in cure.value["models"]]
        cure = replace(cure, value=named)
    option = next((one for one in options if one in OFFERED), None)
    if option == "--option":
        cure = replace(cure, value={cure.argument: cure.value})
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


def words_of(way: Mapping[str, Any]) -> list[str] | None:
    """Return keywords of a reader as words of the prompt; None where the command that runs has no such option."""
    words: list[str] = []
    for keyword, value in way.items():
        option = next((one for one in SAID.get(keyword, ()) if one in OFFERED), None)
        if option is None:
            return None
        if value is True:
            words.append(option)
            continue
        if isinstance(value, Mapping):
            pairs = [f"{name}={one}" for name, one in value.items()]
            value = list(dict.fromkeys(value.values())) if option in OF_ALL_COLUMNS else pairs  # noqa: PLW2901
        for one in value if isinstance(value, list | tuple) else [value]:
            words += [f"{option}={one}"] if str(one).startswith("-") else [option, str(one)]
    return words


def command_line(arguments: Sequence[str], *more: Mapping[str, Any]) -> list[str]:
    """Return the commands that run the call that was made with more said; addresses without what may be secret.

    If one would not run alone, the advice adds what the command needs after it.
    """
    said = [words for way in more if (words := words_of(way)) is not None]
    if not all(map(is_whole, arguments)):
        return [f"the same command and behind it {quoted(words)}" for words in said]
    shown_ = [bare(one) if is_url(one) else one for one in arguments]
    return [quoted(["weightlab", *shown_, *words]) for words in said]


def quoted(words: Sequence[str]) -> str:
    """Return words as a shell takes them."""
    return " ".join(map(shell_word, words))
