"""What a report holds: questions, answers, and the results that prove them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weightlab._result import Result
from weightlab.data import Leaderboard
from weightlab.report.blocks import Section
from weightlab.report.output.document import Document
from weightlab.report.text.commands import Call

__all__ = ["Contents"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Contents:
    """What a report holds, for those who write it out; `Report` says what each attribute is."""

    title: str
    sections: tuple[Section, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    call: Call = field(default_factory=Call)
    board: Leaderboard | None = None
    late: tuple[str, ...] = ()
    date: str = ""

    @property
    def results(self) -> tuple[Result, ...]:
        """All results, each once, in the order in which the sections speak of them."""
        return tuple({id(one): one for section in self.sections for one in section.results}.values())

    @property
    def document(self) -> Document:
        """The results as a document, which `verify` re-checks."""
        return Document(results=self.results, options=self.options, command="report")

    def places(self, section: Section) -> tuple[int, ...]:
        """Return where the results of a section stand among all, from 0."""
        order = {id(one): place for place, one in enumerate(self.results)}
        return tuple(order[id(one)] for one in section.results)
