"""A page that uses a term of the glossary links it, where it first stands in a sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [page for room in ("how-to", "explanation", "tutorials") for page in sorted((DOCS / room).glob("*.md"))]
TERMS = {
    "weighting": r"weightings?",
    "head-to-head": r"head-to-heads?",
    "condorcet-winner": r"Condorcet winner",
    "can-win-ties-at-best-can-never-win": r"can win|ties? at best|can never win",
    "blockers": r"blockers?",
    "majority-cycle": r"majority cycles?",
    "smith-set": r"Smith sets?",
    "voting-rule": r"voting rules?",
    "kendalls-tau": r"Kendall's tau",
    "adjacent-pair": r"adjacent pairs?",
    "bootstrap-resample": r"(?:bootstrap )?resamples?",
    "joint-rank-set": r"rank sets?",
    "flattest-winning-weights": r"flattest (?:winning )?weights",
    "weight-to-move": r"weight (?:to move|shift)",
    "missing-score": r"missing scores?",
}
"""Terms by the place in the glossary that says what they mean, in the forms in which they stand in sentences."""
CODE = re.compile(
    r"^(`{3,}).*?^\1 *$|^#.*?$|^---\n.*?^---$|^\|.*?$|^!?\[.*?$|<[^>]*>|`[^`]*`|!?\[[^\]]*\]\([^)]*\)",
    re.MULTILINE | re.DOTALL,
)
"""Blocks and words of code, headings, tables, links."""


def unlinked(page):
    """Yield where each term first stands in a sentence of a page that does not link it before."""
    text = page.read_text(encoding="utf-8")
    prose = CODE.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), text)
    for anchor, words in TERMS.items():
        found = re.search(rf"\b(?:{words})\b", prose.replace("\n", " "), re.IGNORECASE)
        link = re.search(rf"glossary\.md#{anchor}\)", text)
        if found and (link is None or link.start() > found.end() + 200):
            yield anchor, found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_links_each_term_of_the_glossary(page):
    if page.name in {"glossary.md", "index.md"}:
        pytest.skip("the terms themselves, and lists of pages")
    assert [anchor for anchor, _ in unlinked(page)] == []
