"""Pictures of rankings and of rules."""

from __future__ import annotations
