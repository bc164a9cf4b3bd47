"""What all results share: a sentence, a table, a JSON form, and a way to re-check the claim."""

from __future__ import annotations

import json
import subprocess
import sys
from enum import StrEnum
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab import _result
from weightlab._result import (
    FORMAT,
    Proof,
    Result,
    ensure,
    exact_series,
    read_fraction,
    read_numbers,
    result_from_dict,
    to_json,
    weakest,
)
from weightlab.exceptions import InputError, ProofError, UnknownNameError


class Colour(StrEnum):
    RED = "red"


CLAIM = {"kind": "claim", "format": FORMAT}


class Claim(Result):
    """A half is at most what is claimed; the claim is named <b>."""

    bound: Fraction

    def __str__(self):
        return f"<b> is at most {self.bound}"

    def verify(self, source=None):
        ensure(source is None or source == self.bound, "the bound is not the source's")
        ensure(Fraction(1, 2) <= self.bound, f"1/2 <= {self.bound}")
        return True

    def to_dict(self):
        return {"kind": "claim", "format": FORMAT, "bound": to_json(self.bound)}

    @classmethod
    def from_dict(cls, document):
        if document.get("raise"):
            raise document["raise"]
        return cls(bound=read_fraction(document["bound"], "bound"))


def test_a_result_is_shown_as_its_type_and_sentence_in_one_line_and_never_as_its_data():
    assert repr(Claim(bound=Fraction(2, 3))) == "Claim: <b> is at most 2/3"


@pytest.fixture
def _claims(monkeypatch):
    """Let claims be known only here: the registry is shared by all tests."""
    monkeypatch.setitem(_result.KINDS, "claim", Claim)


def test_a_claim_that_holds_is_true():
    assert Claim(bound=Fraction(1, 2)).verify()
    assert Claim(bound=Fraction(1, 2)).verify(Fraction(1, 2))


def test_a_claim_that_fails_names_the_inequality():
    with pytest.raises(ProofError, match=r"^1/2 <= 1/3$"):
        Claim(bound=Fraction(1, 3)).verify()


@pytest.mark.parametrize("digits", ["9" * 4000, "7" * 4000])
def test_numbers_too_long_for_a_message_are_refused_as_other_false_claims_are(digits):
    class Long(Result):
        one: Fraction
        other: Fraction

        def verify(self, source=None):
            del source
            ensure(self.one + self.other == 1, f"they sum to {self.one + self.other}")
            return True

    claim = Long(one=read_fraction(f"1/{digits}", ""), other=read_fraction(f"1/{int(digits) - 1}", ""))
    with pytest.raises(ProofError, match="the numbers of the Long cannot be checked"):
        claim.verify()


def test_a_result_is_frozen_and_compared_by_identity():
    one, other = Claim(bound=Fraction(1)), Claim(bound=Fraction(1))
    assert one != other
    assert len({one, other}) == 2
    with pytest.raises(AttributeError):
        one.bound = Fraction(2)


def test_a_result_is_exact_unless_it_says_otherwise():
    assert Claim(bound=Fraction(1)).proof is Proof.EXACT
    assert [str(proof) for proof in Proof] == ["exact", "exact_witness", "sampled"]


@pytest.mark.parametrize("name", ["proved", "believed"])
@pytest.mark.parametrize("forged", [[], ["the lead"], ["everything"] * 2, "everything", None, {"everything": 1}])
def test_what_is_proved_and_what_is_believed_follows_from_a_result_and_cannot_be_forged(name, forged):
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}})
    for result in (wl.lp.prospect(board, "a"), wl.lp.winning_shares(board, samples=10, rng=0)):
        document = json.loads(json.dumps(result.to_dict()))
        assert result_from_dict(document).to_dict() == document
        if document[name] == forged:
            continue
        with pytest.raises(ProofError, match=f"does not prove {name}"):
            result_from_dict({**document, name: forged})
        with pytest.raises(InputError, match=f"lacks '{name}'"):
            result_from_dict({key: value for key, value in document.items() if key != name})


def test_claims_together_are_proved_as_much_as_the_one_that_is_proved_least():
    for proofs in permutations(Proof):
        assert weakest(proofs) is Proof.SAMPLED
    assert weakest([Proof.EXACT, Proof.EXACT_WITNESS]) is Proof.EXACT_WITNESS
    assert weakest([]) is Proof.EXACT


def test_a_result_shows_itself_in_notebooks_without_markup_of_its_own():
    page = Claim(bound=Fraction(1))._repr_html_()
    assert page.startswith("<div><p>&lt;b&gt; is at most 1 <span")
    assert "<b>" not in page


def test_a_result_without_its_own_parts_says_so():
    with pytest.raises(ProofError, match=r"^a Result carries nothing to check \(source: NoneType\)$"):
        Result().verify()
    with pytest.raises(InputError, match=r"^a Result has no JSON form$"):
        Result().to_dict()
    with pytest.raises(InputError, match=r"^a Result has no JSON form$"):
        Result.from_dict({"format": FORMAT, "bound": 1})


def test_a_kind_is_registered_by_naming_it(monkeypatch):
    monkeypatch.setattr(_result, "KINDS", {})

    class Named(Result, kind="named"):
        """Named."""

    class Unnamed(Result):
        """Not named."""

    assert (_result.KINDS, Named.kind, Unnamed.kind) == ({"named": Named}, "named", "")


@pytest.mark.usefixtures("_claims")
def test_a_result_survives_the_journey_through_json():
    claim = Claim(bound=Fraction(2, 3))
    assert result_from_dict(json.loads(json.dumps(claim.to_dict()))).bound == claim.bound


@pytest.mark.usefixtures("_claims")
@pytest.mark.parametrize(
    ("document", "message"),
    [
        (None, "this is not a result: a JSON object with a 'kind' is needed"),
        ([], "this is not a result: a JSON object with a 'kind' is needed"),
        ({}, "this is not a result: a JSON object with a 'kind' is needed"),
        ({"kind": 3}, "this is not a result: a JSON object with a 'kind' is needed"),
        (CLAIM, "the result lacks 'bound'"),
        (CLAIM | {"bound": 0.5}, "bound: '0.5' is not a fraction 'p/q'"),
        (CLAIM | {"raise": TypeError("list")}, "the result has a part of the wrong form: list"),
        (CLAIM | {"raise": AttributeError("x")}, "the result has a part of the wrong form: x"),
        (CLAIM | {"raise": IndexError("x")}, "the result has a part of the wrong form: x"),
        (CLAIM | {"raise": ValueError("x")}, "the result has a part of the wrong form: x"),
        (CLAIM | {"raise": OverflowError("x")}, "the result has a part of the wrong form: x"),
        (CLAIM | {"raise": InputError("said already")}, "said already"),
    ],
)
def test_a_document_that_is_no_result_is_refused(document, message):
    with pytest.raises(InputError) as caught:
        result_from_dict(document)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("number", "has"),
    [
        ({}, "has no format number"),
        ({"format": 1}, "is of format 1"),
        ({"format": 3}, "is of format 3"),
        ({"format": "2"}, "is of format '2'"),
        ({"format": 2.0}, "is of format 2.0"),
        ({"format": True}, "is of format True"),
        ({"format": None}, "is of format None"),
    ],
)
def test_a_document_of_another_format_is_refused_with_both_numbers(number, has):
    result = wl.lp.prospect(wl.Leaderboard({"x": {"a": 2, "b": 1}}), "a")
    other = {name: value for name, value in result.to_dict().items() if name != "format"} | number
    for read in (result_from_dict, type(result).from_dict):
        with pytest.raises(InputError) as caught:
            read(other)
        assert str(caught.value) == (
            f"this document {has}, so another version of weightlab wrote it; this version reads format {FORMAT}: "
            "make it again, with the command that made it"
        )


@pytest.mark.usefixtures("_claims")
def test_an_unknown_name_inside_a_document_stays_an_unknown_name():
    with pytest.raises(UnknownNameError):
        result_from_dict(CLAIM | {"raise": UnknownNameError("model", "x", [])})


@pytest.mark.usefixtures("_claims")
def test_an_unknown_kind_is_told_the_known_ones():
    with pytest.raises(InputError, match=r"^no result of kind 'clam'; there are .*claim"):
        result_from_dict({"kind": "clam"})


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Fraction(-1, 3), "-1/3"),
        (Fraction(2), "2/1"),
        (Colour.RED, "red"),
        ((1, (2, None)), [1, [2, None]]),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset("ba"), ["a", "b"]),
        (np.int64(3), 3),
        (np.float64(0.5), 0.5),
        (np.bool_(True), True),  # noqa: FBT003 (the value under test)
        (np.array([[1, 2]]), [[1, 2]]),
        (pd.Series([Fraction(1, 2)], index=["a"], dtype=object), {"a": "1/2"}),
        (pd.Index(["a"]), ["a"]),
        ({1: {"x": Fraction(1, 2)}}, {"1": {"x": "1/2"}}),
        ([True, 1, 0.5, "text", None], [True, 1, 0.5, "text", None]),
    ],
)
def test_values_become_plain(value, plain):
    assert to_json(value) == plain
    assert type(to_json(value)) is type(plain)
    json.dumps(to_json(value), allow_nan=False)


@pytest.mark.parametrize("value", [object(), b"bytes", 1j, pd.DataFrame({"x": [1]})])
def test_what_has_no_plain_form_is_refused(value):
    with pytest.raises(TypeError, match=f"^a {type(value).__name__} has no JSON form$"):
        to_json(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), np.float64("-inf"), [float("nan")]])
def test_floats_that_json_cannot_say_are_refused(value):
    with pytest.raises(ValueError, match=r"^(nan|-?inf) has no JSON form$"):
        to_json(value)


@given(st.fractions())
def test_a_fraction_reads_back_from_its_text(value):
    assert read_fraction(to_json(value), "x") == value


@pytest.mark.parametrize(
    "text", ["1e999999999", "0.5", "", " 1/2", "1/2 ", "1/-2", "+1/2", "\u0661/2", "a", 1, None, ["1/2"]]
)
def test_text_that_is_no_fraction_is_refused(text):
    with pytest.raises(InputError) as caught:
        read_fraction(text, "weight of 'x'")
    assert str(caught.value) == f"weight of 'x': {str(text)!r} is not a fraction 'p/q'"


def test_a_fraction_with_a_zero_below_is_refused():
    with pytest.raises(InputError, match=r"^bound: '1/0' is not a fraction: "):
        read_fraction("1/0", "bound")


def test_a_fraction_with_more_digits_than_python_reads_is_refused():
    with pytest.raises(InputError, match=r"^bound: '1{60}' is not a fraction: "):
        read_fraction("1" * 10_000, "bound")


@given(st.dictionaries(st.text(), st.fractions()))
def test_a_series_of_fractions_survives_the_journey(values):
    series = exact_series(list(values.values()), list(values), "weight")
    back = exact_series(
        list(read_numbers(json.loads(json.dumps(to_json(series))), "x").values()), list(values), "weight"
    )
    assert back.tolist() == list(values.values())
    assert (list(back.index), back.dtype, back.name) == (list(values), object, "weight")


def test_integers_in_a_series_of_fractions_become_fractions():
    assert [type(value) for value in exact_series([1, Fraction(1, 2)], ["a", "b"], "x")] == [Fraction, Fraction]


@pytest.mark.parametrize("values", [["1/2", "1/2"], [0.5, 0.5], [Fraction(1)]])
def test_a_series_that_is_not_of_fractions_one_a_name_is_refused(values):
    with pytest.raises(InputError) as caught:
        exact_series(values, ["a", "b"], "weight")
    assert str(caught.value) == "weight: 2 fractions are needed, one a name"


def test_results_load_what_draws_only_to_draw():
    code = "import sys, weightlab.lp; print('matplotlib' in sys.modules, 'weightlab.plots' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
