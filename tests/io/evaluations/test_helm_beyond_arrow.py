"""The preprocessing of "Beyond Arrow" against the steps of its script, written down as frames."""

from __future__ import annotations

import json
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.evaluations.helm_files import run_folder, stat
from weightlab.exceptions import FileFormatError

METRICS = ("exact_match", "inference_runtime", "num_bytes")

STATS = st.builds(
    stat,
    st.sampled_from((*METRICS, "f1_score")),
    st.one_of(st.none(), st.sampled_from([-1, 0, 0.1, 0.25, 1, 3])),
    split=st.sampled_from([None, "test", "valid", "train"]),
    perturbation=st.sampled_from([None, "typos", "robustness"]),
    computed_on=st.sampled_from(["original", "worst"]),
)
RUNS = st.lists(
    st.fixed_dictionaries(
        {
            "model": st.sampled_from(["ada", "bo"]),
            "arguments": st.sampled_from([{"subject": "law"}, {"subject": "sets"}]),
            "adapter": st.sampled_from([{}, {"max_train_instances": 0}]),
            "name": st.sampled_from(["x", "y"]),
            "stats": st.lists(STATS, max_size=5),
        }
    ),
    min_size=1,
    max_size=5,
)


def as_the_script_does(folder):
    """Return the exact scores by dataset, metric and model; of settings as frequent as each other the first run's."""
    rows = []
    for place in sorted(folder.iterdir()):
        spec = json.loads((place / "run_spec.json").read_text(encoding="utf-8"))
        model = spec["adapter_spec"].pop("model")
        del spec["adapter_spec"]["model_deployment"]
        dataset = f"mmlu:{spec['scenario_spec']['args']['subject']}"
        entries = json.loads((place / "stats.json").read_text(encoding="utf-8"), parse_float=str, parse_int=str)
        rows += [
            (dataset, model, json.dumps(spec), entry["name"]["name"], Fraction(entry["mean"]))
            for entry in entries
            if entry["name"]["name"] in METRICS and "mean" in entry
        ]
    long = pd.DataFrame(rows, columns=["dataset", "model", "setting", "metric", "score"])
    made = {}
    for (dataset, model), runs in long.groupby(["dataset", "model"], sort=False):
        counts = runs.groupby("setting", sort=False).size()
        kept = runs[runs["setting"] == counts.index[counts.argmax()]]
        for metric, scores in kept.groupby("metric")["score"]:
            mean = sum(scores) / len(scores)
            if metric != "num_bytes" or mean > 0:
                made[dataset, metric, model] = mean
    return made


def _run(name, *means):
    """Return a run of one model in one of two settings, called x and y."""
    adapter = {} if name == "x" else {"max_train_instances": 0}
    stats = [stat("exact_match", mean) for mean in means]
    return {"model": "bo", "arguments": {"subject": "law"}, "adapter": adapter, "name": name, "stats": stats}


# A folder without such statistics does not make its setting the first of two that are as frequent as each other.
@example(runs=[_run("y"), _run("x", 0), _run("y", 1)])
@settings(max_examples=40)
@given(runs=RUNS)
def test_it_is_what_the_script_does(tmp_path_factory, runs):
    folder = tmp_path_factory.mktemp("suite")
    for position, run in enumerate(runs):
        run_folder(folder, scores={}, folder=f"run{position}", **run)
    expected = as_the_script_does(folder)
    there = [metric for metric in METRICS if any(metric in place.read_text() for place in folder.rglob("stats.json"))]
    if not expected:
        with pytest.raises(FileFormatError, match="the runs hold no such score"):
            wl.io.read_helm(folder, metrics=there, preprocessing="beyond_arrow")
        return
    results = wl.io.read_helm(folder, metrics=there, preprocessing="beyond_arrow")
    assert {(c.dataset, c.metric, c.model): Fraction(str(c.score)) for c in results.cells} == expected
    assert {cell.metric for cell in results.cells if cell.higher_is_better} <= {"exact_match"}
