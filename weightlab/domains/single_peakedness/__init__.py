"""Rankings that fall off on both sides of a peak, along an axis or on a tree."""

from __future__ import annotations
