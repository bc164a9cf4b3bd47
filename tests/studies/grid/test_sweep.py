"""Sweeps against audits, and against themselves after being stopped."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.graph.corruption import assert_each_spoilt_part_is_seen, travelled
from tests.studies.strategies import suites
from weightlab.exceptions import FileFormatError, InputError, ProofError, UnknownNameError
from weightlab.studies import audit, random_model_sets, sweep
from weightlab.studies.grid import sweep as running
from weightlab.studies.grid.cell import Cell
from weightlab.studies.structure.properties import PROPERTIES, Compared, claims_of, holds

FEW = settings(max_examples=8)
EVERYTHING = tuple(PROPERTIES)
SETS = {"all": ["a", "b", "c", "d"], "three": ["a", "b", "c"], "pair": ["c", "d"]}
METRIC_SETS = {"both": ["x", "y"], "one": ["x"]}
BREAKINGS = ("alphabetical", "reverse", None)


@pytest.fixture(scope="module")
def suite():
    first = {"x": {"a": 3, "b": 2, "c": 2, "d": 1}, "y": {"a": 1, "b": 3, "c": 2, "d": None}}
    second = {"x": {"a": 1, "b": 2, "c": 3, "d": 3}, "y": {"a": 2, "b": 2, "c": 1, "d": 4}}
    return wl.Suite({"first": first, "second": second}, lower_is_better=["y"])


@pytest.fixture(scope="module")
def whole(suite):
    return sweep(suite, model_sets=SETS, metric_sets=METRIC_SETS, break_ties=BREAKINGS, properties=EVERYTHING)


@given(suite=suites(least_models=3, most_models=5), data=st.data())
@FEW
def test_a_cell_says_of_each_dataset_what_an_audit_proves(suite, data):
    models = data.draw(st.lists(st.sampled_from(suite.models), min_size=2, unique=True))
    metrics = data.draw(st.lists(st.sampled_from(suite.metrics), min_size=1, unique=True))
    how = data.draw(st.sampled_from(BREAKINGS))
    table = sweep(suite, model_sets=[models], metric_sets=[metrics], break_ties=how, properties=EVERYTHING).table()
    try:
        found = audit(suite, models=models, metrics=metrics, break_ties=how, repair=False)
    except InputError:
        assert (table["models"] == 0).all()
        return
    for _, row in table.iterrows():
        if row["dataset"] in found.unaudited:
            assert row["models"] == 0
            continue
        facts = found[row["dataset"]].facts()
        for name in ("models", "metrics", *EVERYTHING, "transitive", "weakly_transitive", "acyclic"):
            assert row[name] == facts[name] or (row[name] is None and facts[name] is None)
        assert row["condorcet_winner"] == facts["condorcet_winner"] or facts["condorcet_winner"] is None


@given(st.integers(1, 6), st.integers(1, 4), DICE)
@settings(max_examples=60)
def test_answers_without_witness_are_those_of_the_tests(count, voters, dice):
    models = "abcdef"[:count]
    profile = wl.Profile.from_orders([dice.shuffled(models) for _ in range(voters)], models=models)
    compared = Compared.of(profile.ranks)
    assert holds(compared, range(voters), EVERYTHING, lambda: profile) == {
        name: claim.holds for name, claim in claims_of(profile).items()
    }


def test_weights_of_metrics_count(suite):
    heavy = wl.Suite({name: suite.table(name).frame() for name in suite.datasets}, weights={"x": "2.5"})
    table = sweep(heavy, model_sets=[["a", "b", "c"]], break_ties=None).table().set_index("dataset")
    found = audit(heavy, models=["a", "b", "c"], break_ties=None, repair=False)
    assert table.loc["first", "condorcet_winner"] == found["first"].majority.condorcet_winner == "a"
    assert table["weakly_transitive"].tolist() == [one.majority.weakly_transitive for one in found.datasets.values()]


def test_ties_that_are_kept_leave_questions_about_strict_rankings_open(whole):
    table = whole.table()
    kept = table[(table["break_ties"] == "kept") & (table["model_set"] == "three") & (table["dataset"] == "first")]
    assert kept["group_separable"].isna().all()
    assert not kept["single_peaked"].isna().any()


def test_the_table_is_tidy_a_row_a_cell_and_dataset(whole):
    table = whole.table()
    assert len(table) == len(SETS) * len(METRIC_SETS) * len(BREAKINGS) * 2
    assert not table.duplicated(["model_set", "metric_set", "break_ties", "dataset"]).any()
    assert len(whole.summary()) == len(table) // 2
    assert str(whole).startswith("18 cells of 2 datasets: ")


def test_a_sweep_is_proved_by_the_ranks_it_carries_also_after_a_journey(whole, suite):
    assert whole.verify(suite)
    assert travelled(whole).verify(suite)
    assert travelled(whole).table().equals(whole.table())


def test_each_spoilt_part_is_seen(whole):
    spoilt = [
        (("model_sets", "three"), ["a", "b"]),
        (("model_sets", "three"), ["a", "b", "d"]),
        (("model_sets", "three"), ["a", "b", "c", "nobody"]),
        (("model_sets", "pair"), ["c", "d", "d"]),
        (("metric_sets", "one"), ["y"]),
        (("metric_sets", "one"), ["x", "nothing"]),
        (("breakings", 0), "reverse"),
        (("breakings",), ["alphabetical"]),
        (("properties",), ["single_peaked"]),
        (("facts", 0, "first", "models"), 4),
        (("facts", 0, "first", "acyclic"), None),
        (("facts", 1, "second", "condorcet_winner"), "nobody"),
        (("facts", 2, "second"), {}),
        (("tables", "first", "ranks", "x"), [1, 2, 3, 4]),
        (("tables", "first", "weights"), {"x": "0/1"}),
    ]
    assert_each_spoilt_part_is_seen(whole, spoilt)


def test_another_suite_is_not_the_source(whole, suite):
    with pytest.raises(ProofError, match="different datasets"):
        whole.verify(suite.select(datasets=["first"]))
    other = wl.Suite({name: suite.table(name).frame() for name in suite.datasets})
    with pytest.raises(ProofError, match=r"^'first': the rank that 'y' gives"):
        whole.verify(other)


def counted_cells(monkeypatch):
    """Count the cells that are worked out here."""
    seen = []
    known = running.cell_facts
    monkeypatch.setattr(running, "cell_facts", lambda *given: seen.append(given[1]) or known(*given))
    return seen


def restarted(suite, path):
    return sweep(
        suite, model_sets=SETS, metric_sets=METRIC_SETS, break_ties=BREAKINGS, properties=EVERYTHING, partial=path
    )


def test_a_stopped_sweep_goes_on_without_repeating_or_losing_a_cell_wherever_it_was_torn(
    suite, whole, tmp_path, monkeypatch
):
    path = tmp_path / "partial.jsonl"
    assert restarted(suite, path).table().equals(whole.table())
    raw = path.read_bytes()
    ends = [place + 1 for place, letter in enumerate(raw) if letter == ord("\n")]
    assert len(ends) == 1 + 18
    seen = counted_cells(monkeypatch)
    cuts = sorted({0, 1, ends[0] - 1, ends[0], ends[0] + 1, ends[5] - 1, ends[5], ends[9] + 7, len(raw) - 1, len(raw)})
    for cut in cuts:
        path.write_bytes(raw[:cut])
        seen.clear()
        assert restarted(suite, path).table().equals(whole.table())
        assert len(seen) == 18 - max(0, sum(end <= cut for end in ends) - 1)
        assert sorted(path.read_bytes().splitlines()) == sorted(raw.splitlines())


def test_sets_that_are_the_same_are_worked_out_once_whatever_they_are_called(suite, tmp_path, monkeypatch):
    seen = counted_cells(monkeypatch)
    path = tmp_path / "partial.jsonl"
    sweep(suite, model_sets={"one": ["a", "b"], "two": ["b", "a"]}, partial=path)
    assert len(seen) == 1
    done = []
    sweep(suite, model_sets={"three": ["a", "b"], "more": ["a", "c"]}, partial=path, progress=done.append)
    assert len(seen) == 2
    assert done == [1, 1]


def test_a_file_of_something_else_is_refused(suite, tmp_path):
    path = tmp_path / "partial.jsonl"
    for text, said in [
        ("notes\n", "line 1: not JSON"),
        ("notes", "not a checkpoint of a sweep"),
        ('{"a": 1}\n', "not a checkpoint of a sweep"),
        ("[1]\n", "line 1: a JSON object is needed"),
    ]:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FileFormatError, match=said):
            sweep(suite, partial=path)
        assert path.read_text(encoding="utf-8") == text
    path.unlink()
    sweep(suite, partial=path)
    with pytest.raises(FileFormatError, match="different properties"):
        sweep(suite, partial=path, properties=["single_crossing"])
    with pytest.raises(FileFormatError, match="different scores"):
        sweep(suite.select(datasets=["first"]), partial=path)
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, said in [("{}", "'cell' and 'facts'"), ("torn", "line 2: not JSON")]:
        path.write_text("\n".join([lines[0], line, lines[1], ""]), encoding="utf-8")
        with pytest.raises(FileFormatError, match=said):
            sweep(suite, partial=path)
    other = json.loads(lines[1])
    other["facts"]["first"]["acyclic"] = not other["facts"]["first"]["acyclic"]
    path.write_text("\n".join([*lines, json.dumps(other), ""]), encoding="utf-8")
    with pytest.raises(FileFormatError, match="duplicated, with different facts"):
        sweep(suite, partial=path)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda facts: facts.clear(), "line 2: facts of the datasets first, "),
        (lambda facts: facts.pop("first"), "line 2: facts of the datasets first, "),
        (lambda facts: facts["first"].pop("acyclic"), "line 2: 'first': facts are models, metrics, "),
        (lambda facts: facts.update(first=[1]), "line 2: 'first': facts are models, metrics, "),
        (lambda facts: facts["first"].update(acyclic="perhaps"), "line 2: 'first': acyclic is 'perhaps'"),
        (lambda facts: facts["first"].update(models=True), "line 2: 'first': models is True"),
        (lambda facts: facts["first"].update(condorcet_winner=1), "line 2: 'first': condorcet_winner is 1"),
    ],
)
def test_a_cell_without_all_its_facts_is_refused(suite, tmp_path, spoil, said):
    path = tmp_path / "partial.jsonl"
    sweep(suite, partial=path)
    first, second = path.read_text(encoding="utf-8").splitlines()
    cell = json.loads(second)
    spoil(cell["facts"])
    path.write_text(f"{first}\n{json.dumps(cell)}\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=said):
        sweep(suite, partial=path)


@pytest.mark.parametrize("backend", [None, "threading", "loky"])
def test_processes_change_nothing(suite, whole, backend, tmp_path):
    pytest.importorskip("joblib", reason="joblib is not installed")
    found = sweep(
        suite,
        model_sets=SETS,
        metric_sets=METRIC_SETS,
        break_ties=BREAKINGS,
        properties=EVERYTHING,
        n_jobs=2,
        backend=backend,
        partial=tmp_path / "partial.jsonl",
    )
    assert found.table().equals(whole.table())
    assert len((tmp_path / "partial.jsonl").read_bytes().splitlines()) == 19


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(1, 90)), max_size=9, unique_by=lambda one: one[0]))
def test_cells_of_one_set_of_models_travel_together_and_each_once(sets):
    cells = [
        Cell(models=(models,), metrics=(str(number),), break_ties=None)
        for models, count in sets
        for number in range(count)
    ]
    blocks = running.blocks_of(cells)
    assert [cell for block in blocks for cell in block] == cells
    assert all(1 <= len(block) <= running.LARGEST_BLOCK for block in blocks)
    for models, count in sets:
        holding = sum(any(cell.models == (models,) for cell in block) for block in blocks)
        assert holding == -(-count // running.LARGEST_BLOCK)


def test_cells_that_are_put_together_from_several_parts_are_the_same():
    pytest.importorskip("joblib", reason="joblib is not installed")
    suite = wl.datasets.load("classifiers")
    sets = random_model_sets(suite, size=5, count=3, rng=0)
    metric_sets = list(combinations(suite.metrics, 4)) + list(combinations(suite.metrics, 3))
    alone = sweep(suite, model_sets=sets, metric_sets=metric_sets)
    done = []
    apart = sweep(suite, model_sets=sets, metric_sets=metric_sets, n_jobs=2, backend="threading", progress=done.append)
    assert apart.facts == alone.facts
    assert [list(facts) for facts in apart.facts] == [list(facts) for facts in alone.facts]
    assert done == [1] * len(alone.facts)


def test_a_local_dask_cluster_changes_nothing(suite, whole):
    pytest.importorskip("joblib", reason="joblib is not installed")
    distributed = pytest.importorskip("dask.distributed", reason="dask.distributed is not installed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        found = sweep(
            suite,
            model_sets=SETS,
            metric_sets=METRIC_SETS,
            break_ties=BREAKINGS,
            properties=EVERYTHING,
            n_jobs=2,
            backend="dask",
        )
    assert found.table().equals(whole.table())


def test_a_backend_that_there_is_not_is_refused(suite):
    pytest.importorskip("joblib", reason="joblib is not installed")
    with pytest.raises(InputError, match="backend 'abacus'"):
        sweep(suite, model_sets=SETS, backend="abacus")


def test_without_joblib_only_one_process_runs(suite, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    assert len(sweep(suite, model_sets=SETS).facts) == 3
    with pytest.raises(InputError, match=r"needs joblib: install weightlab\[parallel\]"):
        sweep(suite, model_sets=SETS, n_jobs=2)
    with pytest.raises(InputError, match="got 0"):
        sweep(suite, model_sets=SETS, n_jobs=0)


@given(st.integers(1, 7), st.data())
def test_random_sets_are_different_of_one_size_and_the_same_for_a_seed(count, data):
    models = "abcdefg"[:count]
    size = data.draw(st.integers(1, count))
    wanted = data.draw(st.integers(0, comb(count, size)))
    seed = data.draw(st.integers(0, 99))
    drawn = random_model_sets(list(models), size=size, count=wanted, rng=seed)
    assert drawn == random_model_sets(list(models), size=size, count=wanted, rng=seed)
    assert len(set(drawn.values())) == wanted
    assert set(drawn.values()) <= set(combinations(models, size))


def test_other_seeds_draw_other_sets_and_too_many_are_refused():
    models = [f"m{place}" for place in range(30)]
    assert random_model_sets(models, size=7, count=20, rng=0) != random_model_sets(models, size=7, count=20, rng=1)
    with pytest.raises(InputError, match="there are 435 different sets of 2; 436 were requested"):
        random_model_sets(models, size=2, count=436)
    with pytest.raises(InputError, match="sets of 1 to 30 models"):
        random_model_sets(models, size=31, count=1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model_sets": [["a", "e"]]}, "model set '1': no model named 'e'"),
        ({"model_sets": {"none": []}}, "model set 'none' is empty"),
        ({"model_sets": {"all": ["a", "b"]}}, "what is called 'all' must be all models"),
        ({"model_sets": []}, "at least one set of models"),
        ({"model_sets": "abc"}, "a mapping from names to sets"),
        ({"model_sets": ["abc"]}, "a list of models is needed"),
        ({"metric_sets": [["w"]]}, "no metric named 'w'"),
        ({"break_ties": "coin"}, "break_ties must be"),
        ({"break_ties": []}, "at least one way to break ties"),
    ],
)
def test_wrong_grids_are_refused(suite, options, said):
    with pytest.raises(InputError, match=said):
        sweep(suite, **options)


def test_unknown_properties_and_tolerances_are_refused(suite):
    with pytest.raises(UnknownNameError):
        sweep(suite, properties=["single_peeked"])
    with pytest.raises(InputError, match="ties within a score tolerance"):
        sweep(wl.Suite({"d": {"x": {"a": 1, "b": 2}}}, tolerance=1))


def test_two_sweeps_do_not_write_one_file(tmp_path, suite):
    pytest.importorskip("fcntl", reason="this system has no locks of files")
    path = tmp_path / "cells.jsonl"

    def again(_steps):
        with pytest.raises(FileFormatError, match="another sweep is writing this file"):
            sweep(suite, partial=path)

    first = sweep(suite, partial=path, progress=again)
    assert sweep(suite, partial=path).facts == first.facts


def test_a_document_without_cells_is_no_sweep():
    found = sweep(wl.datasets.load("classifiers"), break_ties=None, properties=[])
    document = found.to_dict()
    for changed in ({"breakings": [], "facts": []}, {"breakings": [None] * 2, "facts": document["facts"] * 2}):
        with pytest.raises(ProofError, match=r"needs a cell|named twice"):
            wl.studies.Sweep.from_dict(json.loads(json.dumps(document | changed))).verify()


def test_a_set_called_all_that_lacks_a_model_is_refused_in_a_document(suite):
    document = sweep(suite, model_sets={"some": ["a", "b"]}, break_ties=None, properties=[]).to_dict()
    forged = json.loads(json.dumps(document).replace('"some"', '"all"'))
    with pytest.raises(ProofError, match="the set 'all' lacks a name"):
        wl.studies.Sweep.from_dict(forged).verify()
