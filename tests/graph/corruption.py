"""Results spoilt in one field at a time, and results that have travelled."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError


def assert_each_spoilt_field_is_seen(result, spoilt):
    """Assert that ``verify`` objects to every value given for a field, and that every field is given some."""
    assert result.verify()
    assert set(spoilt) == {field.name for field in fields(result)}
    for name, values in spoilt.items():
        for value in values:
            with pytest.raises(ProofError):
                replace(result, **{name: value}).verify()


def travelled(result):
    """Return the result after a journey as JSON text."""
    return result_from_dict(json.loads(json.dumps(result.to_dict())))


def assert_each_spoilt_part_is_seen(result, spoilt):
    """Assert that each changed part of the JSON form is refused when it is read or when it is verified."""
    for path, value in spoilt:
        document = json.loads(json.dumps(result.to_dict()))
        part = document
        for step in path[:-1]:
            part = part[step]
        assert part[path[-1]] != value
        part[path[-1]] = value
        with pytest.raises((InputError, ProofError)):
            result_from_dict(document).verify()
