"""The reading of what declares itself: results of programs, suites, votes, orders; the line says it as of any table."""

from __future__ import annotations

from fractions import Fraction

from weightlab._text import counted, number
from weightlab.data import Instances, Leaderboard, Margins, Profile, Suite
from weightlab.io.reading.reading import Certainty, ColumnReading, Reading, Role


def reading_of(source: str, data: Leaderboard | Suite | Instances | Margins | Profile, *, why: str = "") -> Reading:
    """Return the reading of data that were read as what they say they are.

    Parameters
    ----------
    source : str
        The file or folder.
    data : Leaderboard, Suite, Instances, Margins or Profile
        What was read.
    why : str
        The source of the directions, if there is one; otherwise they are assumed where they are not declared.
    """
    models = counted(len(data.models), "model")
    tasks: tuple[str, ...] = ()
    held = ""
    if isinstance(data, Leaderboard):
        tasks = data.tasks
    elif isinstance(data, Suite):
        tasks = data.metrics
        held = f"{models}, {counted(len(data.datasets), 'dataset')}, {counted(len(tasks), 'metric')}"
    elif isinstance(data, Instances):
        tasks = data.tasks
        held = f"{models}, {counted(len(tasks), 'task')} on single instances"
    elif isinstance(data, Margins):
        held = f"{models}, head-to-heads between them"
    else:
        held = f"{models}, {number(sum(data.weights, Fraction(0)))} rankings"
    declared = data.declarations if isinstance(data, Leaderboard | Suite | Instances) else None
    lower = frozenset(declared.lower_is_better if declared else ())
    higher = frozenset(declared.higher_is_better if declared else ())
    columns = tuple(
        ColumnReading(
            name=task,
            role=Role.TASK,
            lower=task in lower,
            why=why or ("as declared" if task in lower | higher else "not declared"),
            certainty=Certainty.CERTAIN if why or task in lower | higher else Certainty.ASSUMED,
        )
        for task in tasks
    )
    return Reading(
        source=source,
        columns=columns,
        models=len(data.models),
        transposed=False,
        notes=(),
        questions=(),
        held=held,
    )
