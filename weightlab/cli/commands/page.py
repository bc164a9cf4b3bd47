"""``weightlab page``: one file that answers in a browser, for readers without an installation."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from weightlab.cli.options.shared import Quiet
from weightlab.cli.terminal.documents import put_text
from weightlab.cli.terminal.show import note
from weightlab.exceptions import InputError
from weightlab.report.browser import table_page


def page(
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the page to a file, such as weightlab.html."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write a page that takes a table in the browser and answers there, without a server or an installation.

    Examples
    --------
    weightlab page -o weightlab.html
    """
    if output is None and sys.stdout is not None and sys.stdout.isatty():
        raise InputError("a page is for a browser: say -o weightlab.html")
    put_text(table_page(), output)
    if output is not None and not quiet:
        note(f"{output}: open it in a browser and drop a table on it; nothing leaves it.")
