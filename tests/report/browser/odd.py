"""Files that are hardly tables: drawn with a random generator."""

from __future__ import annotations

CELLS = (
    *(
        "1",
        "0",
        "2.5",
        "-1",
        ".5",
        "5.",
        "1e3",
        "1E-2",
        "+3",
        "",
        "-",
        "NA",
        "n/a",
        "NaN",
        " 4 ",
        "\t7",
        "0x10",
        "1_000",
    ),
    *("٣", "1,5", "93%", "93.1 %", "--", "inf", "nan", "null", "None", "1/2", "84.2 ± 0.3", "true", "1e400", "1e-399"),
    *("00012", "abc", '"q"', "１", "e5", "+", "."),  # noqa: RUF001
)
NAMES = ("a", "b", "c", "model", "Model", "name", "", "rank", "a_stderr", "loss", "1", "x y", " a", "a")
SEPARATORS = (",", ",", ",", ";", "\t", "|")


def odd_file(rng):
    """Return a text with more or less of what tables have wrong, and what divides its columns."""
    separator, odd = rng.choice(SEPARATORS), rng.random()
    tasks, models = rng.randint(1, 4), rng.randint(0, 4)
    header = [rng.choice(NAMES) if rng.random() < 0.3 else f"t{place}" for place in range(tasks + 1)]
    header[0] = "model" if rng.random() < 0.7 else header[0]
    rows = [header]
    for place in range(models):
        name = rng.choice(["x", "", " "]) if rng.random() < 0.05 else f"m{place}"
        rows.append([name, *(_odd_cell(rng, odd) for _ in range(tasks))])
    if models and rng.random() < 0.1:
        rows[-1].append("1")
    for blank in ([""], [" ", "  "]):
        if rng.random() < 0.07:
            rows.insert(rng.randint(0, len(rows)), blank)
    lines = [separator.join(_written(rng, cell, separator) for cell in row) for row in rows]
    text = rng.choice(["\n", "\n", "\r\n", "\r"]).join(lines) + rng.choice(["", "\n", "\n\n"])
    text = f"sep={separator}\n{text}" if rng.random() < 0.05 else text
    text = text.replace("m0", '"m0"x') if rng.random() < 0.03 else text
    return ("\ufeff" if rng.random() < 0.1 else "") + text + ('"' if rng.random() < 0.03 else ""), separator


def _odd_cell(rng, odd):
    return rng.choice(CELLS) if rng.random() < 0.4 * odd else str(rng.randint(0, 5))


def _written(rng, cell, separator):
    needs = separator in cell or '"' in cell or rng.random() < 0.1
    return '"' + cell.replace('"', '""') + '"' if needs else cell
