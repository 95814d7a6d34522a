"""Requests to addresses that users name: never into a network of ours.

The name is resolved once, every address of it must be public, and the connection is made to one of
those: so no name can mean another address at the second look. No redirect is followed.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

#: Seconds for a connection, and for each answer of the other side; and for all together.
TIMEOUT: Final = 5
DEADLINE: Final = 15
#: Where hosts of the public internet are in IPv6: outside of it are IPv4-compatible and translated
#: addresses, NAT64 and site-local ones, which `ipaddress` partly calls global.
_UNICAST: Final = ipaddress.ip_network("2000::/3")
#: Within it, addresses that lead to IPv4: 6to4.
_THROUGH: Final = ipaddress.ip_network("2002::/16")


class NotAllowed(ValueError):
    """An address to which nothing is sent; the message says why."""


class _Pinned(http.client.HTTPConnection):
    """A connection to a host at an address that is known to be allowed."""

    def __init__(self, host: str, port: int, address: str, *, secure: bool) -> None:
        super().__init__(host, port, timeout=TIMEOUT)
        self.address = address
        self.secure = secure
        self.stopped = False

    def connect(self) -> None:
        """Connect to the address, by TLS for the name of the host."""
        self.sock = socket.create_connection((self.address, self.port), self.timeout)
        if self.secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host)

    def stop(self) -> None:
        """End it from another thread. To close it is not enough: who reads the answer holds the
        socket open, and goes on for as long as letters come.
        """
        self.stopped = True
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def check(url: str) -> tuple[str, int, str, bool]:
    """Host, port, path and whether it is secure, of an address of the right form.

    Raises :class:`NotAllowed`.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")  # as resolving it does
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


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send a body; the status of the answer, whose content nobody reads.

    Raises :class:`NotAllowed`, and OSError or `http.client.HTTPException` where there is no answer.
    """
    host, port, path, secure = check(url)
    connection = _Pinned(host, port, _resolved(host, port), secure=secure)
    # A server that answers byte by byte holds no worker for longer.
    timer = threading.Timer(DEADLINE, connection.stop)
    timer.start()
    try:
        connection.request("POST", path, body, dict(headers))
        status = connection.getresponse().status
    except (AttributeError, ValueError) as error:  # stopped in the middle of it
        raise TimeoutError("no answer in time") from error
    else:
        if connection.stopped:  # what came of it would pass for a whole answer
            raise TimeoutError("no answer in time")
        return status
    finally:
        timer.cancel()
        connection.close()


def _resolved(host: str, port: int) -> str:
    found = {info[4][0] for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    addresses = sorted(str(one) for one in found)
    if not settings.PRIVATE_WEBHOOKS and not all(map(is_public, addresses)):
        raise NotAllowed(_("the address is not a public one"))
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet's hosts."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if ip.version == 6 and (ip not in _UNICAST or ip in _THROUGH):
        return False
    return ip.is_global and not ip.is_multicast
