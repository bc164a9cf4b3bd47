"""A sweep at a glance: shares of cases, exact, by the sizes of the sets or cell by cell."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.plots.pictures import assert_is_drawn
from tests.studies.strategies import suites
from weightlab.plots.marks import rows_of, title_of


@pytest.fixture(scope="module")
def found():
    suite = wl.datasets.load("classifiers")
    small = wl.Suite({name: suite.leaderboard(name).scores for name in suite.datasets[:4]})
    sets = wl.studies.random_model_sets(small, size=4, count=3, rng=0)
    return wl.studies.sweep(small, model_sets=sets, metric_sets={str(k): small.metrics[:k] for k in (2, 3)})


@settings(max_examples=15)
@given(suites())
def test_shares_cell_by_cell_are_those_of_the_table(suite):
    swept = wl.studies.sweep(suite, model_sets=[suite.models, suite.models[:2]], break_ties=["alphabetical", None])
    marks = wl.plots.sweep_marks(swept, by="cell")
    table = swept.table().query("models > 0")
    for one in rows_of(marks, "mean"):
        column = table[one.property]
        answers = column.notna() if one.property == "condorcet_winner" else column.dropna().astype(bool)
        assert one.x == Fraction(int(answers.sum()), len(answers))
        assert one.cases == len(answers)
    dots = rows_of(marks, "dot")
    for one in rows_of(marks, "mean"):
        assert sum(dot.cells for dot in dots if dot.property == one.property) == one.cells
        assert min(dot.x for dot in dots if dot.property == one.property) <= one.x
        assert one.x <= max(dot.x for dot in dots if dot.property == one.property)


def test_by_the_number_of_metrics_where_there_are_several(found):
    marks = wl.plots.sweep_marks(found)
    rows = rows_of(marks, "point")
    summary = found.summary()
    for one in rows:
        own = summary[summary["metric_set"] == str(int(one.x))]
        shares = [Fraction(int(a), int(b)) for a, b in own[[one.property, "datasets"]].to_numpy().tolist()]
        assert (one.low, one.high) == (min(shares), max(shares))
        assert one.y == Fraction(int(own[one.property].sum()), int(own["datasets"].sum()))
        assert (one.cells, one.cases) == (3, 12)
    assert {one.x for one in rows} == {2, 3}
    assert [one.label for one in rows_of(marks, "axis")] == ["number of metrics"]
    assert title_of(marks) == "On what share of the datasets each property holds (6 cells of 4 datasets)"


def test_by_models_where_they_are_asked_for_or_alone_differ(found):
    assert {one.x for one in rows_of(wl.plots.sweep_marks(found, by="models"), "point")} == {4}
    suite = wl.Suite({"d": {"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 2, "b": 1, "c": 3}}})
    swept = wl.studies.sweep(suite, model_sets=[["a", "b"], ["a", "b", "c"]])
    assert {one.x for one in rows_of(wl.plots.sweep_marks(swept), "point")} == {2, 3}
    with pytest.raises(wl.InputError, match=r"^by must be 'metrics', 'models' or 'cell'; got 'ties'$"):
        wl.plots.sweep_marks(swept, by="ties")


def test_where_nothing_could_be_asked_nothing_is_drawn():
    suite = wl.Suite({"d": {"x": {"a": 1, "b": 2}}})
    swept = wl.studies.sweep(suite, model_sets=[["a"]])
    with pytest.raises(wl.InputError, match=r"^no dataset of the sweep has two models with every score: "):
        wl.plots.sweep_marks(swept)


def test_it_is_drawn(found):
    pytest.importorskip("matplotlib")
    assert_is_drawn(found, "sweep", names=["single-peaked", "majority acyclic", "Condorcet winner"])
    assert wl.plots.draw(found, by="cell").get_xlabel().startswith("share of the datasets")
