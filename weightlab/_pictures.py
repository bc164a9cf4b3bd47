"""The way from a result to its picture, or table: what makes it stands on a later line, so the root puts it here."""

from __future__ import annotations

TYPE_CHECKING = False  # what typing says, without loading it: the root package loads this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Pictures:
    """What draws, and what a notebook says and tables of a result; set once, by the root package."""

    draw: Callable[..., Any]
    table: Callable[[Any], tuple[str, Any]]
