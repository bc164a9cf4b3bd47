"""Draw the pages of the guide, a report in both colours and the weight explorer, as a browser shows them.

Run it as ``python examples/draw_pages.py docs/how-to/pictures``; without a folder it draws into the current one.
It needs matplotlib, Playwright and Chromium: ``pip install 'weightlab[browser,plot]'``.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import weightlab as wl
from weightlab.report import CommandLine, report

SCORES = Path(__file__).parent.parent / "docs" / "files" / "scores.csv"


def main(folder: Path) -> None:
    """Draw the three pictures."""
    scores = wl.read_leaderboard(SCORES)
    called = CommandLine(file=SCORES.name)
    whole = report(scores, title="scores: 4 models x 3 tasks", models=["ada"], call=called)
    explorer = report(wl.datasets.load_leaderboard("classifiers"), only=["explorer"])
    browser_path = os.environ.get("WEIGHTLAB_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as made, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for name, one, scheme in (
            ("report_light", whole, "light"),
            ("report_dark", whole, "dark"),
            ("explorer", explorer, "light"),
        ):
            path = Path(made, f"{name}.html")
            path.write_text(one.to_html(), encoding="utf-8")
            page = browser.new_page(viewport={"width": 980, "height": 1180}, color_scheme=scheme)
            page.goto(path.as_uri())
            if name == "explorer":
                page.get_by_label("Model", exact=True).select_option("LDA")
                page.get_by_role("button", name="Nearest weights").click()
                page.evaluate("document.getElementById('explorer').scrollIntoView()")
            page.wait_for_timeout(500)
            page.screenshot(path=folder / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path())
