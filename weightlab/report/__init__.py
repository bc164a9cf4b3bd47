"""Results as documents that travel."""

from __future__ import annotations

from weightlab.report.documents import Document, read_document, read_result, write_document, write_result

__all__ = ["Document", "read_document", "read_result", "write_document", "write_result"]
