"""Which share of weightings, estimated from uniform draws."""

from __future__ import annotations
