"""The sums over many games, kept exact: whoever writes games writes the changes of sums here.

A transaction that writes games opens `Totals`, reports to it what it stores and removes, and closes
it last of all, when it has every other lock that it needs. Only then are rows locked here, those of
`records.totals.standings` first. Then those of sums: missing ones are inserted first, then all of
them locked, both in the order of their keys. A transaction that waits in the first part holds no
row that another needs in the second, and the sums of the whole archive, which everybody writes,
come last and are locked for the shortest time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from kafu.judging.verify import Verification
from records.base.bulk import insert_new, insert_rows, update_rows
from records.base.keys import player_key
from records.base.sums import Tally, add_tally
from records.models import GameTally, Record, Rollup, Seat, Visibility
from records.models.statistics import packed_sums
from records.privacy.redaction import of_archive
from records.totals.layout import games_and_deals
from records.totals.scopes import GameScopes, Scope, month_of
from records.totals.tally import tally

#: Rows in memory at once: a row of sums can take some hundred kB there.
BATCH: Final = 50
#: Rows that are inserted or locked together: of these all but one are packed.
PACKED: Final = 200


class Totals:
    """The changes of a transaction, until it is closed.

    Existing records must be locked. `drop` and `show` read the rows as they are: call them before
    these are written.
    """

    def __init__(self) -> None:
        self._fresh: list[tuple[int, bytes, int, str, bool]] = []
        self._changes: defaultdict[Scope, list[tuple[Tally, int]]] = defaultdict(list)
        self._months: dict[str, int] = {}

    def add(self, games: Iterable[tuple[Record, Verification]], players: Mapping[str, int]) -> None:
        """Add games that have no row yet; ``players``: primary keys by `player_key`."""
        known = of_archive()
        for record, verification in games:
            sums = tally(verification)
            if not sums:
                continue
            assert verification.game is not None
            seats: dict[int, list[int]] = defaultdict(list)
            for number, name in enumerate(verification.game.players, start=1):
                seats[players[player_key(name)]].append(number)
            game = game_of(record, seats, known.event_key(record.event))
            counted = record.visibility == Visibility.PUBLIC
            self._fresh.append((record.pk, packed_sums(sums), game.month, game.event, counted))
            if counted:
                self._change(game, sums, 1)

    def drop(self, records: Collection[int]) -> None:
        """Remove games that are written again, or that cannot count any more."""
        rows = GameTally.objects.filter(pk__in=list(records))
        for game, row in stored(rows.filter(counted=True)):
            self._change(game, row.sums, -1)
        rows.delete()

    def show(self, records: Collection[int], *, counted: bool) -> None:
        """Add or remove games as they become public or cease to be."""
        rows = GameTally.objects.filter(pk__in=list(records), counted=not counted)
        for game, row in stored(rows):
            self._change(game, row.sums, 1 if counted else -1)
        rows.update(counted=counted)

    def name_events(self, events: Mapping[int, str]) -> None:
        """Set the names of the events of games, by primary keys."""
        rows = GameTally.objects.filter(pk__in=list(events))
        for game, row in stored(rows.filter(counted=True)):
            other = replace(game, event=events[row.pk])
            for one, times in ((game, -1), (other, 1)):
                for scope, part in one.shares(row.sums):
                    if scope.event:
                        self._changes[scope].append((part, times))
        for event in set(events.values()):
            rows.filter(pk__in=[pk for pk in events if events[pk] == event]).update(event=event)

    def close(self) -> None:
        """Write all changes. To be called last in a transaction: see above."""
        columns = ("record_id", "sums", "month", "event", "counted")
        if self._fresh:
            insert_rows(GameTally, columns, self._fresh)
        apply(self.changes())

    def count(self, game: GameScopes, sums: Tally) -> None:
        """Add a game that has its row, for sums that are rebuilt."""
        self._change(game, sums, 1)

    def changes(self) -> dict[Scope, Tally]:
        """The changes by scope: wider sums too, where those of a month change."""
        found: dict[Scope, Tally] = {}
        for scope, parts in self._changes.items():
            if change := _sum(parts):
                found[scope] = change
        for scope in list(found):
            # The scopes exist even if nothing is added: a question that reads single games, those
            # of a day or a seat, is identified by their versions.
            for wider in scope.wider:
                add_tally(found.setdefault(wider, {}), found[scope])
        return found

    def _change(self, game: GameScopes, sums: Tally, times: int) -> None:
        if game.month % 100:  # only those dated to the month are rated
            earliest = self._months.get(game.ruleset, game.month)
            self._months[game.ruleset] = min(earliest, game.month)
        for scope, part in game.shares(sums):
            self._changes[scope].append((part, times))


def _sum(parts: Sequence[tuple[Tally, int]]) -> Tally:
    if len(parts) == 1 and parts[0][1] == 1:
        return parts[0][0]
    whole: Tally = {}
    for part, times in parts:
        add_tally(whole, part, times)
    return whole


def stored(rows: QuerySet[GameTally]) -> Iterator[tuple[GameScopes, GameTally]]:
    """Rows with what decides their scopes, some hundreds at a time."""
    wide = rows.select_related("record").only(
        *("sums", "month", "event", "counted"),
        *(f"record__{name}" for name in ("ruleset", "profile", "options", "visibility")),
    )
    last = 0
    while batch := list(wide.filter(pk__gt=last).order_by("pk")[:BATCH]):
        seats: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        sat = Seat.objects.order_by("record", "number").filter(record__in=[r.pk for r in batch])
        for pk, number, player in sat.values_list("record", "number", "player"):
            seats[pk][player].append(number)
        for row in batch:
            record = row.record
            house = record.ruleset, record.profile, record.options
            yield GameScopes(*house, row.month, row.event, seats[row.pk]), row
        last = batch[-1].pk


def game_of(record: Record, players: Mapping[int, Sequence[int]], event: str) -> GameScopes:
    """The scopes of a record that is filled; ``event`` as `Listing.event`."""
    house = record.ruleset, record.profile, record.options
    month = month_of(record.date_from, record.date_to)
    return GameScopes(*house, month, event, players)


def apply(changes: Mapping[Scope, Tally]) -> None:
    """Add changes to the rows of sums, one version on, and to the standings of players."""
    scopes = dict(sorted((scope.key, scope) for scope in changes))
    keys = list(scopes)
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    written: dict[str, int] = {}
    for part in _parts(keys):
        there = set(Rollup.objects.filter(key__in=part).values_list("key", flat=True))
        missing = [key for key in part if key not in there]
        written |= insert_new(
            Rollup,
            _COLUMNS,
            [(key, *_of(scopes[key]), *_summed(changes[scopes[key]]), 1, now) for key in missing],
            "key",
        )
    for wanted in _parts([key for key in keys if key not in written]):
        locked = Rollup.objects.select_for_update(no_key=True).filter(key__in=wanted)
        rows = []
        for pk, key, sums, version in locked.order_by("key").values_list(*_LOCKED):
            add_tally(sums, changes[scopes[key]])
            rows.append((*_summed(sums), version + 1, now, pk))
        update_rows(Rollup, _CHANGED, rows)


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[start : start + PACKED] for start in range(0, len(keys), PACKED))


_CHANGED: Final = ("sums", "games", "deals", "version", "changed")
_COLUMNS: Final = (
    *("key", "ruleset", "profile", "options", "month", "player_id", "event"),
    *_CHANGED,
)
_LOCKED: Final = ("pk", "key", "sums", "version")


def _summed(sums: Tally) -> tuple[object, ...]:
    """Sums as columns."""
    return packed_sums(sums), *games_and_deals(sums)


def _of(scope: Scope) -> tuple[object, ...]:
    """A scope as columns."""
    return *scope[:4], scope.player or None, scope.event
