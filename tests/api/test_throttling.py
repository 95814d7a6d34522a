"""How often an address may send."""

from __future__ import annotations

import pytest
from rest_framework.throttling import ScopedRateThrottle

from tests.api.contract import Api, problem

pytestmark = pytest.mark.django_db


@pytest.fixture
def twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two requests a minute of each kind."""
    rates = {"uploads": "2/min", "verify": "2/min"}
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", rates)


@pytest.mark.parametrize("path", ["uploads", "verify"])
def test_too_many_requests(api: Api, twice: None, path: str) -> None:
    for _ in range(2):
        assert api.post(path, b"x", "text/x-kafu").status_code < 300
    # Nobody without a proxy before us becomes another by a header.
    response = api.post(path, b"x", "text/x-kafu", **{"X-Forwarded-For": "192.0.2.1"})
    problem(response, "too-many-requests", 429)
    assert 0 < int(response["Retry-After"]) <= 60


def test_each_kind_is_counted_for_itself(api: Api, twice: None) -> None:
    for path in ("uploads", "verify") * 2:
        assert api.post(path, b"x", "text/x-kafu").status_code < 300


def test_reading_is_not_counted(api: Api, twice: None) -> None:
    for _ in range(5):
        assert api.get("records").status_code == 200
