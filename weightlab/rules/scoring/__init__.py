"""Rules that add up scores, points or ranks."""

from __future__ import annotations
