"""The rules of ``weightlab/checker.py`` in JavaScript: what the page checks documents by."""
