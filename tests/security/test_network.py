"""No text or header of a client makes the server connect to another server (SSRF)."""

from __future__ import annotations

from typing import Any

from django.test import Client

from lengths import part
from records.models import Record

#: Addresses that an attacker may want the server to fetch.
TARGETS = (
    "http://169.254.169.254/latest/meta-data/",
    "http://127.0.0.1:6379/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "//evil.test/x",
    "http://testserver@evil.test/games/{record}/",
    "http://testserver.evil.test/games/{record}/",
    "http://evil.test/games/{record}/",
    "http://testserver:99999999/games/{record}/",
    "http://[::1/games/",
)


def test_address_from_a_client_is_not_requested(game: Record, attempts: list[Any]) -> None:
    client = Client()
    for target in TARGETS:
        url = target.format(record=game.key)
        response = client.get("/oembed", {"url": url})
        assert response.status_code == 404, url
        if target not in part(TARGETS):
            continue
        names = ("Referer", "X-Forwarded-Host", "X-Original-URL", "Forwarded")
        assert client.get("/games/", headers=dict.fromkeys(names, url)).status_code == 200
        for path in ("/api/v1/verify", "/api/v1/uploads"):
            text = f'[Kafu "1"]\n[Source "{url}"]\n'
            response = client.post(path, text, content_type="text/x-kafu")
            assert response.status_code in (200, 202)
        metadata = {"Upload-Metadata": f"url {'aHR0cDovL2V2aWwudGVzdA=='}", "Upload-Concat": url}
        headers = metadata | {"Tus-Resumable": "1.0.0", "Upload-Length": "5"}
        assert client.post("/api/v1/uploads/resumable", headers=headers).status_code == 201
    assert not attempts


def test_name_from_a_client_is_no_path_of_a_file(
    game: Record, attempts: list[Any], settings: Any
) -> None:
    client = Client()
    for name in ("../../../etc/passwd", "..%2f..%2fetc/passwd", "%00", "....//", "/etc/passwd"):
        for base in ("games", "embed", "uploads", "players", "rules", "static", "api/v1/records"):
            response = client.get(f"/{base}/{name}")
            assert response.status_code in (301, 404), (base, name)
            assert b"root:" not in response.getvalue()
    stored = [path for path in settings.VAR_DIR.rglob("*") if path.is_file()]
    assert not [path for path in stored if "evil" in str(path) or "passwd" in path.name]
