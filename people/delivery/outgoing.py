"""Requests to addresses that users choose, limited to the public internet and in duration.

The host name is resolved once, all addresses of the host must be public, and the connection goes to
a checked address. The name cannot resolve to another address between check and connection.
Redirects are not followed.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from records.serving.limits import Busy

#: Seconds for a whole request: resolving the name, connecting, TLS and the response.
DEADLINE_SECONDS: Final = 10.0
#: Seconds for resolving a name while the user waits for the page.
LOOKUP_SECONDS: Final = 3.0
#: Concurrent name lookups of a process. The system's lookup cannot be interrupted: a hanging
#: lookup occupies its thread after the request has failed.
LOOKUPS: Final = 16
#: Maximum bytes of a response that are read and discarded.
RESPONSE_BYTES: Final = 64 << 10
#: The IPv6 range of public hosts. Outside are IPv4-compatible, translated, NAT64 and site-local
#: addresses, some of which `ipaddress` calls global.
_UNICAST: Final = ipaddress.ip_network("2000::/3")
#: 6to4 addresses in the public range, which lead to IPv4.
_THROUGH: Final = ipaddress.ip_network("2002::/16")

_lookups: Final = threading.BoundedSemaphore(LOOKUPS)


class NotAllowed(ValueError):
    """An address to which nothing is sent, with the reason as the message."""


def check_url(url: str) -> tuple[str, int, str, bool]:
    """Return host, port, path and whether TLS is used, of a well-formed address.

    Raise :class:`NotAllowed`.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")  # the lookup encodes it too
    except ValueError as error:
        raise NotAllowed(_("not an address")) from error
    schemes = ("https", "http") if settings.PRIVATE_WEBHOOKS else ("https",)
    if parts.scheme not in schemes or not host:
        raise NotAllowed(_("expected https://…"))
    if parts.username is not None or parts.password is not None:
        raise NotAllowed(_("expected no name and no password in it"))
    if not url.isascii() or not url.isprintable() or " " in url:
        raise NotAllowed(_("expected ASCII without spaces"))
    secure = parts.scheme == "https"
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    return host, port or (443 if secure else 80), path, secure


def check_host(url: str) -> None:
    """Resolve the host of an address, and require a public host.

    Raise :class:`NotAllowed`, also for a name without an answer within some seconds, and
    `records.serving.limits.Busy`.
    """
    host, port, _path, _secure = check_url(url)
    try:
        resolve(host, port, LOOKUP_SECONDS)
    except OSError as error:
        raise NotAllowed(_("the host cannot be found")) from error


def post(
    url: str, body: bytes, headers: Mapping[str, str], seconds: float = DEADLINE_SECONDS
) -> int:
    """Send a body; return the status of the response.

    Raise :class:`NotAllowed`, `records.serving.limits.Busy`, and OSError or
    `http.client.HTTPException` if there is no complete response within the seconds.
    """
    end = time.monotonic() + seconds
    host, port, path, secure = check_url(url)
    raw_socket = _connect(resolve(host, port, seconds), port, end)
    with closing(raw_socket):
        raw_socket.settimeout(_seconds_left(end))
        connection = http.client.HTTPConnection(host, port)
        if secure:
            connection = http.client.HTTPSConnection(host, port, context=_tls_context())
            raw_socket = _tls_context().wrap_socket(raw_socket, server_hostname=host)
        connection.sock = raw_socket
        with closing(connection):
            connection.sock.settimeout(_seconds_left(end))
            connection.request("POST", path, body, {**headers, "Connection": "close"})
            stream: Any = _Stream(connection.sock, end)
            response = http.client.HTTPResponse(stream, method="POST")
            response.begin()
            response.read(RESPONSE_BYTES)
            return response.status


class _Stream(io.RawIOBase):
    """The bytes that a connection receives until a deadline."""

    def __init__(self, connection: socket.socket, end: float) -> None:
        self.connection = connection
        self.end = end

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return a buffered reader, as a socket does for `http.client`."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Receive some bytes; raise TimeoutError after the deadline."""
        self.connection.settimeout(_seconds_left(self.end))
        return self.connection.recv_into(buffer)


def _seconds_left(end: float) -> float:
    """Return the seconds until a deadline; raise TimeoutError after the deadline."""
    seconds = end - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("no response in time")
    return seconds


def _connect(addresses: Sequence[str], port: int, end: float) -> socket.socket:
    """Connect to the first address that accepts the connection; raise OSError."""
    for address in addresses[:-1]:
        try:
            return socket.create_connection((address, port), _seconds_left(end) / 2)
        except OSError:
            pass  # without IPv6, the next address may be reachable
    return socket.create_connection((addresses[-1], port), _seconds_left(end))


@cache
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """Return the addresses of a host, in the system's order of preference.

    Raise :class:`NotAllowed` if an address is not public, OSError if none is found within the
    seconds, and `records.serving.limits.Busy` if too many lookups hang.
    """
    if not _lookups.acquire(blocking=False):
        raise Busy
    outcome: SimpleQueue[list[str] | OSError] = SimpleQueue()
    threading.Thread(target=_look_up, args=(host, port, outcome, _lookups), daemon=True).start()
    try:
        addresses = outcome.get(timeout=seconds)
    except Empty:
        raise TimeoutError("the name was not resolved in time") from None
    if isinstance(addresses, OSError):
        raise addresses
    if not settings.PRIVATE_WEBHOOKS and not all(map(is_public, addresses)):
        raise NotAllowed(_("the address is not a public one"))
    return addresses


def _look_up(
    host: str,
    port: int,
    outcome: SimpleQueue[list[str] | OSError],
    lookups: threading.Semaphore,
) -> None:
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        outcome.put(list(dict.fromkeys(str(row[4][0]) for row in rows)))
    except OSError as error:
        outcome.put(error)
    finally:
        lookups.release()


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if ip.version == 6 and (ip not in _UNICAST or ip in _THROUGH):
        return False
    return ip.is_global and not ip.is_multicast
