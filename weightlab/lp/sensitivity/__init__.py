"""How far weights move before the answer changes."""

from __future__ import annotations
