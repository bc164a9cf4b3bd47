"""An answer that has been written, read back and checked on the way, also where it is that nothing will do."""

from __future__ import annotations

import json

import weightlab as wl
from weightlab._result import result_from_dict


def read_back(question, board, *given, **options):
    """Return the answer to a question about a table, or the proof that there is none, with everything re-checked."""
    try:
        found = question(board, *given, **options)
    except wl.ImpossibleError as error:
        found = error.proof
        assert found.tasks is None
    travelled(found, board)
    return found


def travelled(found, board):
    """Return the answer after a journey as JSON, re-checked."""
    document = json.loads(json.dumps(found.to_dict()))
    again = result_from_dict(document)
    assert again.verify(board)
    assert again.to_dict() == document
    assert str(again) == str(found)
    return again
