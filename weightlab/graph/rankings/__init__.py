"""Rankings built from majorities: Schulze, split cycle, ranked pairs, river."""

from __future__ import annotations
