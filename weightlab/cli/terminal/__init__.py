"""What a command prints: tables, progress, documents."""

from __future__ import annotations
