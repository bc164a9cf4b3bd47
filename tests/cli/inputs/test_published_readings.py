"""Tables as their owners publish them: the first command, then at most one that was printed, reads what is meant."""

from __future__ import annotations

import json
import re
import shlex

import pytest

ASK = ("--rule", "borda", "--missing", "median", "--json")
CORRUPTIONS = 75
AT_ONCE = {
    "real/tables3/mmpretrain_swinv2.yml": (10, 2, ()),
    "real/tables3/pyserini_odqa.html": (7, 4, ()),
    "small/forecast_errors_long.csv": (3, 6, "all"),
    "small/metafile.yml": (3, 2, ()),
    "small/two_headers_hidden_rows.html": (3, 4, ()),
    "small/number_first_name_second.tsv": (5, ("Simple Average Error", "Simple Plus-Minus"), "all"),
    "real/tables2/ruler_README.md": (45, ("4K", "8K", "16K", "32K", "64K", "128K"), ()),
    "real/tables2/evalplus_results.json": (125, ("humaneval", "humaneval+", "mbpp", "mbpp+"), ()),
    "real/tables2/robustbench_cifar100.csv": (13, CORRUPTIONS, ()),
    "real/tables3/airline_safety.csv": (56, 6, "all"),
    "real/tables3/rlzoo_benchmark.md": (11, 55, ()),
    "small/counts_of_harm.csv": (6, 3, "all"),
    "small/long_of_algo_and_env.md": (3, ("Acrobot", "Ant", "Breakout"), ()),
    "small/readme_sheet_first.xlsx": (3, ("reading", "code"), ()),
    "small/run_export.csv": (4, ("val_acc", "val_loss"), ("val_loss",)),
    "small/some_lower_some_not.md": (
        4,
        ("Success rate", "Runtime", "Primal residual", "Duality gap"),
        ("Runtime", "Primal residual", "Duality gap"),
    ),
}
"""Models, tasks by name or number, and those on which lower is better."""
SPEEDS = (
    *("Total Cost ($)", "Latency Mean (s)", "Latency Standard Deviation (s)", "Latency 95th Percentile (s)"),
    *("Format Sensitivity Max Delta", "Format Sensitivity Standard Deviation"),
)
AFTER_ONE = {
    "real/tables2/aider_refactor.yml": (14, 12, 4),
    "real/tables2/corl_README.md": (10, 9, ()),
    "real/tables2/evalica_arena.csv": (2, ("elo", "bradley_terry"), "all"),
    "real/tables2/euroeval_baltic_nlu.csv": (238, ("Latvian", "Lithuanian"), "all"),
    "real/tables2/kramabench_oracle.csv": (21, 6, ()),
    "real/tables2/tabarena_lite.csv": (78, 22, 13),
    "real/tables3/kostya_README.md": (50, ("Time, s", "Memory, MiB", "Energy, J"), "all"),
    "real/tables3/maros_qp.md": (9, 5, 4),
    "real/tables3/mmmu_leaderboard.json": (57, 6, ()),
    "small/info_validation_pro.json": (3, ("validation.art", "validation.science", "pro.vision"), ()),
    "small/score_with_gain.md": (4, ("dev", "wmt19"), ()),
    "real/tables2/alpaca_gpt4.csv": (102, ("win_rate", "length_controlled_winrate"), ()),
    "real/tables2/asr_shortform.csv": (87, 8, "all"),
    "real/tables2/bfcl_overall.csv": (109, 19, ()),
    "real/tables2/heim_quality.tsv": (26, 12, 3),
    "real/tables2/plb2_README.md": (34, ("nqueen", "matmul", "sudoku", "bedcov"), "all"),
    "real/tables2/timm_train.csv": (838, ("train_samples_per_sec",), ()),
    "real/tables3/lingua_accuracy.csv": (82, 75, ()),
    "real/tables3/moz_comet.json": (8, 418, ()),
    "real/tables3/pollster_2014.tsv": (337, 4, "all"),
    "small/languages_as_rows.csv": (3, 5, ()),
    "small/model_first.json": (4, 3, ()),
    "small/pair_dataset_system.json": (4, 4, ()),
}
LAST = {"real/tables3/gifteval": (5, 97, "all")}
"""Where the last of the printed commands is what the owner means: the one before it counts every metric."""
OPTIONAL = {
    "real/tables2/asr_shortform.csv": ("RTFx",),
    "real/tables2/bfcl_overall.csv": SPEEDS,
    "real/tables2/timm_train.csv": ("train_step_time",),
}
"""What may count, though nobody needs it."""
"""Of euroeval and info_validation_pro one row has no score in any task: it is left out, and named."""


def needed(name):
    if name.endswith(".xlsx"):
        pytest.importorskip("openpyxl")
    if name.endswith(".yml"):
        pytest.importorskip("yaml")


def commands(answer):
    return [line.strip() for line in answer.err.splitlines() if line.startswith("  weightlab ")]


def shape(answer, name=""):
    """Models, tasks and those on which lower is better, as the answer says that it read the table."""
    reading = json.loads(answer.out)["reading"]
    tasks = {
        re.sub(r"\[(.*?)\]\(.*?\)", r"\1", one["name"]).split(" (shm)")[0].split(" (%)")[0]: one["direction"] == "lower"
        for one in reading["columns"]
        if one["role"] == "task"
    }
    kept = {task: lower for task, lower in tasks.items() if task not in OPTIONAL.get(name, ())}
    return reading["models"], tuple(kept), tuple(task for task, lower in kept.items() if lower)


def ensure_right(found, expected):
    models, tasks, lower = expected
    assert found[0] == models
    assert (len(found[1]) if isinstance(tasks, int) else found[1]) == tasks
    whole = found[1] if lower == "all" else lower
    assert (len(found[2]) if isinstance(whole, int) else found[2]) == whole


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_published_table_is_answered_at_once(weightlab, shared_data, name):
    needed(name)
    answer = weightlab("rank", shared_data / name, *ASK)
    assert answer.code == 0
    ensure_right(shape(answer, name), AT_ONCE[name])


@pytest.mark.parametrize("name", LAST)
def test_a_folder_of_many_metrics_is_answered_by_the_last_command_that_is_printed(weightlab, shared_data, name):
    printed = commands(weightlab("rank", shared_data / name, *ASK))
    answer = weightlab(*shlex.split(printed[-1])[1:])
    assert (len(printed), answer.code) == (2, 0)
    ensure_right(shape(answer, name), LAST[name])


@pytest.mark.parametrize("name", AFTER_ONE)
def test_a_published_table_is_answered_by_a_command_that_its_refusal_prints(weightlab, shared_data, name):
    needed(name)
    refused = weightlab("rank", shared_data / name, *ASK)
    printed = commands(refused)
    assert (refused.code, refused.out) == (2, "")
    assert 1 <= len(printed) <= 9
    answer = weightlab(*shlex.split(printed[0])[1:])
    assert answer.code == 0
    ensure_right(shape(answer, name), AFTER_ONE[name])


HARM = "airline,seat_km,incidents,fatalities\n" + "".join(
    f"Air {letter},{320906734 + 91 * at**5},{at * 7 % 10},{at * 3 % 4}\n" for at, letter in enumerate("ABCDEFGHIJ")
)
DOUBTFUL = "model,acc,peak_gpu_memory\na,0.5,30\nb,0.6,40\nc,0.7,20\n"
LANGUAGES = "language,det-one,det-two,det-three\nAfrikaans,55,56,67\nAlbanian,64,54,78\nArabic,88,89,96\n"
SECONDS = "model,nqueen,matmul\na,210.5,300.25\nb,120.75,410.5\nc,330.5,220.25\n"


def test_counts_of_harm_are_answered_at_once(weightlab, tmp_path):
    (tmp_path / "harm.csv").write_text(HARM)
    answer = weightlab("rank", "harm.csv", *ASK)
    assert answer.code == 0
    ensure_right(shape(answer), (10, ("incidents", "fatalities"), "all"))


@pytest.mark.parametrize(
    ("text", "which", "expected"),
    [
        (DOUBTFUL, 0, (3, ("acc", "peak_gpu_memory"), ("peak_gpu_memory",))),
        (LANGUAGES, 0, (3, ("Afrikaans", "Albanian", "Arabic"), ())),
        (SECONDS, 0, (3, ("nqueen", "matmul"), ())),
        (SECONDS, 1, (3, ("nqueen", "matmul"), "all")),
    ],
)
def test_a_doubtful_table_is_answered_by_each_command_that_its_refusal_prints(
    weightlab, tmp_path, text, which, expected
):
    (tmp_path / "a table.csv").write_text(text)
    refused = weightlab("rank", "a table.csv", *ASK)
    assert refused.code == 2
    answer = weightlab(*shlex.split(commands(refused)[which])[1:])
    assert answer.code == 0
    ensure_right(shape(answer), expected)


def test_a_declaration_settles_what_it_names(weightlab, tmp_path):
    (tmp_path / "scores.csv").write_text(DOUBTFUL)
    for said, tasks in (
        (("--lower", "peak_gpu_memory"), 2),
        (("--higher", "*memory"), 2),
        (("--drop", "peak*"), 1),
        (("--keep", "acc"), 1),
    ):
        answer = weightlab("rank", "scores.csv", *said, *ASK)
        assert answer.code == 0
        assert len(shape(answer)[1]) == tasks


@pytest.mark.parametrize("way", [(), ("-q",), ("--complete",)])
def test_an_answer_begins_with_the_line_that_says_how_the_table_was_read(weightlab, scores, way):
    line = "Read scores.csv: 4 models, 3 tasks, higher is better on all (assumed)."
    assert weightlab("rank", scores, *way).read == (line,)
    told = weightlab("rank", scores, *way, "--json")
    assert told.read == ()
    assert json.loads(told.out)["reading"]["line"] == line


def test_the_line_counts_the_tasks_that_columns_split_into(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,MRPC,CoLA\na,93.9/91.8,50.5\nb,90.5/89.5,60.5\n")
    answer = weightlab("rank", "t.csv", "--split", "MRPC=/")
    assert answer.read[0].startswith("Read t.csv: 2 models, 3 tasks, ")
