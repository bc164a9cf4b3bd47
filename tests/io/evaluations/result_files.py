"""Result folders made by hand after what the writers write: small, with invented models and scores.

No program's own result file is copied here; the keys are those of lm-evaluation-harness 0.4.
"""

from __future__ import annotations

import json

STAMP = "2025-03-01T10-00-00.000001"
LATER = "2025-04-01T10-00-00.000001"


def written(path, document):
    """Write a JSON document, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False), encoding="utf-8")
    return path


def lm_eval_document(model, scores, *, directions=None, groups=None, samples=None, **more):
    """Return a results document: scores by task and ``metric,filter``, an error beside each."""
    results = {
        task: {"alias": f" - {task}"} | dict(row) | {key.replace(",", "_stderr,"): 0.01 for key in row if "," in key}
        for task, row in scores.items()
    }
    known = {"acc": True, "acc_norm": True, "exact_match": True, "word_perplexity": False}
    metrics = {task: {key.partition(",")[0] for key in row} for task, row in scores.items()}
    higher = {task: {one: known.get(one) for one in sorted(names)} for task, names in metrics.items()}
    return {
        "results": results,
        "groups": {},
        "group_subtasks": groups or {task: [] for task in scores},
        "configs": {task: {"task": task} for task in scores},
        "versions": dict.fromkeys(scores, 1.0),
        "n-shot": dict.fromkeys(scores, 0),
        "higher_is_better": higher if directions is None else directions,
        "n-samples": samples or {task: {"original": 100, "effective": 100} for task in scores},
        "config": {"model": "hf", "model_args": f"pretrained={model}", "limit": None},
        "model_source": "hf",
        "model_name": model,
    } | more


def lm_eval_file(folder, model, scores, *, stamp=STAMP, **more):
    """Write a results file where lm-evaluation-harness puts it."""
    path = folder / model.replace("/", "__") / f"results_{stamp}.json"
    return written(path, lm_eval_document(model, scores, **more))


# MTEB: a file a task, in the layouts of its versions, and with what is awkward in its public results.

MTEB_FLAT = {"evaluation_time": 1.5, "ndcg_at_1": 0.25, "ndcg_at_10": 0.5}
MTEB_LAYOUTS = ("plain", "old", "experiment", "plain", "plain")
MTEB_AWKWARD = ("none", "splits", "twice alike", "twice", "key twice", "cut", "no number", "other JSON", "no object")


def mteb_rows(scores):
    """Return entries by subset, each in a language of its own."""
    return [
        {"main_score": score, "hf_subset": subset, "languages": [f"{one}-Latn" for one in subset.split("-")]}
        for subset, score in scores.items()
    ]


def mteb_file(folder, model, task, scores, *, revision="r1", split="test", meta=True, version="2.1.0"):
    """Write one task: scores by subset, a subset in a language of its own."""
    place = folder / model.replace("/", "__") / revision
    if meta:
        written(place / "model_meta.json", {"name": model, "revision": revision})
    document = {
        "task_name": task,
        "mteb_version": version,
        "dataset_revision": "d",
        "scores": {split: mteb_rows(scores)},
    }
    return written(place / f"{task}.json", document)


def old_mteb_file(folder, model, task, splits, *, revision="no_revision_available"):
    """Write one task as MTEB 1.0 to 1.10 did: splits at the top."""
    document = {"dataset_revision": "d", "mteb_dataset_name": task, "mteb_version": "1.7.0"} | splits
    return written(folder / model.replace("/", "__") / revision / f"{task}.json", document)


def awkward_mteb_text(kind, task, scores):
    """Return the text of a file that is awkward in one way, or in none."""
    document = {"task_name": task, "mteb_version": "2.1.0", "scores": {"test": mteb_rows(scores)}}
    test = document["scores"]["test"]
    if kind == "splits":
        document["scores"] = {"long": test, "short": test}
    if kind == "twice alike":
        test.append(test[0])
    if kind == "twice":
        test.append(test[0] | {"main_score": 0.9995})
    if kind == "no number":
        document["scores"]["test"] = [row | {"main_score": None} for row in test]
    text = json.dumps({"a": 1} if kind == "other JSON" else [document] if kind == "no object" else document)
    if kind == "key twice":
        return text.replace('"mteb_version"', '"x": 1, "x": 2, "mteb_version"')
    return text[:-3] if kind == "cut" else text


def mteb_folder(folder, roll, *, models=3, tasks=3, subsets=2, beside=None):
    """Write a folder of all layouts and kinds of awkwardness; return the scores to read by model, revision and task.

    ``roll(n)`` is a number below n. Beside each main score stand other metrics, if there are any.
    """
    expected, others = {}, json.dumps(beside)[1:-1]
    for model in range(models):
        for task in range(tasks):
            layout, kind = (
                MTEB_LAYOUTS[roll(len(MTEB_LAYOUTS))],
                MTEB_AWKWARD[roll(len(MTEB_AWKWARD))] if roll(4) == 0 else "none",
            )
            name, revision = f"org/m{model}", f"r{roll(2)}"
            place = folder / f"org__m{model}" / revision
            scores = {f"l{subset}": roll(1_000) / 1_000 for subset in range(1 + roll(subsets))}
            if layout == "old":
                old_mteb_file(folder, name, f"T{task}", {"test": MTEB_FLAT | (beside or {})}, revision=revision)
                expected[name, revision, f"T{task}"] = [0.5]
                continue
            if layout == "experiment":
                place, name = place / "experiments" / "dim_64", f"{name} (dim_64)"
            place.mkdir(parents=True, exist_ok=True)
            text = awkward_mteb_text(kind, f"T{task}", scores)
            text = text.replace('"main_score"', f'{others}, "main_score"') if beside else text
            (place / f"T{task}.json").write_text(text, encoding="utf-8")
            if kind in {"none", "twice alike"}:
                expected[name, revision, f"T{task}"] = list(scores.values())
    return expected
