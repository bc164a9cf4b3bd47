"""Results as documents that travel, and reports that answer the questions about a benchmark on one page."""

from __future__ import annotations

from weightlab.report.blocks import Drawing, Facts, Section, Table, Words
from weightlab.report.call import Call
from weightlab.report.documents import Document, read_document, read_result, write_document, write_result
from weightlab.report.report import SECTIONS, Report, report

__all__ = [
    "SECTIONS",
    "Call",
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
