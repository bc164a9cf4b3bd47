"""Whether the words of a report's page follow from its results: the page is made again from them, and compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from weightlab._result import Result, ensure, part, read_items, read_list, result_from_dict
from weightlab._version import __version__
from weightlab.data import Leaderboard, Suite
from weightlab.exceptions import InputError, ProofError, UnprovedError, WeightlabError
from weightlab.report.benchmark_report import report
from weightlab.report.context import CommandLine
from weightlab.report.output.document import PACK, Document, lines_in_page
from weightlab.report.output.rendering import figures_in, page_of
from weightlab.rules.registry import read_rule
from weightlab.views.unproved import REASONS, Answers, Kept

SECONDS = 60.0
"""So long may be asked again what a page says to have no answer; honest pages need a fraction."""
PACKED = re.compile(f'(?<=<script type="application/json" id="{PACK}">)"[^<"]*"(?=</script>)')
"""What is deflated in a page."""
SEEN = 70
"""Characters of the first difference shown."""


class PageWords(NamedTuple):
    """What became of comparing a page's words.

    Attributes
    ----------
    reason : str
        Why they could not be compared; empty where they were.
    unanswered : tuple of str
        The questions that the page leaves without a proved answer, each with the reason that it gives.
    """

    reason: str
    unanswered: tuple[str, ...] = ()


def compared_words(document: Document, source: Leaderboard | Suite | None = None) -> PageWords:
    """Compare a page with the one that its results make, all but the pictures.

    Parameters
    ----------
    document : Document
        Read from a page; its results have been verified.
    source : Leaderboard or Suite, optional
        The table that the page is said to be about.

    Returns
    -------
    PageWords
        Words cannot be compared of a page that another version wrote. That time was lacking for an answer cannot be
        re-checked: such questions are named.

    Raises
    ------
    ProofError
        Naming the first line that differs, or what of the page's making is false.
    """
    if document.version != __version__:
        return PageWords(f"written by {document.version or 'an unknown version'}")
    try:
        return _compared(document, source)
    except ProofError:
        raise
    except UnprovedError as error:
        return PageWords(error.message)
    # What a page was asked with is read as it comes: whatever its form, no report can be made from it.
    except (WeightlabError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ProofError(f"the page cannot be made again from what it holds: {error}") from error


def _compared(document: Document, source: Leaderboard | Suite | None) -> PageWords:
    made = document.asked
    own: Leaderboard | Suite = _source(part(made, "source", "the page"))
    if isinstance(own, Leaderboard) and source is not None:
        own.ensure_same(source)
    elif isinstance(own, Suite) and source is not None:
        ensure(isinstance(source, Suite) and own.equals(source), "the source is not the suite that the page shows")
    document.verify(own)
    answers = Answers([_answer(one, document.results, own) for one in read_list(part(made, "answers", ""), "answers")])
    asked = dict(read_items(part(made, "asked", "the page"), "asked"))
    call = {name: tuple(one) if isinstance(one, list) else one for name, one in read_items(asked.pop("call"), "call")}
    rules = [read_rule(one, "a rule") for one in read_list(asked.pop("rules"), "rules")]
    again = report(
        own,
        **asked,
        rules=rules,
        call=CommandLine(**dict[str, Any](call)),
        options={**document.options, "notes": document.notes, "reading": document.reading},
        time_limit=SECONDS,
        answers=answers,
    )
    page = page_of(again, figures_in(document.page))
    if answers.unsure:
        return PageWords("a question without an answer was not decided again", again.unproved)
    _ensure_same(document.page, page)
    return PageWords("", again.unproved)


def _source(written: Any) -> Leaderboard | Suite:
    if isinstance(written, Mapping) and "datasets" in written:
        return Suite.from_dict(written)
    return Leaderboard.from_dict(written)


def _answer(written: Any, results: Sequence[Result], source: Leaderboard | Suite) -> Kept:
    """Return an answer: one of the page's results, another one that is verified here, a known reason, or None."""
    if written is None:
        return None
    if isinstance(written, str):
        ensure(written in REASONS, f"{written[:SEEN]!r} is no reason for want of an answer")
        return written
    if type(written) is int:
        if not 0 <= written < len(results):
            raise InputError(f"there is no result {written}")
        return results[written]
    found = result_from_dict(written)
    found.verify(source)
    return found


def _ensure_same(page: str, made: str) -> None:
    """Raise ProofError with the first line that differs, unless a page is the one that was made."""
    lines, wanted = (PACKED.sub("", one, count=1).split("\n") for one in (page, made))
    if page != made and lines == wanted:  # two libraries deflate the same text differently
        lines, wanted = map(lines_in_page, (page, made))
    number = _alike(lines, wanted)
    if lines != wanted:
        one, other = (texts[number] if number < len(texts) else "" for texts in (lines, wanted))
        start = max(0, _alike(one, other) - SEEN // 2)
        says, would = (text[start : start + SEEN] for text in (one, other))
        raise ProofError(f"line {number + 1} of the page says {says!r}; what it holds makes it {would!r}")


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many texts, or letters, are the same before the first that is not."""
    differing = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))
