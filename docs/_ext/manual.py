"""The directive ``manual``: one section per command, and the options of tables, as ``--help`` prints them.

The page that holds it is a manual page, too: ``python -m sphinx -b man docs FOLDER`` writes ``weightlab.1``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from weightlab.cli.app import COMMANDS, app
from weightlab.cli.options.shared import TABLE as PANEL

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["Command", "commands", "setup"]


@dataclass(frozen=True, kw_only=True)
class Command:
    """What ``--help`` says of one command.

    Attributes
    ----------
    name, usage, about : str
        ``win``; ``weightlab win [OPTIONS] [FILE]``; what it does, one paragraph a line.
    options : tuple of (str, str)
        Spelling and meaning of each argument and option of its own.
    of_table : tuple of (str, str)
        Spelling and meaning of each option that says how a table is read.
    examples : str
        Calls, one a line.
    """

    name: str
    usage: str
    about: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    of_table: tuple[tuple[str, str], ...]
    examples: str


def commands() -> list[Command]:
    """Return all commands, in the order of ``weightlab --help``."""
    found = typer.main.get_command(app()).commands
    return [_command(name, found[name]) for name in COMMANDS]


def _command(name: str, made: Any) -> Command:
    context = made.make_context(f"weightlab {name}", [], resilient_parsing=True)
    records: dict[bool, list[Any]] = {True: [], False: []}
    for parameter in made.get_params(context):
        records[getattr(parameter, "rich_help_panel", None) == PANEL].append(parameter.get_help_record(context))
    return Command(
        name=name,
        usage=" ".join(["weightlab", name, *made.collect_usage_pieces(context)]),
        about=tuple(" ".join(part.split()) for part in inspect.cleandoc(made.help or "").split("\n\n")),
        options=_meanings(records[False]),
        of_table=_meanings(records[True]),
        examples=inspect.cleandoc(made.epilog or ""),
    )


def _meanings(records: list[Any]) -> tuple[tuple[str, str], ...]:
    return tuple((spelt, " ".join(meant.split())) for spelt, meant in filter(None, records))


class Manual(SphinxDirective):
    """Sections of all commands: synopsis, what it does, options, examples; last, the options of tables."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each command, and one for the options that commands on tables share."""
        found = commands()
        shared = nodes.section(ids=["the-table"], names=["the table"])
        shared += nodes.title("", "Table options of these commands")
        shared += _definitions(dict.fromkeys(one for command in found for one in command.of_table))
        return [*(self._section(command) for command in found), shared]

    def _section(self, command: Command) -> nodes.section:
        made = nodes.section(ids=[nodes.make_id(f"manual-{command.name}")], names=[f"manual {command.name}"])
        made += nodes.title("", "", nodes.literal("", f"weightlab {command.name}"))
        made += _block(command.usage)
        made += [nodes.paragraph("", part) for part in command.about]
        made += _definitions(command.options)
        if command.examples:
            made += [nodes.paragraph("", "Examples:"), _block(command.examples)]
        return made


def _block(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language="text")


def _definitions(options: Iterable[tuple[str, str]]) -> nodes.definition_list:
    made = nodes.definition_list()
    for spelt, meant in options:
        term = nodes.term("", "", nodes.literal("", spelt))
        made += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", meant)))
    return made


def setup(application: Sphinx) -> dict[str, bool]:
    """Make the directive known."""
    application.add_directive("manual", Manual)
    return {"parallel_read_safe": True}
