"""Write docs/reproduction.md and its notes: which figures of the three papers reproduce on the public score tables.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce
"""

from __future__ import annotations

import sys
from time import perf_counter

from examples.reproduce.page import EXPERIMENTS, NOTES, PAGE, notes, page
from examples.reproduce.row import data_folder

if __name__ == "__main__":
    data, rows = data_folder(), []
    for one in EXPERIMENTS:
        start = perf_counter()
        rows += one.rows(data)
        print(f"{one.name}: {perf_counter() - start:.1f} s", file=sys.stderr)
    PAGE.write_text(page(rows), encoding="utf-8")
    NOTES.write_text(notes(rows), encoding="utf-8")
    print(f"{len(rows)} rows in {PAGE}")
