"""The rules that there are, for people who look for one."""

from __future__ import annotations

import json
from inspect import Parameter
from typing import Any

from weightlab.cli.show import say, table
from weightlab.rules import RULES, Rule

__all__ = ["print_rules"]


def print_rules(*, as_json: bool) -> None:
    """Print every rule: what it reads, what its scores count, and its options with what they are by default."""
    if as_json:
        print(json.dumps([_entry(name, one) for name, one in RULES.items()], ensure_ascii=False, indent=1))
        return
    rows = [(name, str(one.needs), one.counts, ", ".join(_options(one))) for name, one in RULES.items()]
    say(table(["rule", "reads", "counts", "options"], rows))


def _entry(name: str, one: Rule) -> dict[str, Any]:
    return {
        "name": name,
        "reads": str(one.needs),
        "counts": one.counts,
        "options": {
            option: None if default is Parameter.empty else default for option, default in one.parameters.items()
        },
        "needed": [option for option, default in one.parameters.items() if default is Parameter.empty],
        "source": one.source,
    }


def _options(one: Rule) -> list[str]:
    said = {Parameter.empty: " (needed)", None: ""}
    return [f"{name}{said.get(default, f'={default}')}" for name, default in one.parameters.items()]
