"""Files of tables: separators, numbers, columns, declarations, and writing them."""

from __future__ import annotations
