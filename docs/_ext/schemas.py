"""JSON Schemas of all documents, read off the records' own annotations, and the directive ``schemas`` that lists them.

A schema says which parts a document has and what form each takes; that the numbers prove the claim is for a checker to
say. Records write and read what their annotations say, so the schemas say just that; only the data classes and the
fields marked with `Codec`, which have forms of their own, are described here by hand.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pandas as pd
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import weightlab.data.linear_rule
import weightlab.lp
import weightlab.rules
import weightlab.studies
from weightlab._result import FORMAT, GROUNDS, KINDS, SHARED, Codec, Record, Result, hints_of
from weightlab.lp.space.conditions import Condition
from weightlab.rules.outcome import Elimination

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["FOLDER", "document_schema", "schema", "setup"]

FOLDER = "schemas"
"""The folder of the built pages that holds one file a kind, and ``document.json`` for whole documents."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"

Form = dict[str, Any]

TEXT: Form = {"type": "string"}
WHOLE: Form = {"type": "integer"}
NUMBER: Form = {"type": "number"}
FRACTION: Form = {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}


def texts(pattern: str = "") -> Form:
    """Return the form of a list of texts."""
    return listed({**TEXT, "pattern": pattern} if pattern else TEXT)


def listed(inner: Form) -> Form:
    """Return the form of a list."""
    return {"type": "array", "items": inner}


def named(inner: Form) -> Form:
    """Return the form of an object with a part of this form for each name."""
    return {"type": "object", "additionalProperties": inner}


def parts(needed: Mapping[str, Form], optional: Mapping[str, Form] | None = None) -> Form:
    """Return the form of an object with just these parts."""
    return {
        "type": "object",
        "properties": dict(needed) | dict(optional or {}),
        "required": list(needed),
        "additionalProperties": False,
    }


def row(*forms: Form) -> Form:
    """Return the form of a list of so many parts."""
    return {"type": "array", "prefixItems": list(forms), "minItems": len(forms), "maxItems": len(forms)}


def one_of(forms: Sequence[Form]) -> Form:
    """Return the form of what has one of several forms."""
    return forms[0] if len(forms) == 1 else {"anyOf": list(forms)}


def or_null(inner: Form) -> Form:
    """Return the form of what may be missing."""
    return one_of([inner, {"type": "null"}])


def or_shared(inner: Form) -> Form:
    """Return the form of a table: it may stand in `SHARED`, where it is written once."""
    return one_of([inner, parts({"table": {**WHOLE, "minimum": 0}})])


EXACT, FLAG = named(FRACTION), {"type": "boolean"}
TABLE, CELLS = named(listed(or_null(FRACTION))), listed(or_null(WHOLE))
PLACES = listed({"type": ["integer", "array"]})
TOLERANT = parts({"values": CELLS, "allowed": WHOLE, "scale": WHOLE, "relative": FLAG})

OF_CLASSES: Mapping[Any, Form] = {
    Fraction: FRACTION,
    str: TEXT,
    bool: FLAG,
    int: WHOLE,
    float: NUMBER,
    pd.Series: EXACT,
    Any: {},
}

OF_DATA: Mapping[str, Form] = {
    "Leaderboard": parts(
        {"models": texts(), "scores": TABLE},
        {
            "lower_is_better": texts(),
            "weights": EXACT,
            "groups": named(texts()),
            "tolerance": EXACT,
            "relative_tolerance": EXACT,
            "rule": TEXT,
            "bounds": TABLE,
            "standard_errors": TABLE,
        },
    ),
    "Profile": parts({"models": texts(), "ranks": named(listed(WHOLE)), "weights": EXACT}),
    "Signs": parts({"models": texts(), "places": named(one_of([CELLS, TOLERANT]))}),
    "Relations": parts({"models": texts(), "relations": named(texts("^[01]*$"))}),
    "Instances": parts(
        {"instances": named(parts({"models": texts(), "scores": TABLE}))},
        {"lower_is_better": texts(), "weights": EXACT},
    ),
}
"""Forms of data classes that are no records."""

OF_READERS: Mapping[str, Form] = {
    "read_signs": texts("^[-+0]*$"),
    "read_list": PLACES,
    "read_bits": texts("^[01]*$"),
    "_counts_from_json": one_of([listed(WHOLE), listed(listed(WHOLE))]),
    "read_fractions": listed(listed(FRACTION)),
    "_from_json": listed(row(FRACTION, FRACTION, FRACTION)),
    "read_function": or_null(TEXT),
    "read_bounds": listed(or_null(NUMBER)),
    "read_rule": parts({"name": TEXT, "options": {"type": "object"}}),
    "read_scores": one_of([EXACT, named(NUMBER)]),
}
"""Forms of fields marked with `Codec`, by the function that reads them."""


ANY_RESULT: Form = {
    "description": "A result inside another: of any kind, without what the one that holds it has.",
    "type": "object",
    "properties": {"kind": {"enum": sorted(KINDS)}},
    "required": ["kind"],
}


class Schema:
    """One schema while it is made: records that it meets are told once, and referred to."""

    def __init__(self) -> None:
        self.told: dict[str, Form] = {}

    def of(self, kind: type[Record]) -> Form:
        """Return a reference to the form of a record."""
        name = kind.__name__
        if name not in self.told:
            self.told[name] = {}  # told, while what it holds is looked at
            self.told[name] = self._record(kind)
        return {"$ref": f"#/$defs/{name}"}

    def _record(self, kind: type[Record]) -> Form:
        if kind is Result:
            return ANY_RESULT
        forms = [self.of(one) for one in _forms_of(kind) if one is not kind]
        if forms and kind is not Elimination:  # whose Round is how it is seen, not how it is held
            return one_of(forms)
        own = {"kind": {"const": kind.kind}} if issubclass(kind, Result) else {}
        hints = {name: _derived_hint(kind, name) for name in kind.derived}
        derived = {name: {"type": "object"} if hint is pd.Series else self.form(hint) for name, hint in hints.items()}
        fields = {name: self.form(hint) for name, hint in hints_of(kind).items()}
        return {"description": _first_sentence(kind), **parts(own | derived | fields)}

    def form(self, hint: Any) -> Form:
        """Return the form of what has a type hint."""
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._marked(arguments[0], arguments[1:])
        if origin in (Union, UnionType):
            inner = one_of([self.form(one) for one in arguments if one is not NoneType])
            return or_null(inner) if NoneType in arguments else inner
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin in (dict, Mapping):
            return named(self.form(arguments[1]))
        if origin is tuple and arguments[-1] is not Ellipsis:
            return row(*(self.form(one) for one in arguments))
        return listed(self.form(arguments[0])) if arguments else self._class(hint)

    def _marked(self, hint: Any, marks: Sequence[Any]) -> Form:
        codec = next((mark for mark in marks if isinstance(mark, Codec)), None)
        if codec is not None:
            return self._coded(codec)
        return self.form(hint)

    def _coded(self, codec: Codec) -> Form:
        """Return the form that a codec writes; some of them depend on more than the reader."""
        if codec.table:
            return or_shared(OF_READERS[codec.read.__name__])
        if isinstance(codec.read, partial):
            width, dimensions = codec.read.keywords["width"], codec.read.keywords["dimensions"]
            return _nested(row(*[WHOLE] * width), dimensions - 1) if width else _nested(WHOLE, dimensions)
        return OF_READERS[codec.read.__name__]

    def _class(self, hint: Any) -> Form:
        if hint in OF_CLASSES:
            return OF_CLASSES[hint]
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            return {"enum": [str(one) for one in hint]}
        if hint is weightlab.lp.WeightSpace:
            return or_shared(parts({"tasks": texts(), "conditions": listed(self.of(Condition))}))
        form = OF_DATA.get(hint.__name__) or self.of(hint)
        return or_shared(form) if hasattr(hint, "own_part") else form


def _nested(inner: Form, dimensions: int) -> Form:
    return inner if dimensions == 0 else listed(_nested(inner, dimensions - 1))


def _forms_of(kind: type[Record]) -> list[type[Record]]:
    """Return the classes that a document of a base may be of; of a class that is no base, itself."""
    if getattr(kind, "kind", "") or not kind.__subclasses__():
        return [kind]
    return [one for one in _below(kind) if getattr(one, "kind", "") or not issubclass(one, Result)]


def _below(kind: type[Record]) -> Iterator[type[Record]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def _derived_hint(kind: type[Record], name: str) -> Any:
    """Return the type that a derived property says it has."""
    found = inspect.getattr_static(kind, name)
    function = getattr(found, "fget", None) or found.func  # a property, or a cached one
    return get_type_hints(function, include_extras=True)["return"]


def _first_sentence(kind: type[Record]) -> str:
    return " ".join(inspect.getdoc(kind).partition("\n\n")[0].split())


def schema(kind: str) -> Form:
    """Return the JSON Schema of a result of a kind, as it stands in ``results`` of a document."""
    made = Schema()
    made.of(KINDS[kind])
    whole = dict(made.told[KINDS[kind].__name__])
    grounds = {name: texts() for name in GROUNDS}
    number, shared = {"format": {"const": FORMAT}}, {SHARED: {**listed({}), "minItems": 1}}
    whole["properties"] = {"kind": {"const": kind}, **number, **grounds, **whole["properties"], **shared}
    whole["required"] = ["kind", "format", *GROUNDS, *[name for name in whole["required"] if name != "kind"]]
    title = {"$schema": DRAFT, "$id": f"{kind}.json", "title": f"weightlab: {kind}"}
    inside = {name: form for name, form in made.told.items() if name != KINDS[kind].__name__}
    return title | whole | ({"$defs": inside} if inside else {})


def document_schema() -> Form:
    """Return the JSON Schema of a document: how it was asked for, and results of any kind."""
    any_kind = {"anyOf": [{"$ref": f"{kind}.json"} for kind in sorted(KINDS)]}
    rows = parts({"kind": TEXT, "rows": listed({"type": "object"})})
    options = parts(
        {},
        {
            "file": or_null(TEXT),
            "config": or_null(TEXT),
            "complete": FLAG,
            "table": {"enum": ["board", "suite"]},
            "columns": parts({"model": or_null(TEXT), "instance": or_null(TEXT)}),
            "flags": texts(),
        },
    )
    column = parts(dict.fromkeys(("name", "role", "direction", "certainty", "why"), TEXT))
    columns = {"columns": listed(column), "summaries": listed(TEXT)}
    reading = parts({"line": TEXT, "models": {"type": "integer"}, "transposed": FLAG, **columns})
    title = {"$schema": DRAFT, "$id": "document.json", "title": "weightlab: a document"}
    return title | parts(
        {"results": {**listed(any_kind), "minItems": 1}},
        {
            "weightlab": TEXT,
            "command": TEXT,
            "options": options,
            "reading": reading,
            "notes": texts(),
            "table": listed(rows),
        },
    )


class Schemas(SphinxDirective):
    """A list of all kinds: a link to the schema, and what the result is."""

    def run(self) -> list[nodes.Node]:
        """Return the list; each link leads to a file that is written beside the pages."""
        made = nodes.bullet_list()
        about = {kind: _first_sentence(KINDS[kind]) for kind in sorted(KINDS)}
        for kind, sentence in ({"document": "A document: how it was asked for, and its results."} | about).items():
            link = nodes.reference("", "", nodes.literal("", kind), refuri=f"../{FOLDER}/{kind}.json")
            made += nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(f": {sentence}")))
        return [made]


def written(folder: Path) -> None:
    """Write all schemas into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, one in [("document", document_schema()), *((kind, schema(kind)) for kind in KINDS)]:
        (folder / f"{name}.json").write_text(json.dumps(one, indent=1) + "\n", encoding="utf-8")


def _finished(application: Sphinx, exception: Exception | None) -> None:
    if exception is None and application.builder.format == "html":
        written(Path(application.outdir) / FOLDER)


def setup(application: Sphinx) -> dict[str, bool]:
    """Make the directive known, and write the files beside the pages."""
    application.add_directive("schemas", Schemas)
    application.connect("build-finished", _finished)
    return {"parallel_read_safe": True}
