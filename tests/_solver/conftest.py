"""Fixtures of the solver's tests."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["highs", "cbc"])
def solver(request, monkeypatch):
    """Ask each solver in turn."""
    monkeypatch.setenv("WEIGHTLAB_SOLVER", request.param)
    return request.param
