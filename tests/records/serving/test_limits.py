"""Limits of senders: requests in a minute, and work."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from hanaarchive.environment import rates
from records.serving import limits
from records.serving.gates import TooMany
from records.serving.limits import GROUPS, charge, expensive


def test_accounted_request_goes_on_inside_another_account() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.7")
    request.user = AnonymousUser()
    with expensive(request, "statistics"), expensive(request, "page"):
        pass


@pytest.mark.parametrize("size", [0, 10 * limits.BYTES_PER_UNIT])
def test_weight_and_body_are_charged_when_a_request_starts(size: int, settings: Any) -> None:
    weight = GROUPS["verify"].weight + size // limits.BYTES_PER_UNIT
    settings.RATES = {"work": (2 * weight, 60)}
    request = RequestFactory().post(
        "/", b"#" * size, content_type="text/plain", REMOTE_ADDR="192.0.2.7"
    )
    request.user = AnonymousUser()
    account = limits.account_of(request)
    charge(request, "verify", account)
    charge(request, "verify", account)
    with pytest.raises(TooMany) as error:
        charge(request, "verify", account)
    assert 0 < error.value.again <= 60
    assert limits.limits_of(request)["work"].rest == 0


def test_refused_request_is_charged() -> None:
    account = limits.Account("address:192.0.2.44")
    with ExitStack() as stack:
        for _ in range(GROUPS["wait"].per_sender):
            stack.enter_context(limits.in_flight("wait", account))
        for used in (1, 2):
            with pytest.raises(TooMany), limits.in_flight("wait", account):
                pass
            assert account.limits["work"].used == used


def test_every_group_can_be_requested_often_within_the_budget() -> None:
    assert GROUPS["work"].seconds == 60
    assert all(group.weight * 10 <= GROUPS["work"].requests for group in GROUPS.values())


def test_group_in_flight_leaves_places_of_its_room_to_other_senders() -> None:
    for name, group in GROUPS.items():
        assert bool(group.room) == bool(group.per_sender), name
        if group.room:
            assert group.per_sender < limits.GATES[group.room].places, name
    assert sum(gate.places for gate in limits.GATES.values()) <= settings.WEB_THREADS * 3 / 4


def test_changed_rates_are_parsed_and_malformed_ones_are_refused() -> None:
    assert rates("uploads=5/30, read=1/60") == {"uploads": (5, 30), "read": (1, 60)}
    for value in ("uploads", "uploads=5", "uploads=5/0", "uploads=-1/60", "uploads=a/60"):
        with pytest.raises(ImproperlyConfigured, match="name=times/seconds"):
            rates(value)


def test_unknown_name_of_a_rate_is_refused(settings: Any) -> None:
    settings.RATES = {"uploads": (5, 30), "download": (5, 30)}
    with pytest.raises(ImproperlyConfigured, match="HANA_RATES: download: expected some of read"):
        limits.check_rates()
