"""Tables as strangers publish them, a small made one for each kind that was once misread."""

from __future__ import annotations

import io
import json
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError, ReadingError


def reading_of(text, **declared):
    return wl.propose_reading(io.StringIO(text), **declared)


def accepted(text, **declared):
    return wl.read_leaderboard(io.StringIO(text), accept_reading=True, **declared)


def crossed(first, second, *, scores="{at}.5"):
    """Return rows of all pairs of two lists of names, and a score each."""
    pairs = [(one, two) for one in first for two in second]
    return "".join(f"{one},{two},{scores.format(at=at % 7)}\n" for at, (one, two) in enumerate(pairs))


# A row per score.


def test_pairs_of_two_columns_that_nearly_all_occur_are_a_row_per_score():
    text = "Place,Rider,Result\n" + crossed("xyz", "abcd")
    reading = reading_of(text)
    assert (reading.models, reading.tasks) == (4, ("x", "y", "z"))
    assert any("data sets from Place, models from Rider" in one for one in reading.notes)
    with pytest.raises(ReadingError, match="nearly all pairs"):
        wl.read_leaderboard(io.StringIO(text))
    assert accepted(text).models == tuple("abcd")


def test_two_parts_of_a_name_are_no_row_per_score():
    reading = reading_of("System,Model,acc,f1\n" + crossed("xyz", "abc", scores="{at}.5,{at}.25"))
    assert (reading.models, reading.tasks, reading.key) == (9, ("acc", "f1"), ("System", "Model"))


@pytest.mark.parametrize("missing", [1, 3])
def test_few_pairs_may_lack_but_not_most(missing):
    lines = crossed("xyzw", "abcd").splitlines()
    kept = reading_of("Place,Rider,Result\n" + "\n".join(lines[missing:]))
    assert kept.models == 4
    few = reading_of("Place,Rider,Result\n" + "\n".join(lines[at] for at in (0, 1, 6, 7, 8, 13, 14)) + "\n")
    assert few.key == ("Place", "Rider")


def test_further_columns_tell_data_sets_apart_and_versions_models():
    rows = [
        f"{data},{size},{solver},{solver}{version},{at}.5\n"
        for at, (data, size, solver, version) in enumerate(
            (data, size, solver, version) for data in "xy" for size in "SL" for solver in "ab" for version in "12"
        )
    ]
    reading = reading_of("Benchmark,Size,Solver,Solver Version,wer\n" + "".join(rows))
    assert (reading.models, set(reading.tasks)) == (4, {"x/S", "x/L", "y/S", "y/L"})
    assert reading.is_doubtful
    board = accepted("Benchmark,Size,Solver,Solver Version,wer\n" + "".join(rows))
    assert board.models == ("a / a1", "a / a2", "b / b1", "b / b2")


def test_the_data_sets_may_be_declared():
    text = "where,who,acc\n" + crossed("xy", "ab")
    board = wl.read_leaderboard(io.StringIO(text), dataset_column="where", name_column="who")
    assert (board.models, board.tasks) == (("a", "b"), ("x", "y"))
    other = wl.read_leaderboard(io.StringIO(text), dataset_column="who", name_column="where")
    assert (other.models, other.tasks) == (("x", "y"), ("a", "b"))


def test_pairs_of_languages_and_metrics_make_tasks():
    rows = [
        f"{pair}\t{who}\t{metric}\t{at}.5\n"
        for at, (pair, who, metric) in enumerate(
            (pair, who, metric) for pair in ("cs-uk", "de-en") for who in "ab" for metric in ("bleu", "ter_error")
        )
    ]
    reading = reading_of("pair\tsystem\tmetric\tscore\n" + "".join(rows), format="tsv")
    assert reading.models == 2
    assert set(reading.tasks) == {"bleu/cs-uk", "bleu/de-en", "ter_error/cs-uk", "ter_error/de-en"}


def test_rows_that_name_no_data_set_and_tasks_without_a_score_are_left_out_and_said():
    reading = reading_of("dataset,model,acc,rmse\nx,a,1.5,\nx,b,2.5,\ny,a,3.5,1\ny,b,4.5,2\n,a,9.5,9\n")
    assert set(reading.tasks) == {"acc/x", "acc/y", "rmse/y"}
    assert "1 row without a name of its model or data set left out" in reading.line
    assert "1 task without a score left out" in reading.line


def test_what_is_not_used_of_each_row_is_said():
    reading = reading_of("dataset,model,licence,acc\nx,a,MIT,1.5\nx,b,MIT,2.5\ny,a,GPL,3.5\ny,b,GPL,4.5\n")
    assert "left out of each row: licence (text)" in reading.line


def test_many_tasks_of_one_score_are_said_as_a_pattern():
    rows = [f"{data},{who},{at}.5,{at}.25\n" for at, (data, who) in enumerate((d, w) for d in "stuvwxyz" for w in "ab")]
    reading = reading_of("dataset,model,wer,acc\n" + "".join(rows))
    assert "lower is better on wer/*, higher is better on acc/*" in reading.line


# Columns.


def test_bounds_of_a_score_are_no_tasks_and_the_score_is_one():
    text = "model,score,rating_q025,rating_q975,avg_tokens\n" + "".join(
        f"m{at},{80 - at}.5,{78 - at}.25,{82 - at}.75,{600 + at}\n" for at in range(12)
    )
    reading = reading_of(text)
    assert (reading.tasks, reading.is_doubtful) == (("score",), False)
    assert "rating_q025 (a bound of score)" in reading.line


@pytest.mark.parametrize(
    ("low", "high"), [("acc_lower", "acc_upper"), ("acc_ci_low", "acc_ci_high"), ("acc_lo", "acc_hi")]
)
def test_bounds_are_told_by_many_words(low, high):
    rows = "".join(f"m{at},{at}.5,{at}.25,{at + 1}.0,{9 - at}.5\n" for at in range(9))
    assert reading_of(f"model,acc,{low},{high},f1\n{rows}").tasks == ("acc", "f1")


def test_columns_called_bounds_that_bound_nothing_are_tasks():
    text = "model,acc,noise_low,noise_high\na,50.5,10.5,20.5\nb,60.5,30.5,25.5\nc,70.5,20.5,40.5\n"
    assert set(reading_of(text).tasks) >= {"noise_low", "noise_high"}


@pytest.mark.parametrize(
    ("header", "lower"),
    [("ms/step", True), ("Time (sec/epoch)", True), ("img/s", False), ("Rate (samples/sec)", False), ("s/it", True)],
)
def test_a_time_per_thing_is_lower_and_things_per_time_are_higher(header, lower):
    reading = reading_of(f"model,{header},acc\na,1.5,3.5\nb,2.5,4.5\nc,3.5,1.5\n")
    assert (header in reading.lower, reading.is_doubtful) == (lower, False)


def test_mathematics_between_dollars_is_no_price():
    reading = reading_of("alternative,$C_1$,$C_2$,Cost ($)\na,1.5,3.5,1\nb,2.5,4.5,2\nc,3.5,1.5,3\n")
    assert reading.lower == ("Cost ($)",)


def test_signs_with_digits_hold_no_words():
    assert reading_of("model,RBP1_2KWH,acc\na,1.5,3.5\nb,2.5,4.5\n").lower == ()


def test_a_table_of_one_model_is_told_as_that():
    with pytest.raises(ReadingError, match="all 3 rows are of one model_name, 'CatBoost'"):
        wl.read_leaderboard(
            io.StringIO("model_name,subset_label,err\nCatBoost,x,1.5\nCatBoost,y,2.5\nCatBoost,z,0.5\n")
        )


# Rows that are tasks.


def test_sizes_in_headers_are_of_models():
    rows = "".join(f"P{at}_HUMAN,0.{at + 1},0.{at + 2},0.{at + 3}\n" for at in range(5))
    reading = reading_of(f"Assay,ESM (8M),ESM (650M),ESM (3B)\n{rows}")
    assert (reading.transposed, reading.models) == (True, 3)


def test_facts_of_tasks_are_told_by_the_words_they_share_and_as_flags():
    rows = "".join(f"f{at}.csv,0.{at + 1},0.{at + 2},{900 + at},{40 + at},0.{at},{at % 2}\n" for at in range(8))
    header = "file,Forest,AnomalyNet,ts_len,anomaly_len,anomaly_ratio,point"
    reading = reading_of(f"{header}\n{rows}".replace("ts_len", "ts_anomaly_len"))
    assert (reading.transposed, reading.models) == (True, 2)


# Pages.

PAGE = """## Word Error Rate

| model | A | B |
|---|---|---|
| x | 1.5 | 2.5 |
| y | 2.5 | 1.5 |
| z | 2.0 | 1.0 |
| w | 3.0 | 0.5 |

## Speed of reading

| model | C | D |
|---|---|---|
| x | 1.5 | 2.5 |
| y | 2.5 | 1.5 |
"""


def test_the_heading_of_a_table_tells_its_direction():
    reading = wl.propose_reading(io.StringIO(PAGE), table="1", format="markdown")
    assert (reading.lower, reading.is_doubtful) == (("A", "B"), True)
    assert wl.propose_reading(io.StringIO(PAGE), table="2", format="markdown").lower == ()


def test_the_refusal_of_a_page_says_how_each_table_is_read():
    with pytest.raises(ReadingError) as caught:
        wl.read_leaderboard(io.StringIO(PAGE), format="markdown")
    assert caught.value.ways == ({"table": "1", "accept_reading": True}, {"table": "2"})
    for way in caught.value.ways:
        assert wl.read_leaderboard(io.StringIO(PAGE), format="markdown", **way).models[:2] == ("x", "y")


@given(st.data())
def test_a_long_table_is_its_wide_one(data):
    """Whatever the order of the rows and the columns, a row per score gives the scores of the wide table."""
    models = [f"m{at}" for at in range(data.draw(st.integers(2, 5)))]
    sets = [f"d{at}" for at in range(data.draw(st.integers(2, 5)))]
    scores = {(one, two): data.draw(st.integers(1, 999)) for one in models for two in sets}
    rows = data.draw(st.permutations([(one, two, f"0.{score:03}") for (one, two), score in scores.items()]))
    order = data.draw(st.permutations(range(3)))
    lines = [[("method", "benchmark", "acc"), *rows][at] for at in range(len(rows) + 1)]
    text = "".join(",".join(line[place] for place in order) + "\n" for line in lines)
    board = accepted(text)
    wide = {(model, task): board.scores.loc[model, task] for model in board.models for task in board.tasks}
    assert {key: round(float(value) * 1000) for key, value in wide.items()} == scores


def test_of_several_lists_of_records_one_is_chosen():
    lists = (
        '{"scores": [{"model": "a", "x": 1.5}, {"model": "b", "x": 2.5}], "facts": [{"model": "a"}, {"model": "b"}]}'
    )
    told = "there are 2 lists of records: 1 ('scores': 2 x 1); 2 ('facts': 2 x 0)"
    with pytest.raises(ReadingError, match=re.escape(told)) as caught:
        wl.read_leaderboard(io.StringIO(lists), format="json")
    assert caught.value.ways == ({"table": "scores"},)
    for table in ("scores", "1"):
        assert wl.read_leaderboard(io.StringIO(lists), format="json", table=table).tasks == ("x",)


def test_a_heading_that_names_a_time_says_which_way_all_tasks_count():
    rows = "".join(f"| l{at} | C | {at * 7 % 9 + 0.5} | {200.5 - at} |\n" for at in range(9))
    head = "## <a name='t'></a>Appendix: Timing here\n\n| Label | Runtime | queens | matmul |\n|---|---|---|---|\n"
    page = head + rows
    reading = wl.propose_reading(io.StringIO(page), format="markdown")
    assert (reading.tasks, reading.lower) == (("queens", "matmul"), ("queens", "matmul"))
    assert reading.doubts() == ["queens, matmul: likely lower is better (the heading: timing)"]


SPLITS = "model,validation.art,validation.law,test.art,test.law,other\n" + "".join(
    f"m{at},{50 + at * 7 % 23}.5,{60 - at * 3 % 17}.5,{55 + at * 11 % 13}.5,{40 + at}.5,{70 - at}.5\n"
    for at in range(9)
)


@pytest.mark.parametrize(
    ("which", "tasks"),
    [(0, ("validation.art", "validation.law", "other")), (1, ("test.art", "test.law", "other")), (2, 5)],
)
def test_tasks_that_stand_there_by_split_are_asked_about(which, tasks):
    with pytest.raises(ReadingError, match="the same tasks occur by the splits 'validation' and 'test'") as asked:
        wl.read_leaderboard(io.StringIO(SPLITS))
    board = wl.read_leaderboard(io.StringIO(SPLITS), **asked.value.ways[which])
    assert (board.tasks if which < 2 else len(board.tasks)) == tasks
    assert not reading_of(SPLITS.replace("test.", "tested.")).is_doubtful


def test_numbers_of_several_units_are_no_text_without_a_word():
    text = "model,took,acc,em\na,12 s,80.5,70.5\nb,1 min,60.5,60.5\nc,40 s,70.5,50.5\n"
    assert reading_of(text).doubts() == ["took: likely no task but a text (numbers in min and s)"]
    assert accepted(text).tasks == ("acc", "em")


def test_the_line_names_what_is_assumed_beside_what_is_known():
    line = reading_of("model,recall ↑,x,y\na,1.5,2.5,3.5\nb,2.5,1.5,4.5\n").line
    assert "higher is better on all (assumed on x, y)" in line


@given(st.permutations(range(30)), st.sampled_from(["0.62", "0.715"]))
def test_a_fraction_in_a_column_of_percentages_is_asked_about(order, cell):
    rows = [f"m{at},{30 + at}.5,{90 - at}.5,{cell if at == 7 else f'{45 + at}.5'}\n" for at in order]
    with pytest.raises(ReadingError, match="'z' of 'm7' looks like a fraction beside percentages") as asked:
        wl.read_leaderboard(io.StringIO("model,x,y,z\n" + "".join(rows)))
    kept = wl.read_leaderboard(io.StringIO("model,x,y,z\n" + "".join(rows)), **asked.value.ways[0])
    assert kept.scores.loc["m7", "z"] == float(cell)
    plain = "".join(rows).replace(cell, "0.5")  # as exact as the others: a score near 0
    assert not reading_of("model,x,y,z\n" + plain).is_doubtful


@given(st.lists(st.integers(1, 999), min_size=9, max_size=20))
def test_fractions_declared_in_percent_are_hundredfold_with_their_errors(thousandths):
    rows = [f"m{at},0.{one:03},{40 + at}.5,{80 - at}.5,0.0{at % 9}1\n" for at, one in enumerate(thousandths)]
    board = wl.read_leaderboard(io.StringIO("model,x,y,z,x_stderr\n" + "".join(rows)), percent="x")
    assert [board.cells.column(0)[at] for at in range(len(rows))] == [Fraction(one, 10) for one in thousandths]
    assert [board.error_cells.column(0)[at] for at in range(len(rows))] == [
        Fraction(10 * (at % 9) + 1, 10) for at in range(len(rows))
    ]


def test_percent_signs_in_some_cells_end_with_the_option_that_reads_them():
    text = "model,x,y,z\na,91%,80.5,70.5\nb,85,60.5,60.5\nc,88,70.5,50.5\n"
    with pytest.raises(ReadingError, match="some cells of 'x' have a percent sign and some have none") as asked:
        wl.read_leaderboard(io.StringIO(text))
    assert wl.read_leaderboard(io.StringIO(text), **asked.value.ways[0]).scores["x"].tolist() == [91, 85, 88]
    mixed = text.replace("85", "0.85").replace("88", "0.88")
    assert wl.read_leaderboard(io.StringIO(mixed), percent="x").scores["x"].tolist() == [91, 85, 88]


@pytest.mark.parametrize("sign", ["N", "none yet", "inf", "-inf", "-/-†", "PASS"])
def test_what_may_stand_for_a_missing_score_is_offered(sign):
    text = f"model,x,y\na,1.5,{sign}\nb,2.5,1.5\nc,{sign},3.5\nd,4.5,2.5\ne,0.5,2.5\nf,0.5,2.5\n"
    with pytest.raises(ReadingError) as asked:
        wl.read_leaderboard(io.StringIO(text))
    assert asked.value.ways == ({"missing_value": [sign]},)
    board = wl.read_leaderboard(io.StringIO(text), **asked.value.ways[0])
    assert board.missing_cells == (("a", "y"), ("c", "x"))


@pytest.mark.parametrize("sign", ["FAIL", "ERR", "OOM", "n.a.", "?"])
def test_runs_that_failed_are_asked_about_as_missing(sign):
    text = f"model,x,y\na,1.5,{sign}\nb,2.5 ★,1.5 †\nc,{sign},3.5\nd,4.5,2.5\n"
    assert f"x, y: {sign!r} taken as missing" in reading_of(text).doubts()
    assert accepted(text).missing_cells == (("a", "y"), ("c", "x"))
    assert accepted(text).scores.loc["b"].tolist() == [2.5, 1.5]


@pytest.mark.parametrize("sign", ["\u2014", "\u2013", "-"])
def test_dashes_of_any_length_are_missing_scores(sign):
    assert reading_of(f"model,x,y\na,1.5,{sign}\nb,{sign},2.5\n").doubts() == []


def test_numbers_with_more_behind_them_are_no_text_without_a_word():
    text = "model,x,y\n" + "".join(f"m{at},{at}.5 → {at + 1}.5,{at * 3 % 7}.5\n" for at in range(6))
    assert any("numbers with more behind them, such as" in one for one in reading_of(text).doubts())
    assert not reading_of(text.replace(" → ", "-")).doubts()  # a date, a version, a name


def test_rows_of_one_model_that_another_column_tells_apart_are_no_models():
    rows = "".join(f"rao1,F{at},{at * 7 % 5}.5\n" for at in range(9))
    with pytest.raises(FileFormatError, match="all 9 rows are of one Algorithm, 'rao1'"):
        accepted(f"Algorithm,Function,Fitness\n{rows}")


def test_a_name_of_several_columns_that_are_not_called_so_is_asked_about():
    rows = "".join(
        f"{v},{o},{p},{at}.5,{at / 10}\n"
        for at, (v, o, p) in enumerate((v, o, p) for v in "uv" for o in "kse" for p in "jb")
    )
    reading = reading_of(f"variant,operation,provider,score_us,error_us\n{rows}")
    assert reading.doubts() == [
        "models are likely named by variant, operation, provider together (only these tell rows apart)"
    ]
    assert (reading.tasks, reading.lower) == (("score_us",), ("score_us",))


def test_a_table_whose_rows_have_no_name_is_refused_not_broken():
    with pytest.raises(FileFormatError):
        wl.read_leaderboard(io.StringIO('model,,0,,\n,,,,\n,,"1,000",,\n,,:,,\n0,,,,\n'))


def test_a_heading_about_one_of_the_columns_says_nothing_of_the_others():
    rows = "".join(f"| m{at} | {at}.5 % | {100 - at - 0.5} % | {90 - at * 3 % 7}.5 % |\n" for at in range(9))
    page = (
        f"## Hallucination Rates\n\n| Model | Hallucination Rate | Consistency | Answered |\n|---|---|---|---|\n{rows}"
    )
    reading = wl.propose_reading(io.StringIO(page), format="markdown")
    assert (reading.tasks, reading.lower) == (("Consistency", "Answered"), ())


def test_true_and_false_of_a_format_that_has_them_are_no_scores_beside_numbers():
    records = [
        {"model": f"m{at}", "tuned": at % 2 == 0, "x": at + 0.5, "y": 9.5 - at, "z": at % 3 + 0.5} for at in range(12)
    ]
    reading = reading_of(json.dumps(records), format="json")
    assert (reading.tasks, reading.is_doubtful) == (("x", "y", "z"), False)
    numbers = [{name: int(one) if isinstance(one, bool) else one for name, one in row.items()} for row in records]
    assert reading_of(json.dumps(numbers), format="json").is_doubtful


def test_tasks_that_most_rows_lack_are_asked_about():
    rows = "".join(f"m{at},{at}.5,{9 - at}.25,{f'{at}.75' if at < 3 else ''}\n" for at in range(9))
    reading = reading_of(f"model,x,y,z\n{rows}")
    assert (reading.tasks, reading.is_doubtful) == (("x", "y"), True)
    assert "z: likely to be left out (6 of 9 rows lack it)" in reading.doubts()
    assert reading_of(f"model,x,y,z\n{rows}", keep="*").tasks == ("x", "y", "z")


def test_what_is_dropped_turns_no_table_around():
    text = "task,vision,minutes\na,1.5,2\nb,2.5,1\n"
    assert reading_of(text).transposed == reading_of(text, drop="minutes").transposed


def test_cells_that_hold_several_scores_are_asked_about_with_the_command():
    with pytest.raises(
        ReadingError, match=re.escape("MRPC: several scores stand in cells such as '92.8/90.4'")
    ) as caught:
        wl.read_leaderboard(io.StringIO("model,CoLA,MRPC\na,71.6,92.8/90.4\nb,60.5,89.3/85.4\n"))
    assert caught.value.ways[0] == {"split": {"MRPC": "/"}}
    board = wl.read_leaderboard(io.StringIO("model,x,y\na,1,2;3\nb,2,3;1\n"), split={"y": ";"})
    assert board.tasks == ("x", "y_n1", "y_n2")


def test_a_row_of_names_below_the_header_of_a_page_is_joined_and_empty_rows_go():
    page = "|Model|A|B|\n|---|---|---|\n||acc|f1|\n|x|1.5|2.5|\n||||\n|y|2.5|1.5|\n"
    board = wl.read_leaderboard(io.StringIO(page), format="markdown")
    assert (board.models, board.tasks) == (("x", "y"), ("A acc", "B f1"))


# What a fresh look found: each was answered wrong without a word.


@pytest.mark.parametrize(
    ("header", "lower"),
    [
        ("QA (lower is better)", True),
        ("Ref (smaller is better)", True),
        ("Score, higher better", False),
        ("Loss: more is better", False),
        ("Revenue ($)", False),
        ("Battery life (h)", False),
        ("Home W", False),
        ("Upper Body", False),
    ],
)
def test_a_header_that_says_its_direction_and_quantities_of_which_more_is_better(header, lower):
    reading = reading_of(f'model,"{header}",acc\na,1.5,3.5\nb,2.5,4.5\nc,3.5,1.5\n')
    assert (header in reading.lower, reading.is_doubtful) == (lower, False)


def test_what_is_paid_or_earned_is_asked_about():
    reading = reading_of("country,Exports ($),aid\na,12.5,3\nb,9.5,4\nc,7.5,5\n")
    assert [one.name for one in reading.likely] == ["Exports ($)"]
    cells = reading_of("country,exports,aid\na,$12.5,3\nb,$9.5,4\nc,$7.5,5\n")
    assert "exports" in cells.tasks


def test_metrics_that_stand_as_data_sets_keep_their_directions():
    rows = "".join(
        f"{who},{task},{at}.5\n" for at, (who, task) in enumerate((w, t) for w in "abc" for t in ("wer", "acc"))
    )
    reading = reading_of(f"model,task,score\n{rows}")
    assert (reading.tasks, reading.lower) == (("wer", "acc"), ("wer",))


def test_a_total_among_data_sets_is_asked_about():
    rows = "".join(
        f"{who},{task},{at}.5\n" for at, (who, task) in enumerate((w, t) for w in "abc" for t in ("x", "average"))
    )
    assert (
        "average: likely no task but an aggregate (the word average)"
        in reading_of(f"model,task,score\n{rows}").doubts()
    )


def test_crossed_columns_of_which_one_names_metrics_are_read_the_same_once_declared():
    rows = "".join(f"{who},{m},{at}.5\n" for at, (who, m) in enumerate((w, m) for w in "abc" for m in ("wer", "acc")))
    text = f"who,metric,value\n{rows}"
    found = reading_of(text)
    again = reading_of(text, **found.says)
    assert (found.lower, again.lower, again.is_doubtful) == (("wer",), ("wer",), False)


def test_a_data_set_column_that_is_not_there_is_refused():
    with pytest.raises(FileFormatError, match="no column named 'nosuch'"):
        reading_of("model,task,score\na,x,1\nb,x,2\n", dataset_column="nosuch")


def test_rows_that_sum_up_the_others_are_asked_about_and_left_out():
    text = "model,x,y\n" + "".join(f"m{at},{at}.5,{9 - at}.5\n" for at in range(5)) + "Average,2.5,7.5\n"
    reading = reading_of(text)
    assert reading.summaries == ("Average",)
    board = accepted(text)
    assert board.models == ("m0", "m1", "m2", "m3", "m4")
    assert "Average" in wl.read_leaderboard(io.StringIO(text), keep="*").models


def test_numbers_of_rows_without_a_name_are_no_task():
    reading = reading_of(",model,t1,t2\n0,a,1.5,2.5\n1,b,2.5,1.5\n2,c,3.5,0.5\n")
    assert (reading.tasks, reading.key) == (("t1", "t2"), ("model",))


def test_ranks_of_four_models_are_asked_about():
    reading = reading_of("model,math,code,chat\na,1,2,1\nb,2,1,3\nc,3,4,2\nd,4,3,4\n")
    assert (reading.lower, reading.is_doubtful) == (("math", "code", "chat"), True)


def test_of_two_columns_and_their_difference_none_is_a_total():
    rows = "".join(f"m{at},{at % 5 + 3}.50,{at % 3 + 1}.25,{at % 5 + 2 - at % 3}.25\n" for at in range(15))
    reading = reading_of(f"model,train,test,gap\n{rows}")
    assert set(reading.tasks) == {"train", "test", "gap"}


def test_parts_of_a_total_of_errors_are_likely_errors():
    rows = "".join(f"m{at},{at % 5}.5,{at % 3}.5,{at % 4}.5,{at % 5 + at % 3 + at % 4 + 1}.5\n" for at in range(15))
    reading = reading_of(f"model,sub,ins,del,wer\n{rows}")
    assert (reading.lower, reading.is_doubtful) == (("sub", "ins", "del"), True)


def test_objects_of_models_that_hold_metrics_are_asked_about():
    text = '{"A": {"mnli": 84.1, "sst": 92.0, "loss": 0.4}, "B": {"mnli": 83.1, "sst": 91.0, "loss": 0.3}}'
    reading = reading_of(text, format="json")
    assert (reading.transposed, reading.models, reading.is_doubtful) == (True, 2, True)


def test_totals_are_checked_in_every_row_and_models_counted_in_all():
    lines = [
        f"m{at},{at % 7}.5,{at % 5}.5,{(at % 7 + at % 5 + 1) / 2 + (5 if at > 10_500 else 0):.2f}"
        for at in range(11_000)
    ]
    text = "model,x,y,avg\n" + "\n".join(lines) + "\n"
    assert reading_of(text).models == 11_000
    whole = {one.name: one for one in reading_of(text, all_rows=True).columns}["avg"]
    assert whole.total is not None
    assert len(whole.total.wrong) == 499


@pytest.mark.parametrize(
    ("header", "says", "lower"),
    [
        ("higher_is_better", ("True", "False"), ("wer",)),
        ("lower is better", ("no", "yes"), ("wer",)),
        ("higher_is_better", ("1", "1"), ()),
    ],
)
def test_a_long_table_that_says_its_directions_is_believed(header, says, lower):
    pairs = [*zip(("acc", "wer"), says, strict=True)]
    rows = "".join(f"{who},{metric},{at}.5,{said}\n" for at, who in enumerate("abc") for metric, said in pairs)
    reading = reading_of(f"model,task,score,{header}\n{rows}")
    assert (reading.tasks, reading.lower, reading.is_doubtful) == (("acc", "wer"), lower, False)
    assert "assumed" not in reading.line


def test_a_direction_column_that_contradicts_itself_says_nothing():
    text = "model,task,score,higher_is_better\na,x,1.5,true\nb,x,2.5,false\na,y,1.5,true\nb,y,2.5,true\n"
    assert {one.name: one.certainty for one in reading_of(text).columns if one.role == "task"} == {
        "x": "assumed",
        "y": "certain",
    }


def test_bounds_must_bracket_the_score_in_every_row():
    rows = [(at, f"{at}.50", f"{at}.25", f"{at}.75") for at in range(8)]
    text = "model,acc,acc_low,acc_high,f1\n" + "".join(
        f"m{at},{acc},{low},{high},{9 - at}.5\n" for at, acc, low, high in rows
    )
    assert reading_of(text).tasks == ("acc", "f1")
    broken = text.replace("m3,3.50", "m3,7.50")
    assert set(reading_of(broken).tasks) == {"acc", "acc_low", "acc_high", "f1"}


def test_weights_from_a_total_of_totals_need_the_weights_of_each():
    rng = np.random.default_rng(7)
    parts = rng.integers(10_000, 90_000, (40, 4)) / 1000
    inner = np.round(0.337 * parts[:, 0] + 0.663 * parts[:, 1], 3)
    plain = np.round((parts[:, 0] + parts[:, 1]) / 2, 3)
    for first, identified in ((plain, True), (inner, False)):
        whole = np.round((first + (parts[:, 2] + parts[:, 3])) / 3, 3)
        table = np.column_stack([whole, first, parts])
        rows = "".join(f"m{at},{','.join(f'{one:.3f}' for one in row)}\n" for at, row in enumerate(table.tolist()))
        text = f"model,Overall Avg,Live Avg,a,b,c,d\n{rows}"
        if identified:
            board = accepted(text, weights_from="Overall Avg")
            assert [str(board.weights[task]) for task in "abcd"] == ["1/6", "1/6", "1/3", "1/3"]
        else:
            with pytest.raises(FileFormatError, match="the weights of 'Live Avg' are not identified: 'a' between"):
                accepted(text, weights_from="Overall Avg")


# Cells with more than a number in them.


@pytest.mark.parametrize(("unit", "odd"), [("Gflops", "Gflop"), ("Gflops/W", "Mflops/W"), ("it/s", "it")])
def test_numbers_in_a_unit_of_the_tables_own_are_scores_that_are_asked_about(unit, odd):
    rows = "".join(f"m{at},{9.5 - at * 3 % 7} {unit}\n" for at in range(12))
    reading = reading_of(f"model,result\n{rows}")
    assert (reading.tasks, reading.key, reading.is_doubtful) == (("result",), ("model",), True)
    assert [*accepted(f"model,result\n{rows}").scores["result"]] == [9.5 - at * 3 % 7 for at in range(12)]
    with pytest.raises(FileFormatError, match=rf"'8\.5 {odd}' is not a number"):
        accepted(f"model,result\n{rows}n,8.5 {odd}\n")


@given(st.lists(st.integers(0, 20), min_size=2, max_size=9), st.integers(20, 30))
def test_counts_of_a_number_of_cases_are_scores(counts, cases):
    rows = "".join(f"m{at},{one}/{cases},{at}.5\n" for at, one in enumerate(counts))
    board = wl.read_leaderboard(io.StringIO(f"model,easy,x\n{rows}"), keep=["easy", "x"])
    assert [*board.scores["easy"]] == counts
    more = f"{rows}n,1/{cases + 1},0.5\n"
    assert any("several scores stand in cells" in one for one in reading_of(f"model,easy,x\n{more}").notes)


def test_several_brackets_behind_a_score_are_left_out_together():
    rows = "".join(f"d{at},0.{at}5 (±0.01) (+1.2%),**0.{at * 5 % 9}5** (±0.02)\n" for at in range(1, 9))
    text = f"model,x,y\n{rows}"
    assert reading_of(text).tasks == ("x", "y")
    assert accepted(text, spread="dropped").scores.loc["d3"].tolist() == [0.35, 0.65]


def test_cells_without_the_unit_of_the_others_are_asked_about():
    rows = "".join(f"m{at},{20 + at * 7 % 9}{'W' if at else ''}\n" for at in range(9))
    reading = reading_of(f"model,power\n{rows}")
    assert "power: some cells have the unit W and some have none" in reading.doubts()
    assert accepted(f"model,power\n{rows}").scores.loc["m0", "power"] == 20


def test_names_in_bold_are_names():
    text = "**model**,**x**\n**a 🥇**,1.5\n**b\\***,2.5\n**c** or **d**,3.5\n"
    board = accepted(text)
    assert board.models == ("a 🥇", "b*", "**c** or **d**")
    assert board.tasks == ("x",)


def test_a_table_without_a_header_is_refused():
    rows = "".join(f"m{at},0.{7000 - 123 * at}\n" for at in range(9))
    with pytest.raises(FileFormatError, match=r"first line holds a row \(m0, 0\.7000\), not the names of columns"):
        accepted(rows)
    with pytest.raises(FileFormatError, match=r"first line holds a row \(1, 71\.2\)"):
        accepted("1,71.2,33\n2,66.1,44\n3,59.0,21\n")
    years = "model,2019,2020,2021\n" + "".join(
        f"m{at},{1990 + at},{2050 - at},{2000 + at * 7 % 9}\n" for at in range(9)
    )
    thresholds = "model,0.5,0.75\n" + "".join(f"m{at},0.{90 - at},0.{60 + at}\n" for at in range(9))
    assert not reading_of(years).blockers
    assert not reading_of(thresholds).blockers


def test_a_column_that_says_whether_something_succeeded_is_a_score():
    rows = "".join(
        f"{task},{agent},{at * 5 % 3 > 0},{at}.5,{at + 3}\n"
        for at, (task, agent) in enumerate((task, agent) for task in "uvw" for agent in "abc")
    )
    text = f"task_id,agent,passed,wall_seconds,n_tool_calls\n{rows}"
    board = accepted(text)
    assert board.tasks == ("passed/u", "passed/v", "passed/w", "wall_seconds/u", "wall_seconds/v", "wall_seconds/w")
    assert board.scores.loc["b", "passed/u"] == 1
    assert {*board.lower_is_better} == {"wall_seconds/u", "wall_seconds/v", "wall_seconds/w"}


def test_settings_that_tell_rows_apart_belong_to_the_names_of_models():
    rows = "".join(
        f"{name},k={at},{data},{at}.5\n"
        for at, (name, data) in enumerate((name, data) for name in "ab" for data in "uvu")
    )
    with pytest.raises(ReadingError, match="parameters belongs to the names of models"):
        wl.read_leaderboard(io.StringIO(f"algorithm,parameters,dataset,recall\n{rows}"))


def test_ids_in_capitals_of_their_own_and_totals_called_all_are_no_tasks():
    rows = "".join(f"t{at},{130 + at * 37 % 91},{at * 3 % 7}.5,{at * 5 % 9}.5,{at}.5\n" for at in range(9))
    reading = reading_of(f"TeamName,TeamId,NUM,x,ALL\n{rows}")
    assert reading.tasks == ("NUM", "x")
    assert [one.role for one in reading.columns if one.name == "ALL"] == ["aggregate"]


HTML_TABLE = (
    "<table><tr><th>model</th><th>x</th></tr><tr><td>a</td><td>1.5</td></tr><tr><td>b</td><td>2.5</td></tr></table>"
)


@pytest.mark.parametrize("begin", ["# Results\n\n", "<div align='center'>\n\n</div>\n"])
def test_a_markdown_page_may_hold_its_table_as_html(tmp_path, begin):
    (tmp_path / "README.md").write_text(begin + HTML_TABLE + "\n", encoding="utf-8")
    assert wl.read_leaderboard(tmp_path / "README.md").models == ("a", "b")


def test_what_is_said_below_a_table_says_which_way_it_counts():
    rows = "".join(f"| d{at} | 0.{at}5 | 0.{9 - at}5 |\n" for at in range(1, 9))
    page = f"| | Tuned CatBoost | Tuned LightGBM |\n|---|---|---|\n{rows}\n\nMetric: Logloss (lower is better).\n"
    reading = wl.propose_reading(io.StringIO(page), format="markdown")
    assert (reading.transposed, len(reading.lower)) == (True, 8)


def test_a_separator_and_a_doubt_end_with_one_command():
    with pytest.raises(ReadingError) as asked:
        wl.read_leaderboard(io.StringIO("model;x;task average\na;1.5;2.5\nb;2.5;3.5\n"))
    assert asked.value.ways[0] == {"separator": ";", "accept_reading": True}
    assert wl.read_leaderboard(io.StringIO("model;x;task average\na;1;2\nb;2;3\n"), **asked.value.ways[0]).tasks == (
        "x",
    )


def test_several_scores_in_bold_are_split_like_others():
    page = (
        "| | **KorQuaD (Dev)**<br/>(EM/F1) | x |\n|---|---|---|\n| a | 51.5 / 79.5 | 1.5 |\n"
        "| **b** | **84.5 / 93.5** | 2.5 |\n| c | 64.5 / **88.5** | 3.5 |\n"
    )
    with pytest.raises(ReadingError) as asked:
        wl.read_leaderboard(io.StringIO(page), format="markdown")
    board = wl.read_leaderboard(io.StringIO(page), format="markdown", **asked.value.ways[0])
    assert board.tasks == ("KorQuaD (Dev) (EM/F1)_n1", "KorQuaD (Dev) (EM/F1)_n2", "x")
    assert board.scores.loc["b"].tolist() == [84.5, 93.5, 2.5]


def test_thousands_among_marks_and_units_end_with_the_option_that_reads_them():
    text = 'model,vram,x\na,~960 MB,1.5\nb,"~1,450 MB",2.5\nc,"~10,170 MB",0.5\n'
    with pytest.raises(ReadingError, match="has thousands separators") as asked:
        wl.read_leaderboard(io.StringIO(text))
    board = wl.read_leaderboard(io.StringIO(text), **asked.value.ways[0])
    assert (board.scores["vram"].tolist(), board.lower_is_better) == ([960, 1450, 10170], ("vram",))


@pytest.mark.parametrize("header", ["#Languages", "# Languages"])
def test_a_number_of_things_is_a_fact(header):
    rows = "".join(f"m{at},{(at * 37) % 100 + 3},{at}.5\n" for at in range(6))
    columns = {one.name: one.role for one in reading_of(f"model,{header},x\n{rows}").columns}
    assert columns[header] != "task"


def test_data_sets_whose_names_end_in_all_or_are_a_crop_are_tasks():
    rows = "".join(f"m{at},0.{90 - at},0.{60 + at * 3 % 7},0.{70 + at * 5 % 9}\n" for at in range(9))
    assert reading_of(f"model,FaceAll,UWaveGestureLibraryAll,Crop\n{rows}").tasks == (
        *("FaceAll", "UWaveGestureLibraryAll", "Crop"),
    )


def test_a_pattern_of_directions_takes_nobodys_name_away():
    reading = reading_of("device,a,b\nx1,5.5,7.5\nx2,6.5,8.5\nx3,9.5,3.5\n", lower_is_better="*")
    assert (reading.key, reading.tasks, reading.lower) == (("device",), ("a", "b"), ("a", "b"))


def test_the_line_says_which_cells_are_taken_as_missing():
    reading = reading_of("model,a,b\nx1,5.5,7.5\nx2,6.5,OOM\nx3,OOM,3.5\nx4,2.5,4.5\n")
    assert "2 cells with 'OOM' taken as missing (x2, x3)" in reading.line
