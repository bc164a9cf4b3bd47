"""Vote'n'Rank, tables 3, 4 and 9, the worked examples of appendix A.1 and the properties of table 8.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce.votenrank_tables
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd

import weightlab as wl
from examples.reproduce.row import Row, Verdict, data_folder
from examples.reproduce.votenrank_boards import TITLES, gap_over_all_tasks, paper_board
from weightlab.datasets import load_leaderboard
from weightlab.graph import condorcet_winner, majority_graph
from weightlab.rules import Ranking, properties, rank, winners
from weightlab.rules.inputs import group_weighted

__all__ = [
    "PRINTED",
    "TIES",
    "WINNERS",
    "baldwin_row",
    "example_rows",
    "property_row",
    "rows",
    "score_rows",
    "winner_rows",
]

PAPER = "Vote'n'Rank"
TIES: dict[str, dict[str, Any]] = {
    "plurality": {"ties": "max"},
    "borda": {"ties": "max"},
    "dowdall": {"ties": "min"},
    "threshold": {"ties": "max"},
    "baldwin": {"ties": "max"},
}
CONVENTION = (
    "scores in two halves are two tasks of weight 1/2, diagnostics weigh 0, models without every score are dropped, "
    "of the rest the first 30 rows of GLUE and 22 of SuperGLUE are kept; ties inside a task share the greatest rank "
    "for plurality, Borda, threshold and Baldwin, the least for Dowdall"
)
GAP = "the optimality gap is unweighted over all tasks, diagnostics included"

# Tables 3 and 9: the scores of the first seven places of each rule.
PRINTED = {
    "glue": {
        "mean": "91.18 91.07 90.88 90.86 90.74 90.66 90.48",
        "geometric_mean": "90.89 90.78 90.56 90.48 90.44 90.34 90.11",
        "optimality_gap": "0.074 0.075 0.076 0.076 0.077 0.078 0.082",
        "copeland": "29 25 24 22 22 22 16",
        "minimax": "0 -5.5 -6 -6.5 -7 -7 -7",
        "plurality": "2 2 1.5 1 1 0.5 0",
        "dowdall": "4.95 4.08 3.82 3.41 3.27 2.57 2.55",
        "borda": "260.5 256 247.5 241.5 233.5 229.5 220.5",
    },
    "superglue": {
        "mean": "90.62 90.39 90.29 89.79 89.25 86.65 86.09",
        "geometric_mean": "90.04 89.84 89.75 88.80 88.75 85.93 85.38",
        "optimality_gap": "0.066 0.068 0.068 0.073 0.074 0.089 0.10",
        "copeland": "20 19 18 15 13 11 9",
        "minimax": "0 0 -4.5 -5 -7.5 -8 -8",
        "plurality": "4 2.5 1 0.5 0 0 0",
        "dowdall": "4.98 4.25 3.62 3.29 2.11 1.16 1.06",
        "borda": "155 154.5 153 145.5 141.5 116.5 108",
    },
}
TABLES = {"glue": "table 3", "superglue": "table 9"}

# Table 4; the icons of the paper are these models, and several of them are a tie.
ERNIE, HUMAN, CLEVER = "ERNIE", "GLUE Human Baselines", "StructBERT + CLEVER"
ERNIE_3, SUPER_HUMAN, UDG = "ERNIE 3.0", "SuperGLUE Human Baselines", "T5 + UDG, Single Model (Google Brain)"
WINNERS: dict[str, dict[str, tuple[str, ...]]] = {
    "glue": {
        **dict.fromkeys(
            (
                "mean",
                "geometric_mean",
                "optimality_gap",
                "copeland",
                "minimax",
                "dowdall",
                "borda",
                "baldwin",
                "condorcet",
            ),
            (ERNIE,),
        ),
        "plurality": (ERNIE, HUMAN),
        "threshold": (CLEVER,),
    },
    "superglue": {
        **dict.fromkeys(("mean", "geometric_mean", "optimality_gap", "borda"), (ERNIE_3,)),
        **dict.fromkeys(("copeland", "plurality", "dowdall"), (SUPER_HUMAN,)),
        **dict.fromkeys(("minimax", "baldwin"), (ERNIE_3, SUPER_HUMAN)),
        "threshold": (UDG,),
        "condorcet": (),
    },
}

# Appendix A.1: scores by rule on the toy leaderboard of table 6.
EXAMPLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "plurality": (("2", "1", "1", "1"), ("m_A",)),
    "borda": (("6", "9", "8", "7"), ("m_B",)),
    "dowdall": (("11/4", "11/4", "5/2", "29/12"), ("m_A", "m_B")),
    "copeland": (("-3", "3", "1", "-1"), ("m_B",)),
    "minimax": (("-3", "0", "-3", "-3"), ("m_B",)),
}
SUMS = {"plurality": 5, "borda": 5, "dowdall": 5, "threshold": 4, "baldwin": 6, "copeland": 7, "minimax": 6}


def rows(data: Path) -> list[Row]:
    """Return all rows."""
    found = [*score_rows(data), *winner_rows(data), *example_rows(), graph_row(), settings_row()]
    return [*found, property_row(), baldwin_row()]


def score_rows(data: Path) -> list[Row]:
    """Return a row for the scores of table 3 and one for those of table 9."""
    found = []
    for name, title in TITLES.items():
        board = paper_board(data, name)
        wrong = []
        for rule, printed in PRINTED[name].items():
            ours = _ranking(board, rule).scores.astype(float) / (100 if rule == "optimality_gap" else 1)
            for place, (figure, score) in enumerate(zip(printed.split(), ours.iloc[:7], strict=True), start=1):
                digits = len(figure.partition(".")[2])
                if abs(float(figure) - score) > 0.5 * 10**-digits + 1e-9:
                    wrong.append(f"{rule}, place {place}: {figure}, ours {score:.3f}")
        total = 7 * len(PRINTED[name])
        found.append(
            Row(
                paper=PAPER,
                item=f"{TABLES[name]}, {title}, scores of the first seven places by eight rules",
                published=f"{total} figures",
                ours=f"{total - len(wrong)} of {total}" + "".join(f"; {one}" for one in wrong),
                convention=f"{CONVENTION}; {GAP}",
                command='rules.rank(board, "borda", ties="max").scores, and so on',
                verdict=Verdict.WITH_CONVENTION if not wrong else Verdict.NOT_REPRODUCIBLE,
                why="the paper prints the last digit of a half rounded either way",
            )
        )
    return found


def winner_rows(data: Path) -> list[Row]:
    """Return the rows of table 4, and Borda's winner when ties count differently."""
    found = []
    for name, title in TITLES.items():
        board = paper_board(data, name)
        ours = {rule: _winners(board, rule) for rule in WINNERS[name]}
        wrong = [f"{rule}: {', '.join(ours[rule])}" for rule, printed in WINNERS[name].items() if ours[rule] != printed]
        total = len(ours)
        found.append(
            Row(
                paper=PAPER,
                item=f"table 4, {title}, winners by rule",
                published=f"{total} rules",
                ours=f"{total - len(wrong)} of {total}" + "".join(f"; {one}" for one in wrong),
                convention=f"{CONVENTION}; {GAP}",
                command='rules.winners(board, "baldwin", ties="max"), and so on',
                verdict=Verdict.WITH_CONVENTION if not wrong else Verdict.NOT_REPRODUCIBLE,
                why="several icons are a tie; SuperGLUE has no Condorcet winner",
            )
        )
    board = paper_board(data, "superglue")
    by_ties = {ties: winners(board, "borda", ties=ties) for ties in ("max", "min", "average")}
    found.append(
        Row(
            paper=PAPER,
            item="table 4, SuperGLUE, Borda",
            published=ERNIE_3,
            ours="; ".join(f"{ties}: {' and '.join(names)}" for ties, names in by_ties.items()),
            convention="which rank the models share that tie inside a task: the greatest, the least, or the mean",
            command='rules.winners(board, "borda", ties=...)',
            verdict=Verdict.WITH_CONVENTION if by_ties["max"] == (ERNIE_3,) else Verdict.NOT_REPRODUCIBLE,
            why="three ways to count ties give three answers, so that the winner is one of the convention",
        )
    )
    return found


def example_rows() -> list[Row]:
    """Return the row of appendix A.1."""
    board = load_leaderboard("votenrank-a1")
    wrong = []
    for rule, (scores, best) in EXAMPLES.items():
        ranking = rank(board, rule)
        if ranking.scores.to_dict() != dict(zip(board.models, map(Fraction, scores), strict=True)):
            wrong.append(rule)
        if ranking.winners != best:
            wrong.append(f"winner by {rule}")
    wrong += [f"winner by {rule}" for rule, best in (("threshold", "m_C"), ("baldwin", "m_B"), ("condorcet", "m_B"))
              if winners(board, rule) != (best,)]  # fmt: skip
    total = len(EXAMPLES) * 5 + 3
    return [
        Row(
            paper=PAPER,
            item="appendix A.1, tables 6 and 7, the worked examples of all rules",
            published=f"{total} scores and winners",
            ours=f"{total - len(wrong)} of {total}" + "".join(f"; {one}" for one in wrong),
            convention="",
            command='rules.rank(datasets.load_leaderboard("votenrank-a1"), "dowdall"), and so on',
            verdict=Verdict.REPRODUCED if not wrong else Verdict.NOT_REPRODUCIBLE,
            why="",
        )
    ]


def graph_row() -> Row:
    """Return the row of figure 3, the majorities of the toy leaderboard."""
    graph = majority_graph(load_leaderboard("votenrank-a1"))
    edges = sorted((str(one), str(other)) for one, other in graph.edges)
    right = edges == [("m_B", "m_A"), ("m_B", "m_C"), ("m_B", "m_D"), ("m_C", "m_A"), ("m_C", "m_D"), ("m_D", "m_A")]
    return Row(
        paper=PAPER,
        item="figure 3, the majority graph of table 6",
        published="m_B beats all others; by Copeland m_C beats two, m_D one, m_A none",
        ours=", ".join(f"{one} > {other}" for one, other in edges),
        convention="",
        command='graph.majority_graph(datasets.load_leaderboard("votenrank-a1"))',
        verdict=Verdict.REPRODUCED if right else Verdict.NOT_REPRODUCIBLE,
        why="the figure is an image: what the text says of it is compared",
    )


def settings_row() -> Row:
    """Return the row of figure 1, the weights of tasks whose groups weigh the same."""
    groups = {"blue": ["1", "2", "3"], "orange": ["4", "5"], "violet": ["6", "7"]}
    tasks = [task for members in groups.values() for task in members]
    board = group_weighted(wl.Leaderboard({task: {"a": 1, "b": 0} for task in tasks}, groups=groups), None)
    weights = {name: [str(board.weights[task]) for task in members] for name, members in groups.items()}
    right = weights == {"blue": ["1/3"] * 3, "orange": ["1/2"] * 2, "violet": ["1/2"] * 2}
    return Row(
        paper=PAPER,
        item="figure 1, weights of seven tasks in three groups",
        published="1/3 in the blue group, 1/2 in the orange and in the violet one",
        ours="; ".join(f"{name} {' '.join(listed)}" for name, listed in weights.items()),
        convention="groups of three, two and two tasks",
        command='rules.grouped(board, "borda"); rules.two_step(board, "borda")',
        verdict=Verdict.REPRODUCED if right else Verdict.NOT_REPRODUCIBLE,
        why="the figure is a drawing of the three settings: its weights are compared",
    )


def property_row() -> Row:
    """Return the row of table 8: how many of the eight properties a rule has."""
    table = properties()
    ours = {rule: int(table.loc[rule].sum()) for rule in SUMS}
    wrong = [rule for rule, printed in SUMS.items() if ours[rule] != printed]
    return Row(
        paper=PAPER,
        item="table 8, how many of eight properties seven rules have",
        published=_listed(SUMS),
        ours=_listed(ours),
        convention="complete tables without ties inside a task, all tasks of one weight",
        command='rules.properties(); rules.RULES["dowdall"].properties says for each where it is shown',
        verdict=Verdict.OTHERWISE if wrong else Verdict.REPRODUCED,
        why=f"differs for {', '.join(wrong)}: it has transitivity, anonymity, unanimity and monotonicity; against each "
        "other property the tests hold a table that shows it. (A majority of first places does not win by Dowdall: "
        f"{_dowdall_and_majority()}.)",
    )


def baldwin_row() -> Row:
    """Return the row on the Condorcet winner criterion of Baldwin's rule, which ties inside a task decide."""
    scores = {"1": (3, 2, 2), "2": (2, 3, 2), "3": (3, 1, 3), "4": (1, 3, 3), "5": (1, 1, 2)}
    frame = pd.DataFrame(scores, index=["a", "b", "c"])
    board = wl.Leaderboard(frame, weights={"1": 3, "2": 3, "3": 3, "4": 3})
    best = condorcet_winner(board)
    by_ties = {ties: winners(board, "baldwin", ties=ties) for ties in ("max", "average")}
    return Row(
        paper=PAPER,
        item="table 8, Baldwin and the Condorcet winner",
        published="criterion held (one of the 6)",
        ours="; ".join(f"ties={ties} chooses {' and '.join(names)}" for ties, names in by_ties.items())
        + f", where {best} beats the others",
        convention=f"five tasks of weights 3, 3, 3, 3, 1 with scores {_rows(frame)}",
        command='rules.winners(board, "baldwin", ties="max")',
        verdict=Verdict.OTHERWISE if best == "c" and by_ties["max"] != ("c",) else Verdict.REPRODUCED,
        why="holds without ties inside a task, and with the mean of tied ranks; not with the greatest of them, which "
        "the paper's tables use",
    )


def _ranking(board: wl.Leaderboard, rule: str) -> Ranking:
    return gap_over_all_tasks(board) if rule == "optimality_gap" else rank(board, rule, **TIES.get(rule, {}))


def _winners(board: wl.Leaderboard, rule: str) -> tuple[str, ...]:
    if rule == "condorcet":
        best = condorcet_winner(board)
        return () if best is None else (best,)
    if rule == "optimality_gap":
        return gap_over_all_tasks(board).winners
    return winners(board, rule, **TIES.get(rule, {}))


def _dowdall_and_majority() -> str:
    """Return a table on which Dowdall passes a majority of first places over, in words."""
    first = {
        "a": (5, 5, 5, 1, 1),
        "b": (4, 4, 4, 5, 5),
        "c": (3, 2, 1, 4, 3),
        "d": (2, 1, 3, 3, 2),
        "e": (1, 3, 2, 2, 4),
    }
    frame = pd.DataFrame(first, index=list("12345")).T
    points = rank(wl.Leaderboard(frame), "dowdall").scores
    told = f"with scores {_rows(frame)} a is first on three of five tasks and has {float(points['a']):g} points"
    return f"{told}, b {float(points['b']):g}"


def _rows(frame: pd.DataFrame) -> str:
    return ", ".join(
        f"{name} {' '.join(map(str, row))}" for name, row in zip(frame.index, frame.to_numpy(), strict=True)
    )


def _listed(sums: Mapping[str, int]) -> str:
    return ", ".join(f"{rule} {number}" for rule, number in sums.items())


if __name__ == "__main__":
    for row in rows(data_folder()):
        print(row)
