from __future__ import annotations

import io
import json

import pytest

import weightlab as wl
from weightlab.report import Document, read_document, write_document


@pytest.fixture
def board():
    return wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 3}, "y": {"a": 2, "b": 3, "c": 1}})


def test_a_result_reads_back_and_verifies_against_its_table(board, tmp_path):
    path = tmp_path / "result.json"
    wl.write_result(wl.lp.prospect(board, "a"), path)
    read = wl.read_result(path)
    assert isinstance(read, wl.lp.Prospect)
    assert read.verify(board)


def test_a_bare_result_is_a_document_of_one(board):
    text = json.dumps(wl.lp.prospects(board).to_dict())
    assert read_document(io.StringIO(text)).results[0].verify(board)


def test_a_document_keeps_results_options_and_command(board, tmp_path):
    results = (wl.lp.prospect(board, "a"), wl.lp.scenario(board, "b", wl.lp.most_balanced()))
    write_document(Document(results=results, options={"complete": True}, command="win"), tmp_path / "d.json")
    read = read_document(tmp_path / "d.json")
    assert [one.kind for one in read.results] == ["prospect", "scenario"]
    assert (dict(read.options), read.command, read.version) == ({"complete": True}, "win", wl.__version__)
    with pytest.raises(wl.FileFormatError, match=r"holds 2 results; read_document reads them all"):
        wl.read_result(tmp_path / "d.json")


def test_names_travel_as_they_are(tmp_path):
    board = wl.Leaderboard({"tâche\n<b>": {'é"': 1, "\u202eb": 2}})
    wl.write_result(wl.lp.prospects(board), tmp_path / "names.json")
    assert wl.read_result(tmp_path / "names.json").verify(board)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ('{"kind": "prospect", "upper": "-1", "upper": "1"}', "the key 'upper' occurs more than once in one object"),
        ("[1, 2]", "this holds no results of weightlab: a JSON object with 'results' is needed"),
        ('{"results": []}', "this document holds no results"),
        ('{"results": [{"kind": "poem"}]}', "no result of kind 'poem'"),
        ('{"results": [{"kind": "prospect", "format": 2}]}', "the result lacks 'verdict'"),
        ('{"results": [{"kind": "prospect"}]}', "this document has no format number, so another version"),
        (
            '{"results": [{"kind": "prospect"}], "Table": []}',
            "the document has no part 'Table'; its parts are ",
        ),
        ('{"results": [1]}', "this is not a result: a JSON object with a 'kind' is needed"),
        ('{"results": [{"kind": "prospect"}], "options": 1}', "'options' must be an object"),
    ],
)
def test_what_is_no_document_is_refused_with_the_reason(text, message, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(wl.FileFormatError) as error:
        read_document(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


@pytest.mark.parametrize("forged", [False, "0.0", 2.0, None])
def test_a_table_with_another_value_or_a_truth_value_for_a_number_is_refused(forged, board):
    document = Document(results=(wl.lp.prospects(board),)).to_dict(table=True)
    assert document["table"][0]["rows"][0]["lower"] == 0.0
    document["table"][0]["rows"][0]["lower"] = forged
    with pytest.raises(wl.ProofError, match="table: its rows are not those of the results"):
        read_document(io.StringIO(json.dumps(document))).verify(board)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"options": {"proved": True}}, "'options' has no part 'proved'"),
        ({"options": {"complete": "yes"}}, "options: 'complete' cannot be 'yes'"),
        ({"options": {"file": 7}}, "options: 'file' cannot be '7'"),
        ({"options": {"table": "map"}}, "options: 'table' cannot be 'map'"),
        ({"options": {"columns": {"model": "m"}}}, "options: 'columns' cannot be"),
        ({"command": 7}, "'command' must be a text"),
        ({"weightlab": ["0.1.0"]}, "'weightlab' must be a text"),
    ],
)
def test_what_says_nothing_about_how_a_table_is_read_is_no_option(change, message):
    document = Document(results=(wl.lp.prospects(wl.Leaderboard({"x": {"a": 2, "b": 1}})),)).to_dict()
    with pytest.raises(wl.InputError, match=message):
        read_document(io.StringIO(json.dumps(document | change)))
