"""Whose sums there are: of the archive, a player or an event, by house rules and month."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from typing import NamedTuple

from records.base.sums import Tally, only
from records.models.statistics import TOTAL, UNKNOWN, year_of


class Scope(NamedTuple):
    """Whose sums a row has; see `Rollup`. ``player`` is a primary key, 0 for none."""

    ruleset: str
    profile: str
    options: str
    month: int
    player: int = 0
    event: str = ""

    @property
    def key(self) -> str:
        """What `Rollup.key` is made of: the archive's years, and all of its months, sort last."""
        digest = blake2b(json.dumps(self).encode(), digest_size=16).hexdigest()
        return f"{int(self.month < 0 and not self.player and not self.event)}{digest}"

    @property
    def wider(self) -> Iterator[Scope]:
        """Of a month of the archive's its year and all months together. Those of players and
        events are added up later (`records.totals.compaction`).
        """
        if self.player or self.event:
            return
        if self.month != UNKNOWN:
            yield self._replace(month=year_of(self.month))
        yield self._replace(month=TOTAL)


@dataclass(frozen=True, slots=True)
class GameScopes:
    """What decides the scopes of a game; ``players`` are primary keys with the seats they had."""

    ruleset: str
    profile: str
    options: str
    month: int
    event: str
    players: Mapping[int, Sequence[int]]

    def shares(self, sums: Tally) -> Iterator[tuple[Scope, Tally]]:
        """The scopes of its month, with what the game adds to each."""
        house = self.ruleset, self.profile, self.options, self.month
        yield Scope(*house), sums
        for player, seats in self.players.items():
            yield Scope(*house, player=player), only(sums, seats)
        if self.event:
            yield Scope(*house, event=self.event), sums


def month_of(first: date | None, last: date | None) -> int:
    """YYYYMM of a game between two days of one month, YYYY00 of one year, else `UNKNOWN`.

    >>> month_of(date(2026, 2, 1), date(2026, 2, 28))
    202602
    >>> month_of(date(2026, 1, 1), date(2026, 12, 31))
    202600
    """
    if first is None or last is None or first.year != last.year:
        return UNKNOWN
    return first.year * 100 + (first.month if first.month == last.month else 0)
