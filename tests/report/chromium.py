"""Debian's Chromium through Playwright, for tests of pages as readers meet them."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browser():
    """Yield a headless Chromium, or skip where there is none: no test downloads one."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (weightlab[browser])")
    path = os.environ.get("WEIGHTLAB_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no Chromium on PATH ({', '.join(NAMES)}), and WEIGHTLAB_CHROMIUM names none")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@contextmanager
def opener(chromium, folder, page_of):
    """Yield how to open the page that ``page_of(thing)`` makes, with options of a browser context; watch them all.

    At the end no page has complained on its console, thrown an error, opened a dialog or asked the network.
    """
    contexts, gathered = {}, []

    def open_page(thing, fragment="", **options):
        key = repr(sorted(options.items()))
        if key not in contexts:
            contexts[key] = chromium.new_context(**options)
        place = folder / str(len(gathered))
        place.mkdir()
        page, complaints = watched(contexts[key], place, page_of(thing), fragment)
        gathered.append(complaints)
        return page

    yield open_page
    for context in contexts.values():
        context.close()
    assert [one for complaints in gathered for one in complaints] == []


def watched(context, folder, html, fragment=""):
    """Open a page from a file and return it with the list that gathers what it complains of or asks the network for."""
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8")
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}") or dialog.dismiss())
    own = (path.as_uri(), "blob:")  # a worker's script, made in the page, is no network
    page.on("request", lambda asked: asked.url.startswith(own) or complaints.append(asked.url))
    page.goto(path.as_uri() + fragment)
    return page, complaints


def drawn(page):
    """Wait until the page has drawn what was asked of it: two frames."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
