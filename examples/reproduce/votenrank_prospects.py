"""Vote'n'Rank, section 3.2: which models can win for some weights of the tasks.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce.votenrank_prospects
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import weightlab as wl
from examples.reproduce.row import Row, Verdict, data_folder
from examples.reproduce.votenrank_boards import TITLES

__all__ = ["blocked_row", "count_rows", "example_rows", "rows", "value_row", "value_tables_row"]

PAPER = "Vote'n'Rank"
PROSPECTIVE = {"glue": (9, 88), "superglue": (10, 12)}


def rows(data: Path) -> list[Row]:
    """Return all rows."""
    return [*count_rows(data), value_row(), value_tables_row(), *example_rows(data), blocked_row(data)]


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
                why="a model that can tie with the best but never beat all others is counted, too",
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
                ours=f"{len(strict)} strictly, {len(weak)} with a tie at best, {len(never)} never; with the "
                f"{len(scored.tasks)} tasks that weigh {numbers[0]}, {numbers[1]} and {numbers[2]}",
                convention="a winner beats every other model, as section 2.2.3 says",
                command="lp.prospects(board).verdicts",
                verdict=Verdict.OTHERWISE,
                why="equation 2 asks for no defeat, section 2.2.3 for victory. Of those that can only tie, "
                f"{len(dominated)} {'is' if len(dominated) == 1 else 'are'} dominated: another model is level or ahead "
                "on every task, and ahead on some",
            )
        )
    return found


def value_row() -> Row:
    """Return the row of VALUE, whose scores are not at hand."""
    return Row(
        paper=PAPER,
        item="section 3.2, VALUE, prospective and other models",
        published="3 / 3",
        ours="none",
        convention="",
        command="lp.prospects(board).verdicts",
        verdict=Verdict.NOT_REPRODUCIBLE,
        why="the scores of VALUE are not among the tables at hand",
    )


def value_tables_row() -> Row:
    """Return the row of the tables of VALUE."""
    return Row(
        paper=PAPER,
        item="tables 10 and 11, VALUE, its column of table 4 and figure 2 (c)",
        published="rankings and winners with and without missing scores; Minimax is the least stable",
        ours="none",
        convention="",
        command="rules.compare(board)",
        verdict=Verdict.NOT_REPRODUCIBLE,
        why="the scores of VALUE are not among the tables at hand",
    )


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
    tied = int((found.duels == 0).sum())
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
    """Return the row on what stands behind a model that can never win."""
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
    """Return the models that are level or ahead on every task, and ahead on some."""
    leads = board.scores - board.scores.loc[model]
    ahead = (leads >= 0).all(axis=1) & (leads > 0).any(axis=1)
    return [str(one) for one in board.models if ahead[one]]


if __name__ == "__main__":
    for row in rows(data_folder()):
        print(row)
