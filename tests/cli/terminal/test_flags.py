"""Messages that speak of Python's arguments speak of flags, or of TOML, at the prompt."""

from __future__ import annotations

import math

import pytest

from weightlab.cli.terminal.flags import as_flags
from weightlab.report.text.words import known_lines


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("drop=['a[b]', 'c'] leaves it out", "--drop 'a[b]' --drop c leaves it out"),
        ('drop=["o\'b"] leaves it out', "--drop 'o'\"'\"'b' leaves it out"),
        ("weights={'a{b}': 0} takes the vote away", "--weight 'a{b}=0' takes the vote away"),
        ("a score among marks; declare spread={'x': 'dropped'}", "a score among marks; declare --spread dropped"),
        ("declare spread={'x': 'standard_error'}, or", "declare --spread standard_error, or"),
        ("; declare metrics=... to read them", "; declare metrics = ... in a TOML file (--config) to read them"),
        ("; declare raw=True to read them", "; declare raw = true in a TOML file (--config) to read them"),
        ("; declare tasks=[...] to read such", "; declare tasks = [...] in a TOML file (--config) to read such"),
        (
            "; read_instances reads it, and studies of instances do",
            "; studies of instances read it ('weightlab study --list')",
        ),
        ("no rule named 'x'; the list of rules to win by has 'mean'", "no rule named 'x'; --rule has 'mean'"),
    ],
)
def test_arguments_are_told_as_flags(message, told):
    assert as_flags(message) == told


def test_a_bound_that_is_none_is_no_line():
    assert known_lines({"value": 3, "bound": math.inf, "lead": -math.inf, "x": None}) == ["value: 3"]


def test_faults_of_a_toml_file_name_its_keys_in_every_line():
    faults = "p.toml: 2 faults:\n  - missing must be 0 or more\n  - lower_is_better must be a list; got 3"
    assert as_flags(faults) == faults
    assert as_flags("t.toml: task 'x' is both in lower_is_better and in higher_is_better").endswith("higher_is_better")
    assert as_flags("t.csv: 2 faults:\n  - lower_is_better: no task 'w'").endswith("  - --lower: no task 'w'")
