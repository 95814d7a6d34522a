"""Senders of requests, the subjects of rate limits, quotas and turns."""

from __future__ import annotations

import ipaddress
import time
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

#: Bits of an IPv6 address that identify a household, because a line has all addresses of its
#: network.
_IPV6_PREFIX: Final = 64
#: Bits of the largest network that providers assign to a customer.
_IPV6_SITE_PREFIX: Final = 48
#: Networks of a site that count as separate senders in a period. A period begins every hour.
MOST_NETWORKS: Final = 16
_PERIOD_SECONDS: Final = 3600
_ADDRESS: Final = "hana.address"
#: Younger accounts share their limits with all new accounts of their address.
NEW: Final = timedelta(days=7)


def sender_of(request: Any) -> str:
    """Return ``user:PK`` for an account, by session or by token; else ``address:…``.

    ``request`` is Django's or the REST framework's. The sender has at most 100 characters.
    """
    if request.user.is_authenticated:
        return account_sender(request.user.pk)
    return anonymous_sender(request)


def origin_of(request: Any) -> str:
    """Return the sender under which costly work is counted.

    An account younger than a week is counted by its address, as is a request without an account,
    because anybody can create many accounts within seconds.
    """
    if not request.user.is_authenticated or request.user.date_joined > timezone.now() - NEW:
        return anonymous_sender(request)
    return sender_of(request)


def hashed(sender: str) -> str:
    """Return the hash under which a sender is stored, with the key of this archive; "" stays "".

    >>> len(hashed("address:203.0.113.9")), hashed("")
    (32, '')
    """
    return salted_hmac("records.quotas", sender).hexdigest()[:32] if sender else ""


def account_sender(user: int) -> str:
    """Return the sender of an account."""
    return f"user:{user}"


def is_account_sender(sender: str) -> bool:
    """Return whether a sender is an account."""
    return sender.startswith("user:")


def anonymous_sender(request: HttpRequest) -> str:
    """Return the sender of an anonymous request: its address."""
    return f"address:{address_of(request)}"


def address_of(request: HttpRequest) -> str:
    """Return the network address of a caller: all of an IPv4 address, the first 64 bits of IPv6.

    After `MOST_NETWORKS` networks of the same 48 bits in an hour, further ones count together, as
    these 48 bits. The address is taken from the last of our proxies, else from the connection. It
    is ``unknown`` if it is not valid. It stays the same during the whole request.
    """
    address: str | None = request.META.get(_ADDRESS)
    if address is None:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
        full_address = find_address(forwarded, str(request.META.get("REMOTE_ADDR") or ""))
        address = request.META[_ADDRESS] = _limit_networks(network_of(full_address))
    return address


def find_address(forwarded: str, connected: str) -> str:
    """Return the address of a caller as the last of our proxies or the connection has it.

    ``forwarded`` is the value of X-Forwarded-For, ``connected`` the other end of the connection.
    """
    addresses = [part.strip() for part in forwarded.split(",")]
    if settings.PROXIES and addresses != [""]:
        return addresses[-min(settings.PROXIES, len(addresses))]
    return connected


def _limit_networks(network: str) -> str:
    """Return a network, or its site if enough other networks of the site are senders already."""
    if "/" not in network:
        return network
    site = str(ipaddress.IPv6Network(network).supernet(new_prefix=_IPV6_SITE_PREFIX))
    period = int(time.time()) // _PERIOD_SECONDS
    key, counter = f"network:{network}:{period}", f"networks:{site}:{period}"
    if cache.get(key):
        return network
    cache.add(counter, 0, 2 * _PERIOD_SECONDS)
    if cache.get(counter, 0) >= MOST_NETWORKS:
        return site
    try:
        count = cache.incr(counter)
    except ValueError:
        return network  # the cache was emptied between the calls
    if count > MOST_NETWORKS:
        return site
    cache.set(key, True, 2 * _PERIOD_SECONDS)
    return network


def network_of(written: str) -> str:
    """Return the part of an address that identifies a caller.

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
