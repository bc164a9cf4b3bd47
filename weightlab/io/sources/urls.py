"""Files at addresses of the web, fetched under limits of size, time and place."""

from __future__ import annotations

import http.client
import io
import ipaddress
import re
import socket
import ssl
import threading
from http import HTTPStatus
from time import monotonic
from typing import Any, cast
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from weightlab._result import Frozen
from weightlab._version import __version__
from weightlab.exceptions import FileFormatError
from weightlab.io.sources.packed import too_large

BODY_LIMIT = 64
"""MiB that are fetched, by default."""
SECONDS = 30.0
"""Time for all of it."""
MOST_REDIRECTS = 5
REDIRECTS = {301, 302, 303, 307, 308}
SCHEMES = {"http": 80, "https": 443}
"""The schemes that are read, and their ports."""
PIECE = 1 << 16
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_PAGES = {
    "github.com": (re.compile(r"(/[^/]+/[^/]+)/blob/"), r"\1/raw/"),
    "huggingface.co": (re.compile(r"(/(?:datasets/|spaces/)?[^/]+/[^/]+)/blob/"), r"\1/resolve/"),
}
"""Pages that show a file, and where the file itself is."""
_IN_REPOSITORY = re.compile(r"hf://((?:datasets/|spaces/)?[^/]+/[^/@]+)(?:@([^/]+))?/(.+)", re.IGNORECASE)


class Fetched(Frozen):
    """What is at an address, and what it is called: the address without user, password, query and fragment."""

    data: bytes
    name: str


def is_url(file: object) -> bool:
    """Return whether a file is named by an address, of whatever scheme."""
    return isinstance(file, str) and _SCHEME.match(file) is not None


def bare(url: str) -> str:
    """Return an address without user, password, query and fragment, as it is shown."""
    parts = _parts(url)
    port = f":{parts.port}" if parts.port not in {None, SCHEMES[parts.scheme]} else ""
    return f"{parts.scheme}://{_bracketed(parts.hostname or '')}{port}{parts.path}"


def is_whole(file: str) -> bool:
    """Return whether a file is named so that it is the same as it is shown; an address may lack what it needs."""
    if not is_url(file):
        return True
    try:
        parts = _parts(file)
    except FileFormatError:
        return True  # no address of a table, and shown as it is
    return not (parts.query or parts.username or parts.password)


def fetched(url: str, limit: float | None = None) -> Fetched:
    """Return the content at an address, ``http``, ``https`` or ``hf://OWNER/REPOSITORY/PATH``.

    Nothing of this machine is sent but the address: no cookies, no passwords of the environment, no proxy. Up to five
    redirects are followed, none to another scheme, from https to http or, unless the first address was there, to this
    machine or a private network; the connection uses the very address that was checked.

    Parameters
    ----------
    url : str
        The address.
    limit : float, optional
        MiB that are fetched; 64 by default.

    Raises
    ------
    FileFormatError
        Where it cannot be fetched so within 30 seconds.
    """
    parts, until = _parts(url), monotonic() + SECONDS
    name = bare(url)
    first = None
    try:
        for _ in range(MOST_REDIRECTS + 1):
            address, public = _address(parts, until, name)
            first = public if first is None else first
            if first and not public:
                raise FileFormatError(name, "it leads to an address of this machine or of a private network")
            answer = _answer(parts, address, until)
            with answer:
                if answer.status in REDIRECTS:
                    parts = _next(parts, answer.headers.get("Location", ""), name)
                    continue
                if answer.status != HTTPStatus.OK:
                    raise FileFormatError(name, f"the server says {answer.status} {answer.reason}".rstrip())
                return Fetched(data=_body(answer, BODY_LIMIT if limit is None else limit, name), name=name)
    except TimeoutError:
        raise FileFormatError(name, f"not fetched within {SECONDS:g} seconds") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(name, f"cannot be fetched: {str(error) or type(error).__name__}") from None
    raise FileFormatError(name, f"more than {MOST_REDIRECTS} redirects")


def as_stream(url: str, limit: float | None = None) -> io.BytesIO:
    """Return the content at an address as an open file with that name."""
    found = fetched(url, limit)
    held = io.BytesIO(found.data)
    held.name = found.name
    return held


def _parts(url: str) -> SplitResult:
    """Return the parts of an address, with the file itself instead of a page that shows it."""
    if found := _IN_REPOSITORY.fullmatch(url):
        url = f"https://huggingface.co/{found[1]}/resolve/{found[2] or 'main'}/{found[3]}"
    try:
        parts = urlsplit(url)
        known = parts.scheme in SCHEMES and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        known, parts = False, urlsplit("")
    if not known:
        shown = re.sub(r"//[^/?#]*@|[?#].*", lambda found: "//" if found[0].startswith("//") else "", url)
        raise FileFormatError(shown, "addresses are read that begin with https://, http:// or hf://OWNER/REPOSITORY/")
    pattern, file = _PAGES.get(parts.hostname or "", (re.compile("(?!)"), ""))
    return parts._replace(path=pattern.sub(file, parts.path, count=1) or "/", fragment="")


def _next(parts: SplitResult, location: str, name: str) -> SplitResult:
    """Return where a redirect leads, if it may."""
    if not location:
        raise FileFormatError(name, "it redirects to nowhere")
    url = urljoin(parts.geturl(), location)
    scheme = urlsplit(url).scheme
    if scheme not in SCHEMES or (parts.scheme == "https" and scheme == "http"):
        raise FileFormatError(name, f"it redirects from {parts.scheme} to {scheme}, which is not followed")
    return _parts(url)


def _address(parts: SplitResult, until: float, name: str) -> tuple[Any, bool]:
    """Return where to connect to, and whether that is on the public network."""
    found: list[Any] = []
    host, port = parts.hostname or "", parts.port or SCHEMES[parts.scheme]

    def look() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.append(error)

    # A resolver knows no time limit.
    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(_left(until))
    if not found:
        raise TimeoutError
    if isinstance(found[0], Exception):
        raise FileFormatError(name, f"the host {host!r} is not found")
    family, kind, protocol, _, address = found[0]
    return (family, kind, protocol, address), _is_public(address[0])


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner = [getattr(ip, one, None) for one in ("ipv4_mapped", "sixtofour")]
    return ip.is_global and not ip.is_multicast and all(one is None or one.is_global for one in inner)


def _left(until: float) -> float:
    left = until - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Timed(io.RawIOBase):
    """What is received by a socket, until a time."""

    def __init__(self, held: socket.socket, until: float) -> None:
        self.held, self.until = held, until

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Receive some bytes, if they come in time."""
        self.held.settimeout(_left(self.until))
        return self.held.recv_into(buffer)

    def close(self) -> None:
        """Close the connection."""
        self.held.close()
        super().close()

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return itself as a file."""
        return io.BufferedReader(self)


def _answer(parts: SplitResult, address: Any, until: float) -> http.client.HTTPResponse:
    """Return the response to a request, with its headers read."""
    family, kind, protocol, place = address
    held = socket.socket(family, kind, protocol)
    try:
        held.settimeout(_left(until))
        held.connect(place)
        host = parts.hostname or ""
        if parts.scheme == "https":
            held = ssl.create_default_context().wrap_socket(held, server_hostname=host)
        path = quote(parts.path, safe="/%:@!$&'()*+,;=~-._") + (
            f"?{quote(parts.query, safe='/?%:@!$&()*+,;=~-._')}" if parts.query else ""
        )
        port = f":{parts.port}" if parts.port else ""
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: {_bracketed(host.encode('idna').decode() if ':' not in host else host)}{port}",
            f"User-Agent: weightlab/{__version__}",
            "Accept: */*",
            "Accept-Encoding: identity",
            "Connection: close",
        )
        held.sendall("\r\n".join((*lines, "", "")).encode("ascii"))
        answer = http.client.HTTPResponse(cast("socket.socket", _Timed(held, until)), method="GET")
        answer.begin()
    except BaseException:
        held.close()
        raise
    return answer


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _body(answer: http.client.HTTPResponse, most: float, name: str) -> bytes:
    """Return the body of an answer, if it is not too large and whole."""
    made = bytearray()
    told = too_large(f"more than {most:g} MiB at this address", most)
    if (answer.length or 0) > most * (1 << 20):
        raise FileFormatError(name, told)
    while piece := answer.read(PIECE):
        made += piece
        if len(made) > most * (1 << 20):
            raise FileFormatError(name, told)
    if answer.length:
        raise FileFormatError(name, "the connection ended before the file did")
    return bytes(made)
