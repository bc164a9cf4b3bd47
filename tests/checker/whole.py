"""Documents with each table in all of its places."""

from __future__ import annotations

from weightlab._result import SHARED


def whole(document, without=()):
    """Return a result's document without its format and section of tables, and without some parts wherever they are."""
    tables = document.get(SHARED, [])

    def told(value):
        if isinstance(value, dict):
            if set(value) == {"table"}:
                return told(tables[value["table"]])
            return {name: told(one) for name, one in value.items() if name not in without}
        return [told(one) for one in value] if isinstance(value, list) else value

    return {name: told(one) for name, one in document.items() if name not in {"format", SHARED, *without}}
