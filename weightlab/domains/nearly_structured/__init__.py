"""The least to drop so that a property holds."""

from __future__ import annotations
