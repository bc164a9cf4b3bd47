"""Pictures of head-to-heads."""

from __future__ import annotations
