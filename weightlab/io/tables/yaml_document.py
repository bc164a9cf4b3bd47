"""YAML files as documents of records, through PyYAML where that is installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.tables.sheet import FileFaults, Source, decoded

DEEPEST, MOST_NODES = 100, 1_000_000
"""Lists in lists that are read, and values in all: a few bytes can stand for more than fits into memory."""
_NUMBER = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?", re.ASCII)


def yaml_document(source: Source, faults: FileFaults, number: Callable[[str], Any]) -> Any:
    """Return the document of a YAML file, each number as ``number`` makes it of what is written.

    Aliases are refused: they can make a small file as large as they like. Dates and all else are texts.

    Raises
    ------
    InputError
        If PyYAML is not installed.
    FileFormatError
        If it is not YAML, holds an alias, or is too deep or too large.
    """
    try:
        import yaml  # noqa: PLC0415 (an extra)
    except ImportError:
        raise InputError("reading YAML needs PyYAML: pip install 'weightlab[yaml]'") from None
    text = decoded(source)
    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _check(yaml, text, base, source.name)
        loader: Any = type("_Loader", (base,), {})
        loader.add_constructor("tag:yaml.org,2002:map", lambda made, node: _object(made, node, faults))
        for kind in ("int", "float", "timestamp"):
            loader.add_constructor(
                f"tag:yaml.org,2002:{kind}",
                lambda made, node: number(node.value) if _NUMBER.fullmatch(node.value) else made.construct_scalar(node),
            )
        return yaml.load(text, Loader=loader)  # noqa: S506 (a safe loader with other scalars)
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = "" if where is None else f"line {where.line + 1}: "
        raise FileFormatError(source.name, f"not YAML: {line}{getattr(error, 'problem', None) or error}") from None
    except (ValueError, RecursionError) as error:
        raise FileFormatError(source.name, f"not YAML that is read here: {error}") from None


def _check(yaml: Any, text: str, loader: Any, name: str) -> None:
    """Refuse aliases, and what is too deep or too large, before anything is made of it."""
    depth = 0
    for nodes, event in enumerate(yaml.parse(text, Loader=loader)):
        if isinstance(event, yaml.AliasEvent):
            line = event.start_mark.line + 1
            raise FileFormatError(name, f"line {line}: *{event.anchor} stands for what is written elsewhere")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST or nodes > MOST_NODES:
            raise FileFormatError(name, f"not a table: more than {DEEPEST} levels or {MOST_NODES:,} values")


def _object(loader: Any, node: Any, faults: FileFaults) -> dict[str, Any]:
    """Return an object, noting keys that are there twice."""
    made: dict[str, Any] = {}
    for key, value in node.value:
        name = str(loader.construct_object(key, deep=True))
        if name in made:
            faults.add(f"line {key.start_mark.line + 1}: {name!r} is there twice")
        made[name] = loader.construct_object(value, deep=True)
    return made
