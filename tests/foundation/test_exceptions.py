"""Errors say what was found, where, and what would be accepted, and carry these as attributes."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import names
from weightlab import exceptions
from weightlab._cures import Cure, Fault
from weightlab.exceptions import (
    EmptySpaceError,
    FileFormatError,
    ImpossibleError,
    InputError,
    MissingScoresError,
    NoWinnerError,
    ProofError,
    ReadingError,
    SolverError,
    TimeLimitError,
    UnknownNameError,
    UnprovedError,
    WeightlabError,
    nearest_name,
    unknown_name,
)

ERRORS = [
    WeightlabError("something"),
    WeightlabError(Fault("something", Cure("over", "tasks"))),
    InputError("one fault"),
    InputError(["one", "two"], heading="both"),
    FileFormatError("scores.csv", ["row 3", "row 5"]),
    ReadingError("scores.csv", ["x: likely lower"], reading=None, ways=[{"accept_reading": True}]),
    UnknownNameError("model", "eda", ["ada", "bo"]),
    MissingScoresError("2 missing scores"),
    EmptySpaceError("no weights", conditions=["x >= 1", "x <= 0"], proof={"gap": 1}),
    ProofError("0 < 1 fails"),
    UnprovedError("no proof", known={"lower": 0}),
    TimeLimitError("too late", known={"upper": 1}),
    ImpossibleError("never", proof=("a", "b")),
    NoWinnerError("a cycle"),
    SolverError("the solver stopped"),
]
WARNINGS = {"DirectionWarning", "ResultsWarning", "SolverWarning"}


def pickled(error):
    return pickle.loads(pickle.dumps(error))  # noqa: S301 (our own pickle)


def test_there_is_a_case_of_every_error():
    assert {type(error).__name__ for error in ERRORS} == set(exceptions.__all__) - {"Cure"} - WARNINGS


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_is_a_weightlab_error(error):
    assert isinstance(error, WeightlabError)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("travel", [pickled, copy.copy, copy.deepcopy])
def test_an_error_travels_whole_between_processes(error, travel):
    arrived = travel(error)
    assert type(arrived) is type(error)
    assert (str(arrived), arrived.args, vars(arrived)) == (str(error), error.args, vars(error))


def test_wrong_input_is_a_value_error():
    with pytest.raises(ValueError, match="one fault"):
        raise InputError("one fault")


def test_an_unknown_name_is_a_lookup_error_but_no_key_error():
    assert issubclass(UnknownNameError, LookupError)
    assert not issubclass(UnknownNameError, KeyError)  # whose text would be quoted once more


def test_a_lone_fault_is_the_message():
    error = InputError("scores are missing")
    assert (str(error), error.faults) == ("scores are missing", ("scores are missing",))


def test_several_faults_are_counted_and_listed():
    error = InputError(["a", "b", "c"])
    assert str(error) == "3 faults:\n  - a\n  - b\n  - c"
    assert error.faults == ("a", "b", "c")


def test_the_faults_of_a_file_stand_under_its_path(tmp_path):
    path = tmp_path / "scores.csv"
    assert str(FileFormatError(path, "it is empty")) == f"{path}: it is empty"
    assert str(FileFormatError(path, ["a", "b"])) == f"{path}: 2 faults:\n  - a\n  - b"
    assert FileFormatError(path, "it is empty").path == str(path)


def test_an_unknown_name_carries_what_was_meant():
    error = UnknownNameError("model", "eda", ["ada", "bo"])
    assert str(error) == "no model named 'eda'; the leaderboard has 'ada', 'bo' (did you mean 'ada'?)"
    assert (error.kind, error.name, error.known, error.suggestion) == ("model", "eda", ("ada", "bo"), "ada")


def test_an_unknown_name_far_from_all_suggests_none():
    error = UnknownNameError("task", "zzz", ["ada", "bo"], holder="profile")
    assert str(error) == "no task named 'zzz'; the profile has 'ada', 'bo'"
    assert error.suggestion is None


def test_many_known_names_are_counted():
    known = [f"t{number}" for number in range(9)]
    assert unknown_name("task", "x", known) == (
        "no task named 'x'; the leaderboard has 't0', 't1', 't2', 't3', 't4', 't5', ... (9 in all)"
    )


def test_no_known_name_is_said():
    assert unknown_name("group", "nli", []) == "no group named 'nli'; the leaderboard has none"


def test_case_does_not_hide_the_nearest_name():
    assert nearest_name("BOOLQ", ["CoLA", "BoolQ"]) == "BoolQ"
    assert nearest_name("straße", ["STRASSE", "x"]) == "STRASSE"


@given(names(), st.text(max_size=8))
def test_the_nearest_name_is_a_known_one(known, name):
    assert nearest_name(name, known) in {None, *known}


@given(names())
def test_a_known_name_is_nearest_to_itself(known):
    for name in known:
        assert nearest_name(name, known).casefold() == name.casefold()


def test_an_error_without_bounds_knows_nothing():
    assert UnprovedError("no proof").known == {}
    assert EmptySpaceError("none").conditions == ()
