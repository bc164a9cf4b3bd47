from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from weightlab.cli.show import HIDDEN, listed, mixture, number, shown, weights_line


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_shown(text):
    import unicodedata

    assert not {letter for letter in shown(text) if unicodedata.category(letter) in HIDDEN}


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_plain_text_is_shown_as_it_is(text):
    assert shown(text) == text


def test_short_fractions_are_shown_exactly_and_long_ones_rounded():
    assert [number(Fraction(1, 3)), number(Fraction(12345, 67891)), number(Fraction(2))] == ["1/3", "0.1818", "2"]


def test_numbers_beyond_floats_are_shown_in_powers_of_ten():
    assert number(Fraction(10**400 + 1, 3)) == "3.3333e+399"
    assert number(-Fraction(10**20)) == "-1.0000e+20"


def test_long_lists_are_counted():
    assert listed("abcdefg", most=3) == "a, b, c and 4 more"


def test_a_mixture_names_its_greatest_shares_first():
    assert mixture([("a", Fraction(1, 3)), ("b", Fraction(2, 3)), ("c", Fraction(0))]) == "2/3 b + 1/3 a"
    assert mixture([("a", Fraction(1))]) == "a"


def test_many_weights_are_summed_up():
    weights = [(f"t{i}", Fraction(1, 10)) for i in range(10)]
    assert weights_line(weights, most=9).endswith("1 more task 1/10 together")
