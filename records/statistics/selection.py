"""The rows of fact tables that a query counts, as SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final

import duckdb

from kafu.rules.rulesets import RULESETS
from records.base.keys import player_key
from records.facts.current import current_snapshot
from records.facts.snapshot import Snapshot
from records.facts.tables import TABLES
from records.models import EventName, Player
from records.privacy.redaction import archive_redaction
from records.search.filters import profiles
from records.statistics.questions import Question

_PARAMETER: Final = re.compile(r"\$([a-z_0-9]+)")
_HAS_PLAYER: Final = "list_contains(string_split(players, ' '), ${name}::VARCHAR)"
#: Bounds of all months.
_FIRST_MONTH: Final = 101
_LAST_MONTH: Final = 999_912
#: Parts of a piece of a split table.
_PARTS: Final = 4
#: The name of the table of payments as a whole, with a row for all payers and receivers.
LINES: Final = "lines"
#: The name of the table of a seat with each other seat, the ``payer`` of an ``amount``. Of two
#: seats at least one is in play; ``playing`` has the payer alone.
PAIRS: Final = "pairs"
#: Each text of balances is split once: there are far fewer texts than seats.
_PAIRED: Final = """
    (WITH texts AS (
        SELECT DISTINCT balances, turn_order, string_split(balances, ' ')::BIGINT[] AS amounts
        FROM {seats} WHERE balances IS NOT NULL
    ), amounts AS (
        SELECT *, unnest(range(1, 1 + array_length(amounts))) AS payer FROM texts
    ), payers AS (
        SELECT balances, turn_order, payer, amounts[payer] AS amount,
            list_position(string_split(turn_order, ' '), payer::VARCHAR) AS payer_place
        FROM amounts
    )
    SELECT * REPLACE ((1 << (payer - 1))::SMALLINT AS playing)
    FROM {seats} JOIN payers USING (balances, turn_order)
    WHERE payer <> seat AND (place > 0 OR payer_place > 0))
"""
#: The condition for seats in play in deals that could be won.
PLAYED: Final = "scored AND place > 0"


@dataclass(frozen=True)
class Selection:
    """The rows of a query: its games, and in tables with seats the matching seats.

    A query about a player or an opponent without games selects nothing.
    """

    question: Question
    snapshot: Snapshot = field(default_factory=current_snapshot)

    @cached_property
    def players(self) -> Sequence[int | None]:
        """The primary keys of the query's player and opponent, None for an unknown name."""
        names = [name for name in (self.question.player, self.question.opponent) if name]
        keys = [player_key(name) for name in names]
        pks = dict(Player.objects.filter(key__in=keys).values_list("key", "pk")) if keys else {}
        return [pks.get(key) for key in keys]

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """The values of the conditions, by name."""
        question = self.question
        values: dict[str, Any] = {
            "profile": question.profile,
            "seat": question.seat,
            "first": question.month_from or _FIRST_MONTH,
            "last": question.month_to or _LAST_MONTH,
            "events": _find_events(question.event) if question.event else [],
            **dict(zip(("player", "opponent"), self.players, strict=False)),
        }
        for number, (name, value) in enumerate(sorted(question.options.items())):
            values[f"word_{number}"] = f"{name}={value}"
            values[f"name_{number}"] = f"{name}="
            values[f"houses_{number}"] = _houses_with(question.ruleset, name, value)
        return values

    @cached_property
    def stamp(self) -> str:
        """A hash that changes whenever the selected rows may have changed."""
        rows = replace(self.question, own={}, games_min=0), self.parameters
        return blake2b(
            repr((self.snapshot.key_of(self.question.ruleset), rows)).encode(), digest_size=16
        ).hexdigest()

    def rows(self, table: str) -> str:
        """Return a parenthesised SELECT of the counted rows of a table.

        The table `LINES` has the payments as a whole, the table `PAIRS` pairs of seats.
        """
        return self._select(table, self.snapshot)

    def split_rows(self, table: str) -> Iterator[str]:
        """Yield the SELECT of `rows` in pieces of a few parts, each game in exactly one piece."""
        for snapshot in self.snapshot.split(self._rulesets, _PARTS):
            yield self._select(table, snapshot)

    def _select(self, table: str, snapshot: Snapshot) -> str:
        if table == PAIRS:
            return _PAIRED.format(seats=self._select("seats", snapshot))
        conditions = [*self._game_conditions]
        if table == LINES:
            table = "payments"
            conditions += [*self._table_conditions, "seat = 0"]
        elif any(column.name == "seat" for column in TABLES[table].columns):
            conditions += self._seat_conditions
        else:
            conditions += self._table_conditions
        if self.question.last:
            conditions.append(f"game IN ({self._last_games})")
        where = " AND ".join(conditions) or "true"
        return f"(SELECT * FROM {snapshot.source(table, self._rulesets)} WHERE {where})"

    def fetch(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a query over `rows` and return its rows; ``$name`` stands for the value ``name``.

        Raises `records.facts.database.QueryTimeout`.
        """
        with self.snapshot.open_cursor() as cursor:
            return self.execute(cursor, sql, **values)

    def execute(
        self, cursor: duckdb.DuckDBPyConnection, sql: str, **values: Any
    ) -> list[tuple[Any, ...]]:
        """Run a query like `fetch`, on a cursor of the selection's snapshot."""
        values = {**self.parameters, **values}
        used = {name: values[name] for name in _PARAMETER.findall(sql)}
        return cursor.execute(sql, used or None).fetchall()

    @property
    def _rulesets(self) -> Sequence[str]:
        return [self.question.ruleset] if self.question.ruleset else list(RULESETS)

    @cached_property
    def _game_conditions(self) -> Sequence[str]:
        question = self.question
        conditions = []
        if None in self.players:
            conditions.append("false")
        if question.profile:
            conditions.append("profile = $profile")
        for number in range(len(question.options)):
            # A record without the option has the default of its house.
            conditions.append(
                f"(list_contains(string_split(options, ' '), $word_{number})"
                f" OR (NOT contains(' ' || options, ' ' || $name_{number})"
                f" AND list_contains($houses_{number}, profile)))"
            )
        if question.event:
            conditions.append("list_contains($events, event)")
        if question.month_from or question.month_to:
            # A game dated only by its year may have been played in any month of the year.
            conditions.append("(played BETWEEN $first AND $last OR played = $first // 100 * 100)")
        if question.opponent:
            conditions.append(_HAS_PLAYER.format(name="opponent"))
        return conditions

    @cached_property
    def _seat_conditions(self) -> Sequence[str]:
        question = self.question
        conditions = ["seat > 0"]
        if question.player:
            conditions.append("player = $player")
        if question.seat:
            conditions.append("seat = $seat")
        return conditions

    @cached_property
    def _table_conditions(self) -> Sequence[str]:
        question = self.question
        if not question.player:
            return []
        if question.seat:
            return ["string_split(players, ' ')[$seat] = $player::VARCHAR"]
        return [_HAS_PLAYER.format(name="player")]

    @property
    def _last_games(self) -> str:
        conditions = [*self._game_conditions, *self._table_conditions]
        return (
            f"SELECT game FROM {self.snapshot.source('games', self._rulesets)}"
            f" WHERE {' AND '.join(conditions) or 'true'}"
            f" ORDER BY coalesce(day, 0) DESC, game DESC LIMIT {int(self.question.last)}"
        )


def find_unnamed_players() -> list[int]:
    """Return the primary keys of the players who have opted out of statistics."""
    return list(Player.objects.order_by().filter(statistics=False).values_list("pk", flat=True))


def _find_events(beginning: str) -> list[int]:
    """Return the ids of the events whose display name begins with a folded text."""
    redaction = archive_redaction()
    names = EventName.objects.order_by("pk").values_list("pk", "text")
    return [pk for pk, text in names if redaction.event_key(text).startswith(beginning)]


def _houses_with(ruleset: str, name: str, value: str) -> list[str]:
    """Return the house rules with the given default of an option."""
    return [
        profile
        for profile in profiles(ruleset)
        if RULESETS[ruleset].defaults(profile)[name] == value
    ]
