"""Files of pictures: the same at each run, in the format that the suffix says, whatever else matplotlib is used for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import weightlab as wl
from tests.plots.pictures import texts

pytest.importorskip("matplotlib")

BOARD = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}})


@pytest.mark.parametrize(
    ("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")]
)
def test_a_file_is_what_its_suffix_says_and_the_same_at_each_run(tmp_path, suffix, start):
    path = wl.plots.save(BOARD, tmp_path / f"one{suffix}", kind="margins")
    again = wl.plots.save(BOARD, tmp_path / f"two{suffix}", kind="margins")
    assert path.read_bytes().startswith(start)
    assert path.read_bytes() == again.read_bytes()


@pytest.mark.parametrize(("name", "found"), [("a.jpg", r"'\.jpg'"), ("a", "'no suffix'")])
def test_other_formats_are_refused(tmp_path, name, found):
    with pytest.raises(wl.InputError, match=rf"^a picture is written as \.png, \.svg or \.pdf; got {found}$"):
        wl.plots.save(BOARD, tmp_path / name)
    assert not (tmp_path / name).exists()


def test_axes_that_are_drawn_already_are_written_as_they_are(tmp_path):
    ax = wl.plots.draw(BOARD, kind="margins")
    ax.annotate("mine", (0, 0))
    assert "mine" in texts(wl.plots.save(ax, tmp_path / "own.svg").read_bytes())


def test_pictures_share_a_figure_of_the_user():
    from matplotlib.figure import Figure

    axes = Figure(figsize=(8, 4)).subplots(1, 2)
    for ax in axes:
        assert wl.plots.draw(BOARD, kind="margins", ax=ax) is ax
    svg = wl.plots.rendered(axes[0])
    assert sum("Margins of every" in text for text in texts(svg)) == 2


def test_settings_of_the_user_change_nothing_and_stay():
    import matplotlib as mpl

    expected = wl.plots.rendered(BOARD, kind="margins")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "figure.figsize": (1, 1)}):
        assert wl.plots.rendered(BOARD, kind="margins") == expected
        assert mpl.rcParams["font.size"] == 30


def test_a_theme_that_is_not_known_is_refused_by_name():
    with pytest.raises(wl.UnknownNameError, match=r"no theme named 'black'; the palette has 'light', 'dark'"):
        wl.plots.draw(BOARD, theme="black")


def test_drawing_leaves_no_state_in_pyplot():
    code = (
        "import sys, weightlab as wl; board = wl.Leaderboard({'x': {'a': 1, 'b': 2}}); "
        "wl.plots.rendered(board, 'png'); print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "False"
