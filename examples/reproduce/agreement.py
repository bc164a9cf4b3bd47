"""Vote'n'Rank, table 1 and the column DP of table 2: how far rules agree, and how many models they tie.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce.agreement
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import weightlab as wl
from examples.reproduce.file_order import best_first, least_first
from examples.reproduce.row import Row, Verdict, agrees, data_folder
from examples.reproduce.votenrank_boards import (
    RULES,
    TITLES,
    gap_over_all_tasks,
    paper_board,
    without_logarithm,
)
from weightlab.rules import kendall_tau, rank, top_agreement
from weightlab.studies import agreement, discriminative_power

__all__ = ["agreement_rows", "discrimination_rows", "names_correlated", "orders_as_coded", "rows"]

PAPER = "Vote'n'Rank"
OTHERS = tuple(name for name in RULES if name != "mean")
LINES = ("top-1", "top-3", "top-5", "top-7", "least-5", "least-7")

# Table 1, column by column: geometric mean, optimality gap, Copeland, Minimax, Plurality, Dowdall, Borda.
RATES = {
    "glue": {
        "top-1": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
        "top-3": (1.0, 0.67, 1.0, 0.67, 0.67, 0.67, 1.0),
        "top-5": (1.0, 0.80, 0.60, 0.80, 0.80, 0.80, 0.8),
        "top-7": (1.0, 0.86, 0.86, 0.86, 0.86, 0.86, 1.0),
        "least-5": (0.67, 0.00, 1.0, 0.33, 0.33, 1.0, 1.0),
        "least-7": (0.86, 0.71, 1.0, 0.14, 0.14, 1.0, 1.0),
    },
    "superglue": {
        "top-1": (1.0, 1.0, 0.00, 1.0, 0.00, 0.00, 1.0),
        "top-3": (1.0, 1.0, 0.67, 0.67, 0.67, 0.67, 1.0),
        "top-5": (1.0, 1.0, 1.0, 1.0, 0.80, 1.0, 1.0),
        "top-7": (1.0, 0.86, 0.86, 0.71, 0.57, 0.86, 0.86),
        "least-5": (1.0, 1.0, 1.0, 0.33, 0.33, 1.0, 1.0),
        "least-7": (0.86, 0.86, 0.86, 0.14, 0.14, 0.86, 1.0),
    },
}
TAUS = {
    "glue": (0.56, -0.08, 0.23, -0.05, 0.03, 0.28, 0.41),
    "superglue": (0.45, 0.36, 0.08, -0.5, -0.15, 0.12, 0.24),
}
# Table 2, column DP.
LEVEL = {"glue": (1, 0, 3, 6, 21, 25, 0, 0), "superglue": (0, 0, 1, 2, 17, 17, 0, 1)}


def rows(data: Path) -> list[Row]:
    """Return all rows."""
    return [*agreement_rows(data), *discrimination_rows(data)]


def agreement_rows(data: Path) -> list[Row]:
    """Return the rows of table 1: as coded, and rightly."""
    found = []
    for name, title in TITLES.items():
        board = paper_board(data, name)
        coded = orders_as_coded(board)
        found += [_rates_as_coded(name, title, coded), _rates(name, title, board)]
        found += [_taus_as_coded(name, title, coded), _taus(name, title, board)]
    return found


def orders_as_coded(board: wl.Leaderboard) -> dict[str, list[str]]:
    """Return the models as the paper sorts them, by scores in floats; a model without a score goes last."""
    models, weights = list(board.models), board.weights.astype(float)
    scores = {
        name: rank(board, one).scores.astype(float).reindex(models)
        for name, one in RULES.items()
        if not callable(one) and name != "mean"
    }
    scores["mean"] = (board.scores * weights / weights.sum()).sum(axis=1)
    scores["geometric mean"] = scores["geometric mean"].mask(
        scores["geometric mean"].index.isin(without_logarithm(board))
    )
    gap = gap_over_all_tasks(board).scores.astype(float).reindex(models) / 100
    found = {name: best_first(one) for name, one in scores.items()}
    return {**found, "optimality gap": least_first(gap.map(partial(round, ndigits=3)))}


def names_correlated(first: Sequence[str], second: Sequence[str]) -> float:
    """Return Kendall's tau-b between two lists of names as if the names were measurements: what table 1 prints."""
    lists = []
    for names in (first, second):
        by_alphabet = {name: place for place, name in enumerate(sorted(names))}
        codes = [by_alphabet[name] for name in names]
        lists.append(tuple((str(at),) for at in sorted(range(len(codes)), key=codes.__getitem__)))
    return kendall_tau(*lists)


def _strict(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple((name,) for name in names)


def _cells(name: str, found: Mapping[str, Iterable[float]]) -> tuple[int, list[str]]:
    """Return how many cells of the rates agree, and which do not."""
    wrong = [
        f"{line} {rule}: {published:.2f}, ours {ours:.2f}"
        for line in LINES
        for rule, published, ours in zip(OTHERS, RATES[name][line], found[line], strict=True)
        if not agrees(published, ours)
    ]
    return len(LINES) * len(OTHERS) - len(wrong), wrong


def _rates_as_coded(name: str, title: str, coded: Mapping[str, Sequence[str]]) -> Row:
    mean = _strict(coded["mean"])
    found = {}
    for line in LINES:
        end, _, number = line.partition("-")
        k = 3 if line == "least-5" else int(number)
        found[line] = [float(top_agreement(mean, _strict(coded[rule]), k, last=end == "least")) for rule in OTHERS]
    same, wrong = _cells(name, found)
    total = len(LINES) * len(OTHERS)
    return Row(
        paper=PAPER,
        item=f"table 1, {title}, agreement rates",
        published=f"{total} figures",
        ours=f"{same} of {total}" + "".join(f"; {one}" for one in wrong),
        convention='ties in the order in which the sort leaves them; "least-5" is of the last 3; the optimality gap '
        "unweighted over all tasks, rounded to 3 decimals; models with a diagnostic score of 0 or less have no "
        "geometric mean and go last",
        command="examples.reproduce.agreement.agreement_rows(data)",
        verdict=Verdict.WITH_CONVENTION if not wrong else Verdict.NOT_REPRODUCIBLE,
        why="Minimax and Plurality give most models one score, so that their rates of the last few say which of them "
        "the sort happens to put last.",
    )


def _rates(name: str, title: str, board: wl.Leaderboard) -> Row:
    last = (3, 5, 7)
    table = agreement(board, RULES, reference="mean", top=(1, 3, 5, 7), last=last).summary()
    found = {
        line: table.loc[list(OTHERS), line.replace("least", "last")].tolist() for line in LINES if line != "least-5"
    }
    found["least-5"] = table.loc[list(OTHERS), "last-5"].tolist()
    same, wrong = _cells(name, found)
    return Row(
        paper=PAPER,
        item=f"table 1, {title}, agreement rates, ties shared",
        published=f"{len(LINES) * len(OTHERS)} figures",
        ours=f"{same} the same" + "".join(f"; {one}" for one in wrong),
        convention="a tie that reaches beyond place k counts with the share of it that is within; the last 5 are 5; "
        "the optimality gap unrounded, the geometric mean of the tasks that weigh",
        command='studies.agreement(board, rules, reference="mean", last=(5, 7)).summary()',
        verdict=Verdict.OTHERWISE,
        why="does not depend on the order of the file",
    )


def _taus_as_coded(name: str, title: str, coded: Mapping[str, Sequence[str]]) -> Row:
    found = [names_correlated(coded["mean"], coded[rule]) for rule in OTHERS]
    wrong = [
        f"{rule}: {published}, ours {ours:.3f}"
        for rule, published, ours in zip(OTHERS, TAUS[name], found, strict=True)
        if not agrees(published, ours)
    ]
    misprint = name == "superglue" and len(wrong) == 1 and wrong[0].startswith("Minimax")
    return Row(
        paper=PAPER,
        item=f"table 1, {title}, Kendall tau",
        published=_listed(TAUS[name]),
        ours=_listed(found, digits=3),
        convention="the alphabetical codes of the names at each place, correlated as if they were measurements; ties "
        "in the order in which the sort leaves them",
        command="examples.reproduce.agreement.names_correlated(first, second)",
        verdict=Verdict.WITH_CONVENTION if not wrong or misprint else Verdict.NOT_REPRODUCIBLE,
        why="an artefact: two lists of names are no two rankings, and another set of names gives other figures"
        + ("; the -.5 of Minimax is a misprint of -.05" if misprint else ""),
    )


def _taus(name: str, title: str, board: wl.Leaderboard) -> Row:
    found = agreement(board, RULES, reference="mean").summary()["tau_b"].reindex(OTHERS)
    return Row(
        paper=PAPER,
        item=f"table 1, {title}, Kendall tau between the rankings",
        published=_listed(TAUS[name]),
        ours=_listed(found),
        convention="tau-b, which leaves out the pairs that a ranking ties",
        command='studies.agreement(board, rules, reference="mean").summary()["tau_b"]',
        verdict=Verdict.OTHERWISE,
        why="the rankings agree with the mean's from about one half to nearly wholly: that their order is different "
        "(section 3.1) is the artefact of correlated names",
    )


def discrimination_rows(data: Path) -> list[Row]:
    """Return the rows of table 2, column DP: as coded, and rightly."""
    found = []
    for name, title in TITLES.items():
        board = paper_board(data, name)
        table = discriminative_power(board, RULES, decimals={"optimality gap": 1}).table()
        exact = discriminative_power(board, RULES).table()
        coded = table["below_a_tie"].to_dict()
        # An undefined geometric mean (NaN) equals no other.
        rest = [model for model in board.models if model not in without_logarithm(board)]
        means = discriminative_power(board.select(models=rest), "geometric_mean").table()
        coded["geometric mean"] = means.loc["geometric_mean", "below_a_tie"]
        found.append(
            Row(
                paper=PAPER,
                item=f"table 2, {title}, DP",
                published=_listed(LEVEL[name], digits=0),
                ours=_listed((coded[rule] for rule in RULES), digits=0),
                convention="models less distinct scores; the optimality gap unweighted over all tasks, rounded to 3 "
                "decimals; models with a diagnostic score of 0 or less have no geometric mean, which is equal to none",
                command='studies.discriminative_power(board, rules, decimals=...).table()["below_a_tie"]',
                verdict=Verdict.WITH_CONVENTION
                if [*map(coded.get, RULES)] == [*LEVEL[name]]
                else Verdict.NOT_REPRODUCIBLE,
                why='not "the number of tied alternatives": of a tie one model is not counted',
            )
        )
        found.append(
            Row(
                paper=PAPER,
                item=f"table 2, {title}, DP as defined",
                published=_listed(LEVEL[name], digits=0),
                ours=_listed(exact.loc[list(RULES), "tied"], digits=0),
                convention="models that share their score with another, scores exact",
                command='studies.discriminative_power(board, rules).table()["tied"]',
                verdict=Verdict.OTHERWISE,
                why="alternatives with the same score are counted, all of them; the largest ties have "
                + _listed(exact.loc[list(RULES), "largest_tie"], digits=0),
            )
        )
    return found


def _listed(values: Iterable[float], digits: int = 2) -> str:
    return " ".join(f"{value:.{digits}f}" for value in values)


if __name__ == "__main__":
    for row in rows(data_folder()):
        print(row)
