"""Identification of requests by the same sender."""

from __future__ import annotations

import pytest
from django.http import HttpRequest
from django.test import RequestFactory, override_settings

from records.serving import senders
from records.serving.senders import MOST_NETWORKS, address_of


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


def test_seventeenth_network_of_a_site_is_counted_as_the_site() -> None:
    addresses = [f"2001:db8:7:{number:x}::1" for number in range(MOST_NETWORKS + 3)]
    for _ in range(2):
        counted = [address_of(make_request(address)) for address in addresses]
        assert len({*counted}) == MOST_NETWORKS + 1
        assert counted[-3:] == ["2001:db8:7::/48"] * 3
    assert address_of(make_request("2001:db8:8:1::1")) == "2001:db8:8:1::/64"


def test_networks_of_a_site_are_counted_anew_after_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(MOST_NETWORKS):
        address_of(make_request(f"2001:db8:9:{number:x}::1"))
    assert address_of(make_request("2001:db8:9:ff::1")) == "2001:db8:9::/48"
    later = senders.time.time() + 3600
    monkeypatch.setattr(senders.time, "time", lambda: later)
    assert address_of(make_request("2001:db8:9:ff::1")) == "2001:db8:9:ff::/64"


def test_address_behind_proxies_is_the_last_they_added() -> None:
    for proxies, expected in ((1, "192.0.2.7"), (0, "127.0.0.1")):
        request = make_request("127.0.0.1", forwarded="6.6.6.6, 192.0.2.7")
        with override_settings(PROXIES=proxies):
            assert address_of(request) == expected
