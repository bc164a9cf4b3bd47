"""The page that takes a table in the browser: one file, without a server and without the network."""

from weightlab.report.browser.page import table_page

__all__ = ["table_page"]
