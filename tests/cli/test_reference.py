from __future__ import annotations

from pathlib import Path

import pytest
import typer

from weightlab.cli.app import app

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "command-line.md"
COMMANDS = typer.main.get_command(app()).commands


def section(command):
    text = PAGE.read_text(encoding="utf-8")
    return text.split(f"## `weightlab {command}`", 1)[1].split("\n## ", 1)[0]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_reference_lists_every_option_and_no_other(command):
    spoken = {
        name
        for parameter in COMMANDS[command].params
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("-") and name != "--help"
    }
    listed = {
        word.split()[0]
        for line in section(command).splitlines()
        if line.startswith("| `-")
        for word in line.split("|")[1].replace("`", "").split(",")
    }
    assert listed == spoken


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_reference_lists_options_as_help_does_one_after_the_other(command):
    order = [name for parameter in COMMANDS[command].params for name in (*parameter.opts, *parameter.secondary_opts)]
    told = [
        line.split("`")[1].split()[0].removesuffix(",")
        for line in section(command).splitlines()
        if line.startswith("| `-")
    ]
    assert told == sorted(told, key=order.index)
