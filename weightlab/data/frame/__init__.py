"""What a table is made of: cells, labels, declarations, arrays."""

from __future__ import annotations
