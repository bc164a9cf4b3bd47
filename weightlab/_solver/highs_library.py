"""HiGHS beside OR-Tools in one process.

OR-Tools (which pref_voting loads) brings a HiGHS of its own, under the file name that highspy's has, too. On Linux the
dynamic linker takes two libraries of one name (SONAME) for one: whichever package comes second gets the other's
HiGHS, of another version, and fails to load with "undefined symbol". Other systems compare paths.

Where OR-Tools is installed, highspy is therefore loaded from a copy in which its library has a name of its own. That
is how repairing a wheel treats each library in it (``auditwheel``, ``patchelf``); neither wheel had it done to
HiGHS.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

CORE = "highspy._core"
SHARED = b"libhighs.so.1\0"
OWN = b"libhighs.so.w\0"
"""The same number of bytes, so that nothing in a file moves."""

# ruff: noqa: PLC0415 - what is loaded when is the matter of this file


def load_highspy() -> None:
    """Import highspy such that OR-Tools can be imported in the same process, before or after it.

    Raises
    ------
    ImportError
        If highspy does not load.
    """
    own = None
    if sys.platform == "linux" and CORE not in sys.modules and find_spec("ortools") is not None:
        own = _own_copy()
    import highspy

    if own is not None:
        vars(highspy)["_core"] = own
        if highspy.__spec__ is not None:
            # PuLP loads whatever extension it finds there, the original too, and with it the name that is shared.
            highspy.__spec__.submodule_search_locations = []


def load_pulp() -> Any:
    """Import PuLP, which imports highspy where that loads: after highspy, therefore."""
    with suppress(ImportError):
        load_highspy()
    import pulp

    return pulp


def _own_copy() -> ModuleType | None:
    """Load highspy's extension module with its library renamed; None where highspy is made otherwise."""
    package = find_spec("highspy")
    home = Path(package.origin or "").parent if package is not None else Path()
    library = home / SHARED[:-1].decode()
    core = next((path for suffix in EXTENSION_SUFFIXES if (path := home / f"_core{suffix}").is_file()), None)
    if core is None or not library.is_file():
        return None
    try:
        with tempfile.TemporaryDirectory() as folder:
            for file, name in ((library, OWN[:-1].decode()), (core, core.name)):
                Path(folder, name).write_bytes(file.read_bytes().replace(SHARED, OWN))
            spec = spec_from_file_location(CORE, Path(folder, core.name))
            if spec is None or spec.loader is None:
                return None
            sys.modules[CORE] = module = module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    except (OSError, ImportError):  # no room, or a folder that nothing may be run from
        sys.modules.pop(CORE, None)
        return None
