"""The questions about a suite: its audit as a whole, dataset by dataset, and where metrics contradict one another."""

from __future__ import annotations

from collections.abc import Iterator

from weightlab._text import counted, listed, shown
from weightlab.data import Suite
from weightlab.report.blocks import Block, Drawing, Facts, Section, Table, Words
from weightlab.report.context import ReportContext
from weightlab.report.sections.board import NO_ANSWER
from weightlab.studies import Audit, MetricCycles, audit, metric_cycles
from weightlab.views.audit import (
    dataset_heading,
    dataset_rows,
    left_out_notes,
    majority_lines,
    property_rows,
    suite_lines,
)
from weightlab.views.unproved import fits

BEHAVED = "Is the benchmark well behaved?"


def suite_sections(suite: Suite, context: ReportContext) -> Iterator[Section]:
    """Yield the audit as a whole, its datasets one by one, and the metrics that make cycles."""
    left_out: list[str] = []
    found = context.ask("the audit", lambda: audit(suite, time_limit=context.left()), left_out, fits(Audit))
    if found is None:
        yield Section.of("behaved", BEHAVED, NO_ANSWER, left_out=left_out)
    else:
        yield _whole(found, left_out, context)
        yield _datasets(found, context)
    yield _cycles(suite, context)


def _whole(found: Audit, left_out: list[str], context: ReportContext) -> Section:
    command, plot = context.call.of("audit"), context.call.of("audit", "--plot", "audit.svg")
    blocks = (
        Facts.of("The suite as a whole", list(suite_lines(found, ()))),
        Drawing.of(found, "audit", "Which dataset has which structure", command=plot),
        Table.of("Dataset by dataset", *dataset_rows(found), (1, 2)),
    )
    notes = (*left_out, *left_out_notes(found))
    return Section.of("behaved", BEHAVED, shown(found), blocks, command=command, results=(found,), left_out=notes)


def _datasets(found: Audit, context: ReportContext) -> Section:
    blocks: list[Block] = []
    for one in found.datasets.values():
        headings, rows = property_rows(one)
        blocks += [
            Table.of(f"Structures of the rankings: {dataset_heading(one)}", headings, rows),
            Facts.of(f"What the majority says: {shown(one.dataset)}", list(majority_lines(one))),
        ]
    broken = [name for name, one in found.datasets.items() if one.majority.cycle is not None]
    answer = "The majority relation is acyclic on every dataset."
    if broken:
        answer = f"{len(broken)} of {counted(len(found.datasets), 'dataset')} have a majority cycle: {listed(broken)}."
    command = context.call.of("audit")
    return Section.of("datasets", "Where does it break?", answer, blocks, command=command, results=(found,))


def _cycles(suite: Suite, context: ReportContext) -> Section:
    left_out: list[str] = []
    found = context.ask("metrics that make cycles", lambda: metric_cycles(suite), left_out, fits(MetricCycles))
    blocks: list[Block] = []
    if found is not None:
        table = Table.of_frame("Metrics that make a cycle", "dataset", found.summary())
        blocks.append(table if table.rows else Words(text="None do."))
    question = "Do three metrics make a majority cycle?"
    answer = NO_ANSWER if found is None else shown(found)
    command = context.call.of("study metric-cycles")
    return Section.of("cycles", question, answer, blocks, command=command, results=(found,), left_out=left_out)
