"""The page that takes a table and answers in the browser: the explorer's scripts and its own, in one HTML file."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from weightlab._version import __version__
from weightlab.data import Leaderboard
from weightlab.data.own_rule import COUNT_WORDS, MEASURED_WORDS
from weightlab.datasets import load_leaderboard
from weightlab.io.reading.roles import GOOD
from weightlab.io.reading.words import NEVER_AFTER_A_BLANK, WEAK_TOTALS, lexicon
from weightlab.io.tables.heads import KEYS
from weightlab.report import explorer
from weightlab.report.explorer.explorer import conventions, hash_of, script_of, section, style
from weightlab.report.output.document import harmless_json

START = "13_start.js"
"""What opens the explorer of a report: here the page opens it."""


def table_page() -> str:
    """Return a page that takes a score table and says who can win head-to-head, in exact arithmetic in the browser.

    Returns
    -------
    str
        One HTML file that needs no server. Its policy forbids it the network, and admits its own script and style
        only, by their hashes; a worker runs the same script.

    Examples
    --------
    >>> from weightlab.report.browser import table_page
    >>> "connect-src" in table_page(), "default-src 'none'" in table_page()
    (False, True)
    """
    loader = PackageLoader("weightlab.report.browser", ".")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    css = style() + (files(__package__) / "page.css").read_text(encoding="utf-8")
    script = script_of(explorer.__name__, __package__, without=START)
    checker = (files("weightlab") / "checker.py").read_text(encoding="utf-8")
    return environment.get_template("page.html.jinja").render(
        version=__version__,
        explorer=section(),
        css=css,
        script=script,
        style_hash=hash_of(css),
        script_hash=hash_of(script),
        data=harmless_json(
            {
                "version": __version__,
                "sample": _sample(),
                "offers": _offers(),
                "words": words_told(),
                "checker": checker,
            }
        ),
    )


def words_told() -> dict[str, Any]:
    """Return the words by which columns are read, as the page's own reader takes them."""
    known = lexicon()
    return {
        "roles": {role: list(words) for role, words in known.roles.items()},
        "ends": sorted(known.ends),
        "weak": sorted(WEAK_TOTALS),
        "joined": sorted(NEVER_AFTER_A_BLANK),
        "keys": list(KEYS),
        "good": sorted(GOOD),
        "measured": sorted(MEASURED_WORDS),
        "counts": sorted(COUNT_WORDS),
    }


def _sample() -> dict[str, str]:
    """Return one metric of a table that ships, for who has none at hand."""
    board = load_leaderboard("classifiers")
    chosen = board.select(tasks=[task for task in board.tasks if task.startswith("accuracy/")])
    return {"name": "classifiers.csv", "text": str(chosen.scores.to_csv(index_label="model"))}


def _offers() -> dict[str, Any]:
    """Return the rules that the explorer offers for tables with every score, and for those with gaps."""
    last: dict[str, int | None] = {"whole": 2, "gaps": None}
    boards = {name: Leaderboard({"a": {"x": 1, "y": own}, "b": {"x": 1, "y": 2}}) for name, own in last.items()}
    return {name: conventions(board) for name, board in boards.items()}
