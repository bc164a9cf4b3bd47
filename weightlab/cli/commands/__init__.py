"""The commands, one a file."""

from __future__ import annotations
