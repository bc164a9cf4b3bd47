"""From a float solution to an exact optimum with its proof."""

from __future__ import annotations
