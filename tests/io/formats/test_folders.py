"""Folders of tables: parts of one, a file per model, a file per data set, and what is none of these."""

from __future__ import annotations

import gzip
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError
from weightlab.io.formats.folders import names_of


def written(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_parts_of_a_table_are_joined(tmp_path):
    parts = {
        "part-0.csv": "model,x,y\na,1,2\nb,2,1\n",
        "part-1.csv": "model,y,x\nc,3,0\n",
        "_SUCCESS": "",
        ".x.csv": "z",
    }
    board, reading = wl.read_leaderboard(written(tmp_path, parts)), wl.propose_reading(tmp_path)
    assert board.models == ("a", "b", "c")
    assert board.scores.loc["c"].tolist() == [0, 3]  # columns are told by name
    assert "2 files joined" in reading.line


def test_a_file_per_model_is_named_by_what_differs(tmp_path):
    files = {f"run_{model}_acc.csv": f"dataset,acc,loss\nd1,{at},2\nd2,3,{at}\n" for at, model in enumerate("abc")}
    board = wl.read_leaderboard(written(tmp_path, files))
    assert board.models == ("a", "b", "c")
    assert board.tasks == ("acc/d1", "acc/d2", "loss/d1", "loss/d2")
    assert board.lower_is_better == ("loss/d1", "loss/d2")


def test_a_folder_per_model_is_named_by_the_folder(tmp_path):
    files = {f"{model}/all.csv": "dataset,acc\nd1,1\nd2,2\n" for model in ("org-a", "org-b")}
    files |= {f"{model}/config.json": "{}" for model in ("org-a", "org-b")}
    assert wl.read_leaderboard(written(tmp_path, files)).models == ("org-a", "org-b")


def test_a_file_per_data_set_has_the_models_as_rows(tmp_path):
    files = {f"{name}.tsv": f"method\tf1\na\t{at}\nb\t2\n" for at, name in enumerate(("qa", "nli"))}
    board = wl.read_leaderboard(written(tmp_path, files))
    assert (board.models, set(board.tasks)) == (("a", "b"), {"qa", "nli"})


def test_columns_that_are_numbered_are_repeats(tmp_path):
    files = {f"{model}.csv": f"folds:,0,1\nd1,{at},{at + 2}\nd2,3,3\n" for at, model in enumerate("ab")}
    board = wl.read_leaderboard(written(tmp_path, files))
    assert board.scores.loc["a"].tolist() == [1, 3]
    assert board.scores.loc["b"].tolist() == [2, 3]
    assert board.error_cells is not None


def test_records_of_one_model_each_are_named_by_the_file(tmp_path):
    files = {f"{model}.json": json.dumps({"accuracy": at, "f1": 1}) for at, model in enumerate("ab")}
    board = wl.read_leaderboard(written(tmp_path, files))
    assert (board.models, board.tasks) == (("a", "b"), ("accuracy", "f1"))


def test_what_only_looks_like_a_file_per_model_is_asked_about(tmp_path):
    files = {f"{model}.csv": f"thing,acc\nd1,{at}\nd2,2\n" for at, model in enumerate("ab")}
    with pytest.raises(wl.ReadingError, match="one per model") as asked:
        wl.read_leaderboard(written(tmp_path, files))
    assert wl.read_leaderboard(tmp_path, **asked.value.ways[0]).models == ("a", "b")


def test_files_of_other_columns_are_not_left_out_in_silence(tmp_path):
    files = {f"{model}_acc.csv": f"dataset,acc\nd1,{at}\nd2,2\n" for at, model in enumerate("ab")}
    written(tmp_path, {**files, "meta.csv": "dataset,size\nd1,5\nd2,6\n"})
    with pytest.raises(
        FileFormatError, match=r"2 kinds of columns: 2 files such as a_acc\.csv; 1 file such as meta"
    ) as told:
        wl.read_leaderboard(tmp_path)
    cure, other = told.value.cure
    assert wl.read_leaderboard(tmp_path, **{cure.argument: cure.value}).models == ("a", "b")
    assert other.value == "meta.csv"
    with pytest.raises(wl.InputError, match="at least two models; got 1: 'size'"):  # it is read by itself
        wl.read_leaderboard(tmp_path, member="meta.csv", keep="size", transpose=True)


def test_one_table_is_no_folder_of_tables(tmp_path):
    written(tmp_path, {"a.csv": "model,x\na,1\nb,2\n"})
    with pytest.raises(FileFormatError, match=r"give one of its tables: 'a\.csv'"):
        wl.read_leaderboard(tmp_path)


def test_faults_name_the_file_and_the_line(tmp_path):
    written(tmp_path, {"p1.csv": "model,x\na,1\n", "p2.csv": "model,x\nb,1,2\n"})
    with pytest.raises(FileFormatError, match=r"p2\.csv: line 2: 3 fields where the header has 2"):
        wl.read_leaderboard(tmp_path)
    written(tmp_path, {"p2.csv": "model,x\nb,word\n", "p3.csv": "model,x\nc,3\n", "p4.csv": "model,x\nd,3\n"})
    with pytest.raises(FileFormatError, match=r"p2\.csv, line 2, column 'x': 'word' is not a number"):
        wl.read_leaderboard(tmp_path)


def test_only_files_are_opened(tmp_path):
    written(tmp_path, {"p1.csv": "model,x\na,1\n", "p2.csv": "model,x\nb,2\n"})
    os.mkfifo(tmp_path / "p3.csv")  # which would never end
    assert wl.read_leaderboard(tmp_path).models == ("a", "b")


def test_links_to_folders_above_are_not_followed(tmp_path):
    written(tmp_path, {"p1.csv": "model,x\na,1\n", "p2.csv": "model,x\nb,2\n"})
    (tmp_path / "again").symlink_to(tmp_path)
    assert wl.read_leaderboard(tmp_path).models == ("a", "b")


def test_all_files_together_have_one_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("weightlab.io.formats.folders.SIZE_LIMIT", 1)
    for name in "ab":
        (tmp_path / f"{name}.csv.gz").write_bytes(gzip.compress(f"model,x\n{name},1\n".encode() + b"\n" * 700_000))
    with pytest.raises(FileFormatError, match=r"more than 0\.\d+ MiB when unpacked"):
        wl.read_leaderboard(tmp_path)


@given(
    st.lists(
        st.text("ab_-/", min_size=1, max_size=6).map(lambda one: f"a{one}b.csv".replace("//", "/x")),
        min_size=2,
        unique=True,
    )
)
def test_names_of_files_tell_them_apart(paths):
    names = names_of(paths)
    assert all(name in path for name, path in zip(names, paths, strict=True))
    assert len({*names}) == len(names)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["ROCKET_accuracy.csv", "TDE_accuracy.csv"], ["ROCKET", "TDE"]),
        (["resnet18.csv", "resnet50.csv"], ["resnet18", "resnet50"]),
        (["a/all.csv", "b/all.csv.gz"], ["a", "b"]),
        (["results_gpt-3.csv", "results_gpt-4.csv"], ["gpt-3", "gpt-4"]),
        (["a.csv", "a.csv.gz"], ["a.csv", "a.csv.gz"]),
    ],
)
def test_names_are_cut_where_words_end(paths, names):
    assert names_of(paths) == names


def test_the_published_folders_are_read_as_they_are_meant(shared_data):
    board = wl.read_leaderboard(shared_data / "real" / "tables2" / "tsml_multivariate")
    assert (board.models, len(board.tasks)) == (("ROCKET", "ResNet", "TDE"), 26)
    assert wl.rules.rank(board, "borda").winners == ("ROCKET",)
    with pytest.raises(wl.ReadingError) as asked:
        wl.read_leaderboard(shared_data / "real" / "tables3" / "gifteval")
    board = wl.read_leaderboard(shared_data / "real" / "tables3" / "gifteval", **asked.value.ways[0])
    assert (len(board.models), len(board.tasks), len(board.lower_is_better)) == (5, 97 * 11, 97 * 11)
    alone = wl.read_leaderboard(shared_data / "real" / "tables3" / "gifteval", **asked.value.ways[1])
    assert (len(alone.models), len(alone.tasks), len(alone.lower_is_better)) == (5, 97, 97)
    assert alone.tasks[0].startswith("eval_metrics/MASE[0.5]/")
    points = wl.rules.rank(alone, "borda").scores
    assert points.head(2).to_dict() == {"PatchTST": 278.5, "Chronos_small": 250}
