"""A report: the questions about a benchmark, answered with their proofs, as a page, as Markdown or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from weightlab._result import to_json
from weightlab._text import shown
from weightlab.data import Leaderboard, LeaderboardLike, Suite, as_table
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.report.blocks import Contents, Section
from weightlab.report.context import CommandLine, ReportContext
from weightlab.report.sections.board import (
    Shares,
    board_table,
    firmness,
    model_section,
    suite_table,
    who_can_win,
    who_wins_today,
)
from weightlab.report.sections.suite import suite_sections
from weightlab.report.sections.trust import can_it_be_trusted, do_rules_agree, is_it_well_behaved
from weightlab.rules import Rule, rule
from weightlab.rules.registry import rule_to_json
from weightlab.views.unproved import Answers, Clock
from weightlab.views.verdicts import SAMPLES

SECTIONS = ("win", "today", "firm", "rules", "behaved", "trust", "models", "explorer", "table")
"""The parts of a report about a score table, in order; ``only=`` chooses among them."""
OF_SUITES = ("behaved", "datasets", "cycles", "table")
"""Those of a report about a suite."""


class Report(Contents):
    """Questions about a benchmark with their answers.

    Attributes
    ----------
    title : str
        The heading.
    sections : tuple of Section
        A question each, in the order of reading.
    options : mapping
        How the table was read, for verification of the results.
    call : CommandLine
        How to read it on the command line.
    board : Leaderboard or None
        What the weight explorer is about; None of a suite, and where the explorer is left out.
    unproved : tuple of str
        What was not proved, or not in time.
    date : str
        A date to show; nothing by default, so that the same input makes the same page.
    source : Leaderboard or Suite
        What the report is about.
    asked : mapping
        The settings of the question, ready for JSON.
    answers : Answers
        What was answered, question by question: with both the same words are made again.
    """

    def __str__(self) -> str:
        """Return the title and a line for each answer."""
        return "\n".join([self.title, *(f"{one.question} {one.answer}" for one in self.sections)])

    def to_html(self) -> str:
        """Return one self-contained page."""
        from weightlab.report.output.rendering import page_of  # noqa: PLC0415 - templates load only where a page is made

        return page_of(self)

    def _repr_html_(self) -> str:
        from weightlab.report.output.rendering import fragment_of  # noqa: PLC0415 - as above

        return fragment_of(self)

    def to_markdown(self) -> str:
        """Return the report as Markdown, with every table whole."""
        from weightlab.report.output.rendering import markdown_of  # noqa: PLC0415 - as above

        return markdown_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the results ready for JSON: a document with all proofs."""
        return self.document.to_dict()

    def to_json(self) -> str:
        """Return the document as JSON text."""
        return self.document.to_json()

    def verify(self, source: Leaderboard | Suite | None = None) -> bool:
        """Re-check every result; given the source, also that they are about it.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        return all(one.verify(source) for one in self.results)


def report(
    source: LeaderboardLike | Suite,
    *,
    title: str | None = None,
    models: Sequence[str] = (),
    rules: Sequence[str | Rule] = (),
    only: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = 0,
    time_limit: float | None = None,
    date: str = "",
    call: CommandLine | None = None,
    options: Mapping[str, Any] | None = None,
    answers: Answers | None = None,
    progress: Callable[[int], object] = bool,
) -> Report:
    """Answer the questions about a score table or a suite, on one page to send.

    Parameters
    ----------
    source : Leaderboard or Suite
        Of a table it is asked who can win, who wins today and how firmly, what the rules say, whether the rankings have
        a structure and whether the order can be trusted; of a suite whether it is well behaved, and where it breaks.
    title : str, optional
        The heading.
    models : sequence of str
        These models are described in detail.
    rules : sequence of str or Rule
        The rules to compare; by default eight usual ones, on long tables without those that search for an order. By the
        first one tasks are resampled (by default by the table's own).
    only : sequence of str
        Only these parts, among `SECTIONS` or for a suite ``"behaved"``, ``"datasets"``, ``"cycles"``, ``"table"``.
    samples : int
        Number of weightings to sample.
    seed : int
        Of all draws.
    time_limit : float, optional
        Seconds for the whole report: each search gets the rest, and open questions are listed.
    date : str
        Shown below the heading.
    call : CommandLine, optional
        How the table is read on the command line, for the commands that the report names.
    options : mapping, optional
        How the table was read, kept with the results, ``notes`` on it and its ``reading``: see `Document`.
    answers : Answers, optional
        Those of the report that is made again from its page; nothing is asked that they hold.
    progress : callable
        Told after each question how many were answered: 1.

    Returns
    -------
    Report
        ``.to_html()`` ``.to_markdown()`` ``.to_json()`` ``.sections`` ``.results`` ``.verify()``.

    Raises
    ------
    InputError
        If a model, a rule or a part is not known.

    Notes
    -----
    Questions that take too long on a table of its size are left out, and the report says which. The same input makes
    the same report, unless a search runs into its time limit.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}})
    >>> made = wl.report.report(board, only=["today"])
    >>> print(made)
    Report on 3 models x 2 tasks
    Who wins today? No model beats all its rivals, and the Smith set is all 3 models: no part beats the rest.
    >>> made.verify(board)
    True
    """
    table: Leaderboard | Suite = as_table(source)
    context = ReportContext(
        call=CommandLine() if call is None else call,
        clock=Clock(time_limit),
        samples=samples,
        seed=seed,
        answers=Answers() if answers is None else answers,
    )
    parts = _parts(table, only, models)
    if isinstance(table, Suite):
        answered = _of_suite(table, context, parts)
    else:
        answered = _of_board(table, context, parts, models=models, rules=rules)
    sections: list[Section] = []
    for section in answered:
        sections.append(section)
        progress(1)
    return Report(
        title=f"Report on {repr(table).partition(': ')[2]}" if title is None else shown(title),
        sections=tuple(sections),
        options={**(options or {}), "table": "suite" if isinstance(table, Suite) else "board"},
        call=context.call,
        board=table if isinstance(table, Leaderboard) and "explorer" in parts else None,
        unproved=tuple(context.unproved.messages),
        date=date,
        source=table,
        asked={
            "title": title,
            "models": list(models),
            "rules": [rule_to_json(rule(one) if isinstance(one, str) else one) for one in rules],
            "only": list(only),
            "samples": samples,
            "seed": seed,
            "date": date,
            "call": {name: to_json(value) for name, value in vars(context.call).items()},
        },
        answers=context.answers,
    )


def count_sections(source: Leaderboard | Suite, *, only: Sequence[str] = (), models: Sequence[str] = ()) -> int:
    """Return how many sections such a report has, for a progress bar."""
    parts = set(_parts(source, only, models))
    return len(parts - {"explorer", "models"}) + len(set(models)) * ("models" in parts)


def _parts(source: Leaderboard | Suite, only: Sequence[str], models: Sequence[str]) -> tuple[str, ...]:
    """Return the requested parts, after checking all names."""
    if not isinstance(source, Leaderboard | Suite):
        raise InputError(f"a report is about a Leaderboard or a Suite; got a {type(source).__name__}")
    known = OF_SUITES if isinstance(source, Suite) else SECTIONS
    for name in only:
        if name not in known:
            raise UnknownNameError("part", name, known, holder="report")
    if models and isinstance(source, Suite):
        raise InputError("a report about a suite tells no stories of single models")
    for model in models:
        if model not in source.models:
            raise UnknownNameError("model", model, source.models)
    return tuple(name for name in known if name in only) if only else known


def _of_suite(suite: Suite, context: ReportContext, parts: Sequence[str]) -> Iterator[Section]:
    if set(parts) - {"table"}:
        yield from (one for one in suite_sections(suite, context) if one.key in parts)
    if "table" in parts:
        yield suite_table(suite)


def _of_board(
    board: Leaderboard,
    context: ReportContext,
    parts: Sequence[str],
    *,
    models: Sequence[str],
    rules: Sequence[str | Rule],
) -> Iterator[Section]:
    shares: Shares = {}
    if "win" in parts:
        section, shares = who_can_win(board, context)
        yield section
    if "today" in parts:
        yield who_wins_today(board, context)
    if "firm" in parts:
        yield firmness(board, context)
    if "rules" in parts:
        yield do_rules_agree(board, rules, context)
    if "behaved" in parts:
        yield is_it_well_behaved(board, context)
    if "trust" in parts:
        yield can_it_be_trusted(board, rules, context)
    if "models" in parts:
        for place, model in enumerate(dict.fromkeys(models), start=1):
            yield model_section(board, model, place, shares, context)
    if "table" in parts:
        yield board_table(board)
