"""The page on what reproduces from the papers is what its script makes of the public score tables.

The slow experiments are worked out only where WEIGHTLAB_REPRODUCE is set to ``all``; their lines are there in any case.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

import pytest

from examples.reproduce import page as pages
from examples.reproduce.row import Row, Verdict

TEXT, NOTES = (path.read_text(encoding="utf-8") for path in (pages.PAGE, pages.NOTES))
ALL = os.environ.get("WEIGHTLAB_REPRODUCE") == "all"

ROW = Row(
    paper="Beyond Arrow",
    item="table 7, A*B | c",
    published="1 < 2",
    ours="$3",
    convention="ties: none",
    command="rules.rank(board)",
    verdict=Verdict.OTHERWISE,
    why="of x_1",
)


def names_of(experiments):
    return [pytest.param(one, id=one.name) for one in experiments]


@pytest.mark.parametrize("experiment", names_of(one for one in pages.EXPERIMENTS if ALL or not one.slow))
def test_every_row_of_an_experiment_stands_on_the_page_with_its_note(shared_data, experiment):
    for row in experiment.rows(shared_data):
        assert pages.line_of(row) in TEXT.splitlines(), f"run python -m examples.reproduce: {row.item}"
        assert pages.note_of(row) in NOTES


@pytest.mark.skipif(not ALL, reason="WEIGHTLAB_REPRODUCE is not set to all, which takes minutes")
def test_the_page_is_what_the_script_writes(shared_data):
    rows = pages.rows_of(shared_data)
    assert (pages.page(rows), pages.notes(rows)) == (TEXT, NOTES)


def test_every_line_links_to_a_note_of_its_own():
    links = re.findall(r"^\| \[.*?\]\(#([a-z0-9-]+)\)", TEXT, flags=re.MULTILINE)
    targets = re.findall(r"^\(([a-z0-9-]+)\)=$", NOTES, flags=re.MULTILINE)
    assert len(links) > 60
    assert links == targets
    assert len(set(links)) == len(links)


def test_the_verdicts_are_counted():
    lines = [line for line in TEXT.splitlines() if line.startswith("| [")]
    table = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("|")
    ]
    counts = {cells[0]: cells[1:] for cells in table if cells[0] in pages.PAPERS}
    assert list(counts) == list(pages.PAPERS)
    for place, verdict in enumerate(Verdict):
        assert sum(int(one[place]) for one in counts.values()) == sum(line.endswith(f"| {verdict} |") for line in lines)


def test_every_table_and_figure_of_the_papers_is_spoken_of():
    parts = dict(zip(pages.PAPERS, TEXT.split("\n## ")[1:4], strict=True))
    tables = {
        "Vote'n'Rank": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
        "Colombo et al.": (1, 2, 3, 4, 5, 6, 7, 8),
        "Beyond Arrow": (1, 2),
    }
    # Beyond Arrow has no figure 1 in its text.
    figures = {"Vote'n'Rank": (1, 2, 3), "Colombo et al.": tuple(range(1, 11)), "Beyond Arrow": (2, 3)}
    for kind, of_papers in (("table", tables), ("figure", figures)):
        for paper, numbers in of_papers.items():
            items = [line for line in parts[paper].splitlines() if line.startswith("| [")]
            spoken = {
                int(number)
                for line in items
                for group in re.findall(rf"{kind}s? ([\d, and]+)", line.partition("]")[0])
                for number in re.findall(r"\d+", group)
            }
            assert set(numbers) <= spoken, paper


def test_a_row_is_shown_as_it_is_written():
    assert pages.line_of(ROW) == (
        r"| [table 7, A\*B \| c](#beyond-arrow-table-7-a-b-c) | 1 \< 2 | \$3 | right figure differs |"
    )
    assert pages.note_of(ROW) == (
        "(beyond-arrow-table-7-a-b-c)=\n\n"
        r"**Table 7, A\*B \| c.** *Right figure differs.* "
        r"Convention: ties: none. Why: of x\_1. `rules.rank(board)`"
        "\n"
    )


def test_rows_stand_in_the_order_of_the_paper():
    items = ["appendix C, x", "table 10, x", "table 9, z", "table 9, a", "section 3.2, x", "theorem 5.2, x"]
    text = pages.page([replace(ROW, item=one) for one in items])
    shown = re.findall(r"^\| \[(.*?)\]", text, flags=re.MULTILINE)
    assert shown == ["section 3.2, x", "theorem 5.2, x", "table 9, z", "table 9, a", "table 10, x", "appendix C, x"]


def test_every_finding_is_shown_by_a_row():
    items = [(one.partition("](#")[0][3:], one) for one in TEXT.splitlines() if one.startswith("| [")]
    known = {item.replace("\\", "") for item, _ in items}
    assert {item for _, item in pages.FINDINGS} <= known
    first = TEXT.partition("## What we found\n\n")[2].partition("\n## ")[0]
    assert first.count("\n- ") + 1 == len(pages.FINDINGS)
    assert all(sentence in first for sentence in pages.FINDINGS.values())
