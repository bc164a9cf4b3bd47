"""Commands that a report names can be copied into a shell, whatever names they hold."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from weightlab._text import shell_word
from weightlab.exceptions import UnprovedError
from weightlab.report.context import CommandLine
from weightlab.views.unproved import Clock, Unproved

BASH = shutil.which("bash")
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=10)


@pytest.mark.skipif(BASH is None, reason="needs bash")
@settings(max_examples=5)
@given(st.lists(TEXTS, min_size=20, max_size=20))
def test_a_shell_reads_the_very_words(words):
    line = " ".join(map(shell_word, words))
    said = subprocess.run([BASH, "-c", f"LC_ALL=C.UTF-8; printf '%s\\0' {line}"], capture_output=True, check=True)
    assert said.stdout.decode().split("\0")[:-1] == words


def test_what_a_page_would_hide_is_spelt():
    assert shell_word("a\u202eb'") == "$'a\\342\\200\\256b\\''"
    assert shell_word("two words") == "'two words'"


def test_a_command_reads_the_table_as_the_report_did():
    call = CommandLine(file="my scores.csv", options=("--complete",))
    assert call.of("win", *call.each("--model", ["-x", "y"])) == (
        "weightlab win 'my scores.csv' --complete --model=-x --model y"
    )
    assert CommandLine(file=None).of("graph") == "weightlab graph"


def test_a_clock_gives_what_is_left():
    times = iter([0.0, 1.0, 4.0, 11.0])
    clock = Clock(10, now=lambda: next(times))
    assert [clock.left(), clock.left(5), clock.left()] == [9.0, 5, 0.0]
    assert Clock(None).left() is None
    assert Clock(None).left(3) == 3
    with pytest.raises(wl.InputError, match="0 or more; got -1"):
        Clock(-1)


def test_a_bound_that_is_none_is_not_told():
    unproved = Unproved()
    unproved.add("least", UnprovedError("no proof", known={"bound": float("-inf"), "value": Fraction(1, 2)}))
    assert unproved.messages == ["least: no proof", "value: 1/2"]
