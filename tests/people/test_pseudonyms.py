"""Players with a pseudonym: no response of the archive has the real name."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from people.models import PlayerRequest
from records.base.keys import player_key
from records.models import Player, Record, Seat
from records.services.pseudonyms import Taken, remove_pseudonym, set_pseudonym
from tests.people.world import sent, session, user
from tests.records.makers import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

REAL, SHOWN = "Hanako Yamada", "Wisteria"


def game(seed: int = 1) -> str:
    """Return the text of a game with the real name in every possible place."""
    game_text = text(seed).replace('[Player1 "Aya"]', f'[Player1 "{REAL}"]')
    game_text = game_text.replace(
        '[Rules "koikoi"]', f'[Rules "koikoi"]\n[Event "{REAL} memorial"]'
    )
    return f"{{{REAL} played well.}}\n{game_text}"


@pytest.fixture(scope="module")
def record(rows_for_all: None) -> Record:
    """Upload a game of the player, and set a pseudonym."""
    sent(game())
    set_pseudonym(Player.objects.get(name=REAL), SHOWN)
    return Record.objects.get()


def addresses(record: Record) -> list[str]:
    """Return the addresses that show the game or the player."""
    key = record.key
    player = Player.objects.get(name=SHOWN).key
    pages = ("game", "kafu", "replay", "frame", "moves", "embed", "sheet", "sheet-csv")
    parts = ("record", "record-kafu", "record-replay", "record-sheet", "record-sheet-csv")
    return [
        *(reverse(name, args=[key]) for name in pages),
        *(reverse(f"api:{name}", args=[key]) for name in parts),
        *(reverse(name) for name in ("home", "games", "players", "api:records")),
        *(reverse(f"api:records-{form}") for form in ("ndjson", "kafu", "csv")),
        f"{reverse('api:records-export-ndjson')}?keys={key}",
        reverse("player", args=[player]),
        reverse("suggest-players") + "?q=w",
        reverse("suggest-players") + "?q=h",
        f"{reverse('check')}?record={key}",
        f"{reverse('oembed')}?url=http://testserver/games/{key}/",
    ]


def test_later_game_has_the_pseudonym_too(record: Record) -> None:
    sent(game(2))
    assert Player.objects.get(name=SHOWN).games == 2
    assert set(Seat.objects.values_list("name", flat=True)) == {SHOWN, "Ben"}


def test_pseudonym_is_taken_back(record: Record) -> None:
    remove_pseudonym(Player.objects.get(name=SHOWN))
    body = Client().get(reverse("kafu", args=[record.key])).content.decode()
    assert REAL in body
    assert Player.objects.get(name=REAL).key == player_key(REAL)


def test_name_of_another_player_is_no_pseudonym(record: Record) -> None:
    with pytest.raises(Taken):
        set_pseudonym(Player.objects.get(name="Ben"), SHOWN)
    with pytest.raises(Taken):
        set_pseudonym(Player.objects.get(name=SHOWN), "Ben")


def test_new_player_with_the_name_of_a_pseudonym_is_another_player(record: Record) -> None:
    sent(text(3).replace('[Player1 "Aya"]', f'[Player1 "{SHOWN}"]'))
    assert Player.objects.filter(name=SHOWN).count() == 2
    assert [player.games for player in Player.objects.filter(name=SHOWN)] == [1, 1]


def test_pseudonym_can_be_an_emoji_with_joiners(record: Record) -> None:
    set_pseudonym(Player.objects.get(name="Ben"), "👩‍👧")
    assert Player.objects.filter(name="👩‍👧").exists()


def test_invalid_pseudonym_is_refused(record: Record) -> None:
    for name in ("", "  ", "x" * 81, "a\x00", "a\u200d"):
        with pytest.raises(ValueError):
            set_pseudonym(Player.objects.get(name="Ben"), name)


def test_player_command_gives_and_takes_back_a_pseudonym(record: Record) -> None:
    call_command("player", "Ben", "--pseudonym", "Pine")
    assert Player.objects.get(name="Pine").real_name == "Ben"
    call_command("player", "Ben", "--real-name")
    call_command("player", "Ben", "--no-statistics")
    assert not Player.objects.get(name="Ben").statistics
    with pytest.raises(CommandError):
        call_command("player", "Nobody", "--statistics")


def test_request_for_a_pseudonym_is_carried_out_by_the_staff(record: Record) -> None:
    asker: Any = user("asker")
    fields = {"kind": "pseudonym", "player": "Ben", "pseudonym": "Pine"}
    assert session(asker).post(reverse("my_names"), fields | {"pseudonym": ""}).status_code == 200
    assert session(asker).post(reverse("my_names"), fields).status_code == 302
    player_request = PlayerRequest.objects.get()
    act = {"action": "carry_out", "_selected_action": [str(player_request.pk)]}
    page = reverse("admin:people_playerrequest_changelist")
    assert session(user("staff", staff=True)).post(page, act).status_code == 302
    player_request.refresh_from_db()
    assert player_request.state == PlayerRequest.State.DONE
    assert Player.objects.get(real_name="Ben").name == "Pine"
