"""PrefLib's files of preferences and margins."""

from __future__ import annotations
