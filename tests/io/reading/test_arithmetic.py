from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weightlab.io.reading.arithmetic import find_totals
from weightlab.io.reading.drafts import Draft
from weightlab.io.reading.own_weights import find_own_weights, named_fractions, weight_ranges


def drafts_of(columns):
    return [Draft.of(name, at, cells) for at, (name, cells) in enumerate(columns.items())]


def looked_at(columns):
    drafts = drafts_of(columns)
    find_totals(drafts)
    return {one.name: one for one in drafts}


def is_mean_of_all_others(columns, name):
    """Tell by exact fractions whether a column is within rounding the mean of all others in every row."""
    others = [cells for other, cells in columns.items() if other != name]

    def rounding(cells):
        places = max(len(cell.partition(".")[2]) for cell in cells)
        whole = all(Fraction(cell).denominator == 1 for cell in cells)
        return Fraction(0) if whole else Fraction(1, 2 * 10**places)

    own = rounding(columns[name]) or Fraction(1, 2)
    slack = own + sum(map(rounding, others)) / len(others)
    rows = zip(columns[name], *others, strict=True)
    return all(abs(Fraction(total) - sum(map(Fraction, its)) / len(its)) <= slack for total, *its in rows)


scores = st.integers(0, 1000).map(lambda number: f"{number // 10}.{number % 10}")


@settings(max_examples=40, deadline=None)
@given(data=st.data(), rows=st.integers(8, 14), parts=st.integers(3, 6), off=st.sampled_from([0, 0, 0.3, 5]))
def test_a_mean_of_all_others_is_found_exactly_where_fractions_say_so(data, rows, parts, off):
    columns = {f"t{at}": [data.draw(scores) for _ in range(rows)] for at in range(parts)}
    means = [sum(map(float, its)) / parts for its in zip(*columns.values(), strict=True)]
    means[-1] += off
    columns["q"] = [f"{mean:.1f}" for mean in means]
    found = looked_at(columns)["q"]
    varied = len({*columns["q"]}) > 2
    spread = max(np.ptp([float(cell) for cell in its]) for its in zip(*list(columns.values())[:-1], strict=True)) > 0.4
    if varied and spread and not any(found.role for name, found in looked_at(columns).items() if name != "q"):
        assert (found.certainty == "certain") == is_mean_of_all_others(columns, "q")


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        ("mean", np.mean),
        ("sum", np.sum),
        ("median", np.median),
        ("standard deviation", lambda its: np.std(its, ddof=1)),
    ],
)
def test_columns_made_of_all_others_are_found(kind, made):
    dice = np.random.default_rng(1)
    table = dice.integers(0, 1000, (20, 5)) / 10
    columns = {f"t{at}": [f"{cell:.1f}" for cell in table[:, at]] for at in range(5)}
    columns["q"] = [f"{made(row):.1f}" for row in table]
    found = looked_at(columns)["q"]
    assert (found.role, found.certainty, found.total.kind) == ("aggregate", "certain", kind)
    assert found.why == f"{kind} of 5, in 20 of 20 rows"


def test_a_tree_of_means_is_found_from_the_leaves_up():
    dice = np.random.default_rng(2)
    table = dice.integers(0, 1000, (30, 6)) / 10
    columns = {f"a{at}": [f"{cell:.1f}" for cell in table[:, at]] for at in range(3)}
    columns["first half"] = [f"{row[:3].mean():.2f}" for row in table]
    columns |= {f"b{at}": [f"{cell:.1f}" for cell in table[:, at]] for at in range(3, 6)}
    columns["second half"] = [f"{row[3:].mean():.2f}" for row in table]
    found = looked_at(columns)
    assert found["first half"].total.parts == ("a0", "a1", "a2")
    assert found["second half"].total.parts == ("b3", "b4", "b5")
    assert all(found[name].role == "" for name in ("a0", "a1", "a2", "b3", "b4", "b5"))


def test_with_few_rows_a_column_is_a_mean_by_its_name_only_and_then_likely():
    columns = {"x": ["1.0", "5.0", "9.0"], "y": ["3.0", "1.0", "2.0"], "z": ["2.0", "3.0", "5.5"]}
    assert looked_at(columns)["z"].role == ""
    named = {**dict(list(columns.items())[:2]), "Average": columns["z"]}
    assert (looked_at(named)["Average"].role, looked_at(named)["Average"].certainty) == ("aggregate", "likely")


def test_rows_that_do_not_add_up_are_kept_with_both_values():
    dice = np.random.default_rng(3)
    table = dice.integers(0, 1000, (40, 4)) / 10
    columns = {f"t{at}": [f"{cell:.1f}" for cell in table[:, at]] for at in range(4)}
    means = table.mean(axis=1)
    means[7] += 1
    columns["Average"] = [f"{mean:.2f}" for mean in means]
    total = looked_at(columns)["Average"].total
    assert (total.agree, total.rows) == (39, 40)
    [(row, stands, would)] = total.wrong
    assert row == 7
    assert stands - would == pytest.approx(1, abs=0.01)


def test_the_boards_own_weights_are_found_and_named():
    dice = np.random.default_rng(4)
    table = dice.integers(0, 10000, (60, 4)) / 100
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    columns = {f"t{at}": [f"{cell:.2f}" for cell in table[:, at]] for at in range(4)}
    columns["Overall"] = [f"{row @ weights:.2f}" for row in table]
    drafts = drafts_of(columns)
    find_totals(drafts)
    find_own_weights(drafts)
    total = drafts[-1]
    assert (total.certainty, total.why) == ("certain", "weighted mean of 4, in 60 of 60 rows")
    ranges = weight_ranges(total, drafts)
    assert all(low <= weight <= high for (low, high), weight in zip(ranges, weights, strict=True))
    assert named_fractions(ranges) == tuple(Fraction(number, 10) for number in (4, 3, 2, 1))
    assert named_fractions([(0.19, 0.192), (0.808, 0.81)]) is None


def test_tasks_drawn_at_random_are_made_of_nothing():
    dice = np.random.default_rng(5)
    for rows in (3, 8, 20, 50):
        table = dice.integers(0, 1000, (rows, 8)) / 10
        drafts = drafts_of({f"t{at}": [f"{cell:.1f}" for cell in table[:, at]] for at in range(8)})
        find_totals(drafts)
        find_own_weights(drafts)
        assert [one.name for one in drafts if one.role] == []


@given(st.lists(st.from_regex(r"\A-?[0-9]{1,3}(\.[0-9]{0,8})?\Z"), min_size=1, max_size=6))
def test_decimals_of_plain_numbers_are_counted_one_by_one(texts):
    whole = all(float(one).is_integer() for one in texts)
    slow = 0 if whole else max(len(one.partition(".")[2]) for one in texts)
    assert Draft.of("a", 0, texts).decimals == slow
