"""What lists ask: kept right by storing and reverify, filled in old archives by the migration."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.keys import fold
from records.models import Listing, Player, Record, Seat
from tests.conftest import Environment, Hana
from tests.records.makers import UNSUPPORTED, illegal, ingest, joined, text, with_wrong_score

pytestmark = pytest.mark.django_db


def rows() -> dict[str, Any]:
    """All that the migration fills, by the keys of games and players."""
    listings = {
        row.record.key: {
            field.attname: getattr(row, field.attname)
            for field in Listing._meta.concrete_fields
            if field.attname != "record_id"
        }
        for row in Listing.objects.select_related("record")
    }
    seats = Seat.objects.values_list("record__key", "number", "yaku")
    players = Player.objects.values_list("name", "folded", "games")
    return {"listings": listings, "seats": sorted(seats), "players": sorted(players)}


def tables() -> list[str]:
    """A game of each ruleset."""
    found = []
    for seed, rules in enumerate(("hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one")):
        game = simulate(rules, seed=seed)
        game.tags |= {"Event": f"Ｃup {seed}", "Date": "2026-02"}
        found.append(write(game))
    return found


def test_the_migration_fills_what_storing_writes() -> None:
    ingest(joined(*tables(), text(1), illegal(2), with_wrong_score(3), UNSUPPORTED))
    stored = rows()
    assert any(row["yaku"] for row in stored["listings"].values())
    assert any(row["grades"] for row in stored["listings"].values())
    Listing.objects.all().delete()
    Seat.objects.update(yaku="")
    Player.objects.update(folded="", games=0)
    import_module("records.migrations.0002_listings").fill(apps, connection.schema_editor)
    assert rows() == stored


def test_games_of_a_player_are_counted_once_each() -> None:
    ingest(joined(text(1), text(2)), joined(text(2), text(3)))
    ingest(joined(text(3), with_wrong_score(4)), text(4).encode())
    twice = text(5).replace('"Ben"', '"Aya"')
    ingest(twice.encode())
    assert dict(Player.objects.values_list("name", "games")) == {"Aya": 5, "Ben": 4}


def test_a_better_text_takes_the_listing_over() -> None:
    ingest(with_wrong_score(1).encode())
    assert Listing.objects.get().status == "mismatch"
    ingest(text(1).replace("\n[Date", '\n[Event "Cup"]\n[Date').encode())
    ingest(text(1).encode())
    row = Listing.objects.get()
    assert (row.status, row.record.status) == ("verified", "verified")


def test_what_is_judged_again_is_listed_anew() -> None:
    ingest(joined(*tables(), text(1), illegal(2)))
    stored = rows()
    Record.objects.update(engine_version="", status="unsupported")
    Listing.objects.update(status="unsupported", yaku="", best=0, deals=0)
    Seat.objects.update(yaku="")
    call_command("reverify")
    assert rows() == stored


def test_a_text_that_lost_its_identity_shows_in_the_list() -> None:
    ingest(text(1).encode())
    Record.objects.update(engine_version="0", text="[Kafu broken")
    call_command("reverify")
    assert Listing.objects.get().status == Record.objects.get().status == "malformed"


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("  Aya   SATO ", "aya sato"),
        ("ＡＹＡ", "aya"),
        ("花 子", "花 子"),
        ("ｶﾞ", "ガ"),
        ("Straße", "strasse"),
        ("x" * 5000, "x" * 100),
        ("\u202e", "\u202e"),
    ],
)
def test_names_are_folded(written: str, folded: str) -> None:
    assert fold(written) == folded
    assert fold(folded) == folded


def test_it_migrates_an_archive_that_has_games(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(postgres=True)
    hana("ingest", "-", env=env, stdin=joined(*tables(), text(1)).decode())
    probe = "from tests.records.test_listings import rows; print(rows())"
    before = hana("shell", "--verbosity=0", "-c", probe, env=env).stdout
    hana("migrate", "records", "0001", "--verbosity=0", env=env)
    hana("migrate", "--verbosity=0", env=env)
    assert hana("shell", "--verbosity=0", "-c", probe, env=env).stdout == before
