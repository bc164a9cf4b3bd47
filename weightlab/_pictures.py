"""The way from a result to its picture and forms: what makes them stands on later lines, so the root puts it here."""

from __future__ import annotations

TYPE_CHECKING = False  # what typing says, without loading it: the root package loads this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Pictures:
    """What draws a result, what tells it in a form, and what shows a frame in a notebook; set once, by the root."""

    draw: Callable[..., Any]
    told: Callable[[Any, str], str]
    frame: Callable[..., str]
