"""Pictures of weights and shares."""

from __future__ import annotations
