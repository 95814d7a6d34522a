"""Checks the sums: computed again from what each game adds, and that from the games, exactly.

All of it in constant memory, whatever the size of the archive: sums that are compared are held in a
temporary database, sums that are rebuilt are written batch by batch.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from records.base.sums import Tally, add_tally, dumps, loads
from records.models import GameTally, Record, Rollup, Standing, Visibility
from records.models.statistics import TOTAL
from records.privacy.redaction import of_archive
from records.store.players import write_players
from records.totals import bests, compaction, ratings, standings
from records.totals.layout import games_and_deals
from records.totals.scopes import Scope
from records.totals.sums_of_games import Totals, apply, game_of, stored
from records.totals.tally import COUNTED, tally

BATCH: Final = 200
#: Games whose sums are added up before a row of sums is written.
MANY: Final = 1000


def missing() -> QuerySet[Record]:
    """Games that should have a row of what they add, and have none: those of an older archive."""
    return Record.objects.filter(status__in=COUNTED, deals_played__gt=0, tallied=None)


def fill() -> Iterator[int]:
    """Create the missing rows, batch by batch; yields how many are done."""
    yield from _rewrite(missing())


def refresh() -> Iterator[int]:
    """Judge all games again and rewrite what each adds; yields how many are done."""
    could = Q(status__in=COUNTED, deals_played__gt=0)
    yield from _rewrite(Record.objects.filter(could | Q(tallied__isnull=False)))


def _rewrite(records: QuerySet[Record]) -> Iterator[int]:
    done = last = 0
    while batch := _texts(records.filter(pk__gt=last)):
        fresh = {pk: (text, verify(read(text), facts=True)) for pk, text in batch}
        with transaction.atomic():
            totals = Totals()
            players = write_players(found.game for _, found in fresh.values() if found.game)
            # In the order of identities, as storing does, so that neither can deadlock the other.
            rows = Record.objects.select_for_update(no_key=True).filter(pk__in=list(fresh))
            same: list[tuple[Record, Verification]] = []
            for record in rows.order_by("identity").defer("verdict", "tags"):
                text, verification = fresh[record.pk]
                if record.text == text:  # else another text arrived meanwhile, and its sums
                    same.append((record, verification))
            totals.drop([record.pk for record, _ in same])
            totals.add((one for one in same if one[1].verdict.identity == one[0].identity), players)
            bests.rewrite(same)
            totals.close()
        last = batch[-1][0]
        done += len(batch)
        yield done


def _texts(records: QuerySet[Record]) -> list[tuple[int, str]]:
    return list(records.order_by("pk").values_list("pk", "text")[:BATCH])


def rebuild() -> Iterator[int]:
    """Rewrite all sums from the rows of the games; yields how many games are added up.

    Transactions that store games wait meanwhile at their end; pages show the old sums.
    """
    for pks in iter(_misflagged, []):
        _set_flags(pks)
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {Rollup._meta.db_table} IN EXCLUSIVE MODE")
        Rollup.objects.filter(compaction.FOLDED).delete()
        Rollup.objects.update(sums={}, games=0, deals=0, version=F("version") + 1)
        Standing.objects.all().delete()
        for done, changes in _rebuilt():
            apply(changes)
            yield done
        ratings.forget()


def _misflagged() -> list[int]:
    public = Q(record__visibility=Visibility.PUBLIC)
    wrong = GameTally.objects.filter(public & Q(counted=False) | ~public & Q(counted=True))
    return list(wrong.order_by("pk").values_list("pk", flat=True)[:BATCH])


def _set_flags(pks: list[int]) -> None:
    """Let games count if they are public, and only then."""
    with transaction.atomic():
        totals = Totals()
        rows = Record.objects.select_for_update(no_key=True).filter(pk__in=pks)
        levels = dict(rows.order_by("identity").values_list("pk", "visibility"))
        for counted in (False, True):
            right = [pk for pk, now in levels.items() if (now == Visibility.PUBLIC) == counted]
            totals.show(right, counted=counted)
        totals.close()


def _rebuilt() -> Iterator[tuple[int, dict[Scope, Tally]]]:
    """All sums, in changes of `MANY` games each, with the number of games so far."""
    totals, done = Totals(), 0
    for game, row in stored(GameTally.objects.filter(counted=True)):
        totals.count(game, row.sums)
        done += 1
        if done % MANY == 0:
            yield done, totals.changes()
            totals = Totals()
    yield done, totals.changes()


# Differences --------------------------------------------------------------------------------------


def differences(*, replay: bool = False) -> Iterator[str]:
    """Each difference found, as a text. Changes nothing.

    ``replay``: what each game adds is compared with its text, judged again.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        lacking = missing()
        if count := lacking.count():
            yield f"games whose sums are missing: {count}, the first {lacking.order_by('pk')[0]}"
        yield from _rows(replay=replay)
        with closing(_Shadow()) as shadow:
            for _, changes in _rebuilt():
                shadow.add(changes)
            yield from _rollups(shadow)
        yield from standings.differences()
        yield from ratings.differences()


def _rows(*, replay: bool) -> Iterator[str]:
    pks = GameTally.objects.order_by("pk").values_list("pk", flat=True)
    last, known = 0, of_archive()
    while batch := list(pks.filter(pk__gt=last)[:BATCH]):
        last = batch[-1]
        rows = GameTally.objects.filter(pk__in=batch).order_by("pk").select_related("record")
        for row in rows.defer("record__verdict", "record__tags"):
            record = row.record
            public = record.visibility == Visibility.PUBLIC
            if row.counted != (public and record.status in COUNTED):
                yield f"game {record}: counted: {row.counted}, but it is {record.status}"
            game = game_of(record, {}, known.event_key(record.event))
            if (row.month, row.event) != (game.month, game.event):
                yield f"game {record}: of {row.month} {row.event!r}, is {game.month} {game.event!r}"
            if replay:
                expected = tally(verify(read(record.text), facts=True))
                yield from _unlike(f"game {record}", row.sums, expected)


def _rollups(shadow: _Shadow) -> Iterator[str]:
    for title, have, want in compaction.differences(_title):
        yield from _unlike(title, have, want)
    rows = Rollup.objects.exclude(compaction.FOLDED).order_by("pk")
    for row in rows.iterator(chunk_size=BATCH):
        yield from _unlike(_title(row), row.sums, shadow.take(row.key))
        if (row.games, row.deals) != (due := games_and_deals(row.sums)):
            yield f"{_title(row)}: games and deals {row.games}, {row.deals} should be {due}"
        scope = Scope(
            *(row.ruleset, row.profile, row.options, row.month, row.player_id or 0, row.event)
        )
        if scope.key != row.key:
            yield f"{_title(row)}: its key is another's"
    for left, sums in shadow.rest():
        yield from _unlike(f"sums that are missing, {left}", {}, sums)


def _unlike(title: str, have: Tally, want: Tally) -> Iterator[str]:
    change: Tally = {}
    add_tally(change, want)
    add_tally(change, have, -1)
    for place, sums in sorted(change.items()):
        for figure, rows in sorted(sums.items()):
            for key in sorted(rows):
                is_, due = (one.get(place, {}).get(figure, {}).get(key) for one in (have, want))
                yield f"{title}: place {place}, {figure} {key}: {is_} should be {due}"


def _title(row: Rollup) -> str:
    owner = f"player {row.player_id}" if row.player_id else row.event and f"event {row.event!r}"
    when = "all months" if row.month == TOTAL else f"month {row.month}"
    if row.month < TOTAL:
        when = f"year {-row.month // 100}"
    house = " ".join(filter(None, (row.ruleset, row.profile, row.options)))
    return f"sums of {owner or 'the archive'}, {house}, {when}"


class _Shadow:
    """Sums by the keys of their rows, in a temporary SQLite database that ends with its
    connection.
    """

    def __init__(self) -> None:
        self.rows = sqlite3.connect("", isolation_level=None)
        self.rows.execute("PRAGMA journal_mode = OFF")
        self.rows.execute("CREATE TABLE kept (key TEXT PRIMARY KEY, scope TEXT, sums TEXT)")

    def close(self) -> None:
        """Discard it all."""
        self.rows.close()

    def add(self, changes: dict[Scope, Tally]) -> None:
        """Add changes as `records.totals.sums_of_games.apply` does."""
        for scope, change in changes.items():
            sums = self._find(scope.key)
            add_tally(sums, change)
            row = scope.key, json.dumps(scope, ensure_ascii=False), dumps(sums)
            self.rows.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", row)

    def take(self, key: str) -> Tally:
        """Remove and return the sums of a key; empty if it is missing."""
        sums = self._find(key)
        self.rows.execute("DELETE FROM kept WHERE key = ?", (key,))
        return sums

    def rest(self) -> Iterator[tuple[str, Tally]]:
        """What is left: scope and sums."""
        for scope, sums in self.rows.execute("SELECT scope, sums FROM kept ORDER BY key"):
            yield scope, loads(sums)

    def _find(self, key: str) -> Any:
        found = self.rows.execute("SELECT sums FROM kept WHERE key = ?", (key,)).fetchone()
        return loads(found[0]) if found else {}
