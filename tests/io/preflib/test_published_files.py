"""PrefLib files exactly as they are published: numbers were looked up in the text by hand."""

from __future__ import annotations

import numpy as np
import pytest

import weightlab as wl


@pytest.fixture(scope="module")
def published(shared_data):
    return shared_data / "real" / "preflib"


def places(profile, row):
    """Return an order by the numbers that the file gives to what is ranked."""
    return [tuple(profile.models.index(name) + 1 for name in level) for level in profile.orders[row]]


def test_a_name_may_hold_a_character_that_python_takes_for_a_line_end(published):
    profile = wl.io.read_profile(published / "00043-00000196.soi", unlisted="unknown")
    assert (len(profile.models), len(profile.voters), set(profile.weights)) == (214, 21, {1})
    assert profile.models[86] == "KRISTOFF AlexanderUAE-Team Emirates"
    ranked = [places(profile, row) for row in (0, 3, 20)]
    assert [len(order) for order in ranked] == [176, 172, 146]
    assert [order[:4] for order in ranked] == [
        [(87,), (196,), (92,), (26,)],
        [(64,), (25,), (200,), (13,)],
        [(26,), (196,), (65,), (87,)],
    ]
    odd = [name for name in profile.models if "\x85" in name]
    assert [name.endswith("\u00a0 TomsTrek - Segafredo") for name in odd] == [True]


def test_pairs_of_the_old_layout_are_those_of_todays(published):
    today = wl.io.read_margins(published / "00036-00000001.wmd")
    old = wl.io.read_margins(published / "old-00036-00000001.wmd")
    assert old.models == today.models
    assert np.array_equal(old.wins, today.wins)
    assert int(today.wins.sum()) == 59
    assert old.margin("Pair 1", "Pair 5") == 1
    assert old.margin("Pair 16", "Pair 6") == 1
    assert old.margin("Pair 11", "Pair 2") == -1


def test_an_old_file_of_pairs_that_lacks_some_is_refused(published, tmp_path):
    text = (published / "old-00036-00000001.wmd").read_text()
    (tmp_path / "x.wmd").write_text(text.rstrip().rpartition("\n")[0])
    with pytest.raises(wl.FileFormatError, match="NUMBER EDGES says 59, and there are 58 edges"):
        wl.io.read_margins(tmp_path / "x.wmd")


@pytest.mark.parametrize("read", [wl.io.read_profile, wl.io.read_margins, wl.read_leaderboard])
def test_categorical_data_are_refused_by_name(published, read):
    with pytest.raises(wl.FileFormatError, match=r"PrefLib's categorical data \(\.cat\) rank nothing"):
        read(published / "00026-00000001.cat")


def test_sushi_has_its_orders(published):
    profile = wl.io.read_profile(published / "00014-00000001.soc")
    assert (len(profile.models), len(profile.voters), sum(profile.weights)) == (10, 4926, 5000)
    assert profile.models[0] == "ebi (shrimp)"
    assert profile.models[9] == "kappa-maki (cucumber roll)"
    third, last = ([int(model) for (model,) in places(profile, row)] for row in (2, 4925))
    assert (third, profile.weights[2]) == ([4, 5, 7, 2, 10, 3, 1, 8, 6, 9], 3)
    assert (last, profile.weights[4925]) == ([2, 10, 8, 3, 1, 6, 9, 7, 5, 4], 1)
