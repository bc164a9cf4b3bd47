"""How alike two rankings are."""

from __future__ import annotations
