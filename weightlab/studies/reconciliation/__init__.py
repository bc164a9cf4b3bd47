"""Why two rules part, and what reconciles them."""

from __future__ import annotations
