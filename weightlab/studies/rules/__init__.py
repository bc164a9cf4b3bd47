"""How rules compare."""

from __future__ import annotations
