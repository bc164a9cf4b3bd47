"""An audit at a glance: each cell says what the audit says, and how sure that is where there are ties."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from tests.studies.strategies import suites
from weightlab.plots.marks import notes_of, rows_of, title_of

ROLES = {True: "holds", False: "fails", None: "not asked"}


@settings(max_examples=12)
@given(suites())
def test_cells_are_the_answers_of_the_audit(suite):
    for break_ties in ("alphabetical", None):
        found = wl.studies.audit(suite, break_ties=break_ties, repair=False)
        cells = {(one.dataset, one.property): one for one in rows_of(wl.plots.audit_marks(found), "cell")}
        assert {dataset for dataset, _ in cells} == {*found.datasets, *found.unaudited}
        for (dataset, name), one in cells.items():
            if dataset in found.unaudited:
                assert (one.role, one.ties) == ("not audited", "")
            elif name == "condorcet_winner":
                assert (one.role == "holds") == isinstance(found.datasets[dataset].majority.condorcet_winner, str)
            else:
                assert one.role == ROLES[found.datasets[dataset].facts()[name]]


@settings(max_examples=12)
@given(suites(most_metrics=2))
def test_what_depends_on_ties_is_marked(suite):
    found = wl.studies.audit(suite, repair=False)
    cells = rows_of(wl.plots.audit_marks(found), "cell")
    depending = {(one.dataset, one.property) for one in cells if one.ties == "depend"}
    assert depending == {(dataset, name) for dataset, names in found.tie_changes.items() for name in names}
    for one in cells:
        ties = found.datasets[one.dataset].ties if one.dataset in found.datasets else None
        if one.ties == "undecided":
            assert one.property in ties.undecided
        elif ties is None:
            assert one.ties == ""


def test_counts_stand_below_and_words_say_what_signs_mean():
    tables = {"whole": {"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, "lone": {"x": {"a": 1}}}
    found = wl.studies.audit(wl.Suite(tables), repair=False)
    marks = wl.plots.audit_marks(found)
    counts = {one.property: one.label for one in rows_of(marks, "count")}
    assert counts["acyclic"] == "1/1"
    assert title_of(marks) == "The majority relation is acyclic on 1 of 1 datasets"
    assert "too few models" in notes_of(marks)[0]
    assert {one.role for one in rows_of(marks, "cell") if one.dataset == "lone"} == {"not audited"}


def test_it_is_drawn_whatever_the_datasets_are_called():
    pytest.importorskip("matplotlib")
    tables = {
        name: {metric: {model: (place * 3 + len(metric) * k + k * k) % 5 for k, model in enumerate("abcd")}
               for metric in ("u", "vv", "www")}
        for place, name in enumerate(AWKWARD)
    }  # fmt: skip
    found = wl.studies.audit(wl.Suite(tables), repair=False)
    assert_is_drawn(found, "audit", names=["$x_1$", "<script>alert(1)</script>", "模型", "single-peaked", "holds on"])
