"""From the arguments of ``weightlab study`` to what the study is about."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from weightlab.cli.inputs.preflib import notes_of_folders
from weightlab.cli.inputs.suites import SuiteSource, read_long
from weightlab.cli.inputs.tables import Source, file_name, read_table
from weightlab.cli.options.study_registry import StudyInput
from weightlab.cli.terminal.show import listed, note, shown
from weightlab.data import Instances, Leaderboard, Suite
from weightlab.exceptions import InputError
from weightlab.io import read_instances

__all__ = ["InstanceSource", "read_source"]


@dataclass(frozen=True, kw_only=True)
class InstanceSource:
    """Where scores on single instances come from.

    Attributes
    ----------
    file : str
        A path, or ``-`` for standard input.
    config : str or None
        A TOML file; by default the one of the same stem beside the table.
    model, instance : str or None
        The columns that hold the names of models and of instances; by default those called so.
    """

    file: str
    config: str | None = None
    model: str | None = None
    instance: str | None = None

    def options(self) -> dict[str, Any]:
        """Return what a document says of it."""
        columns = {"model": self.model, "instance": self.instance}
        return {"file": file_name(self.file), "config": self.config, "complete": False, "columns": columns}

    def read(self) -> Instances:
        """Read the scores."""
        file = sys.stdin.buffer if self.file == "-" else self.file
        return read_instances(file, config=self.config, model=self.model, instance=self.instance)


def read_source(
    reads: StudyInput,
    source: Source,
    *,
    columns: tuple[str | None, str | None],
    quiet: bool,
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
            raise InputError("name a FILE of scores on single instances; none ships with weightlab")
        if source.complete:
            raise InputError("--complete goes with a score table or a suite; say --missing for instances")
        of = InstanceSource(file=source.file, config=source.config, model=columns[0], instance=columns[1])
        with notes_of_folders(quiet=quiet):
            return of.read(), of.options()
    if reads is StudyInput.SUITE:
        long = SuiteSource(file=source.file, config=source.config, complete=source.complete)
        return read_long(long, quiet=quiet), long.options()
    board = read_table(source, quiet=quiet, gaps_are_ties=False)
    if board.missing_cells and not quiet:
        cells = listed(f"{shown(model)} on {shown(task)}" for model, task in board.missing_cells)
        note(f"Missing scores count as ties in head-to-heads, and elsewhere as --missing says: {cells}.")
    return board, source.options()
