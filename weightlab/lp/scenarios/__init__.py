"""With which weights best: nearest, narrowest, on the fewest tasks."""

from __future__ import annotations
