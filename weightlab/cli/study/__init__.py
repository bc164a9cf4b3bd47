"""weightlab study: the studies by name."""

from __future__ import annotations
