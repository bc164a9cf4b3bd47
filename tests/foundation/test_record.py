"""Records: what is written is read back the same, and everything else is refused with the field's name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab._result import (
    SHARED,
    ByName,
    Codec,
    ExactMatrix,
    IntMatrix,
    Record,
    Seen,
    SignMatrix,
    exact_series,
    part,
    read_integers,
    read_names,
    read_numbers,
)
from weightlab.data import Leaderboard, Margins, Profile, Relations, Signs
from weightlab.exceptions import InputError, ProofError, UnprovedError


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def backwards(text):
    return text[::-1]


def read_backwards(text, what):
    return backwards(*read_names([text], what))


class Leaf(Record):
    """A part with weights under names of its own."""

    weights: Seen[pd.Series] = ByName()


class Tree(Record):
    """A record that holds itself."""

    name: str
    below: tuple[Tree, ...] = ()


class Whole(Record):
    """One field of every form."""

    derived: ClassVar[tuple[str, ...]] = ("size",)

    names: tuple[str, ...]
    text: str
    yes: bool
    whole: int
    number: float
    ratio: Fraction
    colour: Colour
    choice: Literal["up", "down"]
    maybe: Fraction | None
    either: int | str | None
    pair: tuple[str, int]
    by_name: Mapping[str, tuple[Fraction, ...]]
    shares: Seen[pd.Series] = ByName()
    sparse: Seen[pd.Series] = ByName("names")
    many: Seen[tuple[pd.Series, ...]] = ByName("names", called="share")
    none: Seen[pd.Series | None] = ByName()
    pairs: Seen[pd.DataFrame] = Seen(IntMatrix, np.asarray, lambda _, held: pd.DataFrame(held))
    signs: SignMatrix
    counts: IntMatrix
    table: ExactMatrix
    leaf: Leaf
    part: Leaf | Tree | None
    data: Leaderboard | Margins | Profile | Signs
    reversed: Annotated[str, Codec(backwards, read_backwards)]

    @property
    def size(self) -> int:
        return len(self.names) + len(self.signs)


BOARD = wl.Leaderboard(
    {"x": {"a": 1, "b": "0.1", "c": None}, "y": {"a": 2, "b": 2, "c": 3}},
    lower_is_better="y",
    weights={"y": "1/3"},
    groups={"all": ["x", "y"]},
    tolerance={"x": "0.05"},
)
PROFILE = wl.Profile.from_orders([["a", ("b", "c")], ["c"]], models="abc", weights=[2, 1])
names = st.lists(st.text(max_size=3), unique=True, max_size=4)
integers = st.integers(-(10**30), 10**30)


@st.composite
def wholes(draw):
    """Records with a field of every form."""
    own = draw(names)
    shape = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    cells = shape[0] * shape[1]

    def matrix(cell):
        return np.array(draw(st.lists(cell, min_size=cells, max_size=cells)), dtype=object).reshape(shape)

    return Whole(
        names=tuple(own),
        text=draw(st.text()),
        yes=draw(st.booleans()),
        whole=draw(integers),
        number=draw(st.floats(allow_nan=False, allow_infinity=False)),
        ratio=draw(st.fractions()),
        colour=draw(st.sampled_from(Colour)),
        choice=draw(st.sampled_from(["up", "down"])),
        maybe=draw(st.none() | st.fractions()),
        either=draw(st.none() | integers | st.text()),
        pair=(draw(st.text()), draw(integers)),
        by_name=draw(st.dictionaries(st.text(), st.lists(st.fractions()).map(tuple))),
        shares=exact_series([draw(st.fractions()) for _ in own], own, "weight"),
        sparse=exact_series([Fraction(draw(st.integers(0, 1))) for _ in own], own, "sparse"),
        many=tuple(dict.fromkeys(own, Fraction(place)) for place in range(draw(st.integers(0, 2)))),
        none=draw(st.none() | st.dictionaries(st.text(), st.fractions())),
        pairs=matrix(integers),
        signs=matrix(st.integers(-1, 1)).astype(np.int8),
        counts=matrix(integers),
        table=matrix(st.fractions()),
        leaf=Leaf(weights=exact_series([Fraction(draw(st.integers(0, 1))) for _ in own], own, "weight")),
        part=draw(st.none() | st.builds(Tree, name=st.text(), below=st.just((Tree(name="inner"),)))),
        data=draw(st.sampled_from([BOARD, PROFILE, PROFILE.margins(), BOARD.signs()])),
        reversed=draw(st.text()),
    )


def travelled(record):
    return type(record).from_dict(json.loads(json.dumps(record.to_dict())))


@given(wholes())
def test_a_record_that_travels_comes_back_the_same(record):
    again = travelled(record)
    assert again.to_dict() == record.to_dict()
    for name, value in vars(record).items():
        found = vars(again)[name]
        assert type(found) is type(value), name
        if isinstance(value, np.ndarray):
            assert np.array_equal(found, value)
        elif not isinstance(value, Record | Leaderboard | Margins | Profile | Signs):
            assert found == value
    assert again.leaf.weights.to_dict() == record.leaf.weights.to_dict()


def plain(**changes):
    """Return the document of a record, with some parts replaced."""
    return {
        "size": 4,
        "names": ["p", "q"],
        "text": "t",
        "yes": True,
        "whole": 1,
        "number": 0.5,
        "ratio": "1/2",
        "colour": "red",
        "choice": "up",
        "maybe": None,
        "either": None,
        "pair": ["a", 1],
        "by_name": {"a": ["1/2"]},
        "shares": {"a": "1/2", "b": "0/1"},
        "sparse": {"q": "2/1"},
        "many": [{}, {"p": "1/2"}],
        "none": None,
        "pairs": [[3], [4]],
        "signs": ["+0", "-0"],
        "counts": [[1, 2]],
        "table": [["1/2"]],
        "leaf": {"weights": {"p": "0/1", "q": "1/1"}},
        "part": None,
        "data": BOARD.to_dict(),
        "reversed": "abc",
        **changes,
    }


def test_what_is_not_listed_is_0():
    record = Whole.from_dict(plain())
    assert record.to_dict() == plain()
    assert record.sparse.to_dict() == {"p": 0, "q": 2}
    assert record.leaf.weights.to_dict() == {"p": 0, "q": 1}
    assert [one.to_dict() for one in record.many] == [{"p": 0, "q": 0}, {"p": Fraction(1, 2), "q": 0}]
    assert [one.name for one in (record.sparse, record.leaf.weights, *record.many)] == [
        "sparse",
        "weight",
        "share",
        "share",
    ]
    assert record.none is None
    assert record.pairs.equals(pd.DataFrame([[3], [4]]))


def test_fields_are_held_plainly_and_a_series_that_is_changed_changes_nothing():
    record = Whole.from_dict(plain())
    plain_types = (str, bool, int, float, Fraction, dict, tuple, np.ndarray, Record, wl.Leaderboard, type(None))
    assert all(isinstance(value, plain_types) for value in vars(record).values())
    assert (vars(record)["shares"], vars(record)["sparse"]) == ({"a": Fraction(1, 2), "b": 0}, {"q": 2})
    shown = record.shares
    shown["a"] = Fraction(3)
    assert record.shares["a"] == Fraction(1, 2)
    with pytest.raises(AttributeError):
        record.shares = {}
    assert replace(record, names=("q", "p")).sparse.to_dict() == {"q": 2, "p": 0}
    with pytest.raises(TypeError, match="weights"):
        Leaf()
    assert record.reversed == "cba"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": 1}, "text: a text is needed; got 1"),
        ({"yes": 1}, "yes: true or false is needed; got 1"),
        ({"whole": True}, "whole: a whole number is needed; got True"),
        ({"whole": 1.0}, "whole: a whole number is needed; got 1.0"),
        ({"number": "1"}, "number: a number is needed; got '1'"),
        ({"number": float("nan")}, "number: a number is needed; got nan"),
        ({"ratio": 0.5}, "ratio: '0.5' is not a fraction 'p/q'"),
        ({"colour": "green"}, "colour: one of 'red', 'blue' is needed; got 'green'"),
        ({"choice": None}, "choice: one of 'up', 'down' is needed; got None"),
        ({"maybe": "x"}, "maybe: 'x' is not a fraction 'p/q'"),
        ({"either": 1.5}, "either: a whole number is needed; got 1.5"),
        ({"either": {}}, "either: a whole number is needed; got {}"),
        ({"pair": ["a"]}, "pair: a list of 2 is needed; got ['a']"),
        ({"pair": ["a", "b"]}, "pair[1]: a whole number is needed; got 'b'"),
        ({"names": "pq"}, "names: a list is needed; got 'pq'"),
        ({"names": ["p", 2]}, "names[1]: a text is needed; got 2"),
        ({"by_name": {"a": ["1/0"]}}, "by_name of 'a'[0]: '1/0' is not a fraction: Fraction(1, 0)"),
        ({"by_name": []}, "by_name: an object with an entry for each name is needed; got []"),
        ({"by_name": {1: []}}, "by_name: the names must be texts; got 1"),
        ({"shares": {"a": 1}}, "shares of 'a': '1' is not a fraction 'p/q'"),
        ({"sparse": {"r": "1/2"}}, "sparse: 'r' is not among the 2 names that it may have"),
        ({"many": [{}, {"q": "1/2", "r": "1/2"}]}, "many: 'r' is not among the 2 names that it may have"),
        ({"many": {}}, "many: a list is needed; got {}"),
        ({"none": []}, "none: an object with an entry for each name is needed; got []"),
        ({"pairs": [[1.5]]}, "pairs: a cell is not an integer"),
        ({"signs": ["+0", "-"]}, "signs: texts of one length are needed, written with '+', '0' and '-'"),
        ({"signs": ["+x"]}, "signs: texts of one length are needed, written with '+', '0' and '-'"),
        ({"counts": [[1], [2, 3]]}, "counts: lists of equal lengths in 1 others are needed"),
        ({"counts": [[True]]}, "counts: a cell is not an integer"),
        ({"counts": "nan"}, "counts: a list is needed; got 'nan'"),
        ({"counts": [[[1]]]}, "counts: lists of equal lengths in 1 others are needed"),
        ({"counts": [1]}, "counts: lists of equal lengths in 1 others are needed"),
        ({"counts": [[[1], [2]], [[3, 4], [5]]]}, "counts: a cell is not an integer"),
        ({"table": [["1/2"], []]}, "table: lists of equal lengths in 1 others are needed"),
        ({"leaf": {}}, "leaf lacks 'weights'"),
        ({"leaf": []}, "leaf: an object is needed; got []"),
        ({"part": {"name": "t"}}, "part: this is no Leaf and no Tree"),
        ({"data": {"names": []}}, "data: this is no Leaderboard and no Margins and no Profile and no Signs"),
        ({"reversed": 1}, "reversed: a text is needed; got 1"),
        ({"ghost": 1}, "the result has no part 'ghost'"),
    ],
)
def test_another_form_is_refused_with_the_fields_name(change, message):
    with pytest.raises(InputError) as caught:
        Whole.from_dict(plain(**change))
    assert str(caught.value).startswith(message)


def test_no_part_may_be_missing():
    for name in plain():
        with pytest.raises(InputError, match=f"^the result lacks '{name}'$"):
            Whole.from_dict({key: value for key, value in plain().items() if key != name})
    with pytest.raises(InputError, match=r"^the result: an object is needed; got \[\]$"):
        Whole.from_dict([])


@pytest.mark.parametrize("size", [5, "4", None, True, 4.0])
def test_a_forged_derived_value_is_no_proof(size):
    with pytest.raises(ProofError, match=r"^the result does not prove size .*: it is 4$"):
        Whole.from_dict(plain(size=size))


def test_a_derived_value_that_the_fields_leave_open_is_no_proof():
    class Open(Record):
        derived: ClassVar[tuple[str, ...]] = ("verdict",)
        bounds: tuple[int, ...]

        @property
        def verdict(self) -> str:
            if len(self.bounds) == 2:
                raise UnprovedError("the verdict is open")
            return str(self.bounds[0])

    assert Open.from_dict({"verdict": "1", "bounds": [1]}).verdict == "1"
    with pytest.raises(ProofError, match=r"^the verdict is open$"):
        Open.from_dict({"verdict": "1", "bounds": [1, 2]})
    with pytest.raises(InputError, match=r"^the result: its parts do not fit together, so it has no verdict"):
        Open.from_dict({"verdict": "1", "bounds": []})


def test_a_field_without_a_form_is_a_fault_of_the_class():
    class Formless(Record):
        thing: object

    with pytest.raises(TypeError, match=r"thing: a .* has no JSON form; mark it with Codec"):
        Formless(thing=1).to_dict()


def test_readers_of_parts():
    assert part({"a": 1}, "a") == 1
    with pytest.raises(InputError, match=r"^the space lacks 'a'$"):
        part({}, "a", "the space")
    with pytest.raises(InputError, match=r"^the space: an object is needed; got 3$"):
        part(3, "a", "the space")
    assert read_numbers({"a": "1/2"}, "x") == {"a": Fraction(1, 2)}
    with pytest.raises(InputError, match=r"^x: lists of 2 cells in 1 others are needed$"):
        read_integers([[1, 2, 3]], "x", 2)


def test_a_leaderboard_travels_with_all_that_is_declared():
    document = json.loads(json.dumps(BOARD.to_dict()))
    assert document == {
        "models": ["a", "b", "c"],
        "scores": {"x": ["1/1", "1/10", None], "y": ["2/1", "2/1", "3/1"]},
        "lower_is_better": ["y"],
        "weights": {"y": "1/3"},
        "groups": {"all": ["x", "y"]},
        "tolerance": {"x": "1/20"},
    }
    assert Leaderboard.from_dict(document).equals(BOARD)
    bare = wl.Leaderboard({"x": {"a": 1, "b": 2}})
    assert bare.to_dict() == {"models": ["a", "b"], "scores": {"x": ["1/1", "2/1"]}}
    assert Leaderboard.from_dict(bare.to_dict()).equals(bare)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"models": ["a", "b"]}, "task 'x' needs a list of 2 scores, one a model"),
        ({"models": ["a", "b", 3]}, "models: a text is needed; got 3"),
        ({"scores": {"x": [1, 2, 3]}}, "score on 'x': '1' is not a fraction 'p/q'"),
        ({"scores": []}, "scores: an object with an entry for each name is needed; got []"),
        ({"weights": {"z": "1/2"}}, "no task named 'z'"),
        ({"weights": {"x": 2}}, "weights of 'x': '2' is not a fraction 'p/q'"),
        ({"groups": {"g": "x"}}, "groups of 'g': a list is needed; got 'x'"),
        ({"lower_is_better": "y"}, "lower_is_better: a list is needed; got 'y'"),
        ({"color": 1}, "the leaderboard has no part 'color'"),
        (
            {"standard_errors": {"z": [None, None, None]}},
            "there are standard errors of 'z', which is no task of the leaderboard",
        ),
    ],
)
def test_a_leaderboard_of_another_form_is_refused(change, message):
    with pytest.raises(InputError) as caught:
        Leaderboard.from_dict(BOARD.to_dict() | change)
    assert message in str(caught.value)


def changed(**options):
    declared = {
        "lower_is_better": "y",
        "weights": {"y": "1/3"},
        "groups": {"all": ["x", "y"]},
        "tolerance": {"x": "0.05"},
    }
    scores = options.pop("scores", {"y": {"c": 3, "a": 2, "b": 2}, "x": {"c": None, "a": 1, "b": "0.1"}})
    return wl.Leaderboard(scores, **(declared | options))


def test_the_order_of_models_and_tasks_makes_no_difference_unless_it_is_to():
    BOARD.ensure_same(changed())
    with pytest.raises(ProofError, match=r"^the source has the models in another order$"):
        BOARD.ensure_same(changed(), in_order=True)


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (changed(weights={"y": "2/3", "x": 2}), {"weights": "shares"}, None),
        (changed(weights={"y": "2/3", "x": 2}), {}, "the weight of 'x' is 2 in the source, not 1"),
        (changed(weights={"y": 5}), {"weights": None}, None),
        (
            changed(weights={"y": 5}),
            {"weights": "shares"},
            "the share of the weight that 'x' has is 1/6 in the source, not 3/4",
        ),
        (changed(groups={}), {}, "the source declares another groups"),
        (changed(groups={}), {"groups": False}, None),
        (changed(tolerance=0), {}, "the source declares another tolerance"),
        (changed(tolerance=0, relative_tolerance={"x": 1}), {"tolerances": False}, None),
        (changed(lower_is_better=()), {"weights": None}, "the source declares another lower_is_better"),
        (BOARD.signs(), {}, "the source must be a Leaderboard, not a Signs"),
        (
            changed(scores={"y": {"c": 3, "a": 2, "b": 2}, "x": {"c": 1, "a": 1, "b": "0.1"}}),
            {},
            "the score of 'c' on 'x' is 1 in the source, not None",
        ),
        (
            changed(scores={"y": {"d": 3, "a": 2, "b": 2}, "x": {"d": 1, "a": 1, "b": "0.1"}}),
            {},
            "the source has different models: more: 'd'; fewer: 'c'",
        ),
    ],
)
def test_the_first_difference_from_a_source_is_named(source, options, message):
    if message is None:
        BOARD.ensure_same(source, **options)
        return
    with pytest.raises(ProofError) as caught:
        BOARD.ensure_same(source, **options)
    assert str(caught.value) == message


def test_a_profile_travels_with_the_weights_that_are_not_1():
    document = json.loads(json.dumps(PROFILE.to_dict()))
    assert document == {"models": ["a", "b", "c"], "ranks": {"1": [1, 2, 2], "2": [0, 0, 1]}, "weights": {"1": "2/1"}}
    again = Profile.from_dict(document)
    assert again.to_dict() == document
    again.ensure_same(PROFILE, in_order=True)
    for change in (
        {"ranks": {"1": [1, 2]}},
        {"ranks": {"1": [1, 3, 3]}},
        {"ranks": {"1": [1, -1, 2]}},
        {"ranks": {"1": [1, 2**40, 2]}},
        {"models": ["a", "a", "b"]},
        {"weights": {"1": "-1/1"}},
        {"weights": {"3": "1/1"}},
    ):
        with pytest.raises(InputError):
            Profile.from_dict(document | change)


OTHER_WEIGHTS = "the weight of '1' is 1 in the source, not 2"


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (PROFILE.select(models=list("cba")), {}, None),
        (PROFILE.select(models=list("cba")), {"in_order": True}, "the source has the models in another order"),
        (PROFILE.select(voters=["1"]), {}, "the source has different voters: fewer: '2'"),
        (wl.Profile.from_orders([["a", ("b", "c")], ["c"]], models="abc"), {"weights": False}, None),
        (
            wl.Profile.from_orders([["a", ("b", "c")], ["c"]], models="abc"),
            {},
            "the weight of '1' is 1 in the source, not 2",
        ),
        (
            wl.Profile.from_orders([["a", ("b", "c")], ["b"]], models="abc", weights=[2, 1]),
            {},
            "the rank that '2' gives 'b' is 1 in the source, not 0",
        ),
    ],
)
def test_the_first_difference_from_a_profile_is_named(source, options, message):
    if message is None:
        PROFILE.ensure_same(source, **options)
        return
    with pytest.raises(ProofError) as caught:
        PROFILE.ensure_same(source, **options)
    assert str(caught.value) == message


def test_margins_are_compared_as_numbers_not_as_integers():
    margins = PROFILE.margins()
    finer = Margins(models=margins.models, wins=margins.wins * 3, ties=margins.ties * 3, denominator=3)
    margins.check()
    margins.ensure_same(finer)
    margins.ensure_same(PROFILE)
    Margins.from_dict(json.loads(json.dumps(margins.to_dict()))).ensure_same(margins)
    with pytest.raises(ProofError, match=r"^the weight of the wins of 'a' over 'b' is 4 in the source, not 2$"):
        margins.ensure_same(Margins(models=margins.models, wins=margins.wins * 2, ties=margins.ties, denominator=1))
    with pytest.raises(ProofError, match=r"^the source has the models in another order$"):
        margins.ensure_same(PROFILE.select(models=list("cba")))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"wins": [[0, -1], [1, 0]]}, "negative wins or ties"),
        ({"ties": [[0, 1], [2, 0]]}, "not the same from both sides"),
        ({"wins": [[1, 0], [0, 0]]}, "a duel with itself"),
        ({"wins": [[0, 1]]}, "do not fit the models"),
        ({"models": ["a", "a"]}, "not distinct names"),
        ({"denominator": 0}, "not positive: 0"),
    ],
)
def test_margins_that_are_none_are_refused(change, message):
    document = {"models": ["a", "b"], "wins": [[0, 1], [0, 0]], "ties": [[0, 0], [0, 0]], "denominator": 1}
    Margins.from_dict(document).check()
    with pytest.raises(ProofError, match=message):
        Margins.from_dict(document | change).check()


def test_signs_are_compared_in_whatever_order():
    signs = BOARD.signs()
    signs.ensure_same(changed())
    signs.ensure_same(changed().signs())
    with pytest.raises(ProofError, match=r"^the sign of 'a' over 'b' on 'x' is 0 in the source, not 1$"):
        signs.ensure_same(changed(tolerance={"x": 1}))
    with pytest.raises(ProofError, match=r"^the source has different tasks: fewer: 'y'$"):
        signs.ensure_same(wl.Leaderboard({"x": {"a": 1, "b": "0.1", "c": 1}}))


def test_relations_travel_as_texts():
    relations = PROFILE.relations()
    document = json.loads(json.dumps(relations.to_dict()))
    assert document == {
        "models": ["a", "b", "c"],
        "relations": {"1": ["111", "011", "011"], "2": ["100", "010", "001"]},
    }
    again = Relations.from_dict(document)
    again.ensure_same(PROFILE)
    again.ensure_same(relations.select(["2", "1"]))
    with pytest.raises(ProofError, match=r"^the source has different items: fewer: '2'$"):
        relations.ensure_same(relations.select(["1"]))
    with pytest.raises(ProofError, match=r"^whether '2' relates 'c' to 'b' is True in the source, not False$"):
        relations.ensure_same(wl.Profile.from_orders([["a", ("b", "c")], ["c", "b"]], models="abc"))
    for rows in (["111", "011"], ["11x", "011", "011"], ["111", "011", "01"], ["011", "011", "011"], 3):
        with pytest.raises(InputError):
            Relations.from_dict(document | {"relations": {"1": rows}})


class Pair(Record):
    """Two tables and the signs of rows, each of which may be the same as another."""

    first: Leaderboard | Profile
    second: Leaderboard | Profile
    rows: tuple[SignMatrix, ...]


def pair_of(first, second, rows):
    return Pair(first=first, second=second, rows=tuple(np.array(one, dtype=np.int8) for one in rows))


def test_tables_that_stand_in_a_document_once_stand_in_their_places():
    document = pair_of(BOARD, PROFILE, [[[1, 0]], [[0, 1]]]).to_dict()
    assert document == {"first": BOARD.to_dict(), "second": PROFILE.to_dict(), "rows": [["+0"], ["0+"]]}


def test_tables_that_come_again_are_written_once_and_read_once():
    again = Leaderboard.from_dict(BOARD.to_dict())
    document = json.loads(json.dumps(pair_of(BOARD, again, [[[1, 0]], [[0, 1]], [[1, 0]]]).to_dict()))
    shared = [BOARD.to_dict(), ["+0"]]
    assert document.pop(SHARED) == json.loads(json.dumps(shared))
    assert document == {"first": {"table": 0}, "second": {"table": 0}, "rows": [{"table": 1}, ["0+"], {"table": 1}]}
    read = Pair.from_dict(document | {SHARED: json.loads(json.dumps(shared))})
    assert read.first is read.second
    assert read.first.to_dict() == BOARD.to_dict()
    assert [one.tolist() for one in read.rows] == [[[1, 0]], [[0, 1]], [[1, 0]]]
    in_place = {"first": shared[0], "second": shared[0], "rows": [["+0"], ["0+"], ["+0"]]}
    assert Pair.from_dict(in_place).to_dict() == read.to_dict()


@pytest.mark.parametrize("number", [2, -1, True, "0", None, 0.0, [0]])
def test_references_lead_to_a_table(number):
    document = pair_of(BOARD, BOARD, [[[1, 0]], [[1, 0]]]).to_dict()
    for field in ({"first": {"table": number}}, {"rows": [{"table": 1}, {"table": number}]}):
        with pytest.raises(InputError):
            Pair.from_dict(document | field)


def test_tables_are_of_the_kind_that_a_part_needs_and_each_is_referred_to():
    document = pair_of(BOARD, BOARD, [[[1, 0]], [[1, 0]]]).to_dict()
    with pytest.raises(InputError, match=r"^first: an object is needed"):
        Pair.from_dict(document | {"first": {"table": 1}})
    with pytest.raises(InputError, match=r"^table 0: a list is needed"):
        Pair.from_dict(document | {"rows": [{"table": 0}]})
    with pytest.raises(InputError, match=rf"^{SHARED}: no part of the result refers to table 2$"):
        Pair.from_dict(document | {SHARED: [*document[SHARED], ["+"]]})
    with pytest.raises(InputError, match=rf"^{SHARED}: a list is needed"):
        Pair.from_dict(document | {SHARED: {"0": document[SHARED][0]}})


def test_a_field_of_results_reads_any_kind_of_its_base():
    schulze = wl.rules.rank(BOARD, "schulze")
    document = schulze.to_dict()
    for kind in ("nothing", None, 3):
        with pytest.raises(InputError, match="witness: this is no Result"):
            wl.rules.Ranking.from_dict(document | {"witness": {**document["witness"], "kind": kind}})
