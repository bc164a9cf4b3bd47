"""Pictures of a benchmark as a whole."""

from __future__ import annotations
