"""Tables with a row per score: told by their columns, whatever they are called, and turned into models and tasks."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.io.strategies import file_names
from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.read.leaderboards import KEYWORDS
from weightlab.io.reading.long_tables import widened
from weightlab.io.reading.propose import peeked


def wide(text, **declared):
    """Return the header and the rows of a table once it is as wide as it can be."""
    form = declared.pop("format", None)
    opened = open_sheet(io.StringIO(text), form, {}, declared, allowed=KEYWORDS, reader="read_leaderboard")
    sheet, cells = peeked(widened(opened[0], opened[1]), None)
    return sheet.header, [*zip(*cells, strict=True)]


@pytest.mark.parametrize("model", ["model", "algo", "classifier_name", "framework", "solver", "Method"])
@pytest.mark.parametrize("data", ["dataset", "env_id", "task", "dataset_name", "problem", "Environment"])
def test_columns_of_many_names_are_told(model, data):
    text = f"{data},{model},score\n" + "".join(f"{one},{name},{at}\n" for at, name in enumerate("abc") for one in "xy")
    reading = wl.propose_reading(io.StringIO(text))
    assert (reading.models, reading.tasks) == (3, ("x", "y"))


@pytest.mark.parametrize(
    ("text", "tasks", "lower"),
    [
        ("model,dataset,wer\na,x,1\na,y,2\nb,x,3\nb,y,4\n", ("x", "y"), ("x", "y")),
        (
            "model,dataset,acc,wer\na,x,1,2\na,y,2,3\nb,x,3,4\nb,y,4,5\n",
            ("acc/x", "acc/y", "wer/x", "wer/y"),
            ("wer/x", "wer/y"),
        ),
        (
            "model,dataset,metric,value\n"
            + "".join(
                f"{m},{d},{k},{v}\n"
                for v, (m, d, k) in enumerate((m, d, k) for m in "ab" for d in "xy" for k in ("acc", "wer"))
            ),
            ("acc/x", "wer/x", "acc/y", "wer/y"),
            ("wer/x", "wer/y"),
        ),
        (
            "algo,env_id,mean_reward,std_reward,n_steps\na,x,1.5,0.1,9\na,y,2.5,0.2,9\nb,x,3.5,0.1,9\nb,y,4.5,0.3,9\n",
            ("x", "y"),
            (),
        ),
        ("algorithm,solver,time\nx,a,1.5\ny,a,2.5\nx,b,3.5\ny,b,0.5\n", ("x", "y"), ("x", "y")),
    ],
)
def test_scores_and_their_directions_are_told(text, tasks, lower):
    reading = wl.propose_reading(io.StringIO(text))
    assert (set(reading.tasks), set(reading.lower)) == (set(tasks), set(lower))


@pytest.mark.parametrize(
    "text",
    [
        "model,task,acc\na,qa,1\nb,qa,2\nc,nli,3\n",  # a model a row: task is a fact
        "model,Environment,Legal\na,11.1% ± 3.9%,2\na,12.1% ± 0.9%,3\nb,9.5% ± 1%,4\nb,8.5% ± 1%,5\n",
        "model,dataset,seed,acc\na,x,1,1\na,x,1,2\na,y,1,3\nb,x,1,4\nb,y,1,5\n",  # two scores for one place
        "team,year,points\na,2019,1\na,2020,2\nb,2019,3\nb,2020,4\n",  # nothing is called a data set
    ],
)
def test_other_tables_stay_as_they_are(text):
    assert wide(text)[0] == tuple(text.split("\n")[0].split(","))


def test_repeats_are_rows_told_apart_by_their_column_or_by_their_number():
    rows = "".join(f"{m},{d},{s},{s}{v}\n" for s in "12" for v, (m, d) in enumerate((m, d) for m in "ab" for d in "xy"))
    header, found = wide(f"model,dataset,seed,acc\n{rows}")
    assert (header, found[:2]) == (("model", "seed", "x", "y"), [("a", "1", "10", "11"), ("a", "2", "20", "21")])
    text = "model,dataset,acc\na,x,1\na,x,2\na,y,3\na,y,4\nb,x,5\nb,x,6\nb,y,7\nb,y,8\n"
    header, found = wide(text)
    assert (header, found[0]) == (("model", "row", "x", "y"), ("a", "1", "1", "3"))
    assert wl.propose_reading(io.StringIO(text)).tasks == ("x", "y")


def test_objects_in_objects_are_read_by_the_level_that_names_no_tasks():
    last = (
        '{"de-en": {"dev": {"a": 1, "b": 2}, "test": {"a": 3}}, "fr-en": {"dev": {"a": 5, "b": 6}, "test": {"b": 8}}}'
    )
    assert wide(last, format="json")[0] == ("level 3", "de-en/dev", "de-en/test", "fr-en/dev", "fr-en/test")
    first = '{"m1": {"qa": {"accuracy": 1, "f1": 2}}, "m2": {"qa": {"accuracy": 3, "f1": 4}}}'
    assert wide(first, format="json") == (("level 1", "qa/accuracy", "qa/f1"), [("m1", "1", "2"), ("m2", "3", "4")])


@given(file_names(2, 4), file_names(3, 4), st.randoms(use_true_random=False), st.data())
def test_every_score_stands_where_its_model_and_its_data_set_say(models, sets, dice, data):
    models, sets = [f"m{one}" for one in models], [f"d{one}" for one in sets]
    scores = {(m, d): str(data.draw(st.integers(0, 99))) for m in models for d in sets if data.draw(st.integers(0, 9))}
    rows = [[m, d, score] for (m, d), score in scores.items()]
    dice.shuffle(rows)
    sheet_text = [["model", "dataset", "score"], *rows]
    text = "\n".join("\t".join(row) for row in sheet_text) + "\n"
    if any(set(name) & set('\t"\r\n') for name in (*models, *sets)):
        return
    header, found = wide(text, format="tsv")
    per_model = [sum((m, d) in scores for d in sets) for m in {m for m, _ in scores}]
    if header != ("model", "dataset", "score"):
        got = {
            (row[0], name): cell
            for row in found
            for name, cell in zip(header[1:], row[1:], strict=True)
            if cell is not None
        }
        assert got == scores
    else:
        assert len(per_model) < 2 or sorted(per_model)[(len(per_model) - 1) // 2] < 2 or len(per_model) == len(rows)


def several(steady):
    """Return a long table of four errors, of which one has the same scale on every data set."""
    scales = {"mse[mean]": (1, 500, 9), "mae": (1, 30, 3), "loss_of_all": (1, 9, 2), "nd": (1, 7, 4)} | {
        steady: (1, 1, 1)
    }
    rows = [
        ",".join([model, data, *(str((at + 1) * scale[place]) for scale in scales.values())])
        for at, model in enumerate("abc")
        for place, data in enumerate("xyz")
    ]
    return "\n".join([f"model,dataset,{','.join(scales)}", *rows]) + "\n"


@pytest.mark.parametrize("steady", ["mse[mean]", "mae", "loss_of_all"])
def test_of_several_scores_the_one_of_the_steadiest_scale_is_offered_alone(steady):
    with pytest.raises(wl.ReadingError) as refused:
        wl.read_leaderboard(io.StringIO(several(steady)))
    ways = refused.value.ways
    assert len(wl.read_leaderboard(io.StringIO(several(steady)), **ways[0]).tasks) == 12
    board = wl.read_leaderboard(io.StringIO(several(steady)), **ways[-1])
    assert board.tasks == tuple(f"{steady}/{data}" for data in "xyz")
    assert board.lower_is_better == board.tasks
    assert f"{steady} alone, whose scale differs least" in refused.value.message


def test_what_is_doubtful_of_all_data_sets_is_told_as_a_pattern():
    sets = [f"d{at}" for at in range(7)]
    rows = "".join(f"{model},{data},{at + 1},{2 * at + 1}\n" for at, model in enumerate("abc") for data in sets)
    reading = wl.propose_reading(io.StringIO(f"model,dataset,m/loss[0.5]_of_all,m/mae\n{rows}"))
    assert "m/loss[[]0.5]_of_all/*: likely lower is better" in str(reading)


@pytest.mark.parametrize("settings", [("0.0", "0.5", "0.9"), ("1", "2", "4", "8")])
def test_a_row_per_model_and_setting_is_asked_about(settings):
    rows = [f"{model},{one},{at * 7 % 5}.5" for model in "abc" for at, one in enumerate(settings)]
    text = "\n".join(["method,threads,accuracy", *rows]) + "\n"
    with pytest.raises(wl.ReadingError) as refused:
        wl.read_leaderboard(io.StringIO(text))
    board = wl.read_leaderboard(io.StringIO(text), **refused.value.ways[0])
    assert (board.models, board.tasks) == (("a", "b", "c"), settings)


def test_two_settings_together_tell_rows_apart():
    rows = [f"{m},{t},{s},{t * s % 5}.25" for m in "abc" for t in (1, 2) for s in (10, 20, 30)]
    reading = wl.propose_reading(io.StringIO("\n".join(["system,threads,size,seconds", *rows]) + "\n"))
    assert (reading.models, reading.lower) == (3, tuple(f"{t}/{s}" for t in (1, 2) for s in (10, 20, 30)))


def test_a_first_line_that_is_a_row_is_no_header():
    rows = [f"{name},D{at},{at * 17 % 100},False" for name in ("spritz", "vsl") for at in range(5)]
    with pytest.raises(wl.FileFormatError, match="first line holds a row"):
        wl.read_leaderboard(io.StringIO("\n".join(["spritz,D9,91,False", *rows]) + "\n"))


def test_of_statistics_of_the_same_runs_the_mean_is_the_score():
    rows = [f"{b},{m},{v},0.1,{v - 1},{v + 5},{v - 0.5}" for b in "xy" for v, m in enumerate("abc", 3)]
    text = "\n".join(["benchmark,algorithm,mean,std,best,worst,median", *rows]) + "\n"
    reading = wl.propose_reading(io.StringIO(text))
    assert (reading.tasks, reading.is_doubtful) == (("x", "y"), False)
    wide = "model,acc_mean,acc_min,acc_best,f1\na,3,1,4,2\nb,4,2,6,1\nc,2,1,5,3\n"
    assert wl.propose_reading(io.StringIO(wide)).tasks == ("acc_mean", "f1")


def test_decimals_that_tell_rows_apart_are_never_averaged_over():
    rows = [f"{m},{s},{t},{at}.5" for m in "ab" for t in ("lm", "qa") for at, s in enumerate(("0", "0.5", "0.9"))]
    text = "\n".join(["model,sparsity,task,accuracy", *rows]) + "\n"
    reading = wl.propose_reading(io.StringIO(text))
    assert (reading.models, len(reading.tasks)) == (2, 6)


def test_a_split_is_a_data_set_beside_what_is_run():
    rows = [f"{m},{s},{at}.5" for at, m in enumerate(("base", "large", "huge")) for s in ("dev", "test")]
    reading = wl.propose_reading(io.StringIO("\n".join(["experiment,split,wer", *rows]) + "\n"))
    assert (reading.models, reading.tasks, reading.lower) == (3, ("dev", "test"), ("dev", "test"))


def test_numbers_that_few_models_share_are_no_settings():
    rows = [
        f"{model},{x}.5,{at}.25" for at, (model, x) in enumerate(zip("aabbccdd", (1, 2, 3, 4, 1, 3, 2, 4), strict=True))
    ]
    assert wide("\n".join(["model,acc,f1", *rows]) + "\n")[0] == ("model", "acc", "f1")
