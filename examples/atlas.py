# %% [markdown]
"""What does weightlab find on the boards everyone quotes?

``python examples/atlas.py FOLDER`` writes a verified report a board and ``index.html``, which compares them, to FOLDER.
The score tables belong to their authors and do not ship: WEIGHTLAB_DATA names the folder that holds them (see
CONTRIBUTING.md). ``--table`` prints the comparison alone, as Markdown; ``--boards "A;B"`` asks about some boards only.
"""

# %%
from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from html import escape
from pathlib import Path
from statistics import median

import pandas as pd

import weightlab as wl
from weightlab.report import read_document


# %% [markdown]
# The boards, and how each is read. Models without a score on some task are left out.
# %%
def table(**declared: object) -> Callable[[Path], wl.Leaderboard]:
    """Return a function that reads a score table with the declared options."""
    return lambda path: wl.read_leaderboard(path, **declared)


def datasets_as_tasks(metric: str) -> Callable[[Path], wl.Leaderboard]:
    """Return a function that reads a long table as a board whose tasks are its datasets, by one metric."""

    def read(path: Path) -> wl.Leaderboard:
        long = pd.read_csv(path)
        wide = long[long["metric"] == metric].pivot_table(index="model", columns="dataset", values="score")
        return wl.Leaderboard(wide.rename_axis(index=None, columns=None))

    return read


NAMED_LIKE_ERRORS = ["Salient Translation Error Detection"]
"""Higher is better on this task, whatever its name suggests."""
BOARDS: dict[str, tuple[str, Callable[[Path], wl.Leaderboard]]] = {
    "GLUE": ("votenrank/glue.csv", table()),
    "GLUE, 105 models": ("colombo/glue105.csv", table()),
    "SuperGLUE": ("votenrank/superglue.csv", table()),
    "XTREME": ("colombo/xtreme15.csv", table()),
    "VALUE": ("votenrank/value.csv", table()),
    "Open LLM": ("leaderboards/openllm.csv", table()),
    "BIG-bench hard": (
        "leaderboards/bigbench_hard.csv",
        table(higher_is_better=NAMED_LIKE_ERRORS),
    ),
    "HELM, accuracy": ("helm_classic/helm_classic_long.csv", datasets_as_tasks("accuracy")),
    "VTAB": ("leaderboards/vtab.csv", table()),
    "Classifiers on OpenML": ("beyond_arrow/openml.csv", datasets_as_tasks("predictive_accuracy")),
    "AutoML": ("real/tables/score_summary.csv", table(transpose=True, drop=["type"], spread="dropped")),
    "Time series": (
        "real/tables/results-mts-avg-std.csv",
        table(transpose=True, spread="dropped", accept_reading=True),
    ),
}


def folder() -> Path:
    """Return the folder of public score tables, or stop with a sentence."""
    named = os.environ.get("WEIGHTLAB_DATA", "")
    if not named or not Path(named).is_dir():
        sys.exit("atlas.py: WEIGHTLAB_DATA must name the folder of public score tables; see CONTRIBUTING.md")
    return Path(named)


def board_of(name: str) -> wl.Leaderboard:
    """Return a board: the tasks that weigh, and the models with a score on each of them."""
    path, read = BOARDS[name]
    board = read(folder() / path)
    return board.select(tasks=[task for task in board.tasks if board.weights[task]]).complete()


# %% [markdown]
# One row a board. Every number comes from a result that verifies itself.
# %%
COLUMNS = {
    "models": "with a score on every task",
    "tasks": "of equal weight",
    "can win": "models that beat all others under some weights",
    "tie": "models that at best tie",
    "never": "models that can neither win nor tie, whatever the weights",
    "often": "models that win under more than 1% of all weightings",
    "no winner": "share of the weightings under which no model beats all others",
    "median nearest": "weight to move until a model wins: the median of those that can",
    "wins today": "the model that beats all others under equal weights",
    "stable by": "weight that can move before today's winner ties",
    "tasks decide": "the fewest tasks, weighted alike, that keep the first three by mean in their order",
    "lifts": "tasks on which the median model must rise to the best score to win by majority",
    "cycles": "sets of three models that beat one another in a cycle",
    "may be first": "models above which none is separated by Borda at 95%, tasks drawn at random",
    "rank classes": "groups of models that are not separated from one another, likewise",
}
"""What is compared, and what it means."""


def row(board: wl.Leaderboard) -> dict[str, str]:
    """Return the figures of one board that the index compares."""
    found = wl.lp.prospects(board)
    shares = wl.lp.winning_shares(board, rng=0, known=found)
    strict = found.with_verdict("strict")
    distances = [wl.lp.scenario(board, model, wl.lp.closest_to()).value for model in strict]
    winner = wl.graph.condorcet_winner(board)
    radius = wl.lp.stability(board, norm="l1", rule="majority").radius() if winner else None
    decide = wl.lp.smallest_benchmark(
        board, keep="top", k=3, rule="mean", weights="equal", margin="1/1000", halves=False, time_limit=30
    )
    lifts = wl.lp.fewest_lifts(board, rule="majority", time_limit=30)
    sets = wl.studies.rank_sets(board, "borda")
    for one in (found, shares, decide, lifts, sets):
        one.verify(board)
    return {
        "models": str(len(board.models)),
        "tasks": str(len(board.tasks)),
        "can win": str(len(strict)),
        "tie": str(len(found.with_verdict("weak"))),
        "never": str(len(found.with_verdict("never"))),
        "often": str(int((shares.shares["low"] > 0.01).sum())),
        "no winner": f"{shares.no_winner['share']:.1%}",
        "median nearest": f"{float(median(distances)) / 2:.1%}" if distances else "",
        "wins today": winner or "none",
        "stable by": "no winner" if radius is None else f"{float(radius) / 2:.1%}",
        "tasks decide": str(len(decide.tasks or ())),
        "lifts": "never" if lifts.median is None else str(lifts.median),
        "cycles": str(wl.graph.count_three_cycles(board)),
        "may be first": str(len(sets.contenders)),
        "rank classes": str(len({*re.findall(r"[A-Za-z]|\(\d+\)", " ".join(sets.classes))})),
    }


def compared(names: list[str]) -> pd.DataFrame:
    """Return one row a board."""
    return pd.DataFrame({name: row(board_of(name)) for name in names}).T


def markdown(rows: pd.DataFrame) -> str:
    """Return the rows as two tables of Markdown: who can win, and how firm the winner and the ranks are."""
    split = list(rows.columns).index("wins today")
    return "\n\n".join(_markdown(one) for one in (rows.iloc[:, :split], rows.iloc[:, split:]))


def _markdown(rows: pd.DataFrame) -> str:
    lines = [["board", *rows.columns], ["---", *["---:"] * len(rows.columns)]]
    lines += [[str(name), *one] for name, one in zip(rows.index, rows.to_numpy().tolist(), strict=True)]
    return "\n".join(f"| {' | '.join(cell.strip() for cell in line)} |" for line in lines)


# %% [markdown]
# The index: a table on a wide screen, a card a board on a narrow one.
# %%
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 82rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .5rem; text-align: right; border-bottom: 1px solid #8886; vertical-align: top; }
th:first-child, .name { text-align: left; }
h1 { font-size: 1.6rem; line-height: 1.25; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem; }
@media (max-width: 60rem) {
  thead { position: absolute; clip-path: inset(50%); }
  tr { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; border-bottom: 2px solid #8886; padding: .6rem 0; }
  tr > td { display: contents; }
  tr > th[scope=row] { display: block; grid-column: 1 / -1; border: 0; padding: 0; font-size: 1.1rem; }
  tr > td::before { content: attr(data-label); text-align: left; }
  tr > td > span { text-align: right; }
}
"""


def index(rows: pd.DataFrame) -> str:
    """Return the page that compares the boards, each with a link to its report."""
    named = {"wins today": ' class="name"'}
    heads = "".join(
        f'<th scope="col" title="{escape(COLUMNS[one])}"{named.get(one, "")}>{escape(one)}</th>' for one in rows.columns
    )
    body = []
    for name, cells in rows.iterrows():
        first = f'<th scope="row"><a href="{file_name(str(name))}">{escape(str(name))}</a></th>'
        rest = "".join(
            f'<td data-label="{escape(one)}"{named.get(one, "")}><span>{escape(value)}</span></td>'
            for one, value in cells.items()
        )
        body.append(f"<tr>{first}{rest}</tr>")
    meanings = "".join(f"<dt>{escape(one)}</dt><dd>{escape(text)}</dd>" for one, text in COLUMNS.items())
    never = sum(int(one) for one in rows["never"])
    models = sum(int(one) for one in rows["models"])
    without = int((rows["wins today"] == "none").sum())
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Who can win on the boards everyone quotes</title><style>{STYLE}</style></head><body>
<h1>Who can win on the boards everyone quotes</h1>
<p>Of {models:,} models on {len(rows)} boards {never:,} can never win, whatever the tasks weigh; on {without} boards no
model beats all others today. Winning means beating every other model by weighted majority of the tasks. Each name leads
to a report with its proofs, which <code>weightlab verify</code> checks again.</p>
<table><thead><tr><th scope="col">board</th>{heads}</tr></thead><tbody>{"".join(body)}</tbody></table>
<h2>What the columns say</h2><dl>{meanings}</dl>
<p>Made by weightlab {escape(wl.__version__)}. Scores belong to the authors of the boards.</p></body></html>
"""


def file_name(name: str) -> str:
    """Return the file name of a board's report."""
    return re.sub("[^a-z0-9]+", "-", name.casefold()) + ".html"


# %% [markdown]
# The reports: written, read back and verified against the table.
# %%
def write_atlas(names: list[str], target: Path) -> None:
    """Write a report a board and the index."""
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        board, path = board_of(name), target / file_name(name)
        path.write_text(wl.report.report(board, title=name, time_limit=120).to_html(), encoding="utf-8")
        read_document(path).verify(board)
        print(f"{path.name}: {len(board.models)} models x {len(board.tasks)} tasks, verified")
    (target / "index.html").write_text(index(compared(names)), encoding="utf-8")
    print(f"index.html: {len(names)} board{'s' * (len(names) > 1)}")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="A report a public board, and an index that compares them.")
    parser.add_argument("folder", nargs="?", type=Path, help="where the pages go")
    parser.add_argument("--table", action="store_true", help="print the comparison alone")
    parser.add_argument("--boards", metavar="A;B", help=f"of {'; '.join(BOARDS)}; with semicolons between")
    asked = parser.parse_args()
    names = asked.boards.split(";") if asked.boards else list(BOARDS)
    if unknown := [name for name in names if name not in BOARDS]:
        parser.error(f"no board named {unknown[0]!r}; there are {'; '.join(BOARDS)}")
    if not asked.table and asked.folder is None:
        parser.error("name the folder where the pages go, or say --table")
    folder()
    if asked.table:
        print(markdown(compared(names)))
    else:
        write_atlas(names, asked.folder)


if __name__ == "__main__":
    main()
