"""What rows and columns stand for where names alone do not tell it: a made table for each kind once misread."""

from __future__ import annotations

import io

import pytest

import weightlab as wl
from weightlab.exceptions import FileFormatError, ReadingError

BESIDE = "dataset,entries,metric,A,B,C\nHIV,41127,ROC-AUC,0.82,0.56,0.78\nQM8,21786,MAE,0.005,0.013,0.016\n"


def reading_of(text, **declared):
    return wl.propose_reading(io.StringIO(text), **declared)


def test_a_metric_for_each_row_says_which_way_its_task_counts():
    reading = reading_of(BESIDE + "ESOL,1128,RMSE,0.68,0.71,0.80\n")
    assert (reading.transposed, reading.models, reading.tasks) == (True, 3, ("HIV", "QM8", "ESOL"))
    assert reading.lower == ("QM8", "ESOL")
    assert {one.name: one.why for one in reading.columns}["ESOL"] == "the metric rmse"


def test_a_metric_that_is_not_known_says_nothing():
    reading = reading_of(BESIDE.replace("MAE", "QQQ"))
    assert {one.name: one.certainty for one in reading.columns}["QM8"] == "assumed"


@pytest.mark.parametrize("ending", ["cnf", "mps", "PNG"])
def test_rows_that_are_files_are_tasks_and_the_word_of_all_columns_is_their_direction(ending):
    text = f"name,fast time,slow time\np_r2.{ending},1.5,2.5\nq.{ending},3.5,2.25\nr.{ending},400,7.5\n"
    reading = reading_of(text)
    assert (reading.transposed, reading.models, len(reading.lower)) == (True, 2, 3)
    with pytest.raises(ReadingError, match="rows are files"):
        wl.read_leaderboard(io.StringIO(text))


@pytest.mark.parametrize("ending", ["pt", "gguf", "1"])
def test_files_of_weights_are_models(ending):
    assert not reading_of(f"name,x,y\na.{ending},1.5,2.5\nb.{ending},3.5,2.25\n").transposed


PRODUCT = "file,a_time,a_nodes,b_time,b_nodes\n" + "".join(
    f"p{at}.cnf,{at}.5,{at * 3 + 1},{5 - at}.25,{at * 2 + 2}\n" for at in range(1, 5)
)


def test_columns_of_models_by_metrics_are_asked_about_and_each_answer_runs():
    with pytest.raises(ReadingError, match="2 models by 'time' and 'nodes': which of them counts") as asked:
        wl.read_leaderboard(io.StringIO(PRODUCT))
    boards = [wl.read_leaderboard(io.StringIO(PRODUCT), **way) for way in asked.value.ways]
    assert [board.models for board in boards] == [("a_time", "b_time"), ("a_nodes", "b_nodes")]
    assert [len(board.tasks) for board in boards] == [4, 4]
    assert boards[0].lower_is_better == boards[0].tasks


def test_columns_of_families_by_size_are_models():
    text = PRODUCT.replace("time", "7b").replace("nodes", "13b")
    assert wl.read_leaderboard(io.StringIO(text), accept_reading=True).models == ("a_7b", "a_13b", "b_7b", "b_13b")


def test_rows_that_lack_nearly_all_tasks_were_not_measured():
    text = "engine,videos,acc,recall,precision\na,25,0.53,0.64,0.38\nb,0,,,\nc,0,,,\n"
    assert reading_of(text).tasks == ("videos", "acc", "recall", "precision")


def test_memory_of_a_machine_is_a_fact_and_memory_used_is_a_task():
    text = "id,os,cpu model,gpu model,ram,time\nx1,L,A,B,30.5 GB,1.5\nx2,L,C,D,31 GB,2.5\nx3,M,E,B,16 GB,3.5\n"
    roles = {one.name: (one.role, one.lower) for one in reading_of(text).columns}
    assert roles["ram"] == ("fact", None)
    assert reading_of("model,ram,time\nx1,30.5 GB,1.5\nx2,31 GB,2.5\nx3,16 GB,3.5\n").lower == ("ram", "time")


def crossed(first, second, scores):
    pairs = [(one, two) for one in first for two in second]
    rows = (
        f"{one},{two},{','.join(f'{(at * k) % 9}.5' for k in range(1, scores + 1))}\n"
        for at, (one, two) in enumerate(pairs)
    )
    return "".join(rows)


def test_two_columns_before_many_data_sets_name_the_models_together():
    reading = reading_of("encoder,learner,CoLA,SST,RTE,MRPC\n" + crossed("xyz", "abc", 4))
    assert (reading.models, reading.key, len(reading.tasks)) == (9, ("encoder", "learner"), 4)
    assert reading_of("prompt,learner,CoLA,SST,RTE,MRPC\n" + crossed("xyz", "abc", 4)).models == 3
    assert reading_of("encoder,learner,acc,f1,recall,SST\n" + crossed("xyz", "abc", 4)).models == 3


def test_rows_that_have_names_of_their_own_are_no_runs():
    rows = "".join(f"e{at},d{at % 3},{'rs'[at % 2]},{'uvw'[at % 3]}{at % 5},0.{at}5\n" for at in range(36))
    with pytest.raises(FileFormatError, match="differ in 'cell', so they are not runs"):
        wl.read_leaderboard(io.StringIO("cell,dataset,backbone,head,acc\n" + rows))
    board = wl.read_leaderboard(io.StringIO("cell,dataset,backbone,head,acc\n" + rows), repeats_by="row")
    assert board.models == ("r", "s")


def test_a_model_that_stands_twice_without_a_score_is_left_out():
    text = "model,x,y\na,1.5,2.5\nb,2.5,3.5\nc,,\nc,,\n"
    assert wl.read_leaderboard(io.StringIO(text)).models == ("a", "b")
    assert reading_of(text).models == 2
    with pytest.raises(FileFormatError, match="'c' is already in line 4"):
        wl.read_leaderboard(io.StringIO(text.replace("c,,", "c,1,")))


@pytest.mark.parametrize("dashes", ["--", "---", "\u2013\u2013"])
def test_dashes_are_likely_a_missing_score(dashes):
    text = f"model,x,y\na,1.5,2.5\nb,{dashes},3.5\nc,4.5,0.5\n"
    with pytest.raises(ReadingError, match="taken as missing") as asked:
        wl.read_leaderboard(io.StringIO(text))
    assert wl.read_leaderboard(io.StringIO(text), **asked.value.ways[0]).missing_cells == (("b", "x"),)


@pytest.mark.parametrize(
    ("written", "name"),
    [("**Grok**<br/>*xAI*", "Grok xAI"), ("*GPT*", "GPT"), ("a*b*", "a*b*"), ("x<br>y", "x y"), ("A*", "A*")],
)
def test_marks_around_each_line_of_a_name_come_off(written, name):
    page = f"| model | x | y |\n|---|---|---|\n| {written} | 1.5 | 2.5 |\n| B | 2.5 | 0.5 |\n"
    assert wl.read_leaderboard(io.StringIO(page), format="markdown").models == (name, "B")


def with_configs(*tiers):
    rows = (
        f"d{at % 3},{'rs'[at // 3 % 2]},{tiers[at // 6]},{'' if at < 6 else f'c{at}'},0.{at}5\n" for at in range(12)
    )
    return "dataset,detector,tier,config,auc\n" + "".join(rows)


def test_a_setting_that_is_blank_is_one_of_its_own_and_a_name_in_fewer_words_is_taken():
    reading = reading_of(with_configs("default", "tuned"))
    assert (reading.models, reading.key, len(reading.tasks)) == (4, ("detector / tier",), 3)
    reading = reading_of(with_configs("same", "same"))
    assert "config belongs to the names of models" in reading.notes[0]
    assert reading.models == 8
    board = wl.read_leaderboard(io.StringIO(with_configs("same", "same")), accept_reading=True)
    assert board.models[:2] == ("r", "s")


@pytest.mark.parametrize("name", ["false_feature_rate", "false match rate", "complexity"])
def test_rates_of_what_is_false_and_complexity_are_better_low(name):
    assert reading_of(f"model,{name},x\na,0.5,1.5\nb,0.25,2.5\nc,0.75,2.25\n").lower == (name,)


JUDGED = "name,A1,A2,A3,A4\nx,4,4,3,2\ny,3,2,1,1\nz,1,3,1,2\nw,2,1,2,2\n"


def test_places_with_ties_are_ranks_where_half_of_the_columns_have_none():
    reading = reading_of(JUDGED)
    assert reading.lower == ("A1", "A2", "A3", "A4")
    assert "A1, A2, A3, A4: likely lower is better (ranks from 1 to n)" in str(reading)


@pytest.mark.parametrize("other", ["2,1,2,2", "1,1,2,2"])
def test_grades_that_are_no_places_are_scores(other):
    assert not reading_of(JUDGED.replace("w,2,1,2,2", f"w,{other.replace('1', '5', 1)}")).lower
    assert not reading_of("name,A,B\nx,3,1\ny,1,2\nz,3,2\nw,2,3\n").lower


def test_all_columns_are_called_so():
    rows = [
        f"{name},{','.join(places * 3)}" for name, places in zip("xyzw", ("1243", "2134", "3421", "4312"), strict=True)
    ]
    assert "all 12 columns: likely lower is better (ranks from 1 to n)" in str(
        reading_of("\n".join([f"name,{','.join(f't{at}' for at in range(12))}", *rows]))
    )


def test_long_texts_name_no_models():
    rows = "".join(f"{at},{'why so ' * 30}{at},0.{at}5\n" for at in range(1, 6))
    with pytest.raises(FileFormatError, match="texts, such as those of 'question': no column names"):
        wl.read_leaderboard(io.StringIO(f"no.,question,score\n{rows}"))


def test_what_a_test_says_of_pairs_is_no_score():
    text = "system,acc,p(base),W/L/T vs base,p-value\na,0.8,0.01,3/2/1,0.4\nb,0.7,0.2,2/2/2,0.5\nc,0.6,0.5,1/3/2,0.6\n"
    assert reading_of(text).tasks == ("acc",)


def test_rows_that_several_columns_tell_apart_are_not_averaged():
    rows = "".join(
        f"{m},{s},{d},0.{at}\n" for at, (m, s, d) in enumerate(zip("aaaabbbb", "12121212", "xxyyxxyy", strict=True))
    )
    with pytest.raises(FileFormatError, match="declare which name the models") as found:
        wl.read_leaderboard(io.StringIO(f"model,seed,kept,score\n{rows}"), drop=["kept"])
    assert "take means" not in str(found.value)


def test_a_list_of_groups_of_records_is_one_table():
    pytest.importorskip("yaml")
    groups = "".join(
        f"  - {group}:\n      - {{Model: m, x: 1, y: 2}}\n      - {{Model: n{group}, x: 2, y: 1}}\n" for group in "AB"
    )
    held = io.BytesIO(f"Frameworks:\n{groups}".encode())
    held.name = "t.yaml"
    board = wl.read_leaderboard(held)
    assert (board.models, board.tasks) == (("A / m", "A / nA", "B / m", "B / nB"), ("x", "y"))


def test_pairs_on_a_page_are_not_offered():
    pairs = "\n## Pairs\n\n| p | b | c |\n|-|-|-|\n| a | 0.1 | 0.2 |\n| b | | 0.3 |\n| c | 0.5 | |\n"
    page = "| m | x | y |\n|-|-|-|\n| a | 0.1 | 0.2 |\n| b | 0.2 | 0.3 |\n| c | 0.5 | 0.1 |\n"
    held = io.BytesIO((page + pairs).encode())
    held.name = "t.md"
    assert wl.read_leaderboard(held).tasks == ("x", "y")


def test_tables_below_each_other_in_a_sheet_are_read_one_by_one(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    rows = [["Tuned"], [None, "acc", "f1"], ["a", 0.5, 0.4], ["b", 0.6, 0.3], [], ["Tested"]]
    rows += [[None, "one", None, "two", None], [None, "acc", "f1", "acc", "f1"], ["a", *(0.1, 0.2, 0.3, 0.4)]]
    for row in [*rows, ["c", 0.5, 0.6, 0.7, 0.8]]:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    with pytest.warns(wl.exceptions.ResultsWarning, match=r"'Sheet: Tuned \(row 1\)' is read; left out: "):
        assert wl.read_leaderboard(tmp_path / "t.xlsx").models == ("a", "b")
    second = wl.read_leaderboard(tmp_path / "t.xlsx", table="2")
    assert (second.models, second.tasks) == (("a", "c"), ("one acc", "one f1", "two acc", "two f1"))


GROUPED = [["model", "a", "b"], [], ["Open"], ["x", 1, 4], ["y", 3, 2], [], ["Closed"], ["z", 2, 2], ["w", 1, 1]]
UNMEASURED = [["model", "a", "b"], ["x", 1, 4], ["y", 3, 2], ["v", 2, 3], [], ["u", "n/a", "-"], ["z", 2, 2]]


@pytest.mark.parametrize(("rows", "models"), [(GROUPED, {*"xyzw"}), (UNMEASURED, {*"xyvz"})])
def test_groups_and_models_without_scores_begin_no_table(rows, models, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [*rows, ["q", 2, 2], ["r", 1, 2]]:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    board = wl.read_leaderboard(tmp_path / "t.xlsx", models=[*models, "q", "r"])
    assert ({*board.models}, board.tasks) == (models | {"q", "r"}, ("a", "b"))
