"""What ships: names, kinds and where each table is from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Literal

import pandas as pd

from weightlab._result import Frozen
from weightlab.exceptions import UnknownNameError

Kind = Literal["suite", "leaderboard", "instances"]

MEASURED = ("classifiers",)
_KINDS: tuple[Kind, ...] = ("suite", "leaderboard", "instances")


class About(Frozen):
    """Where a shipped table is from and how it came to be.

    Attributes
    ----------
    name : str
        The name it is loaded by.
    title : str
        What it is, in a line.
    source : str
        The paper with its table or section, or how it was measured.
    kinds : tuple of str
        What it can be loaded as: ``"suite"``, ``"leaderboard"``, ``"instances"``.
    details : mapping
        All else that is known. For a table of a paper: what its ``scores`` are, which columns are ``lower_is_better``.
        For a measured suite: ``date``, ``command``, ``hardware``, ``versions``, ``protocol``, ``metrics`` (with unit,
        group, direction and definition), ``datasets``, ``models`` and what a score of ``instances`` says.
    """

    name: str
    title: str
    source: str
    kinds: tuple[Kind, ...]
    details: Mapping[str, Any]

    def __str__(self) -> str:
        """Return title and source."""
        return f"{self.title}. Source: {self.source}"


def names(kind: Kind | None = None) -> tuple[str, ...]:
    """Return the names of what ships.

    Parameters
    ----------
    kind : {"suite", "leaderboard", "instances"}, optional
        Only what can be loaded as this.

    Returns
    -------
    tuple of str
        Measured tables first, then those of the papers.

    Raises
    ------
    UnknownNameError
        If there is no such kind.

    Examples
    --------
    >>> import weightlab as wl
    >>> wl.datasets.names("suite")
    ('classifiers',)
    """
    if kind is not None and kind not in _KINDS:
        raise UnknownNameError("kind", kind, _KINDS, holder="collection of shipped tables")
    return (*MEASURED, *_papers()) if kind in {None, "leaderboard"} else MEASURED


def about(name: str) -> About:
    """Return where a shipped table is from and how it came to be.

    Parameters
    ----------
    name : str
        One of ``names()``.

    Returns
    -------
    About

    Raises
    ------
    UnknownNameError
        If nothing of this name ships; the message suggests the nearest name.

    Examples
    --------
    >>> import weightlab as wl
    >>> wl.datasets.about("beyond-arrow-table1").source
    'Beyond Arrow: From Impossibility to Possibilities in Multi-Criteria Benchmarking, section 3, Table 1'
    """
    checked(name)
    if name in MEASURED:
        details, kinds = _toml(folder() / name / "about.toml"), _KINDS
    else:
        details, kinds = dict(_papers()[name]), ("leaderboard",)
    title, source = details.pop("title"), details.pop("source")
    return About(name=name, title=title, source=source, kinds=kinds, details=MappingProxyType(details))


def available() -> pd.DataFrame:
    """Return one row for each table that ships: its title, its source and what it can be loaded as.

    Examples
    --------
    >>> import weightlab as wl
    >>> wl.datasets.available().loc["classifiers", "kinds"]
    'suite, leaderboard, instances'
    """
    rows = [about(name) for name in names()]
    columns = {
        "title": [row.title for row in rows],
        "source": [row.source for row in rows],
        "kinds": [", ".join(row.kinds) for row in rows],
    }
    return pd.DataFrame(columns, index=pd.Index([row.name for row in rows], name="name"))


def checked(name: str, kind: Kind | None = None) -> str:
    """Return the name if such a table ships, or raise UnknownNameError."""
    if name not in names(kind):
        raise UnknownNameError(kind or "table", name, names(kind), holder="collection that ships")
    return name


def folder() -> Traversable:
    """Return the folder that holds the tables, wherever the package is installed."""
    return resources.files(__package__ or "weightlab.datasets")


def _papers() -> dict[str, dict[str, Any]]:
    return _toml(folder() / "papers" / "registry.toml")


def _toml(file: Traversable) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
