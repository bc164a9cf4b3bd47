"""One row of the page that says which figures of the papers reproduce."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

__all__ = ["Row", "Verdict", "agrees", "data_folder"]


class Verdict(StrEnum):
    """What became of a figure."""

    REPRODUCED = "reproduced"
    """By the definition that the paper gives."""

    WITH_CONVENTION = "reproduced with the convention named"
    """By something that the paper does not say."""

    OTHERWISE = "right figure differs"
    """The paper's figure does not match its description; ours does."""

    NOT_REPRODUCIBLE = "not reproducible"
    """For the reason given."""

    ADDED = "beyond the paper"
    """The paper prints no figure."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A table or figure of a paper, what it says, and what comes out here.

    Attributes
    ----------
    paper : str
        Short name: Vote'n'Rank, Colombo et al., Beyond Arrow.
    item : str
        Table, figure or section, with the part of it.
    published, ours : str
        The figures.
    convention : str
        What ours rests on beyond the definition.
    command : str
        The call that makes ours.
    verdict : Verdict
        What became of it.
    why : str
        The reason for a difference, or what the figure means.
    """

    paper: str
    item: str
    published: str
    ours: str
    convention: str
    command: str
    verdict: Verdict
    why: str


def agrees(published: float, ours: float, digits: int = 2) -> bool:
    """Return whether a figure printed with this many digits is ours, rounded or cut off."""
    unit = 10**-digits
    return abs(published - ours) <= unit / 2 + 1e-9 or (
        abs(published) <= abs(ours) + 1e-9 and abs(published - ours) < unit - 1e-9 and published * ours >= 0
    )


def data_folder() -> Path:
    """Return the folder of public score tables that the environment variable WEIGHTLAB_DATA names."""
    named = os.environ.get("WEIGHTLAB_DATA")
    if not named:
        raise SystemExit("WEIGHTLAB_DATA is not set: it names the folder of public score tables (see CONTRIBUTING.md)")
    return Path(named)
