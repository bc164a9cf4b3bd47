"""Results as self-contained documents, and reports that answer the questions about a benchmark on one page.

What makes a report draws on every part of the package: it is imported when it is first asked for, so that commands
which only write a document start without it.
"""

from typing import TYPE_CHECKING

from weightlab._exports import name_later as _name_later
from weightlab.report.blocks import Drawing as Drawing
from weightlab.report.blocks import Facts as Facts
from weightlab.report.blocks import Section as Section
from weightlab.report.blocks import Table as Table
from weightlab.report.blocks import Words as Words
from weightlab.report.context import CommandLine as CommandLine
from weightlab.report.output.document import Document as Document
from weightlab.report.output.document import read_document as read_document
from weightlab.report.output.document import read_result as read_result
from weightlab.report.output.document import write_document as write_document
from weightlab.report.output.document import write_result as write_result

if TYPE_CHECKING:
    from weightlab.report.benchmark_report import SECTIONS as SECTIONS
    from weightlab.report.benchmark_report import Report as Report
    from weightlab.report.benchmark_report import report as report

_name_later(globals())
