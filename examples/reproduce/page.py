"""The page that says which figures of the papers reproduce, made of the rows of the experiments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from examples.reproduce import (
    agreement,
    beyond_arrow,
    changed_tables,
    colombo_levels,
    colombo_tables,
    dispersion,
    irrelevant_models,
    user_ranking,
    votenrank_prospects,
    votenrank_tables,
)
from examples.reproduce.row import Row, Verdict

__all__ = ["EXPERIMENTS", "NOTES", "PAGE", "PAPERS", "Experiment", "line_of", "note_of", "notes", "page", "rows_of"]

PAGE = Path(__file__).parent.parent.parent / "docs" / "reproduction.md"
NOTES = Path(__file__).parent.parent / "output" / "reproduction.md"


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """Where some of the rows come from.

    Attributes
    ----------
    name : str
        Of the module in this folder.
    rows : callable
        From the folder of public score tables to rows.
    slow : bool
        Whether it takes more than some ten seconds; tests work such rows out only when asked to.
    """

    name: str
    rows: Callable[[Path], Sequence[Row]]
    slow: bool = False


# A module with a function ``rows(data)`` is one entry more.
EXPERIMENTS = (
    Experiment(name="votenrank_tables", rows=votenrank_tables.rows),
    Experiment(name="votenrank_prospects", rows=votenrank_prospects.rows),
    Experiment(name="agreement", rows=agreement.rows),
    Experiment(name="irrelevant_models", rows=irrelevant_models.arrival_rows, slow=True),
    Experiment(name="irrelevant_models, flips", rows=irrelevant_models.flip_rows),
    Experiment(name="user_ranking", rows=user_ranking.rows),
    Experiment(name="colombo_tables", rows=colombo_tables.rows),
    Experiment(name="colombo_levels", rows=colombo_levels.rows, slow=True),
    Experiment(name="changed_tables", rows=changed_tables.rows, slow=True),
    Experiment(name="dispersion", rows=dispersion.rows),
    Experiment(name="beyond_arrow", rows=beyond_arrow.rows, slow=True),
)
"""In the order in which their rows stand on the page where the papers' own order does not say it."""

PAPERS = {
    "Vote'n'Rank": "Rofin et al. (2023), *Vote'n'Rank: Revision of Benchmarking with Social Choice Theory*, EACL.",
    "Colombo et al.": "Colombo et al. (2022), *What are the Best Systems? New Perspectives on NLP Benchmarking*, "
    "NeurIPS.",
    "Beyond Arrow": "Gordienko et al., *Beyond Arrow: From Impossibility to Possibilities in Multi-Criteria "
    "Benchmarking*.",
}

HEAD = """# What reproduces from the papers

weightlab rests on three papers. For each of their tables and figures this page shows what the paper prints, what
weightlab computes, and a verdict; each item links to a note with the convention, the reason for a difference and the
call. A script writes the page from the public score tables ("CONTRIBUTING.md" in the repository says where they come
from):

```sh
WEIGHTLAB_DATA=path/to/the/tables python -m examples.reproduce
```
"""

VERDICTS = """## Verdicts

| verdict | means |
|---|---|
| reproduced | by the definition in the paper |
| reproduced with the convention named | by a convention that the paper does not state; the note names it |
| right figure differs | the printed figure is not what the paper says it is; ours is |
| not reproducible | for the reason in the note, such as unpublished scores |
| beyond the paper | the paper prints no figure where one is of interest |

*As coded* marks what the paper's own program must have computed to print its figures.
"""

TAIL = """## Notes

```{include} ../examples/output/reproduction.md
```
"""

FINDINGS = {
    ("Vote'n'Rank", "section 3.2, GLUE, models that can beat all others"): "Being undefeated is not winning. A model "
    "called prospective loses no head-to-head under some weights; one such model can never beat all others.",
    ("Vote'n'Rank", "table 1, GLUE, Kendall tau between the rankings"): "The printed correlations are between "
    "alphabetical codes of names. The rankings themselves agree with the mean far more.",
    (
        "Vote'n'Rank",
        "table 2, GLUE, DP as defined",
    ): "More models are tied than printed: the paper subtracts the number of distinct scores from that of models.",
    (
        "Vote'n'Rank",
        "table 8, Baldwin and the Condorcet winner",
    ): "Baldwin's rule, with the tie-breaking of the paper's tables, can miss the Condorcet winner.",
    ("Colombo et al.", "section 3.2, GLUE, exact Kemeny order of 105 systems"): "The exact Kemeny ranking, skipped as "
    "NP-hard, is found and proved; Borda comes close to it.",
    (
        "Colombo et al.",
        "section 5.3.1, three procedures and three winners",
    ): "The three procedures rarely name three different winners.",
    (
        "Colombo et al.",
        "table 4, PC, tau of one level and two, of the mean and two, of the mean and one",
    ): "Rankings from instances and from tasks agree closely; correlations near 0 come from correlating identifiers.",
    (
        "Colombo et al.",
        "table 8, GLUE",
    ): "The distances of rankings to those of the tasks are smaller than printed, and "
    "the order of the procedures stands.",
    (
        "Beyond Arrow",
        "theorem 5.2, single-peakedness and the weak majority",
    ): "Single-peaked rankings have a transitive "
    "majority relation with ties counted only where the number of voters is odd.",
    (
        "Beyond Arrow",
        "section 5.1, single-peakedness after ties are broken",
    ): "Weak orders that are single-peaked after tie-breaking can have a majority cycle before it.",
    ("Beyond Arrow", "appendix A.6, the buffer of a cycle"): "A larger buffer does not make a cycle more robust: how "
    "far scores may move is a different number.",
}
"""What a reader takes home, by the row that shows it."""

LINE = 84
"""The characters of a figure that the table shows; a longer one stands whole in its note."""

ESCAPED = re.compile(r"([\\`*_<>\[\]|$#~])")
KINDS = ("section", "theorem", "remark", "table", "figure", "appendix")
NUMBERS = re.compile(r"(\d+)")


def rows_of(data: Path, *, slow: bool = True) -> list[Row]:
    """Return the rows of all experiments, or of the quick ones alone."""
    return [row for one in EXPERIMENTS if slow or not one.slow for row in one.rows(data)]


def page(rows: Sequence[Row]) -> str:
    """Return the page in Markdown."""
    by_paper: dict[str, list[Row]] = {name: [] for name in PAPERS}
    for row in rows:
        by_paper[row.paper].append(row)
    sections = [_section(name, sorted(found, key=_order)) for name, found in by_paper.items()]
    return "\n".join([HEAD, *sections, _findings(rows), VERDICTS, _tally(by_paper), TAIL])


def notes(rows: Iterable[Row]) -> str:
    """Return the notes on all rows in Markdown, in the order of the page, which includes them when it is built."""
    papers = list(PAPERS)
    return "\n".join(note_of(row) for row in sorted(rows, key=lambda row: (papers.index(row.paper), _order(row))))


def line_of(row: Row) -> str:
    """Return the line of the table that a row makes."""
    item = f"[{_plain(row.item)}](#{_anchor(row)})"
    return f"| {item} | {_plain(_short(row.published))} | {_plain(_short(row.ours))} | {row.verdict} |"


def note_of(row: Row) -> str:
    """Return the note on a row."""
    told = [f"**{_upper(_plain(row.item))}.**", f"*{_upper(row.verdict)}.*"]
    whole = {"The paper": row.published, "Here": row.ours}
    parts = {name: text for name, text in whole.items() if _short(text) != text}
    parts |= {"Convention": row.convention, "Why": row.why}
    told += [f"{name}: {_plain(text).rstrip('.')}." for name, text in parts.items() if text]
    return f"({_anchor(row)})=\n\n{' '.join(told)} `{row.command}`\n"


def _section(name: str, rows: Sequence[Row]) -> str:
    lines = [line_of(row) for row in rows]
    head = f"## {name}\n\n{PAPERS[name]}\n\n| what | the paper | here | verdict |\n|---|---|---|---|\n"
    return head + "\n".join(lines) + "\n"


def _findings(rows: Iterable[Row]) -> str:
    found = {(row.paper, row.item): row for row in rows}
    lines = [
        f"- {sentence} ([{key[1].partition(',')[0]}](#{_anchor(found[key])}))\n"
        for key, sentence in FINDINGS.items()
        if key in found  # not so for slow ones, where only the quick experiments ran
    ]
    return "## What we found\n\n" + "".join(lines)


def _tally(by_paper: dict[str, list[Row]]) -> str:
    counts = {name: Counter(row.verdict for row in rows) for name, rows in by_paper.items()}
    head = f"| paper | {' | '.join(Verdict)} |\n|---|{'---|' * len(Verdict)}\n"
    return head + "".join(f"| {name} | {' | '.join(str(one[v]) for v in Verdict)} |\n" for name, one in counts.items())


def _order(row: Row) -> tuple[int, list[str | int]]:
    """Return where a row stands: by kind, and then by the numbers in its name as numbers."""
    kind = row.item.split(" ", 1)[0].rstrip("s")
    place = KINDS.index(kind) if kind in KINDS else len(KINDS)
    # Odd parts are digits; everything behind the first comma keeps the order of the experiment.
    parts = NUMBERS.split(row.item.partition(",")[0])
    return place, [f"{int(part):06}" if at % 2 else part for at, part in enumerate(parts)]


def _anchor(row: Row) -> str:
    return re.sub(r"[^a-z0-9]+", "-", f"{row.paper} {row.item}".casefold()).strip("-")


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return ESCAPED.sub(r"\\\1", " ".join(text.split()))


def _short(text: str) -> str:
    """Return a figure for the table: as much as fits on a line, and "..." where the note has the rest."""
    if len(text) <= LINE:
        return text
    return max(text[:LINE].rpartition(mark)[0] for mark in ("; ", ", ", ": ")).rstrip(":;,") + " ..."


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
