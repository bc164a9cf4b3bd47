"""What is declared at the prompt is what the same TOML file says; it beats such a file, name by name."""

from __future__ import annotations

import json
import shlex
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weightlab as wl
from weightlab.cli.app import COMMANDS
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options.table import Source
from weightlab.report import read_document

TABLE = "name;Rank;BoolQ;CB;latency_ms;note\nada;1;1,5;3;7;x\nbo;2;2,5;2;5;y\ncy;3;3,5;1;6;z\n"
WHOLE = ("--separator", ";", "--decimal", ",", "--drop", "Rank", "--drop", "note", "--lower", "latency_ms")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TABLE)
    return path


def scores(weightlab, *words):
    told = weightlab("convert", *words, "-", "--to", "json")
    assert told.code == 0, told.err
    return json.loads(told.out)


def test_flags_say_what_the_arguments_of_the_reader_say(weightlab, table):
    board = wl.read_leaderboard(table, separator=";", decimal=",", drop=["Rank", "note"], lower_is_better="latency_ms")
    told = weightlab("win", table, *WHOLE, "--json", "--quick")
    assert (told.code, told.err) == (0, "As declared: left out Rank, note.\n")
    (table.parent / "proof.json").write_text(told.out)
    assert all(one.verify(board) for one in read_document(table.parent / "proof.json").results)
    options = json.loads(told.out)["options"]
    assert options["flags"] == ["--lower=latency_ms", "--drop=Rank", "--drop=note", "--separator=;", "--decimal=,"]
    checked = weightlab("verify", "proof.json", table, *WHOLE)
    assert checked.code == 0, checked.err
    bare = weightlab(
        "verify", "proof.json", table, "--separator", ";", "--decimal", ",", "--drop", "Rank", "--drop", "n?te"
    )
    assert bare.code == 0  # a time is read so at once
    turned = weightlab("verify", "proof.json", table, *WHOLE[:-2], "--higher", "latency_ms")
    assert turned.code == 1
    assert "on 'latency_ms'" in turned.err


def test_what_a_claim_was_made_with_is_said_where_nothing_is_said(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y\na,1,2\nb,2,1\n")
    assert weightlab("win", "t.csv", "--weight", "x=3", "--lower", "y", "-o", "p.json").code == 0
    told = weightlab("verify", "p.json", "t.csv")
    assert "The claim was made with --lower=y --weight=x=3: pass the same here" in told.err
    assert weightlab("verify", "p.json", "t.csv", "--lower", "y", "--weight", "x=3").code == 0
    assert weightlab("verify", "--independent", "p.json", "t.csv").code == 2
    independent = weightlab("verify", "--independent", "p.json", "t.csv", "--lower", "y", "--weight", "x=3")
    assert independent.code in {0, 3}, independent.err


def test_a_flag_beats_the_file_name_by_name(weightlab, table):
    table.with_suffix(".toml").write_text(
        'separator = ";"\ndecimal = ","\ndrop = ["Rank", "note", "CB"]\nlower_is_better = ["latency_ms", "BoolQ"]\n'
        '[weights]\nBoolQ = 2\nlatency_ms = 3\n[groups]\ng = ["BoolQ"]\nh = ["latency_ms"]\n'
    )
    words = ("--higher", "BoolQ", "--keep", "CB", "--keep", "BoolQ", "--keep", "lat*", "--weight", "BoolQ=1/2")
    told = weightlab("convert", table, "made.csv", *words, "--group", "h=CB,BoolQ")
    assert told.code == 0, told.err
    made = wl.read_leaderboard("made.csv")
    assert made.tasks == ("BoolQ", "CB", "latency_ms")
    assert made.lower_is_better == ("latency_ms",)
    assert [str(weight) for weight in made.weights] == ["1/2", "1", "3"]
    assert dict(made.groups) == {"g": ("BoolQ",), "h": ("BoolQ", "CB")}


def test_models_and_tasks_of_the_file_are_not_chosen_from_where_others_are_asked_for(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y\na,1,2\nb,2,1\nc,3,3\n")
    (tmp_path / "t.toml").write_text('models = ["a", "b"]\ntasks = ["x"]\n')
    assert scores(weightlab, "t.csv") == {"x": {"a": 1, "b": 2}}
    assert scores(weightlab, "t.csv", "--models", "c,a") == {"x": {"c": 3, "a": 1}}
    assert scores(weightlab, "t.csv", "--tasks", "y,x") == {"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}}


NAMES = st.sampled_from(["BoolQ", "CB", "latency_ms"])


@st.composite
def declared(draw):
    lower = draw(st.sets(NAMES))
    weights = draw(st.dictionaries(NAMES, st.sampled_from(["2", "0.5", "1/3"])))
    groups = draw(st.dictionaries(st.sampled_from(["g", "a b", "ü"]), st.lists(NAMES, min_size=1, unique=True)))
    return Source(
        file="scores.csv",
        separator=";",
        decimal=",",
        drop=["Rank", "note"],
        lower=sorted(lower) or None,
        higher=sorted(draw(st.sets(NAMES)) - lower) or None,
        weight=[f"{name}={weight}" for name, weight in weights.items()] or None,
        group=[f"{name}={','.join(its)}" for name, its in groups.items()] or None,
        models=draw(st.sampled_from([None, ["ada,cy"], ["cy", "bo"]])),
        tasks=draw(st.sampled_from([None, ["CB"], ["CB,BoolQ"]])),
        transpose=False,
    )


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=declared(), beside=st.sampled_from(["", 'lower_is_better = ["CB"]\n', "[weights]\nCB = 0\nBoolQ = 7\n"]))
def test_the_file_that_is_written_says_the_same(table, monkeypatch, source, beside):
    from dataclasses import replace

    monkeypatch.chdir(table.parent)
    table.with_suffix(".toml").write_text(beside)
    written = table.with_name("written.toml")
    written.unlink(missing_ok=True)
    try:
        board = read_table(replace(source, write_config="written.toml"))
    except wl.InputError:
        assert source.tasks == ["CB"] or "CB" in (source.higher or ())  # such as all weights 0
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wl.DirectionWarning)
        assert wl.read_leaderboard(table, config=written).equals(board)
    assert read_table(Source(file="scores.csv", config="written.toml")).equals(board)


def test_no_file_is_replaced_by_what_is_declared(weightlab, table):
    table.with_name("there.toml").write_text("")
    told = weightlab("rank", table, *WHOLE, "--write-config", "there.toml")
    assert told.code == 2
    assert "--write-config 'there.toml' already exists; choose another name" in told.err
    told = weightlab("rank", table, *WHOLE, "--format", "csv", "--write-config", "new.toml")
    assert told.code == 2
    assert "a TOML file does not say --format" in told.err


def test_an_undeclared_direction_is_asked_about_in_the_words_of_the_prompt(weightlab, table):
    table.write_text(TABLE.replace("latency_ms", "p95 request cost"))
    undeclared = ["rank", table, *WHOLE[:-2]]
    told = weightlab(*undeclared)
    assert told.code == 2
    assert "p95 request cost: likely lower is better (the word cost)" in told.err
    assert f"  weightlab {shlex.join(map(str, undeclared))} --accept-reading\n" in told.err
    assert "lower is better on p95 request cost" in weightlab(*undeclared, "--accept-reading").read[0]
    for words in (("--higher", "p95"), ("--lower", "P95"), ("--drop", "p95*")):
        assert weightlab(*undeclared, *words).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--drop", "rank"), "drop: no column named 'rank'; the file has"),
        (("--lower", "x"), "--lower: no task named 'x'"),
        (("--lower", "B", "--higher", "boolq"), "both lower and higher are declared better on task 'BoolQ'"),
        (("--weight", "CB"), "--weight 'CB': write TASK=W; the last '=' separates"),
        (("--weight", "CB=much"), "--weight: "),
        (("--weight", "CB=-1"), "weight of task 'CB' is negative: -1"),
        (("--group", "g=CB,x"), "--group: no task named 'x'"),
        (("--models", "ada,eve"), "no model named 'eve'"),
        (("--models", "ada"), "a leaderboard needs"),
        (("--tasks", "@g"), "no group named 'g'"),
        (("--repeats-by", "fold"), "repeats_by: no column named 'fold'"),
        (("--separator", "ab"), "separator must be one character"),
        (("--format", "xls"), "no format named 'xls'"),
        (("--transpose", "--repeats-by", "CB"), "repeats_by is of rows that are models, and transpose says they"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_prompt(weightlab, table, words, said):
    told = weightlab("rank", table, *WHOLE[:-2], *words)
    assert told.code == 2
    assert said in told.err


NO_TABLE = {"verify", "convert", "read", "study", "report", "page"}


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in NO_TABLE])
def test_the_table_that_ships_is_narrowed_and_not_declared_anew(weightlab, command):
    needed = {"map": ("--axis", "@speed"), **dict.fromkeys(("nearest", "region", "improve"), ("-m", "SVC"))}
    needed |= {"paired": ("-m", "SVC", "-m", "MLP"), "disagreement": ("-r", "mean", "-r", "borda")}
    told = weightlab(command, "--lower", "accuracy", *needed.get(command, ()))
    assert told.code == 2
    assert "--lower: not applicable to the bundled table" in told.err


def test_what_says_nothing_of_other_files_is_refused(weightlab, tmp_path):
    (tmp_path / "votes.csv").write_text("model_a,model_b,winner\nx,y,model_a\ny,z,tie\n")
    assert "--transpose: not applicable to votes" in weightlab("rank", "votes.csv", "--transpose").err
    assert weightlab("rank", "votes.csv", "--models", "x,Y").code == 0
    (tmp_path / "long.csv").write_text("dataset,metric,model,score\nq,f1,a,1\nq,f1,b,2\nq,em,a,2\nq,em,b,1\n")
    assert "--transpose: not applicable to a long table" in weightlab("audit", "long.csv", "--transpose").err
    told = weightlab("audit", "long.csv", "--tasks", "F1", "--json")
    assert json.loads(told.out)["results"][0]["metrics"] == ["f1"]
    (tmp_path / "orders.soc").write_text(
        "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n1: 1,2\n"
    )
    assert "--lower: not applicable to a PrefLib file" in weightlab("win", "orders.soc", "--lower", "x").err


def test_votes_are_ranked_without_a_rule(weightlab, tmp_path):
    (tmp_path / "votes.csv").write_text("model_a,model_b,winner\nx,y,model_a\ny,z,tie\n")
    told = weightlab("rank", "votes.csv", "--json")
    assert json.loads(told.out)["results"][0]["rule"]["name"] == "copeland"
    assert "Ranked by Copeland, the default for votes; --rule" in told.err
    assert weightlab("rank", "votes.csv", "--rule", "copeland", "--quiet").err == ""


def test_rows_that_are_tasks_are_turned_before_anything_is_named(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("kind;task;ada;bo\nbinary;error;1;2\nmulti;acc;3;4\n")
    told = weightlab("convert", "t.csv", "-", "--separator", ";", "--transpose", "--drop", "kind", "--lower", "err")
    assert told.out == "model,error,acc\nada,1,3\nbo,2,4\n"
    assert "Task 'err' is read as 'error'." in told.err


def test_a_doubt_is_told_once_where_a_score_table_is_audited_as_a_suite(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,acc,p95 request latency\na,1,2\nb,2,1\nc,3,3\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        told = weightlab("audit", "t.csv")
    assert (told.code, told.err.count("likely"), caught) == (2, 1, [])


@pytest.mark.parametrize(("flag", "first", "second"), [("--weight", "x=1", "x=2"), ("--group", "x=y", "x=z")])
def test_a_name_is_declared_once(weightlab, tmp_path, flag, first, second):
    table = tmp_path / "table.csv"
    table.write_text("model,x,y,z\na,1,2,3\nb,2,1,3\n", encoding="utf-8")
    answer = weightlab("win", table, flag, first, flag, second)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"weightlab: {flag} names 'x' twice: {first[2:]} and {second[2:]}\n"
