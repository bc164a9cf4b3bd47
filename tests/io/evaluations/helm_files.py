"""Run folders made by hand after what HELM writes: small, with invented models and scores.

The keys are those of HELM 0.5.16 (``run_spec.json``, ``stats.json`` and ``per_instance_stats.json`` of its runner,
which leaves out what is None).
"""

from __future__ import annotations

from tests.io.evaluations.result_files import written

MMLU = "helm.benchmark.scenarios.mmlu_scenario.MMLUScenario"


def run_spec(model, *, name="", scenario=MMLU, arguments=None, adapter=None, **more):
    """Return a run spec."""
    asked = {"method": "multiple_choice_joint", "max_train_instances": 5, "num_train_trials": 1, "temperature": 0.0}
    return {
        "name": name or f"mmlu:model={model.replace('/', '_')}",
        "scenario_spec": {"class_name": scenario, "args": {"subject": "anatomy"} if arguments is None else arguments},
        "adapter_spec": {"model_deployment": model, "model": model} | asked | (adapter or {}),
        "metric_specs": [{"class_name": "helm.benchmark.metrics.basic_metrics.BasicGenerationMetric", "args": {}}],
        "groups": ["mmlu"],
    } | more


def stat(name, mean, *, split="test", perturbation=None, computed_on="worst", **more):
    """Return a statistic, as one instance would give it."""
    told = {"name": name} | ({"split": split} if split else {}) | more
    if perturbation:
        told["perturbation"] = {"name": perturbation, "robustness": True, "fairness": False, "computed_on": computed_on}
    if mean is None:
        return {"name": told, "count": 0, "sum": 0, "sum_squared": 0}
    spread = {"min": mean, "max": mean, "mean": mean, "variance": 0, "stddev": 0.0}
    return {"name": told, "count": 1, "sum": mean, "sum_squared": 0.5} | spread


def run_folder(suite, model, scores, *, folder="", stats=(), instances=None, nested=False, **more):
    """Write a run: scores by metric on the split test, more statistics, and perhaps scores on instances."""
    spec = run_spec(model, **more)
    place = suite / (folder or spec["name"])
    written(place / "run_spec.json", {"run_spec": spec} if nested else spec)
    written(place / "stats.json", [*(stat(name, mean) for name, mean in scores.items()), *stats])
    if instances is not None:
        written(place / "per_instance_stats.json", instances)
    return place


def on_instance(instance, scores, *, trial=0, perturbation=None, split="test", **more):
    """Return an entry of per_instance_stats.json."""
    stats = [
        stat(name, mean, split=split, perturbation=perturbation, computed_on="perturbed", **more)
        for name, mean in scores.items()
    ]
    entry = {"instance_id": instance, "train_trial_index": trial, "stats": stats}
    return entry | ({"perturbation": {"name": perturbation, "computed_on": "perturbed"}} if perturbation else {})
