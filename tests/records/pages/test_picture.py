"""The picture of a table for other sites."""

import re
import struct
import zlib
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import translation
from PIL import Image

from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.drawing.pictures import Drawing, Placed, face, tall, to_png
from records.models import Record
from records.pages.game.frame import ReplayPosition
from records.pages.game.moment import find_moment, find_yaku_cards
from records.pages.game.pictures import draw
from records.pages.game.player_data import replay_of
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
SVG = "{http://www.w3.org/2000/svg}"
#: The size of bold letters, of names and sums.
NAME_SIZE = re.compile(r'font-size="(\d+)"[^>]*fill="#f[^>]*font-weight="700">')


def store_game(rules: str, seed: int = 1) -> Record:
    """Store a game with all seats of a ruleset and return its record."""
    game = simulate(rules, seed=seed, players=RULES[rules].seats[-1])
    makers.ingest(write(game).encode())
    return Record.objects.latest("pk")


@pytest.fixture(scope="module")
def koikoi(rows_for_all: None) -> Record:
    """Return a game of koi-koi, for the tests that change nothing."""
    return store_game("koikoi")


def check_size(png: bytes) -> tuple[int, int]:
    """Check the parts of a PNG and return its width and height."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png.endswith(b"IEND\xaeB`\x82")
    place = 8
    while place < len(png):
        (length,) = struct.unpack_from(">I", png, place)
        body = png[place + 4 : place + 8 + length]
        (check,) = struct.unpack_from(">I", png, place + 8 + length)
        assert check == zlib.crc32(body)
        place += length + 12
    width, height = struct.unpack_from(">II", png, 16)
    return width, height


def list_texts(drawing: Drawing) -> list[str]:
    """Return the texts of a drawing, each of which is within its box."""
    texts = []
    for box, svg in drawing.letterings:
        root = ElementTree.fromstring(svg)
        assert not list(root.iter(f"{SVG}script"))
        for text in root.iter(f"{SVG}text"):
            up = float(text.get("y", 0)) - box.y
            assert float(text.get("font-size", 0)) * 0.8 <= up <= box.height
            texts.append(text.text or "")
    return texts


def test_picture_of_a_step_is_a_png_that_is_cached(client: Client, koikoi: Record) -> None:
    response = client.get(f"/games/{koikoi.key}/3.5.png?lang=ja")
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["Cache-Control"] == "public, max-age=86400"
    assert check_size(response.content) == (1200, 630)
    assert len(response.content) < 600_000
    tag = response.headers["ETag"]
    again = client.get(f"/games/{koikoi.key}/3.5.png?lang=ja", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("3.6.png?lang=ja", "3.5.png?lang=en"):
        assert client.get(f"/games/{koikoi.key}/{name}").headers["ETag"] != tag


def test_picture_of_an_invalid_step_is_404(client: Client, koikoi: Record) -> None:
    for at in ("0.0", "1.9999", "99.0", "1", "1.", "1.x", "01.2.3", "1.12345", "999.1", "-1.1"):
        assert client.get(f"/games/{koikoi.key}/{at}.png").status_code == 404, at
    assert client.get("/games/nothing/1.0.png").status_code == 404
    assert client.post(f"/games/{koikoi.key}/1.0.png").status_code == 405


@pytest.mark.parametrize("rules", part(sorted(RULES), one_of=5))
def test_every_open_card_is_drawn_within_the_picture(rules: str) -> None:
    replay = replay_of(store_game(rules))
    assert replay is not None
    for number, deal in enumerate(replay.deals, start=1):
        for place in {0, len(deal["steps"]) // 2, len(deal["steps"]) - 1}:
            step = deal["steps"][place]
            drawing = draw(replay, ReplayPosition(number, place))
            drawn = []
            for symbol, x, y, width in drawing.cards:
                assert x >= 0 and y >= 0 and x + width <= 1200 and y + tall(width) <= 560
                letter = symbol.removeprefix("card-")
                drawn.append({"unknown": "?", "blank": "_"}.get(letter, letter))
            lying = "".join([*step["hands"], step["field"], *step["captured"]])
            assert sorted(letter for letter in drawn if letter != "back") == sorted(lying)
            assert ("back" in drawn) == bool(step["stock"])
            assert str(step["stock"]) in list_texts(drawing)


@pytest.mark.long_only  # test_link_previews.py has such names
def test_hostile_and_long_names_stay_text_in_their_box() -> None:
    names = (
        '</text><script>"',
        "\u202e\u0641\u0644\u0627\u0646 &amp;",
        "花" * 60,
        "\U0001f98c" * 9,
    )
    game = simulate("hachihachi-bga", seed=1, players=6)
    game.players = (*names, "\ufffe\u0378x", "W" * 39)
    makers.ingest(write(game).encode())
    replay = replay_of(Record.objects.latest("pk"))
    assert replay is not None
    texts = list_texts(draw(replay, ReplayPosition()))
    assert '</text><script>"' in texts and any("花花…" in text for text in texts)
    assert not any("\u202e" in text or "\u2068" in text or "\ufffe" in text for text in texts)
    for place in range(len(replay.deals[0]["steps"])):
        list_texts(draw(replay, ReplayPosition(1, place)))


def test_picture_has_words_and_sums_in_the_language() -> None:
    replay = replay_of(store_game("hachihachi"))
    assert replay is not None
    last = ReplayPosition(1, len(replay.deals[0]["steps"]) - 1)
    for lang, unit in (("en", "kan"), ("ja", "貫")):
        with translation.override(lang):
            texts = list_texts(draw(replay, last))
            sentence = replay.tell(replay.deals[0], replay.deals[0]["steps"][-1])
        assert any(unit in text for text in texts)
        assert sentence in " ".join(texts) or any(text.endswith("…") for text in texts)


def test_small_picture_in_english_has_the_name_of_each_player() -> None:
    """The badge of the dealer leaves room for the name next to a sum of kan and points."""
    replay = replay_of(store_game("hachihachi"))
    assert replay is not None
    for number, count in enumerate(replay.counts, start=1):
        drawing = draw(replay, ReplayPosition(number, count - 1), is_small=True)
        assert {*replay.players} <= {*list_texts(drawing)}, number


def test_picture_of_the_last_step_has_the_final_sums(koikoi: Record) -> None:
    replay = replay_of(koikoi)
    assert replay is not None and replay.settlement
    last = ReplayPosition(len(replay.counts), replay.counts[-1] - 1)
    assert {str(sum_) for sum_ in replay.data["final"]} <= set(list_texts(draw(replay, last)))


def test_moment_is_a_month_of_the_winner_with_framed_yaku(koikoi: Record) -> None:
    replay = replay_of(koikoi)
    assert replay is not None
    moment = find_moment(replay)
    assert moment is not None
    deal = replay.deals[moment.at.deal - 1]
    winner = replay.data["final"].index(max(replay.data["final"]))
    assert deal["steps"][moment.at.step]["seat"] == winner + 1
    gain = f"+{deal['score'][winner]}"
    assert moment.words.split(" · ")[1] == replay.players[winner] and gain in moment.words
    drawing = draw(replay, moment.at, is_small=True)
    corners = {(x, y) for _symbol, x, y, _width in drawing.frames}
    framed = [symbol for symbol, x, y, _width in drawing.cards if (x, y) in corners]
    lit = find_yaku_cards(replay, deal)
    assert lit and sorted(framed) == sorted(f"card-{letter}" for letter in lit)


def test_game_without_a_won_month_has_no_moment(koikoi: Record) -> None:
    replay = replay_of(koikoi)
    assert replay is not None
    deals = [{**deal, "score": None} for deal in replay.deals]
    unfinished = replace(replay, data={**replay.data, "final": None, "deals": deals})
    assert find_moment(unfinished) is None


def test_small_picture_has_larger_names_and_no_words_at_head_and_foot(koikoi: Record) -> None:
    replay = replay_of(koikoi)
    assert replay is not None
    here = ReplayPosition(1, len(replay.deals[0]["steps"]) - 1)
    drawing = draw(replay, here, is_small=True)
    assert all(y >= 0 and y + tall(width) <= 630 for _symbol, _x, y, width in drawing.cards)
    texts = list_texts(drawing)
    assert {*replay.players} <= {*texts} and not any("HanaArchive" in text for text in texts)
    assert replay.tell(replay.deals[0], replay.deals[0]["steps"][-1]) not in texts
    sizes = {float(size) for _box, svg in drawing.letterings for size in NAME_SIZE.findall(svg)}
    assert min(sizes) >= 40


def test_face_is_drawn_from_the_sprite() -> None:
    faces = [face(symbol, 50) for symbol in ("card-A", "card-B", "card-back", "card-unknown")]
    assert len({image.tobytes() for image in faces}) == 4
    assert {image.size for image in faces} == {(50, 80)}
    middle = face("card-back", 84).getpixel((42, 67))
    assert middle == (0xA3, 0x27, 0x2A, 255)


def test_cards_are_drawn_at_their_places() -> None:
    drawing = Drawing((Placed("card-A", 100, 200, 80),), (), ())
    png = Image.open(BytesIO(to_png(drawing)))
    shown, card = png.convert("RGB"), face("card-A", 80)
    for place in ((0, 0), (40, 20), (60, 100)):
        pixel, expected = shown.getpixel((place[0] + 100, place[1] + 200)), card.getpixel(place)
        assert isinstance(pixel, tuple) and isinstance(expected, tuple)
        if expected[3] == 255:  # the corners of a card are round
            assert all(abs(a - b) < 24 for a, b in zip(pixel, expected, strict=False)), place
    assert shown.getpixel((99, 199)) == shown.getpixel((600, 500))
