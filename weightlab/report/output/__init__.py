"""A report as page, Markdown, document and figures."""
