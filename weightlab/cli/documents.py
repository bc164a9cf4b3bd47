"""Documents of results: printed whole for other programs, and written where they replace no input."""

from __future__ import annotations

import sys
from pathlib import Path

from weightlab.exceptions import InputError
from weightlab.report import Document, write_document

__all__ = ["print_document", "save_document"]


def print_document(document: Document) -> None:
    """Print a document on standard output in UTF-8, whatever the encoding of the terminal: JSON has no other."""
    text = f"{document.to_json()}\n"
    if not hasattr(sys.stdout, "buffer"):  # redirected within the process, to something that takes text alone
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def save_document(document: Document, path: str, *read: str | None) -> None:
    """Write a document to a file.

    Raises
    ------
    InputError
        If it is one of the files that were read.
    """
    target = Path(path)
    if target.exists() and any(one is not None and Path(one).exists() and target.samefile(one) for one in read):
        raise InputError(f"--output {path!r} is the file that was read; name another one")
    write_document(document, path)
