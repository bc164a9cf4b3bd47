"""The grid: questions asked of many sets of models."""

from __future__ import annotations
