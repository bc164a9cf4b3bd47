"""``weightlab convert``: one form of a table to another."""

from __future__ import annotations

from typing import Annotated

import typer

from weightlab.cli.options.shared import EXPERT, Many, Quiet, opt
from weightlab.cli.options.table import Source


def convert(
    source: Source,
    file: Annotated[
        str, typer.Argument(metavar="SOURCE", help="Table, votes, file or folder of results; '-' for standard input.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="File to write; its extension says as what. '-' prints it.")
    ],
    to: Annotated[
        Many, opt("--to KIND", "leaderboard, suite, instances, profile, margins; or a format such as soc.")
    ] = None,
    read_as: Annotated[Many, opt("--from KIND", "Kind or format of SOURCE, if its name does not show it.")] = None,
    dataset: Annotated[str | None, opt("--dataset NAME", "Dataset to convert (name for a table).")] = None,
    break_ties: Annotated[str, opt("--break-ties HOW", "In orders: alphabetical, reverse, or keep ties.")] = "keep",
    scaled: Annotated[
        bool, opt("--scaled", "Multiply weights by their common denominator, for PrefLib.", EXPERT)
    ] = False,
    rounded: Annotated[
        bool, opt("--rounded", "Round scores that no decimal equals, such as 1/3, to doubles.", EXPERT)
    ] = False,
    force: Annotated[bool, opt("--force -f", "Overwrite existing files.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a table in another form, exactly, and say what the new form does not hold.

    Examples
    --------
    weightlab convert superglue.csv superglue.json
    weightlab convert runs/ table.csv
    weightlab convert helm_long.csv boolq.csv --to leaderboard --dataset BoolQ
    weightlab convert superglue.csv votes.toc --complete
    weightlab convert superglue.csv votes.soc --complete --break-ties alphabetical
    weightlab convert votes.soc - --to wmd
    """
    from weightlab.cli.inputs import converting

    del quiet
    asked = [*(read_as or []), *([] if source.format is None else [source.format])]
    converting.convert(
        *(source, file, target, to or [], asked),
        dataset=dataset,
        break_ties=break_ties,
        scaled=scaled,
        rounded=rounded,
        force=force,
    )
