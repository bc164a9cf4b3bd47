from __future__ import annotations

import csv
import inspect
import io
import json

import pytest

from weightlab.cli.inputs.known_studies import MOVED, NOTHING, STUDIES, Study
from weightlab.cli.inputs.known_studies import SUITE as OF_SUITE
from weightlab.data import Instances, Leaderboard
from weightlab.rules import rule
from weightlab.studies import agreement, bootstrap

SUITE = """dataset,metric,model,score,higher_is_better
first,x,a,3,true
first,x,b,2,true
first,x,c,1,true
first,y,a,1,true
first,y,b,3,true
first,y,c,2,true
first,z,a,2,true
first,z,b,1,true
first,z,c,3,true
"""

ANSWERS = """system,question,f1
ada,q1,0.9
ada,q2,0.7
ada,q3,0.8
bo,q1,0.8
bo,q2,0.9
bo,q3,0.2
cy,q1,0.1
cy,q2,0.2
cy,q3,0.1
"""

# What a study needs besides its table.
NEEDED = {
    "effects": ("--rule", "copeland"),
    "flips": ("--option", "by=x"),
    "manipulation": ("--option", "models=4", "--option", "tasks=3", "--option", "instances=2", "--repeats", "2"),
    "missing-scores": ("--option", "counts=1,2", "--repeats", "5"),
    "rank-sets": ("--rule", "copeland"),
    "task-addition": ("--repeats", "5"),
    "task-removal": ("--repeats", "5"),
    "user-ranking": ("--option", "group_weights=speech:0.4,work:0.6"),
}


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(SUITE, encoding="utf-8")
    return path


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(ANSWERS, encoding="utf-8")
    return path


@pytest.fixture
def source(scores, suite):
    """Return the file that a study can read."""
    scores.with_suffix(".toml").write_text('[groups]\nspeech = ["reading"]\nwork = ["arithmetic", "code"]\n', "utf-8")
    return lambda known: suite if Study(known).reads == OF_SUITE else scores


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_answers_in_words_and_in_a_document_that_verifies(weightlab, source, tmp_path, name):
    files = () if Study(name).reads == NOTHING else (source(name),)
    call = ("study", name, *files, *NEEDED.get(name, ()))
    told = weightlab(*call, "--quiet")
    assert (told.code, told.err) == (0, "")
    assert len(told.out.splitlines()) > 3
    document = json.loads(weightlab(*call, "--json", "--output", "proof.json").out)
    assert document["command"] == f"study {name}"
    assert weightlab("verify", "proof.json", *files).code == 0


@pytest.mark.parametrize("name", [*STUDIES, *MOVED.values()])
def test_the_settings_of_every_study_are_parameters_of_its_function(name):
    known = Study(name)
    assert set(known.settings) <= set(known.parameters)
    shared = {"rules", "rule", "rule_a", "rule_b", "options", "repeats", "rng", "n_jobs", "progress", "missing"}
    asked = list(known.parameters.values())
    if known.reads != NOTHING:
        assert asked.pop(0).kind is not inspect.Parameter.KEYWORD_ONLY
    # Orders of arrival are sequences of all models, and spaces have conditions: they are given in Python.
    left = {one.name for one in asked} - shared - set(known.settings) - {"time_limit", "arrivals", "space"}
    assert left == set()


def test_every_study_is_listed_with_what_it_reads(weightlab):
    lines = weightlab("study", "--list").out.splitlines()
    assert lines[0].split() == ["study", "reads", "answers"]
    assert [line.split()[0] for line in lines[1:]] == list(STUDIES)
    assert [one["name"] for one in json.loads(weightlab("study", "--list", "--json").out)] == list(STUDIES)


def test_a_study_lists_its_own_options(weightlab):
    answer = weightlab("study", "flips", "--list")
    assert answer.code == 0
    assert answer.out.splitlines()[1] == "Reads a suite."
    assert "--option by=       must be given" in answer.out


def test_the_answer_is_that_of_the_function(weightlab, scores):
    board = Leaderboard(
        {
            "reading": {"ada": "81.0", "bo": "78.5", "cy": "74.0", "dee": "76.0"},
            "arithmetic": {"ada": "64.5", "bo": "70.1", "cy": "66.0", "dee": "65.0"},
            "code": {"ada": "40.2", "bo": "38.0", "cy": "45.9", "dee": "39.5"},
        }
    )
    asked = ("--rule", "mean", "--rule", "borda:ties=max", "--option", "top=1,2", "--option", "reference=mean")
    document = json.loads(weightlab("study", "agreement", scores, *asked, "--json").out)
    found = agreement(board, ["mean", rule("borda", ties="max")], top=(1, 2), reference="mean")
    assert document["results"][0] == json.loads(json.dumps(found.to_dict()))


def test_instances_are_read_from_the_columns_that_are_named(weightlab, answers, tmp_path):
    columns = ("--model-column", "system", "--instance-column", "question")
    call = ("study", "bootstrap", answers, *columns, "--repeats", "50", "--seed", "3")
    document = json.loads(weightlab(*call, "--json", "--output", "proof.json").out)
    scores = {"ada": ["0.9", "0.7", "0.8"], "bo": ["0.8", "0.9", "0.2"], "cy": ["0.1", "0.2", "0.1"]}
    table = {model: dict(zip(["q1", "q2", "q3"], row, strict=True)) for model, row in scores.items()}
    long = [(model, one, score) for model, row in table.items() for one, score in row.items()]
    found = bootstrap(instances_of(long), repeats=50, rng=3)
    assert document["results"][0]["levels"] == found.levels.tolist()
    assert weightlab("verify", "proof.json", answers).code == 0
    answers.write_text(ANSWERS.replace("cy,q1,0.1", "cy,q1,0.95"), encoding="utf-8")
    assert weightlab("verify", "proof.json", answers).code == 1


def instances_of(rows):
    text = "model,instance,f1\n" + "".join(f"{','.join(row)}\n" for row in rows)
    from weightlab.io import read_instances

    found = read_instances(io.StringIO(text))
    assert isinstance(found, Instances)
    return found


def test_the_same_seed_draws_the_same_and_another_something_else(written, scores):
    call = ("study", "bootstrap", scores, "--repeats", "30")
    first, again, other = written(*call), written(*call, "--seed", "0"), written(*call, "--seed", "1")
    assert first == again != other
    assert len(rows_of(first)) == 30 * 4


def test_averages_by_group_are_named_like_rules(weightlab, written, scores):
    (scores.parent / "g.toml").write_text('[groups]\nwords = ["reading"]\nrest = ["arithmetic", "code"]\n')
    grouped = (scores, "--config", scores.parent / "g.toml")
    call = ("disagreement", *grouped, "--rule", "mean", "--rule", "two-step-average")
    answer = weightlab(*call, "--json", "--output", "proof.json")
    assert json.loads(answer.out)["results"][0]["rules"] == ["mean", "two_step_average"]
    assert weightlab("verify", "proof.json", *grouped).code == 0
    assert rows_of(written("study", "agreement", *grouped, "--rule", "mean", "--rule", "macro_average"))


def test_a_study_of_one_rule_answers_for_each_that_is_named(weightlab, written, scores):
    call = ("study", "bootstrap", scores, "--repeats", "9", "--rule", "mean", "--rule", "borda")
    answer = weightlab(*call)
    assert [line[:8] for line in answer.out.splitlines() if line.startswith("By ")] == ["By avera", "By Borda"]
    rows = rows_of(written(*call))
    assert [row["rule"] for row in rows] == ["mean"] * 36 + ["borda"] * 36


def test_rankings_for_a_user_are_written_with_their_rules(weightlab, written, scores):
    (scores.parent / "g.toml").write_text('[groups]\nwords = ["reading"]\nrest = ["arithmetic", "code"]\n')
    call = ("study", "user-ranking", scores, "--config", scores.parent / "g.toml", "--rule", "mean", "--rule", "borda")
    assert [row["rule"] for row in rows_of(written(*call))] == ["mean"] * 4 + ["borda"] * 4
    refused = weightlab("study", "user-ranking", scores)
    assert "name them in a TOML file, under [groups]" in refused.err


def test_a_default_rule_that_cannot_take_missing_scores_so_is_left_out(weightlab, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("model,x,y\na,3,1\nb,2,\nc,1,2\n", encoding="utf-8")
    told = weightlab("study", "dispersion", path, "--missing", "last", "--repeats", "2")
    assert told.code == 0
    assert "Left out: mean(missing=last): missing must be" in told.err


def test_defaults_are_listed_as_they_are_written(weightlab):
    listed = weightlab("study", "manipulation", "--list").out
    assert "--option factors=         by default 1\n" in listed
    assert "by default 0.05,0.1,0.25\n" in listed


def test_default_rules_without_an_answer_are_named_with_the_reason(weightlab, scores):
    answer = weightlab("study", "agreement", scores)
    assert answer.err == "Left out: optimality_gap: the rule 'optimality_gap' needs the option gamma.\n"
    assert weightlab("study", "agreement", scores, "--option", "gamma=95").err == ""


def test_models_without_all_scores_are_named_or_counted_as_told(weightlab, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("model,x,y\na,3,1\nb,2,\nc,1,2\n", encoding="utf-8")
    whole = weightlab("study", "dispersion", path)
    assert whole.code == 0
    assert "Not ranked (missing scores): b; pass --missing" in whole.read[0]
    told = weightlab("study", "dispersion", path, "--missing", "last", "--rule", "borda")
    assert told.code == 0
    assert told.err.startswith("Missing scores count as tied last places: b on y.")
    assert weightlab("study", "dispersion", path, "--complete", "--quiet").code == 0


def test_processes_change_nothing(written, scores):
    pytest.importorskip("joblib")
    call = ("study", "irrelevant-models", scores, "--repeats", "4", "--rule", "borda")
    assert written(*call) == written(*call, "--jobs", "2")


def test_a_rule_with_a_solver_may_run_out_of_time(weightlab, scores):
    answer = weightlab("study", "agreement", scores, "--rule", "kemeny", "--rule", "mean", "--time-limit", "10")
    assert answer.code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name a study; 'weightlab study --list' lists them"),
        (("agremeent",), "(did you mean 'agreement'?)"),
        (("agremeent", "--list"), "(did you mean 'agreement'?)"),
        (("agreement", "SCORES", "--rule", "bordda"), "--rule 'bordda'"),
        (("agreement", "SCORES", "--rule", "borda"), "two rules are needed"),
        (("agreement", "SCORES", "--repeats", "3"), "the study agreement has no use for --repeats"),
        (("agreement", "SCORES", "--seed", "3"), "has no use for --seed"),
        (("agreement", "SCORES", "--jobs", "2"), "has no use for --jobs"),
        (("agreement", "SCORES", "--option", "topp=1"), "has no use for an option 'topp'; its own options are"),
        (("agreement", "SCORES", "--option", "top=one"), "--option top=one: got 'one', which is not a whole number"),
        (("agreement", "SCORES", "--option", "persistence=x"), "which is not a number"),
        (("agreement", "SCORES", "--option", "top"), "write NAME=VALUE"),
        (("agreement", "SCORES", "--rule", "mean", "--rule", "median", "--ties", "max"), "none of the rules has"),
        (("flips", "LONG"), "the study flips needs --option by=...; 'weightlab study flips --list' explains"),
        (("flips", "LONG", "--option", "by=x", "--rule", "borda"), "does not take a rule; leave out --rule"),
        (("flips", "LONG", "--option", "by=x", "--ties", "max"), "has no use for --ties"),
        (("agreement", "SCORES", "--model-column", "model"), "this study reads a score table"),
        (("bootstrap", "--model-column", "model"), "this needs an instance-level FILE"),
        (("bootstrap", "SCORES", "--model-column", "model", "--complete"), "--complete applies to a score table"),
        (("bootstrap", "SCORES", "--repeats", "0"), "repeats must be a whole number from 1; got 0"),
        (("bootstrap", "SCORES", "--jobs", "0", "--repeats", "2"), "got 0"),
        (("irrelevant-models", "SCORES", "--option", "last=perhaps"), "is yes or no; got 'perhaps'"),
        (("bootstrap", "SCORES", "--output", "SCORES"), "is a file that is read; name another one"),
        (("bootstrap", "SCORES", "--plot", "new.svg", "--output", "new.svg"), "are the same file"),
        (("bootstrap", "nothing.csv"), "nothing.csv"),
        (("user-ranking", "SCORES", "--option", "group_weights=speech"), "write NAME:NUMBER,NAME:NUMBER"),
        (("manipulation", "SCORES"), "this study reads nothing: it draws its scores; leave out FILE"),
    ],
)
def test_wrong_calls_end_with_2_and_one_message(weightlab, scores, suite, arguments, said):
    if "--plot" in arguments:
        pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    files = {"SCORES": scores, "LONG": suite}
    answer = weightlab("study", *(files.get(one, one) for one in arguments))
    assert answer.code == 2
    assert answer.out == ""
    assert said in answer.err
    assert answer.err.count("weightlab: ") == 1


def test_without_a_file_a_study_reads_what_ships(weightlab):
    answer = weightlab("study", "discriminative-power", "--rule", "mean", "--quiet")
    assert answer.out.splitlines()[0] == "1 of 1 rule put no two of 16 models level."


def test_standard_input_is_a_score_table(weightlab, scores):
    answer = weightlab("study", "discriminative-power", "-", "--rule", "mean", stdin=scores.read_bytes())
    assert answer.out.splitlines()[0] == "1 of 1 rule put no two of 4 models level."


def test_only_the_first_rows_of_many_are_shown(weightlab, tmp_path):
    path = tmp_path / "many.csv"
    path.write_text("model,x\n" + "".join(f"m{place},{place}\n" for place in range(40)), encoding="utf-8")
    lines = weightlab("study", "bootstrap", path, "--repeats", "2").out.splitlines()
    assert len(lines) == 2 + 1 + 30 + 1
    assert lines[-1] == "Showing 30 of 40 rows; use --all for the rest."


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("rank-sets",), ""),
        (("rank-sets", "--rule", "mean"), ""),
        (("rank-sets", "--rule", "copeland"), "Head-to-head, two models are compared on the tasks both have; 1 of 12"),
        (("dispersion", "--rule", "borda", "--missing", "last"), "Missing scores count as tied last places: b on y."),
        (("agreement", "--rule", "copeland", "--rule", "mean", "--missing", "skip"), "By Copeland: Head-to-head, two"),
    ],
)
def test_it_is_said_of_missing_scores_what_the_rules_that_are_asked_make_of_them(weightlab, tmp_path, call, told):
    path = tmp_path / "gaps.csv"
    path.write_text("model,w,x,y\na,3,4,1\nb,2,3,\nc,1,1,2\nd,2,1,4\n", encoding="utf-8")
    said = weightlab("study", call[0], path, *call[1:])
    assert said.code == 0
    assert said.err.startswith(told)
    assert ("Head-to-head" in said.err) == ("Head-to-head" in told)
