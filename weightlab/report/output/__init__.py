"""A report as page, Markdown, document and figures."""

from __future__ import annotations
