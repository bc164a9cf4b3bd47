"""What would help is told at the prompt as options that the command has, as a shell takes them."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weightlab._cures import Cure
from weightlab.cli.terminal.cures import as_options, offer, quoted


@pytest.fixture(autouse=True)
def _of_a_command():
    offer(["--drop", "--lower", "--weight", "--complete", "--tasks", "--spread", "--transpose", "--config"])
    yield
    offer([])


@pytest.mark.parametrize(
    ("cure", "told"),
    [
        (Cure("drop", ["a[b]", "c"]), "pass --drop 'a[b]' --drop c"),
        (Cure("drop", ["o'b"], "to ignore it"), "pass --drop 'o'\"'\"'b' to ignore it"),
        (Cure("drop", ["-x"]), "pass --drop=-x"),
        (Cure("drop", ["a\x1b\n\u202e'"]), "pass --drop $'a\\033\\012\\342\\200\\256\\''"),
        (Cure("spread", {"x": "dropped", "y": "dropped"}), "pass --spread dropped"),
        (Cure(".complete", {}), "pass --complete"),
        (Cure(".select", {"tasks": ["a", "b"]}, "(2 of 3)"), "pass --tasks a --tasks b (2 of 3)"),
        (Cure("drop", None), "omit --drop"),
        (Cure("metrics", ["f1"]), 'write metrics = ["f1"] in a TOML file (--config)'),
        (Cure("percent", ["x"]), 'write percent = ["x"] in a TOML file (--config)'),
        (Cure("step", "0.1"), ""),
    ],
)
def test_cures_are_told_as_options_of_the_command(cure, told):
    assert as_options(cure) == told


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to read what is quoted")
@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), max_size=4))
def test_a_shell_reads_quoted_words_as_they_were(words):
    read = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {quoted(words)}"],
        capture_output=True,
        check=True,
        env={"LC_ALL": "C"},
    )
    assert read.stdout.decode().split("\0")[: len(words)] == words
