"""Names at a prompt may be typed in part; what is meant is said, and what may be several is listed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab._text import shown
from weightlab.cli.inputs.names import meant
from weightlab.cli.options.rules import group_weights_from
from weightlab.cli.options.weights import Conditions
from weightlab.cli.terminal.show import NOTES

NAMES = ("intfloat/e5-mistral-7b", "intfloat/e5-base", "BERT", "BERT-large", "bert-LARGE-x")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("BERT", "BERT"),
        ("bert", "BERT"),
        ("bert-large", "BERT-large"),
        ("bert-large-", "bert-LARGE-x"),
        ("e5-mistral", "intfloat/e5-mistral-7b"),
        ("E5-BASE", "intfloat/e5-base"),
    ],
)
def test_exact_then_but_for_case_then_the_beginning_then_any_part(typed, name, capsys, monkeypatch):
    monkeypatch.setattr(NOTES, "quiet", False)
    assert meant(typed, NAMES, "model") == name
    said = capsys.readouterr().err
    assert said == ("" if typed == name else f"Model {typed!r} is read as {name!r}.\n")
    monkeypatch.setattr(NOTES, "quiet", True)
    assert meant(typed, NAMES, "model") == name
    assert capsys.readouterr().err == ""


def test_what_may_be_several_is_listed_and_what_is_none_suggested():
    with pytest.raises(wl.InputError, match=r"model 'e5' matches 2 names: intfloat/e5-mistral-7b, intfloat/e5-base"):
        meant("e5", NAMES, "model")
    with pytest.raises(wl.UnknownNameError, match="did you mean 'BERT'"):
        meant("BRT", NAMES, "model")
    for nothing in ("", "?"):
        with pytest.raises(wl.UnknownNameError):
            meant(nothing, NAMES, "model")


@given(st.lists(st.text("aAbB-", min_size=1, max_size=4), min_size=1, max_size=6, unique=True), st.text("aAbB-"))
def test_what_is_meant_holds_what_was_typed_and_a_whole_name_means_itself(names, typed):
    assert all(meant(name, names, "model") == name for name in names)
    holding = [name for name in names if typed.casefold() in name.casefold()]
    try:
        found = meant(typed, names, "model")
    except wl.UnknownNameError:
        assert not typed or not holding
    except wl.InputError:
        assert len(holding) > 1
    else:
        assert found in holding
        assert len(holding) == 1 or found.casefold().startswith(typed.casefold())


AWKWARD = ("@t", "t", "a b", "it's", 'say "x"', "a,b", "12", "c = d", "at least x", "\x1b[31mred")
GROUPS = {"nli": ["a b", "12"], "my group": ["@t", "it's"], "it's": ["a,b", "12"], "a=b": ["c = d", "12"]}


@pytest.fixture(scope="module")
def awkward():
    """A table whose tasks and groups are called so that sentences put them in quotes."""
    return wl.Leaderboard({task: {"a": 1, "b": place} for place, task in enumerate(AWKWARD)}, groups=GROUPS)


@pytest.mark.parametrize("part", [*AWKWARD, *map(wl.group, GROUPS)], ids=str)
def test_what_is_printed_for_a_task_or_a_group_is_accepted_as_pasted(awkward, part):
    space = wl.lp.WeightSpace(awkward).at_most(part, "1/2")
    printed = space.conditions_sentence.removeprefix(" Conditions: ").removesuffix(" at most 1/2.")
    for text in (printed, repr(str(part)), shown(part), f" {printed}"):
        assert str(Conditions(most=[f"{text}=1/2"]).space(awkward)) == str(space)


@pytest.mark.parametrize("name", GROUPS)
def test_so_is_a_group_that_is_weighed(name):
    for text in (name, f"@{name}", repr(f"@{name}"), f"@{name!r}"):
        assert group_weights_from([f"{text}=2"], tuple(GROUPS)) == {name: "2"}


@pytest.mark.parametrize("task", AWKWARD, ids=repr)
def test_a_task_in_quotes_is_chosen_by_every_option_that_names_tasks(weightlab, tmp_path, awkward, task):
    wl.write_leaderboard(awkward, tmp_path / "board.json")
    calls = [
        ("rank", "board.json", "--tasks", repr(task)),
        ("win", "board.json", "--min", f"{task!r}=0.1"),
        ("win", "board.json", "--weight", f"{task!r}=2"),
        ("nearest", "board.json", "-m", "a", "--objective", f"least-weight={task!r}"),
    ]
    for call in calls:
        named = [word.replace(repr(task), task) for word in call]
        assert weightlab(*call).out == weightlab(*named).out


TABLE = "model,STS (en),Retrieval/a,Retrieval/b\nada/x-7b,1,2,3\nbo/x-1b,3,1,2\ncy,2,3,1\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mteb.csv"
    path.write_text(TABLE)
    (tmp_path / "mteb.toml").write_text('[groups]\nRetrieval = ["Retrieval/a", "Retrieval/b"]\n')
    return path


def test_documents_carry_whole_names_and_standard_error_says_which(weightlab, table):
    told = weightlab("win", table, "-m", "7b", "--max", "sts=0.5", "--quick", "--json")
    assert (told.code, told.err) == (
        0,
        "Task 'sts' is read as 'STS (en)'.\nModel '7b' is read as 'ada/x-7b'.\n",
    )
    document = json.loads(told.out)
    assert document["results"][0]["model"] == "ada/x-7b"
    assert document["notes"] == told.err.splitlines()
    assert "'7b'" not in json.dumps({**document, "notes": []})


@pytest.mark.parametrize(
    "words",
    [
        ("win", "-m", "7b"),
        ("robustness", "-m", "7b"),
        ("duels", "-m", "7b"),
        ("paired", "-m", "7b", "-m", "bo"),
        ("changes", "-r", "borda", "--ranked", "7b", "--ranked", "bo"),
        ("report", "-m", "7b", "--as", "md", "--only", "today"),
        ("rank", "--models", "7b,BO,cy"),
        ("audit", "--models", "7b,1b"),
        ("sweep", "--models", "few=7b,1b"),
        ("convert", "-", "--models", "7b,1b"),
        ("study", "agreement", "--models", "7b,1b"),
    ],
)
def test_every_command_takes_a_part_of_a_name(weightlab, table, words):
    command, *rest = words
    before = rest[:1] if command == "study" else []
    told = weightlab(command, *before, table, *rest[len(before) :])
    assert told.code == 0, told.err
    assert "Model '7b' is read as 'ada/x-7b'." in told.err
    assert "7b" not in weightlab(command, *before, table, *rest[len(before) :], "--quiet").err


def test_a_group_without_its_sign_is_suggested(weightlab, table):
    told = weightlab("win", table, "--max", "retrieval=0.2")
    assert told.code == 2
    assert "there is a group of that name (did you mean '@Retrieval'?)" in told.err
    assert weightlab("win", table, "--max", "@retr=0.2").code == 0
    several = weightlab("win", table, "--max", "retr=0.2").err
    assert "task 'retr' matches 2 names: Retrieval/a, Retrieval/b; use more of it" in several


@pytest.mark.parametrize(
    ("typed", "rule"),
    [("avg", "mean"), ("Average", "mean"), ("win-rate", "mean_win_rate"), ("winrate", "mean_win_rate")],
)
def test_rules_have_the_names_that_people_give_them(weightlab, table, typed, rule):
    told = weightlab("rank", table, "--rule", typed, "--json")
    assert json.loads(told.out)["results"][0]["rule"]["name"] == rule
    assert f"Rule {typed!r} is read as {rule}." in told.err
    with pytest.raises(wl.UnknownNameError):
        wl.rules.rule(typed)


def test_rules_are_told_without_regard_to_case():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}})
    assert wl.rules.rank(board, "Borda").rule.name == "borda"
    assert wl.rules.rule("Ranked Pairs").name == wl.rules.rule("ranked-pairs").name == "ranked_pairs"


def test_a_shell_completes_models_and_tasks_of_the_table_on_the_line(weightlab, table, monkeypatch):
    def completed(*words):
        monkeypatch.setenv("COMP_WORDS", "\n".join(["weightlab", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        monkeypatch.setenv("_WEIGHTLAB_COMPLETE", "complete_bash")
        told = weightlab()
        assert told.err == ""
        return told.out.split("\n")

    assert completed("win", str(table), "-m", "") == ["ada/x-7b", "bo/x-1b", "cy", ""]
    assert completed("win", str(table), "-m", "bo") == ["bo/x-1b", ""]
    assert completed("rank", str(table), "--drop", "STS (en)".replace(" ", "\\ "), "--lower", "")[:2] == [
        *("Retrieval/a", "Retrieval/b")
    ]
    assert completed("rank", str(table), "--transpose", "-r", "bord") == ["borda", ""]
    assert completed("win", "nothing.csv", "-m", "") == ["", ""]


def test_a_name_that_holds_a_comma_goes_by_itself_or_in_double_quotes(weightlab, tmp_path):
    (tmp_path / "c.csv").write_text('model,"x,1","say ""hi"", y",z\n"a,b",1,2,3\nc,2,1,0\nd,0,0,1\n')
    for models in (["--models", '"a,b",c'], ["--models", "a,b", "--models", "c"]):
        document = json.loads(weightlab("win", "c.csv", *models, "--json", "--quick").out)
        assert [one["name"] for one in document["table"][0]["rows"]] == ["a,b", "c"]
    told = weightlab(
        "rank", "c.csv", "--group", 'g="X,1",z', "--tasks", "@g", "--rule", "mean", "--write-config", "c.toml"
    )
    assert "Task 'X,1' is read as 'x,1'." in told.err
    assert told.code == 0
    assert wl.io.read_config(tmp_path / "c.toml")["groups"] == {"g": ["x,1", "z"]}
    assert wl.io.read_config(tmp_path / "c.toml")["tasks"] == ["x,1", "z"]


@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        (["--drop", "*"], "drop: no column is left; one must name the models"),
        (["--drop", "x", "--drop", "y"], "there is no column of scores (all are left out, as is declared)"),
        (["--keep", "model"], "there is no column of scores (all are left out, as is declared)"),
    ],
)
def test_a_table_of_which_nothing_is_left_is_refused_in_words_of_flags(weightlab, tmp_path, flags, fault):
    (tmp_path / "c.csv").write_text("model,x,y\na,1,2\nb,2,1\n")
    told = weightlab("rank", "c.csv", *flags)
    assert (told.code, told.err) == (2, f"weightlab: c.csv: {fault}\n")


def test_thousands_are_declared_at_the_prompt(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text('model,x,y\na,"1,234.5",2\nb,"2,000",1\n')
    told = weightlab("rank", "t.csv", "--rule", "mean")
    assert "  weightlab rank t.csv --rule mean --accept-reading --thousands ,\n" in told.err
    told = weightlab("rank", "t.csv", "--rule", "mean", "--thousands", ",", "--higher", "x", "--write-config", "t.toml")
    assert told.out.startswith("By average, b wins among 2 models (mean score: 1,000.5).")
    assert wl.io.read_config(tmp_path / "t.toml") == {"thousands": ",", "higher_is_better": ["x"]}
