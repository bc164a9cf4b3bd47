"""Names and words in a row: what is hidden is spelt out, and of many only the first few are said."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest

import weightlab as wl
from weightlab._text import first_few, in_words, listed, percent, quoted, shortened, shown


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


def test_messages_shorten_what_nobody_reads():
    assert shortened("1" * 10**6 + " is no weight") == f"{'1' * 20}...{'1' * 20} (1,000,000 digits) is no weight"
    assert shortened("no model named " + "x" * 1002) == f"no model named {'x' * 333}...{'x' * 333} (1,002 characters)"
    assert len(shortened("a b " * 10**5 + "\n" + "c d " * 10**5)) < 20_000


@pytest.mark.parametrize(
    "message", ["", "2 faults:\n  - one\n  - two", f"{'1' * 60}/3 is {'/folder' * 100}", "a b\n" * 10**4]
)
def test_messages_that_can_be_read_stay_as_they_are(message):
    assert shortened(message) == message


def test_errors_say_shortened_what_they_hold_whole():
    error = wl.InputError("9" * 10**6)
    assert len(str(error)) < 100
    assert error.faults == ("9" * 10**6,)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        ("0", "0%"),
        ("1", "100%"),
        ("1/3", "33.3%"),
        ("3/50", "6%"),
        ("1/3000", "0.03%"),
        ("1/27000", "0.004%"),
        ("1/10000000", "1.0e-5%"),
    ],
)
def test_no_share_but_zero_is_shown_as_zero(share, text):
    assert percent(Fraction(share)) == text


def test_a_share_is_rounded_to_the_side_that_keeps_a_sentence_true():
    share = Fraction(2, 3)
    assert (percent(share, floor), percent(share), percent(share, ceil)) == ("66.6%", "66.7%", "66.7%")


def test_a_name_with_commas_is_quoted_in_a_list_so_that_it_is_not_taken_for_several():
    assert listed(["a", "b, c", "d\x1b"]) == "a, 'b, c', d\\x1b"
    assert (quoted("a b"), quoted("a,b")) == ("a b", "'a,b'")
