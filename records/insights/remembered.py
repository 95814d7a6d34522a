"""Columns in the memory of a process, unpacked, as long as the copy does not change; so the sets
of yaku.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Final

import numpy as np

from records.insights.blocks import Array, Block, taken, unpack
from records.insights.following import CopyPoint, point
from records.insights.names import Members, members
from records.models import InsightColumn

#: Bytes that are kept, about.
MOST: Final = 32 << 20
#: Columns that are made when they are read: the places of facts in the order of their players, and
#: these. Who asks about one player does not go through the facts of all.
PLACES: Final = "@places"
PLAYERS: Final = "@players"

#: A ruleset, and the name of a column.
Key = tuple[str, str]
#: A column, part by part.
Parts = list[Array]


class Columns:
    """The columns that were asked for last; thread-safe. ``at`` is how far the copy was when they
    were read.
    """

    def __init__(self) -> None:
        self.at: CopyPoint | None = None
        self.bytes = 0
        self._parts: OrderedDict[Key, Parts] = OrderedDict()
        self._members: Members | None = None
        self._lock = Lock()

    def blocks(self, ruleset: str, names: Collection[str]) -> Sequence[Block]:
        """Some columns of a ruleset, part by part, as the copy is now."""
        at = point()
        found = self._known(at, ruleset, names)
        if missing := set(names) - set(found):
            found |= _read(ruleset, missing)
            if point() != at:  # what was read may be newer than what was known
                return list(_blocks(_read(ruleset, names)))
            self._keep(at, ruleset, {name: found[name] for name in missing})
        return list(_blocks(found))

    def of_player(self, ruleset: str, names: Collection[str], player: int) -> Sequence[Block]:
        """As `blocks`, of each the facts of a player (primary key)."""
        blocks = self.blocks(ruleset, {*names, PLACES, PLAYERS})
        return [taken(one, places_of(player, one.pop(PLACES), one.pop(PLAYERS))) for one in blocks]

    def members(self) -> Members:
        """As `records.insights.names.members`."""
        at = point()
        with self._lock:
            self._turn_to(at)
            found = self._members
        if found is None:
            found = members()
            if point() == at:
                with self._lock:
                    self._members = found if self.at == at else None
        return found

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self.at = None

    def _known(self, at: CopyPoint, ruleset: str, names: Collection[str]) -> dict[str, Parts]:
        with self._lock:
            self._turn_to(at)
            known = {name: self._parts.get((ruleset, name)) for name in names}
            found = {name: parts for name, parts in known.items() if parts is not None}
            for name in found:
                self._parts.move_to_end((ruleset, name))
            return found

    def _turn_to(self, at: CopyPoint) -> None:
        if at != self.at:
            self._parts.clear()
            self.at, self.bytes, self._members = at, 0, None

    def _keep(self, at: CopyPoint, ruleset: str, found: dict[str, Parts]) -> None:
        with self._lock:
            if at != self.at:
                return  # of another thread that was later
            for name, parts in found.items():
                if (ruleset, name) not in self._parts:
                    self._parts[ruleset, name] = parts
                    self.bytes += _size(parts)
            while self.bytes > MOST:
                _key, parts = self._parts.popitem(last=False)
                self.bytes -= _size(parts)


def _size(parts: Parts) -> int:
    return sum(one.nbytes for one in parts)


def _read(ruleset: str, names: Collection[str]) -> dict[str, Parts]:
    """Columns from the database, all as they were at one moment."""
    stored = {"player" if name in (PLACES, PLAYERS) else name for name in names}
    rows = InsightColumn.objects.order_by("name", "part")
    rows = rows.filter(part__ruleset=ruleset, name__in=sorted(stored))
    found: dict[str, Parts] = {name: [] for name in stored}
    found |= {
        name: [unpack(bytes(data)) for _name, data in of_name]
        for name, of_name in groupby(rows.values_list("name", "data"), key=itemgetter(0))
    }
    if PLACES in names or PLAYERS in names:
        pairs = [in_order(players) for players in found["player"]]
        found[PLACES], found[PLAYERS] = ([pair[at] for pair in pairs] for at in (0, 1))
    return {name: found[name] for name in names}


def in_order(players: Array) -> tuple[Array, Array]:
    """The places of numbers in their order, and the numbers in it."""
    places = np.argsort(players, kind="stable")
    return places.astype(np.min_scalar_type(len(players))), players[places]


def places_of(player: int, places: Array, players: Array) -> Array:
    """The places of a number, in order, by what `in_order` says of all."""
    if player > np.iinfo(players.dtype).max:
        return places[:0]
    code = players.dtype.type(player)  # another type would have all of them copied
    return places[players.searchsorted(code) : players.searchsorted(code, "right")]


def _blocks(columns: dict[str, Parts]) -> Iterator[Block]:
    for of_part in zip(*columns.values(), strict=True):
        yield dict(zip(columns, of_part, strict=True))


COLUMNS: Final = Columns()
