"""Copies: games with the same first deal, of which one counts (docs/decisions/0029-copies.md).

A copy is a game of its own with another identity, for example the same game without its date, with
a hidden hand, or only its first months. `Record.first_deal` finds the candidates, and `regroup`
compares their known cards. Of a group of copies the best game has ``copy_of`` None; ``copy_of`` of
the other games refers to it.

`regroup` runs in every transaction that stores games or changes their texts or visibility. The
caller locks the records with `candidates`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import Final, NamedTuple

from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce

from kafu.comparing.copies import FirstDeal, fingerprint, read_first_deal
from kafu.notation.reading.reader import read
from kafu.rules.verdict import STATUSES
from records.base.bulk import slices
from records.base.keys import player_key
from records.facts.rows import COUNTED
from records.models import Record, Visibility
from records.privacy.access import ANONYMOUS, Viewer, ownerships_of

#: Maximum number of games with which a game is compared. Only made-up games have more candidates.
MOST_COMPARED: Final = 50
#: Maximum number of copies that a page names.
MOST_NAMED: Final = 20
_BATCH: Final = 500
#: Maximum number of texts in memory.
_TEXTS: Final = 50


def candidates(first_deals: Iterable[int | None]) -> Q:
    """Return the condition for the games that may be copies of games with these fingerprints."""
    return Q(first_deal__in=[deal for deal in first_deals if deal is not None])


class _Row(NamedTuple):
    """The columns of a record that decide which copy counts."""

    pk: int
    first_deal: int
    copy_of_id: int | None
    visibility: int
    status: str
    deals_played: int
    turns_played: int
    date_from: date | None

    @property
    def group(self) -> int:
        """The primary key of the game that counts in the group."""
        return self.copy_of_id or self.pk

    @property
    def rank(self) -> tuple[int, ...]:
        """The rank among copies, the best first: public, verified, complete, dated, oldest."""
        is_counted = self.status in COUNTED and self.deals_played > 0
        return (
            *(-self.visibility, not is_counted, STATUSES.index(self.status)),
            *(-self.deals_played, -self.turns_played, self.date_from is None, self.pk),
        )


def regroup(changed: Iterable[int]) -> bool:
    """Find the copies of changed records, and choose the game that counts in each group.

    Call inside the transaction of the change, with the candidates locked. Return whether a group
    changed.
    """
    first_deals: set[int | None] = set()
    for batch in slices(sorted(changed), _BATCH):
        records = Record.objects.order_by().filter(pk__in=batch)
        first_deals |= set(records.values_list("first_deal", flat=True))
    updates = _find_updates(first_deals, set(changed))
    for copy_of, pks in updates.items():
        for batch in slices(pks, _BATCH):
            Record.objects.filter(pk__in=batch).update(copy_of=copy_of)
    return bool(updates)


def find_wrong() -> Iterator[int]:
    """Yield the records in a wrong group, without changes. Reads all games that may be copies."""
    dealt = Record.objects.order_by().filter(first_deal__isnull=False).values_list("first_deal")
    shared = dealt.annotate(games=Count("pk")).filter(games__gt=1)
    for first_deals in slices(sorted(deal for deal, _count in shared), _BATCH):
        records = Record.objects.order_by().filter(candidates(first_deals))
        updates = _find_updates(first_deals, set(records.values_list("pk", flat=True)))
        for pks in updates.values():
            yield from pks


def _find_updates(
    first_deals: Iterable[int | None], changed: Collection[int]
) -> dict[int | None, list[int]]:
    """Return the records whose ``copy_of`` is wrong, by its right value."""
    rows_by_deal: defaultdict[int, list[_Row]] = defaultdict(list)
    for deals in slices(sorted(deal for deal in first_deals if deal is not None), _BATCH):
        records = Record.objects.order_by().filter(candidates(deals))
        for row in map(_Row._make, records.values_list(*_Row._fields)):
            rows_by_deal[row.first_deal].append(row)
    updates: defaultdict[int | None, list[int]] = defaultdict(list)
    for rows in rows_by_deal.values():
        if len(rows) > 1:
            for group in _group(sorted(rows, key=attrgetter("rank")), changed):
                best = group[0].pk
                for row in group:
                    copy_of = None if row.pk == best else best
                    if row.copy_of_id != copy_of:
                        updates[copy_of].append(row.pk)
    return updates


def _group(rows: Iterable[_Row], changed: Collection[int]) -> Iterable[list[_Row]]:
    """Return the groups of all games with a fingerprint, each sorted by rank like ``rows``.

    A game without a group joins the first group whose best game agrees. Groups never divide: the
    cards of a game cannot change.
    """
    groups: dict[int, list[_Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    single = [key for key, rows in groups.items() if len(rows) == 1 and key in changed]
    if not single or len(groups) == 1:
        return groups.values()
    compared = [*groups][:MOST_COMPARED]
    bests = {key: groups[key][0].pk for key in {*compared, *single}}
    deals = _read_first_deals(bests.values())
    for key in single:
        deal = deals.get(bests[key])
        if deal is None:
            continue
        for other in compared:
            other_deal = deals.get(bests[other])
            if other != key and other in groups and other_deal and deal.agrees(other_deal):
                groups[other] = sorted(groups[other] + groups.pop(key), key=attrgetter("rank"))
                break
    return groups.values()


def _read_first_deals(records: Iterable[int]) -> dict[int, FirstDeal]:
    """Return the first deals of records by primary key."""
    deals = {}
    for batch in slices(list(records), _BATCH):
        texts = Record.objects.order_by().filter(pk__in=batch).values_list("pk", "text")
        for pk, text in texts.iterator(chunk_size=_TEXTS):
            game = read(text).game
            if game is not None and fingerprint(game) is not None:
                deals[pk] = read_first_deal(game, player_key)
    return deals


def find_copies(records: Collection[int], viewer: Viewer) -> Mapping[int, Sequence[str]]:
    """Return the keys of the copies of records that a viewer may find, the best first.

    Like in lists, unlisted games of other senders are left out. Records without copies are missing.
    """
    sought = Record.objects.order_by().filter(pk__in=records, first_deal__isnull=False)
    rows = list(sought.values_list("pk", Coalesce("copy_of", "pk"), "first_deal"))
    groups = {pk: group for pk, group, _first_deal in rows}
    members = Record.objects.exclude(visibility=Visibility.WITHDRAWN).filter(
        candidates(first_deal for _pk, _group, first_deal in rows)
    )
    if not viewer.staff:
        may_find = Q(visibility=Visibility.PUBLIC)
        if viewer.user is not None:
            may_find |= Q(pk__in=ownerships_of(viewer.user).values("record"))
        members = members.filter(may_find)
    keys: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    best_first = members.order_by(F("copy_of").asc(nulls_first=True), "pk")
    for pk, group, key in best_first.values_list("pk", Coalesce("copy_of", "pk"), "key"):
        keys[group].append((pk, key))
    copies = {
        record: [key for pk, key in keys[group] if pk != record][:MOST_NAMED]
        for record, group in groups.items()
    }
    return {record: copy_keys for record, copy_keys in copies.items() if copy_keys}


def state_of(key: str) -> tuple[object, ...]:
    """Return a value that changes whenever the public copies of a game change."""
    pks = list(Record.objects.filter(key=key).values_list("pk", flat=True))
    return tuple(copy for copies in find_copies(pks, ANONYMOUS).values() for copy in copies)
