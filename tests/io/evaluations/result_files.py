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
