"""Tables with columns of every kind under names of every kind, drawn with a seed: what a reading has to tell apart."""

from __future__ import annotations

import csv
import io
import random

from weightlab.io.reading.words import lexicon

PLAIN = ("math", "code", "qa", "logic", "vision", "speech", "planning")
TRAPS = (
    *("Score", "Memory KV", "Memory Vec", "Error Detection", "lang de", "x ↑", "y ↓", "acc_std", "acc", "size (GB)"),
    *(
        "latency_ms",
        "tok per sec",
        "s/it",
        "CB_n1",
        "#",
        "Rank",
        "avg_rank",
        "Overall Acc",
        "min acc",
        "top1",
        "top1_err",
    ),
    *("mean_x", "std_x", "x", "x_lower", "x_upper", "$\\alpha$", "corpus_avg", "Mean Score", "**wer**", "ids"),
)
KEYS = ("model", "model", "name", "", "method", "dataset", "task", "Model", "algorithm", "system", "language", "team")
ODD_NAMES = ("7B", "13B", "70B", "iris", "adult", "cifar10", "car", "wine")
TEXTS = ("x", "y", "MIT", "7B", "2023-01-02", "http://a.b/c", "a b", "?")
DRESSES = ("**%s**", "%s ms", "%s", "%s%%", "%s (1)", "$%s", "%s ± 0.2")
RANGES = ((0, 1), (0, 100), (50, 90), (0, 5), (60, 65), (0, 1000), (100, 180))


def drawn_columns(seed):
    """Return the text of a table, the same for one seed."""
    rng = random.Random(seed)  # noqa: S311 - tables, not secrets
    rows = rng.choice((2, 3, 4, 6, 7, 8, 9, 10, 12, 13, 14, 20, 30, 40))
    words = [*TRAPS, *(word for role, its in lexicon().roles.items() if role != "data set name" for word in its)]
    plain, columns, header = rng.choice((0.2, 0.8)), [], []
    for _ in range(rng.randint(1, 7)):
        columns.append(_cells(rng, rows, [one for one in columns if _is_plain(one)]))
        header.append(rng.choice(PLAIN if rng.random() < plain else words))
    rng.shuffle(columns)
    at = 0 if rng.random() < 0.8 else rng.randint(0, len(header))
    header.insert(at, rng.choice(KEYS))
    odd = rng.random() < 0.1
    columns.insert(at, [f"{rng.choice(ODD_NAMES)}{row}" if odd else f"m{row}" for row in range(rows)])
    if rng.random() < 0.2:
        at = rng.randint(0, len(header))
        header.insert(at, rng.choice(("license", "org", "dataset", "family")))
        columns.insert(at, [rng.choice("pqrs") for _ in range(rows)])
    gaps = 0.1 if rng.random() < 0.1 else 0
    told = [name if name not in header[:place] else f"{name} {place}" for place, name in enumerate(header)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(told)
    writer.writerows(["" if rng.random() < gaps else one[row] for one in columns] for row in range(rows))
    return text.getvalue()


def _is_plain(cells):
    return all(one.replace(".", "").isdigit() for one in cells)


def _cells(rng, rows, others):
    """Return the cells of a column: scores, what is made of others, counts, flags, ranks, sentinels, clocks, texts."""
    kind, places = rng.random(), rng.choice((0, 1, 2, 2, 3, 4))
    own = [[float(one[row]) for one in others] for row in range(rows)]
    low, high = rng.choice(RANGES)
    values = [rng.uniform(low, high) for _ in range(rows)]
    if kind < 0.2 and len(others) > 1:
        some, share = rng.randint(2, len(others)), rng.random() < 0.6
        weights = [rng.choice((0.1, 0.2, 0.3, 0.4)) if kind < 0.03 else 1 for _ in range(some)]
        below = sum(weights) if share else 1
        values = [sum(w * one for w, one in zip(weights, row[:some], strict=True)) / below for row in own]
        values = [min(row) for row in own] if kind > 0.18 else values
    elif kind < 0.27 and others:
        whole, factor = rng.choice(((1, -1), (100, -1), (0, 1), (0, 2), (0, 100), (0, 1.02)))
        values, places = [whole + factor * row[0] for row in own], rng.choice((2, 4))
    elif kind < 0.3:
        values, places = rng.sample(range(1, rows + 1), rows) if rng.random() < 0.5 else range(1, rows + 1), 0
    elif kind < 0.4:
        some = rng.choice(((1,), (0, 1), (1, 2, 3, 4, 5), (-1, 40.5, 31, 7.25), (0, 71.5, 72, 72.5), (3, 9e4, 2e7, 11)))
        values = [rng.choice(some) for _ in range(rows)]
    elif kind < 0.42:
        values, places = [rng.uniform(1e9, 1.7e9) for _ in range(rows)], 0
    elif kind < 0.48:
        return [rng.choice(TEXTS) for _ in range(rows)]
    elif kind < 0.5:
        return [rng.choice(DRESSES) % f"{one:.{places}f}" for one in values]
    return [f"{one:.{places}f}" for one in values]
