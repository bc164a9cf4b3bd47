from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from weightlab._text import HIDDEN, listed, number, rounded, shown
from weightlab.cli.terminal import show
from weightlab.cli.terminal.show import headed
from weightlab.views.words import known_lines, mixture, weights_line


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_shown(text):
    import unicodedata

    assert not {letter for letter in shown(text) if unicodedata.category(letter) in HIDDEN}


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_plain_text_is_shown_as_it_is(text):
    assert shown(text) == text


def test_short_fractions_are_shown_exactly_and_long_ones_rounded():
    assert [number(Fraction(1, 3)), number(Fraction(12345, 67891)), number(Fraction(2))] == ["1/3", "0.182", "2"]


def test_numbers_beyond_floats_are_shown_in_powers_of_ten():
    assert number(Fraction(10**400 + 1, 3)) == "3.3333e+399"
    assert number(-Fraction(10**20)) == "-1.0000e+20"


@given(st.fractions() | st.fractions(-2, 2).map(lambda value: value**9))
def test_bounds_are_rounded_to_their_own_side(value):
    below, near, above = (Fraction(number(value, to)) for to in (floor, round, ceil))
    assert below <= value <= above
    assert near in {below, above}
    assert above - below <= max(Fraction(1, 10**6), abs(value) / 10**2)


@given(st.fractions(-1, 1), st.integers(0, 12), st.sampled_from([floor, round, ceil]))
def test_only_zero_is_shown_as_zero(value, power, to):
    small = value / 10**power
    assert (Fraction(number(small, to)) == 0) == (small == 0)
    assert (Decimal(rounded(small, 2, to)) == 0) == (small == 0)


def test_what_four_places_would_hide_is_shown_in_powers_of_ten():
    assert number(Fraction(12, 10**10 + 1)) == "1.2e-9"
    assert number(Fraction(-99999, 10**5 + 1), ceil) == "-0.999"
    assert number(Fraction(33336, 10**5), floor) == "0.333"
    assert rounded(Fraction(1, 400), 2) == "2.5e-3"


def test_long_lists_are_counted():
    assert listed("abcdefg", most=3) == "a, b, c and 4 more"


def test_a_mixture_names_its_greatest_shares_first():
    uneven = [("a", Fraction(1, 3)), ("b", Fraction(2, 3)), ("c", Fraction(0))]
    assert mixture(uneven) == "a mixture of b (66.7%) and a (33.3%)"
    assert mixture([("a", Fraction(1, 2)), ("b, c", Fraction(1, 2))]) == "an even mixture of a and 'b, c'"
    assert mixture([("a", Fraction(1))]) == "a"


def test_what_an_error_knows_is_told_in_words():
    known = {
        "value": None,
        "x": (Fraction(1), Fraction(0)),
        "bound": Fraction(5, 2),
        "order": (("a",), ("b\a", "c")),
        "members": ("a", "b"),
    }
    assert known_lines(known) == ["bound: 5/2", r"order: a > b\x07 ~ c", "members: a, b"]


def test_many_weights_are_summed_up():
    weights = [(f"t{i}", Fraction(1, 10)) for i in range(10)]
    assert weights_line(weights, most=9).endswith("1 more task 10% together")


def test_a_long_heading_leaves_room_for_what_it_heads(monkeypatch):
    terminal = Console(width=80, force_terminal=True, color_system=None, markup=False)
    monkeypatch.setattr(show, "console", lambda: terminal)
    with terminal.capture() as captured:
        terminal.print(headed([("Where " + "x" * 90 + " wins", ["one +1/2   two -1/2"])]))
    lines = captured.get().splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "one +1/2   two -1/2" in lines[0]
    assert "".join(line[:40].strip() for line in lines).count("x") == 90
