"""Rules that read head-to-heads."""

from __future__ import annotations
