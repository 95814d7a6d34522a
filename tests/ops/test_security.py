"""The content security policy, on every response and in all templates and scripts."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from hanaarchive.http.security import POLICY
from tests.conftest import ROOT


def test_templates_and_scripts_have_no_inline_code() -> None:
    assert "unsafe" not in POLICY and "default-src 'self'" in POLICY
    for path in [*ROOT.glob("templates/**/*.html"), *ROOT.glob("records/static/**/*.js")]:
        inline = re.findall(r"""\s(?:style|on[a-z]+)=["'`]|<style|javascript:""", path.read_text())
        assert not inline, path
    for path in ROOT.glob("templates/**/*.html"):
        scripts = re.findall(r"<script\b(?![^>]*\bsrc=)[^>]*>", path.read_text())
        assert all("json" in script for script in scripts), path


@pytest.mark.parametrize("path", ["/api/v1/docs", "/nothing", "/upload/", "/api/v1/nothing"])
def test_every_response_carries_the_policy(db: None, path: str) -> None:
    assert Client().get(path)["Content-Security-Policy"].startswith(POLICY)
