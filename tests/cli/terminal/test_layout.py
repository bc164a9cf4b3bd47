from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from weightlab.cli.terminal.show import headed, table

WORDS = st.lists(st.text(alphabet="abcñ模型", min_size=1, max_size=9), min_size=1, max_size=6).map(" ".join)
NUMBERS = st.integers(-(10**9), 10**9).map(str)


def printed(thing, width):
    terminal = Console(width=width, force_terminal=True, color_system=None, markup=False)
    with terminal.capture() as captured:
        terminal.print(thing)
    return captured.get().splitlines()


@settings(max_examples=60)
@given(rows=st.lists(st.tuples(WORDS, NUMBERS, NUMBERS, WORDS), min_size=1, max_size=4), width=st.integers(30, 200))
def test_at_every_width_numbers_stay_whole_and_nothing_is_lost(rows, width):
    lines = printed(table(["model", "margin", "from equal weights", "blocked by"], rows, right=(1, 2)), width)
    assert all(cell_len(line) <= width for line in lines)
    for name, margin, distance, _ in rows:
        assert any(margin in line.split() for line in lines)
        assert any(distance in line.split() for line in lines)
        assert set("".join(name.split())) <= set("".join(lines))


@given(rows=st.lists(st.tuples(WORDS, NUMBERS), min_size=1, max_size=4))
def test_where_there_is_room_a_row_is_one_line(rows):
    lines = printed(table(["model", "margin"], rows, right=(1,)), 300)
    assert [line.split()[-1] for line in lines[1:]] == [number for _, number in rows]
    assert len(lines) == 1 + len(rows)


def test_headings_of_numbers_are_folded_first_and_then_the_widest_column():
    rows = [("a-model-of-a-very-long-name-" * 3, "strict", "0.333")]
    lines = printed(table(["model", "verdict", "from equal weights"], rows, right=(2,)), 80)
    assert [line.split() for line in lines[:2]] == [["from", "equal"], ["model", "verdict", "weights"]]
    assert lines[2].split()[1:] == ["strict", "0.333"]


def test_on_a_narrow_terminal_a_row_is_a_list_under_its_name():
    rows = [("1", "ada", "strict", "25.3%", "0.333"), ("2", "bo", "weak", "", "1.714")]
    shown = printed(
        table(["rank", "model", "verdict", "share", "from everybody else's weights"], rows, right=(0, 3, 4)), 30
    )
    assert shown[0].rstrip() == "ada"
    assert [line.split() for line in shown[1:4]] == [["rank:", "1"], ["verdict:", "strict"], ["share:", "25.3%"]]
    assert sum("share" in line for line in shown) == 1


@pytest.mark.parametrize(("width", "below"), [(40, True), (71, True), (72, False), (200, False)])
def test_headed_lines_stand_below_their_headings_on_narrow_terminals(width, below):
    lines = printed(headed([("Flattest winning weights", ["1/2: no weighting", "keeps every task below"])]), width)
    assert lines[0].startswith("Flattest winning weights")
    assert ("1/2: no weighting" in lines[0]) is not below
    assert (lines[1].startswith("  1/2: no weighting")) is below
