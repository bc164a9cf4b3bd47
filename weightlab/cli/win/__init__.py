"""weightlab win: who can win, with which weights."""

from __future__ import annotations
