"""weightlab answers, with proofs, three questions about a benchmark's score table.

1. Can my model ever win?  (``weightlab.lp``)
2. Is this benchmark well behaved?
3. What does each voting rule say, and how far can it be trusted?

Names are imported when they are first used, so ``import weightlab`` itself imports no other package.
"""

from __future__ import annotations

from weightlab._exports import name_later as _name_later
from weightlab._frames import Frames as _Frames
from weightlab._frames import Rules as _Rules
from weightlab._pictures import Pictures as _Pictures
from weightlab._version import __version__ as __version__

TYPE_CHECKING = False  # what typing says, without loading it
if TYPE_CHECKING:
    from typing import Any

    # The public names: type checkers and editors read them here, and so does Python when one is first asked for.
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
    from weightlab.exceptions import ReadingError as ReadingError
    from weightlab.exceptions import ResultsWarning as ResultsWarning
    from weightlab.exceptions import SolverError as SolverError
    from weightlab.exceptions import SolverWarning as SolverWarning
    from weightlab.exceptions import TimeLimitError as TimeLimitError
    from weightlab.exceptions import UnknownNameError as UnknownNameError
    from weightlab.exceptions import UnprovedError as UnprovedError
    from weightlab.exceptions import WeightlabError as WeightlabError
    from weightlab.io import Reading as Reading
    from weightlab.io import propose_reading as propose_reading
    from weightlab.io import read_instances as read_instances
    from weightlab.io import read_leaderboard as read_leaderboard
    from weightlab.io import read_suite as read_suite
    from weightlab.io import read_votes as read_votes
    from weightlab.io import write_instances as write_instances
    from weightlab.io import write_leaderboard as write_leaderboard
    from weightlab.io import write_suite as write_suite
    from weightlab.report import read_result as read_result
    from weightlab.report import write_result as write_result


def _draw(thing: Any, **options: Any) -> Any:
    """Draw a result; what draws is loaded at the first picture."""
    from weightlab.plots import draw  # noqa: PLC0415

    return draw(thing, **options)


def _told(found: Any, form: str) -> str:
    """Return a result in a form, as its command tells it; what makes it is loaded where it is shown."""
    from weightlab.views.forms import html, latex, markdown  # noqa: PLC0415
    from weightlab.views.kinds import view_of  # noqa: PLC0415

    return {"html": html, "tex": latex, "md": markdown}[form](view_of(found))


def _frame(sentence: str, frame: Any, caption: str, whole: str) -> str:
    """Return a frame as a notebook shows it; what makes it is loaded where it is shown."""
    from weightlab.views.forms import html  # noqa: PLC0415
    from weightlab.views.view import Table, View  # noqa: PLC0415

    return html(View(headline=sentence, blocks=[Table.of_frame(frame, caption)]), whole=whole)


def _read(frame: Any, **said: Any) -> Any:
    """Read a frame as a file of its columns is read; what reads is loaded at the first one."""
    from weightlab.io.read.leaderboards import read_leaderboard  # noqa: PLC0415

    return read_leaderboard(frame, **said)


def _called(name: str) -> str:
    """Return the name of a rule as it stands in the registry, which is loaded at the first one."""
    from weightlab.rules import rule  # noqa: PLC0415

    return rule(name).name


_Frames.read, _Rules.called = staticmethod(_read), staticmethod(_called)
_Pictures.draw, _Pictures.told, _Pictures.frame = staticmethod(_draw), staticmethod(_told), staticmethod(_frame)
_name_later(globals())
