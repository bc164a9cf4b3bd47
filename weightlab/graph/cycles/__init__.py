"""Majority cycles, and how far they are from breaking."""

from __future__ import annotations
