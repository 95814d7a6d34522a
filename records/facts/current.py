"""The present snapshot: the parts that count, without games left out.

Hidden games, copies and rows of an earlier revision are left out immediately. New parts
appear after at most `settings.FACTS_SECONDS`, so that responses can be cached while new games
arrive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from hashlib import blake2b
from threading import Lock
from typing import Final, TypeVar

from django.conf import settings
from django.db.models import F, Max, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from records.facts.cluster_snapshot import ClusterSnapshot
from records.facts.snapshot import Snapshot
from records.facts.tables import FORM
from records.models import FactPart, Record, StaleFacts, Visibility
from records.privacy import revisions

#: Records with rows in a part that do not count: hidden records, copies, or wrong rows.
VOID: Final = Record.objects.order_by().filter(
    ~Q(visibility=Visibility.PUBLIC) | Q(copy_of__isnull=False) | Q(facts__lt=F("valid_from")),
    facts__gte=0,
)
_HELD: Final[ContextVar[Snapshot | None]] = ContextVar("snapshot", default=None)
#: A part: ruleset, name, tables and time. Rows that do not count: ruleset, game and revision.
_Part = tuple[str, str, frozenset[str], datetime]
_LeftOut = tuple[str, int, int]
#: A part or rows in the keys of snapshots, the ruleset first.
_Content = tuple[str, str] | _LeftOut
_Row = TypeVar("_Row")


class SnapshotReader:
    """A reader of snapshots that retains the rows it has read.

    A later snapshot costs the primary keys of parts and stale rows, and the new rows. The keys of
    snapshots are sums of hashes: only the hashes of changed parts and games are computed.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._parts: dict[int, _Part] = {}
        self._stale: dict[int, _LeftOut] = {}
        self._void: set[_LeftOut] = set()
        self._left_out: set[_LeftOut] = set()
        self._sums: Counter[str] = Counter()
        self._snapshot = Snapshot((), (), {})

    def read(self, newest: int) -> Snapshot:
        """Return the snapshot of the parts up to a primary key."""
        with self._lock:
            # Parts are read first: a game that is replaced meanwhile is missing for a moment, and
            # never counted twice.
            added, removed = _find_changes(self._parts, _list_parts(newest), _read_parts)
            # Rows of hidden games become stale rows when facts are compacted, never the other way
            # round.
            void = set(VOID.values_list("ruleset", "pk", "facts"))
            fresh, gone = _find_changes(self._stale, _list_stale(newest), _read_stale)
            # From here on nothing can fail and leave a part of a change.
            parts, left_out = self._snapshot.parts, self._snapshot.left_out
            if added or removed:
                dropped = [self._parts.pop(pk) for pk in removed]
                self._parts |= added
                self._add_up((part[:2] for part in added.values()), (part[:2] for part in dropped))
                parts = tuple(part for _pk, part in sorted(self._parts.items()))
            if fresh or gone or void != self._void:
                for pk in gone:
                    del self._stale[pk]
                self._stale |= fresh
                counted, self._void = self._left_out, void
                self._left_out = {*void, *self._stale.values()}
                self._add_up(self._left_out - counted, counted - self._left_out)
                left_out = tuple(sorted(self._left_out))
            keys = {ruleset: f"{total:x}" for ruleset, total in self._sums.items() if total}
            self._snapshot = Snapshot(parts, left_out, keys)
            return self._snapshot

    def _add_up(self, added: Iterable[_Content], removed: Iterable[_Content]) -> None:
        """Update the sums of hashes by ruleset, and with the name "" of all."""
        for sign, contents in ((1, added), (-1, removed)):
            for content in contents:
                digest = blake2b(repr(content).encode(), digest_size=12).digest()
                for name in ("", content[0]):
                    self._sums[name] += sign * int.from_bytes(digest)


def _find_changes(
    retained: Mapping[int, _Row],
    pks: Collection[int],
    read: Callable[[int], Iterator[tuple[int, _Row]]],
) -> tuple[dict[int, _Row], set[int]]:
    """Return the rows of primary keys that are not retained, and the other retained keys.

    ``read(pk)`` yields the rows from a primary key on.
    """
    present = set(pks)
    missing = present - retained.keys()
    rows = read(min(missing)) if missing else ()
    return {pk: row for pk, row in rows if pk in missing}, retained.keys() - present


def _list_parts(newest: int) -> list[int]:
    """Return the primary keys of the live parts up to a primary key."""
    is_live = Q(dropped=None) | Q(merged_into__gt=newest)
    live = FactPart.objects.order_by().filter(is_live, form=FORM, pk__lte=newest)
    return list(live.values_list("pk", flat=True))


def _read_parts(first: int) -> Iterator[tuple[int, _Part]]:
    """Yield all parts from a primary key on, also those merged since `_list_parts`."""
    columns = "pk", "ruleset", "name", "rows", "created"
    parts = FactPart.objects.order_by().filter(pk__gte=first).values_list(*columns)
    for pk, ruleset, name, tables, created in parts:
        yield pk, (ruleset, name, frozenset(tables), created)


def _list_stale(newest: int) -> list[int]:
    """Return the primary keys of stale rows that newer rows in parts up to a key replaced."""
    is_replaced = Q(replaced_by=None) | Q(replaced_by__lte=newest)
    stale = StaleFacts.objects.order_by().filter(is_replaced)
    return list(stale.values_list("pk", flat=True))


def _read_stale(first: int) -> Iterator[tuple[int, _LeftOut]]:
    """Yield ruleset, game and revision of stale rows from a primary key on.

    The ruleset of a game that was removed from the archive is "".
    """
    rulesets = Record.objects.order_by().filter(pk=OuterRef("game")).values("ruleset")
    stale = StaleFacts.objects.order_by().filter(pk__gte=first)
    stale = stale.annotate(ruleset=Coalesce(Subquery(rulesets), Value("")))
    for pk, ruleset, game, revision in stale.values_list("pk", "ruleset", "game", "revision"):
        yield pk, (ruleset, game, revision)


class _Last:
    """The last snapshot of the process, with archive version and newest part, and its reader."""

    reader: Final = SnapshotReader()
    snapshot: tuple[tuple[revisions.Version, int], Snapshot] | None = None


@contextmanager
def hold_snapshot() -> Iterator[None]:
    """Make all queries of a response use the same snapshot."""
    token = _HELD.set(current_snapshot())
    try:
        yield
    finally:
        _HELD.reset(token)


def current_snapshot() -> Snapshot:
    """Return the held snapshot, or the current one."""
    held = _HELD.get()
    if held is not None:
        return held
    newest = _find_published()
    if not settings.FACTS_SECONDS:
        return _for_statistics(read_snapshot(newest))
    # Every transaction with hidden games or new facts advances this number.
    made_at = revisions.current(), newest
    last = _Last.snapshot
    if last is None or last[0] != made_at:
        last = _Last.snapshot = made_at, _for_statistics(_Last.reader.read(newest))
    return last[1]


def _for_statistics(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot for the engine of `HANA_STATISTICS_URL`."""
    if settings.STATISTICS is None:
        return snapshot
    return ClusterSnapshot(snapshot.parts, snapshot.left_out, snapshot.keys)


def read_snapshot(newest: int) -> Snapshot:
    """Return the snapshot of the parts up to a primary key."""
    return SnapshotReader().read(newest)


def is_published(ruleset: str) -> bool:
    """Return whether the newest part of a ruleset counts."""
    parts = FactPart.objects.filter(ruleset=ruleset)
    return not parts.filter(created__gte=revisions.facts_until()).exists()


def _find_published() -> int:
    """Return the primary key of the newest part that counts."""
    parts = FactPart.objects.filter(created__lt=revisions.facts_until())
    newest: int | None = parts.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def find_newest() -> int:
    """Return the primary key of the newest part, 0 without any."""
    newest: int | None = FactPart.objects.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def count_left_out() -> int:
    """Return the number of games with rows in parts that do not count."""
    return VOID.count() + StaleFacts.objects.filter(dropped=None).count()
