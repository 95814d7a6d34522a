"""A dump agrees with the archive's public data, under the names that may be shown."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from kafu.judging import playthrough
from kafu.judging.verify import verify
from kafu.notation.game import Turn
from kafu.notation.reading.reader import read
from kafu.notation.writer import identity
from kafu.rules.play.ledger import gains
from kafu.rules.rulesets import machine_of
from kafu.rules.verdict import Verdict
from records.base.zstd import zstd
from records.models import Dump, Listing, Player, Record, Seat, Visibility
from records.models.families import family_of
from records.opendata import files, licence, making
from records.opendata.rows import rows
from records.opendata.schema import TABLES
from tests.records import makers
from tests.records.makers import ingest
from tests.records.opendata.games import HOSTILE

pytestmark = pytest.mark.django_db
Tables = duckdb.DuckDBPyConnection


def judged(record: Record) -> Verdict:
    """The verdict on the text of a record."""
    return verify(read(record.text)).verdict


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
    deals = [deal for record in public for deal in judged(record).deals]
    assert counts["deals"] == len(deals) == sum(public.values_list("deals_played", flat=True))
    assert counts["yaku"] == sum(
        len(gains(line)) * len(line.label.split("+")) for deal in deals for line in deal.ledger
    )
    told = one(tables, "SELECT sum(turns) FROM 'games.parquet'")
    assert told == sum(public.values_list("turns_played", flat=True))
    ended = "SELECT count(*) FROM 'turns.parquet' SEMI JOIN 'deals.parquet' USING (game, deal)"
    assert one(tables, ended) == told


def test_rows_are_those_of_the_database(tables: Tables) -> None:
    found = tables.execute(
        "SELECT game, deal, month, dealer, grade, bound, ending, winner, next_dealer, turns, scores"
        " FROM 'deals.parquet' ORDER BY game, deal"
    ).fetchall()
    deals, made = [], []
    for record in Record.objects.filter(visibility=Visibility.PUBLIC).order_by("key"):
        game = read(record.text).game
        assert game is not None
        for number, deal in enumerate(judged(record).deals, start=1):
            place = record.key, number
            turns = sum(isinstance(turn, Turn) for turn in game.months[number - 1].turns)
            of = (deal.grade, deal.bound, deal.end, deal.winner, deal.next_dealer)
            deals.append((*place, deal.month, deal.dealer, *of, turns, list(deal.score)))
            for index, line in enumerate(deal.ledger, start=1):
                labels = line.label.split("+")
                made += [
                    (*place, index, seat, label, family_of(label), amount, len(labels), line.void)
                    for seat, amount in gains(line)
                    for label in labels
                ]
    assert found == deals
    yaku = tables.execute(
        "SELECT game, deal, line, seat, yaku, kind, amount, parts, void FROM 'yaku.parquet'"
    ).fetchall()
    assert sorted(yaku, key=repr) == sorted(
        ((*row[:5], row[5].value, *row[6:]) for row in made), key=repr
    )
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


def test_cards_of_deals_are_those_of_the_texts(tables: Tables) -> None:
    """Hands, field and draw pile stand in the text as they stand in the table."""
    rows = tables.execute("SELECT game, deal, field, stock FROM 'deals.parquet'").fetchall()
    found = {(game, deal): cards for game, deal, *cards in rows}
    told = set()
    for record in Record.objects.filter(visibility=3):
        number = 0
        for row in record.text.splitlines():
            if row.startswith("month "):
                number += 1
            name, _, cards = row.partition(" ")
            if name in ("field", "stock") and (record.key, number) in found:
                assert found[record.key, number][name == "stock"] == cards
                told.add((record.key, number, name))
    assert len(told) == sum(card is not None for cards in found.values() for card in cards)
    assert told


def test_a_draw_pile_that_is_known_in_part() -> None:
    """What the text leaves open stands open in the table."""
    cut = re.sub(r"(?m)^(stock .{8}).*$", r"\1...", makers.text(3), count=1)
    game = read(cut).game
    assert game is not None
    about = {"game": "", "status": "", "received": ""}
    assert rows(game, about)["deals"][0]["stock"] == f"{game.months[0].stock}..."


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
    assert players >= {"Aya", "Wisteria", *(name.strip("\u202e") for name in HOSTILE)}
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


def test_identities_are_those_of_the_published_texts(directory: Path, tables: Tables) -> None:
    told = {row[0] for row in tables.execute("SELECT identity FROM 'games.parquet'").fetchall()}
    games = (read(text).game for text in _games(next(directory.glob("*.zst")), ""))
    assert told == {identity(game) for game in games if game is not None}
