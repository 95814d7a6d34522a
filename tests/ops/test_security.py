"""HTTPS, cookies and the content security policy, in production mode."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import Settings

from hanaarchive.http.security import POLICY
from tests.conftest import ROOT, Environment, Hana
from tests.hanaarchive.test_settings import show
from tests.ops.conftest import HOST, KEY

ENV = {"HANA_ENV": "production", "SECRET_KEY": KEY, "ALLOWED_HOSTS": HOST, "HANA_PROXIES": "1"}


def test_no_check_is_silenced(settings: Settings) -> None:
    """That they find nothing is tested with the settings."""
    assert settings.SILENCED_SYSTEM_CHECKS == []


NAMES = (
    "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS",
    "SECURE_HSTS_INCLUDE_SUBDOMAINS",
)  # fmt: skip
SHOWN = "SECRET_KEY, " + ", ".join(f"settings.{name}" for name in NAMES)


@pytest.mark.parametrize(
    ("variables", "shown"),
    [
        ({}, "True True True 2592000 True"),
        ({"HANA_HSTS_SECONDS": "600", "HANA_HSTS_SUBDOMAINS": "0"}, "True True True 600 False"),
        ({"HANA_HTTPS": "0"}, "False False False 0 True"),
    ],
)
def test_one_switch_for_https(hana: Hana, variables: Environment, shown: str) -> None:
    assert show(hana, SHOWN, ENV | variables) == f"{KEY} {shown}"


def test_no_page_lets_scripts_or_styles_stand_in_it() -> None:
    assert "unsafe" not in POLICY and "default-src 'self'" in POLICY
    for path in [*ROOT.glob("templates/**/*.html"), *ROOT.glob("records/static/**/*.js")]:
        found = re.findall(r"""\s(?:style|on[a-z]+)=["'`]|<style|javascript:""", path.read_text())
        assert not found, path
    for path in ROOT.glob("templates/**/*.html"):
        scripts = re.findall(r"<script\b(?![^>]*\bsrc=)[^>]*>", path.read_text())
        assert all("json" in script for script in scripts), path


@pytest.mark.parametrize("path", ["/api/v1/docs", "/nothing", "/upload/", "/api/v1/nothing"])
def test_every_answer_carries_the_policy(db: None, path: str) -> None:
    assert Client().get(path)["Content-Security-Policy"].startswith(POLICY)
