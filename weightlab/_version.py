"""The one place where the version of weightlab is written."""

from __future__ import annotations

__version__ = "0.1.0"
