"""Vote'n'Rank, tables 1 and 2, as the paper has them and rightly: the rows of the page that says what reproduces."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.reproduce import agreement, irrelevant_models
from examples.reproduce.file_order import best_first, least_first, quicksorted
from examples.reproduce.row import Verdict, agrees, data_folder
from examples.reproduce.votenrank_boards import RULES, TITLES, paper_board
from tests.strategies import FEWER


@pytest.fixture(scope="module")
def found(shared_data):
    return {row.item: row for row in agreement.rows(shared_data)}


@pytest.mark.parametrize("title", TITLES.values())
def test_table_1_reproduces_as_it_was_coded(found, title):
    rates = found[f"table 1, {title}, agreement rates"]
    assert (rates.ours, rates.verdict) == ("42 of 42", Verdict.WITH_CONVENTION)
    assert found[f"table 1, {title}, Kendall tau"].verdict is Verdict.WITH_CONVENTION


def test_the_rankings_of_table_1_agree_far_more_than_its_names(found):
    assert found["table 1, GLUE, Kendall tau between the rankings"].ours == "0.98 0.85 0.87 0.65 0.48 0.83 0.93"
    assert found["table 1, SuperGLUE, Kendall tau between the rankings"].ours == "0.98 0.87 0.91 0.61 0.54 0.89 0.95"


def test_the_taus_of_names_change_with_the_names(shared_data):
    board = paper_board(shared_data, "glue")
    orders = agreement.orders_as_coded(board)
    as_named = agreement.names_correlated(orders["mean"], orders["Borda"])
    assert agrees(0.41, as_named)
    renamed = {model: f"model {place:02}" for place, model in enumerate(board.models)}
    again = [[renamed[model] for model in orders[rule]] for rule in ("mean", "Borda")]
    assert agreement.names_correlated(*again) - as_named > 0.4


@pytest.mark.parametrize("title", TITLES.values())
def test_the_column_dp_of_table_2_reproduces_as_it_was_coded(found, title):
    assert found[f"table 2, {title}, DP"].verdict is Verdict.WITH_CONVENTION


def test_more_models_share_a_score_than_table_2_says(found):
    assert found["table 2, GLUE, DP as defined"].ours == "2 0 2 11 23 28 0 0"
    assert found["table 2, SuperGLUE, DP as defined"].ours == "0 2 0 4 19 18 0 2"


def test_the_column_iia_of_table_2_reproduces_as_it_was_coded(shared_data):
    coded, right = irrelevant_models.arrival_rows(shared_data, ["superglue"], ["Copeland", "Dowdall"])
    assert (coded.ours, coded.verdict) == ("0.90 ± 0.8, 4.24 ± 2.1", Verdict.WITH_CONVENTION)
    assert coded.why.endswith("Dowdall has 3.92 ± 2.1")
    assert right.ours == "2.36 ± 1.0, 4.50 ± 2.3"


def test_flips_are_counted_where_there_are_scores(shared_data):
    (row,) = irrelevant_models.flip_rows(shared_data)
    assert (row.ours, row.verdict) == ("of HELM Classic, in 10 of 14 scenarios", Verdict.NOT_REPRODUCIBLE)


def test_the_rules_are_those_of_the_paper():
    assert len(RULES) == 8
    assert tuple(RULES)[1:] == agreement.OTHERS


def test_without_the_tables_the_scripts_say_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.delenv("WEIGHTLAB_DATA", raising=False)
    with pytest.raises(SystemExit, match="WEIGHTLAB_DATA is not set"):
        data_folder()
    monkeypatch.setenv("WEIGHTLAB_DATA", str(tmp_path))
    assert data_folder() == tmp_path


@given(values=st.lists(st.integers(0, 6) | st.floats(-1, 1), max_size=120))
def test_the_old_quicksort_sorts(values):
    order = quicksorted(values)
    assert sorted(order) == list(range(len(values)))
    assert [values[place] for place in order] == sorted(values)


@FEWER
@given(values=st.lists(st.integers(0, 3), max_size=16))
def test_the_old_quicksort_keeps_the_order_of_a_few_equal_values(values):
    assert quicksorted(values) == sorted(range(len(values)), key=values.__getitem__)


def test_the_old_quicksort_stirs_many_equal_values():
    assert quicksorted([0.0] * 30) != list(range(30))


def test_a_series_sorted_downwards_keeps_few_ties_in_order_and_what_has_no_score_last():

    scores = pd.Series({"a": 1.0, "b": None, "c": 2.0, "d": 1.0})
    assert best_first(scores) == ["c", "a", "d", "b"]
    assert least_first(scores.dropna()) == ["a", "d", "c"]


@pytest.mark.parametrize(
    ("published", "ours", "digits", "same"),
    [
        (0.67, 2 / 3, 2, True),
        (0.45, 0.4549, 2, True),
        (0.12, 0.1263, 2, True),
        (-0.05, -0.057, 2, True),
        (-0.05, 0.05, 2, False),
        (0.86, 0.87, 2, False),
        (0.13, 0.12, 2, False),
        (1.3, 1.305, 1, True),
        (0.0, 0.0, 2, True),
    ],
)
def test_figures_agree_if_they_are_rounded_or_cut_off(published, ours, digits, same):
    assert agrees(published, ours, digits) is same
