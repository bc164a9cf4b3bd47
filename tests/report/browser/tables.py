"""Tables as files for the page that reads them, drawn with a seed, and how Python is told to read the same."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field

import weightlab as wl


@dataclass(frozen=True)
class File:
    """A table's text with what is declared of it."""

    text: str
    lower: tuple[str, ...] = ()
    weights: dict[str, str] = field(default_factory=dict)
    complete: bool = False

    def board(self):
        """Return what Python reads."""
        options = {"lower_is_better": self.lower, "weights": self.weights}
        board = wl.read_leaderboard(io.StringIO(self.text), config={}, standard_errors=None, **{"keep": "*", **options})
        return board.complete() if self.complete else board


CELLS = ("0", "1", "1", "2.0", "2", "3", "-0.5", ".25", "1e-1", "0.1", "12345678901234567890.5", "+7")
ODD = ('a "quoted" name', "comma, in it", "<b>markup</b>", "__proto__", "10", "9", "bl ank", "שלום")


def drawn_file(seed):
    """Return a file with ties, gaps, directions, weights and odd names, the same for one seed."""
    rng = random.Random(seed)  # noqa: S311 - tables, not secrets
    models = [f"m{place}" for place in range(rng.randint(2, 12))] + rng.sample(ODD, rng.randint(0, 4))
    tasks = [f"t{place}" for place in range(rng.randint(1, 9))] + rng.sample(ODD, rng.randint(0, 3))
    gaps = rng.choice([0, 0, 0.15, 0.4])
    cells = rng.choice([CELLS, CELLS[:6], tuple(f"{place / 4}" for place in range(200))])
    rows = [
        [rng.choice(cells) if rng.random() >= gaps else rng.choice(("", "-", "n/a")) for _ in tasks] for _ in models
    ]
    for place, row in enumerate(rows):  # no row and no column without any score
        row[place % len(tasks)] = "5"
    for place in range(len(tasks)):
        rows[0][place] = "4"
    quoted = lambda name: '"' + name.replace('"', '""') + '"'  # noqa: E731
    lines = [["model", *map(quoted, tasks)], *([quoted(model), *row] for model, row in zip(models, rows, strict=True))]
    ends = rng.choice(["\n", "\r\n"])
    text = rng.choice(["", "\ufeff"]) + "".join(",".join(line) + ends for line in lines)
    weights = {task: rng.choice(["0", "2", "0.1", "1/3", "7"]) for task in tasks[1:] if rng.random() < 0.5}
    lower = tuple(task for task in tasks if rng.random() < 0.3)
    return File(text, lower, weights)
