"""/.well-known/security.txt by RFC 9116."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

PATH = "/.well-known/security.txt"


def read_fields() -> dict[str, str]:
    """Return the fields of the file."""
    response = Client().get(PATH)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = response.content.decode().splitlines()
    fields = dict(line.split(": ", 1) for line in lines)
    assert len(fields) == len(lines)
    return fields


def test_file_without_a_contact_is_404(settings: Any) -> None:
    settings.SECURITY_CONTACT = ""
    assert Client().get(PATH).status_code == 404


def test_fields_are_contact_languages_expiry_and_address(settings: Any) -> None:
    settings.SECURITY_CONTACT = "mailto:security@archive.example"
    settings.SITE_URL = "https://archive.example"
    fields = read_fields()
    validity = datetime.fromisoformat(fields.pop("Expires")) - datetime.now(UTC)
    assert timedelta(days=30) < validity < timedelta(days=365)
    assert fields == {
        "Contact": "mailto:security@archive.example",
        "Preferred-Languages": "en, ja",
        "Canonical": f"https://archive.example{PATH}",
    }


def test_configured_policy_is_a_field(settings: Any) -> None:
    settings.SECURITY_CONTACT = "https://archive.example/contact"
    settings.SECURITY_POLICY = "https://archive.example/policy"
    assert read_fields()["Policy"] == "https://archive.example/policy"
