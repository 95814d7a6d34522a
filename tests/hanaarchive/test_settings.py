"""Modes, and what each of them asks for."""

import subprocess
import sys
from pathlib import Path

import pytest

from lengths import part
from tests.conftest import ROOT, Environment, Hana, bare_env

#: Without setting Django up, which takes three times as long.
SHOW = """
from django.core import management
management.execute_from_command_line = lambda _: None
import manage
manage.main()
from django.conf import settings
settings.SECRET_KEY
print(settings.{})
"""


def show(hana: Hana, name: str, variables: Environment, status: int = 0) -> str:
    """The setting, as a process of its own has it; what it says instead if it fails."""
    env = bare_env(**variables)
    done = subprocess.run(
        [sys.executable, "-c", SHOW.format(name)], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == status, done.stdout + done.stderr
    return (done.stdout if status == 0 else done.stderr).strip().rsplit("\n", 1)[-1]


def test_production_asks_for_a_key_and_hosts(hana: Hana) -> None:
    production = {"HANA_ENV": "production"}
    assert "SECRET_KEY is not set" in show(hana, "MODE", production, status=1)
    production["SECRET_KEY"] = "k"
    assert "ALLOWED_HOSTS is not set" in show(hana, "MODE", production, status=1)
    production["ALLOWED_HOSTS"] = "a.example, b.example"
    assert show(hana, "ALLOWED_HOSTS", production) == "['a.example', 'b.example']"
    assert show(hana, "CSRF_COOKIE_SECURE", production) == "True"


def test_our_own_address_follows_the_first_host(hana: Hana) -> None:
    assert show(hana, "SITE_URL", {"HANA_URL": "https://a.example/"}) == "https://a.example"
    production = {"HANA_ENV": "production", "SECRET_KEY": "k", "ALLOWED_HOSTS": "a.example,b"}
    assert show(hana, "SITE_URL", production) == "https://a.example"
    assert show(hana, "SITE_URL", production | {"HANA_HTTPS": "0"}) == "http://a.example"
    production["ALLOWED_HOSTS"] = ".example"
    assert "HANA_URL is not set" in show(hana, "SITE_URL", production, status=1)


def test_the_admin_wants_a_second_factor_in_production(hana: Hana) -> None:
    production = {"HANA_ENV": "production", "SECRET_KEY": "k", "ALLOWED_HOSTS": "a.example"}
    assert show(hana, "STAFF_MFA", production) == "True"
    assert show(hana, "STAFF_MFA", production | {"HANA_STAFF_MFA": "0"}) == "False"
    assert show(hana, "STAFF_MFA", {}) == "False"


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
def test_a_service_named_means_production(hana: Hana, name: str) -> None:
    assert "SECRET_KEY is not set" in show(hana, "MODE", {name: "redis://host"}, status=1)


def test_neither_cache_nor_celery_unpickles(hana: Hana) -> None:
    shared = {"HANA_ENV": "development", "REDIS_URL": "redis://host"}
    assert "'serializer': 'hanaarchive.cache.JsonSerializer'" in show(hana, "CACHES", shared)
    for name in ("CELERY_ACCEPT_CONTENT", "CELERY_TASK_SERIALIZER"):
        assert "pickle" not in show(hana, name, shared)


def test_development_keeps_its_key(hana: Hana, tmp_path: Path) -> None:
    var = tmp_path / "new" / "var"
    key = show(hana, "SECRET_KEY", {"HANA_VAR": str(var)})
    assert len(key) >= 50
    assert show(hana, "SECRET_KEY", {"HANA_VAR": str(var)}) == key
    assert [path.name for path in var.iterdir()] == ["secret_key"]
    assert (var / "secret_key").stat().st_mode & 0o077 == 0, "for its owner only"


def test_text_commands_need_nothing(hana: Hana, tmp_path: Path) -> None:
    """Not a key, not a database, not a directory to write to; whatever the environment says."""
    env = bare_env(
        HANA_ENV="production", DATABASE_URL="postgres://nowhere/x", HANA_VAR=str(tmp_path / "var")
    )
    assert "usage: manage.py verify" in hana("verify", "--help", env=env).stdout
    assert hana("simulate", "koikoi", "--games=1", "--seed=1", env=env).stdout.startswith("[Kafu")
    assert not (tmp_path / "var").exists()


#: Variables with values that they must not have, and what is expected.
WRONG = (
    ("HANA_ENV", "prod", "expected production or development"),
    ("HANA_DEBUG", "maybe", "expected 1 or 0"),
    ("HANA_UPLOAD_LIMIT", "64M", "expected a whole number from 1"),
    ("HANA_URL", "archive.example", "expected an address such as https://host"),
    ("HANA_URL", "https://archive.example/path", "expected an address such as"),
    ("HANA_URL", "https://user:word@archive.example", "expected an address such as"),
    ("HANA_PROXIES", "-1", "expected a whole number from 0"),
    ("HANA_REGISTRATION", "MAYBE", "expected OPEN, CLOSED"),
    (
        "HANA_SECURITY_CONTACT",
        "a@b.example",
        "expected an address that begins with mailto: or https:",
    ),
    (
        "HANA_SECURITY_CONTACT",
        "mailto:",
        "expected an address that begins with mailto: or https:",
    ),
    (
        "HANA_SECURITY_CONTACT",
        "mailto:a b",
        "expected an address that begins with mailto: or https:",
    ),
    (
        "HANA_SECURITY_POLICY",
        "mailto:a@b.example",
        "expected an address that begins with https:",
    ),
    ("HANA_LOG_LEVEL", "LOUD", "expected DEBUG, INFO, WARNING, ERROR"),
    ("HANA_UPLOAD_LIMIT", "0", "expected a whole number from 1"),
)


@pytest.mark.parametrize(("name", "value", "expected"), part(WRONG))
def test_a_wrong_value_is_named(hana: Hana, name: str, value: str, expected: str) -> None:
    said = show(hana, "MODE", {name: value}, status=1)
    assert f"{name}='{value}': {expected}" in said


def test_a_wrong_database_is_named_but_not_quoted(hana: Hana) -> None:
    said = show(hana, "MODE", {"DATABASE_URL": "secret@host", "HANA_ENV": "development"}, status=1)
    assert "DATABASE_URL: expected postgres://" in said
    assert "secret" not in said


@pytest.mark.parametrize(("count", "believed"), [("0", False), ("1", True)])
def test_only_a_proxy_is_believed_what_it_says_of_the_caller(
    hana: Hana, count: str, believed: bool
) -> None:
    header = show(hana, "SECURE_PROXY_SSL_HEADER", {"HANA_PROXIES": count})
    assert header == str(("HTTP_X_FORWARDED_PROTO", "https") if believed else None)


def test_production_passes_django_s_checks_for_deployment(hana: Hana) -> None:
    key = "Zm9yIHRoaXMgdGVzdCBvbmx5LCBhbmQgbG9uZyBlbm91Z2ggZm9yIERqYW5nbw"
    env = bare_env(HANA_ENV="production", SECRET_KEY=key, ALLOWED_HOSTS="a.example")
    hana("check", "--deploy", "--fail-level=WARNING", env=env)
