"""What must improve for a model to win."""

from __future__ import annotations
