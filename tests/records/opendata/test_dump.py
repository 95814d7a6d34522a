"""A dump agrees with the archive's public data, under the names that may be shown."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.utils import timezone

from kafu.judging import playthrough
from kafu.notation.game import Turn
from kafu.notation.reading.reader import read
from kafu.notation.writer import identity
from kafu.rules.rulesets import machine_of
from records.base.zstd import zstd
from records.models import Deal, DealSeat, Dump, Listing, Player, Record, Seat, Visibility, YakuMade
from records.opendata import files, licence, making, parquet
from records.opendata.months import month_of
from records.opendata.schema import TABLES
from tests.records.makers import ingest
from tests.records.opendata.games import HOSTILE

pytestmark = pytest.mark.django_db
Tables = duckdb.DuckDBPyConnection
PUBLIC = {"record__visibility": Visibility.PUBLIC}


def one(tables: Tables, sql: str) -> Any:
    """The first column of the first row."""
    row = tables.execute(sql).fetchone()
    assert row is not None
    return row[0]


def test_counts_are_those_of_the_database(dump: Dump, tables: Tables) -> None:
    public = Record.objects.filter(visibility=Visibility.PUBLIC)
    counts = {name: one(tables, f"SELECT count(*) FROM '{name}.parquet'") for name in TABLES}
    assert counts == dump.manifest["counts"]
    assert counts["games"] == public.count() == Listing.objects.filter(visibility=3).count()
    assert counts["deals"] == Deal.objects.filter(**PUBLIC).count()
    assert counts["yaku"] == YakuMade.objects.filter(deal__record__visibility=3).count()
    told = one(tables, "SELECT sum(turns) FROM 'games.parquet'")
    assert told == sum(public.values_list("turns_played", flat=True))
    ended = "SELECT count(*) FROM 'turns.parquet' SEMI JOIN 'deals.parquet' USING (game, deal)"
    assert one(tables, ended) == sum(Deal.objects.filter(**PUBLIC).values_list("turns", flat=True))


def test_rows_are_those_of_the_database(tables: Tables) -> None:
    deals = tables.execute(
        "SELECT game, deal, month, dealer, coalesce(grade, ''), coalesce(bound, ''), ending,"
        " winner, next_dealer, turns, scores FROM 'deals.parquet' ORDER BY game, deal"
    ).fetchall()
    names = ("month", "dealer", "grade", "bound", "end", "winner", "next_dealer", "turns")
    rows = Deal.objects.filter(**PUBLIC).order_by("record__key", "number")
    wanted = [
        (key, number, *rest)
        for key, number, *rest in rows.values_list("record__key", "number", *names)
    ]
    assert [deal[:-1] for deal in deals] == wanted
    scores: dict[tuple[str, int], list[int]] = {}
    seats = DealSeat.objects.filter(deal__record__visibility=3).order_by("deal", "seat")
    for key, number, score in seats.values_list("deal__record__key", "deal__number", "score"):
        scores.setdefault((key, number), []).append(score)
    assert {deal[:2]: deal[-1] for deal in deals} == scores
    made = tables.execute(
        "SELECT game, deal, line, seat, yaku, kind, amount, parts, void FROM 'yaku.parquet'"
    ).fetchall()
    columns = ("line", "seat", "label", "kind", "amount", "parts", "void")
    there = YakuMade.objects.filter(deal__record__visibility=3)
    wanted_yaku = there.values_list("deal__record__key", "deal__number", *columns)
    assert sorted(made, key=repr) == sorted(wanted_yaku, key=repr)
    status = dict(tables.execute("SELECT game, status FROM 'games.parquet'").fetchall())
    assert status == dict(Record.objects.filter(visibility=3).values_list("key", "status"))


def test_turns_are_those_of_the_texts(tables: Tables) -> None:
    rows = tables.execute("SELECT * FROM 'turns.parquet' ORDER BY game, deal, turn").fetchall()
    found: dict[str, list[Any]] = {}
    for game, deal, turn, seat, *rest in rows:
        found.setdefault(game, []).append((deal, turn, seat, *rest))
    for record in Record.objects.filter(visibility=3).exclude(status="illegal"):
        game = read(record.text).game
        assert game is not None
        written = [
            (number, place, turn)
            for number, month in enumerate(game.months, start=1)
            for place, turn in enumerate(
                (turn for turn in month.turns if isinstance(turn, Turn)), start=1
            )
        ]
        told = found.get(record.key, [])
        assert len(told) == len(written)
        for (deal, place, seat, *cards), (number, index, turn) in zip(told, written, strict=True):
            assert (deal, place) == (number, index)
            assert cards == [
                turn.play,
                turn.take,
                turn.turn or None,
                turn.take2 if turn.turn else None,
                [*turn.say1, *turn.say],
            ]
            # Named before the turn, the seat is checked by the engine.
            turn.seat = seat
        if written:
            again = playthrough.play(game, machine_of(game.rules, game.options, len(game.players)))
            assert again.fault is None


def test_of_an_illegal_game_what_is_legal(tables: Tables) -> None:
    record = Record.objects.get(status="illegal")
    told = tables.execute("SELECT deal, turn FROM 'turns.parquet' WHERE game = ?", [record.key])
    fault = record.verdict["error"]
    assert all((deal, turn) < (fault["deal"], fault["turn"]) for deal, turn in told.fetchall())


def test_texts_come_back_as_the_same_games(dump: Dump, directory: Path, tables: Tables) -> None:
    name = dump.manifest["files"][0]["name"]
    assert name == f"games-{dump.month}.kafu.zst"
    before = dict(Record.objects.values_list("identity", "key"))
    told = dict(tables.execute("SELECT game, identity FROM 'games.parquet'").fetchall())
    names = Seat.objects.filter(player__name="Wisteria") | Seat.objects.filter(
        player__statistics=False
    )
    masked = set(names.values_list("record__key", flat=True))
    assert len(masked) == 2
    assert all((before.get(told[key]) == key) != (key in masked) for key in told)
    upload = ingest((directory / name).read_bytes())
    found = set(upload.submissions.values_list("record__identity", flat=True))
    assert found == set(told.values())
    assert upload.submissions.filter(duplicate=True).count() == len(told) - len(masked)


def test_who_is_named_how(directory: Path, tables: Tables) -> None:
    players = {
        name
        for (names,) in tables.execute("SELECT players FROM 'games.parquet'").fetchall()
        for name in names
    }
    hidden = {name for name in players if name.startswith("player-")}
    assert len(hidden) == 1
    assert players >= {"Aya", "Wisteria", *HOSTILE}
    texts = zstd.decompress(next(directory.glob("*.zst")).read_bytes()).decode()
    for word in ("Hanako Yamada", "Taro Suzuki", "Secret"):
        assert word not in players
        assert word not in texts
    assert hidden.pop() in texts
    for path in directory.iterdir():
        assert b"Taro Suzuki" not in path.read_bytes()


def test_the_word_for_who_is_not_named_stays(dump: Dump, dumps: Path) -> None:
    again = making.make(dump.month)
    words = set()
    for path in (dumps / again.directory).glob("*.zst"):
        game = read(next(iter(_games(path, "player-")))).game
        assert game is not None
        words.add(game.players[1])
    Player.objects.filter(name="Uma").update(statistics=False)
    third = making.make(dump.month)
    (text,) = _games(next((dumps / third.directory).glob("*.zst")), "player-")
    game = read(text).game
    assert game is not None
    assert game.players[1] in words and game.players[0].startswith("player-")
    assert len(set(game.players)) == 2


def _games(path: Path, word: str) -> list[str]:
    whole = zstd.decompress(path.read_bytes()).decode()
    return [f'[Kafu "1"]{one}' for one in whole.split('[Kafu "1"]') if word in one]


def test_sums_and_what_the_manifest_says(dump: Dump, directory: Path, tables: Tables) -> None:
    manifest = json.loads((directory / files.MANIFEST).read_text(encoding="utf-8"))
    assert manifest == dump.manifest
    assert manifest["licence"]["id"] == licence.ID
    listed = {file["name"] for file in manifest["files"]}
    assert listed | {files.MANIFEST, files.SUMS} == {path.name for path in directory.iterdir()}
    lines = (directory / files.SUMS).read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    for file in manifest["files"]:
        data = (directory / file["name"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file["bytes"], file["sha256"])
        assert sums[file["name"]] == file["sha256"]
    assert set(sums) == listed | {files.MANIFEST}
    for name, table in TABLES.items():
        described = tables.execute(f"DESCRIBE SELECT * FROM '{table.file}'").fetchall()
        told = [(one["name"], one["type"]) for one in manifest["tables"][name]["columns"]]
        assert [(row[0], row[1]) for row in described] == told
        about = tables.execute(f"SELECT key, value FROM parquet_kv_metadata('{table.file}')")
        assert (b"licence", b"CC0-1.0") in about.fetchall()
    readme = (directory / files.README).read_text(encoding="utf-8")
    for table in TABLES.values():
        assert table.file in readme
        assert all(f"`{column.name}`" in readme for column in table.columns)


def test_an_archive_without_games_has_a_dump_of_none(db: None, dumps: Path) -> None:
    made = making.make(month_of(timezone.now()))
    assert made.manifest["counts"] == dict.fromkeys(("games", "deals", "turns", "yaku"), 0)
    tables = parquet.connect(dumps / made.directory)
    assert [one(tables, f"SELECT count(*) FROM '{table.file}'") for table in TABLES.values()] == [
        0 for _ in TABLES
    ]


def test_identities_are_those_of_the_published_texts(directory: Path, tables: Tables) -> None:
    told = {row[0] for row in tables.execute("SELECT identity FROM 'games.parquet'").fetchall()}
    games = (read(text).game for text in _games(next(directory.glob("*.zst")), ""))
    assert told == {identity(game) for game in games if game is not None}
