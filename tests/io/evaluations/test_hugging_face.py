"""Results on Hugging Face: in model cards, in ``.eval_results`` and as records in Parquet files."""

from __future__ import annotations

import io
import json

import pytest

import weightlab as wl
from weightlab.exceptions import FileFormatError

pytest.importorskip("yaml", reason="yaml is absent")

CARD = """---
license: mit
model-index:
- name: org/{model}
  results:
  - task: {{type: text-classification}}
    dataset: {{name: IMDb, type: imdb, split: test}}
    metrics:
    - {{type: accuracy, value: {score}}}
    - {{type: loss, value: 0.31}}
    - {{type: note, value: soon}}
  - dataset: {{name: GLUE, type: glue, config: mrpc}}
    metrics: [{{type: f1, value: 88.5}}]
---
# {model}

| step | loss |
|---|---|
| 1 | 0.5 |
"""
RESULTS = """- dataset: {{id: cais/hle, task_id: default}}
  value: {score}
  date: "2025-01-15"
- dataset: {{id: Idavidrein/gpqa, task_id: diamond}}
  value: 0.5
"""


def cards(root):
    for model, score in (("a", "0.91"), ("b", "0.93")):
        (root / model).mkdir(parents=True)
        (root / model / "README.md").write_text(CARD.format(model=model, score=score))
    return root


def eval_results(root):
    for model, score in (("a", "21.9"), ("b", "20.5")):
        (root / model / ".eval_results").mkdir(parents=True)
        (root / model / ".eval_results" / "hle.yaml").write_text(RESULTS.format(score=score))
    return root


def test_model_cards_are_results(tmp_path):
    found = wl.io.read_results(cards(tmp_path))
    assert found.kind == "Hugging Face model cards"
    assert (found.models, found.datasets) == (("org/a", "org/b"), ("IMDb", "GLUE (mrpc)"))
    assert any("no number" in note for note in found.notes)
    with pytest.warns(wl.ResultsWarning):
        board = wl.read_leaderboard(tmp_path)
    assert board.lower_is_better == ("loss/IMDb",)
    assert board.scores.loc["org/a", "accuracy/IMDb"] == 0.91


def test_metrics_of_one_type_are_told_apart_by_their_names(tmp_path):
    its = "".join(
        f"    - {{name: {split} R1, type: r1, value: {score}}}\n" for split, score in (("dev", 2), ("test", 1))
    )
    head = "---\nmodel-index:\n- name: m\n  results:\n  - dataset: {name: d}\n    metrics:\n"
    (tmp_path / "README.md").write_text(f"{head}{its}    - {{name: R2, type: r2, value: 3}}\n---\n")
    results = wl.io.read_results(tmp_path)
    assert [(cell.metric, cell.score) for cell in results.cells] == [("dev R1", 2), ("test R1", 1), ("r2", 3)]


def test_files_of_eval_results_are_results(tmp_path):
    found = wl.io.read_hugging_face(eval_results(tmp_path))
    assert (found.models, found.datasets) == (("a", "b"), ("cais/hle", "Idavidrein/gpqa/diamond"))
    with pytest.raises(wl.InputError, match=r"direction 'score' lead; pass lower_is_better=\['score'\]"):
        wl.read_leaderboard(tmp_path)
    board = wl.read_leaderboard(tmp_path, higher_is_better="score")
    assert board.tasks == ("cais/hle", "Idavidrein/gpqa/diamond")


def test_a_card_without_results_is_a_page(tmp_path):
    for model in "ab":
        (tmp_path / model).mkdir()
        (tmp_path / model / "README.md").write_text("---\nlicense: mit\n---\n# words\n")
    with pytest.raises(FileFormatError, match="this is a folder"):
        wl.io.read_results(tmp_path)


def test_aliases_in_a_card_are_refused(tmp_path):
    (tmp_path / "README.md").write_text("---\na: &a [1]\nmodel-index: *a\n---\n")
    with pytest.raises(FileFormatError, match="stands for what is written elsewhere"):
        wl.io.read_hugging_face(tmp_path / "README.md")


def test_the_leaderboard_of_a_data_set_is_a_table():
    rows = [
        {
            "rank": at,
            "modelId": f"org/{model}",
            "value": 40 - at,
            "verified": True,
            "source": {"name": "card", "url": "x"},
        }
        for at, model in enumerate("abc", start=1)
    ]
    board = wl.read_leaderboard(io.StringIO(json.dumps(rows)))
    assert (board.models, board.tasks) == (("org/a", "org/b", "org/c"), ("value",))


def records():
    for model, score in (("a", 0.25), ("b", 0.1)):
        yield {
            "schema_version": "0.3.0",
            "model_info": {"id": f"org/{model}", "name": model},
            "evaluation_results": [
                {
                    "evaluation_name": "qa",
                    "metric_config": {"lower_is_better": False, "metric_name": "f1", "has_unknown_level": None},
                    "score_details": {"score": score, "uncertainty": {"standard_error": {"value": 0.125}}},
                }
            ],
        }


def test_records_of_every_eval_ever_may_be_rows_of_a_parquet_file(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is absent")
    from pyarrow import parquet

    (tmp_path / "rows").mkdir()
    parquet.write_table(pa.Table.from_pylist(list(records())), tmp_path / "rows" / "t.parquet")
    (tmp_path / "files").mkdir()
    for at, record in enumerate(records()):
        (tmp_path / "files" / f"{at}.json").write_text(json.dumps(record))
    by_file = wl.io.read_results(tmp_path / "files")
    for place in (tmp_path / "rows", tmp_path / "rows" / "t.parquet"):
        found = wl.io.read_results(place)
        assert found.kind == "Every Eval Ever"
        assert found.leaderboard().equals(by_file.leaderboard())


def test_other_parquet_files_are_tables(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is absent")
    from pyarrow import parquet

    parquet.write_table(pa.table({"model": ["a", "b"], "x": [1, 2]}), tmp_path / "t.parquet")
    assert wl.read_leaderboard(tmp_path / "t.parquet").tasks == ("x",)
