"""A dump agrees with the archive's public data, under permitted names."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import duckdb
import pytest

import kafu
from kafu.judging.playthrough import Playthrough
from kafu.judging.verify import Verification, verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from records.base.packed_values import zstd
from records.facts import tables as facts
from records.facts.rows import collect_rows
from records.facts.tables import FactTable
from records.models import Analysis, Dump, Player, Problem, Record, Seat, Visibility
from records.models.facts import family_of
from records.opendata import dump_job, files
from records.opendata.publication import tables as published
from records.opendata.tables import TABLES
from tests.records import makers
from tests.records.makers import ingest
from tests.records.opendata.games import HOSTILE
from tests.records.opendata.published import open_tables, publish
from turns import silent, spoken

pytestmark = pytest.mark.django_db
Tables = duckdb.DuckDBPyConnection


def public_games() -> list[tuple[Record, Game, Verification]]:
    """Return the public games, the oldest first, each read and judged."""
    records = Record.objects.filter(visibility=Visibility.PUBLIC).order_by("pk")
    games = []
    for record in records:
        verification = verify(read(record.text), facts=True)
        assert verification.game is not None
        games.append((record, verification.game, verification))
    return games


def names_of(record: Record, words: dict[str, str]) -> list[str]:
    """Return the names by seat in a dump, with ``words`` for players who opted out."""
    return [
        seat.name if seat.player.statistics else words[seat.name]
        for seat in record.seats.select_related("player")
    ]


@pytest.fixture
def words(directory: Path) -> dict[str, str]:
    """Return the word in the dump for the only player who opted out."""
    (texts,) = directory.glob("*.zst")
    names = {
        name for game in kafu.games(texts) for name in game.players if name.startswith("player-")
    }
    assert len(names) == 1
    return {"Taro Suzuki": names.pop()}


def test_games_are_those_of_the_database(tables: Tables, words: dict[str, str]) -> None:
    columns = (
        *("game", "number", "ruleset", "profile", "options", "sheet", "players", "played", "day"),
        *("last_day", "event", "termination", "site", "round", "source", "date", "received"),
        *("status", "ended", "deals", "turns"),
    )
    rows = tables.execute(
        f"SELECT {', '.join(columns)} FROM 'games.parquet' ORDER BY number"
    ).fetchall()
    games = public_games()
    assert len(rows) == len(games)
    for number, (row, (record, game, verification)) in enumerate(
        zip(rows, games, strict=True), start=1
    ):
        verdict, tags = verification.verdict, game.tags
        counted = verdict.status != "illegal" and verdict.deals
        first, last = record.date_from, record.date_to
        expected = (
            *(record.key, number, game.rules, game.options.get("profile", game.rules)),
            *(record.options, game.is_sheet, names_of(record, words)),
            first.year * 100 + first.month if first else None,
            *(first, last, tags.get("Event", ""), game.termination),
            *(tags.get(name, "") for name in ("Site", "Round", "Source", "Date")),
            record.created.astimezone(UTC).replace(tzinfo=None),
            verdict.status,
            verdict.final is not None if counted else None,
            len(verdict.deals) if counted else None,
            record.turns_played if counted else None,
        )
        assert row == expected


def test_rows_are_those_of_the_games(tables: Tables, words: dict[str, str]) -> None:
    """Every table has the rows of the judged games, under permitted names."""
    expected: dict[str, list[Any]] = {name: [] for name in facts.TABLES}
    for record, _game, verification in public_games():
        names = names_of(record, words)
        analysis = Analysis.objects.filter(record=record).first()
        game_rows = collect_rows(verification, analysis.found if analysis is not None else None)
        for name, rows in game_rows.tables.items() if game_rows is not None else ():
            for row in rows:
                expected[name].append((record.key, *_named(facts.TABLES[name], row, names)))
    for name in set(facts.TABLES) - {"games", "cards"}:
        rows = tables.execute(f"SELECT * FROM '{name}.parquet'").fetchall()
        assert sorted(rows, key=repr) == sorted(expected[name], key=repr), name
    assert expected["choices"] and expected["throws"] and expected["luck"] and expected["losses"]


def _named(table: FactTable, row: tuple[Any, ...], names: list[str]) -> Iterator[Any]:
    """Yield the values of a row of facts in the form of a dump."""
    columns = (*(facts.SEAT if table.of_seat else ()), *table.specific)
    values = dict(zip((column.name for column in columns), row, strict=True))
    for column in columns:
        if column.name == "player":
            yield names[values["seat"] - 1] if values["seat"] else None
        elif column.list_type and values[column.name] is not None:
            read = int if column.list_type == "BIGINT[]" else str
            yield [read(element) for element in values[column.name].split()]
        else:
            yield values[column.name]


def test_deals_and_yaku_are_those_of_the_verdicts(tables: Tables) -> None:
    deals = tables.execute(
        "SELECT game, deal, month, dealer, grade, ending, winner, next_dealer, turns,"
        " (SELECT list(score ORDER BY seat) FROM 'seats.parquet' AS seats"
        "  WHERE seats.game = deals.game AND seats.deal = deals.deal)"
        " FROM 'deals.parquet' AS deals ORDER BY game, deal"
    ).fetchall()
    yaku = tables.execute(
        "SELECT game, deal, line, seat, yaku, kind, amount, parts, void FROM 'yaku.parquet'"
    ).fetchall()
    expected_deals, expected_yaku = [], []
    for record, game, verification in public_games():
        if record.status == "illegal":
            continue
        for number, deal in enumerate(verification.verdict.deals, start=1):
            turns = [turn for turn in game.months[number - 1].turns if turn.keyword == "turn"]
            expected_deals.append(
                (
                    *(record.key, number, deal.month, deal.dealer, deal.grade, deal.end),
                    *(deal.winner, deal.next_dealer, len(turns), list(deal.score)),
                )
            )
            for index, line in enumerate(deal.ledger, start=1):
                labels = line.label.split("+")
                expected_yaku += [
                    (record.key, number, index, seat, label, kind, amount, len(labels), line.void)
                    for label in labels
                    if (kind := family_of(label).value) != "other"
                    for seat, amount in enumerate(line.amounts, start=1)
                    if amount > 0
                ]
    assert deals == sorted(expected_deals)
    assert sorted(yaku) == sorted(expected_yaku)


def test_cards_and_turns_are_those_of_the_texts(tables: Tables) -> None:
    told_turns: dict[tuple[str, int], list[Any]] = {}
    for key, deal, *values in tables.execute(
        "SELECT * FROM 'turns.parquet' ORDER BY game, deal, turn"
    ).fetchall():
        told_turns.setdefault((key, deal), []).append(values)
    told_cards = {
        (key, deal): values
        for key, deal, *values in tables.execute(
            "SELECT game, deal, hands, field, stock FROM 'cards.parquet'"
        ).fetchall()
    }
    for record, game, _verification in public_games():
        if record.status == "illegal" or game.is_sheet:
            continue
        for number, month in enumerate(game.months, start=1):
            hands = [month.hands.get(seat, "-") for seat in range(1, len(game.players) + 1)]
            assert told_cards.pop((record.key, number)) == [hands, month.field, month.stock]
            rows = told_turns.pop((record.key, number), [])
            turns = [turn for turn in month.turns if turn.keyword == "turn"]
            assert [row[0] for row in rows] == [*range(1, len(turns) + 1)]
            for (_number, seat, *values), turn in zip(rows, turns, strict=True):
                parts = [part for action in silent(turn) for part in (action.card, action.take)]
                assert values == [*parts, *[None] * (4 - len(parts)), spoken(turn)]
                turn.seat = seat  # The engine checks a seat written before a turn.
        assert Playthrough.of(game).run().fault is None
    assert not told_cards and not told_turns


def test_draw_pile_that_is_known_in_part_ends_in_dots() -> None:
    cut = re.sub(r"(?m)^(stock .{8}).*$", r"\1...", makers.text(3), count=1)
    rows = collect_rows(verify(read(cut), facts=True))
    assert rows is not None
    game = read(cut).game
    assert game is not None
    stock = [column.name for column in facts.TABLES["cards"].specific].index("stock")
    assert rows.tables["cards"][0][stock] == f"{game.months[0].stock}..."


def test_numbers_of_games_are_their_positions_in_the_text_file(
    directory: Path, tables: Tables
) -> None:
    rows = tables.execute("SELECT number, identity, players FROM 'games.parquet'").fetchall()
    (texts,) = directory.glob("*.zst")
    for record in kafu.records(texts):
        assert record.game is not None
        row = record.number, kafu.identity(record.game), list(record.game.players)
        assert row in rows
        rows.remove(row)
    assert rows == []


def test_problems_are_those_of_public_games(tables: Tables) -> None:
    rows = tables.execute("SELECT * FROM 'problems.parquet' ORDER BY step").fetchall()
    public = Problem.objects.filter(record__visibility=Visibility.PUBLIC).order_by("step")
    assert rows == [
        (
            *(row.record.key, row.deal, row.step, row.seat, row.kind, row.choice["played"]),
            *(row.best, row.advantage, row.error, row.day),
        )
        for row in public
    ]
    assert len(rows) == 2 < Problem.objects.count() and rows[0][-1] and not rows[1][-1]


def test_texts_are_read_back_as_the_same_games(dump: Dump, directory: Path, tables: Tables) -> None:
    name = dump.manifest["files"][0]["name"]
    assert name == f"games-{dump.month}.kafu.zst"
    before = dict(Record.objects.values_list("identity", "key"))
    dumped = dict(tables.execute("SELECT game, identity FROM 'games.parquet'").fetchall())
    names = Seat.objects.filter(player__name="Wisteria") | Seat.objects.filter(
        player__statistics=False
    )
    masked = set(names.values_list("record__key", flat=True))
    assert len(masked) == 2
    assert all((before.get(dumped[key]) == key) != (key in masked) for key in dumped)
    upload = ingest((directory / name).read_bytes())
    identities = set(upload.submissions.values_list("record__identity", flat=True))
    assert identities == set(dumped.values())
    assert upload.submissions.filter(duplicate=True).count() == len(dumped) - len(masked)


def test_masked_names_are_in_no_file(directory: Path, tables: Tables) -> None:
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


def test_word_for_an_unnamed_player_is_the_same_in_every_dump(dump: Dump, dumps: Path) -> None:
    again = dump_job.make(dump.month)
    words = set()
    for path in (dumps / again.directory).glob("*.zst"):
        game = read(next(iter(_games(path, "player-")))).game
        assert game is not None
        words.add(game.players[1])
    Player.objects.filter(name="Uma").update(statistics=False)
    third = dump_job.make(dump.month)
    (text,) = _games(next((dumps / third.directory).glob("*.zst")), "player-")
    game = read(text).game
    assert game is not None
    assert game.players[1] in words and game.players[0].startswith("player-")
    assert len(set(game.players)) == 2


def _games(path: Path, word: str) -> list[str]:
    whole = zstd.decompress(path.read_bytes()).decode()
    return [
        f'[Kafu "1"]{game_text}' for game_text in whole.split('[Kafu "1"]') if word in game_text
    ]


def test_manifest_and_checksums_describe_every_file(
    dump: Dump, directory: Path, tables: Tables
) -> None:
    manifest = json.loads((directory / files.MANIFEST).read_text(encoding="utf-8"))
    assert manifest == dump.manifest
    assert manifest["licence"]["id"] == files.LICENCE["id"]
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
        columns = [
            (column["name"], column["type"]) for column in manifest["tables"][name]["columns"]
        ]
        assert [(row[0], row[1]) for row in described] == columns
        about = tables.execute(f"SELECT key, value FROM parquet_kv_metadata('{table.file}')")
        assert (b"licence", b"CC0-1.0") in about.fetchall()
    readme = (directory / files.README).read_text(encoding="utf-8")
    for table in TABLES.values():
        assert table.file in readme
        assert all(f"`{column.name}`" in readme for column in table.columns)


def test_publication_has_the_rows_of_the_dump_and_no_others(
    dump: Dump, directory: Path, public: Path
) -> None:
    manifest = publish()
    assert len(manifest.blocks) > 3
    with open_tables(public) as shown:
        for table in published.TABLES.values():
            columns = ", ".join(f'"{column.name}"' for column in table.columns)
            rows = f"SELECT {columns} FROM '{directory / table.file}'"
            ((different,),) = shown.execute(
                f"SELECT count(*) FROM ((FROM {table.name} EXCEPT ALL {rows}) UNION ALL"
                f" ({rows} EXCEPT ALL FROM {table.name}))"
            ).fetchall()
            assert different == 0
    assert {part.table for part in manifest.parts} == set(TABLES) - {"problems"}
