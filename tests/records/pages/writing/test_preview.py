"""The player of a game that is being written: its responses, and in a browser."""

from __future__ import annotations

import re

import pytest
from django.conf import LazySettings
from django.test import Client
from playwright.sync_api import Page, expect

from records.serving import limits
from tests.records import makers
from tests.records.pages.writing.actions import ON_DESK, expect_status, short_game, unfold


@pytest.mark.django_db
def test_text_of_a_game_is_returned_as_the_player_needs_it(client: Client) -> None:
    response = client.post("/records/preview", {"text": makers.text(3), "at": "2.3"})
    preview = response.json()
    assert response.status_code == 200 and preview["at"] == "2.3"
    assert "data-replay" in preview["frame"] and preview["data"]["rules"] == "koikoi"
    for fields in ({"text": makers.text(3), "at": "99.9"}, {"text": makers.illegal(3)}):
        assert client.post("/records/preview", fields).json()["data"]
    assert client.post("/records/preview", {"text": makers.illegal(3)}).json()["data"]["error"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text",
    ["", "hello world", makers.MALFORMED, makers.UNSUPPORTED, makers.text(3) + makers.text(4)],
)
def test_text_without_a_replay_is_refused(client: Client, text: str) -> None:
    response = client.post("/records/preview", {"text": text})
    assert response.status_code == 422 and response.json()["detail"]


@pytest.mark.django_db
def test_previews_are_requested_by_post_and_limited_by_sender(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    monkeypatch.setitem(settings.RATES, "positions", (1, 60))
    assert limits.step("positions", "somebody else").used == 1
    refused = client.get("/records/preview")
    assert (refused.status_code, refused["Allow"]) == (405, "POST")
    assert "what a form sends" in refused.content.decode()
    assert refused["Content-Length"] == str(len(refused.content))
    assert client.post("/records/preview", {"text": makers.text(3)}).status_code == 200
    assert client.post("/records/preview", {"text": makers.text(3)}).status_code == 429


@pytest.mark.long_only  # the first test has its data
@ON_DESK
def test_player_stands_at_the_step_of_the_editor_and_follows_the_text(page: Page) -> None:
    page.goto("/records/new?example=koikoi")
    unfold(page)
    text, tools = page.locator("textarea[data-text]"), page.locator(".tools")
    text.fill(short_game(3))
    expect_status(page, "verified")
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
    text.fill(re.sub(r'\[Player1 "[^"]*"', '[Player1 "Otsuru"', short_game(4)))
    expect(player.get_by_text("Otsuru").first).to_be_visible()
    expect(player.locator("[data-do=copy]")).to_be_hidden()
    text.fill("hello world")
    expect(page.locator("[data-unseen]")).not_to_be_empty()
    page.locator("[data-watch]").click()
    expect(player).to_be_hidden()
