"""Checking a game without storing it, and correcting one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from kafu.naming.writing import named
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Record, Upload
from records.pages.notation.examples import example_text
from tests.records import makers
from tests.records.pages.ways import ways


def posted(client: Client, **fields: str) -> Any:
    return client.post("/check/", fields)


@pytest.mark.usefixtures("without_sheets")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (makers.text(1), "verified"),
        (makers.illegal(2), "illegal"),
        (makers.with_wrong_score(1), "mismatch"),
        (makers.MALFORMED, "malformed"),
        (makers.UNSUPPORTED, "unsupported"),
        ("anything", "malformed"),
        ('{"kafu": 1}', "malformed"),
    ],
)
def test_the_verdict_and_nothing_kept(client: Client, text: str, status: str) -> None:
    response = posted(client, text=text.replace("\n", "\r\n"))
    assert response.status_code == 200
    assert response.context["checked"].status == status
    assert response.context["text"] == text
    assert not Record.objects.exists() and not Upload.objects.exists()


@pytest.mark.django_db
def test_the_form_alone(client: Client) -> None:
    page = client.get("/check/").content.decode()
    assert 'name="text"' in page and 'id="verdict"' not in page


@pytest.mark.django_db
def test_an_empty_form_has_an_example_of_each_ruleset(client: Client) -> None:
    page = client.get("/check/").content.decode()
    for rules in RULESETS:
        assert f'href="/check/?example={rules}"' in page
        response = client.get(f"/check/?example={rules}")
        assert response.context["text"] == example_text(rules)
        assert response.context["checked"].status == "unfinished"
        assert response.context["checked"].fault is None
    assert 'href="/kafu/"' in page
    assert client.get("/check/?example=whist").context["text"] == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("lang", "words"), [("en", "not a record of a game"), ("ja", "対局の記録ではありません")]
)
def test_what_is_no_record_at_all_gets_help(client: Client, lang: str, words: str) -> None:
    """hello world: what Kafu is, where to begin, examples; not so a game with a fault."""
    response = client.post("/check/", {"text": "hello world"}, headers={"Accept-Language": lang})
    page = response.content.decode()
    assert words in page and "?example=koikoi" in page and 'href="/kafu/"' in page
    broken = client.post("/check/", {"text": makers.illegal(1)}).content.decode()
    assert "?example=koikoi" not in broken and 'href="/kafu/"' in broken


@pytest.mark.django_db
def test_a_game_with_names_for_its_cards(client: Client) -> None:
    response = posted(client, text=named(makers.text(1), "ja"))
    assert response.context["checked"].status == "verified"
    assert "card-names" in {one["code"] for one in response.context["checked"].warnings}


@pytest.mark.django_db
@pytest.mark.parametrize(("lang", "yaku"), [("en", "tōichi"), ("ja", "十一")])
def test_faults_name_players_yaku_and_cards(client: Client, lang: str, yaku: str) -> None:
    text = (
        '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "Aya"]\n[Player2 "Ben"]\n\nmonth 1 dealer 1\n'
        "hand 1 CPRUfgmu\nhand 2 QSWYiprv\nfield BGTXbejk\nstock ...\n1. QxT/F\n"
    )
    page = client.post("/check/", {"text": text}, headers={"Accept-Language": lang})
    due = {
        "en": "iris with bridge (Q) is not in the hand of Aya",
        "ja": "菖蒲に八橋（Q）はAyaの手札にありません",
    }
    assert due[lang] in page.content.decode()
    with override(lang):
        assert labels.expected("aka+toichi", "show-lower").endswith(yaku)
        assert labels.expected("1 +5 2 0", "bad-amounts") == ""
        assert labels.expected("A", "wrong-stock-card") == labels.brief("A")
        assert labels.expected("A", "bad-card") == ""


@pytest.mark.django_db
def test_a_game_of_an_upload_comes_with_its_verdict(client: Client) -> None:
    upload = makers.ingest(makers.joined(makers.text(1), makers.illegal(2)))
    response = client.get(f"/check/?upload={upload.key}&file=1&game=2")
    assert response.context["text"].strip() == makers.illegal(2).strip()
    error = response.context["checked"].fault.error
    # Its line is that of the text shown, not of the file.
    assert error["line"] <= response.context["text"].count("\n")
    record = Record.objects.get(status="illegal")
    assert client.get(f"/check/?record={record.key}").context["text"] == record.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query", ["upload=none", "upload=a&file=x&game=1", "record=none", "record=%00", "upload=%00"]
)
def test_a_game_that_is_not_there(client: Client, query: str) -> None:
    assert client.get(f"/check/?{query}").status_code == 404


@pytest.mark.django_db
def test_a_legal_move_is_put_in(client: Client) -> None:
    text = makers.illegal(2)
    found = posted(client, text=text).context["checked"].fault.position
    response = posted(client, text=text, put="0")
    move = found.legal[0].text.removesuffix("/…")
    assert f"1. {move}/" in response.context["text"]
    fault = response.context["checked"].fault
    assert (
        fault is None
        or fault.error["message"]
        != posted(client, text=text).context["checked"].fault.error["message"]
    )


@pytest.mark.django_db
@pytest.mark.parametrize("choice", ["99", "x", "omit", "-1", "０"])
def test_what_cannot_be_put_in_is_reported(client: Client, choice: str) -> None:
    response = posted(client, text=makers.illegal(2), put=choice)
    assert response.context["text"] == makers.illegal(2)
    assert "please edit the text yourself" in response.content.decode()


@pytest.mark.django_db
def test_a_word_too_many_is_left_out(client: Client) -> None:
    text = makers.text(1)
    line = next(one for one in text.split("\n") if one.startswith("1. "))
    wrong = text.replace(line, f"{line}=koikoi", 1)
    response = posted(client, text=wrong, put="omit")
    assert response.context["text"] == text
    assert response.context["checked"].status == "verified"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "words"),
    [(" \n", "Paste a game."), (makers.text(1) * 2, "more than one game")],
)
def test_no_game_and_two(client: Client, text: str, words: str) -> None:
    response = posted(client, text=text)
    assert response.status_code == 400 and words in response.content.decode()


@pytest.mark.django_db
def test_too_large(client: Client) -> None:
    assert posted(client, text="é" * MAX_GAME_BYTES).status_code == 413
    assert posted(client, text="x" * (3 * MAX_GAME_BYTES + (1 << 17))).status_code == 413


@pytest.mark.django_db
def test_the_token_is_requested() -> None:
    assert Client(enforce_csrf_checks=True).post("/check/", {"text": "x"}).status_code == 403


@pytest.mark.django_db
def test_too_many_at_once(client: Client, settings: Settings) -> None:
    settings.RATES = settings.RATES | {"verify": (1, 60)}
    assert posted(client, text=makers.MALFORMED).status_code == 200
    response = posted(client, text=makers.MALFORMED)
    assert response.status_code == 429 and int(response["Retry-After"]) > 0
    assert response.context["text"] == makers.MALFORMED


# In a browser ---------------------------------------------------------------------------------


def mended(page: Page, site: str) -> None:
    """Paste a broken game, take the first legal move as often as it takes, upload it."""
    page.goto(f"{site}/check/")
    page.locator("textarea[name=text]").fill(makers.illegal(2))
    page.locator("form#check button").first.click()
    verdict = page.locator("#verdict .status").first
    expect(verdict).to_have_class(re.compile("illegal"))
    legal = page.locator(".legal li")
    assert legal.count() > 1
    before = page.locator("textarea[name=text]").input_value()
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    page.locator("button[name=put]").first.click()
    expect(page.locator("textarea[name=text]")).not_to_have_value(before)
    page.locator("form#check button[formaction*=upload]").click()
    page.wait_for_url(re.compile("/uploads/"))


@pytest.mark.parametrize(("width", "locale"), ways((1280, 390), ("en-US", "ja-JP")))
def test_a_game_is_corrected(site: str, chromium: Browser, width: int, locale: str) -> None:
    context = chromium.new_context(locale=locale, viewport={"width": width, "height": 900})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda said: faults.append(said.text) if "Content Security" in said.text else None,
    )
    mended(page, site)
    expect(page.locator("#report")).to_have_attribute("data-now", re.compile("."))
    expect(page.locator("[data-state=done]")).to_be_visible()
    context.close()
    assert not faults
