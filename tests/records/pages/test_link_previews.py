"""What other sites show of a page: the tags in its head, and their picture; the manifest."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import resolve
from django.utils import translation
from PIL import Image

from kafu.rules.rulesets import RULESETS
from lengths import part
from records.drawing.pictures import (
    HEIGHT,
    WIDTH,
    Box,
    Drawing,
    draw_text,
    make_lettering,
    paint,
    wrap,
)
from records.models import Player, Record, Visibility
from records.pages.link_previews import DESCRIPTIONS, describe
from records.pages.previews import drawings
from records.pages.previews.drawings import PreviewSheetRow, SeatResult
from records.services import studies
from tests.people.world import user
from tests.records import makers
from tests.records.pages.test_embed import HERE, read_metas
from tests.records.pages.test_picture import list_texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
HOSTILE = '</text><script>"'
JAPANESE = "花札太郎"


@pytest.fixture(scope="module")
def paths(rows_for_all: None) -> dict[str, str]:
    """Return a page of each kind, of a game with a hostile and a Japanese name."""
    text = (
        makers.text(1, months="3")
        .replace("Aya", HOSTILE.replace('"', r"\""))
        .replace("Ben", JAPANESE)
    )
    makers.ingest(text.encode())
    record = Record.objects.get()
    owner = user("Aya").pk
    study = studies.create(owner, {"title": HOSTILE, "visibility": Visibility.PUBLIC}, ())
    studies.add_entry(study, record.pk, "1.2")
    game = f"/games/{record.key}/"
    return {
        "game": game,
        "step": f"{game}?at=2.4",
        "sheet": f"{game}sheet",
        "moves": f"{game}moves/",
        "player": f"/players/{Player.objects.first().key}/",  # type: ignore[union-attr]
        "study": f"/studies/{study.key}/",
        "statistics home": "/statistics/",
        "statistics": "/statistics/koikoi/",
        "rulebook": "/rules/koikoi/",
        "home": "/",
        "login": "/account/login/",
    }


def test_page_of_each_kind_has_tags_and_a_picture(paths: dict[str, str]) -> None:
    client, images, titles = Client(), {}, set()
    for name, path in paths.items():
        page = client.get(path).content.decode()
        metas = read_metas(page)
        titles.add(metas["og:title"])
        images[name] = metas["og:image"]
        assert "<script>" not in page, name
        assert metas["description"] == metas["og:description"] != "", name
        assert metas.get("og:url") == (None if name == "login" else f"{HERE}{path}"), name
        assert metas["twitter:card"] == "summary_large_image"
        assert (metas["og:image:width"], metas["og:image:height"]) == ("1200", "630")
        assert metas["og:image:alt"], name
    assert len(titles) == len(paths) - 1, "a game and its step have the same title"
    assert images.pop("moves") == images["game"]
    assert images.pop("login") == images["home"]
    assert len(set(images.values())) == len(images)
    for name, image in part([*images.items()]):
        response = client.get(image)
        assert response["Content-Type"] == "image/png", name
        assert Image.open(io.BytesIO(response.content)).size == (WIDTH, HEIGHT), name
        assert response["Cache-Control"].startswith("public, max-age="), name


def test_tags_are_in_the_language_of_the_page(paths: dict[str, str]) -> None:
    metas = read_metas(Client(headers={"Accept-Language": "ja"}).get("/").content.decode())
    assert metas["og:locale"] == "ja_JP" and metas["og:image"].endswith("?lang=ja")
    with translation.override("ja"):
        assert metas["description"] == metas["og:image:alt"] == describe("home", "")


def test_unknown_page_player_or_ruleset_has_no_picture(paths: dict[str, str]) -> None:
    client = Client()
    for path in (
        "/previews/account_login.png",
        "/previews/odds.png?ruleset=poker",
        "/players/nobody/preview.png",
        "/statistics/poker/preview.png",
        "/studies/nothing/preview.png",
    ):
        assert client.get(path).status_code == 404, path


def list_drawings() -> Iterator[Drawing]:
    """Yield drawings with names that are long, hostile, Japanese, and of up to seven players."""
    names = [HOSTILE, JAPANESE * 20, "W" * 60, "\u202e\u0641\u0644 &amp;", "a", "b", "c"]
    for count in (2, 3, 7):
        shown = names[:count]
        seats = [SeatResult(name, "+1234貫11文", "AIcos" * 3, name == HOSTILE) for name in shown]
        yield drawings.draw_result(HOSTILE * 9, seats, "AI", JAPANESE * 30)
        row = PreviewSheetRow("12月", ["−1234貫11文"] * count, 0)
        yield drawings.draw_sheet(JAPANESE * 30, shown, [row] * 12, row)
    yield drawings.draw_player(JAPANESE * 20, HOSTILE * 20, list(range(1, 13)), JAPANESE)
    yield drawings.draw_study(HOSTILE * 20, JAPANESE * 90, JAPANESE * 90)


def test_names_stay_text_in_their_box() -> None:
    for drawing in list_drawings():
        texts = list_texts(drawing)
        assert any("…" in text for text in texts)
        assert not any("\u202e" in text for text in texts)
        for card in drawing.cards:
            assert card.x >= 0 and card.x + card.width <= WIDTH and card.y + card.width < HEIGHT


def test_cards_of_a_result_end_before_a_long_sum() -> None:
    seats = [SeatResult("a", "−1234 kan 11 mon", "AIcos" * 3, is_winner=False)] * 4
    drawing = drawings.draw_result("", seats, "", "")
    assert max(card.x + card.width for card in drawing.cards) < 800


def test_lines_are_broken_between_phrases() -> None:
    assert wrap("対局をつける。ルールを学ぶ。", 130, 10) == ["対局をつける。ルールを", "学ぶ。"]
    assert wrap("花" * 25, 100, 10) == ["花" * 10, "花" * 10, "花" * 5]
    assert wrap("two words", 40, 10) == ["two", "words"]


def test_japanese_letters_are_drawn_in_a_font_that_has_them() -> None:
    box = Box(0, 0, 200, 60)
    pictures = {
        paint(Drawing((), (), (make_lettering(box, draw_text(4, 48, name, 40, "#fff")),))).tobytes()
        for name in ("花", "譜", "こ", "🂠")
    }
    assert len(pictures) == 4


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_descriptions_fit_their_picture(lang: str) -> None:
    with translation.override(lang):
        texts = {name: describe(name, rules) for name in DESCRIPTIONS for rules in RULESETS}
        assert len(set(texts.values())) == len(DESCRIPTIONS)
        for rules in RULESETS:
            for name in DESCRIPTIONS:
                drawing = drawings.draw_sentence(describe(name, rules))
                assert not any("…" in text for text in list_texts(drawing)), (name, rules)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_manifest_names_icons_of_their_size(lang: str) -> None:
    response = Client().get(f"/site.webmanifest?lang={lang}")
    assert response["Content-Type"] == "application/manifest+json"
    manifest = json.loads(response.content)
    assert (manifest["lang"], manifest["start_url"], manifest["display"]) == (
        *(lang, "/", "standalone"),
    )
    sizes = set()
    for icon in manifest["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        width, height = Image.open(str(path)).size
        assert icon["sizes"] == f"{width}x{height}"
        sizes.add((width, icon["purpose"]))
    assert {(192, "any"), (512, "any"), (512, "maskable")} <= sizes
    assert all(resolve(shortcut["url"]) for shortcut in manifest["shortcuts"])
