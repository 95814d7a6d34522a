"""Pages of other sites use the API: by a token, with no cookie of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from kafu.notation.json.form import to_json
from tests.api.contract import document, problem
from tests.people.world import PASSWORD, token, user
from tests.records import makers

FOREIGN = {"Origin": "https://games.example"}
SENT = {
    "Access-Control-Request-Headers": "authorization, content-type",
    "Access-Control-Request-Method": "POST",
}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[str]:
    """A page and a game on another origin."""
    (tmp_path / "index.html").write_text((Path(__file__).parent / "foreign.html").read_text())
    (tmp_path / "game.json").write_text(json.dumps(to_json(makers.year(31))))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_a_page_of_another_site_uploads_by_a_token(
    page: Page, own_site: str, other_site: str
) -> None:
    page.goto(f"{own_site}/account/signup/")
    for name, value in {"username": "guest", "email": "guest@example.org"}.items():
        page.locator(f"main [name={name}]").fill(value)
    for name in ("password1", "password2"):
        page.locator(f"main [name={name}]").fill(PASSWORD)
    page.locator("main form button").last.click()
    page.wait_for_url("**/me/")
    page.goto(f"{own_site}/me/tokens/")
    page.locator("main [name=name]").fill("another site")
    for box in page.locator("main [name=scopes]").all():
        box.check()
    page.get_by_role("button", name="Create").click()
    page.locator("main [name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    key = page.locator(".fresh code").inner_text()

    page.goto(other_site)
    page.locator("[name=archive]").fill(own_site)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#verdict")).to_have_text("verified")
    expect(page.locator("#report")).to_have_text("A page of another site needs a token to upload.")
    page.locator("[name=token]").fill(key)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#report")).to_have_text("1 verified, verified")


@pytest.mark.parametrize("path", ["records", "verify", "positions", "uploads", "nothing"])
def test_any_address_may_be_asked(path: str) -> None:
    """The browser asks first; no cookie is ever let in."""
    response = Client().options(f"/api/v1/{path}", headers=FOREIGN | SENT)
    assert response.status_code == 200
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "authorization" in response["Access-Control-Allow-Headers"]
    assert "POST" in response["Access-Control-Allow-Methods"]
    assert "Access-Control-Allow-Credentials" not in response


def test_every_method_and_header_of_the_api_is_let_through() -> None:
    response = Client().options("/api/v1/records", headers=FOREIGN | SENT)
    methods = {one for path in document()["paths"].values() for one in path}
    allowed = response["Access-Control-Allow-Methods"].lower().split(", ")
    assert methods <= set(allowed)
    headers = response["Access-Control-Allow-Headers"].lower().split(", ")
    for path in document()["paths"].values():
        for said in path.values():
            sent = {one["name"] for one in said.get("parameters", ()) if one["in"] == "header"}
            assert {one.lower() for one in sent} <= set(headers)
    assert {"if-match", "if-none-match"} <= set(headers)


@pytest.mark.django_db
def test_only_the_api() -> None:
    for path in ("/", "/account/login/", "/admin/"):
        response = Client().options(path, headers=FOREIGN | SENT)
        assert "Access-Control-Allow-Origin" not in response


@pytest.mark.django_db
def test_nobody_sends_in_the_name_of_who_looks() -> None:
    """Without a token a foreign page uploads nothing, with a cookie or without."""
    owner = user("owner")
    tus = {"Tus-Resumable": "1.0.0", "Upload-Length": "5"}
    logged_in = Client(enforce_csrf_checks=True)
    logged_in.force_login(owner)
    for client in (Client(), logged_in):
        for name, more in (("uploads", {}), ("resumables", tus)):
            answer = client.post(reverse(f"api:{name}"), "x", "text/x-kafu", headers=FOREIGN | more)
            assert answer.status_code in (401, 403)
            problem(answer)
            assert answer["Access-Control-Allow-Origin"] == "*"
    sent = FOREIGN | token(owner, "upload")
    assert (
        Client().post(reverse("api:uploads"), "x", "text/x-kafu", headers=sent).status_code == 202
    )
    own = {"Origin": "http://testserver"}
    assert Client().post(reverse("api:uploads"), "x", "text/x-kafu", headers=own).status_code == 202
