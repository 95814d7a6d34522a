"""Identification of requests by the same sender."""

from __future__ import annotations

import pytest
from django.http import HttpRequest
from django.test import RequestFactory, override_settings

from records.serving.senders import address_of


def make_request(address: str, forwarded: str = "") -> HttpRequest:
    """Return a request from an address."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return RequestFactory().get("/", headers=headers, REMOTE_ADDR=address)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("no address", "unknown"),
    ],
)
def test_ipv6_network_is_one_sender(address: str, expected: str) -> None:
    assert address_of(make_request(address)) == expected


def test_address_behind_proxies_is_the_last_they_added() -> None:
    request = make_request("127.0.0.1", forwarded="6.6.6.6, 192.0.2.7")
    with override_settings(PROXIES=1):
        assert address_of(request) == "192.0.2.7"
    with override_settings(PROXIES=0):
        assert address_of(request) == "127.0.0.1"
