"""Vote'n'Rank, section 3.2: which models can win for some weights of the tasks.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce.votenrank_prospects
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import weightlab as wl
from examples.reproduce.row import Row, Verdict, agrees, data_folder
from examples.reproduce.votenrank_boards import TITLES, gap_over_all_tasks
from weightlab.rules import rank

__all__ = ["blocked_row", "count_rows", "example_rows", "rows", "value_row", "value_tables_rows"]

PAPER = "Vote'n'Rank"
PROSPECTIVE = {"glue": (9, 88), "superglue": (10, 12)}


def rows(data: Path) -> list[Row]:
    """Return all rows."""
    return [
        *count_rows(data),
        value_row(data),
        *value_tables_rows(data),
        value_images_row(),
        *example_rows(data),
        blocked_row(data),
    ]


def count_rows(data: Path) -> list[Row]:
    """Return the rows of the counts: with ties for the win, as the paper counts, and strictly."""
    found = []
    for name, title in TITLES.items():
        board = _board(data, name)
        prospects = wl.lp.prospects(board)
        strict, weak, never = (prospects.with_verdict(one) for one in ("strict", "weak", "never"))
        dominated = [model for model in weak if _dominating(board, model)]
        counts = (len(strict) + len(weak), len(never))
        found.append(
            Row(
                paper=PAPER,
                item=f"section 3.2, {title}, prospective and other models",
                published="{} / {}".format(*PROSPECTIVE[name]),
                ours="{} / {}".format(*counts),
                convention=f"all {len(board.models)} models with every score and all {len(board.tasks)} tasks, "
                "diagnostics and halves of scores included; no lead may be negative (equation 2)",
                command='lp.prospects(board).verdicts, "strict" and "weak" together',
                verdict=Verdict.WITH_CONVENTION if counts == PROSPECTIVE[name] else Verdict.NOT_REPRODUCIBLE,
                why="a model that head-to-head can tie with the best but never beat all others is counted, too",
            )
        )
        scored = board.select(tasks=_scored(data, name, board))
        among = wl.lp.prospects(scored)
        numbers = [len(among.with_verdict(one)) for one in ("strict", "weak", "never")]
        found.append(
            Row(
                paper=PAPER,
                item=f"section 3.2, {title}, models that can beat all others",
                published="{} / {}".format(*PROSPECTIVE[name]),
                ours=f"{len(strict)} strictly, {len(weak)} with a tie at best, {len(never)} never, head-to-head; "
                f"with the {len(scored.tasks)} tasks that weigh {numbers[0]}, {numbers[1]} and {numbers[2]}",
                convention="a winner beats every other model, as section 2.2.3 says",
                command="lp.prospects(board).verdicts",
                verdict=Verdict.OTHERWISE,
                why="equation 2 asks for no defeat, section 2.2.3 for victory. Of those that can only tie "
                f"head-to-head, {len(dominated)} {'is' if len(dominated) == 1 else 'are'} dominated: another model is "
                "level or ahead on every task, and ahead on some",
            )
        )
    return found


def value_row(data: Path) -> Row:
    """Return the row of VALUE."""
    board = wl.read_leaderboard(data / "votenrank" / "value.csv").complete()
    prospects = wl.lp.prospects(board)
    counts = [len(prospects.with_verdict(one)) for one in ("strict", "weak", "never")]
    return Row(
        paper=PAPER,
        item="section 3.2, VALUE, prospective and other models",
        published="3 / 3",
        ours=f"{counts[0] + counts[1]} / {counts[2]}",
        convention=f"the {len(board.models)} models with every score, which Human is not",
        command="lp.prospects(board.complete()).verdicts",
        verdict=Verdict.WITH_CONVENTION if counts == [3, 0, 3] else Verdict.NOT_REPRODUCIBLE,
        why="all three that can win can beat all others head-to-head; against Human, whose missing scores tie, none "
        "could",
    )


# Tables 10 and 11, from the first rank to the last.
VALUE: dict[str, dict[str, list[float]]] = {
    "table 10, VALUE with Human": {
        "copeland": [6, 4, 2, 0, -2, -4, -6],
        "minimax": [0, -6, -10, -10, -11, -11, -11],
    },
    "table 11, VALUE without Human": {
        "mean": [62.87, 60.00, 57.58, 56.96, 56.07, 52.59],
        "geometric_mean": [49.96, 46.30, 44.12, 43.22, 42.81, 37.56],
        "optimality_gap": [0.365, 0.381, 0.399, 0.403, 0.404, 0.438],
        "copeland": [5, 3, 1, -1, -3, -5],
        "minimax": [0, -10, -10, -11, -11, -11],
        "plurality": [9, 1, 1, 0, 0, 0],
        "dowdall": [10, 5.17, 4.08, 2.87, 2.82, 2.02],
        "borda": [53, 39, 30, 20, 18, 5],
    },
}
TIES = {"plurality": {"ties": "max"}, "borda": {"ties": "max"}, "dowdall": {"ties": "min"}}


def value_tables_rows(data: Path) -> list[Row]:
    """Return the rows of the tables of VALUE."""
    whole = wl.read_leaderboard(data / "votenrank" / "value.csv")
    boards = (whole, whole.complete())
    found = []
    for (item, columns), board in zip(VALUE.items(), boards, strict=True):
        wrong = []
        for name, printed in columns.items():
            digits = 3 if name == "optimality_gap" else 2
            pairs = zip(printed, _scores(board, name), strict=True)
            off = [f"{mine:.{digits}f} for {one}" for one, mine in pairs if not agrees(one, mine, digits)]
            wrong += [f"{name.replace('_', ' ')} {', '.join(off)}"] if off else []
        right = len(columns) - len(wrong)
        found.append(
            Row(
                paper=PAPER,
                item=item,
                published=f"the scores of {len(board.models)} models by {len(columns)} rules",
                ours=f"the same by {right} of {len(columns)} rules" + (f"; {'; '.join(wrong)}" if wrong else ""),
                convention="a missing score ties with every other; tied places inside a task as in tables 1 to 4",
                command="rules.rank(board, rule).scores",
                verdict=Verdict.OTHERWISE if wrong else Verdict.WITH_CONVENTION,
                why="the figures that differ are listed"
                if wrong
                else "the models stand in the paper as pictures: scores are compared rank by rank",
            )
        )
    return found


def value_images_row() -> Row:
    """Return the row of what the paper shows of VALUE as images alone."""
    return Row(
        paper=PAPER,
        item="table 4, column of VALUE, and figure 2 (c)",
        published="images; Minimax is the least stable",
        ours="none",
        convention="",
        command="rules.compare(board)",
        verdict=Verdict.NOT_REPRODUCIBLE,
        why="winners are pictures of models, and of the curves no figure is printed",
    )


def _scores(board: wl.Leaderboard, name: str) -> list[float]:
    """Return the scores by a rule, the best first; the optimality gap in hundredths, as the paper prints it."""
    if name == "optimality_gap":
        return sorted(float(gap) / 100 for gap in gap_over_all_tasks(board).scores)
    return sorted(map(float, rank(board, name, **TIES.get(name, {})).scores), reverse=True)


def example_rows(data: Path) -> list[Row]:
    """Return the rows of the example: T5 can win on SuperGLUE, RoBERTa cannot."""
    board = _board(data, "superglue")
    found = wl.lp.prospect(board, "T5")
    half = Fraction(1, 2)
    positive = {task: weight for task, weight in found.weights.items() if weight}
    only = all(
        wl.lp.scenario(board, "T5", objective(task)).value == positive.get(task, 0)
        for task in board.tasks
        for objective in (wl.lp.least_weight, wl.lp.most_weight)
    )
    tied = int((found.leads == 0).sum())
    as_told = positive == {"BoolQ": half, "MultiRC_n2": half}
    example = Row(
        paper=PAPER,
        item="section 3.2, SuperGLUE, weights for T5",
        published="1/2 BoolQ and 1/2 MultiRC make it the winner",
        ours=f"these{' and no other' if only else ''} weights make it lose no duel; it ties {tied} of them",
        convention="a tie counts as a win (equation 2)",
        command='lp.prospect(board, "T5"); lp.scenario(board, "T5", lp.most_weight([task]))',
        verdict=Verdict.WITH_CONVENTION if as_told else Verdict.NOT_REPRODUCIBLE,
        why=f"the smallest of its leads is at best exactly {found.margin}: it can never be the Condorcet winner",
    )
    models = [model for model in board.models if "RoBERTa" in model]
    verdicts = {str(wl.lp.prospect(board, model).verdict) for model in models}
    other = Row(
        paper=PAPER,
        item="section 3.2, SuperGLUE, RoBERTa",
        published="not prospective",
        ours=f"none of the {len(models)} models called so" if verdicts == {"never"} else f"verdicts {sorted(verdicts)}",
        convention="",
        command='lp.prospect(board, "RoBERTa").verdict',
        verdict=Verdict.REPRODUCED if verdicts == {"never"} else Verdict.OTHERWISE,
        why="",
    )
    return [example, other]


def blocked_row(data: Path) -> Row:
    """Return the row on why a model can never win."""
    parts = []
    for name, title in TITLES.items():
        board = _board(data, name)
        never = wl.lp.prospects(board).with_verdict("never")
        free = [model for model in never if not _dominating(board, model)]
        least = {model: len(wl.lp.prospect(board, model, fewest_blockers=True).fewest.rivals) for model in free}
        mixed = ", ".join(f"{model} by {number}" for model, number in least.items())
        parts.append(f"{title}: {len(never) - len(free)} of {len(never)} are dominated by one model; {mixed} at least")
    return Row(
        paper=PAPER,
        item="section 3.2, what blocks a model that is not prospective",
        published="always another model that is neither worse nor better",
        ours="; ".join(parts),
        convention="rivals block a model together if they can be mixed so that on every task those ahead of it "
        "outweigh those behind",
        command='lp.prospect(board, "PAI Albert", fewest_blockers=True).fewest',
        verdict=Verdict.OTHERWISE,
        why="that no weights exist says that some mixture of rivals is ahead, of one rival or of several; a single "
        "tied rival would block no model",
    )


def _board(data: Path, name: str) -> wl.Leaderboard:
    """Return all models with every score, and all tasks."""
    return wl.Leaderboard(wl.read_leaderboard(data / "votenrank" / f"{name}.csv").scores).complete()


def _scored(data: Path, name: str, board: wl.Leaderboard) -> list[str]:
    weights = json.loads((data / "votenrank" / "meta.json").read_text(encoding="utf-8"))[name]["weights"]
    return [task for task in board.tasks if weights.get(task, 1)]


def _dominating(board: wl.Leaderboard, model: str) -> list[str]:
    """Return the models that are tied or ahead on every task, and ahead on some."""
    leads = board.scores - board.scores.loc[model]
    ahead = (leads >= 0).all(axis=1) & (leads > 0).any(axis=1)
    return [str(one) for one in board.models if ahead[one]]


if __name__ == "__main__":
    for row in rows(data_folder()):
        print(row)
