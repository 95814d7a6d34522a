"""A stored game is played once, whoever shows it, in whatever language."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from kafu.judging import playthrough
from records.models import Record, Status
from tests.records.makers import illegal, ingest, joined, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rulesets of the games that were played, in order."""
    played: list[str] = []
    play = playthrough.play

    def counted(game: Any, *given: Any, **named: Any) -> Any:
        played.append(game.rules)
        return play(game, *given, **named)

    monkeypatch.setattr(playthrough, "play", counted)
    return played


def addresses(record: Record) -> list[str]:
    """Every address that shows the replay of a game."""
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
    [
        pytest.param(text(31), 1, id="verified"),
        # To tell what would have been right is another walk, and another look-up.
        pytest.param(illegal(32), 2, id="illegal"),
    ],
)
def test_all_addresses_together(client: Client, plays: list[str], game: str, most: int) -> None:
    ingest(joined(game))
    plays.clear()
    record = Record.objects.get()
    for lang in ("en", "ja"):
        for address in addresses(record):
            response = client.get(address, headers={"accept-language": lang})
            assert response.status_code == 200, address
    assert len(plays) == most
