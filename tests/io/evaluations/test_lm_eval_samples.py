"""Samples of lm-evaluation-harness, made by hand after the format of version 0.4."""

from __future__ import annotations

import json

import pytest

import weightlab as wl
from tests.io.evaluations.result_files import LATER, STAMP, lm_eval_file
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.evaluations import lm_eval
from weightlab.io.tables.json_table import json_file


def sample(doc, **metrics):
    return {"doc_id": doc, "target": "x", "resps": [], "filter": "none", "metrics": list(metrics), **metrics}


def samples_file(folder, model, task, records, *, stamp=STAMP):
    path = folder / model.replace("/", "__") / f"samples_{task}_{stamp}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path):
    for model, first in (("org/ada", 1.0), ("org/bo", 0.0)):
        lm_eval_file(tmp_path, model, {"arc_easy": {"acc,none": 0.5}})
        samples_file(tmp_path, model, "arc_easy", [sample(0, acc=first), sample(1, acc=0.5)])
    return tmp_path


def test_models_and_directions_come_from_the_results_beside(folder):
    instances = wl.io.read_lm_eval_samples(folder)
    assert instances.models == ("org/ada", "org/bo")
    assert instances.tasks == ("arc_easy",)
    assert instances.lower_is_better == ()
    assert instances.means().scores["arc_easy"].tolist() == [0.75, 0.25]


def test_several_metrics_and_filters_are_tasks_of_their_own(tmp_path):
    records = [sample(0, acc=True, f1=0.5), sample(0, acc=0) | {"filter": "strict"}]
    path = samples_file(tmp_path, "ada", "arc", records)
    samples_file(tmp_path, "bo", "arc", records)
    instances = wl.io.read_lm_eval_samples(tmp_path, lower_is_better="f1")
    assert instances.tasks == ("acc/arc", "f1/arc", "acc,strict/arc")
    assert instances.lower_is_better == ("f1/arc",)
    with pytest.raises(InputError, match="the files do not say in which direction 'acc/arc'"):
        wl.io.read_lm_eval_samples(path)


def test_pairs_from_which_a_corpus_score_is_made_are_left_out_with_a_warning(tmp_path):
    for model in ("ada", "bo"):
        samples_file(tmp_path, model, "wiki", [sample(0, perplexity=[-3.5, 2], acc=1)])
    with pytest.warns(UserWarning, match=r"Left out, no single number: 2 metrics \(perplexity of ada on wiki, perpl"):
        instances = wl.io.read_lm_eval_samples(tmp_path, lower_is_better=())
    assert instances.tasks == ("wiki",)


def test_the_newest_of_several_runs_counts_with_a_warning(tmp_path):
    samples_file(tmp_path, "ada", "arc", [sample(0, acc=1)])
    samples_file(tmp_path, "ada", "arc", [sample(0, acc=0)], stamp=LATER)
    samples_file(tmp_path, "bo", "arc", [sample(0, acc=1)])
    with pytest.warns(UserWarning, match=r"Several runs: the newest counts: 1 case \(ada on arc\)"):
        instances = wl.io.read_lm_eval_samples(tmp_path, lower_is_better=())
    assert instances.means().scores["arc"].tolist() == [0, 1]


def test_directions_that_contradict_each_other_are_refused(folder):
    with pytest.raises(InputError, match="'arc_easy' is declared lower is better, and the files say higher is better"):
        wl.io.read_lm_eval_samples(folder, lower_is_better="arc_easy")
    with pytest.raises(InputError, match="no task or metric named 'arcc'"):
        wl.io.read_lm_eval_samples(folder, lower_is_better="arcc")


def test_samples_without_a_list_of_metrics_have_those_that_are_no_question(folder):
    before = wl.io.read_lm_eval_samples(folder)
    for path in folder.rglob("samples_*.jsonl"):
        records = [json.loads(line) | {"doc": {"q": 1}, "doc_hash": "7"} for line in path.read_text().splitlines()]
        for record in records:
            del record["metrics"], record["filter"]
        path.write_text("\n".join(map(json.dumps, records)))
    assert wl.io.read_lm_eval_samples(folder).equals(before)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"acc": 1}\n', "line 1: a sample needs 'doc_id' and metrics"),
        ("[1]\n", "line 1: an object is needed"),
        ("\n{\n", "line 2: not JSON"),
        (json.dumps(sample(0, acc=1)) + "\n" + json.dumps(sample(0, acc=0)), "line 2: doc_id 0 has a score on 'acc'"),
        (json.dumps(sample(0, acc="yes")), "Left out, no single number: 1 metric"),
        ("", "the file is empty"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, text, message):
    path = samples_file(tmp_path, "ada", "arc", [])
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        wl.io.read_lm_eval_samples(path)


def test_a_folder_or_name_that_tells_nothing_is_refused(tmp_path):
    with pytest.raises(FileFormatError, match=r"no score of .* \(single instances in samples_\*\.jsonl\)"):
        wl.io.read_lm_eval_samples(tmp_path)
    (tmp_path / "samples_arc.jsonl").write_text("{}")
    with pytest.raises(FileFormatError, match="the name is not samples_<task>_<time>"):
        wl.io.read_lm_eval_samples(tmp_path)


def test_the_results_of_a_folder_are_read_once_for_all_its_samples(folder, monkeypatch):
    for task in ("law", "sets"):
        samples_file(folder, "org/ada", task, [sample(0, acc=1)])
    read = []
    monkeypatch.setattr(lm_eval, "json_file", lambda path: read.append(path) or json_file(path))
    assert wl.io.read_lm_eval_samples(folder, lower_is_better=[]).tasks == ("arc_easy", "law", "sets")
    assert sorted(read) == sorted(folder.rglob("results*.json"))
