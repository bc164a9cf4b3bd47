"""Compressed files, unpacked in memory piece by piece: what is small must not become larger than is allowed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, Protocol

from weightlab._cures import Cure, Fault
from weightlab._text import first_few
from weightlab.exceptions import FileFormatError, InputError

PIECE = 1 << 20
"""Bytes unpacked at a time."""
SIZE_LIMIT = 512
"""MiB that a file may have once it is unpacked, by default."""
MOST_RATIO = 1_000
"""Bytes that one may become, beyond the first piece."""
MOST_MEMORY = 1 << 27
"""Bytes of the dictionary that an .xz file may ask for."""
MOST_LISTED = 1 << 20
"""Bytes of the list of an archive: some ten thousand names."""
MARKS = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst", b"PK\x03\x04": ".zip"}
"""What compressed files begin with."""
PACKED = {*MARKS.values()}
"""What compressed files are called."""
_NO_TABLE = re.compile(r"(?:readme|licen[cs]e|citation|notice)\b|.*\.(?:py|pdf|png|jpe?g)$", re.IGNORECASE)
"""What is in archives beside tables."""
WORKBOOK = "[Content_Types].xml"
"""What is in each Excel workbook, which is a zip archive, too."""
DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
)
"""What damaged archives raise."""


class Readable(Protocol):
    """What is unpacked as it is read."""

    def read(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes; none at the end."""
        ...


def unpacked(data: bytes, name: str, member: str | None = None, limit: float | None = None) -> tuple[bytes, str]:
    """Return the content of a compressed file and its name; anything else unchanged.

    Parameters
    ----------
    data : bytes
        All of the file.
    name : str
        What it is called.
    member : str, optional
        File to read from a zip archive.
    limit : float, optional
        MiB that may come out; 512 by default.

    Raises
    ------
    FileFormatError
        If it is damaged, unpacks to more than is allowed, or holds several files and none is named.
    InputError
        If pyarrow is needed and not installed.
    """
    kind = _kind(data, name)
    if member is not None and kind != ".zip":
        raise FileFormatError(name, f"member {member!r} needs a zip archive, and this is not one")
    if not kind:
        return data, name
    try:
        with io.BytesIO(data) as held:
            inside, there = _opened(held, kind, name, member)
            made = _read(there, len(data), name, limit)
    except DAMAGE as error:
        if isinstance(error, InputError):
            raise
        what = "gzip" if kind == ".gz" else kind[1:]
        raise FileFormatError(name, f"a damaged {what} archive: {error}") from None
    if _kind(made, name):
        raise FileFormatError(name, "an archive inside an archive is not unpacked")
    return made, inside


def _kind(data: bytes, name: str) -> str:
    """Return how a file is compressed; nothing where it is not, or is a workbook."""
    kind = next((one for mark, one in MARKS.items() if data.startswith(mark)), "")
    if kind != ".zip":
        return kind
    check_listed(data, name)
    try:
        return "" if WORKBOOK in zipfile.ZipFile(io.BytesIO(data)).namelist() else kind
    except DAMAGE:
        return kind  # unpacking it reports the error


def _opened(held: io.BytesIO, kind: str, name: str, member: str | None) -> tuple[str, Readable]:
    """Return the unpacked content and its name."""
    inside = name[: -len(kind)] if name.casefold().endswith(kind) else name
    if kind == ".zip":
        archive, meant = _member(held, name, member)
        return meant, archive.open(meant)
    if kind == ".gz":
        return inside, gzip.GzipFile(fileobj=held)
    if kind == ".bz2":
        return inside, bz2.BZ2File(held)
    return inside, _Pieces(_xz(held.getvalue())) if kind == ".xz" else _zstandard(held)


def _read(there: Readable, packed: int, name: str, limit: float | None) -> bytes:
    """Return all that comes out, if it is not too much."""
    most = SIZE_LIMIT if limit is None else limit
    made = bytearray()
    while piece := there.read(PIECE):
        made += piece
        if len(made) > most * (1 << 20):
            raise FileFormatError(name, too_large(f"more than {most:g} MiB when unpacked", most))
        if limit is None and len(made) > max(4 * PIECE, MOST_RATIO * packed):
            more = f"more than {MOST_RATIO:,} bytes come out of each of its {packed:,}"
            raise FileFormatError(name, too_large(more, most))
    return bytes(made)


def read_member(archive: zipfile.ZipFile, name: str, where: str, limit: float) -> bytes:
    """Return a file of an archive, if so many MiB come out at most.

    Raises
    ------
    KeyError
        If there is no such file.
    NotImplementedError
        If it is compressed in a way that unpacks without a limit.
    FileFormatError
        If more comes out.
    """
    about = archive.getinfo(name)
    if about.compress_type in {zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}:
        raise NotImplementedError("its compression is not undone here")
    return _read(archive.open(about), about.compress_size, f"{where}: {name}", limit)


def too_large(told: str, most: float) -> Fault:
    """Return the error for exceeding the size limit, with the option that allows more."""
    return Fault(told, Cure("size_limit", int(2 * most), "to allow so many MiB"))


class _Pieces:
    """Pieces that are made as they are read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces

    def read(self, _size: int, /) -> bytes:
        """Return the next piece; none at the end."""
        return next(self.pieces, b"")


def _xz(data: bytes) -> Iterator[bytes]:
    """Unpack .xz files, which may be several in a row, with a limit to what a dictionary takes."""
    while data.rstrip(b"\0"):
        one = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
        while not one.eof:
            if piece := one.decompress(data, PIECE):
                yield piece
            elif one.needs_input:
                raise EOFError("it ends too early")
            data = b""
        data = one.unused_data


def _zstandard(held: io.BytesIO) -> Readable:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 (from 3.14 on)
    except ImportError:
        try:
            import pyarrow as pa  # noqa: PLC0415 (an extra)
        except ImportError:
            told = "reading .zst files needs Python 3.14 or pyarrow: pip install 'weightlab[parquet]'"
            raise InputError(told) from None
        made: Readable = pa.CompressedInputStream(pa.PythonFile(held, mode="r"), "zstd")
        return made
    found: Readable = zstd.ZstdFile(held)
    return found


def _member(held: io.BytesIO, name: str, member: str | None) -> tuple[zipfile.ZipFile, str]:
    """Return an archive and the name of the file to read: the only one unless one is named."""
    archive = zipfile.ZipFile(held)
    names = [one.filename for one in archive.infolist() if not one.is_dir() and not _is_beside(one.filename)]
    tables = [one for one in names if not _NO_TABLE.match(PurePosixPath(one).name)] or names
    meant = [one for one in names if member in {one, PurePosixPath(one).name}] if member is not None else tables
    if len(meant) != 1:
        some = meant if len(meant) > 1 else tables
        told = f"no one file in the archive is called {member!r}" if member is not None else "no one file is in it"
        told = f"{told}, but {len(names)}: {first_few(map(repr, some), 6)}" if names else "the archive is empty"
        raise FileFormatError(name, Fault(told, *(Cure("member", one) for one in some[:3])))
    about = archive.getinfo(meant[0])
    if about.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED} or about.flag_bits & 1:
        how = "encrypted" if about.flag_bits & 1 else "compressed in a way that is not unpacked here"
        raise FileFormatError(name, f"{meant[0]!r} is {how}; unpack it first")
    return archive, meant[0]


def _is_beside(name: str) -> bool:
    """Return whether macOS added a file to the others."""
    return name.startswith("__MACOSX/") or PurePosixPath(name).name == ".DS_Store"


def check_listed(data: bytes, name: str) -> None:
    """Refuse an archive whose list of files takes much memory before anything is read of them."""
    end = data.rfind(b"PK\x05\x06")
    size = struct.unpack_from("<L", data, end + 12)[0] if 0 <= end <= len(data) - 22 else 0
    if size > MOST_LISTED:
        raise FileFormatError(name, "the archive lists too many files; unpack it first")


def check_workbook(data: bytes, name: str, limit: float | None = None) -> None:
    """Refuse a workbook that would unpack to more than is allowed, or holds declarations of entities.

    Raises
    ------
    FileFormatError
        Saying which.
    """
    most = SIZE_LIMIT if limit is None else limit
    check_listed(data, name)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        total = 0
        for one in archive.infolist():
            if one.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED} or one.flag_bits & 1:
                raise FileFormatError(name, f"{one.filename!r} is encrypted, or compressed as workbooks are not")
            total += one.file_size  # more of it is never read
            if total > most * (1 << 20):
                raise FileFormatError(name, too_large(f"more than {most:g} MiB when unpacked", most))
        for one in archive.infolist():
            if one.filename.endswith((".xml", ".rels")):
                _check_entities(archive.open(one), name)


def _check_entities(there: Any, name: str) -> None:
    before = b""
    while piece := there.read(PIECE):
        plain = (before + piece).replace(b"\0", b"")  # as UTF-16 has them between letters
        if b"<!DOCTYPE" in plain or b"<!ENTITY" in plain:
            raise FileFormatError(name, "its XML declares entities, which is refused")
        before = piece[-32:]
