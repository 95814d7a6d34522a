"""Identifies the sender of a request, by whom rate limits, quotas and turns are counted."""

from __future__ import annotations

import ipaddress
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

#: Bits of an IPv6 address that identify a household; whoever has a line has all addresses below.
_IPV6_PREFIX: Final = 64


def sender_of(request: Any) -> str:
    """``user:PK`` for an account, by session or by any of its tokens; else ``address:…``.

    ``request`` is Django's or the REST framework's. At most 100 characters.
    """
    if request.user.is_authenticated:
        return account_sender(request.user.pk)
    return anonymous(request)


def account_sender(user: int) -> str:
    """Return the sender that an account is."""
    return f"user:{user}"


def anonymous(request: HttpRequest) -> str:
    """The sender of a request that is nobody's: its address."""
    return f"address:{address_of(request)}"


def address_of(request: HttpRequest) -> str:
    """The network address of a caller: IPv4 whole, IPv6 as its network of 64 bits.

    The address named by the last of our proxies, else that of the connection; ``unknown`` if it is
    not an address.
    """
    named = [one.strip() for one in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if settings.PROXIES and named != [""]:
        return network_of(named[-min(settings.PROXIES, len(named))])
    return network_of(str(request.META.get("REMOTE_ADDR") or ""))


def network_of(written: str) -> str:
    """The part of an address that identifies a caller.

    >>> network_of("203.0.113.9"), network_of("::ffff:203.0.113.9")
    ('203.0.113.9', '203.0.113.9')
    >>> network_of("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::/64'
    """
    try:
        address = ipaddress.ip_address(written.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, _IPV6_PREFIX), strict=False))
