"""The player of a game that is being written: what it is sent, and in a browser."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from records.serving import rate_limits
from tests.records import makers
from tests.records.pages.writing.test_editor import begin


@pytest.mark.django_db
def test_a_text_as_the_player_needs_it(client: Client) -> None:
    answer = client.post("/records/preview", {"text": makers.text(3), "at": "2.3"})
    found = answer.json()
    assert answer.status_code == 200 and found["at"] == "2.3"
    assert "data-replay" in found["frame"] and found["data"]["rules"] == "koikoi"
    assert client.post("/records/preview", {"text": makers.text(3), "at": "99.9"}).json()["data"]
    assert client.post("/records/preview", {"text": makers.illegal(3)}).json()["data"]["error"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text",
    ["", "hello world", makers.MALFORMED, makers.UNSUPPORTED, makers.text(3) + makers.text(4)],
)
def test_what_has_no_replay(client: Client, text: str) -> None:
    answer = client.post("/records/preview", {"text": text})
    assert answer.status_code == 422 and answer.json()["detail"]


@pytest.mark.django_db
def test_it_is_limited_and_asked_by_post(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    monkeypatch.setitem(settings.RATES, "positions", (1, 60))  # type: ignore[attr-defined]
    assert rate_limits.step("positions", "somebody else").used == 1
    assert client.get("/records/preview").status_code == 405
    assert client.post("/records/preview", {"text": makers.text(3)}).status_code == 200
    assert client.post("/records/preview", {"text": makers.text(3)}).status_code == 429


def test_the_game_so_far_beside_the_text(page: Page) -> None:
    """It stands where the editor does, and follows what is changed."""
    text, tools = page.locator(".text [data-text]"), page.locator(".work > .tools")
    begin(page, "koikoi", "Aya", "Ben")
    text.fill(makers.text(3))
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "verified")
    month = tools.locator("[data-deals] button").nth(1)
    month.click()
    expect(month).to_have_attribute("aria-current", "true")
    tools.locator("[data-steps] button").nth(3).click()
    expect(tools.locator("[data-steps] li").nth(3).locator("[aria-current=step]")).to_have_count(1)
    page.locator("[data-watch]").click()
    player = page.locator("kafu-replay")
    expect(player.locator(".replay.live")).to_be_visible()
    assert player.evaluate("(player) => player.position") == "2.3"
    tools.locator("[data-steps] button").nth(4).click()
    page.wait_for_function("() => document.querySelector('kafu-replay').position === '2.4'")
    renamed = re.sub(r'\[Player1 "[^"]*"', '[Player1 "Otsuru"', makers.text(4))
    text.fill(renamed)
    expect(player.get_by_text("Otsuru").first).to_be_visible()
    expect(player.locator("[data-do=copy]")).to_be_hidden()
    text.fill("hello world")
    expect(page.locator("[data-unseen]")).not_to_be_empty()
    page.locator("[data-watch]").click()
    expect(player).to_be_hidden()
