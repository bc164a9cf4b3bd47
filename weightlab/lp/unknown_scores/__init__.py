"""Who wins whatever the missing scores are."""

from __future__ import annotations
