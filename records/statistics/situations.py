"""Public games with the same situation as a step: the choices there, and the outcomes.

In: a publicly visible situation of a game (`kafu.comparing.situations`), and the degree of match.
Out: counts, means and places, from the fact table ``situations``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import F

from kafu.comparing.situations import FIXED, Aspect, Compared, Match, Meaning, compare_game
from kafu.notation.reading.reader import read
from kafu.rules.rulesets import Unsupported
from records.facts.current import current_snapshot, is_published
from records.facts.refresh import find_due
from records.facts.snapshot import Snapshot
from records.models import Record, Visibility
from records.search.selection import AFTER, BEFORE
from records.statistics.intervals import Estimate, mean, wilson

#: The columns of the key of a situation, and how many of them each match compares.
_KEY: Final = ("key", "stop", "rest")
_COMPARED: Final = {Match.YAKU: 1, Match.VALUE: 2, Match.EXACT: 3}


class ChoiceMade(NamedTuple):
    """One of the choices in a situation.

    ``means`` is the choice in the cards of the query's game, ``cases`` the number of times it was
    made, ``share`` the share of all cases; ``margin`` and ``score`` are the mean outcomes of the
    deal from the situation on, in the small unit.
    """

    number: int
    means: Meaning
    cases: int
    share: Estimate
    margin: Estimate
    score: Estimate


class Place(NamedTuple):
    """An occurrence of a situation: a step of a deal of the game with the primary key ``game``."""

    game: int
    deal: int
    step: int
    choice: int
    margin: int
    score: int

    @property
    def order(self) -> tuple[int, int, int]:
        """The sort key in lists; the newest game and its last deal come first."""
        return self.game, self.deal, self.step


@dataclass(frozen=True, slots=True)
class PlacePage:
    """A page of places, and whether there are places before and behind the page."""

    places: Sequence[Place] = ()
    before: bool = False
    behind: bool = False


@dataclass(frozen=True, slots=True)
class SituationCounts:
    """The choices in a situation, the most frequent first; the numbers of cases and games."""

    choices: tuple[ChoiceMade, ...]
    cases: int
    games: int


@dataclass(frozen=True, slots=True)
class SituationQuery:
    """A query for a situation of a game of a ruleset, with the degree of match."""

    compared: Compared
    ruleset: str
    match: Match
    snapshot: Snapshot

    @property
    def fixed(self) -> tuple[str, ...]:
        """The parts of the situation that are equal in all cases."""
        kind = self.compared.situation.kind
        return FIXED[self.match] if kind is Aspect.DECISION else (kind.name.lower(),)

    @property
    def as_of(self) -> datetime | None:
        """The time up to which games are counted, None if there are none."""
        return self.snapshot.as_of(self.ruleset)

    def count(self) -> SituationCounts:
        """Return the choices in the situation, with counts and means."""
        sql = """
            SELECT
                choice, count(*), count(DISTINCT game),
                sum(margin), sum(margin * margin), sum(score), sum(score * score)
            FROM cases
            GROUP BY GROUPING SETS ((), (choice))
            ORDER BY choice NULLS FIRST
        """
        (_, cases, games, *_sums), *rows = self._fetch(sql)
        choices = [
            ChoiceMade(
                choice,
                self.compared.meaning(choice),
                count,
                wilson(count, cases),
                mean(count, *margins),
                mean(count, *scores),
            )
            for choice, count, _games, *sums in rows
            for margins, scores in [(sums[:2], sums[2:])]
        ]
        choices.sort(key=lambda choice: -choice.cases)
        return SituationCounts(tuple(choices), cases, games)

    def list_places(self, size: int, way: str = AFTER, mark: Sequence[int] = ()) -> PlacePage:
        """Return a page of places before or behind a `Place.order`, by default the first."""
        order, sign = ("ASC", ">") if way == BEFORE and mark else ("DESC", "<")
        beyond = f"WHERE (game, deal, step) {sign} ($game, $deal, $step)" if mark else ""
        sql = f"""
            SELECT game, deal, step, choice, margin, score
            FROM cases {beyond}
            ORDER BY game {order}, deal {order}, step {order}
            LIMIT $size
        """
        marks = dict(zip(("game", "deal", "step"), mark, strict=False))
        rows = self._fetch(sql, size=size + 1, **marks)
        places = [Place(*row) for row in rows[:size]]
        has_more = len(rows) > size
        if order == "ASC":
            return PlacePage(places[::-1], before=has_more, behind=bool(places))
        return PlacePage(places, before=bool(mark) and bool(places), behind=has_more)

    def _fetch(self, sql: str, **values: int) -> list[tuple[Any, ...]]:
        """Return the rows of a query over ``cases``, the rows of the situation."""
        names = _KEY[: _COMPARED[self.match]]
        conditions = " AND ".join(f'"{name}" = ${name}' for name in names)
        source = self.snapshot.source("situations", [self.ruleset])
        cases = f"WITH cases AS (SELECT * FROM {source} WHERE {conditions})"
        key = dict(zip(names, self.compared.situation.key, strict=False))
        with self.snapshot.open_cursor() as cursor:
            return cursor.execute(f"{cases} {sql}", key | values).fetchall()


def query_situation(compared: Compared, ruleset: str, match: Match) -> SituationQuery:
    """Return a query for a situation in the games of the current snapshot."""
    return SituationQuery(compared, ruleset, match, current_snapshot())


def compare_text(text: str) -> list[Compared]:
    """Return the situations of a game by its canonical text.

    The list is empty for a game with rules that this version does not support.
    """
    game = read(text).game
    if game is None:
        return []
    try:
        return compare_game(game)
    except Unsupported:
        return []


def is_complete(ruleset: str) -> bool:
    """Return whether no public game of a ruleset is waiting to be counted.

    A game whose facts are written again, as after an analysis, counts by its old rows meanwhile.
    """
    uncounted = find_due().filter(ruleset=ruleset, facts__lt=F("valid_from"))
    return is_published(ruleset) and not uncounted.exists()


def load_keys(places: Iterable[Place]) -> dict[int, str]:
    """Return the keys of the public games of places, by primary key."""
    games = {place.game for place in places}
    rows = Record.objects.order_by().filter(pk__in=games, visibility=Visibility.PUBLIC)
    return dict(rows.values_list("pk", "key"))
