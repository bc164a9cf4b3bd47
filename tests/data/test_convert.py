"""What users hold becomes what is asked about by one call."""

from __future__ import annotations

import pandas as pd
import pytest

import weightlab as wl
from weightlab.data.convert import as_margins, as_profile, as_relations, as_signs, as_table, as_tables
from weightlab.exceptions import InputError

BOARD = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, weights={"x": 2})
PROFILE = BOARD.rankings()
SUITE = wl.Suite({"d": {"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}}})


@pytest.mark.parametrize("source", [BOARD, PROFILE, BOARD.signs()])
def test_signs_come_from_leaderboards_profiles_and_signs(source):
    assert as_signs(source).duel("b", "a").tolist() == [1, 0]


@pytest.mark.parametrize("source", [BOARD, PROFILE, BOARD.margins()])
def test_margins_come_from_leaderboards_profiles_and_margins(source):
    assert as_margins(source).margin("b", "a") == 2


@pytest.mark.parametrize("source", [BOARD, PROFILE])
def test_profiles_come_from_leaderboards_with_their_ties_and_from_profiles(source):
    assert as_profile(source).orders == ((("b",), ("a",)), (("a", "b"),))


@pytest.mark.parametrize(("source", "count"), [(SUITE, 1), (PROFILE, 2), (PROFILE.relations(), 2)])
def test_relations_come_from_suites_profiles_and_relations(source, count):
    assert len(as_relations(source)) == count


def test_relations_of_a_suite_are_weak_majorities():
    assert as_relations(SUITE).array.all()


@pytest.mark.parametrize(
    ("convert", "wanted"),
    [(as_signs, "Signs"), (as_margins, "Margins"), (as_profile, "Profile"), (as_relations, "Relations")],
)
def test_derived_data_pass_as_the_very_object(convert, wanted):
    own = {"Signs": BOARD.signs(), "Margins": BOARD.margins(), "Profile": PROFILE, "Relations": PROFILE.relations()}
    assert convert(own[wanted]) is own[wanted]


@pytest.mark.parametrize(
    ("convert", "wanted"),
    [(as_signs, "Signs"), (as_margins, "Margins"), (as_profile, "Profile"), (as_relations, "Relations")],
)
@pytest.mark.parametrize("source", [None, 3, {"x": {"a": 1}}])
def test_other_things_are_refused_by_type(convert, wanted, source):
    with pytest.raises(TypeError) as caught:
        convert(source)
    assert str(caught.value) == f"a {wanted} or what it is made from is needed; got {type(source).__name__}"


@pytest.mark.parametrize("convert", [as_signs, as_margins, as_profile])
def test_a_frame_that_is_no_leaderboard_is_refused_as_the_class_refuses_it(convert):
    with pytest.raises(InputError, match="a leaderboard needs at least two models; got 0"):
        convert(pd.DataFrame())


@pytest.mark.parametrize("convert", [as_table, as_tables, as_signs, as_margins, as_profile, as_relations])
def test_a_path_is_refused_with_what_reads_it(convert):
    with pytest.raises(InputError, match=r"not a path: wl.read_leaderboard\('scores.csv'\) reads one"):
        convert("scores.csv")


@pytest.mark.parametrize("source", [BOARD, PROFILE, SUITE, BOARD.signs(), None])
def test_all_but_frames_pass_as_the_very_object(source):
    assert as_table(source) is source
    assert as_tables(source) is source


def test_frames_become_what_the_class_makes_of_them():
    frame = pd.DataFrame({("g", "x"): {"a": 1, "b": 2}, ("g", "y"): {"a": 2, "b": 1}})
    assert as_table(frame).equals(wl.Leaderboard(frame))
    assert as_tables(frame).equals(wl.Suite(frame))
    assert as_relations(frame).to_dict() == as_relations(wl.Suite(frame)).to_dict()
