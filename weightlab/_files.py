"""Files are written whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from errno import EACCES, EISDIR
from pathlib import Path

DEVICES = ("/dev/", "/proc/")
"""What is here is written to as it is: a standard output that is a file keeps what is in it already open."""

Pieces = str | Iterable[bytes]
"""Text, which is written as UTF-8, or bytes piece by piece."""


def write_whole(*files: tuple[str | os.PathLike[str], Pieces]) -> None:
    """Write files such that each has its new content whole, or all are as they were.

    Parameters
    ----------
    *files : pairs of path and content
        Files that belong together. A file that is there is replaced and keeps its permissions and, where the system
        lets it, its owner; a symbolic link keeps pointing where it points; what is no file, such as ``/dev/stdout`` or
        a pipe, is written to.

    Raises
    ------
    OSError
        If a file cannot be written, or its folder takes no new ones; ``filename`` is the file that was named.

    Notes
    -----
    The new content goes to a file beside the old one, reaches the disk, and takes the old one's place in one step.
    Between two files that belong together the power may fail, nothing else.
    """
    staged: list[_Staged] = []
    try:
        for path, pieces in files:
            with _named(path):
                staged.append(_staged(os.fspath(path)))
                staged[-1].fill(pieces)
        for one in staged:
            with _named(one.path):
                one.take_place()
    finally:
        for one in staged:
            one.forget()


class _named:  # noqa: N801 - read as a statement
    """Let errors name the file that was asked for, not the one beside it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise type(error)(error.errno, error.strerror or str(error), self.path) from None


@dataclass(kw_only=True)
class _Staged:
    """New content beside the file whose place it is to take; the place itself where there is no such file."""

    path: str
    descriptor: int
    beside: str | None
    place: str

    def fill(self, pieces: Pieces) -> None:
        with os.fdopen(self.descriptor, "wb") as file:
            file.writelines([pieces.encode()] if isinstance(pieces, str) else pieces)
            if self.beside is not None:
                file.flush()
                os.fsync(file.fileno())

    def take_place(self) -> None:
        if self.beside is not None:
            os.replace(self.beside, self.place)  # noqa: PTH105 - whatever bytes its name has
            self.beside = None
            with suppress(OSError):  # Windows opens no folders
                folder = os.open(os.path.dirname(self.place), os.O_RDONLY)  # noqa: PTH120
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)

    def forget(self) -> None:
        if self.beside is not None:
            with suppress(OSError):
                os.unlink(self.beside)  # noqa: PTH108


def _staged(path: str) -> _Staged:
    """Open what the new content goes to."""
    try:
        old = os.stat(path)  # noqa: PTH116
    except FileNotFoundError:
        old = None
    if old is not None and stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    is_file = old is None or stat.S_ISREG(old.st_mode)
    if not is_file or os.path.abspath(path).startswith(DEVICES):  # noqa: PTH100
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        return _Staged(path=path, descriptor=os.open(path, flags, 0o666), beside=None, place=path)
    place = os.path.realpath(path)
    if old is not None and not os.access(place, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES))
    beside = str(Path(place).with_name(f".weightlab-{secrets.token_hex(8)}"))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(beside, flags, 0o666)
    if old is not None and hasattr(os, "fchmod"):
        with suppress(OSError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
        with suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
    return _Staged(path=path, descriptor=descriptor, beside=beside, place=place)
