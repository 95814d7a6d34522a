"""An archive in which each spelling of a name was a player, after the migration to one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from records.keys import base58, player_key
from records.models import FormerKey, Listing, Player, Rating, RatingDue, Seat
from records.models.statistics import Rollup
from records.pseudonyms import give
from records.statistics import checking, folding, ratings
from tests.conftest import Environment, Hana
from tests.records.makers import ingest, joined, text


def games() -> tuple[bytes, bytes]:
    """First a game of Aya and Ben, then some of those who will have been spelled otherwise, at the
    same tables too.
    """
    dated = {seed: text(seed) for seed in range(1, 9)}
    for seed in (3, 4):
        dated[seed] = dated[seed].replace('"Aya"', '"Other one"')
    dated[5] = dated[5].replace('"Ben"', '"Other one"')
    dated[6] = dated[6].replace('"Ben"', '"Other two"')
    dated[7] = dated[7].replace('"Ben"', '"Chie"')
    for seed, game in dated.items():
        tags = f'[Event "Other two memorial"]\n[Date "2026-0{seed}-01"]'
        dated[seed] = game.replace('[Rules "koikoi"]', f'[Rules "koikoi"]\n{tags}')
    first, *rest = dated.values()
    return joined(first), joined(*rest)


def old_key(name: str) -> str:
    """A key as it was made when spellings were players."""
    return base58(hashlib.sha256(name.encode()).digest()[:16])


def split() -> None:
    """Make the players what they were: with keys of what was written, and other spellings."""
    spelled = {"Other one": "AYA", "Other two": "Ａya_"}
    for player in Player.objects.order_by("pk"):
        real = player.real_name or player.name
        written = spelled.get(real, real)
        if player.real_name:
            player.real_name, player.key = written, old_key(player.name)
        else:
            Seat.objects.filter(player=player).update(name=written)
            player.name, player.key = written, old_key(written)
        player.origin, player.folded = old_key(written), written.casefold()
        player.save()


def told() -> dict[str, Any]:
    """Players, and what leads to them."""
    columns = "name", "real_name", "games", "folded", "statistics"
    return {
        "players": sorted(Player.objects.values_list(*columns)),
        "former": sorted(FormerKey.objects.values_list("key", "player__name")),
        "seats": sorted(set(Seat.objects.values_list("name", "player__name"))),
    }


MERGED = {
    "players": [
        ("Aya", "", 8, "aya", True),
        ("Ben", "", 5, "ben", True),
        ("Chie", "", 1, "chie", True),
    ],
    "former": sorted(
        [
            *((old_key(name), "Aya") for name in ("Aya", "AYA", "Ａya_")),
            (old_key("Ben"), "Ben"),
            (old_key("Chie"), "Chie"),
        ]
    ),
    "seats": [("AYA", "Aya"), ("Aya", "Aya"), ("Ben", "Ben"), ("Chie", "Chie"), ("Ａya_", "Aya")],
}


def migrate() -> None:
    """What the migration does to rows."""
    schema = SimpleNamespace(connection=connection)
    import_module("records.migrations.0016_spelling").unite(apps, schema)


@pytest.fixture
def archive(db: None) -> None:
    """Rated and folded, as an archive is after some time."""
    for part in games():
        ingest(part)
    while ratings.run(9):
        pass
    folding.run(9)


@pytest.mark.parametrize("batch", [1, 2, 200])
def test_spellings_become_one_player(
    archive: None, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("records.migrations.0016_spelling.BATCH", batch)
    before = sum(Rollup.objects.filter(player=None).values_list("version", flat=True))
    split()
    migrate()
    assert told() == MERGED
    for player in Player.objects.all():
        assert player.key == player.origin == player_key(player.name)
    assert not list(checking.differences())
    assert RatingDue.objects.exists()
    while ratings.run(9):
        pass
    assert Rating.objects.exists()
    assert not list(checking.differences())
    assert sum(Rollup.objects.filter(player=None).values_list("version", flat=True)) == before


def test_it_can_be_done_twice(archive: None) -> None:
    split()
    migrate()
    migrate()
    assert told() == MERGED
    assert not list(checking.differences())


def test_addresses_lead_on(archive: None) -> None:
    split()
    migrate()
    for name in ("AYA", "Aya"):
        response = Client().get(reverse("player", args=[old_key(name)]))
        assert response.status_code == 301
        assert response["Location"] == reverse("player", args=[player_key("aya")])
    give(Player.objects.get(name="Aya"), "Wisteria")
    for name in ("AYA", "Aya", "aya"):
        for key in (old_key(name), player_key(name)):
            assert Client().get(reverse("player", args=[key])).status_code == 404


def _hide(name: str) -> None:
    """Give a player a pseudonym as an archive of before did."""
    player = Player.objects.get(name=name)
    Player.objects.filter(pk=player.pk).update(
        name="Wisteria", real_name=name, key=old_key("Wisteria"), folded="wisteria"
    )
    Seat.objects.filter(player=player).update(name="Wisteria")


def test_a_pseudonym_is_that_of_all_spellings(archive: None) -> None:
    split()
    _hide("Ａya_")
    migrate()
    player = Player.objects.get(key=player_key("Wisteria"))
    assert (player.name, player.real_name, player.games) == ("Wisteria", "Aya", 8)
    assert set(Seat.objects.filter(player=player).values_list("name", flat=True)) == {"Wisteria"}
    assert not FormerKey.objects.filter(key__in=map(old_key, ("Aya", "AYA", "Ａya_"))).exists()
    assert not list(checking.differences())


def test_events_are_redacted(archive: None) -> None:
    _hide("Other two")
    migrate()
    assert set(Listing.objects.values_list("event", flat=True)) == {"wisteria memorial"}
    assert not list(checking.differences())


def test_a_name_that_is_anothers_pseudonym(archive: None) -> None:
    give(Player.objects.get(name="Chie"), "BEN!")
    Player.objects.filter(name="BEN!").update(name="BEN", key=old_key("BEN"))
    Seat.objects.filter(name="BEN!").update(name="BEN")
    migrate()
    assert Player.objects.get(key=player_key("Ben")).real_name == "Chie"
    assert Player.objects.get(name="Ben").games == 5
    assert not list(checking.differences())


def test_on_postgresql(hana: Hana, hana_env: Callable[..., Environment]) -> None:
    env = hana_env(postgres=True)
    for part in games():
        hana("ingest", "-", env=env, stdin=part.decode())
    module = "from tests.records import test_migrated_names as one"
    hana("shell", "--verbosity=0", "-c", f"{module}; one.split()", env=env)
    hana("migrate", "records", "0015", "--verbosity=0", env=env)
    hana("migrate", "--verbosity=0", env=env)
    probe = f"{module}; print(one.told() == one.MERGED or one.told())"
    assert hana("shell", "--verbosity=0", "-c", probe, env=env).stdout.strip() == "True"
    assert "differences: 0" in hana("statistics", "--check", env=env).stdout
