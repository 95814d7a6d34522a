"""A stored game is replayed once for all pages and languages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from kafu.judging.playthrough import Playthrough
from lengths import part
from records.models import Record, Status
from tests.records.makers import illegal, ingest, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the rulesets of replayed games, in order."""
    played: list[str] = []
    begin = Playthrough.__init__

    def count(
        self: Playthrough, game: Any, machine: Any, before: Any = None, *args: Any, **kept: Any
    ) -> None:
        if before is None:  # a part of a game that is played again has the results before it
            played.append(game.rules)
        begin(self, game, machine, before, *args, **kept)

    monkeypatch.setattr(Playthrough, "__init__", count)
    return played


def list_addresses(record: Record) -> list[str]:
    """Return every address that shows the replay of a game."""
    page = f"/games/{record.key}/"
    sheets = [f"{page}sheet", f"{page}sheet.csv", f"/api/v1/records/{record.key}/sheet"]
    return [
        *(sheets if record.status == Status.VERIFIED else ()),
        page,
        f"{page}moves/",
        f"{page}replay.json",
        f"{page}frame",
        f"{page}1.0.png",
        f"/games/{record.key}.kafu",
        "/games/feed",
        f"/embed/{record.key}/?at=1.3",
        f"/embed/{record.key}/",
        f"/oembed?url=http://testserver{page}",
        f"/api/v1/records/{record.key}",
        f"/api/v1/records/{record.key}/replay",
        f"/api/v1/records/{record.key}/history",
    ]


@pytest.mark.parametrize(
    ("game", "most"),
    part(
        [
            pytest.param(text(31), 1, id="verified"),
            # Computing the legal alternatives takes a second replay.
            pytest.param(illegal(32), 2, id="illegal"),
        ],
        one_of=2,
    ),
)
def test_game_requested_at_all_addresses_is_replayed_once(
    client: Client, plays: list[str], game: str, most: int
) -> None:
    ingest(joined(game))
    plays.clear()
    record = Record.objects.get()
    for lang in ("en", "ja"):
        for address in list_addresses(record):
            response = client.get(address, headers={"accept-language": lang})
            assert response.status_code == 200, address
    assert len(plays) == most
