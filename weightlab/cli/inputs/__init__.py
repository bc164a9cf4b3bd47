"""What a command reads."""

from __future__ import annotations
