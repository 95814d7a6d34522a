"""The settings in each mode, and the variables that each mode requires.

The settings module runs in this process, once per environment. The tests inspect only the resulting
values: Django keeps the settings of the tests.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import override_settings

import manage
from hanaarchive import environment
from tests.conftest import ROOT, bare_env

#: Long and varied enough for Django's checks.
KEY = "Zm9yIHRoaXMgdGVzdCBvbmx5LCBhbmQgbG9uZyBlbm91Z2ggZm9yIERqYW5nbw"
PRODUCTION = {"HANA_ENV": "production", "SECRET_KEY": KEY, "ALLOWED_HOSTS": "a.example"}
DEVELOPMENT = {"HANA_ENV": "development"}


def load_settings(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> dict[str, Any]:
    """Return the settings of `manage.py` in an environment with these variables.

    Raises ImproperlyConfigured as the settings do.
    """
    with monkeypatch.context() as patch:
        patch.setattr(os, "environ", bare_env(**variables))
        patch.setattr("sys.argv", ["manage.py", "help"])
        patch.setattr("django.core.management.execute_from_command_line", lambda _: None)
        manage.main()
        return runpy.run_path(str(ROOT / "hanaarchive" / "settings.py"))


def refusal(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> str:
    """Return the message with which the settings refuse an environment."""
    with pytest.raises(ImproperlyConfigured) as refused:
        load_settings(monkeypatch, variables)
    return str(refused.value)


@pytest.fixture
def var(tmp_path: Path) -> Path:
    """Return the var directory of a new checkout."""
    return tmp_path / "new" / "var"


def test_production_without_key_or_hosts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    production = {"HANA_ENV": "production"}
    assert "SECRET_KEY is not set" in refusal(monkeypatch, production)
    production["SECRET_KEY"] = KEY
    assert "ALLOWED_HOSTS is not set" in refusal(monkeypatch, production)
    production["ALLOWED_HOSTS"] = "a.example, b.example"
    settings = load_settings(monkeypatch, production)
    assert settings["ALLOWED_HOSTS"] == ["a.example", "b.example"]


def test_site_url_follows_first_host(monkeypatch: pytest.MonkeyPatch, var: Path) -> None:
    def site_url(variables: dict[str, str]) -> object:
        return load_settings(monkeypatch, {"HANA_VAR": str(var)} | variables)["SITE_URL"]

    assert site_url({"HANA_URL": "https://a.example/"}) == "https://a.example"
    production = PRODUCTION | {"ALLOWED_HOSTS": "a.example,b"}
    assert site_url(production) == "https://a.example"
    assert site_url(production | {"HANA_HTTPS": "0"}) == "http://a.example"
    wildcard = PRODUCTION | {"ALLOWED_HOSTS": ".example"}
    assert "HANA_URL is not set" in refusal(monkeypatch, wildcard)


def test_admin_requires_second_factor_in_production(
    monkeypatch: pytest.MonkeyPatch, var: Path
) -> None:
    assert load_settings(monkeypatch, PRODUCTION)["STAFF_MFA"] is True
    assert load_settings(monkeypatch, PRODUCTION | {"HANA_STAFF_MFA": "0"})["STAFF_MFA"] is False
    assert load_settings(monkeypatch, {"HANA_VAR": str(var)})["STAFF_MFA"] is False


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
def test_named_service_means_production(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert "SECRET_KEY is not set" in refusal(monkeypatch, {name: "redis://host"})


def test_cache_and_celery_do_not_unpickle(monkeypatch: pytest.MonkeyPatch, var: Path) -> None:
    shared = DEVELOPMENT | {"REDIS_URL": "redis://host", "HANA_VAR": str(var)}
    settings = load_settings(monkeypatch, shared)
    serializer = settings["CACHES"]["default"]["OPTIONS"]["serializer"]
    assert serializer == "hanaarchive.cache.JsonSerializer"
    for name in ("CELERY_ACCEPT_CONTENT", "CELERY_TASK_SERIALIZER"):
        assert "pickle" not in settings[name]


def test_development_stores_its_key(monkeypatch: pytest.MonkeyPatch, var: Path) -> None:
    key = load_settings(monkeypatch, {"HANA_VAR": str(var)})["SECRET_KEY"]
    assert len(key) >= 50
    assert load_settings(monkeypatch, {"HANA_VAR": str(var)})["SECRET_KEY"] == key
    assert [path.name for path in var.iterdir()] == ["secret_key"]
    assert (var / "secret_key").stat().st_mode & 0o077 == 0, "for its owner only"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("HANA_ENV", "prod", "expected development, production"),
        ("HANA_DEBUG", "maybe", "expected 1 or 0"),
        ("HANA_UPLOAD_LIMIT", "64M", "expected a whole number from 1"),
        ("HANA_UPLOAD_LIMIT", "0", "expected a whole number from 1"),
        ("HANA_URL", "archive.example", "expected an address such as https://host"),
        ("HANA_URL", "https://archive.example/path", "expected an address such as"),
        ("HANA_URL", "https://user:word@archive.example", "expected an address such as"),
        ("HANA_PROXIES", "-1", "expected a whole number from 0"),
        ("HANA_REGISTRATION", "MAYBE", "expected closed, open"),
        ("HANA_SECURITY_CONTACT", "a@b.example", "text like ^(mailto:|https://)"),
        ("HANA_SECURITY_CONTACT", "mailto:", "text like ^(mailto:|https://)"),
        ("HANA_SECURITY_CONTACT", "mailto:a b", "text like ^(mailto:|https://)"),
        ("HANA_SECURITY_POLICY", "mailto:a@b.example", "text like ^https://"),
        ("HANA_LOG_LEVEL", "LOUD", "expected DEBUG, ERROR, INFO, WARNING"),
    ],
)
def test_invalid_value_is_named(
    monkeypatch: pytest.MonkeyPatch, var: Path, name: str, value: str, expected: str
) -> None:
    message = refusal(monkeypatch, {"HANA_VAR": str(var), name: value})
    assert message.startswith(f"{name}={value!r}: expected ")
    assert expected in message


@pytest.mark.parametrize("name", ["DATABASE_URL", "HANA_REPLICA_URL"])
def test_invalid_database_is_named_but_not_quoted(
    monkeypatch: pytest.MonkeyPatch, var: Path, name: str
) -> None:
    variables = DEVELOPMENT | {name: "secret@host", "HANA_VAR": str(var)}
    message = refusal(monkeypatch, variables)
    assert f"{name}: expected postgres://" in message
    assert "secret" not in message


@pytest.mark.parametrize(
    ("count", "header"), [("0", None), ("1", ("HTTP_X_FORWARDED_PROTO", "https"))]
)
def test_forwarded_scheme_is_trusted_only_behind_proxy(
    monkeypatch: pytest.MonkeyPatch, var: Path, count: str, header: tuple[str, str] | None
) -> None:
    settings = load_settings(monkeypatch, {"HANA_PROXIES": count, "HANA_VAR": str(var)})
    assert settings.get("SECURE_PROXY_SSL_HEADER") == header


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, (True, True, True, 2_592_000, True)),
        (
            {"HANA_HSTS_SECONDS": "600", "HANA_HSTS_SUBDOMAINS": "0"},
            (True, True, True, 600, False),
        ),
        ({"HANA_HTTPS": "0"}, (False, False, False, 0, True)),
    ],
    ids=["default", "hsts", "plain-http"],
)
def test_https_switch_sets_redirect_cookies_and_hsts(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: tuple[object, ...]
) -> None:
    names = (
        *("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"),
        *("SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS"),
    )
    settings = load_settings(monkeypatch, PRODUCTION | {"HANA_PROXIES": "1"} | variables)
    assert tuple(settings[name] for name in names) == expected


def test_production_passes_deployment_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check also that only one check is silenced, with the reason in the settings."""
    monkeypatch.delenv("DJANGO_ALLOW_ASYNC_UNSAFE", raising=False)  # set for tests in a browser
    settings = load_settings(monkeypatch, PRODUCTION)
    assert settings["SILENCED_SYSTEM_CHECKS"] == ["oauth2_provider.W008"]
    prefixes = ("SECURE_", "SESSION_", "CSRF_", "X_FRAME", "MIDDLEWARE", "SECRET_KEY", "DEBUG")
    names = (*prefixes, "ALLOWED_HOSTS", "ACCOUNT_", "MFA_", "REST_FRAMEWORK", "CORS_")
    production = {name: value for name, value in settings.items() if name.startswith(names)}
    with override_settings(**production):
        call_command("check", deploy=True, fail_level="WARNING")


def test_documented_table_of_variables_is_that_of_the_declarations() -> None:
    assert f"\n{environment.table()}\n" in (ROOT / "docs" / "operations.md").read_text("utf-8")
