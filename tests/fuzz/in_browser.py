"""Compare the page with the second checker on altered documents: ``python -m tests.fuzz.in_browser --units 300``.

Each unit is one document of a kind that the checker knows, altered 40 times. Prints counts by what both say, and each
document of which they say different things; the exit code is 1 where there is one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.fuzz.documents import KINDS, Unit
from tests.fuzz.questions import is_of_votes
from tests.report.browser.verdicts import Case, by_checker, by_page
from tests.report.chromium import browser, opener
from weightlab import checker
from weightlab.report.browser import table_page

KNOWN = tuple(name for name in KINDS if name.partition(":")[0] in checker.KINDS)
ALTERATIONS = 40
BATCH = 25
"""Units that are asked about in one call."""


def cases(unit, count=ALTERATIONS):
    """Yield alterations of one document as cases, without groups, which no page is told of."""
    for one in range(count):
        made = unit.altered(one)
        text = made.text.encode("utf-8", "surrogatepass").decode("utf-8-sig", "surrogatepass")
        has_table = made.with_table and not is_of_votes(unit.name)
        table, declared = made.world.csv() if has_table else (None, checker.Declared())
        yield Case(text, table, declared._replace(groups={}))


def main(listed=None):
    """Run as the arguments say and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.in_browser", description=__doc__)
    parser.add_argument("--units", type=int, default=50)
    parser.add_argument("--seed", default="0")
    options = parser.parse_args(listed)
    counts, html = Counter(), table_page()
    with (
        tempfile.TemporaryDirectory() as folder,
        browser() as chromium,
        opener(chromium, Path(folder), lambda _: html) as open_page,
    ):
        page = open_page(None)
        for start in range(0, options.units, BATCH):
            numbers = range(start, min(start + BATCH, options.units))
            made = [case for number in numbers for case in cases(Unit(options.seed, number, KNOWN))]
            for case, there in zip(made, by_page(page, made), strict=True):
                here = by_checker(case)
                counts[here[0], there[0]] += 1
                if here[0] is not there[0]:
                    print(f"{case}\nchecker: {here}\npage: {there}\n")
    apart = sum(count for (here, there), count in counts.items() if here is not there)
    said = ", ".join(f"{count} {here}" for (here, there), count in counts.items() if here is there)
    print(f"{sum(counts.values()):,} documents: both say {said}; {apart} apart")
    return int(apart > 0)


if __name__ == "__main__":
    sys.exit(main())
