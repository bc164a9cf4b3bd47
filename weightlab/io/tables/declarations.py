"""Declarations about a table in the TOML file next to it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeAlias

from weightlab._result import Frozen
from weightlab._validate import Faults, named_subset
from weightlab.data.frame.labels import called_like
from weightlab.exceptions import FileFormatError, InputError, unknown_name
from weightlab.io.tables.sheet import PathLike, Source, decoded, opened, unpacked

ConfigLike: TypeAlias = PathLike | Mapping[str, Any]
"""The path of a TOML file, an open one, or what `read_config` returned."""


def _is_name(value: Any) -> bool:
    return isinstance(value, str)


def _is_names(value: Any) -> bool:
    return _is_name(value) or (isinstance(value, list) and all(isinstance(one, str) for one in value))


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Decimal | str) and not isinstance(value, bool)


def _is_table_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def _is_range(value: Any) -> bool:
    return _is_name(value) or (isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)))


_NUMBERS = _is_table_of(_is_number)
_NAMES = "a name or a list of names"
_TOLERANCE = "a number, or a table of numbers such as { BoolQ = 0.1 }"
SEPARATORS = "a table of separators such as { MRPC = '/' }"
_SPLIT = f"{SEPARATORS}, or of results the name of a split, of MTEB also a table by task"
KEYS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "lower_is_better": (_is_names, _NAMES),
    "higher_is_better": (_is_names, _NAMES),
    "weights": (_NUMBERS, "a table of numbers such as { BoolQ = 2, CB = 0.5 }"),
    "groups": (_is_table_of(_is_names), "a table of lists of tasks such as { nli = ['CB', 'RTE'] }"),
    "split": (lambda value: _is_name(value) or _is_table_of(_is_name)(value), _SPLIT),
    **dict.fromkeys(("percent", "drop", "keep"), (_is_names, _NAMES)),
    "transpose": (_is_truth, "true or false"),
    **dict.fromkeys(("name_column", "dataset_column", "missing_value"), (_is_names, _NAMES)),
    "weights_from": (_is_name, "a name"),
    "standard_errors": (
        lambda value: value is False or _is_name(value) or _is_table_of(_is_name)(value),
        "the ending of such columns, a table such as { acc = 'acc_stderr' }, or false",
    ),
    "spread": (
        lambda value: _is_name(value) or _is_table_of(_is_name)(value),
        "'standard_error' or 'dropped', or a table of these such as { acc = 'standard_error' }",
    ),
    "repeats_by": (_is_name, "a name"),
    "tolerance": (lambda value: _is_number(value) or _NUMBERS(value), _TOLERANCE),
    "relative_tolerance": (lambda value: _is_number(value) or _NUMBERS(value), _TOLERANCE),
    "rule": (_is_name, "the name of a rule such as 'mean'"),
    "bounds": (
        lambda value: _is_range(value) or _is_table_of(_is_range)(value),
        "a lowest and a highest score such as [0, 100] or '0:', or a table of such by task",
    ),
    "metrics": (
        lambda value: _is_names(value) or _is_table_of(_is_name)(value),
        "a name, a list of names or a table such as { arc = 'acc_norm' }",
    ),
    "perturbation": (_is_name, "a name"),
    "subsets": (
        lambda value: _is_names(value) or _is_table_of(_is_names)(value),
        "a name, a list of names or a table of such by task",
    ),
    "languages": (_is_names, _NAMES),
    "name": (_is_name, "a name"),
    "revision": (_is_name, "a name"),
    "raw": (_is_truth, "true or false"),
    "precision": (_is_names, _NAMES),
    "flagged": (_is_truth, "true or false"),
    "duplicates": (_is_name, "a name"),
    **dict.fromkeys(("separator", "decimal", "thousands", "encoding"), (_is_name, "a text")),
    "table": (lambda value: _is_name(value) or (isinstance(value, int) and not _is_truth(value)), "a number or a name"),
    **dict.fromkeys(("models", "tasks"), (_is_names, _NAMES)),
    **dict.fromkeys(("dataset", "metric", "model", "instance", "score"), (_is_name, "a name")),
    **dict.fromkeys(("model_a", "model_b", "winner", "weight"), (_is_name, "a name")),
    "outcomes": (_is_table_of(_is_name), "a table such as { left = 'model_a', right = 'model_b', both = 'tie' }"),
}
"""What may be declared, how it is checked, and how a message says what it must be."""


MOST_BYTES = 2_000_000
"""Larger files declare nothing that anyone wrote on purpose, and each key of one takes half a kilobyte of memory."""

MOST_PARTS = 8
"""Keys of more parts are refused: Python's reader takes memory with the square of their number, and two are needed."""

_TOKEN = re.compile(
    r"""
    (?P<quoted>\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:\"{3})? | '{3}(?:[^']|'(?!''))*+(?:'{3})?
      | "(?:[^"\\\n]|\\[^\n])*+"? | '[^'\n]*+'? )
    | (?P<bare>[\w-]++) | (?P<dot>[ \t]*+\.[ \t]*+) | \#[^\n]*+ | [ \t]++ | [^\w"'\#. \t-]++
    """,
    re.VERBOSE | re.DOTALL,
)
"""The tokens of TOML as far as keys need them; what is not closed ends with its line or file, where TOML refuses it."""


class Settings(Frozen, eq=True):
    """What is declared about a table, by keyword or in a file; keywords win.

    Attributes
    ----------
    values : dict
        By keyword; what is not declared is absent.
    origin : str
        The file, or nothing.
    from_file : frozenset of str
        The keywords that were taken from it.
    """

    values: dict[str, Any]
    origin: str
    from_file: frozenset[str]

    def place(self, keyword: str) -> str:
        """Return how a message names a keyword: with the file that it is from."""
        return f"{self.origin}: {keyword}" if keyword in self.from_file else keyword

    def names(self, keyword: str, known: Sequence[str], kind: str, faults: Faults) -> tuple[str, ...]:
        """Return the names that are declared, noting those that are not known."""
        given = self.values.get(keyword, ())
        return named_subset(given, known, kind, faults, holder="file", where=self.place(keyword))

    def listed(self, keyword: str) -> list[str]:
        """Return the names that something is declared of under a keyword."""
        given = self.values.get(keyword, ())
        known = isinstance(given, Mapping | list | tuple | set | frozenset)
        return [given] if isinstance(given, str) else list(map(str, given)) if known else []

    def columns(self, keyword: str, header: Sequence[str], faults: Faults) -> list[str]:
        """Return the columns that are declared by name or by pattern, noting names and patterns of none."""
        given = self.values.get(keyword, ())
        if isinstance(given, str) or (isinstance(given, Iterable) and not isinstance(given, Mapping)):
            listed = [given] if isinstance(given, str) else [str(one) for one in given]
            given = [meant for one in listed for meant in _matching(one, header)]
        return list(named_subset(given, header, "column", faults, holder="file", where=self.place(keyword)))

    def with_values(self, **values: Any) -> Settings:
        """Return the same with other values of some keywords."""
        return replace(self, values={**self.values, **values})

    def position(self, keyword: str, header: Sequence[str], faults: Faults) -> int:
        """Return where the column is that a keyword names, or that is called like the keyword, in capitals or not."""
        name = self.values.get(keyword, called_like(keyword, header))
        if not isinstance(name, str) or name not in header:
            faults.add(f"{self.place(keyword)}: {unknown_name('column', str(name), header, holder='file')}")
            return -1
        if header.count(name) > 1:
            faults.add(f"{self.place(keyword)}: there are {header.count(name)} columns called {name!r}")
        return header.index(name)

    def separators(self, known: Sequence[str], faults: Faults) -> dict[str, str]:
        """Return the separator of each split column, noting unknown columns and invalid separators."""
        given = self.values.get("split", {})
        if not isinstance(given, Mapping):
            faults.add(f"{self.place('split')} must be {SEPARATORS}; got {_shown(given)}")
            return {}
        named_subset(tuple(given), known, "column", faults, holder="file", where=self.place("split"))
        for column, separator in given.items():
            if not isinstance(separator, str) or not separator:
                faults.add(f"{self.place('split')}: the separator of {str(column)!r} must be a text; got {separator!r}")
        return {str(column): str(separator) for column, separator in given.items()}


def read_config(path: PathLike) -> dict[str, Any]:
    """Read what a TOML file declares about a table.

    Parameters
    ----------
    path : path or open file
        A TOML file with any of the keys ``lower_is_better``, ``higher_is_better``, ``weights``, ``groups``, ``split``,
        ``percent``, ``drop``, ``keep``, ``transpose``, ``name_column``, ``dataset_column``,
        ``missing_value``, ``weights_from``,
        ``standard_errors``, ``spread``, ``repeats_by``, ``tolerance``, ``relative_tolerance``, ``rule``, ``bounds``,
        ``models``, ``tasks``,
        ``dataset``, ``metric``, ``model``, ``instance``, ``score``, ``separator``, ``decimal``, ``thousands``,
        ``encoding``; of votes ``model_a``, ``model_b``, ``winner``, ``weight``, ``outcomes``; and of results of
        programs ``metrics``, ``split``, ``perturbation``, ``subsets``, ``languages``, ``revision``,
        ``name``, ``raw``, ``precision``, ``flagged``, ``duplicates``.

    Returns
    -------
    dict
        Keyword arguments for `read_leaderboard`, `read_suite`, `read_instances` or `read_votes`. Numbers are exact as
        written: ``0.1`` is ``Decimal("0.1")``, and text such as ``"1/3"`` stands for a fraction.

    Raises
    ------
    FileFormatError
        If it is not TOML, or declares something unknown or of the wrong form.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> wl.io.read_config(io.StringIO("weights = { BoolQ = 0.1 }"))
    {'weights': {'BoolQ': Decimal('0.1')}}
    """
    source = opened(path, "csv")
    declared = read_toml(source)
    faults = Faults()
    for keyword, value in declared.items():
        if keyword not in KEYS:
            faults.add(unknown_name("key", keyword, tuple(KEYS), holder="list of keys"))
        elif not KEYS[keyword][0](value):
            faults.add(f"{keyword} must be {KEYS[keyword][1]}; got {_shown(value)}")
    faults.raise_if_any(lambda found: FileFormatError(source.name, found))
    return declared


def read_toml(source: Source) -> dict[str, Any]:
    """Return the content of a TOML file, its numbers exact as written.

    Raises
    ------
    FileFormatError
        If it is not TOML, or too large or too deeply nested to be read.
    """
    try:
        text = decoded(source) if source.data.strip() else ""
        _check_size(source, text)
        return tomllib.loads(text.replace("\r\n", "\n"), parse_float=Decimal)
    except RecursionError:
        raise FileFormatError(source.name, "too deeply nested") from None
    except (ValueError, ArithmeticError) as error:
        if isinstance(error, InputError):
            raise
        raise FileFormatError(source.name, f"not TOML: {error}") from None


def _check_size(source: Source, text: str) -> None:
    """Refuse what would take Python's reader much memory, in one pass."""
    if len(source.data) > MOST_BYTES:
        raise FileFormatError(source.name, f"the file has {len(source.data):,} bytes, of at most {MOST_BYTES:,}")
    dots = 0
    for token in _TOKEN.finditer(text):
        dots = dots + (token.lastgroup == "dot") if token.lastgroup else 0
        if dots >= MOST_PARTS:
            line = text.count("\n", 0, token.start()) + 1
            raise FileFormatError(source.name, f"line {line} has a key of more than {MOST_PARTS} parts")


def settings(
    source: Source, config: ConfigLike | None, given: Mapping[str, Any], allowed: Iterable[str], reader: str
) -> Settings:
    """Return the declarations by keyword, in ``config``, or in the TOML file of the same stem next to the table.

    Raises
    ------
    FileFormatError, InputError
        If the configuration cannot be read, or declares what this reader does not know.
    """
    origin, declared = _declared(source, config)
    known = tuple(keyword for keyword in allowed if keyword in KEYS)
    faults = Faults()
    for keyword in declared:
        if keyword in KEYS and keyword not in known:
            faults.add(f"{keyword} is nothing that {reader} reads; it reads {', '.join(known)}")
        elif keyword not in KEYS:
            faults.add(unknown_name("key", str(keyword), known, holder="list of keys"))
    faults.raise_if_any(lambda found: FileFormatError(origin, found) if origin else InputError(found))
    by_keyword = {keyword: value for keyword, value in given.items() if value is not None}
    from_file = frozenset(declared) - frozenset(by_keyword) if origin else frozenset[str]()
    return Settings(values={**declared, **by_keyword}, origin=origin, from_file=from_file)


def beside(path: Path) -> Path:
    """Return where it is declared what is true of a table: in the TOML file of its stem, of a folder's whole name."""
    if not path.is_dir():
        return unpacked(path).with_suffix(".toml")
    folder = path.resolve()
    return folder.with_name(f"{folder.name}.toml") if folder.name else folder


def _declared(source: Source, config: ConfigLike | None) -> tuple[str, Mapping[str, Any]]:
    if isinstance(config, Mapping):
        return "", config
    if config is not None:
        name = getattr(config, "name", "<stream>") if hasattr(config, "read") else config
        return str(name), read_config(config)
    if source.path is None:
        return "", {}
    where = beside(source.path)
    there = where != source.path and where.is_file()
    return (str(where), read_config(where)) if there else ("", {})


def _matching(name: str, header: Sequence[str]) -> list[str]:
    """Return the columns that a name or pattern matches; if none does, the name."""
    return ([] if name in header else [one for one in header if fnmatchcase(one, name)]) or [name]


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
