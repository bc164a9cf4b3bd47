from __future__ import annotations

import pytest
import typer

from tests.cli.test_help import TABLE
from weightlab.cli.app import app
from weightlab.cli.options.shared import TABLE as PANEL

COMMANDS = typer.main.get_command(app()).commands


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_every_option_of_the_table(weightlab, command):
    of_table = {
        name: parameter
        for parameter in COMMANDS[command].params
        for name in parameter.opts
        if getattr(parameter, "rich_help_panel", None) == PANEL
    }
    own = {"sweep": {"--models"}, "verify": {"--complete"}, "page": {*TABLE}}.get(command, set())
    assert list(of_table) == [name for name in TABLE if name not in own]
    if "--help-all" not in weightlab(command, "--help").out:
        return
    text = weightlab(command, "--help-all").out
    assert all(f"\n  {name}" in text.split("\nTable:")[1] for name in of_table)
