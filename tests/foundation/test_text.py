"""Names and words in a row: what is hidden is spelt out, and of many only the first few are said."""

from __future__ import annotations

import pytest

from weightlab._text import first_few, in_words, shown


def test_what_a_terminal_would_obey_is_spelt_out():
    assert shown("a\x1b[2Jb\u202ec") == "a\\x1b[2Jb\\u202ec"


@pytest.mark.parametrize(
    ("count", "said"), [(0, ""), (1, "a"), (3, "a, b, c"), (4, "a, b, c and 1 more"), (6, "a, b, c and 3 more")]
)
def test_the_first_few_are_said_and_the_rest_is_counted(count, said):
    assert first_few(iter("abcdef"[:count]), 3) == said


@pytest.mark.parametrize(
    ("count", "said"), [(0, ""), (1, "a"), (2, "a and b"), (3, "a, b and c"), (4, "a, b, c and 1 more")]
)
def test_words_end_in_an_and(count, said):
    assert in_words("abcdef"[:count], 3) == said
