"""Is a suite well behaved, dataset by dataset and across them."""

from __future__ import annotations
