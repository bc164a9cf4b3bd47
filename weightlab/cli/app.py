"""The commands, put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from weightlab._version import __version__
from weightlab.cli.audit import EXAMPLES as AUDIT_EXAMPLES
from weightlab.cli.audit import audit
from weightlab.cli.compare import EXAMPLES as COMPARE_EXAMPLES
from weightlab.cli.compare import compare
from weightlab.cli.graph import EXAMPLES as GRAPH_EXAMPLES
from weightlab.cli.graph import graph
from weightlab.cli.rank import EXAMPLES as RANK_EXAMPLES
from weightlab.cli.rank import rank
from weightlab.cli.sweep import EXAMPLES as SWEEP_EXAMPLES
from weightlab.cli.sweep import sweep
from weightlab.cli.verify import verify
from weightlab.cli.win import EXAMPLES, win

__all__ = ["app", "command"]

CALL_ERRORS: Any = typer.BadParameter.__mro__[2]
"""What Typer raises for a wrong call; it exports only this subclass of a subclass of it."""

app = typer.Typer(
    name="weightlab",
    help="Proofs about benchmark score tables: who can win, and why not.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        print(f"weightlab {__version__}")
        raise typer.Exit


@app.callback()
def weightlab(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Proofs about benchmark score tables: who can win, and why not."""


app.command(epilog=EXAMPLES)(win)
app.command(epilog=RANK_EXAMPLES)(rank)
app.command(epilog=COMPARE_EXAMPLES)(compare)
app.command(epilog=GRAPH_EXAMPLES)(graph)
app.command(epilog=AUDIT_EXAMPLES)(audit)
app.command(epilog=SWEEP_EXAMPLES)(sweep)
app.command(epilog="\b\nExample:\n  weightlab verify proof.json superglue.csv")(verify)


def command(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors of the call itself are printed as usual for command lines."""
    try:
        code = typer.main.get_command(app).main(list(arguments), prog_name="weightlab", standalone_mode=False)
    except CALL_ERRORS as error:
        error.show()
        return int(error.exit_code)
    except typer.Abort:
        return 130
    except SystemExit:
        return 0  # the reader of our output closed it, as 'head' does
    return code if isinstance(code, int) else 0
