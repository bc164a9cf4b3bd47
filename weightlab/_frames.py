"""What a table of scores takes from later lines: who reads a frame as a file is read, and which rules there are."""

from __future__ import annotations

TYPE_CHECKING = False  # what typing says, without loading it: the root package loads this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Frames:
    """What reads a frame as a file of the same columns is read; set once, by the root package."""

    read: Callable[..., Any]


class Rules:
    """What returns a rule's name as it stands in the registry, or raises; set once, by the root package."""

    called: Callable[[str], str]
