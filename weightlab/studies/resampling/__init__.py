"""What if tasks, instances, weights or scores are drawn again."""

from __future__ import annotations
