"""The way from a frame whose columns are told by nothing to a table: what reads it stands on a later line."""

from __future__ import annotations

TYPE_CHECKING = False  # what typing says, without loading it: the root package loads this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Frames:
    """What reads a frame as a file of the same columns is read; set once, by the root package."""

    read: Callable[..., Any]
