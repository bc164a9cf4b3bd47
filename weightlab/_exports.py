"""The public names of a package, said once: where it imports each of them under its own name."""

from __future__ import annotations

from types import ModuleType
from typing import Any


def name_all(package: dict[str, Any]) -> None:
    """Put into ``__all__`` what a package imports, but for its own modules and what begins with an underscore.

    ``from weightlab.lp.pairwise.duels import duels as duels`` is how a typed package says that a name is its own; type
    checkers and editors read that, and ``__all__`` says the same to ``import *`` and to the documentation.
    """
    public = (name for name in package if not name.startswith("_") and name != "annotations")
    package["__all__"] = sorted(name for name in public if not isinstance(package[name], ModuleType))
