"""weightlab answers, with proofs, three questions about a benchmark's score table.

1. Can my model ever win?  (``weightlab.lp``)
2. Is this benchmark well behaved?
3. What does each voting rule say, and how far can it be trusted?

Names are imported when they are first used, so ``import weightlab`` itself imports no other package.
"""

from __future__ import annotations


def _guard() -> None:
    """Answer Ctrl-C from here on where weightlab is the program: under its own name, or of ``python -m weightlab``."""
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415 - of which the module signal is made
    import sys  # noqa: PLC0415 - loaded already, as the next one is

    program = (getattr(sys, "argv", None) or [""])[0]
    if program != "-m" and not program.endswith(("/weightlab", "\\weightlab", "weightlab.exe")):
        return
    held = _signal.pthread_sigmask(_signal.SIG_BLOCK, {_signal.SIGINT}) if hasattr(_signal, "SIG_BLOCK") else None
    from weightlab.cli import interruption  # noqa: PLC0415 - only a program needs it

    interruption.guard()
    if held is not None:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, held)


_guard()

from weightlab._pictures import Pictures as _Pictures  # noqa: E402 - Ctrl-C comes first
from weightlab._version import __version__ as __version__  # noqa: E402

TYPE_CHECKING = False  # what typing says, without loading it
if TYPE_CHECKING:
    from typing import Any

    # What type checkers and editors see; tests/test_package.py holds it equal to _HOMES and _SUBPACKAGES.
    from weightlab import data as data
    from weightlab import datasets as datasets
    from weightlab import domains as domains
    from weightlab import graph as graph
    from weightlab import io as io
    from weightlab import lp as lp
    from weightlab import plots as plots
    from weightlab import report as report
    from weightlab import rules as rules
    from weightlab import studies as studies
    from weightlab.data import Instances as Instances
    from weightlab.data import Leaderboard as Leaderboard
    from weightlab.data import Margins as Margins
    from weightlab.data import Points as Points
    from weightlab.data import Profile as Profile
    from weightlab.data import Relations as Relations
    from weightlab.data import Signs as Signs
    from weightlab.data import Suite as Suite
    from weightlab.data import group as group
    from weightlab.exceptions import Cure as Cure
    from weightlab.exceptions import DirectionWarning as DirectionWarning
    from weightlab.exceptions import EmptySpaceError as EmptySpaceError
    from weightlab.exceptions import FileFormatError as FileFormatError
    from weightlab.exceptions import ImpossibleError as ImpossibleError
    from weightlab.exceptions import InputError as InputError
    from weightlab.exceptions import MissingScoresError as MissingScoresError
    from weightlab.exceptions import NoWinnerError as NoWinnerError
    from weightlab.exceptions import ProofError as ProofError
    from weightlab.exceptions import SolverError as SolverError
    from weightlab.exceptions import SolverWarning as SolverWarning
    from weightlab.exceptions import TimeLimitError as TimeLimitError
    from weightlab.exceptions import UnknownNameError as UnknownNameError
    from weightlab.exceptions import UnprovedError as UnprovedError
    from weightlab.exceptions import WeightlabError as WeightlabError
    from weightlab.io import read_instances as read_instances
    from weightlab.io import read_leaderboard as read_leaderboard
    from weightlab.io import read_suite as read_suite
    from weightlab.io import read_votes as read_votes
    from weightlab.io import write_instances as write_instances
    from weightlab.io import write_leaderboard as write_leaderboard
    from weightlab.io import write_suite as write_suite
    from weightlab.report import read_result as read_result
    from weightlab.report import write_result as write_result

_SUBPACKAGES = ("data", "datasets", "domains", "graph", "io", "lp", "plots", "report", "rules", "studies")

_HOMES = {
    **dict.fromkeys(
        ("Instances", "Leaderboard", "Margins", "Points", "Profile", "Relations", "Signs", "Suite", "group"),
        "weightlab.data",
    ),
    **dict.fromkeys(
        (
            *("Cure", "DirectionWarning", "EmptySpaceError", "FileFormatError", "ImpossibleError", "InputError"),
            *("MissingScoresError", "NoWinnerError", "ProofError", "SolverError", "SolverWarning", "TimeLimitError"),
            *("UnknownNameError", "UnprovedError", "WeightlabError"),
        ),
        "weightlab.exceptions",
    ),
    **dict.fromkeys(
        (
            *("read_instances", "read_leaderboard", "read_suite", "read_votes"),
            *("write_instances", "write_leaderboard", "write_suite"),
        ),
        "weightlab.io",
    ),
    **dict.fromkeys(("read_result", "write_result"), "weightlab.report"),
}

__all__ = ["__version__", *_SUBPACKAGES, *_HOMES]  # noqa: PLE0604 (every element is a string)


def __getattr__(name: str) -> Any:
    import importlib  # noqa: PLC0415 - loaded late, as everything is

    if name in _SUBPACKAGES:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def _draw(thing: Any, **options: Any) -> Any:
    """Draw a result; what draws is loaded at the first picture."""
    from weightlab.plots import draw  # noqa: PLC0415

    return draw(thing, **options)


def _table(found: Any) -> tuple[str, Any]:
    """Return a result's sentence and table as its command has them; what makes them is loaded where they are shown."""
    from weightlab.report.text.result_tables import notebook_table  # noqa: PLC0415

    return notebook_table(found)


_Pictures.draw, _Pictures.table = staticmethod(_draw), staticmethod(_table)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
