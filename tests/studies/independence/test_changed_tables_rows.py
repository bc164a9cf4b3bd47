"""Figure 2 of Vote'n'Rank and figures 3 to 8 of Colombo et al.: the rows of the page that says what reproduces."""

from __future__ import annotations

from examples.reproduce import changed_tables
from examples.reproduce.row import Verdict


def test_figure_2_copeland_is_the_most_stable_without_some_scores(shared_data):
    rows = changed_tables.missing_rows(shared_data, repeats=20)
    assert [row.verdict for row in rows] == [Verdict.WITH_CONVENTION] * 2
    assert all(row.ours.endswith("Copeland is the most stable") for row in rows)


def test_figure_3_reproduces_and_figure_6_needs_a_reversed_task(tmp_path):
    figure_3, figure_6 = changed_tables.manipulation_rows(tmp_path)
    assert (figure_3.ours, figure_3.verdict) == (figure_3.published, Verdict.WITH_CONVENTION)
    assert figure_6.verdict is Verdict.OTHERWISE


def test_figures_5_and_7_borda_is_the_more_robust(shared_data):
    rows = changed_tables.removal_rows(shared_data, repeats=60)
    assert [row.verdict for row in rows] == [Verdict.REPRODUCED] * 3


def test_figure_8_holds_of_documents_and_not_of_systems(shared_data):
    coded, right = changed_tables.instance_rows(shared_data, repeats=20)
    assert coded.ours.endswith("so in 6 of 6 sets")
    assert not right.ours.endswith("so in 7 of 7 sets")
