"""The way from a result to its picture, or page: what makes it stands on a later line, so the root puts it here."""

from __future__ import annotations

TYPE_CHECKING = False  # what typing says, without loading it: the root package loads this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Pictures:
    """What draws, and what shows all models' prospects in a notebook; set once, by the root package."""

    draw: Callable[..., Any]
    prospects: Callable[[Any], str]
