"""Commands take a folder of results where they take a file."""

from __future__ import annotations

import json

import pytest

from tests.io.result_files import lm_eval_file
from tests.io.test_lm_eval import ADA, BO


@pytest.fixture
def folder(tmp_path):
    lm_eval_file(tmp_path / "runs", "org/ada", ADA)
    lm_eval_file(tmp_path / "runs", "org/bo", BO, **{"n-shot": {"arc": 5}})
    return tmp_path / "runs"


def test_a_folder_is_ranked_and_its_notes_go_to_standard_error(weightlab, folder):
    told = weightlab("rank", str(folder), "--rule", "mean", "--json")
    assert told.code == 0
    assert json.loads(told.out)
    assert "Different shots on 'arc': 0 for 'org/ada', 5 for 'org/bo'." in told.err
    assert "Different shots" not in weightlab("rank", str(folder), "--rule", "mean", "--quiet").err


def test_a_folder_is_audited_as_a_suite(weightlab, folder):
    told = weightlab("audit", str(folder))
    assert told.code == 0
    assert "Different shots" in told.err


def test_an_unknown_folder_is_one_message(weightlab, tmp_path):
    told = weightlab("win", str(tmp_path))
    assert told.code == 2
    assert (
        "this is a folder, and no file results*.json of lm-evaluation-harness or model_meta.json of MTEB is in it"
        in told.err
    )
