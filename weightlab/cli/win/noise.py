"""``weightlab win --level``: who can win head-to-head whatever the noise of the scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from weightlab._text import shown
from weightlab.cli.options import shared
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import note, say, table
from weightlab.data import Instances
from weightlab.exceptions import InputError
from weightlab.report.text.result_tables import noise_rows

ROWS = 20
"""Models shown."""


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Level of the verdicts, and source of the noise; each field is an option."""

    level: Annotated[
        float | None, shared.level_option(help="Verdicts that hold whatever the noise, such as at 95%.")
    ] = None
    over: Annotated[
        str | None,
        typer.Option("--over", metavar="WHAT", help="Source of variation for --level: instances or standard_errors."),
    ] = None
    model_column: shared.ModelColumn = None
    instance_column: shared.InstanceColumn = None

    @property
    def asked(self) -> bool:
        """Whether noise is requested; it takes both options."""
        if (self.level is None) != (self.over is None):
            raise InputError("--level and --over go together, as in --level 0.95 --over standard_errors")
        return self.level is not None


NO_NOISE = Noise()
"""The scores as they are."""


def tell_noisy(source: Source, noise: Noise, conditions: Conditions, ends: shared.Ends) -> None:
    """Print each model's verdict if every uncertain lead is lost, and if it is won."""
    # Who can win at all takes no studies, which load half the package.
    from weightlab.cli.inputs.study_source import read_source  # noqa: PLC0415
    from weightlab.cli.options.study_registry import StudyInput  # noqa: PLC0415
    from weightlab.studies import noisy_verdicts  # noqa: PLC0415

    over: Any = (noise.over or "").replace("-", "_")
    columns = (noise.model_column, noise.instance_column)
    reads = StudyInput.INSTANCES if over == "instances" else StudyInput.BOARD
    read, origin = read_source(reads, source, columns=columns)
    data: Any = read
    board = data.means() if isinstance(data, Instances) else data
    space = conditions.space(board)
    found = noisy_verdicts(data, over=over, level=noise.level or 0, space=space, time_limit=ends.time_limit)
    if put_document("win", (found,), source, ends, origin=origin):
        return
    headings, rows, _ = noise_rows(found)
    say(shown(found), "")
    if rows:
        say(table(headings, rows[:ROWS]), "")
    never = len(board.models) - len(rows)
    if never:
        note(f"Head-to-head, {never} more can never win, whatever the noise.")
    if len(rows) > ROWS:
        note(f"{ROWS} of {len(rows)} models are shown; all of them with --json.")
