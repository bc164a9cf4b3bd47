"""Figure 2 of Vote'n'Rank and figures 3, 5, 6, 7 and 8 of Colombo et al.: scores taken away, tasks removed or spoilt.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce.changed_tables
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import weightlab as wl
from examples.reproduce.row import Row, Verdict, data_folder
from examples.reproduce.votenrank_boards import paper_board
from weightlab.rules import rule
from weightlab.studies import manipulation, missing_scores, task_removal

__all__ = ["instance_rows", "manipulation_rows", "missing_rows", "removal_rows", "rows"]

COLOMBO = "Colombo et al."
TITLES = {"glue105": "figures 5 and 7, GLUE", "superglue24": "figure 7, SuperGLUE", "xtreme15": "figure 5, XTREME"}
SETS = ("dialog_pc", "dialog_tc", "flickr", "mlqe", "real_sum", "sum_eval", "tac_08")
RULES = {
    "mean": rule("mean", missing="median"),
    "optimality gap": rule("optimality_gap", gamma=95, missing="median"),
    "Minimax": "minimax",
    "Copeland": "copeland",
}


def rows(data: Path) -> list[Row]:
    """Return all rows."""
    return [*missing_rows(data), *manipulation_rows(data), *removal_rows(data), *instance_rows(data)]


def missing_rows(data: Path, *, repeats: int = 100) -> list[Row]:
    """Return the rows of figure 2 of Vote'n'Rank."""
    found = []
    for name, title in (("glue", "GLUE"), ("superglue", "SuperGLUE")):
        board = paper_board(data, name)
        scores = int((board.weights > 0).sum()) * len(board.models)
        counts = [scores // 20, scores // 5]
        study = missing_scores(board, RULES, counts=counts, repeats=repeats, rng=0)
        rho = study.summary()["top_rho"]
        values = {one: [float(rho[one, count]) for count in counts] for one in RULES}
        best = max(values, key=lambda one: sum(values[one]))
        found.append(
            Row(
                paper="Vote'n'Rank",
                item=f"figure 2, {title}",
                published="Copeland is the most stable, mean and optimality gap less",
                ours=f"with {counts[0]} and {counts[1]} of {scores} scores taken away: {_listed(values)}; "
                f"{best} is the most stable",
                convention=f"Spearman's rho of the first 7 models of the whole board (and those tied with the seventh) "
                f"among themselves, mean of {repeats} draws; medians for missing scores in means; the 30 models of "
                "table 1 on GLUE",
                command="studies.missing_scores(board, rules, counts=..., rng=0).summary()",
                verdict=Verdict.WITH_CONVENTION if best == "Copeland" else Verdict.OTHERWISE,
                why="the figure is an image, and which rankings are correlated is not written: its statement is "
                "compared. Minimax gives many models one score, and its rho is of weak orders",
            )
        )
    return found


def manipulation_rows(data: Path) -> list[Row]:
    """Return the rows of figures 3 and 6; ``data`` is not needed, the scores are synthetic."""
    del data
    points = manipulation(repeats=20, rng=0).breaking_points(0.75).astype(int)
    ours = "; ".join(
        f"{name} {' '.join(map(str, row))}" for name, row in zip(points.index, points.to_numpy(), strict=True)
    )
    published = "mean 2 3 5; borda, one level 5 7 10; borda, two levels 10 11 11"
    figure_3 = Row(
        paper=COLOMBO,
        item="figure 3, reversed tasks of 20 at an error of .75",
        published=published,
        ours=ours,
        convention="dispersions .05, .1 and .25, which the paper does not name; 20 draws",
        command="studies.manipulation(repeats=20, rng=0).breaking_points(0.75)",
        verdict=Verdict.WITH_CONVENTION if ours == published else Verdict.OTHERWISE,
        why="a reversed task spreads the systems by 1 each, an honest one by the dispersion: so few suffice",
    )
    found = manipulation("mean", reversed_tasks=[0, 1], factors=[2, 7], dispersions=[0.05, 0.1, 0.3], repeats=20, rng=0)
    error = found.summary()["error"]["mean"]
    parts = [
        f"{kind} task: factor 2 "
        + " ".join(f"{error[one, count, 2.0]:.2f}" for one in found.values("dispersion"))
        + ", factor 7 "
        + " ".join(f"{error[one, count, 7.0]:.2f}" for one in found.values("dispersion"))
        for count, kind in enumerate(("honest", "reversed"))
    ]
    figure_6 = Row(
        paper=COLOMBO,
        item="figure 6, error of the mean with one task rescaled",
        published="above .9 with a factor of 2, for a larger dispersion with one of 7",
        ours="; ".join(parts),
        convention="dispersions .05, .1 and .3",
        command='studies.manipulation("mean", reversed_tasks=[0, 1], factors=[2, 7], rng=0).summary()',
        verdict=Verdict.OTHERWISE,
        why="an honest task that is rescaled changes the order by the mean only mildly, for its own is right, too: "
        "large errors need a task that is reversed as well",
    )
    return [figure_3, figure_6]


def removal_rows(data: Path, *, repeats: int = 100) -> list[Row]:
    """Return the rows of figures 5 and 7, of whole tasks."""
    found = []
    for name, title in TITLES.items():
        board = wl.read_leaderboard(data / "colombo" / f"{name}.csv")
        count = len(board.tasks)
        sizes = sorted({max(1, count // 4), count // 2, 3 * count // 4})
        table = task_removal(board, sizes=sizes, repeats=repeats, rng=0).summary()
        values = {one: [float(table.loc[(one, size), "tau_b"]) for size in sizes] for one in ("mean", "borda")}
        level, contrary = [], []
        for size in sizes:
            mean, borda = table.loc[("mean", size)], table.loc[("borda", size)]
            if mean["low"] > borda["high"]:
                contrary.append(size)
            elif mean["high"] > borda["low"]:
                level.append(size)
        overlap = f"; on {', '.join(map(str, level))} the 95% intervals of the two overlap" if level else ""
        found.append(
            Row(
                paper=COLOMBO,
                item=title,
                published="the ranking by Borda is consistently more robust",
                ours=f"mean tau-b on {', '.join(map(str, sizes))} of {count} tasks: {_listed(values)}{overlap}",
                convention=f"tau-b of weak orders, mean of {repeats} draws; all columns of the table count as tasks",
                command="studies.task_removal(board, sizes=..., rng=0).summary()",
                verdict=Verdict.OTHERWISE if contrary else Verdict.REPRODUCED,
                why="the figure is an image: its statement is compared",
            )
        )
    return found


def instance_rows(data: Path, *, repeats: int = 50) -> list[Row]:
    """Return the rows of figures 5 and 8, of instances: documents as coded, and systems."""
    return [_instance_row(data, coded=coded, repeats=repeats) for coded in (True, False)]


def _instance_row(data: Path, *, coded: bool, repeats: int) -> Row:
    model, instance = ("System", "Utterance") if coded else ("Utterance", "System")
    parts, firm = [], []
    for name in SETS:
        source = wl.read_instances(data / "colombo" / "instances" / f"{name}.csv", model=model, instance=instance)
        if len(source.models) > 500:
            continue
        half = len(source.tasks) // 2
        values = []
        for one, how in (("mean", "means"), ("borda", "one_level"), ("borda", "two_level")):
            study = task_removal(source, one, how=how, sizes=[half], repeats=repeats, rng=0)
            values.append(float(study.summary()["tau_b"].iloc[0]))
        parts.append(f"{name} " + " ".join(f"{value:.2f}" for value in values))
        firm.append(min(values[1:]) > values[0])
    return Row(
        paper=COLOMBO,
        item=f"figures 5 and 8, instances, {'documents ranked, as coded' if coded else 'systems ranked'}",
        published="rankings by Borda, of one level and of two, are more robust than by the mean",
        ours=f"mean tau-b on half of the tasks by mean, one level, two levels: {'; '.join(parts)}; so in "
        f"{sum(firm)} of {len(firm)} sets",
        convention=f"mean of {repeats} draws; "
        + ("sets of more than 500 documents left out" if coded else "model = Utterance"),
        command="studies.task_removal(instances, rule, how=..., rng=0).summary()",
        verdict=Verdict.WITH_CONVENTION if coded and all(firm) else Verdict.OTHERWISE,
        why="what the files call System is the document" if coded else "what the files call Utterance is the system",
    )


def _listed(values: Mapping[str, list[float]]) -> str:
    return ", ".join(f"{name} {' '.join(f'{one:.2f}' for one in listed)}" for name, listed in values.items())


if __name__ == "__main__":
    for row in rows(data_folder()):
        print(row)
