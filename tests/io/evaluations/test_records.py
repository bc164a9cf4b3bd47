"""Records of Every Eval Ever and logs of Inspect: files as they are published, and awkward ones made of them."""

from __future__ import annotations

import json
import math
import warnings
import zipfile
from fractions import Fraction

import pytest

import weightlab as wl

HIGHER, LOWER = {"lower_is_better": False}, {"lower_is_better": True}


def record(model="org/a", stamp="10", **scores):
    """Return a record with one result a keyword: its metric_config and score_details."""
    return {
        "schema_version": "0.3.0",
        "retrieved_timestamp": stamp,
        "model_info": {"name": "a", "id": model},
        "evaluation_results": [
            {"evaluation_name": name, "source_data": {}, "metric_config": config, "score_details": details}
            for name, (config, details) in scores.items()
        ],
    }


def log(model="org/a", value=0.5, metric="accuracy", **more):
    scores = [{"name": "choice", "metrics": {metric: {"value": value}, "stderr": {"value": 0.1}}}]
    about = {"model": model, "task": "arc", "created": "2025-10-21", "dataset": {"samples": 2, "sample_ids": [1, 2]}}
    return {"status": "success", "eval": about, "plan": {}, "results": {"scores": scores}} | more


def write(folder, *documents):
    for number, document in enumerate(documents):
        (folder / f"{number}.json").write_text(json.dumps(document))
    return folder


def read_quietly(read, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wl.io.ResultsWarning)
        return read(path, **options)


def test_published_records_hold_their_scores_and_directions(shared_data):
    results = wl.io.read_every_eval_ever(shared_data / "real" / "every_eval_ever")
    board = read_quietly(wl.read_leaderboard, shared_data / "real" / "every_eval_ever")
    assert (board.scores.shape, len(board.missing_cells), board.lower_is_better) == ((3, 22), 44, ())
    cells = {(cell.model, cell.dataset): cell.score for cell in results.cells}
    assert cells["01-ai/yi-1.5-34b-chat", "MMLU-Pro (overall)"] == 0.5229
    assert cells["01-ai/yi-1.5-34b-chat", "MMLU-Pro (Law)"] == 0.3479
    assert cells["TencentARC/LLaMA-Pro-8B-Instruct", "MATH Level 5"] == 0.0249
    assert cells["TencentARC/LLaMA-Pro-8B-Instruct", "MMLU-PRO"] == 0.1946
    assert cells["demo-org/demo-model", "demo-source.demo_bench"] == 0.75
    left = "Left out, nothing of Every Eval Ever: 2 files (eval.schema.json, instance_level_eval.schema.json)."
    assert results.notes == (left,)


def test_published_samples_are_instances(shared_data):
    instances = wl.read_instances(shared_data / "real" / "every_eval_ever")
    assert (instances.tasks, instances.models) == (("demo-source.demo_bench",), ("demo-org/demo-model",))
    assert instances.table("demo-source.demo_bench").frame().loc["demo-org/demo-model", "demo_0001"] == 1


def test_published_logs_hold_scores_errors_and_samples(shared_data):
    path = shared_data / "real" / "inspect"
    board = read_quietly(wl.read_leaderboard, path)
    arc, qwen = "inspect_evals/arc_easy", "ollama/qwen2.5:0.5b"
    assert (board.scores.shape, len(board.missing_cells), board.lower_is_better) == ((3, 2), 3, ())
    assert board.scores.loc[qwen, arc] == 0.3333333333333333
    assert board.standard_errors.loc[qwen, arc] == 0.33333333333333337
    assert board.scores.loc["anthropic/claude-sonnet-4-0", arc] == 1
    assert board.scores.loc["openai/azure/gpt-4o-mini", "inspect_evals/pubmedqa"] == 1
    [note] = wl.io.read_inspect(path).notes
    assert note.startswith(f"From a part of the samples: 3 runs ({qwen} on {arc} (3 of 2376)")
    instances = wl.read_instances(path)
    assert (instances.tasks, len(instances.models)) == ((arc, "inspect_evals/pubmedqa"), 3)
    assert instances.table(arc).frame().loc[qwen].dropna().mean() == pytest.approx(1 / 3)


def test_uncertainty_is_the_standard_error_or_what_the_deviation_gives(tmp_path):
    given = {
        "score": 0.5,
        "uncertainty": {"standard_error": {"value": 0.02}, "standard_deviation": 9, "num_samples": 4},
    }
    derived = {"score": 0.5, "uncertainty": {"standard_deviation": 0.5, "num_samples": 25}}
    interval = {"score": 0.5, "uncertainty": {"confidence_interval": {"lower": 0.4, "upper": 0.6}}}
    results = wl.io.read_every_eval_ever(
        write(tmp_path, record(x=(HIGHER, given), y=(LOWER, derived), z=(HIGHER, interval)))
    )
    assert [cell.error for cell in results.cells[:2]] == [0.02, 0.1]
    assert math.isnan(results.cells[2].error)
    assert [cell.higher_is_better for cell in results.cells] == [True, False, True]
    assert results.notes == ("With an interval and no standard error: 1 score (score of org/a on z).",)


def test_an_unknown_level_and_what_is_no_number_are_left_out(tmp_path):
    levels = {"lower_is_better": False, "has_unknown_level": True}
    scores = {"x": (levels, {"score": -1}), "y": (HIGHER, {"score": -1}), "z": (HIGHER, {"score": None})}
    results = wl.io.read_every_eval_ever(write(tmp_path, record(**scores)))
    assert [(cell.dataset, cell.score) for cell in results.cells] == [("y", -1)]
    assert results.notes[0].startswith("Left out, no number or an unknown level: 2 scores")


def test_the_newest_of_several_records_counts(tmp_path):
    path = write(tmp_path, record(stamp="9", x=(HIGHER, {"score": 1})), record(stamp="10", x=(HIGHER, {"score": 2})))
    results = wl.io.read_every_eval_ever(path)
    assert [cell.score for cell in results.cells] == [2]
    assert results.notes[0].startswith("Several runs: the newest counts: 1 case (org/a on x)")
    write(tmp_path, record(stamp="10", x=(HIGHER, {"score": 1})))
    with pytest.raises(
        wl.FileFormatError,
        match=r"Nothing tells .*: 1 case \(org/a on x in .*0\.json.*1\.json",
    ):
        wl.io.read_every_eval_ever(path)


def test_of_other_metrics_of_inspect_the_direction_is_asked_for(tmp_path):
    path = write(tmp_path, log(metric="mean"), log(model="org/b", metric="mean", value=0.25))
    with pytest.raises(wl.InputError, match="lower_is_better"):
        wl.read_leaderboard(path)
    assert wl.read_leaderboard(path, lower_is_better="mean").lower_is_better == ("arc",)


def test_logs_that_did_not_finish_are_left_out_and_said(tmp_path):
    path = write(tmp_path, log(), log(model="org/b", status="error"), log(model="org/c", results=None))
    results = wl.io.read_inspect(path)
    assert results.models == ("org/a",)
    assert results.notes[0].startswith("Left out, a run without results or not finished: 2 files")


@pytest.mark.parametrize("form", ["json", "eval"])
def test_epochs_reduced_in_several_ways_are_metrics_of_their_own(tmp_path, form):
    """As written for ``Epochs(2, ["mean", "max", "mode"])``: a scorer once for each way; the mode keeps letters."""
    ways = {"mean": (0.5, [0.5, 0.5]), "max": (1.0, [1.0, 1.0]), "mode": (0.25, ["P", "I"])}
    scores = [
        {"name": "choice", "scorer": "choice", "reducer": way, "metrics": {"accuracy": {"value": value}}}
        for way, (value, _) in ways.items()
    ]
    reductions = [
        {
            "scorer": "choice",
            "reducer": way,
            "samples": [{"sample_id": at, "value": value} for at, value in enumerate(values)],
        }
        for way, (_, values) in ways.items()
    ]
    document = log(results={"scores": scores}, reductions=reductions)
    if form == "json":
        write(tmp_path, document)
    else:
        archived(tmp_path / "a.eval", document)
    found = {cell.metric: (cell.score, cell.higher_is_better) for cell in wl.io.read_inspect(tmp_path).cells}
    assert found == {f"choice/{way}/accuracy": (value, True) for way, (value, _) in ways.items()}
    instances = wl.read_instances(tmp_path)
    values = {task: instances.table(task).frame().loc["org/a"].tolist() for task in instances.tasks}
    assert values == {"choice/mean/arc": [0.5, 0.5], "choice/max/arc": [1, 1], "choice/mode/arc": [0.5, 0]}


def test_a_sample_written_twice_to_an_archive_counts_as_it_was_written_last(tmp_path):
    archived(tmp_path / "a.eval", log(samples=[{"id": 1, "scores": {"choice": {"value": "I"}}}]))
    with zipfile.ZipFile(tmp_path / "a.eval", "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("samples/1_epoch_1.json", json.dumps({"id": 1, "scores": {"choice": {"value": "C"}}}))
    assert wl.read_instances(tmp_path / "a.eval").table("arc").frame().loc["org/a"].tolist() == [1]


def test_what_a_scorer_could_not_count_is_left_out(tmp_path):
    metrics = {"accuracy": {"value": math.nan}, "mean": {"value": 0.5}}
    write(tmp_path, log(results={"scores": [{"name": "choice", "metrics": metrics}]}))
    assert [cell.metric for cell in wl.io.read_inspect(tmp_path).cells] == ["mean"]


def archived(path, document, *, header="header.json"):
    """Write a log as Inspect writes archives: the header, and every sample in a file of its own."""
    parts = {"samples": document.pop("samples", None) or [], "reductions": document.pop("reductions", None)}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(header, json.dumps(document))
        if parts["reductions"] is not None:
            archive.writestr("reductions.json", json.dumps(parts["reductions"]))
        for one in parts["samples"]:
            archive.writestr(f"samples/{one['id']}_epoch_1.json", json.dumps(one))


def test_archived_logs_say_what_the_same_logs_in_json_say(shared_data, tmp_path):
    folder = shared_data / "real" / "inspect"
    for one in folder.glob("*.json"):
        archived(tmp_path / f"{one.stem}.eval", json.loads(one.read_text()))
    assert read_quietly(wl.read_leaderboard, tmp_path).equals(read_quietly(wl.read_leaderboard, folder))
    instances = read_quietly(wl.read_instances, tmp_path)
    assert instances.to_dict() == read_quietly(wl.read_instances, folder).to_dict()
    assert wl.io.read_results(tmp_path / "data_arc_qwen.eval").cells[0].score == 0.3333333333333333


def test_samples_of_an_archived_log_are_read_where_it_has_no_reductions(tmp_path):
    samples = [{"id": number, "scores": {"choice": {"value": value}}} for number, value in enumerate("CI")]
    archived(tmp_path / "a.eval", log(samples=samples))
    assert wl.read_instances(tmp_path / "a.eval").table("arc").frame().loc["org/a"].tolist() == [1, 0]


def test_archives_that_cannot_be_read_are_refused_with_what_to_do(tmp_path):
    path = tmp_path / "a.eval"
    path.write_bytes(b"PK\x03\x04 cut short")
    with pytest.raises(wl.FileFormatError, match=r"this log cannot be read .*'inspect log convert FILE --to json"):
        wl.io.read_inspect(path)
    archived(path, log())
    # The method of compression, at byte 10 of the entry in the directory and at byte 8 of the entry itself: Zstandard.
    data = bytearray(path.read_bytes())
    for place in (8, data.index(b"PK\x01\x02") + 10):
        data[place] = 93
    path.write_bytes(data)
    with pytest.raises(wl.FileFormatError, match=r"(compression .* is not supported|Zstandard).*'inspect log convert"):
        wl.io.read_inspect(path)
    archived(path, log(), header="_journal/start.json")
    with pytest.raises(wl.FileFormatError, match=r"no header\.json is in this log: its run did not finish"):
        wl.io.read_inspect(path)
    archived(tmp_path / "b.eval", log(model="org/b"))
    results = wl.io.read_results(tmp_path)
    assert (results.models, results.notes[0][:47]) == (("org/b",), "Left out, cannot be read: 1 file (a.eval: no he")


def test_without_reductions_the_letters_of_inspect_are_scores(tmp_path):
    values = {"C": 1, "P": 0.5, "I": 0, "N": 0, 0.75: 0.75}
    samples = [{"id": number, "scores": {"choice": {"value": value}}} for number, value in enumerate(values)]
    instances = wl.io.read_record_instances(write(tmp_path, log(samples=samples)))
    assert instances.table("arc").frame().loc["org/a"].tolist() == list(values.values())


@pytest.mark.parametrize("text", ["", "{}\n", '{"evaluation_name": "x", "model_id": "m", "sample_id": "1"}\n', "[1]\n"])
def test_samples_that_hold_no_score_are_refused(tmp_path, text):
    (tmp_path / "a_samples.jsonl").write_text(text)
    with pytest.raises(wl.FileFormatError):
        wl.read_instances(tmp_path / "a_samples.jsonl")


def test_samples_need_a_direction_from_records_or_from_the_caller(tmp_path):
    line = {"evaluation_name": "x", "model_id": "org/a", "sample_id": "1", "evaluation": {"score": 0.1}}
    path = tmp_path / "a_samples.jsonl"
    path.write_text(json.dumps(line) + "\n" + json.dumps(line | {"model_id": "org/b"}) + "\n")
    with pytest.raises(wl.InputError, match="lower_is_better"):
        wl.read_instances(path)
    assert wl.read_instances(path, lower_is_better="x").lower_is_better == ("x",)
    write(tmp_path, record(x=(LOWER, {"score": Fraction(1, 2).numerator})))
    assert wl.read_instances(path).lower_is_better == ("x",)
    path.write_text(path.read_text() + json.dumps(line | {"evaluation": {"score": 0.2}}) + "\n")
    with pytest.raises(wl.FileFormatError, match="two scores on instance '1'"):
        wl.read_instances(path)


@pytest.mark.parametrize(
    ("how", "told"), [(zipfile.ZIP_DEFLATED, "more than 1 MiB"), (zipfile.ZIP_BZIP2, "this log cannot be read")]
)
def test_a_log_that_unpacks_to_too_much_stops_early(tmp_path, monkeypatch, how, told):
    monkeypatch.setattr("weightlab.io.evaluations.records.SIZE_LIMIT", 1)
    with zipfile.ZipFile(tmp_path / "a.eval", "w", how) as archive:
        archive.writestr("header.json", b" " * (8 << 20) + b"{}")
    with pytest.raises(wl.FileFormatError, match=told):
        wl.io.read_inspect(tmp_path / "a.eval")
