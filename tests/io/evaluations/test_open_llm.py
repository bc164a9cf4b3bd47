"""Tables of the Open LLM Leaderboard, made by hand with the columns of its public data sets and invented models."""

from __future__ import annotations

import csv
import io
import json
import time
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError, InputError, UnknownNameError
from weightlab.io.evaluations.open_llm import _key, _plain, _task

FIRST = ("ARC", "HellaSwag", "MMLU", "TruthfulQA", "Winogrande", "GSM8K")
SECOND = ("IFEval", "BBH", "MATH Lvl 5", "GPQA", "MUSR", "MMLU-PRO")
HUB = '<a target="_blank" href="https://example.org/{0}" style="color: var(--x);">{0}</a>'
DETAILS = '  <a target="_blank" href="https://example.org/details">📑</a>'


def second(model, scores, *, precision="bfloat16", date="2024-07-01", flagged=False, sha="0123456789"):
    """Return a row of the second version: scores on the tasks, the raw ones a hundredth of them."""
    row = {"eval_name": f"{model}_{precision}", "Precision": precision, "Type": "🟢 pretrained", "T": "🟢"}
    row |= {"Weight type": "Original", "Architecture": "LlamaForCausalLM"}
    row |= {"Model": HUB.format(model) + DETAILS, "fullname": model, "Model sha": sha, "Average ⬆️": 50.5}
    row |= {"Hub License": "mit", "Hub ❤️": 3, "#Params (B)": 7, "Available on the hub": True, "MoE": False}
    row |= {"Flagged": flagged, "Chat Template": False, "CO₂ cost (kg)": 1.5}
    for task, score in zip(SECOND, scores, strict=True):
        row |= {f"{task} Raw": None if score is None else score / 64, task: score}
    row |= {"Merged": False, "Official Providers": False, "Upload To Hub Date": "2024-06-30"}
    return row | {"Submission Date": date, "Generation": 0, "Base Model": model}


def first(model, scores, *, precision="float16", flagged=False):
    """Return a row of the first version."""
    row = {"T": "🟢", "Model": HUB.format(model), "Average ⬆️": 50.5} | dict(zip(FIRST, scores, strict=True))
    row |= {"Type": "pretrained", "Architecture": "LlamaForCausalLM", "Precision": precision, "Merged": False}
    row |= {"Hub License": "mit", "#Params (B)": 7, "Hub ❤️": 3, "Available on the hub": True, "Model sha": "0a1b2c3"}
    return row | {"Flagged": flagged, "MoE": False}


def as_csv(rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return io.StringIO(text.getvalue())


ADA, BO = second("org/ada", [40, 50, 10, 4, 8, 30]), second("org/bo", [60, 30, 20, 2, 9, 25.5])


def test_the_tasks_of_the_second_version_become_a_board():
    board = wl.io.read_open_llm(as_csv([ADA, BO])).leaderboard()
    assert board.models == ("org/ada", "org/bo")
    assert board.tasks == SECOND
    assert board.scores.to_numpy().tolist() == [[40, 50, 10, 4, 8, 30], [60, 30, 20, 2, 9, 25.5]]
    assert board.lower_is_better == ()


def test_what_is_left_out_is_said():
    notes = wl.io.read_open_llm(as_csv([ADA, BO])).notes
    facts = "'eval_name', 'Precision', 'Type' and 20 more"
    raws = "'IFEval Raw', 'BBH Raw', 'MATH Lvl 5 Raw' and 3 more"
    assert notes == (
        f"Left out as facts about the models: {facts}.",
        f"Left out, other scores: {raws}.",
    )


def test_the_first_version_is_told_by_its_columns():
    results = wl.io.read_open_llm(as_csv([first("org/ada", range(6)), first("org/bo", range(6, 0, -1))]))
    assert results.datasets == FIRST
    assert results.models == ("org/ada", "org/bo")
    assert results.metrics == ("score",)
    assert {cell.higher_is_better for cell in results.cells} == {True}


def test_the_raw_scores_are_read_when_they_are_asked_for():
    results = wl.io.read_open_llm(as_csv([ADA, BO]), raw=True)
    assert results.datasets == SECOND
    assert results.metrics == ("raw",)
    assert results.leaderboard().scores["IFEval"].tolist() == [40 / 64, 60 / 64]
    with pytest.raises(FileFormatError, match="no column is a task of the leaderboard"):
        wl.io.read_open_llm(as_csv([first("org/ada", range(6))]), raw=True)


def test_columns_can_be_chosen_and_those_of_no_known_direction_ask_for_it():
    results = wl.io.read_open_llm(as_csv([ADA, BO]), tasks=["BBH", "CO₂ cost (kg)"])
    assert results.datasets == ("CO₂ cost (kg)", "BBH")
    with pytest.raises(InputError, match=r"do not say in which direction 'CO₂ cost \(kg\)' lead"):
        results.leaderboard()
    assert results.leaderboard(lower_is_better=["CO₂ cost (kg)"]).lower_is_better == ("CO₂ cost (kg)",)
    with pytest.raises(InputError, match="no column named 'BBHH'"):
        wl.io.read_open_llm(as_csv([ADA]), tasks="BBHH")


def test_columns_that_are_not_known_are_named():
    notes = wl.io.read_open_llm(as_csv([ADA | {"Elo": 1000}, BO | {"Elo": 900}])).notes
    assert "Left out, not known as a task: 'Elo'." in notes


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        (HUB.format("org/ada") + DETAILS, "org/ada"),
        ("[org/ada](https://example.org/org/ada) [📑](x)", "org/ada"),
        ("<a href='x'>a&amp;b</a>", "a&b"),
        ("org/ada ", "org/ada"),
        ("a < b", "a < b"),
    ],
)
def test_names_stand_without_their_links(cell, name):
    row = {key: value for key, value in ADA.items() if key != "fullname"} | {"Model": cell}
    assert wl.io.read_open_llm(as_csv([row])).models == (name,)


def test_a_link_around_nothing_is_no_name():
    row = {key: value for key, value in ADA.items() if key != "fullname"} | {"Model": "<a href='x'> </a>"}
    with pytest.raises(FileFormatError, match=r"line 2: .* holds no name"):
        wl.io.read_open_llm(as_csv([row]))


HALF = second("org/ada", [41, 50, 10, 4, 8, 20], precision="float16", date="2024-08-01", sha="fedcba9876")


def test_several_rows_of_a_model_are_refused_unless_something_says_which_counts():
    told = (
        r"'org/ada' has 2 rows with different scores \(line 2, line 4; precision bfloat16, float16\); pass "
        r"precision='bfloat16' or duplicates='separate' or duplicates='best' or duplicates='newest' or dupl"
    )
    with pytest.raises(FileFormatError, match=told):
        wl.io.read_open_llm(as_csv([ADA, BO, HALF]))
    with pytest.raises(UnknownNameError, match="no way with duplicates named 'bests'"):
        wl.io.read_open_llm(as_csv([ADA, HALF]), duplicates="bests")


@pytest.mark.parametrize(
    ("duplicates", "models", "scores"),
    [
        ("first", ("org/ada", "org/bo"), [40, 60]),
        ("best", ("org/ada", "org/bo"), [40, 60]),
        ("newest", ("org/ada", "org/bo"), [41, 60]),
        ("separate", ("org/ada (bfloat16)", "org/ada (float16)", "org/bo"), [40, 41, 60]),
    ],
)
def test_what_is_declared_of_several_rows_is_done_and_said(duplicates, models, scores):
    results = wl.io.read_open_llm(as_csv([ADA, BO, HALF]), duplicates=duplicates)
    assert results.models == models
    assert results.leaderboard().scores["IFEval"].tolist() == scores
    assert results.notes[-1].startswith("Several rows with different scores (")
    assert results.notes[-1].endswith("counts): 'org/ada'." if duplicates in {"first", "newest"} else "'org/ada'.")


def test_the_best_row_has_the_highest_exact_mean():
    better = HALF | {"MMLU-PRO": 30.5}
    assert wl.io.read_open_llm(as_csv([ADA, better]), duplicates="best").cells[0].score == 41


def test_rows_of_one_precision_are_told_apart_by_revision_and_then_by_place():
    other = HALF | {"Precision": "bfloat16"}
    separate = wl.io.read_open_llm(as_csv([ADA, other]), duplicates="separate")
    assert separate.models == ("org/ada (bfloat16, 0123456)", "org/ada (bfloat16, fedcba9)")
    same = other | {"Model sha": "0123456789"}
    separate = wl.io.read_open_llm(as_csv([ADA, same]), duplicates="separate")
    assert separate.models == ("org/ada (bfloat16, 0123456, line 2)", "org/ada (bfloat16, 0123456, line 3)")


def test_no_date_says_which_row_is_the_newest():
    with pytest.raises(
        FileFormatError, match=r"'org/ada': no date tells which of its rows is the newest \(line 2, line 3"
    ):
        wl.io.read_open_llm(as_csv([ADA, HALF | {"Submission Date": ADA["Submission Date"]}]), duplicates="newest")


def test_precisions_can_be_chosen():
    results = wl.io.read_open_llm(as_csv([ADA, BO, HALF]), precision="bfloat16")
    assert results.leaderboard().scores["IFEval"].tolist() == [40, 60]
    assert results.notes[-1] == "Left out, rows of other precisions: 1, of 'org/ada'."
    with pytest.raises(InputError, match="no precision named 'bfloat'"):
        wl.io.read_open_llm(as_csv([ADA]), precision="bfloat")


def test_rows_with_the_same_scores_are_one():
    results = wl.io.read_open_llm(as_csv([ADA, BO, ADA | {"Precision": "float16"}]))
    assert results.models == ("org/ada", "org/bo")
    assert results.notes[-1] == "Several rows with the same scores (the first counts): 'org/ada'."


def test_flagged_models_are_named_and_can_be_left_out():
    table = [ADA, BO, second("org/cy", range(6), flagged=True)]
    results = wl.io.read_open_llm(as_csv(table))
    assert results.models == ("org/ada", "org/bo", "org/cy")
    assert results.notes[-1] == "Flagged by the leaderboard, and kept: 'org/cy'; flagged=False leaves them out."
    results = wl.io.read_open_llm(as_csv(table), flagged=False)
    assert results.models == ("org/ada", "org/bo")
    assert results.notes[-1] == "Left out, flagged by the leaderboard: 'org/cy'."


def test_missing_scores_are_missing_and_rows_of_them_are_named():
    table = [ADA, second("org/bo", [None, 1, 2, 3, 4, 5]), second("org/cy", [None] * 6)]
    results = wl.io.read_open_llm(as_csv(table))
    assert results.leaderboard().scores.isna().to_numpy().sum() == 1
    assert results.models == ("org/ada", "org/bo")
    assert results.notes[-1] == "Left out, no score: 'org/cy'."
    with pytest.raises(FileFormatError, match="no row is left that has a score"):
        wl.io.read_open_llm(as_csv(table[2:]))


def test_every_wrong_cell_is_told_with_its_place():
    with pytest.raises(FileFormatError) as caught:
        wl.io.read_open_llm(as_csv([ADA | {"BBH": "good"}, BO | {"GPQA": "1/2"}]))
    assert [fault.split(" is ")[0] for fault in caught.value.faults] == [
        "line 2, column 'BBH': 'good'",
        "line 3, column 'GPQA': '1/2'",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("model,x\na,1\n", "no column is a task of the leaderboard"),
        ("IFEval,BBH\n1,2\n", "no column 'fullname' or 'Model' names the models"),
    ],
)
def test_other_tables_are_refused(text, told):
    with pytest.raises(FileFormatError, match=told):
        wl.io.read_open_llm(io.StringIO(text))


@pytest.mark.parametrize("suffix", ["json", "jsonl", "tsv", "parquet"])
def test_every_format_reads_alike(tmp_path, suffix):
    path = tmp_path / f"contents.{suffix}"
    frame = pd.DataFrame([ADA, BO, HALF])
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(path)
    elif suffix == "tsv":
        frame.to_csv(path, sep="\t", index=False)
    else:
        lines = [json.dumps(row) for row in (ADA, BO, HALF)]
        path.write_text("\n".join(lines) if suffix == "jsonl" else f"[{','.join(lines)}]", encoding="utf-8")
    read = wl.io.read_open_llm(path, duplicates="newest")
    assert read.leaderboard().equals(wl.io.read_open_llm(as_csv([ADA, BO, HALF]), duplicates="newest").leaderboard())


@settings(max_examples=25)
@given(scores=st.lists(st.floats(0, 100, allow_subnormal=False), min_size=6, max_size=6))
def test_every_score_is_the_decimal_that_is_written(scores):
    cells = wl.io.read_open_llm(as_csv([first("org/ada", scores)])).cells
    assert [Fraction(str(cell.score)) for cell in cells] == [Fraction(repr(score)) for score in scores]


def test_a_public_table_reads_like_any_other(shared_data):
    path = shared_data / "leaderboards" / "openllm.csv"
    assert wl.io.read_open_llm(path).leaderboard().equals(wl.read_leaderboard(path))


@pytest.mark.parametrize("piece", ["<a ", "<a>", "<", "[", "[a](", "(", " "])
@pytest.mark.parametrize("reading", [_plain, _key, lambda name: _task(name + "x raw", is_raw=True)])
def test_names_are_read_in_time_linear_in_their_length(reading, piece):
    def seconds(length):
        name = piece * (length // len(piece)) + "!"
        started = time.thread_time()
        reading(name)
        return time.thread_time() - started

    # Eight times as long would take 64 times as long if every opening were searched from to the end.
    assert min(seconds(160_000) for _ in range(3)) < 24 * min(seconds(20_000) for _ in range(3)) + 0.005
