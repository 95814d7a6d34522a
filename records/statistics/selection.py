"""The rows of fact tables that a query counts, as SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import duckdb

from kafu.rules.rulesets import RULESETS, ruleset
from records.base.keys import player_key
from records.facts.snapshot import Snapshot, current_snapshot
from records.facts.tables import TABLES
from records.models import EventName, Player
from records.privacy.redaction import of_archive
from records.search.filters import profiles
from records.statistics.questions import Question

_PARAMETER: Final = re.compile(r"\$([a-z_0-9]+)")
#: Bounds of all months.
_FIRST_MONTH: Final = 101
_LAST_MONTH: Final = 999_912
_SEAT_COLUMN: Final = "seat"


@dataclass(frozen=True)
class Selection:
    """The games of a query, and of these the seats that it is about.

    ``player`` and ``opponent`` are primary keys, None where the query names none. A query for a
    player without games selects nothing.
    """

    question: Question
    snapshot: Snapshot = field(default_factory=current_snapshot)
    more: tuple[str, ...] = ()

    @cached_property
    def players(self) -> Sequence[int | None]:
        """The primary keys of the player and the opponent that the query names, None if unknown."""
        names = [name for name in (self.question.player, self.question.opponent) if name]
        keys = [player_key(name) for name in names]
        known = dict(Player.objects.filter(key__in=keys).values_list("key", "pk"))
        return [known.get(key) for key in keys]

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

    def rows(self, table: str) -> str:
        """Return a parenthesised SELECT of the rows of a table that the query counts."""
        rulesets = [self.question.ruleset] if self.question.ruleset else list(RULESETS)
        conditions = [*self._game_conditions, *self.more]
        names = {column.name for column in TABLES[table].columns}
        conditions += self._seat_conditions if _SEAT_COLUMN in names else self._table_conditions
        if self.question.last:
            conditions.append(f"game IN ({self._last_games})")
        where = " AND ".join(conditions) or "true"
        return f"(SELECT * FROM {self.snapshot.source(table, rulesets)} WHERE {where})"

    def lines(self) -> str:
        """Return a parenthesised SELECT of the payments as a whole, whoever paid or received."""
        selection = Selection(self.question, self.snapshot, self.more)
        conditions = [*self._game_conditions, *self._table_conditions, "seat = 0"]
        if self.question.last:
            conditions.append(f"game IN ({self._last_games})")
        rulesets = [self.question.ruleset] if self.question.ruleset else list(RULESETS)
        source = selection.snapshot.source("payments", rulesets)
        return f"(SELECT * FROM {source} WHERE {' AND '.join(conditions)})"

    def fetch(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a query over `rows` and return its rows. ``$name`` takes a value by its name.

        Raises `records.facts.database.QueryTimeout`.
        """
        with self.snapshot.open_cursor() as cursor:
            return self.execute(cursor, sql, **values)

    def execute(
        self, cursor: duckdb.DuckDBPyConnection, sql: str, **values: Any
    ) -> list[tuple[Any, ...]]:
        """Like `fetch`, on a cursor of the selection's snapshot."""
        known = {**self.parameters, **values}
        used = {name: known[name] for name in _PARAMETER.findall(sql)}
        return cursor.execute(sql, used or None).fetchall()

    @cached_property
    def _game_conditions(self) -> Sequence[str]:
        question, found = self.question, []
        if None in self.players:
            found.append("false")
        if question.profile:
            found.append("profile = $profile")
        for number in range(len(question.options)):
            # An option that the record leaves out has the default of its house.
            found.append(
                f"(list_contains(string_split(options, ' '), $word_{number})"
                f" OR (NOT list_bool_or(list_transform(string_split(options, ' '),"
                f" lambda word: starts_with(word, $name_{number})))"
                f" AND list_contains($houses_{number}, profile)))"
            )
        if question.event:
            found.append("list_contains($events, event)")
        if question.month_from or question.month_to:
            # A game of which only the year is known may have been played in any of its months.
            found.append("(played BETWEEN $first AND $last OR played = $first // 100 * 100)")
        if question.opponent:
            found.append("list_contains(players, $opponent)")
        return found

    @cached_property
    def _seat_conditions(self) -> Sequence[str]:
        question = self.question
        found = ["seat > 0"]
        if question.player:
            found.append("player = $player")
        if question.seat:
            found.append("seat = $seat")
        return found

    @cached_property
    def _table_conditions(self) -> Sequence[str]:
        question = self.question
        if not question.player:
            return []
        if question.seat:
            return ["players[$seat] = $player"]
        return ["list_contains(players, $player)"]

    @property
    def _last_games(self) -> str:
        rulesets = [self.question.ruleset] if self.question.ruleset else list(RULESETS)
        conditions = [*self._game_conditions, *self._table_conditions]
        return (
            f"SELECT game FROM {self.snapshot.source('games', rulesets)}"
            f" WHERE {' AND '.join(conditions) or 'true'}"
            f" ORDER BY coalesce(day, 0) DESC, game DESC LIMIT {int(self.question.last)}"
        )


def _find_events(beginning: str) -> list[int]:
    """Return the ids of the names of events whose shown form begins so (folded)."""
    known = of_archive()
    names = EventName.objects.order_by().values_list("pk", "text")
    return [pk for pk, text in names if known.event_key(text).startswith(beginning)]


def _houses_with(rules: str, name: str, value: str) -> list[str]:
    """Return the house rules in which an option has a value by default."""
    return [house for house in profiles(rules) if ruleset(rules).defaults(house)[name] == value]
