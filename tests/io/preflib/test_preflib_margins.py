"""PrefLib files of pairs: what is written reads back, what others write is read, and faults are named."""

from __future__ import annotations

import io
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests import peer
from tests.io.strategies import voted_profiles
from weightlab.exceptions import FileFormatError, InputError

EXAMPLES = settings(max_examples=40)
FORMATS = ("wmd", "dat", "pwg", "wmg")

HEAD = "# ALTERNATIVE NAME 1: ada\n# ALTERNATIVE NAME 2: bo\n# ALTERNATIVE NAME 3: cy\n"
OLD = "3\n1,ada\n2,bo\n3,cy\n"


def read(text, kind="wmd"):
    return wl.io.read_margins(io.StringIO(text), format=kind)


def exact(margins, factor=1):
    return [[Fraction(int(one), margins.denominator) * factor for one in row] for row in margins.array]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pairs")


@pytest.mark.parametrize("kind", FORMATS)
@EXAMPLES
@given(profile=voted_profiles())
def test_the_margins_read_back(folder, kind, profile):
    margins = profile.margins()
    wl.io.write_margins(margins, folder / f"votes.{kind}", title="any")
    again = wl.io.read_margins(folder / f"votes.{kind}")
    assert again.models == margins.models
    assert exact(again) == exact(margins)
    if kind != "wmg":
        assert np.array_equal(again.wins * margins.denominator, margins.wins * again.denominator)


@pytest.mark.parametrize("kind", FORMATS)
@EXAMPLES
@given(profile=voted_profiles(weights=[1, "1/3", "0.25", 2]))
def test_scaled_margins_read_back_as_whole_multiples(folder, kind, profile):
    margins = profile.margins()
    wl.io.write_margins(margins, folder / f"scaled.{kind}", scaled=True)
    assert exact(wl.io.read_margins(folder / f"scaled.{kind}")) == exact(margins, margins.denominator)


def test_decimals_are_kept_as_they_are(tmp_path):
    margins = wl.Profile.from_orders([["a", "b"]], weights=["0.1"]).margins()
    wl.io.write_margins(margins, tmp_path / "votes.wmd")
    assert wl.io.read_margins(tmp_path / "votes.wmd").margin("a", "b") == Fraction(1, 10)
    with pytest.raises(
        InputError, match=r"is 1/10, and the file holds whole numbers; pass scaled=True to multiply by 10"
    ):
        wl.io.write_margins(margins, tmp_path / "votes.wmg")


def test_a_third_is_refused_and_not_rounded(tmp_path):
    margins = wl.Profile.from_orders([["a", "b"]], weights=["1/3"]).margins()
    with pytest.raises(InputError, match="'a' over 'b' is 1/3, and the file holds decimals"):
        wl.io.write_margins(margins, tmp_path / "votes.dat")


def test_unweighted_majorities_are_read_and_not_written(tmp_path):
    assert read(f"{OLD}0,2,2\n1,1,2\n1,3,2\n", "mjg").margin("cy", "bo") == 1
    with pytest.raises(InputError, match=r"a \.tog file holds no weights"):
        wl.io.write_margins(wl.Profile.from_orders([["a", "b"]]).margins(), tmp_path / "votes.tog")


def test_a_matrix_is_of_wins_or_with_negative_numbers_of_margins():
    wins = read(f"{HEAD}0 2 1\n1 0 0.5\n0 0 0\n", "dat")
    assert wins.margin("ada", "bo") == 1
    margins = read(f"{HEAD}0,1,-2\n-1,0,0.5\n2,-0.5,0\n", "dat")
    assert margins.margin("cy", "ada") == 2
    assert margins.margin("bo", "cy") == Fraction(1, 2)


FAULTS = [
    ("wmd", f"{HEAD}1,2\n", "line 4: '1,2' is not a row of three numbers"),
    ("wmd", f"{HEAD}1,4,2\n", "line 4: '4' is the number of no alternative"),
    ("wmd", f"{HEAD}1,2,x\n", "line 4: 'x' is not a number"),
    ("wmd", f"{HEAD}1,2,nan\n", "line 4: 'nan' is not a number"),
    ("wmd", f"{HEAD}1,2,1\n1,2,2\n", "line 5: the pair 1, 2 occurs twice"),
    ("wmd", f"{HEAD}2,2,1\n", "line 4: 2 is paired with itself"),
    ("wmd", f"{HEAD}1,2,-1\n", "the weight of 'ada' over 'bo' is negative: -1"),
    ("wmd", f"{HEAD}# NUMBER EDGES: 3\n1,2,1\n", "NUMBER EDGES says 3, and there are 1 edge"),
    (
        "wmg",
        f"{OLD}3,2,2\n1,1,2\n1,2,1\n",
        r"'ada' over 'bo' and back both have a weight; a \.wmg file holds majorities",
    ),
    ("tog", f"{OLD}3,2,1\n2,1,2\n", r"in a \.tog file every majority counts 1"),
    ("pwg", f"{OLD}3,2,7\n2,1,2\n", "NUMBER ROWS says 7, and there are 1 row"),
    ("dat", f"{HEAD}0 1 0\n0 0 0\n", "a square matrix has a row per model: 3, not 2"),
    ("dat", f"{HEAD}0 1 0\n0 0 0 0 1\n0 0 0\n", "line 5: a square matrix has 3 numbers a row; there are 5"),
    ("dat", f"{HEAD}0 1 0\n-2 0 0\n0 0 0\n", "but 'ada' over 'bo' is 1 and back -2"),
    ("dat", f"{HEAD}5 1 0\n0 0 0\n0 0 0\n", "'ada' has the weight 5 over itself"),
]


@pytest.mark.parametrize(("kind", "text", "message"), FAULTS)
def test_what_is_wrong_is_named_with_its_line(kind, text, message):
    with pytest.raises(FileFormatError, match=message):
        read(text, kind)


def preflibtools_pairs(text):
    """Return preflibtools' pairwise graph of a file of orders, as its text."""
    from preflibtools.instances import OrdinalInstance
    from preflibtools.instances.convert import order_to_pwg

    return order_to_pwg(OrdinalInstance(text))


def preflibtools_edges(path):
    """Return the edges that preflibtools reads from a .wmd file."""
    from preflibtools.instances import MatchingInstance

    return sorted(MatchingInstance(path).edges())


@pytest.mark.peers
@settings(max_examples=15)
@given(profile=voted_profiles(models=(2, 5)))
def test_preflibtools_counts_the_same_pairs(folder, profile):
    complete = wl.Profile.from_orders(
        [[*order, tuple(set(profile.models) - {name for tied in order for name in tied})] for order in profile.orders],
        models=profile.models,
        weights=profile.weights,
    )
    wl.io.write_profile(complete, folder / "orders.toc")
    text = peer.asked("preflibtools", preflibtools_pairs, str(folder / "orders.toc"))
    assert np.array_equal(read(text, "pwg").wins, complete.margins().wins)


@pytest.mark.peers
@settings(max_examples=15)
@given(profile=voted_profiles(models=(2, 5)).filter(lambda profile: profile.margins().wins.any()))
def test_preflibtools_reads_the_edges(folder, profile):
    margins = profile.margins()
    wl.io.write_margins(margins, folder / "edges.wmd")
    edges = peer.asked("preflibtools", preflibtools_edges, str(folder / "edges.wmd"))
    rows, columns = np.nonzero(margins.wins)
    assert edges == [
        (row + 1, column + 1, margins.wins[row, column]) for row, column in zip(rows, columns, strict=True)
    ]
