"""Changes of public games in a transaction, for the standings of players and for ratings."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from records.facts.rows import month_of
from records.totals import ratings, standings


class Totals:
    """The changes of a transaction, until it is closed.

    The records must be locked. Close it last of all, when the transaction has every other lock that
    it needs: a transaction that waits before holds no standing that another one needs.
    """

    def __init__(self) -> None:
        self._standings: standings.Numbers = {}
        self._months: dict[str, int] = {}

    def remove(self, records: Collection[int]) -> None:
        """Remove those of the records that count, before their rows change."""
        self._add(records, -1)

    def add(self, records: Collection[int]) -> None:
        """Add those of the records that count, after their rows changed."""
        self._add(records, 1)

    def close(self) -> None:
        """Write all changes."""
        ratings.changed(self._months)
        standings.apply(self._standings)

    def _add(self, records: Collection[int], times: int) -> None:
        games = standings.COUNTED_GAMES.filter(pk__in=list(records))
        standings.add_numbers(self._standings, standings.compute_numbers(games), times)
        dated = games.filter(day_from__gt=0).values_list("ruleset", "day_from", "day_to")
        for ruleset, first, last in dated.distinct():
            month = month_of(date.fromordinal(first), date.fromordinal(last)) or 0
            if month % 100:  # Only games dated to the month are rated.
                self._months[ruleset] = min(self._months.get(ruleset, month), month)
