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

__all__ = ["EXPERIMENTS", "PAGE", "PAPERS", "Experiment", "line_of", "note_of", "page", "rows_of"]

PAGE = Path(__file__).parent.parent.parent / "docs" / "reproduction.md"


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

weightlab rests on three papers. This page goes through their tables and figures: what the paper prints, what comes out
here, and why they differ where they do. The findings come first; the notes on each figure are folded away. A script
writes the page from the public score tables, and none of our figures is copied by hand:

```sh
WEIGHTLAB_DATA=path/to/the/tables python -m examples.reproduce
```

CONTRIBUTING.md in the repository says where these tables come from.
"""

VERDICTS = """Each figure has one of five verdicts.

| verdict | means |
|---|---|
| reproduced | by the definition that the paper gives |
| reproduced with the convention named | by something that the paper does not say, which the note names |
| right figure differs | the printed figure is not what it is said to be, and this is; the note says why |
| not reproducible | for the reason in the note, such as scores that are not at hand |
| beyond the paper | the paper prints no figure where one is of interest |

An item links to its note, which names the convention, the reason and the call. What is *as coded* is what the paper's
own program must have worked out to print its figures: a reader who wants to compare needs it, and no one else.
"""

FINDINGS = {
    ("Vote'n'Rank", "section 3.2, GLUE, models that can beat all others"): "To be undefeated is not to win. A model "
    "called prospective loses no head-to-head under some weights; one of them can beat all others under none.",
    ("Vote'n'Rank", "table 1, GLUE, Kendall tau between the rankings"): "The printed correlations are of the "
    "alphabetical codes of names. The rankings themselves agree with the mean's far more.",
    (
        "Vote'n'Rank",
        "table 2, GLUE, DP as defined",
    ): "Tied models are more than were counted: the printed number is that of models less that of distinct scores.",
    (
        "Vote'n'Rank",
        "table 8, Baldwin and the Condorcet winner",
    ): "Baldwin's rule, with ties as the paper's tables break them, can miss the Condorcet winner.",
    ("Colombo et al.", "section 3.2, GLUE, exact Kemeny order of 105 systems"): "The exact Kemeny order, left aside as "
    "NP-hard, is found and proved; Borda comes close to it.",
    (
        "Colombo et al.",
        "section 5.3.1, three procedures and three winners",
    ): "Three procedures seldom name three winners.",
    (
        "Colombo et al.",
        "table 4, PC, tau of one level and two, of the mean and two, of the mean and one",
    ): "Rankings from instances and from tasks agree closely; correlations near 0 come of correlating identifiers.",
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
    ("Beyond Arrow", "section 5.1, single-peakedness after ties are broken"): "What is single-peaked once its ties are "
    "broken may still have a majority cycle before.",
    ("Beyond Arrow", "appendix A.6, the buffer of a cycle"): "A larger buffer does not make a cycle firmer: how far "
    "scores may move is another number.",
}
"""What a reader takes home, by the row that shows it."""

ESCAPED = re.compile(r"([\\`*_<>\[\]|$#~])")
KINDS = ("section", "theorem", "remark", "table", "figure", "appendix")
NUMBERS = re.compile(r"(\d+)")


def rows_of(data: Path, *, slow: bool = True) -> list[Row]:
    """Return the rows of all experiments, or of the quick ones alone."""
    return [row for one in EXPERIMENTS if slow or not one.slow for row in one.rows(data)]


def page(rows: Iterable[Row]) -> str:
    """Return the page in Markdown."""
    by_paper: dict[str, list[Row]] = {name: [] for name in PAPERS}
    for row in rows:
        by_paper[row.paper].append(row)
    parts = [HEAD, _findings(by_paper), VERDICTS, _tally(by_paper)]
    parts += [_section(name, sorted(found, key=_order)) for name, found in by_paper.items()]
    return "\n".join(parts)


def line_of(row: Row) -> str:
    """Return the line of the table that a row makes."""
    item = f"[{_plain(row.item)}](#{_anchor(row)})"
    return f"| {item} | {_plain(row.published)} | {_plain(row.ours)} | {row.verdict} |"


def note_of(row: Row) -> str:
    """Return the note on a row."""
    told = [f"**{_upper(_plain(row.item))}.**", f"*{_upper(row.verdict)}.*"]
    parts = {"Convention": row.convention, "Why": row.why}
    told += [f"{name}: {_plain(text).rstrip('.')}." for name, text in parts.items() if text]
    return f"({_anchor(row)})=\n\n{' '.join(told)} `{row.command}`\n"


def _section(name: str, rows: Sequence[Row]) -> str:
    lines = [line_of(row) for row in rows]
    head = f"## {name}\n\n{PAPERS[name]}\n\n| what | the paper | here | verdict |\n|---|---|---|---|\n"
    notes = "\n".join(note_of(row) for row in rows)
    folded = f"<details>\n<summary>Conventions, reasons and calls, {len(rows)} notes</summary>\n\n{notes}\n</details>\n"
    return head + "\n".join(lines) + f"\n\n### Notes on {name}\n\n{folded}"


def _findings(by_paper: dict[str, list[Row]]) -> str:
    found = {(paper, row.item): row for paper, rows in by_paper.items() for row in rows}
    lines = []
    for key, sentence in FINDINGS.items():
        if key not in found:  # of the quick experiments alone
            continue
        row = found[key]
        figures = f"Printed: {_plain(row.published)}; here: {_plain(row.ours)}"
        lines.append(f"- {sentence} {figures} ([{row.paper}, {_plain(row.item)}](#{_anchor(row)})).\n")
    return "## What we found\n\n" + "".join(lines) + "\n## How much reproduces\n"


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


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
