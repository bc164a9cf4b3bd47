"""Which weights are allowed: the options that name conditions, and the space that they describe."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any

import typer

from weightlab._exact import fraction_or_percent
from weightlab._result import Frozen, told_of
from weightlab.cli.inputs.names import named, pairs_of
from weightlab.cli.options.table import split_at_equals, tasks
from weightlab.data import Group, Leaderboard
from weightlab.data.linear_rule import MAJORITY
from weightlab.exceptions import InputError
from weightlab.io.tables.declarations import read_toml
from weightlab.io.tables.sheet import opened
from weightlab.lp import WeightSpace

_option = partial(typer.Option, rich_help_panel="Conditions on weights")
_of_task = partial(_option, autocompletion=tasks)


class Conditions(Frozen, eq=True):
    """Conditions on the weights; each field is an option."""

    scored_only: Annotated[bool, _option("--scored-only", help="Fix tasks of weight 0 at 0.")] = False
    most: Annotated[
        list[str] | None,
        _of_task("--max", metavar="TASK=SHARE", help="At most this share; @GROUP for a group; repeatable, as all."),
    ] = None
    least: Annotated[list[str] | None, _of_task("--min", metavar="TASK=SHARE", help="At least this share.")] = None
    fixed: Annotated[list[str] | None, _of_task("--fix", metavar="TASK=SHARE", help="Exactly this share.")] = None
    no_less: Annotated[
        list[str] | None, _of_task("--no-less", metavar="TASK=OTHER", help="TASK weighs no less than OTHER.")
    ] = None
    within: Annotated[
        str | None,
        _option("--within", metavar="PART", help="Each share at most this part above or below today's: 50% or 0.5."),
    ] = None

    prefer: Annotated[
        list[str] | None,
        _option(
            "--prefer",
            metavar='"A > B"',
            help="B is not ahead of A: by --rule in win, nearest, region, map and stability, else head-to-head.",
        ),
    ] = None

    nested: Annotated[
        str | None,
        _option(
            "--nested",
            metavar="FILE",
            help="Groups of groups, with bounds on the share that each has of its parent: a TOML file.",
        ),
    ] = None

    def space(self, board: Leaderboard, ruled: Mapping[str, Any] = MappingProxyType({})) -> WeightSpace | None:
        """Return the space of weights of a table, or None when there is no condition; ``ruled`` says by which rule.

        Raises
        ------
        InputError
            If a condition is not written as it should be, or names what the table does not have.
        """
        space = WeightSpace(board)
        idle = [str(task) for task, weight in board.weights.items() if not weight]
        if self.scored_only and idle:
            space = space.fixed(idle, 0)
        for text in self.most or []:
            space = space.at_most(*_condition(text, "--max", board))
        for text in self.least or []:
            space = space.at_least(*_condition(text, "--min", board))
        for text in self.fixed or []:
            space = space.fixed(*_condition(text, "--fix", board))
        for text in self.no_less or []:
            name, other = split_at_equals(text, "--no-less", "TASK=OTHER")
            with told_of(f"--no-less {text!r}", InputError):
                space = space.no_less(*(named(one, board) for one in (name, other)))
        for text in self.prefer or []:
            pairs = pairs_of(text, "--prefer", board.models)
            with told_of(f"--prefer {text!r}", InputError):
                for above, below in pairs:
                    space = space.prefers(above, below, **{"rule": MAJORITY, **ruled})
        if self.nested is not None:
            parts = read_toml(opened(self.nested, "toml", {"toml": "toml"}))
            with told_of(f"--nested {self.nested!r}", InputError):
                space = space.nested(_parts(parts, board))
        if self.within is not None:
            with told_of(f"--within {self.within!r}", InputError):
                space = space.within(fraction_or_percent(self.within))
        return space if space.conditions else None


ANY_WEIGHTS = Conditions()
"""No condition."""


def _parts(parts: Any, board: Leaderboard) -> Any:
    """Return parts as a file says them, with the groups and tasks that are meant by their names."""
    if not isinstance(parts, Mapping):
        return parts
    found: dict[str, Any] = {}
    for name, one in parts.items():
        found[name] = dict(one) if isinstance(one, Mapping) else one
        if isinstance(one, Mapping) and isinstance(one.get("tasks"), str | list):
            tasks_of = [one["tasks"]] if isinstance(one["tasks"], str) else one["tasks"]
            with told_of(f"part {name!r}", InputError):
                found[name]["tasks"] = [named(str(task), board) for task in tasks_of]
        elif isinstance(one, Mapping) and "parts" in one:
            found[name]["parts"] = _parts(one["parts"], board)
    return found


def _condition(text: str, option: str, board: Leaderboard) -> tuple[str | Group, Fraction]:
    name, written = split_at_equals(text, option, "TASK=SHARE")
    with told_of(f"{option} {text!r}", InputError):
        part, share = named(name, board), fraction_or_percent(written)
    if not 0 <= share <= 1:
        raise InputError(f"{option} {text!r}: a share of the total weight lies between 0 and 1 (30% is 0.3)")
    return part, share
