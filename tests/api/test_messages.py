"""Messages name players wherever a game is judged or shown; stored verdicts name seats."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from lengths import part
from records.models import Record
from tests.api.contract import Api
from tests.records.makers import MALFORMED, ingest, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
KAFU = "text/x-kafu"
#: A game in which a hand is missing, of players with names.
GAME = re.sub(
    r"hand 2 .*\n",
    "",
    re.sub(r'\[Player2 "[^"]*"\]', '[Player2 "花子"]', text(1)),
    count=1,
)
SAID = {"en": "the hand of 花子 is missing", "ja": "花子の手札がありません"}


def file(api: Api, path: str) -> str:
    """Return a streamed response as text."""
    answer: Any = api.client.get(f"/api/v1/{path}")
    return b"".join(answer.streaming_content).decode("utf-8-sig")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_verdict_names_the_players(api: Api, lang: str) -> None:
    answer = api.post(f"verify?lang={lang}", GAME.encode(), KAFU).json()
    assert SAID[lang] in answer["error"]["message"]


@pytest.mark.parametrize("lang", part(["ja", "en"]))
def test_report_and_pages_name_the_players(api: Api, lang: str) -> None:
    """The list, the report as file, the page, and the game itself."""
    upload = ingest(GAME.encode())
    query = {"lang": lang}
    (game,) = api.get(f"uploads/{upload.key}/games", query).json()["results"]
    assert SAID[lang] in game["error"]["message"]
    lines = file(api, f"uploads/{upload.key}/report.ndjson?lang={lang}")
    (line,) = map(json.loads, lines.splitlines())
    assert SAID[lang] in line["error"]["message"] and "players" not in line
    table = file(api, f"uploads/{upload.key}/report.csv?lang={lang}")
    assert SAID[lang] in next(csv.DictReader(io.StringIO(table)))["message"]
    page = Client().get(reverse("report", args=[upload.key]), headers={"Accept-Language": lang})
    sentence = {"en": "The hand of 花子 is missing.", "ja": "花子の手札がありません。"}[lang]
    assert sentence in page.content.decode()
    record = Record.objects.get()
    whole = api.get(f"records/{record.key}", query).json()
    assert SAID[lang] in whole["verdict"]["error"]["message"]
    assert record.verdict["error"]["values"]["seat"] == 2
    assert "message" not in record.verdict["error"]


def test_unknown_player_is_named_by_the_seat(api: Api) -> None:
    verdict = verify(read(GAME)).verdict
    assert "player 2" in verdict.to_json("en")["error"]["message"]
    assert "プレイヤー2" in verdict.to_json("ja")["error"]["message"]
    assert api.post("verify", MALFORMED.encode(), KAFU).json()["error"]["code"]
