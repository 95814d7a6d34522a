"""/.well-known/security.txt by RFC 9116."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

PATH = "/.well-known/security.txt"


def fields() -> dict[str, str]:
    """What it says."""
    answer = Client().get(PATH)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    found = dict(line.split(": ", 1) for line in lines)
    assert len(found) == len(lines)
    return found


def test_without_a_contact_there_is_none(settings: Any) -> None:
    settings.SECURITY_CONTACT = ""
    assert Client().get(PATH).status_code == 404


def test_what_it_says(settings: Any) -> None:
    settings.SECURITY_CONTACT = "mailto:security@archive.example"
    settings.SITE_URL = "https://archive.example"
    found = fields()
    left = datetime.fromisoformat(found.pop("Expires")) - datetime.now(UTC)
    assert timedelta(days=30) < left < timedelta(days=365)
    assert found == {
        "Contact": "mailto:security@archive.example",
        "Preferred-Languages": "en, ja",
        "Canonical": f"https://archive.example{PATH}",
    }


def test_the_policy_where_there_is_one(settings: Any) -> None:
    settings.SECURITY_CONTACT = "https://archive.example/contact"
    settings.SECURITY_POLICY = "https://archive.example/policy"
    assert fields()["Policy"] == "https://archive.example/policy"
