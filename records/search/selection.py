"""Games by their properties, in the requested order: filters, sorts, and places of pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from django.db import connection
from django.db.models import (
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
)
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from kafu.rules.rulesets import RULESETS
from records.base.keys import feature_key, fold, player_key
from records.models import NO_SCORE, ListedFeature, Listing, Player, Seat, Status, Visibility
from records.privacy.access import ownerships_of

#: The columns of each sort, in one direction, the last unique. Games without a date or a final sum
#: come last in ``played`` and ``score``.
SORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "newest": ("-record_id",),
    "oldest": ("record_id",),
    "played": ("-day_from", "-record_id"),
    "longest": ("-turns", "-record_id"),
    "score": ("-best", "-record_id"),
}
#: Values of ``status`` other than a verdict: every legal game, and any game.
SOUND: Final = "sound"
ALL: Final = "all"
#: The games with their moves, the score sheets (記入式), and both.
FORMS: Final = ("moves", "sheet", ALL)
#: Number of games readable by a list in a few hundredths of a second; and the maximum to read and
#: sort before a scan of the whole order for rare games.
FEW: Final = 10_000
MANY: Final = 100_000
#: Games of an order searched for matches; and matches on a full page.
WINDOW: Final = 3_000
PAGE: Final = 50
#: Maximum number of days between the first and the last possible day of a date: a year.
LONGEST_DATE: Final = 366


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from ``low`` to ``high`` (inclusive), None without a bound."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class GameSelection:
    """A selection of games: each field that is not empty must match; ``sort`` is one of `SORTS`.

    ``players`` are whole names, compared as `Player` does; all of them must have played in the
    game. ``event`` is the beginning of the event's name, in any case. A game matches dates if it
    may have been played on a day between them (inclusive). ``status`` is a verdict, `SOUND` or
    `ALL`. ``score`` is the best final sum of a seat, in the small unit. ``form`` is one of `FORMS`;
    see `listed_form`.
    """

    ruleset: str = ""
    profile: str = ""
    status: str = ""
    players: tuple[str, ...] = ()
    date_from: date | None = None
    date_to: date | None = None
    event: str = ""
    yaku: str = ""
    grade: str = ""
    form: str = ""
    deals: Range = Range()
    turns: Range = Range()
    score: Range = Range()
    sort: str = "newest"
    #: Select the games of this user, public or not; otherwise only public games. Filters by
    #: ``event`` or ``status`` exclude private games.
    owner: int | None = None

    @property
    def listed_form(self) -> str:
        """The listed form, one of `FORMS`.

        Without ``form`` both are listed. Public lists by score have only games with moves, because
        nobody can check the sums of a score sheet.
        """
        by_score = self.sort == "score" and self.owner is None
        return self.form or ("moves" if by_score else ALL)


@dataclass(frozen=True, slots=True)
class Source:
    """The games that match an indexed filter of a selection.

    ``games`` are their primary keys. ``columns`` are the columns of `Listing` in the index, if it
    is an index of this table.
    """

    games: QuerySet[Any]
    columns: frozenset[str] = frozenset()


@dataclass(slots=True)
class GameList:
    """The games of a selection in its order; ``rows`` reads any page quickly.

    With a ``source``, ``rows`` reads and sorts the games of the source, otherwise it scans an index
    of the order.
    """

    selection: GameSelection
    players: Sequence[int]
    source: Source | None = None
    rows: QuerySet[Listing] = field(init=False)
    _count: tuple[int, bool] | None = None

    def __post_init__(self) -> None:
        """Build the query."""
        source = self.source
        columns = source.columns if source is not None else None
        self.rows = _select_rows(self.selection, self.players, columns)
        if source is not None and not source.columns:
            self.rows = self.rows.filter(pk__in=source.games)

    def count(self) -> tuple[int, bool]:
        """Return the number of games, and whether the number is exact or a lower bound.

        Looks at most at `FEW` games of the source, or at the first `WINDOW` games of the order.
        """
        if self._count is None:
            self._count = self._in_window() if self.source is None else self._in_source(self.source)
        return self._count

    def _in_source(self, source: Source) -> tuple[int, bool]:
        is_exact = source.games[: FEW + 1].count() <= FEW
        rows = self.rows
        if not is_exact:
            rows = _select_rows(self.selection, self.players, frozenset())
            rows = rows.filter(pk__in=source.games[:FEW])
        return rows.order_by().count(), is_exact

    def _in_window(self) -> tuple[int, bool]:
        order = SORTS[self.selection.sort]
        names = [name.removeprefix("-") for name in order]
        public = Listing.objects.filter(visibility=Visibility.PUBLIC).order_by(*order)
        end = list(public.values_list(*names)[WINDOW : WINDOW + 1])
        rows = self.rows
        if end:
            rows = rows.filter(beyond(names, end[0], "gt" if order[0].startswith("-") else "lt"))
        return rows.order_by().count(), not end


def listings(selection: GameSelection) -> QuerySet[Listing]:
    """Return the listings of a selection in its order; see `find`."""
    return find(selection).rows


def find(selection: GameSelection) -> GameList:
    """Choose by some short queries the fastest way to read the games of a selection.

    A database cannot know how many games match several filters together. If a filter has few
    matches, they are read and sorted. If every filter has many, the games are read in their order
    until a page is full, unless so few of the first `WINDOW` match that sorting is faster.
    """
    players = _find_players(selection)
    if players is None:
        return GameList(selection, (), Source(Listing.objects.none().values("pk")))
    sources = list(_list_sources(selection, players))
    if selection.owner is not None:
        # No index of an order has the games of an owner.
        return GameList(selection, players, sources[0])
    along = GameList(selection, players)
    for most in (FEW, MANY):
        counts = [source.games[: most + 1].count() for source in sources]
        if counts and min(counts) <= most:
            return GameList(selection, players, sources[counts.index(min(counts))])
        # The expected number of games, along the order, with a full page of matches.
        if not counts or WINDOW * PAGE // max(along.count()[0], 1) <= FEW:
            break
    return along


def _find_players(selection: GameSelection) -> list[int] | None:
    """Return the primary keys of the players of a selection, or None if a player does not exist."""
    keys = {player_key(name) for name in selection.players}
    pks = list(Player.objects.filter(key__in=keys).order_by("games").values_list("pk", flat=True))
    return pks if len(pks) == len(keys) else None


def _list_sources(selection: GameSelection, players: Iterable[int]) -> Iterator[Source]:
    """Yield a source for each filter of a selection with an index, the owner first."""
    if selection.owner is not None:
        yield Source(ownerships_of(selection.owner).order_by().values("record_id"))
        return
    for player in players:
        yield Source(Seat.objects.order_by().filter(player=player).values("record_id"))
    rulesets = [selection.ruleset] if selection.ruleset else RULESETS
    for word in filter(None, (selection.yaku, selection.grade)):
        features = [feature_key(word, ruleset) for ruleset in rulesets]
        rows = ListedFeature.objects.order_by().filter(feature__in=features)
        yield Source(rows.values("listing_id"))
    bounds: dict[str, Q] = {
        "ruleset": Q(ruleset=selection.ruleset) if selection.ruleset else Q(),
        "profile": Q(profile=selection.profile) if selection.profile else Q(),
        "status": Q(status=selection.status) if selection.status not in ("", ALL, SOUND) else Q(),
        # ``sheet=True`` would be no comparison in Django's SQL, so SQLite could not use an index.
        "sheet": Q(sheet__in=(True,)) if selection.listed_form == "sheet" else Q(),
        "event": begins("event", fold(selection.event)) if selection.event else Q(),
        "day_from": _make_date_condition(selection, str),
        "deals": _make_range_condition("deals", selection.deals),
        "turns": _make_range_condition("turns", selection.turns),
        "best": _make_range_condition("best", selection.score),
    }
    public = Listing.objects.order_by().filter(visibility=Visibility.PUBLIC).values("pk")
    for name, fits in bounds.items():
        if fits:
            names = ("visibility", name, *(("day_to",) if name == "day_from" else ()))
            yield Source(public.filter(fits), frozenset(names))


def _select_rows(
    selection: GameSelection, players: Iterable[int], columns: Set[str] | None = None
) -> QuerySet[Listing]:
    """Return the listings of a selection in its order, for a certain index.

    The database uses an index of ``columns``, or without ``columns`` an index of the order.
    """
    order = SORTS[selection.sort]
    if columns is not None:
        order = tuple(re.sub("^-?", rf"\g<0>{PLAIN}", name) for name in order)
    else:
        columns = {"visibility", *(name.removeprefix("-") for name in order)}
        if selection.sort in ("longest", "score"):
            columns = {*columns, "ruleset"}
    rows = Listing.objects.alias(**{f"{PLAIN}{name}": Plain(F(name)) for name in _COLUMNS})
    if connection.vendor == "postgresql":
        columns = _COLUMNS  # The planner knows the number of matches; an order would mislead it.
    rows = rows.filter(
        _make_condition(selection, lambda name: name if name in columns else f"{PLAIN}{name}")
    )
    for player in players:
        rows = rows.filter(Exists(Seat.objects.filter(player=player, record=OuterRef("pk"))))
    if selection.owner is not None:
        rows = rows.filter(Exists(ownerships_of(selection.owner).filter(record=OuterRef("pk"))))
    return rows.order_by(*order)


class Plain(Func):
    """A column in a form that prevents the use of an index; on PostgreSQL a column of numbers."""

    template = "(%(expressions)s + 0)"

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Return SQL for SQLite."""
        return self.as_sql(compiler, connection, template="+%(expressions)s", **extra)


#: The beginning of names of `Plain` columns.
PLAIN: Final = "plain_"
#: The columns that `_make_condition` compares, and the columns of the orders.
_COLUMNS: Final = frozenset(
    (
        *("record_id", "visibility", "ruleset", "profile", "status", "sheet", "event"),
        *("yaku", "grades", "day_from", "day_to", "deals", "turns", "best"),
    )
)


def _make_condition(selection: GameSelection, column: Callable[[str], str]) -> Q:
    """Return the condition of a selection. ``column`` maps a column to the name to use."""
    fits = Q()
    for name in ("ruleset", "profile"):
        if value := getattr(selection, name):
            fits &= Q((column(name), value))
    if selection.status == SOUND:
        fits &= ~Q((column("status"), Status.ILLEGAL))
    elif selection.status not in ("", ALL):
        fits &= Q((column("status"), selection.status))
    if selection.owner is None:
        fits &= Q((column("visibility"), Visibility.PUBLIC))
    elif selection.event or selection.status:
        # Private games never match: a second owner may have written the values, and nobody may
        # learn about the existence of a second owner.
        fits &= Q((f"{column('visibility')}__gte", Visibility.UNLISTED))
    if selection.listed_form != ALL:
        fits &= Q((f"{column('sheet')}__in", (selection.listed_form == "sheet",)))
    if selection.event:
        fits &= begins(column("event"), fold(selection.event))
    if selection.yaku:
        fits &= Q((f"{column('yaku')}__contains", f" {selection.yaku} "))
    if selection.grade:
        fits &= Q((f"{column('grades')}__contains", f" {selection.grade} "))
    fits &= _make_date_condition(selection, column)
    fits &= _make_range_condition(column("deals"), selection.deals) & _make_range_condition(
        column("turns"), selection.turns
    )
    if selection.score != Range():
        fits &= _make_range_condition(column("best"), selection.score) & Q(
            (f"{column('best')}__gt", NO_SCORE)
        )
    return fits


def _make_date_condition(selection: GameSelection, column: Callable[[str], str]) -> Q:
    """Return the condition of the dates of a selection; ``column`` as in `_make_condition`."""
    fits = Q()
    first, last = selection.date_from, selection.date_to
    if first is not None:
        # The second condition follows from the first, and limits the part of the index to read.
        fits &= Q((f"{column('day_to')}__gte", first.toordinal()))
        fits &= Q((f"{column('day_from')}__gte", first.toordinal() - LONGEST_DATE))
    if last is not None:
        fits &= _make_range_condition(column("day_from"), Range(1, last.toordinal()))
    return fits


def begins(name: str, prefix: str) -> Q:
    """Return the condition that a column begins with a text, in a form that uses an index.

    SQLite uses an index for a range, and PostgreSQL, in any locale, for LIKE.
    """
    if connection.vendor == "postgresql":
        return Q((f"{name}__startswith", prefix))
    return Q((f"{name}__gte", prefix), (f"{name}__lt", f"{prefix}\U0010ffff"))


def _make_range_condition(name: str, wanted_range: Range) -> Q:
    fits = Q()
    if wanted_range.low is not None:
        fits &= Q((f"{name}__gte", wanted_range.low))
    if wanted_range.high is not None:
        fits &= Q((f"{name}__lte", wanted_range.high))
    return fits


def place_of(row: Any, names: Iterable[str]) -> list[int]:
    """Return the place of a row in a list with these sort columns."""
    return [getattr(row, name.removeprefix(PLAIN)) for name in names]


def beyond(names: Sequence[str], place: Sequence[int], side: str) -> Q:
    """Return the condition of rows on one side (``lt`` or ``gt``) of a place in the sort order."""
    behind = Q()
    same = Q()
    for name, number in zip(names, place, strict=True):
        behind |= same & Q(**{f"{name}__{side}": number})
        same &= Q(**{name: number})
    # The repeated first column limits the index scan, which SQL's OR alone would not.
    return Q(**{f"{names[0]}__{side}e": place[0]}) & behind


#: The directions in which a list continues from a cursor.
AFTER, BEFORE = "a", "b"


def cursor(place: Sequence[int], way: str = AFTER) -> str:
    """Return a place as an opaque text, safe in a URL: ``["a", file, number]`` encoded."""
    return urlsafe_base64_encode(json.dumps([way, *place], separators=(",", ":")).encode())


def read_cursor(text: str, size: int) -> tuple[str, list[int]]:
    """Return direction and place of a cursor with ``size`` numbers.

    Raises ValueError for an invalid cursor.
    """
    try:
        way, *place = json.loads(urlsafe_base64_decode(text[:200]))
    except (ValueError, TypeError, RecursionError):
        way, place = "", []
    sound = len(place) == size and all(
        type(number) is int and abs(number) < 1 << 63 for number in place
    )
    if way not in (AFTER, BEFORE) or not sound:
        raise ValueError("no cursor")
    return way, place
