"""Which weights are allowed: the options that name conditions, and the space that they describe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from weightlab.cli.options.shared import WEIGHTS, Many, opt
from weightlab.cli.options.table import split_at_equals, tasks
from weightlab.exceptions import InputError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard
    from weightlab.lp import WeightSpace

_task = partial(opt, panel=WEIGHTS, autocompletion=tasks)


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Conditions on the weights; each field is an option."""

    scored_only: Annotated[bool, opt("--scored-only", "Keep tasks with zero weight at zero.", WEIGHTS)] = False
    most: Annotated[Many, _task("--max TASK=SHARE", "At most this share; @GROUP for a group; repeatable, as all.")] = (
        None
    )
    least: Annotated[Many, _task("--min TASK=SHARE", "At least this share.")] = None
    fixed: Annotated[Many, _task("--fix TASK=SHARE", "Exactly this share.")] = None
    no_less: Annotated[Many, _task("--no-less TASK=OTHER", "TASK weighs no less than OTHER.")] = None
    within: Annotated[
        str | None, opt("--within PART", "Each share at most this part above or below today's: 50% or 0.5.", WEIGHTS)
    ] = None
    prefer: Annotated[Many, opt('--prefer "A > B"', "B is not ahead of A, by --rule or head-to-head.", WEIGHTS)] = None
    nested: Annotated[
        str | None,
        opt("--nested FILE", "Groups of groups, with bounds on shares of their parents: a TOML file.", WEIGHTS),
    ] = None

    def space(self, board: Leaderboard, ruled: Mapping[str, Any] = MappingProxyType({})) -> WeightSpace | None:
        """Return the space of weights of a table, or None when there is no condition; ``ruled`` says by which rule.

        Raises
        ------
        InputError
            If a condition is not written as it should be, or names what the table does not have.
        """
        from weightlab._exact import fraction_or_percent
        from weightlab._result import told_of
        from weightlab.cli.inputs.names import named, pairs_of
        from weightlab.data.linear_rule import MAJORITY
        from weightlab.lp import WeightSpace

        space = WeightSpace(board)
        idle = [str(task) for task, weight in board.weights.items() if not weight]
        if self.scored_only and idle:
            space = space.fixed(idle, 0)
        shares = (("--max", "at_most", self.most), ("--min", "at_least", self.least), ("--fix", "fixed", self.fixed))
        for option, method, texts in (*shares, ("--no-less", "no_less", self.no_less)):
            for text in texts or ():
                name, written = split_at_equals(text, option, "TASK=SHARE" if method != "no_less" else "TASK=OTHER")
                with told_of(f"{option} {text!r}", InputError):
                    value = named(written, board) if method == "no_less" else _share(fraction_or_percent(written))
                    space = getattr(space, method)(named(name, board), value)
        for text in self.prefer or []:
            pairs = pairs_of(text, "--prefer", board.models)
            with told_of(f"--prefer {text!r}", InputError):
                for above, below in pairs:
                    space = space.prefers(above, below, **{"rule": MAJORITY, **ruled})
        if self.nested is not None:
            with told_of(f"--nested {self.nested!r}", InputError):
                space = space.nested(_parts_in(self.nested, board))
        if self.within is not None:
            with told_of(f"--within {self.within!r}", InputError):
                space = space.within(fraction_or_percent(self.within))
        return space if space.conditions else None


ANY_WEIGHTS = Conditions()
"""No condition."""


def _share(share: Any) -> Any:
    if not 0 <= share <= 1:
        raise InputError("a share of the total weight lies between 0 and 1 (30% is 0.3)")
    return share


def _parts_in(file: str, board: Leaderboard) -> Any:
    """Return the parts that a TOML file describes."""
    from weightlab.io.tables.declarations import read_toml
    from weightlab.io.tables.sheet import opened

    return _parts(read_toml(opened(file, "toml", {"toml": "toml"})), board)


def _parts(parts: Any, board: Leaderboard) -> Any:
    """Return parts as a file says them, with their names matched to groups and tasks."""
    from weightlab._result import told_of
    from weightlab.cli.inputs.names import named

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
