"""Files are read in time linear in their length and in their width."""

from __future__ import annotations

import json
import time

import pytest

import weightlab as wl


def csv_text(rows, columns, separator=","):
    header = ["model", *(f"t{column}" for column in range(columns))]
    body = ([f"m{row}", *(f"{row % 97}.{column % 89}" for column in range(columns))] for row in range(rows))
    return "\n".join(separator.join(line) for line in (header, *body)) + "\n"


def markdown_text(rows, columns):
    header, *lines = csv_text(rows, columns).splitlines()
    return "\n".join([header, ",".join(["---"] * (columns + 1)), *lines]).replace(",", " | ") + "\n"


def jsonl_text(rows, columns):
    header, *lines = (line.split(",") for line in csv_text(rows, columns).splitlines())
    return "\n".join(json.dumps(dict(zip(header, line, strict=True))) for line in lines)


TEXTS = {
    "csv": csv_text,
    "tsv": lambda rows, columns: csv_text(rows, columns, "\t"),
    "markdown": markdown_text,
    "jsonl": jsonl_text,
}


@pytest.mark.parametrize("shape", [(4_000, 2), (2, 2_000)], ids=["long", "wide"])
@pytest.mark.parametrize("form", TEXTS)
def test_eight_times_as_large_a_file_takes_no_more_than_a_linear_reader_needs(tmp_path, form, shape):
    """Eight times the cells would take 64 times as long if each row or column were compared with all others."""

    def seconds(factor):
        path, (rows, columns) = tmp_path / f"{factor}.{form}", shape
        larger = (rows * factor, columns) if rows > columns else (rows, columns * factor)
        path.write_text(TEXTS[form](*larger), encoding="utf-8")
        started = time.process_time()
        read = wl.read_leaderboard(path, format=form)
        taken = time.process_time() - started
        assert read.scores.shape == larger
        return taken

    assert min(seconds(8) for _ in range(2)) < 24 * min(seconds(1) for _ in range(2)) + 0.02
