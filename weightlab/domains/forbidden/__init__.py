"""The smallest sub-profiles that a domain forbids, found and checked."""

from __future__ import annotations
