"""Between which ranks, over all allowed weights."""

from __future__ import annotations
