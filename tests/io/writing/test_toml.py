"""Declarations as TOML text."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.io.strategies import FILE_NAME
from weightlab.io.writing.write import toml_text

ANY_TEXT = st.one_of(FILE_NAME, st.text(min_size=1, max_size=5))


def exact(value):
    return Fraction(value) if isinstance(value, int | str) else Fraction(str(value))


@given(st.lists(ANY_TEXT, min_size=1, max_size=4), ANY_TEXT)
def test_names_read_back(names, name):
    text = toml_text({"drop": names, "model": name, "groups": {name: names}})
    assert tomllib.loads(text) == {"drop": names, "model": name, "groups": {name: names}}


@given(
    st.dictionaries(
        ANY_TEXT,
        st.one_of(st.fractions(), st.decimals(allow_nan=False, allow_infinity=False, places=30).map(Fraction)),
        min_size=1,
    )
)
def test_numbers_read_back_exactly(weights):
    read = tomllib.loads(toml_text({"weights": weights}), parse_float=Decimal)["weights"]
    assert {name: exact(value) for name, value in read.items()} == weights


def test_short_decimals_are_numbers_and_all_else_is_text():
    weights = {"a": Fraction(2), "b": Fraction(-1, 10), "c": Fraction(1, 3), "d": Fraction(10**20)}
    assert toml_text({"weights": weights}) == '[weights]\na = 2\nb = -0.1\nc = "1/3"\nd = "100000000000000000000"\n'


def test_what_is_empty_is_left_out():
    assert toml_text({"drop": (), "weights": {}, "groups": {}}) == ""
