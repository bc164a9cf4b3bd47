"""What is wrong is told in words of no front end, and what would help in the words of the one that shows it."""

from __future__ import annotations

import pickle
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weightlab._cures import Cure, Fault, as_argument, as_key, at, reworded
from weightlab._text import shown
from weightlab.exceptions import DirectionWarning, FileFormatError, InputError, UnknownNameError, WeightlabError

OVER = Cure("over", "tasks")
BOTH = Fault("a table has no votes", OVER, Cure("over", "instances", "to see questions"))


def test_python_shows_cures_as_arguments():
    error = InputError(BOTH)
    assert str(error) == "a table has no votes; pass over='tasks' or over='instances' to see questions"
    assert (error.message, error.args) == ("a table has no votes", ("a table has no votes",))
    assert error.cure == (OVER, Cure("over", "instances", "to see questions"))
    assert InputError("nothing helps").cure == ()


def test_a_fault_of_a_list_has_its_own_cure():
    error = FileFormatError("t.csv", ["plain", Fault("odd.", Cure("percent", ["a"]))])
    assert str(error) == "t.csv: 2 faults:\n  - plain\n  - odd; pass percent=['a']."
    assert error.cure == (Cure("percent", ["a"]),)


def test_of_a_toml_file_keys_are_shown():
    odd = Fault("odd", Cure("spread", {'a "b"\x85': "dropped"}), Cure("drop", ["x", "y"]), Cure("raw", value=True))
    keys = 'write spread = { "a \\"b\\"\\U00000085" = "dropped" } or drop = ["x", "y"] or raw = true'
    assert str(FileFormatError("t.toml", odd)) == f"t.toml: odd; {keys}"
    assert str(InputError(at("t.toml", odd))) == f"t.toml: odd; {keys}"
    assert keys not in str(InputError(at("t.csv", odd)))
    assert as_key(Cure("drop", None)) == "omit drop"


def test_an_argument_is_omitted_and_a_method_called():
    assert as_argument(Cure("norm", None)) == "omit norm"
    assert as_argument(Cure(".complete", {})) == "call .complete()"
    assert as_argument(Cure(".select", {"tasks": ["a"]}, "(2 of 3)")) == "call .select(tasks=['a']) (2 of 3)"


def test_cures_outlive_rewording_places_and_travel():
    told = at("t.csv", reworded("other words", BOTH, BOTH))
    assert (told, told.cure) == ("t.csv: other words", BOTH.cure)
    there = pickle.loads(pickle.dumps(InputError([told])))  # noqa: S301 (our own pickle)
    assert (str(there), there.cure) == (str(InputError([told])), BOTH.cure)
    assert pickle.loads(pickle.dumps(DirectionWarning(BOTH))).cure == BOTH.cure  # noqa: S301 (our own pickle)


def test_a_cure_names_the_columns_it_is_for():
    assert Cure("percent", [...]).of("a", "b").value == ["a", "b"]
    assert Cure("spread", {...: "dropped"}).of("a", "b").value == {"a": "dropped", "b": "dropped"}
    assert Cure("decimal", ",").of("a").value == ","


def test_a_cure_is_shown_whole_or_not_at_all():
    name = "n" * 20_000
    assert str(InputError(Fault("odd", Cure("drop", [name])))) == "odd"
    assert "(2,000 characters)" not in str(InputError(Fault("odd", Cure("drop", ["n" * 2000]))))


HIDDEN = st.text(st.sampled_from("\x1b\x07\r\x9b\u202e\u2066\u200b\u2028a"), min_size=1).filter(
    lambda name: name != "a"
)


@given(HIDDEN)
def test_names_in_every_message_are_escaped(name):
    made = [
        WeightlabError(f"x {name}"),
        InputError([Fault(name, Cure("drop", [name], name)), name], heading=name),
        FileFormatError(name, Fault(name, Cure("drop", [name]))),
        FileFormatError(f"{name}.toml", Fault(name, Cure("drop", [name]))),
        UnknownNameError("model", name, [name, f"{name}a"], holder=name),
        DirectionWarning(Fault(name, Cure("drop", [name]))),
    ]
    for error in made:
        for text in (str(error), error.message):
            assert all(shown(line) == line for line in text.split("\n"))


def test_names_in_warnings_are_escaped():
    with pytest.warns(DirectionWarning, match=r"\\x1b"):
        warnings.warn(DirectionWarning("\x1b[2J"), stacklevel=1)
