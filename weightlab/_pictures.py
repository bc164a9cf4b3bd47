"""The way from a result to its picture: what draws stands on a later line, so the root package puts it here."""

from __future__ import annotations

TYPE_CHECKING = False  # what typing says, without loading it: the root package loads this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Pictures:
    """What draws; set once, by the root package."""

    draw: Callable[..., Any]
