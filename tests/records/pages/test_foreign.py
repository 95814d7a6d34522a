"""Pages of other sites use the API by a token, without a cookie of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from kafu.notation.json.form import to_json
from tests.api.contract import document, problem
from tests.people.world import PASSWORD, token, user
from tests.records import makers
from tests.records.pages.accounts import sign_up
from tests.services import serve_folder

FOREIGN = {"Origin": "https://games.example"}
SENT = {
    "Access-Control-Request-Headers": "authorization, content-type",
    "Access-Control-Request-Method": "POST",
}


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[str]:
    """Yield the address of a page and a game on another origin."""
    (tmp_path / "index.html").write_text((Path(__file__).parent / "foreign.html").read_text())
    (tmp_path / "game.json").write_text(json.dumps(to_json(makers.simulate_months(31))))
    with serve_folder(tmp_path) as address:
        yield address


@pytest.mark.long_only  # the tests below have its requests
def test_page_of_another_site_uploads_by_a_token(page: Page, site: str, other_site: str) -> None:
    sign_up(page.context, site, f"guest-{token_hex(4)}")
    page.goto(f"{site}/me/tokens/")
    page.locator("main [name=name]").fill("another site")
    for box in page.locator("main [name=scopes]").all():
        box.check()
    page.get_by_role("button", name="Create").click()
    page.locator("main [name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    key = page.locator(".fresh code").inner_text()

    page.goto(other_site)
    page.locator("[name=archive]").fill(site)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#verdict")).to_have_text("verified")
    expect(page.locator("#report")).to_have_text("A page of another site needs a token to upload.")
    page.locator("[name=token]").fill(key)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#report")).to_have_text("1 verified, verified")


@pytest.mark.parametrize("path", ["records", "uploads", "nothing"])
def test_preflight_of_any_address_allows_tokens_and_no_cookie(path: str) -> None:
    response = Client().options(f"/api/v1/{path}", headers=FOREIGN | SENT)
    assert response.status_code == 200
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "authorization" in response["Access-Control-Allow-Headers"]
    assert "POST" in response["Access-Control-Allow-Methods"]
    assert "Access-Control-Allow-Credentials" not in response


def test_preflight_allows_every_method_and_header_of_the_api() -> None:
    response = Client().options("/api/v1/records", headers=FOREIGN | SENT)
    paths = document()["paths"].values()
    methods = {method for path in paths for method in path}
    allowed = response["Access-Control-Allow-Methods"].lower().split(", ")
    assert methods <= set(allowed)
    headers = response["Access-Control-Allow-Headers"].lower().split(", ")
    for path in paths:
        for operation in path.values():
            names = {
                parameter["name"].lower()
                for parameter in operation.get("parameters", ())
                if parameter["in"] == "header"
            }
            assert names <= set(headers)
    assert {"if-match", "if-none-match"} <= set(headers)


@pytest.mark.django_db
def test_pages_outside_the_api_allow_no_other_site() -> None:
    for path in ("/", "/account/login/", "/admin/"):
        response = Client().options(path, headers=FOREIGN | SENT)
        assert "Access-Control-Allow-Origin" not in response


@pytest.mark.django_db
def test_foreign_page_uploads_nothing_without_a_token() -> None:
    """Neither with a cookie nor without."""
    owner = user("owner")
    tus = {"Tus-Resumable": "1.0.0", "Upload-Length": "5"}
    logged_in = Client(enforce_csrf_checks=True)
    logged_in.force_login(owner)
    for client in (Client(), logged_in):
        for name, more in (("uploads", {}), ("resumables", tus)):
            address = reverse(f"api:{name}")
            response = client.post(address, "x", "text/x-kafu", headers=FOREIGN | more)
            assert response.status_code in (401, 403)
            problem(response)
            assert response["Access-Control-Allow-Origin"] == "*"
    for headers in (FOREIGN | token(owner, "upload"), {"Origin": "http://testserver"}):
        response = Client().post(reverse("api:uploads"), "x", "text/x-kafu", headers=headers)
        assert response.status_code == 202
