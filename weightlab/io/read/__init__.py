"""Files into leaderboards, suites and instances."""

from __future__ import annotations
