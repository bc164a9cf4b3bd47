"""Names as text: what a terminal or a browser would obey or hide is spelt out."""

from __future__ import annotations

import unicodedata

__all__ = ["HIDDEN", "shown"]

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Unicode categories that a terminal or a browser obeys or hides instead of printing: they are shown escaped."""


def shown(name: object) -> str:
    """Return a name with everything that is not plain text escaped visibly."""
    return "".join(_escaped(letter) if unicodedata.category(letter) in HIDDEN else letter for letter in str(name))


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
