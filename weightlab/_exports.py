"""The public names of a package, said once: where it imports each of them under its own name.

``from weightlab.lp.pairwise.duels import duels as duels`` is how a typed package says that a name is its own; type
checkers and editors read that, and ``__all__`` says the same to ``import *`` and to the documentation.
"""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # what typing says, without loading it: the root package loads this module
if TYPE_CHECKING:
    from typing import Any


def name_all(package: dict[str, Any]) -> None:
    """Put into ``__all__`` what a package imports, but for its own modules and what begins with an underscore."""
    public = (name for name in package if not name.startswith("_") and name not in {"TYPE_CHECKING", "annotations"})
    package["__all__"] = sorted(name for name in public if not isinstance(package[name], type(sys)))


def name_later(package: dict[str, Any]) -> None:
    """Name also what a package imports ``if TYPE_CHECKING``, and import each of that when it is first asked for.

    Which names these are, and where from, is read from the package's own source at the first of them: so they are
    written down once, where type checkers and editors look for them.
    """
    own, homes = package["__name__"], dict[str, str]()

    def read() -> None:
        import ast  # noqa: PLC0415 - nobody may ever ask

        blocks = (block for block in ast.parse(package["__loader__"].get_source(own)).body if isinstance(block, ast.If))
        lines = (line for block in blocks for line in block.body if isinstance(line, ast.ImportFrom))
        homes.update({one.name: str(line.module) for line in lines for one in line.names if one.asname == one.name})

    def get(name: str) -> Any:
        if not homes:
            read()
        if name == "__all__":
            name_all(package)
            package[name] = sorted({*package[name], *homes})
        elif name in homes:
            home = homes[name]
            package[name] = import_module(f"{own}.{name}") if home == own else getattr(import_module(home), name)
        else:
            raise AttributeError(f"module {own!r} has no attribute {name!r}")
        return package[name]

    package["__getattr__"] = get
    package["__dir__"] = lambda: sorted({*package, *get("__all__")})
