"""Results as documents that travel, and reports that answer the questions about a benchmark on one page.

What makes a report draws on every part of the package: it is imported when it is first asked for, so that commands
which only write a document start without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weightlab.report.blocks import Drawing, Facts, Section, Table, Words
from weightlab.report.context import CommandLine
from weightlab.report.output.document import Document, read_document, read_result, write_document, write_result

if TYPE_CHECKING:
    from weightlab.report.benchmark_report import SECTIONS as SECTIONS
    from weightlab.report.benchmark_report import Report as Report
    from weightlab.report.benchmark_report import report as report

__all__ = [
    "SECTIONS",
    "CommandLine",
    "Document",
    "Drawing",
    "Facts",
    "Report",
    "Section",
    "Table",
    "Words",
    "read_document",
    "read_result",
    "report",
    "write_document",
    "write_result",
]


def __getattr__(name: str) -> Any:
    if name not in {"SECTIONS", "Report", "report"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from weightlab.report import benchmark_report as whole  # noqa: PLC0415 (takes a second)

    return getattr(whole, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
