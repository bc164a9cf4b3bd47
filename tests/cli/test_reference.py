from __future__ import annotations

from pathlib import Path

import pytest
import typer

from tests.cli.test_help import TABLE
from weightlab.cli.app import app
from weightlab.cli.options.table import PANEL

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "command-line.md"
COMMANDS = typer.main.get_command(app()).commands


def section(command):
    text = PAGE.read_text(encoding="utf-8")
    return text.split(f"## {command}\n", 1)[1].split("\n## ", 1)[0]


def listed_in(heading):
    return {
        word.split()[0]
        for line in section(heading).splitlines()
        if line.startswith("| `-")
        for word in line.split("|")[1].replace("`", "").split(",")
        if word.strip().startswith("-")
    }


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_reference_lists_every_option_and_no_other(command):
    spoken = {
        name
        for parameter in COMMANDS[command].params
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("-") and name != "--help" and getattr(parameter, "rich_help_panel", None) != PANEL
    }
    assert listed_in(f"`weightlab {command}`") == spoken


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_every_option_of_the_table(command):
    of_table = {
        name: parameter
        for parameter in COMMANDS[command].params
        for name in parameter.opts
        if getattr(parameter, "rich_help_panel", None) == PANEL
    }
    own = {"sweep": {"--models"}, "verify": {"--complete"}, "page": {*TABLE}}.get(command, set())
    assert set(of_table) == listed_in("The table") - own
    assert list(of_table) == [name for name in TABLE if name not in own]
    text = COMMANDS[command].get_help(typer.Context(COMMANDS[command]))
    assert all(f"\n  {name}" in text.split("\nTable:")[1] for name in of_table)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_reference_lists_options_as_help_does_one_after_the_other(command):
    order = [name for parameter in COMMANDS[command].params for name in (*parameter.opts, *parameter.secondary_opts)]
    told = [
        line.split("`")[1].split()[0].removesuffix(",")
        for line in section(f"`weightlab {command}`").splitlines()
        if line.startswith("| `-")
    ]
    assert told == sorted(told, key=order.index)
