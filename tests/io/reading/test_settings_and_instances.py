"""Speeds, sizes, statistics of runs, settings and instances: a made table for each kind once misread."""

from __future__ import annotations

import io

import pytest

import weightlab as wl
from weightlab.exceptions import FileFormatError, ReadingError, ResultsWarning
from weightlab.io.preflib.orders import read_profile


def reading_of(text, **declared):
    return wl.propose_reading(io.StringIO(text), **declared)


@pytest.mark.parametrize("name", ["tok_s", "pp_tok_s", "images_s", "queries_sec", "read_MB_s"])
def test_what_is_done_in_a_second_is_better_high(name):
    reading = reading_of(f"name,{name},acc\na,796.44,0.5\nb,138.7,0.6\nc,342.6,0.4\n")
    assert (reading.tasks, reading.lower) == ((name, "acc"), ())


@pytest.mark.parametrize("name", ["query_s", "wait_s", "total_mem_mb", "peak_kb", "rss_MiB"])
def test_seconds_for_one_thing_and_sizes_are_better_low(name):
    reading = reading_of(f"name,{name},acc\na,79.44,0.5\nb,13.7,0.6\nc,34.6,0.4\n")
    assert reading.lower == (name,)


def test_columns_of_nothing_but_zeros_have_no_scale():
    rows = "".join(f"m{at},0,0,0.{at},{'50' if at == 5 else '0'},{'60' if at == 4 else '0'}\n" for at in range(1, 6))
    assert reading_of("name,a,b,c,d,e\n" + rows).models == 5


def test_statistics_of_the_same_runs_beside_each_other_are_one_score():
    head = "name,mean_time_s,median_time_s,min_time_s,max_time_s,cv_time,acc\n"
    rows = "a,1.5,1.4,1.0,2.0,0.2,0.7\nb,2.5,2.4,2.0,4.5,0.3,0.6\nc,3.5,3.25,3.0,4.0,0.1,0.5\n"
    assert reading_of(head + rows).tasks == ("mean_time_s", "acc")


def test_sizes_that_not_all_were_run_on_are_data_sets():
    sizes = [(name, size) for name, most in (("slow", 9), ("fast", 14)) for size in range(5, most)]
    rows = "".join(f"{name},{size},{size / (2 if name == 'fast' else 1) + 0.25}\n" for name, size in sizes)
    reading = reading_of("algorithm,n,time_seconds\n" + rows)
    assert (reading.models, len(reading.tasks)) == (2, 9)
    board = wl.read_leaderboard(io.StringIO("algorithm,n,time_seconds\n" + rows), accept_reading=True)
    assert board.models == ("slow", "fast")
    assert board.lower_is_better == board.tasks


INSTANCES = "provider,{model},prompt_id,category,variant,score\n" + "".join(
    f"{provider},{model},q{at},{'art' if at < 6 else 'law'},{'plain' if at % 2 else 'long'},{(at * seed) % 7 / 8}\n"
    for provider, model, seed in (("x", "X 4o", 3), ("y", "Y 3.3", 5), ("z", "Z 1", 2))
    for at in range(12)
)


@pytest.mark.parametrize("model", ["model_display", "Model Label", "system_name"])
def test_instances_of_data_sets_are_averaged_once_that_is_accepted(model):
    text = INSTANCES.format(model=model)
    with pytest.raises(ReadingError, match="means over prompt_id"):
        wl.read_leaderboard(io.StringIO(text))
    board = wl.read_leaderboard(io.StringIO(text), accept_reading=True)
    assert (board.models, board.tasks) == (("X 4o", "Y 3.3", "Z 1"), ("art", "law"))
    assert board.scores.loc["X 4o", "art"] == pytest.approx(sum(at * 3 % 7 / 8 for at in range(6)) / 6)


def test_runs_of_each_size_are_averaged():
    head = "engine,workload,size,seed,iter,wall_ns,eval_ns\n"
    rows = "".join(
        f"{engine},{work},{size},42,{run},{1000 * slow + 10 * run + 7 * len(work)},{slow + run}\n"
        for engine, slow in (("one", 3), ("two", 4))
        for work in ("json", "strings", "sorting")
        for size in ("S", "L")
        for run in range(3)
    )
    board = wl.read_leaderboard(io.StringIO(head + rows), accept_reading=True)
    assert (board.models, len(board.tasks)) == (("one", "two"), 12)
    assert board.scores.loc["one", "wall_ns/json/S"] == 3038
    assert board.lower_is_better == board.tasks


def test_rows_of_instances_are_no_models_and_zeros_and_ones_are_successes():
    held = (("a", range(12)), ("b", range(4)))
    rows = "".join(f"{model},i{at},{at % 2},{at / 8 + 1}\n" for model, items in held for at in items)
    reading = reading_of("model,item_id,congruent,log\n" + rows)
    assert (reading.models, reading.tasks, reading.says["repeats_by"]) == (2, ("congruent", "log"), "item_id")
    with pytest.warns(ResultsWarning, match="unequal repeats"):
        board = wl.read_leaderboard(io.StringIO("model,item_id,congruent,log\n" + rows), accept_reading=True)
    assert board.scores["congruent"].tolist() == pytest.approx([0.5, 0.5])


def test_settings_beside_a_controller_are_data_sets():
    rows = "".join(f"{one},{load},{at + 0.5},{at * 2}\n" for at, one in enumerate("pqr") for load in ("light", "heavy"))
    reading = reading_of("controller,density,avg_queue_length,throughput\n" + rows)
    assert (reading.models, len(reading.tasks), len(reading.lower)) == (3, 4, 2)


DEEP = '{"title": "t", "dynamic": {"name": "d", "routers": [%s]}, "static": {"kinds": [{"id": "x"}, {"id": "y"}]%s}}'
RECORDS = '{"name": "a", "rate": 0.5, "f1": 0.25}, {"name": "b", "rate": 0.75, "f1": 0.125}'


def test_a_list_of_records_deep_inside_is_offered_by_its_keys(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(DEEP % (RECORDS, ""), encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"there is 1 list of records: 1 \('dynamic.routers': 2 x 2\)"):
        wl.read_leaderboard(path)
    assert wl.read_leaderboard(path, table="dynamic.routers").models == ("a", "b")
    path.write_text(DEEP % (RECORDS, ', "loads": [{"id": 1, "n": 3}, {"id": 2, "n": 4}]'), encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"are 2 lists of records: .*; 2 \('static.loads': 2 x 1\)"):
        wl.read_leaderboard(path)


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx", "t.parquet", "t.json"])
def test_a_pointer_to_a_large_file_is_not_that_file(name, tmp_path):
    path = tmp_path / name
    path.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 373\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match="a pointer of Git LFS, not the file it stands for"):
        wl.read_leaderboard(path)


def test_three_settings_that_together_tell_rows_apart_are_data_sets():
    rows = "".join(
        f"{lfc},{density},{fdr},{method},{(lfc + slow) * density + fdr}\n"
        for lfc in (2, 3)
        for density in (0.5, 0.25)
        for fdr in (0.125, 0.75)
        for slow, method in enumerate(("testing", "before", "same"))
    )
    reading = reading_of("lfc,density,fdr,method,precision\n" + rows)
    assert (reading.models, len(reading.tasks)) == (3, 8)
    assert reading.says["dataset_column"] == ["lfc", "density", "fdr"]


def test_the_name_of_a_metric_is_no_subject_where_siblings_begin_so():
    head = "name,wer,cer,cer_normalized,composite_score,accuracy\n"
    reading = reading_of(head + "a,9.5,2.5,2.25,90.1,0.9\nb,8.5,3.5,3.25,80.1,0.8\n")
    assert reading.lower == ("wer", "cer", "cer_normalized")
    assert "composite_score" not in reading.tasks


def test_places_counted_from_zero_head_ballots(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("0,1,2\nA,B,C\nA,C,B\nB,A,C\nC,B,A\n", encoding="utf-8")
    ballots = wl.io.read_profile(path)
    assert (ballots.models, len(ballots.weights)) == (("A", "B", "C"), 4)


@pytest.mark.parametrize("name", ["S/N", "Min/Max", "min/max", "H/L", "h/l", "M/S", "QA/H", "s/n"])
def test_a_ratio_of_letters_is_no_time_per_thing(name):
    reading = reading_of(f"model,{name},acc\na,0.3,0.5\nb,0.4,0.2\nc,0.2,0.7\nd,0.25,0.9\n")
    column = next(one for one in reading.columns if one.name == name)
    assert (column.direction, column.certainty) == ("higher", "assumed")


@pytest.mark.parametrize("name", ["ms/op", "s/it", "sec/query"])
def test_a_time_per_thing_is_better_low(name):
    assert reading_of(f"model,{name},acc\na,0.3,0.5\nb,0.4,0.2\nc,0.2,0.7\nd,0.25,0.9\n").lower == (name,)


@pytest.mark.parametrize("numbered", ["through", "within each data set"])
@pytest.mark.parametrize("seed", ["", ",seed"])
def test_questions_of_data_sets_are_instances_even_beside_a_seed_that_never_changes(numbered, seed):
    rows = "".join(
        f"{data},{at + (8 * (data == 'art') if numbered == 'through' else 0)},{model}{',0' * bool(seed)},"
        f"{(at * prime) % 11 / 8}\n"
        for data in ("law", "art")
        for at in range(8)
        for model, prime in (("x", 3), ("y", 5), ("z", 7))
    )
    reading = reading_of(f"dataset,question_id,model{seed},score\n{rows}")
    assert (reading.models, reading.tasks, reading.is_doubtful) == (3, ("law", "art"), True)
    assert "means over question_id" in reading.doubts()[0]


def test_lists_of_records_two_objects_deep_are_offered():
    records = '[{"model": "A", "x": 0.5}, {"model": "B", "x": 0.25}]'
    text = io.StringIO(f'{{"a": {{"1": {records}}}, "c": {{"d": {records}}}}}')
    with pytest.raises(FileFormatError, match=r"1 \('a.1': 2 x 1\); 2 \('c.d': 2 x 1\)"):
        wl.propose_reading(text)


def test_records_without_a_score_are_told_as_such():
    reading = reading_of('[{"model": "A"}, {"model": "B"}]')
    assert reading.line == "Read <stream>: 0 models, 0 tasks."


@pytest.mark.parametrize("name", ["attack_success_rate", "Attack Success Rate (%)", "attack success"])
def test_whose_success_an_attack_is_nothing_says(name):
    reading = reading_of(f"model,{name},acc\na,0.3,0.5\nb,0.4,0.2\nc,0.2,0.7\nd,0.25,0.9\n")
    column = next(one for one in reading.columns if one.name == name)
    assert (column.direction, column.certainty) == ("lower", "likely")


@pytest.mark.parametrize(
    "name", ["wrong", "unknown_rate", "fcp", "TBT", "mem", "medape", "disagreement_rate", "Invalid"]
)
def test_words_of_what_is_better_low(name):
    reading = reading_of(f"model,{name},acc\na,0.3,0.5\nb,0.4,0.2\nc,0.2,0.7\nd,0.25,0.9\n")
    assert reading.lower == (name,)


def test_what_stands_beside_one_other_column_is_no_certain_total():
    reading = reading_of(
        "Model,Overall (%),Hard Subset (%)\n" + "".join(f"m{at},{90 - at}.5,{50 - at}.5\n" for at in range(12))
    )
    assert [(one.name, one.certainty) for one in reading.columns if one.role == "aggregate"] == [
        ("Overall (%)", "likely")
    ]


def test_metrics_that_compete_are_models_where_a_column_is_their_total():
    head = "metric,overall_score,refusal,prevention,redirection\n"
    reading = reading_of(head + "JudgeOne_eval,0.2,0.26,0.34,0.02\nJudgeTwo_eval,0.8,0.49,0.29,0.05\n")
    assert (reading.transposed, reading.models) == (False, 2)


def test_places_on_earth_and_settings_of_training_are_no_scores():
    rows = "".join(f"c{at},{at * 7 % 5}.5,{at * 3 % 7}.25,{51 - at}.509,{at - 4}.1,0.000{at}\n" for at in range(1, 10))
    reading = reading_of(f"city,aviation,economy,latitude,longitude,learning_rate\n{rows}")
    assert reading.tasks == ("aviation", "economy")


def test_what_a_frame_numbered_its_rows_by_before_it_was_sorted_is_no_score():
    rows = "".join(f"{(at * 7) % 13 + 40},m{at},0.{at}5,0.{9 - at}1\n" for at in range(1, 9))
    assert reading_of(f",Team,acc,f1\n{rows}").tasks == ("acc", "f1")


def test_few_models_with_several_languages_are_still_read_by_language():
    rows = "50,A,en,1,0.5\n1,B,es,1,0.25\n2,B,pt,1,0.75\n3,B,en,1,0.5\n4,C,en,1,0.5\n5,C,en,2,0.25\n6,D,en,1,1.0\n"
    reading = reading_of(f",Team,Lang,Run,ACC\n{rows}")
    assert (reading.models, reading.tasks) == (4, ("en", "es", "pt"))


def test_models_that_only_settings_tell_apart_are_asked_about():
    rows = (
        "".join(f"dct,{2**at}.0,,0.{9 - at}25,{at}.5\n" for at in range(2, 6)) + "ksvd,,4.0,0.1,6.5\npca,,2.0,0.2,7.5\n"
    )
    reading = reading_of(f"method,k,s,MSE,gain\n{rows}")
    assert reading.models == 6
    assert "models are likely named by method, k together" in " ".join(reading.doubts())


def test_of_several_columns_of_names_the_one_that_nearly_tells_rows_apart_names_models():
    rows = "".join(
        f"{at},p{at if at < 38 else 0},T{at % 4 if at < 38 else 0},{at * 7 % 11}.5,{at * 5 % 13}.5\n"
        for at in range(40)
    )
    with pytest.raises(FileFormatError, match="model 'p0' is already"):
        reading_of(f"nr,Name,Team,points,power\n{rows}")


def test_polls_with_a_column_per_voter_and_shared_last_places_are_ballots(tmp_path):
    file = tmp_path / "polls.csv"
    file.write_text("Rank,2009,2010,2011\n1,A,B,A\n2,B,A,C\n3,C,D,D\nT-4,D,C,B\nT-4,,E,E\n", encoding="utf-8")
    held = read_profile(file)
    assert held.voters == ("2009", "2010", "2011")
    assert held.models == ("A", "B", "C", "D", "E")


def test_a_latex_head_may_end_at_the_first_rule_and_numbers_stand_beside_commands_for_their_width():
    text = (
        "\\begin{tabular}{lccc}\nApproach & Type & FID ($\\downarrow$) & \\multicolumn{1}{c}{CLIP} \\\\\n\\toprule\n"
        "Baseline & - & 17.97 & \\pz6.82 \\\\\nGAN-A & GAN & 32.6\\pz & 14.12 \\\\\n\\midrule\n"
        "\\ours & AR & $\\sim$28\\pzz\\pzz & \\pz8.39 \\\\\n\\bottomrule\n\\end{tabular}\n"
    )
    board = wl.read_leaderboard(io.StringIO(text), format="latex", accept_reading=True)
    assert board.models == ("Baseline", "GAN-A", "ours")
    assert board.scores.to_numpy().tolist() == [[17.97, 6.82], [32.6, 14.12], [28, 8.39]]


def test_one_row_too_many_is_a_fault_not_a_setting():
    rows = "a,1,0.5\nb,2,0.25\nc,3,0.75\nd,4,0.5\ne,5,0.75\na,6,0.25\n"
    with pytest.raises(FileFormatError, match="model 'a' is already in line 2"):
        reading_of(f"model,k,acc\n{rows}")


def test_of_two_models_a_word_in_the_name_of_a_data_set_makes_no_fact():
    rows = "".join(f"Adiac{at},0.9{at},0.8{at}\n" for at in range(8)) + "DiatomSizeReduction,0.31,0.302\n"
    reading = reading_of(f"dataset,ResNet,InceptionTime\n{rows}", transpose=True)
    assert "DiatomSizeReduction" in reading.tasks


def test_places_that_leave_some_out_are_no_poll(tmp_path):
    file = tmp_path / "polls.csv"
    file.write_text("Rank,2009,2010\n1,A,B\n2,B,A\n5,C,D\n9,D,C\n", encoding="utf-8")
    with pytest.raises(FileFormatError):
        read_profile(file)
