"""``--plot FILE`` on the commands: the picture of the answer, and clear words where there is none."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("matplotlib")

SUITE = """dataset,metric,model,score
one,x,a,3
one,x,b,2
one,x,c,1
one,y,a,1
one,y,b,2
one,y,c,3
two,x,a,1
two,x,b,2
two,x,c,3
"""


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(SUITE, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["win", "FILE", "--samples", "200"], "Who can win by average, and across what share of all weightings"),
        (["win", "FILE", "-m", "ada"], "of the weight moves: weights under which ada beats every rival"),
        (["win", "FILE", "-m", "dee", "--quick"], "the weights that serve dee"),
        (["map", "FILE", "--axis", "reading", "--axis", "arithmetic", "--axis", "code"], "the weights of the table"),
        (["rank", "FILE"], "Ranking by"),
        (["compare", "FILE", "-r", "mean", "-r", "borda"], "borda"),
        (["graph", "FILE"], "Majority graph"),
        (["graph", "FILE", "--plot-kind", "margins"], "Margins of every head-to-head"),
        (["stability", "FILE", "--rule", "mean", "--ranking"], "The ranking by average stays until"),
        (["study", "bootstrap", "FILE", "--repeats", "5"], "Rank intervals, each by itself (borda)"),
        (["study", "agreement", "FILE", "--rule", "mean", "--rule", "borda"], "Kendall's tau-b"),
        (["study", "dispersion", "FILE", "--repeats", "2"], "no ranking is nearer than"),
        (["disagreement", "FILE", "--rule", "mean", "--rule", "borda"], "disagree"),
        (["study", "missing-scores", "FILE", "--rule", "borda", "--repeats", "2"], "when scores are missing"),
    ],
)
def test_the_picture_of_the_answer_is_written(weightlab, scores, call, said):
    answer = weightlab(*[scores if one == "FILE" else one for one in call], "--plot", "picture.svg")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out
    assert said in " ".join((scores.parent / "picture.svg").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("call", [["audit", "--quick"], ["sweep"]])
def test_suites_have_pictures(weightlab, suite, call):
    answer = weightlab(*call, suite, "--plot", "picture.png", "--quiet")
    assert (answer.code, answer.err) == (0, "")
    assert (suite.parent / "picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["picture.jpg", "picture", "-"])
def test_other_suffixes_are_refused_before_any_work(weightlab, scores, name):
    answer = weightlab("rank", scores, "--plot", name)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"weightlab: --plot '{name}': a picture is written as .png, .svg or .pdf\n"


def test_no_input_is_replaced_and_no_other_output(weightlab, scores, tmp_path):
    table = tmp_path / "table.svg"
    table.write_text("model,x\na,1\nb,2\n", encoding="utf-8")
    assert weightlab("rank", table, "--plot", "table.svg").code == 2
    assert table.read_text(encoding="utf-8").startswith("model")
    answer = weightlab("rank", scores, "--plot", "same.svg", "--output", "same.svg")
    assert answer.code == 2
    assert "--plot and --output are the same file" in answer.err


def test_without_matplotlib_it_is_said_what_to_install(weightlab, scores, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = weightlab("rank", scores, "--plot", "picture.svg")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "weightlab: pictures need matplotlib: pip install 'weightlab[plot]'\n"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["win", "FILE", "--rule", "copeland"], "--plot draws the shares of all models, or one model's weights"),
        (["win", "FILE", "-m", "ada", "-m", "bo"], "--plot draws the shares of all models, or one model's weights"),
        (["study", "irrelevant-models", "FILE"], "--plot: the study irrelevant-models has no picture; there are "),
        (["study", "bootstrap", "FILE", "-r", "mean", "-r", "borda"], "--plot: 2 rules are 2 pictures; ask for one "),
    ],
)
def test_what_has_no_picture_is_said_before_any_work(weightlab, scores, call, said):
    answer = weightlab(*[scores if one == "FILE" else one for one in call], "--plot", "picture.svg")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"weightlab: {said}")
    assert not (scores.parent / "picture.svg").exists()


def test_the_answer_is_printed_before_a_picture_that_cannot_be_written(weightlab, scores, monkeypatch):
    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device", "picture.svg")

    monkeypatch.setattr(sys.modules["weightlab.plots.draw"], "write_whole", full)
    answer = weightlab("win", scores, "-m", "dee", "--quick", "--plot", "picture.svg")
    assert answer.code == 2
    assert answer.out.startswith("dee can never come first by average, nor head-to-head")
    assert "No space left on device" in answer.err


def test_studies_that_have_pictures_are_named(weightlab, scores):
    said = weightlab("study", "irrelevant-models", scores, "--plot", "picture.svg").err
    for name in (
        "agreement",
        "bootstrap",
        "dispersion",
        "manipulation",
        "missing-scores",
        "task-addition",
        "task-removal",
    ):
        assert name in said


@pytest.mark.parametrize(
    "call",
    [
        ["win", "FILE", "--samples", "200"],
        ["win", "FILE", "-m", "ada", "--quick"],
        ["map", "FILE", "--axis", "reading", "--axis", "arithmetic", "--axis", "code"],
        ["rank", "FILE"],
        ["compare", "FILE", "-r", "mean", "-r", "borda"],
        ["graph", "FILE"],
        ["stability", "FILE", "--rule", "mean"],
        ["study", "bootstrap", "FILE", "--repeats", "5"],
        ["audit", "SUITE", "--quick", "--quiet"],
        ["sweep", "SUITE", "--quiet"],
    ],
)
def test_every_picture_can_be_dark(weightlab, scores, suite, call):
    given = [{"FILE": scores, "SUITE": suite}.get(one, one) for one in call]
    answer = weightlab(*given, "--plot", "picture.svg", "--theme", "dark")
    assert (answer.code, answer.err) == (0, "")
    assert "#15181c" in (scores.parent / "picture.svg").read_text(encoding="utf-8").lower()


def test_a_theme_without_a_picture_is_refused(weightlab, scores):
    answer = weightlab("rank", scores, "--theme", "dark")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "weightlab: --theme dark requires --plot\n"


def test_a_theme_that_is_not_known_is_refused(weightlab, scores):
    answer = weightlab("rank", scores, "--plot", "picture.svg", "--theme", "black")
    assert (answer.code, answer.out) == (2, "")
    assert "'black' is not one of 'light', 'dark'" in " ".join(answer.err.split())


def test_a_folder_that_is_not_there_is_said_before_any_work(weightlab, scores):
    answer = weightlab("rank", scores, "--plot", "nowhere/picture.svg")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "weightlab: --plot 'nowhere/picture.svg': there is no folder 'nowhere'\n"
