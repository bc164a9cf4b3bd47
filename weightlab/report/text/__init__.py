"""What a report says in words."""

from __future__ import annotations
