"""The sections of a report, each from the results that it shows."""

from __future__ import annotations
