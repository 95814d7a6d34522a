"""Requests refused by Django are logged in one short line."""

from __future__ import annotations

import io
import logging
import time

import pytest
from django.test import Client

from tests.markup import join_lines


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


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/games/", "/statistics/koikoi/", "/api/v1/records"])
def test_query_with_too_many_parameters_is_a_bad_request(path: str) -> None:
    assert Client().get(path, {str(number): "" for number in range(2000)}).status_code == 400


@pytest.mark.parametrize("value", ["\\" * 8000, '\\"' * 4000, "x" * 9000], ids=len)
@pytest.mark.parametrize("path", ["/", "/api/v1/records", "/none"])
def test_cookie_that_is_costly_to_parse_is_refused(path: str, value: str) -> None:
    start = time.process_time()
    client = Client()
    for host in ("localhost", "localhost\udce3") * 5:
        response = client.get(path, headers={"Cookie": f'a="{value}"', "Host": host})
        assert response.status_code == 400
    assert time.process_time() - start < 1
    is_problem = response["Content-Type"] == "application/problem+json"
    assert is_problem == path.startswith("/api/")
    if is_problem:
        problem = response.json()
        assert (problem["code"], problem["limit"]) == ("invalid-header", 8192)


@pytest.mark.django_db
def test_cookie_with_few_backslashes_is_parsed() -> None:
    cookie = 'a="' + "\\054" * 200 + '"; django_language=ja'
    response = Client().get("/", headers={"Cookie": cookie})
    assert response.status_code == 200
    assert '<html lang="ja"' in join_lines(response.content.decode())
