"""Messages that speak of Python's arguments, in the words of the prompt."""

from __future__ import annotations

import ast
import re
import shlex

FLAGS = {
    "lower_is_better": "--lower",
    "higher_is_better": "--higher",
    "weights": "--weight",
    "groups": "--group",
    "repeats_by": "--repeats-by",
    "pair": "--pair",
    **{name: f"--{name}" for name in ("drop", "keep", "percent", "transpose", "missing", "ties", "scaled", "rounded")},
    **{name: f"--{name}" for name in ("separator", "decimal", "thousands", "format", "norm", "level", "over")},
}
"""What is an argument in Python and an option at the prompt."""
QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
VALUE = re.compile(
    rf"""\b({"|".join(FLAGS)})=(\[(?:{QUOTED}|[^\[\]'"])*\]|\{{(?:{QUOTED}|[^{{}}'"])*\}}|{QUOTED}|True\b)"""
)
HEADING = re.compile(rf"^((?:  - )?(?:[^:\n]*: )?)({'|'.join(FLAGS)})(?=:| is | says | must )")
"""A keyword before what is wrong with it."""
BARE = re.compile(r"\b(?:lower_is_better|higher_is_better)\b")
DIRECTIONS = re.compile(
    r"list those on which the lower score leads in lower_is_better(?:, by keyword or in ([^(]+?))? "
    r"\(an empty list says: none\)"
)
IN_A_FILE = re.compile(r"\b(declare |or declare )(\w+)=(\{[^{}]*\}|'[^']*'|\[?\.\.\.\]?|True|False)")
ADVICE = {
    "winning_shares estimates its share": "'weightlab win' estimates its share",
    "keep complete models (": "say --complete (",
    "select other tasks (": "say --tasks (",
    " have every score) or say missing=": " have every score) or missing=",
    "UTF-16 without a byte order mark needs encoding='utf-16-le'": "save it as UTF-8",
    "the list of rules to win by": "--rule",
    "read_instances reads it, and studies of instances do": "studies of instances read it ('weightlab study --list')",
}
"""What is advised in Python, and the same at the prompt."""


def as_flags(message: str) -> str:
    """Return a message with options where it speaks of arguments, and TOML where there is no such option."""
    for found, said in ADVICE.items():
        message = message.replace(found, said)
    lines, of_toml = [], False
    for line in DIRECTIONS.sub(_as_directions, message).split("\n"):
        of_toml = ".toml: " in line or (of_toml and line.startswith("  - "))  # whose keys are as they stand there
        lines.append(IN_A_FILE.sub(_as_toml, line) if of_toml else _in_flags(line))
    return "\n".join(lines)


def _in_flags(line: str) -> str:
    line = HEADING.sub(lambda match: f"{match[1]}{FLAGS[match[2]]}", VALUE.sub(_as_flag, line))
    return BARE.sub(lambda match: FLAGS[match[0]], IN_A_FILE.sub(_as_toml, line))


def _as_directions(match: re.Match[str]) -> str:
    return "say of each of them --lower NAME or --higher NAME" + (f", or declare it in {match[1]}" if match[1] else "")


def _as_flag(match: re.Match[str]) -> str:
    flag, written = FLAGS[match[1]], match[2]
    if written == "True":
        return flag
    if written == "[...]":
        return f"{flag} NAME"
    try:
        value = ast.literal_eval(written)
    except (ValueError, SyntaxError):
        return match[0]
    if isinstance(value, dict):
        value = [f"{name}={one}" for name, one in value.items()]
    return " ".join(f"{flag} {shlex.quote(str(one))}" for one in ([value] if isinstance(value, str) else value))


def _as_toml(match: re.Match[str]) -> str:
    if match[2] == "spread":
        return f"{match[1]}--spread {'dropped' if 'dropped' in match[3] else 'standard_error'}"
    value = match[3].lower() if match[3] in {"True", "False"} else match[3]
    table = re.sub(r"(\.\.\.|'[^']*'): ", lambda key: f"{key[1]} = ", value)
    return f"{match[1]}{match[2]} = {table} in a TOML file (--config)"
