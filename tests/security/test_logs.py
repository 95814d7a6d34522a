"""No log line has a secret of an address, whatever the status of the request."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from pytest_django import Settings

from hanaarchive.http.masking import HARMLESS, mask_path
from hanaarchive.logs import logging_config
from hanaarchive.metrics import exposition
from records.models import Gone, Upload
from records.pages.uploads import page
from records.privacy.access import hash_secret
from records.search.corrections import GoneGame
from records.search.games import GameGone
from tests.people.oauth_client import OAuthClient, begin, call, decide, poll
from tests.people.world import reauthenticate, session, user
from tests.security.addresses import VALUES, patterns

SECRET = "Xk3-s3cr3t_of-an-upload"
MINE = f"/uploads/KEY/mine/{SECRET}/"
RESET = f"/account/password/reset/key/1-abcdef-{SECRET}/"
#: Kinds of secret values in `VALUES`.
SECRETS = ("words", "base36", "signed")


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Return the log of a process in production, with Django's warnings of requests."""
    config = logging_config(json=True, level="INFO", routine_level="INFO")
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    formatter = dict(config["formatters"]["line"])
    handler.setFormatter(formatter.pop("()")(**formatter))
    for name in config["handlers"]["console"]["filters"]:
        handler.addFilter(import_string(config["filters"][name]["()"])())
    loggers = [
        logging.getLogger(name) for name in ("", "django.request", "hanaarchive.http.request_log")
    ]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.INFO)
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def read_lines(log: io.StringIO) -> list[dict[str, Any]]:
    """Return the lines, and check that none has the secret."""
    assert SECRET not in log.getvalue()
    return [json.loads(line) for line in log.getvalue().splitlines()]


def read_paths(log: io.StringIO) -> list[str]:
    return [
        line["path"] for line in read_lines(log) if line["logger"] == "hanaarchive.http.request_log"
    ]


def make_view(result: HttpResponse | Exception) -> Any:
    def view(*_arguments: Any, **_more: Any) -> HttpResponse:
        if isinstance(result, Exception):
            raise result
        return result

    return view


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (HttpResponse(), 200),
        (HttpResponse(status=404), 404),
        (GameGone(GoneGame(Gone.WITHDRAWN, timezone.now(), "")), 410),
        (ValueError("broken"), 500),
    ],
    ids=["200", "404", "410", "500"],
)
def test_secret_link_is_masked_with_every_status(
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    log: io.StringIO,
    result: HttpResponse | Exception,
    status: int,
) -> None:
    Upload.objects.create(key="KEY", via="page", secret=hash_secret(SECRET))
    monkeypatch.setattr(page, "report", make_view(result))
    response = Client(raise_request_exception=False).get(MINE, headers={"Referer": MINE})
    assert response.status_code == status
    assert read_paths(log) == ["/uploads/KEY/mine/<str:secret>/"]
    if status >= 400:
        warnings = [line for line in read_lines(log) if line["logger"] == "django.request"]
        assert [line["request"] for line in warnings] == ["GET /uploads/KEY/mine/<str:secret>/"]
    assert SECRET not in exposition().decode()


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (MINE.rstrip("/"), "/uploads/KEY/mine/<str:secret>/"),
        (f"{MINE})", "/uploads/…/mine/…/…"),
        (MINE.upper(), "/…/…/…/…/"),
        (f"/api/v1{MINE}", "/api/v1/uploads/…/mine/…/"),
        (RESET, f"/{resolve(RESET).route}"),
        (RESET.rstrip("/"), f"/{resolve(RESET).route}"),
        (f"/account/confirm-email/{SECRET}/", None),
        ("/games/KEY/", "/games/KEY/"),
        ("/games/KEY/1.2.png", "/games/KEY/1.2.png"),
    ],
)
def test_path_of_a_request_is_masked(
    db: None, log: io.StringIO, path: str, shown: str | None
) -> None:
    Client().get(path, {"secret": SECRET})
    assert read_paths(log) == [shown or f"/{resolve(path).route}"]
    assert SECRET.upper() not in log.getvalue()


def test_refusals_before_the_view_are_masked(
    db: None, settings: Settings, log: io.StringIO
) -> None:
    Client().get(MINE, headers={"Host": "evil.example"})
    form = Client(enforce_csrf_checks=True)
    form.post(MINE, {"secret": SECRET})
    referer = f"https://other.example{MINE}"
    form.cookies["csrftoken"] = "a" * 32
    form.post(MINE, secure=True, headers={"Referer": referer})
    settings.SECURE_SSL_REDIRECT = True
    Client().get(MINE)
    assert set(read_paths(log)) == {"/uploads/KEY/mine/<str:secret>/"}
    loggers = {line["logger"] for line in read_lines(log)}
    assert {"django.security.DisallowedHost", "django.security.csrf"} <= loggers
    assert "https://other.example/uploads/KEY/mine/<str:secret>/" in log.getvalue()


@pytest.mark.parametrize("message", ["Client disconnected", "Exception"])
def test_lines_of_the_web_server_are_masked(log: io.StringIO, message: str) -> None:
    logging.getLogger("waitress").error(f"{message} while serving {MINE}")
    (line,) = read_lines(log)
    assert line["message"] == f"{message} while serving /uploads/KEY/mine/<str:secret>/"


def test_logger_of_django_has_no_other_handler() -> None:
    assert logging.getLogger("django").handlers == []


def test_every_parameter_of_an_address_is_masked_or_known_to_be_harmless() -> None:
    values = {"numbers": "987654321", "positions": "98.7654", "deals": "987", "months": "9876-54"}
    values |= {"evenings": "9876-05-04"}
    values |= dict.fromkeys(SECRETS, "aa11bb22cc33")
    for name, _pattern, parameters in patterns():
        if name.startswith("admin:"):
            assert not HARMLESS & set(parameters), name
            continue
        kinds = VALUES.get(name, {})
        filled = {
            parameter: values.get(kinds[parameter], "987654321abc") for parameter in parameters
        }
        path = reverse(name, kwargs=filled)
        shown = mask_path(path)
        for parameter, value in filled.items():
            if kinds[parameter] in SECRETS or parameter not in HARMLESS:
                assert value not in shown, (name, parameter)
        if filled.keys() <= HARMLESS and not path.startswith("/account/"):
            assert shown == path, name


def test_codes_and_tokens_of_applications_are_not_logged(log: io.StringIO, db: None) -> None:
    """Detailed logs have none, whether a code is used, replayed, or of another application."""
    logging.getLogger().setLevel(logging.DEBUG)
    aya = user("aya")
    app, other = OAuthClient(user("maker")), OAuthClient(aya, "other")
    browser = session(aya)
    reauthenticate(browser)
    code, terminal = app.get_code(aya), begin()
    app.ask(browser, redirect_uri=f"https://thief.test/{code}")
    other.redeem(code)
    issued = app.redeem(code).json()
    app.redeem(code)
    call(issued["access_token"])
    Client().get(f"/api/v1/records?access_token={issued['access_token']}")
    renewed = app.refresh(issued).json()
    other.refresh(renewed)
    app.refresh(issued)
    call(renewed["access_token"])
    poll(terminal)
    browser.get(terminal["verification_uri_complete"])
    decide(browser, terminal, "allow")
    opened = poll(terminal).json()
    app.post("oauth_revoke", token=opened["access_token"])
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["path"] for line in lines if line.get("path") == "/oauth/token"]
    secrets = [code, terminal["device_code"], terminal["user_code"]]
    secrets += [
        tokens[f"{kind}_token"]
        for tokens in (issued, renewed, opened)
        for kind in ("access", "refresh")
    ]
    assert [secret for secret in secrets if secret in log.getvalue()] == []
