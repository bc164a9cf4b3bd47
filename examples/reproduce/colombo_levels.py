"""Colombo et al., table 4: scores on single instances, aggregated at one level, at two, or by their means.

The columns of the files are named misleadingly: ``System`` numbers the documents, ``Utterance`` names the systems (in
MLQE the language pairs). The rows here read them both ways.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce.colombo_levels
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import weightlab as wl
from examples.reproduce.row import Row, Verdict, data_folder
from weightlab.data.profile import Order
from weightlab.rules import kemeny, kemeny_gap, kendall_tau, one_level, pooled, rank, rule, top_agreement, two_level

__all__ = ["Levels", "kemeny_row", "level_row", "levels_of", "read", "rows", "sizes_row", "winners_row"]

PAPER = "Colombo et al."
TITLES = {
    "dialog_pc": "PC",
    "dialog_tc": "TC",
    "flickr": "FLICKR",
    "mlqe": "MLQE",
    "real_sum": "RSUM",
    "sum_eval": "SEVAL",
    "tac_08": "TAC08",
    "tac_09": "TAC09",
    "tac_11": "TAC11",
}
# Table 4: one level and two, the mean and two levels, the mean and one level.
TAUS = {
    "dialog_pc": (-0.08, 0.32, -0.10),
    "dialog_tc": (-0.01, 0.27, -0.15),
    "flickr": (0, 0.29, -0.04),
    "mlqe": (-0.03, 0.01, 0.00),
    "real_sum": (0.04, 0.07, 0),
    "sum_eval": (0.14, 0.52, 0.10),
    "tac_08": (0.28, 0.32, 0.23),
    "tac_09": (0.06, 0.37, 0.19),
    "tac_11": (-0.06, 0.37, 0.07),
}
# Table 6: tasks and instances.
SIZES = {
    "PC": (19, 240),
    "TC": (19, 300),
    "FLICKR": (14, 864),
    "MLQE": (10, 7000),
    "RSUM": (15, 2500),
    "SEVAL": (17, 1600),
    "TAC08": (15, 2976),
    "TAC09": (15, 2596),
    "TAC11": (15, 2376),
}
BORDA = rule("borda", missing="last")


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Three rankings of one set of instances.

    Attributes
    ----------
    one, two, mean : tuple of tuples of str
        By Borda over all instances of all tasks, by Borda task by task first, and by the mean of the tasks' means.
    """

    one: Order
    two: Order
    mean: Order

    @property
    def taus(self) -> list[float]:
        """Kendall's tau-b of each two, in the order of table 4."""
        return [kendall_tau(*pair) for pair in ((self.one, self.two), (self.mean, self.two), (self.mean, self.one))]

    @property
    def winners(self) -> list[tuple[str, ...]]:
        """Who is first by each."""
        return [self.one[0], self.two[0], self.mean[0]]


def rows(data: Path) -> list[Row]:
    """Return all rows."""
    found: list[Row] = []
    systems: dict[str, Levels] = {}
    documents: dict[str, Levels] = {}
    for name, title in TITLES.items():
        of_systems = read(data, name, of="systems")
        systems[title], documents[title] = levels_of(of_systems), levels_of(read(data, name, of="documents"))
        found.append(level_row(title, TAUS[name], systems[title], documents[title]))
        found.append(kemeny_row(title, of_systems))
    found += [winners_row(systems, documents), first_row(systems, documents), sizes_row(data)]
    return [*found, _drawings_row()]


def read(data: Path, name: str, *, of: str) -> wl.Instances:
    """Return the scores of the systems, or of the documents as if these were systems."""
    columns = {"model": "Utterance", "instance": "System"}
    if of == "documents":
        columns = {"model": "System", "instance": "Utterance"}
    return wl.read_instances(data / "colombo" / "instances" / f"{name}.csv", **columns)


def levels_of(instances: wl.Instances) -> Levels:
    """Return the three rankings."""
    means = instances.means()
    return Levels(
        one=one_level(instances, BORDA).order,
        two=two_level(instances, BORDA).order,
        mean=rank(means, "mean", **({"missing": "last"} if means.missing_cells else {})).order,
    )


def level_row(title: str, printed: Sequence[float], systems: Levels, documents: Levels) -> Row:
    """Return the row of one column of table 4: the systems' figures, followed by those of documents."""
    return Row(
        paper=PAPER,
        item=f"table 4, {title}, tau of one level and two, of the mean and two, of the mean and one",
        published=_listed(printed),
        ours=f"{_listed(systems.taus)} of systems; {_listed(documents.taus)} of documents",
        convention="tau-b between rankings; missing scores are last"
        + ("; what is ranked are language pairs" if title == "MLQE" else ""),
        command='rules.one_level(instances, "borda"); rules.two_level(instances, "borda")',
        verdict=Verdict.OTHERWISE,
        why="one level and two agree closely, whether systems are ranked or, as the columns of the file are named, "
        "documents. Figures as small as the printed ones come out when lists of identifiers are correlated as if they "
        "were ranks; no reading that we tried gives these very figures",
    )


def kemeny_row(title: str, instances: wl.Instances) -> Row:
    """Return the row of the exact order with all instances of all tasks as voters."""
    board = pooled(instances)
    best = kemeny(board)
    gap = kemeny_gap(board, BORDA)
    same = set(best.order[0]) & set(gap.ranking.winners)
    return Row(
        paper=PAPER,
        item=f"section 3.2, {title}, exact Kemeny order of {len(board.models)} systems on {len(board.tasks)} columns",
        published="none: NP-hard, Borda instead",
        ours=f"least cost {best.cost}; Borda {float(gap.low / best.cost - 1):.2%} more; "
        + ("the same winner" if same else f"{best.order[0][0]}, not {' and '.join(gap.ranking.winners)}, wins"),
        convention="every instance of every task is a voter; a missing score is a tie for Kemeny and last for "
        "Borda; ties of Borda broken in its favour",
        command="rules.kemeny(rules.pooled(instances))",
        verdict=Verdict.ADDED,
        why="solved and proved in moments, and Borda is near" + ("" if best.unique else "; several orders are optimal"),
    )


def winners_row(systems: Mapping[str, Levels], documents: Mapping[str, Levels]) -> Row:
    """Return the row on how many winners the three procedures have."""
    counts = [{title: len(set(one.winners)) for title, one in rankings.items()} for rankings in (systems, documents)]
    three = [sum(number == 3 for number in one.values()) for one in counts]
    listed = ", ".join(f"{title} {number}" for title, number in counts[0].items())
    same = [sum(levels.one[0] == levels.two[0] for levels in one.values()) for one in (systems, documents)]
    return Row(
        paper=PAPER,
        item="section 5.3.1, three procedures and three winners",
        published="in 8 of 9 data sets",
        ours=f"in {three[0]} of {len(systems)}, of documents in {three[1]}; winning systems: {listed}",
        convention="first places that tie are one winner",
        command='rules.one_level(instances, "borda").winners, and so on',
        verdict=Verdict.OTHERWISE,
        why=f"one level and two have the same winner on {same[0]} sets, of documents on {same[1]}",
    )


def first_row(systems: Mapping[str, Levels], documents: Mapping[str, Levels]) -> Row:
    """Return the row of figures 4, 9 and 10: the first few in common, and the order of these."""
    told = []
    for kind, found in (("systems", systems), ("documents", documents)):
        shares, taus = (pd.DataFrame(one).mean(axis=0) for one in zip(*map(_in_common, found.values()), strict=True))
        told.append(f"{kind}: {_listed(shares)} in common, whose order has a tau of {_listed(taus)}")
    return Row(
        paper=PAPER,
        item="figures 4, 9 and 10, the first systems in common and their order",
        published="two levels and the mean have many in common, in another order; one level differs from both",
        ours="; ".join(told),
        convention="one level and two, the mean and two, the mean and one; the first half, ten at most, of each set, "
        "the mean over all sets; a tie that reaches beyond counts with the share of it that is within, and has "
        "no part in the order",
        command="rules.top_agreement(first, second, k)",
        verdict=Verdict.OTHERWISE,
        why="the figures are images: their statement is compared. One level and two have more in common, and in an "
        "order more alike, than either with the mean",
    )


def _in_common(levels: Levels) -> tuple[list[float], list[float]]:
    """Return for each two rankings the share of the first few in common, and tau among those that are."""
    count = sum(map(len, levels.mean))
    few = max(1, min(10, count // 2))
    shares, taus = [], []
    for pair in ((levels.one, levels.two), (levels.mean, levels.two), (levels.mean, levels.one)):
        shares.append(float(top_agreement(*pair, few)))
        both = set.intersection(*({name for group in _first(order, few) for name in group} for order in pair))
        kept = [tuple(tuple(name for name in group if name in both) for group in order) for order in pair]
        one, other = (tuple(group for group in order if group) for order in kept)
        taus.append(kendall_tau(one, other) if len(both) > 1 else float("nan"))
    return shares, taus


def _first(order: Order, few: int) -> Order:
    """Return the groups that are wholly among the first few."""
    ends = np.cumsum([len(group) for group in order])
    return tuple(group for group, end in zip(order, ends.tolist(), strict=True) if end <= few)


def sizes_row(data: Path) -> Row:
    """Return the row of table 6: how large the data sets are."""
    sizes = {}
    for name, title in TITLES.items():
        of = read(data, name, of="systems")
        columns = of.table(of.tasks[0]).columns
        sizes[title] = (len(of.tasks), len(of.models) * len(columns))
    listed = ", ".join(f"{title} {tasks} x {rows}" for title, (tasks, rows) in sizes.items())
    return Row(
        paper=PAPER,
        item="table 6, size of the instance-level data sets",
        published=", ".join(f"{title} {tasks} x {rows}" for title, (tasks, rows) in SIZES.items()),
        ours=listed,
        convention="tasks x rows of the file, each a system on a document",
        command="read_instances(file).tasks",
        verdict=Verdict.REPRODUCED if sizes == SIZES else Verdict.OTHERWISE,
        why="" if sizes == SIZES else "what the paper calls instances are pairs of a system and a document",
    )


def _drawings_row() -> Row:
    return Row(
        paper=PAPER,
        item="figures 1 and 2, what is aggregated and how",
        published="drawings",
        ours="none",
        convention="",
        command='rules.rank(board, "borda"); rules.one_level(instances, "borda"); rules.two_level(instances, "borda")',
        verdict=Verdict.NOT_REPRODUCIBLE,
        why="they hold no figure to compare; the calls are what they draw",
    )


def _listed(values: Iterable[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    for row in rows(data_folder()):
        print(row)
