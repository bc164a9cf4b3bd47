"""What if a model comes or goes."""

from __future__ import annotations
