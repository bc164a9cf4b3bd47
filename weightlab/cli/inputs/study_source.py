"""From the arguments of ``weightlab study`` to what the study is about."""

from __future__ import annotations

from typing import Any

from weightlab.cli.inputs.tables import OF_INSTANCES, read_declared, read_long, read_table
from weightlab.cli.options.study_registry import StudyInput
from weightlab.cli.options.table import Source
from weightlab.data import Instances, Leaderboard, Suite
from weightlab.exceptions import InputError
from weightlab.io import read_instances


def read_on_instances(source: Source, columns: tuple[str | None, str | None]) -> Instances:
    """Read scores on single instances; ``columns`` hold the names of models and of instances, else those called so."""
    model, instance = columns
    return read_declared(
        read_instances, source, takes=OF_INSTANCES, what="scores on single instances", model=model, instance=instance
    )


def read_source(
    reads: StudyInput, source: Source, *, columns: tuple[str | None, str | None]
) -> tuple[Leaderboard | Suite | Instances | None, dict[str, Any]]:
    """Read what a study is about; return it with what a document says of it.

    Raises
    ------
    InputError
        If the study reads no instances and columns of such a table are named, or it reads nothing else and no file is
        given.
    """
    named = any(one is not None for one in columns)
    if reads is StudyInput.NOTHING:
        if source.file is not None or named:
            raise InputError("this study reads nothing: it draws its scores; leave out FILE")
        return None, {}
    if named and not reads.instances:
        raise InputError(f"--model-column and --instance-column are of instances; this study reads {reads}")
    if reads is StudyInput.INSTANCES or named:
        if source.file is None:
            raise InputError("this needs an instance-level FILE")
        if source.complete:
            raise InputError("--complete applies to a score table or a suite; use --missing for instances")
        named_so = {"columns": dict(zip(("model", "instance"), columns, strict=True))}
        return read_on_instances(source, columns), source.options() | named_so
    if reads is StudyInput.SUITE:
        return read_long(source), source.options()
    return read_table(source, gaps_are_ties=False), source.options()
