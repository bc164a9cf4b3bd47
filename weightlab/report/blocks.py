"""What a report is made of: sections that answer a question, with lines, tables and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, TypeAlias

import pandas as pd

from weightlab._result import Frozen, Proof, Result
from weightlab._text import shown
from weightlab.data import Leaderboard, Suite
from weightlab.report.context import CommandLine
from weightlab.report.output.document import Document
from weightlab.views.unproved import Answers

PROVED_BY: Mapping[Proof, str] = {
    Proof.EXACT: "proved: every step is re-checked in exact arithmetic",
    Proof.EXACT_WITNESS: "proved by witness: what is shown is re-checked exactly; that nothing is better rests on a "
    "solver's bound",
    Proof.SAMPLED: "sampled: an estimate from random draws, which can be drawn again from their seed",
}
"""What the word for a proof means to a reader."""


class Table(Frozen):
    """Rows of text under headings; the first column names the rows.

    Attributes
    ----------
    caption : str
        What the table shows.
    headings : tuple of str
        One a column.
    rows : tuple of tuple of str
        All of them; a viewer may collapse the later ones.
    right : tuple of int
        The columns of numbers.
    """

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, caption: str, headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()
    ) -> Table:
        """Return a table of any sequences."""
        return cls(
            caption=caption, headings=tuple(headings), rows=tuple(tuple(row) for row in rows), right=tuple(right)
        )

    @classmethod
    def of_frame(cls, caption: str, heading: str, frame: pd.DataFrame, right: Sequence[int] = ()) -> Table:
        """Return a table of a frame, its index under the heading and its columns under their names."""
        headings = (heading, *(str(name).replace("_", " ") for name in frame.columns))
        return cls.of(caption, headings, [[shown(cell) for cell in row] for row in frame.itertuples()], right)

    def numbered(self, start: int) -> Table:
        """Return the table with all columns from one on called numbers."""
        return replace(self, right=tuple(range(start, len(self.headings))))


class Facts(Frozen):
    """Headed lines.

    Attributes
    ----------
    caption : str
        What they are about.
    lines : tuple of (str, tuple of str)
        Each heading with its text.
    """

    caption: str
    lines: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, caption: str, lines: Sequence[tuple[str, Sequence[str]]]) -> Facts:
        """Return the facts that have something to say."""
        return cls(caption=caption, lines=tuple((heading, tuple(said)) for heading, said in lines if said))


class Words(Frozen):
    """A paragraph.

    Attributes
    ----------
    text : str
        What it says.
    proof : Proof or None
        How that is known.
    """

    text: str
    proof: Proof | None = None


class Drawing(Frozen):
    """A figure, to be drawn when the report is rendered.

    Attributes
    ----------
    thing : object
        The table or result in the picture.
    kind : str
        Which picture.
    caption : str
        What it shows.
    command : str
        What draws it again: a command line, or nothing.
    options : dict
        What the picture is told.
    """

    thing: Any
    kind: str
    caption: str
    command: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, thing: Any, kind: str, caption: str, *, command: str = "", **options: Any) -> Drawing:
        """Return a figure."""
        return cls(thing=thing, kind=kind, caption=caption, command=command, options=options)


Block: TypeAlias = Table | Facts | Words | Drawing


class Section(Frozen):
    """A question with its answer, and what shows it.

    Attributes
    ----------
    key : str
        A short name, unique in the report.
    question : str
        In plain words.
    answer : str
        One sentence.
    blocks : tuple of Block
        Lines, tables and figures.
    command : str
        What makes it again: a command line, or nothing.
    results : tuple of Result
        What the section says, with its proofs; the first is what the answer says.
    left_out : tuple of str
        What could not be answered, or not in time.
    """

    key: str
    question: str
    answer: str
    blocks: tuple[Block, ...] = ()
    command: str = ""
    results: tuple[Result, ...] = ()
    left_out: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        key: str,
        question: str,
        answer: str,
        blocks: Sequence[Block] = (),
        *,
        command: str = "",
        results: Sequence[Result | None] = (),
        left_out: Sequence[str] = (),
    ) -> Section:
        """Return a section of any sequences, with those results that there are."""
        return cls(
            key=key,
            question=question,
            answer=answer,
            blocks=tuple(blocks),
            command=command,
            results=tuple(one for one in results if one is not None),
            left_out=tuple(left_out),
        )

    @property
    def proof(self) -> Proof | None:
        """How the answer is known: it is the sentence of the first result; None where nothing is claimed."""
        return self.results[0].proof if self.results else None


class Contents(Frozen):
    """What a report holds, for those who write it out; `Report` says what each attribute is."""

    title: str
    sections: tuple[Section, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    call: CommandLine = field(default_factory=CommandLine)
    board: Leaderboard | None = None
    unproved: tuple[str, ...] = ()
    date: str = ""
    source: Leaderboard | Suite | None = None
    asked: Mapping[str, Any] = field(default_factory=dict)
    answers: Answers = field(default_factory=Answers)

    @property
    def results(self) -> tuple[Result, ...]:
        """All results, each once, in the order in which the sections speak of them."""
        return tuple({id(one): one for section in self.sections for one in section.results}.values())

    def made_from(self) -> dict[str, Any]:
        """Return all that the words of the page are made from, ready for JSON."""
        places = {id(one): place for place, one in enumerate(self.results)}
        answers = [
            (places[id(one)] if id(one) in places else one.to_dict()) if isinstance(one, Result) else one
            for one in self.answers.kept
        ]
        source = None if self.source is None else self.source.to_dict()
        return {"source": source, "asked": dict(self.asked), "answers": answers}

    @property
    def document(self) -> Document:
        """The results as a document, which `verify` re-checks."""
        options = dict(self.options)
        notes, reading = tuple(options.pop("notes", ())), options.pop("reading", None)
        return Document(results=self.results, options=options, command="report", notes=notes, reading=reading)

    def places(self, section: Section) -> tuple[int, ...]:
        """Return where the results of a section stand among all, from 0."""
        order = {id(one): place for place, one in enumerate(self.results)}
        return tuple(order[id(one)] for one in section.results)
