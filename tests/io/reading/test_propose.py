from __future__ import annotations

import io
import json
import re

import pytest

import weightlab as wl


def reading(text, **declared):
    return wl.propose_reading(io.StringIO(text, newline=""), **declared)


def table(header, *rows):
    return "\n".join([header, *rows]) + "\n"


HARM = table(
    "airline,seat_km_per_week,incidents_85_99,fatal_accidents_85_99",
    *(f"Air {letter},{320906734 + 91 * at**5},{at * 7 % 10},{at * 3 % 4}" for at, letter in enumerate("ABCDEFGHIJ")),
)


def test_counts_of_harm_are_better_where_they_are_lower_and_exposure_is_no_task():
    found = reading(HARM)
    assert found.tasks == found.lower == ("incidents_85_99", "fatal_accidents_85_99")
    assert not found.is_doubtful
    assert found.key == ("airline",)
    assert found.line.startswith(
        "Read <stream>: 10 models, 2 tasks, lower is better on all; left out: seat_km_per_week"
    )


def test_the_key_is_found_wherever_it_stands_and_columns_of_text_are_left_out():
    found = reading(table("Rank,Organisation,Model,Licence,acc", "1,A,x,MIT,0.9", "2,A,y,GPL,0.8", "3,B,z,MIT,0.7"))
    assert found.key == ("Model",)
    assert found.tasks == ("acc",)
    assert not found.is_doubtful


@pytest.mark.parametrize("name", ["Clevr-Count", "Date Understanding", "Error Detection", "CB_n1", "Memory KV"])
def test_a_word_inside_a_longer_name_never_outvotes_values_like_those_of_the_others(name):
    rows = (f"m{at},0.{31 + at * 7 % 50},0.{28 + at * 17 % 47},0.{35 + at * 29 % 43}" for at in range(9))
    found = reading(table(f"model,x,y,{name}", *rows))
    assert found.tasks == ("x", "y", name)
    assert found.lower == ()
    assert not found.is_doubtful


@pytest.mark.parametrize(
    ("name", "lower"),
    [
        ("latency", True),
        ("val_loss", True),
        ("Runtime (s)", True),
        ("latency_ms", True),
        ("LPIPS score ↓", True),
        ("PSNR ↑", False),
        ("accuracy", False),
        ("samples_per_sec", False),
        ("tokens per s", False),
        ("time_s_per_1K", True),
        ("time_ms_per_token", True),
    ],
)
def test_a_whole_word_a_unit_or_an_arrow_settles_the_direction(name, lower):
    found = reading(table(f"model,x,{name}", "a,1,3", "b,2,4", "c,3,2"))
    assert (name in found.lower, found.is_doubtful) == (lower, False)


def test_a_word_inside_a_longer_name_is_only_likely_until_declared():
    text = table("model,x,peak_gpu_memory", "a,1,30", "b,2,40", "c,3,20")
    found = reading(text)
    assert [one.name for one in found.likely] == ["peak_gpu_memory"]
    for declared in ({"lower_is_better": ["peak_gpu_memory"]}, {"drop": "peak*"}, {"keep": ["x", "peak_gpu_memory"]}):
        assert not reading(text, **declared).is_doubtful


def test_rows_that_are_tasks_are_asked_about():
    text = table("language,det-one,det-two,det-three", "Afrikaans,55,56,67", "Albanian,64,54,78", "Arabic,88,89,96")
    found = reading(text)
    assert found.transposed
    assert found.tasks == ("Afrikaans", "Albanian", "Arabic")
    assert found.models == 3
    assert found.notes == ("rows are tasks (the first column is language): --transpose",)
    assert not reading(text, transpose=True).is_doubtful


def test_zeros_far_below_a_narrow_band_are_asked_about():
    rows = [f"m{at},{80 + at * 7 % 5}.5,{82 - at * 5 % 7}.5,{81 + at * 2 % 3}.5" for at in range(9)]
    rows[4] = "m4,0,81.5,0"
    text = table("model,x,y,z", *rows)
    found = reading(text)
    [question] = found.questions
    assert "were these not run?" in question.asked
    assert not reading(text, keep=["x", "y", "z"]).is_doubtful


def test_fractions_beside_percentages_are_asked_about():
    rows = [
        f"m{at},0.{40 + at * 7 % 31},{50 + at * 5 % 23}.5,{60 - at * 3 % 17}.5,{55 + at * 11 % 13}.1" for at in range(9)
    ]
    found = reading(table("model,ret,sts,clf,rte", *rows))
    assert "'ret' looks like fractions" in found.questions[0].asked


def test_a_reading_says_every_column_and_travels_as_json():
    found = reading(HARM)
    summary = found.summary()
    assert summary.loc["seat_km_per_week", "role"] == "fact"
    assert summary.loc["incidents_85_99", "direction"] == "lower"
    assert json.loads(json.dumps(found.to_dict()))["line"] == found.line


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], "there is a header and no row below it"),
        (["a,1,2"], "a leaderboard needs at least two models; got 1: 'a'"),
        (["a,1,2", "b,2,3", "a,4,1"], "line 4: model 'a' is already in line 2"),
    ],
)
def test_what_no_reading_makes_a_table_of_models_is_refused_as_when_it_is_read(rows, told):
    text = table("model,x,y", *rows)
    for reader in (wl.propose_reading, wl.read_leaderboard):
        with pytest.raises(wl.FileFormatError, match=re.escape(told)):
            reader(io.StringIO(text), config={})
