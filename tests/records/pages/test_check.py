"""The check of a game, which stores nothing, and corrections there.

A browser goes through it in test_upload_page.py and writing/test_editor.py.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from pytest_django import Settings

from kafu.naming.translation import to_names
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Record, Upload
from records.pages.notation import example_text
from tests.markup import join_lines
from tests.records import makers

pytestmark = pytest.mark.django_db


def check(client: Client, **fields: str) -> Any:
    """Send the form of the check."""
    return client.post("/check/", fields)


@pytest.mark.usefixtures("without_sheets")
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (makers.text(1), "verified"),
        (makers.illegal(2), "illegal"),
        (makers.with_wrong_score(1), "mismatch"),
        (makers.MALFORMED, "malformed"),
        (makers.UNSUPPORTED, "unsupported"),
        ("anything", "malformed"),
        (f"Hi!\n~~~\n{makers.text(1)}~~~\nGood game!\n", "verified"),
        ('{"kafu": 1}', "malformed"),
    ],
)
def test_checked_text_gets_its_verdict_and_is_not_stored(
    client: Client, text: str, status: str
) -> None:
    response = check(client, text=text.replace("\n", "\r\n"))
    assert response.status_code == 200
    assert response.context["checked"].status == status
    assert response.context["text"] == text
    assert not Record.objects.exists() and not Upload.objects.exists()


def test_empty_form_links_to_an_example_of_each_ruleset(client: Client) -> None:
    page = client.get("/check/").content.decode()
    assert 'name="text"' in page and 'id="verdict"' not in page
    for rules in RULESETS:
        assert f'href="/check/?example={rules}"' in page
        response = client.get(f"/check/?example={rules}")
        assert response.context["text"] == example_text(rules)
        assert response.context["checked"].status == "unfinished"
        assert response.context["checked"].fault is None
    assert 'href="/kafu/"' in page
    assert client.get("/check/?example=whist").context["text"] == ""


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "not a record of a game"), ("ja", "対局の記録ではありません")]
)
def test_text_that_is_no_record_gets_help_and_examples(
    client: Client, lang: str, words: str
) -> None:
    response = client.post("/check/", {"text": "hello world"}, headers={"Accept-Language": lang})
    page = response.content.decode()
    assert words in page and "?example=koikoi" in page and 'href="/kafu/"' in page
    broken = client.post("/check/", {"text": makers.illegal(1)}).content.decode()
    assert "?example=koikoi" not in broken and 'href="/kafu/"' in broken


def test_game_with_names_for_its_cards_is_verified_with_a_warning(client: Client) -> None:
    response = check(client, text=to_names(makers.text(1), "ja"))
    assert response.context["checked"].status == "verified"
    assert "card-names" in {warning["code"] for warning in response.context["checked"].warnings}


@pytest.mark.parametrize(("lang", "yaku"), [("en", "tōichi"), ("ja", "十一")])
def test_faults_name_players_yaku_and_cards_in_the_language(
    client: Client, lang: str, yaku: str
) -> None:
    text = (
        '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "Aya"]\n[Player2 "Ben"]\n\nmonth 1 dealer 1\n'
        "hand 1 CPRUfgmu\nhand 2 QSWYiprv\nfield BGTXbejk\nstock ...\n1. QxT/F\n"
    )
    page = client.post("/check/", {"text": text}, headers={"Accept-Language": lang})
    words, lettered = {
        "en": ("Iris with bridge is not in", "Iris with bridge (Q) is not in the hand of Aya."),
        "ja": ("菖蒲に八橋はAyaの手札に", "菖蒲に八橋（Q）はAyaの手札にありません。"),
    }[lang]
    html = page.content.decode()
    assert f'<span class="worded">{words}' in html
    assert f'<span class="lettered">{lettered}</span>' in html
    with override(lang):
        assert labels.expected("aka+toichi", "show-lower").endswith(yaku)
        assert labels.expected("1 +5 2 0", "bad-amounts") == ""
        assert labels.expected("A", "wrong-stock-card") == labels.brief("A")
        assert labels.expected("A", "bad-card") == ""


def test_game_of_an_upload_is_shown_without_marks_of_direction(client: Client) -> None:
    marks = "\u061c\u200e\u200f\u202a\u202e\u2066\u2069"
    text = makers.text(1).replace('"Aya"', f'"A{marks}ya"') + f"; {marks} a comment\n"
    for game in (text, f"{text}1. {marks}\n", f"{marks} {makers.MALFORMED}"):
        upload = makers.ingest(game.encode())
        page = client.get(f"/check/?upload={upload.key}&file=1&game=1").content.decode()
        assert "<textarea" in page and not [mark for mark in marks if mark in page]


def test_game_of_an_upload_is_shown_with_its_verdict(client: Client) -> None:
    upload = makers.ingest(makers.joined(makers.text(1), makers.illegal(2)))
    response = client.get(f"/check/?upload={upload.key}&file=1&game=2")
    assert response.context["text"].strip() == makers.illegal(2).strip()
    error = response.context["checked"].fault.error
    # The line refers to the shown text, not to the file.
    assert error["line"] <= response.context["text"].count("\n")
    record = Record.objects.get(status="illegal")
    assert client.get(f"/check/?record={record.key}").context["text"] == record.text


@pytest.mark.parametrize(
    "query", ["upload=none", "upload=a&file=x&game=1", "record=none", "record=%00", "upload=%00"]
)
def test_missing_game_is_not_found(client: Client, query: str) -> None:
    assert client.get(f"/check/?{query}").status_code == 404


def test_place_in_the_text_is_folded_below_the_legal_moves(client: Client) -> None:
    """A text without a table shows the place, and how Kafu is written."""
    response = check(client, text=makers.illegal(2))
    line = response.context["checked"].fault.error["line"]
    page = join_lines(response.content.decode())
    fold = page.index(f"<summary>In the text · line {line}</summary>")
    assert page.index('class="legal"') < fold < page.index('class="excerpt"')
    assert 'class="help"' not in page
    page = check(client, text=makers.MALFORMED).content.decode()
    assert 'class="excerpt"' in page and "In the text" not in page
    assert 'class="help"' in page


@pytest.mark.parametrize("choice", ["99", "x", "omit", "-1", "０"])
def test_choice_that_is_not_offered_leaves_the_text_alone(client: Client, choice: str) -> None:
    response = check(client, text=makers.illegal(2), put=choice)
    assert response.context["text"] == makers.illegal(2)
    assert "please edit the text yourself" in response.content.decode()


@pytest.mark.parametrize(
    ("text", "words"),
    [(" \n", "Paste a game."), (makers.text(1) * 2, "more than one game")],
)
def test_text_without_or_with_several_games_is_refused(
    client: Client, text: str, words: str
) -> None:
    response = check(client, text=text)
    assert response.status_code == 400 and words in response.content.decode()


def test_text_that_is_too_large_is_refused(client: Client) -> None:
    assert check(client, text="é" * MAX_GAME_BYTES).status_code == 413
    assert check(client, text="x" * (3 * MAX_GAME_BYTES + (1 << 17))).status_code == 413


def test_too_many_checks_are_refused_with_the_text_and_a_time(
    client: Client, settings: Settings
) -> None:
    settings.RATES = settings.RATES | {"verify": (1, 60)}
    assert check(client, text=makers.MALFORMED).status_code == 200
    response = check(client, text=makers.MALFORMED)
    assert response.status_code == 429 and int(response["Retry-After"]) > 0
    assert response.context["text"] == makers.MALFORMED
