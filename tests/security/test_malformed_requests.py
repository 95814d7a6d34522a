"""Requests refused by Django are logged in one short line."""

from __future__ import annotations

import io
import logging

import pytest
from django.test import Client


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Return the log of this process."""
    [console] = [handler for handler in logging.root.handlers if handler.name == "console"]
    stream = io.StringIO()
    monkeypatch.setattr(console, "stream", stream)
    return stream


@pytest.mark.parametrize(
    "request_headers",
    [{"Host": "x" * 5000 + ".example"}, {"Host": "localhost\udce3"}],
    ids=["long", "no-name"],
)
@pytest.mark.parametrize("path", ["/", "/api/v1/records", "/none"])
def test_wrong_host_is_logged_in_one_short_line(
    path: str, request_headers: dict[str, str], log: io.StringIO
) -> None:
    response = Client().get(path, headers=request_headers)
    assert response.status_code == 400
    is_problem = response["Content-Type"] == "application/problem+json"
    assert is_problem == path.startswith("/api/")
    [line] = log.getvalue().splitlines()
    assert "warning" in line and "Invalid HTTP_HOST" in line and len(line) < 400


def test_form_with_too_many_fields_is_logged_in_one_short_line(log: io.StringIO) -> None:
    """Django's line about any suspicious request is shortened, not only about Hosts."""
    form = "&".join(f"field{number}=" for number in range(2000))
    response = Client().post("/language/", form, "application/x-www-form-urlencoded")
    assert response.status_code == 400
    [line] = log.getvalue().splitlines()
    assert "django.security.TooManyFieldsSent" in line and len(line) < 400
