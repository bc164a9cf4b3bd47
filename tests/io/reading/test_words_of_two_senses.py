"""Words in names of columns that say one thing or another: a place or a unit, what is counted or measured."""

from __future__ import annotations

import io

import pytest

import weightlab as wl


def reading_of(text):
    return wl.propose_reading(io.StringIO(text))


def tabled(header, *columns):
    """Return a table of models m0, m1, ... with these columns of numbers."""
    rows = [",".join([f"m{at}", *map(str, cells)]) for at, cells in enumerate(zip(*columns, strict=True))]
    return "\n".join([header, *rows, ""])


FINE = [[0.61, 0.42, 0.83, 0.57, 0.71], [0.52, 0.67, 0.44, 0.81, 0.63], [0.47, 0.72, 0.58, 0.66, 0.86]]
WHOLE = [[61, 42, 83, 57, 71], [52, 67, 44, 81, 63], [47, 72, 58, 66, 86]]


def test_a_place_in_a_name_is_no_unit_of_time():
    assert reading_of(tabled("model,en_us,de_de,fr_fr", *FINE)).lower == ()
    reading = reading_of(tabled("fund,sales_us,a,b", [951, 642, 883, 757, 971], *WHOLE[1:]))
    assert "sales_us: likely a task" in str(reading.doubts())  # no way is taken for granted
    assert reading_of(tabled("model,acc,latency_us", FINE[0], WHOLE[1])).lower == ("latency_us",)
    assert reading_of(tabled("model,score_us", WHOLE[0])).lower == ("score_us",)


def test_what_is_counted_may_be_what_is_measured():
    reading = reading_of(tabled("solver,acc,n_solved,n_failed", FINE[0], *WHOLE[1:]))
    assert (reading.tasks, reading.lower) == (("acc", "n_solved", "n_failed"), ("n_failed",))
    assert reading_of(tabled("model,n_samples,a,b", *WHOLE)).tasks == ("a", "b")


def test_only_decimals_tell_that_a_column_called_a_count_is_none():
    assert reading_of(tabled("model,count,a,b", *WHOLE)).tasks == ("a", "b")
    assert reading_of(tabled("model,no,de,en", *FINE)).tasks == ("no", "de", "en")


def test_timing_beside_what_is_judged_is_judged():
    assert reading_of(tabled("band,Timing,Pitch,Harmony", *FINE)).lower == ()
    assert reading_of(tabled("tool,Timing,a", [5100, 4200, 8300, 5700, 7100], FINE[0])).lower == ("Timing",)


def test_numbers_below_the_header_of_a_name_are_headers():
    assert reading_of(tabled("model,3,1,2", [1, 3, 4, 2, 5], [2, 2, 4, 1, 3], [3, 5, 1, 4, 2])).blockers == ()


def test_places_in_a_race_are_no_unit():
    reading = reading_of(tabled("team,finish,a", ["11th", "12th", "14th", "13th", "15th"], FINE[0]))
    assert reading.tasks == ("a",)


def test_numbers_of_cases_of_any_length_are_no_fault():
    reading = reading_of(tabled("model,a,b", [f"{at}/{'9' * 5000}" for at in range(5)], FINE[0]))
    assert next(iter(reading.doubts())).startswith("a: several scores stand in cells")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "FPR",
            "FNR",
            "FVD",
            "NMSE",
            "MPJPE",
            "minADE",
            "RMSD",
            "HD95",
            "makespan",
            "IGD",
            "Hausdorff",
            "edit distance",
        ),
        *("ID switches", "mortality rate", "max drawdown", "cross entropy", "AbsRel", "wMAPE", "minDCF", "TER", "BIC"),
    ],
)
def test_less_is_better_on_what_is_called_by_such_a_metric_beside_metrics(name):
    reading = reading_of(tabled(f"model,f1,{name},accuracy", *WHOLE))
    assert (reading.lower, reading.is_doubtful) == ((name,), False)


@pytest.mark.parametrize("name", ["ADE", "TER", "FAR", "Iterations", "Inflation", "Timing"])
def test_a_data_set_may_be_called_as_a_metric_is(name):
    reading = reading_of(tabled(f"model,{name},MMLU,COPA", *WHOLE))
    assert [one.name for one in reading.likely] == [name]
    assert reading.lower == ()
    assert reading_of(tabled(f"model,{name} quiz,MMLU,COPA", *WHOLE)).lower == ()


@pytest.mark.parametrize(
    ("names", "lower"),
    [
        (("mean_absolute_error", "f1"), ("mean_absolute_error",)),
        (("mean_iou", "pixel_acc"), ()),
        (("mean_iou", "Cityscapes"), ()),
        (("avg_latency_ms", "accuracy"), ("avg_latency_ms",)),
        (("total_loss", "acc"), ("total_loss",)),
        (("mean_accuracy", "f1", "recall"), ()),
    ],
)
def test_a_mean_of_runs_is_no_total_of_columns_that_cannot_be_its_parts(names, lower):
    reading = reading_of(tabled(f"model,{','.join(names)}", *WHOLE[: len(names)]))
    assert (reading.tasks, reading.lower) == (names, lower)


def test_a_mean_that_may_have_parts_is_asked_about():
    reading = reading_of(tabled("model,Average WER,AMI,Earnings", *WHOLE))
    assert [str(one.role) for one in reading.likely] == ["aggregate"]


def test_a_bias_of_either_sign_is_no_task():
    reading = reading_of(tabled("pollster,error,bias", FINE[0], [0.5, -0.3, 1.2, -0.8, 0.1]))
    assert reading.tasks == ("error",)
    assert "of either sign" in str(reading)
    assert reading_of(tabled("model,acc,bias", *FINE[:2])).lower == ("bias",)


@pytest.mark.parametrize("name", ["loss_mean", "latency_avg", "error total", "best_loss", "loss_final", "wer_macro"])
def test_a_statistic_behind_a_metric_changes_nothing_of_its_direction(name):
    reading = reading_of(tabled(f"model,accuracy_mean,{name}", *FINE[:2]))
    assert (reading.lower, reading.is_doubtful) == ((name,), False)


def test_zeros_that_were_not_run_are_declared_by_column():
    columns = [95.5, 0, 97.25, 96.5, 0, 95.75], [10.5, 12.25, 0, 11.5, 13.25, 40.5], [0.5, 0, 0, 0, 0, 0]
    with pytest.raises(wl.ReadingError) as refused:
        wl.read_leaderboard(io.StringIO(tabled("team,rate,em,gained", *columns)))
    assert refused.value.ways[0] == {"missing_value": ["rate=0"]}


def test_a_rate_of_what_could_be_a_setting_counts_as_its_words_say():
    assert reading_of(tabled("model,dropout rate,acc", [1.0, 5.0, 1.0], [0.52, 0.67, 0.44])).lower == ("dropout rate",)


def test_runs_that_failed_are_no_rows_without_a_task():
    rows = "".join(f"m{at},{'FAIL' if at > 4 else f'0.{at}'},0.{at}5\n" for at in range(1, 13))
    assert reading_of(f"model,x,y\n{rows}").tasks == ("x", "y")


def test_what_is_the_same_wherever_it_stands_is_no_score():
    rows = "".join(f"m{at},{'' if at > 11 else 100.0},0.{at + 10}\n" for at in range(1, 13))
    assert reading_of(f"model,size,y\n{rows}").doubts() == [
        "size: likely no task but a fact (the same wherever it stands)"
    ]


def test_differences_and_distances_are_told_by_their_words():
    reading = reading_of(
        tabled("model,acc,ga_dist,Diff", [0.5, 0.75, 0.625], [931.5, 806.25, 990.5], [4.5, -2.25, 3.5])
    )
    assert (reading.tasks, reading.lower) == (("acc", "ga_dist"), ("ga_dist",))
