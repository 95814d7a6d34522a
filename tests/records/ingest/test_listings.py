"""The columns of lists, maintained by storing and reverify."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.base.keys import fold
from records.models import ListedFeature, Listing, Player, Record, Seat
from tests.records.makers import illegal, ingest, joined, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def rows() -> dict[str, Any]:
    """Return all data of lists, by the keys of games and players."""
    listings = {
        row.record.key: {
            field.attname: getattr(row, field.attname)
            for field in Listing._meta.concrete_fields
            if field.attname != "record_id"
        }
        | {"features": {feature.feature for feature in row.features.all()}}
        for row in Listing.objects.select_related("record")
    }
    seats = Seat.objects.values_list("record__key", "number", "yaku")
    players = Player.objects.values_list("name", "folded", "games")
    return {"listings": listings, "seats": sorted(seats), "players": sorted(players)}


def tables() -> list[str]:
    """Return a game of each ruleset."""
    texts = []
    for seed, rules in enumerate(("hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one")):
        game = simulate(rules, seed=seed)
        game.tags |= {"Event": f"Ｃup {seed}", "Date": "2026-02"}
        texts.append(write(game))
    return texts


def test_games_of_a_player_are_counted_once_each() -> None:
    ingest(joined(text(1), text(2)), joined(text(2), text(3)))
    ingest(joined(text(3), with_wrong_score(4)), text(4).encode())
    twice = text(5).replace('"Ben"', '"Aya"')
    ingest(twice.encode())
    assert dict(Player.objects.values_list("name", "games")) == {"Aya": 5, "Ben": 4}


def test_yaku_and_grades_of_a_listing_are_its_features() -> None:
    ingest(joined(*tables(), text(1)))
    for row in Listing.objects.all():
        words = f"{row.yaku} {row.grades}".split()
        assert words
        features = row.features.values_list("feature", flat=True)
        assert set(features) == {f"{word} {row.ruleset}" for word in words}


def test_migration_writes_the_features_of_listed_games(monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(joined(*tables(), text(1)))
    stored = rows()
    ListedFeature.objects.all().delete()
    migration = import_module("records.migrations.0020_listed_features")
    monkeypatch.setattr(migration, "BATCH", 2)
    migration.fill(apps, None)
    assert rows() == stored


def test_better_text_replaces_the_listing() -> None:
    ingest(with_wrong_score(1).encode())
    assert Listing.objects.get().status == "mismatch"
    ingest(text(1).replace("\n[Date", '\n[Event "Cup"]\n[Date').encode())
    ingest(text(1).encode())
    row = Listing.objects.get()
    assert (row.status, row.record.status) == ("verified", "verified")
    assert {feature.feature for feature in row.features.all()} == {
        f"{word} koikoi" for word in row.yaku.split()
    }


def test_game_judged_again_is_listed_again() -> None:
    ingest(joined(*tables(), text(1), illegal(2)))
    stored = rows()
    Record.objects.update(engine_version="", status="unsupported")
    Listing.objects.update(status="unsupported", yaku="", best=0, deals=0)
    Seat.objects.update(yaku="")
    call_command("reverify")
    assert rows() == stored


def test_text_that_lost_its_identity_is_listed_as_malformed() -> None:
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
def test_name_is_folded_once(written: str, folded: str) -> None:
    assert fold(written) == folded
    assert fold(folded) == folded
