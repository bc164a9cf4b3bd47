"""Can it win, by which rule, and who blocks it."""

from __future__ import annotations
