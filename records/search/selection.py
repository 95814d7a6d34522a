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
from records.base.keys import fold, player_key
from records.ingest.rows import feature
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
#: What ``status`` may be besides a verdict: every game that is not illegal, and any game.
SOUND: Final = "sound"
ALL: Final = "all"
#: The games with their moves, the score sheets (記入式), and both.
FORMS: Final = ("moves", "sheet", ALL)
#: Number of games that a list reads in some hundredths of a second; and the most that it reads and
#: sorts before it would rather look for rare games along the whole order.
FEW: Final = 10_000
MANY: Final = 100_000
#: Games of an order among which matching ones are counted; and matching games that fill a page.
WINDOW: Final = 3_000
PAGE: Final = 50
#: The greatest number of days between the first and the last day that a date can mean: a year.
LONGEST_DATE: Final = 366


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from ``low`` to ``high``, both included; None is no bound."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games: each field that is not empty must match, and ``sort`` is one of `SORTS`.

    ``players`` are whole names, compared as `Player` does, who all played in the game. ``event`` is
    the beginning of the event's name, in any case. A game matches dates if it may have been played
    on a day between them, both included. ``status`` is a verdict, `SOUND` or `ALL`. ``score`` is
    the best final sum of a seat, in the small unit. ``form`` is one of `FORMS`; see `listed_form`.
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
    #: Only games that this user owns, also those that are not public; else only public ones. By
    #: ``event`` or ``status`` no private game is found.
    owner: int | None = None

    @property
    def listed_form(self) -> str:
        """The one of `FORMS` that is listed.

        Without ``form`` both are listed. Public lists by score have only games with moves, because
        nobody can check the sums of a score sheet.
        """
        by_score = self.sort == "score" and self.owner is None
        return self.form or ("moves" if by_score else ALL)


@dataclass(frozen=True, slots=True)
class Source:
    """The games that match an indexed filter of a selection.

    ``games`` are their primary keys. ``columns`` are the columns of `Listing` in the index, if the
    index belongs to that table.
    """

    games: QuerySet[Any]
    columns: frozenset[str] = frozenset()


@dataclass(slots=True)
class GameList:
    """The games of a selection in its order; ``rows`` reads any page of them in little time.

    With a ``source``, ``rows`` reads and sorts its games. Without one it reads games along an index
    of the order.
    """

    selection: Selection
    players: Sequence[int]
    source: Source | None = None
    rows: QuerySet[Listing] = field(init=False)
    _count: tuple[int, bool] | None = None

    def __post_init__(self) -> None:
        """Build the query."""
        source = self.source
        columns = source.columns if source is not None else None
        self.rows = _rows(self.selection, self.players, columns)
        if source is not None and not source.columns:
            self.rows = self.rows.filter(pk__in=source.games)

    def count(self) -> tuple[int, bool]:
        """Return the number of games, and whether it is exact: else there may be more.

        Looks at `FEW` games of the source at most, or at the first `WINDOW` games of the order.
        """
        if self._count is None:
            self._count = self._in_window() if self.source is None else self._in_source(self.source)
        return self._count

    def _in_source(self, source: Source) -> tuple[int, bool]:
        is_exact = source.games[: FEW + 1].count() <= FEW
        rows = self.rows
        if not is_exact:
            rows = _rows(self.selection, self.players, frozenset())
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


def listings(wanted: Selection) -> QuerySet[Listing]:
    """Return the listings of a selection in its order; see `find`."""
    return find(wanted).rows


def find(wanted: Selection) -> GameList:
    """Find out by some short queries how the games of a selection are read best.

    A database cannot know how many games match several filters together. If few games match one of
    them, these are read and sorted. If many match each of them, the games are read in their order
    until a page is full, unless so few of the first `WINDOW` match that sorting takes less time.
    """
    players = _players(wanted)
    if players is None:
        return GameList(wanted, (), Source(Listing.objects.none().values("pk")))
    sources = list(_sources(wanted, players))
    if wanted.owner is not None:
        # No index of an order has the games of an owner.
        return GameList(wanted, players, sources[0])
    along = GameList(wanted, players)
    for most in (FEW, MANY):
        counts = [source.games[: most + 1].count() for source in sources]
        if counts and min(counts) <= most:
            return GameList(wanted, players, sources[counts.index(min(counts))])
        # The number of games, along the order, among which a page full of them is expected.
        if not counts or WINDOW * PAGE // max(along.count()[0], 1) <= FEW:
            break
    return along


def _players(wanted: Selection) -> list[int] | None:
    """Return the primary keys of the players of a selection, or None if one does not exist."""
    keys = {player_key(name) for name in wanted.players}
    pks = list(Player.objects.filter(key__in=keys).order_by("games").values_list("pk", flat=True))
    return pks if len(pks) == len(keys) else None


def _sources(wanted: Selection, players: Iterable[int]) -> Iterator[Source]:
    """Yield a source for each filter of a selection that has an index, first that of the owner."""
    if wanted.owner is not None:
        yield Source(ownerships_of(wanted.owner).order_by().values("record_id"))
        return
    for player in players:
        yield Source(Seat.objects.order_by().filter(player=player).values("record_id"))
    rulesets = [wanted.ruleset] if wanted.ruleset else RULESETS
    for word in filter(None, (wanted.yaku, wanted.grade)):
        features = [feature(word, ruleset) for ruleset in rulesets]
        rows = ListedFeature.objects.order_by().filter(feature__in=features)
        yield Source(rows.values("listing_id"))
    bounds: dict[str, Q] = {
        "ruleset": Q(ruleset=wanted.ruleset) if wanted.ruleset else Q(),
        "profile": Q(profile=wanted.profile) if wanted.profile else Q(),
        "status": Q(status=wanted.status) if wanted.status not in ("", ALL, SOUND) else Q(),
        # Not ``sheet=True``: Django makes no comparison of it, for which SQLite has no index.
        "sheet": Q(sheet__in=(True,)) if wanted.listed_form == "sheet" else Q(),
        "event": begins("event", fold(wanted.event)) if wanted.event else Q(),
        "day_from": _dated(wanted, str),
        "deals": _within("deals", wanted.deals),
        "turns": _within("turns", wanted.turns),
        "best": _within("best", wanted.score),
    }
    public = Listing.objects.order_by().filter(visibility=Visibility.PUBLIC).values("pk")
    for name, fits in bounds.items():
        if fits:
            names = ("visibility", name, *(("day_to",) if name == "day_from" else ()))
            yield Source(public.filter(fits), frozenset(names))


def _rows(
    wanted: Selection, players: Iterable[int], columns: Set[str] | None = None
) -> QuerySet[Listing]:
    """Return the listings of a selection in its order, for a certain index.

    The database finds them by an index of ``columns``, or along an index of the order without them.
    """
    order = SORTS[wanted.sort]
    if columns is not None:
        order = tuple(re.sub("^-?", rf"\g<0>{PLAIN}", name) for name in order)
    else:
        columns = {"visibility", *(name.removeprefix("-") for name in order)}
        if wanted.sort in ("longest", "score"):
            columns = {*columns, "ruleset"}
    rows = Listing.objects.alias(**{f"{PLAIN}{name}": Plain(F(name)) for name in _COLUMNS})
    if connection.vendor == "postgresql":
        columns = _COLUMNS  # it knows how many games match a filter; an order would mislead it
    rows = rows.filter(_fits(wanted, lambda name: name if name in columns else f"{PLAIN}{name}"))
    for player in players:
        rows = rows.filter(Exists(Seat.objects.filter(player=player, record=OuterRef("pk"))))
    if wanted.owner is not None:
        rows = rows.filter(Exists(ownerships_of(wanted.owner).filter(record=OuterRef("pk"))))
    return rows.order_by(*order)


class Plain(Func):
    """A column, written so that no index serves it; on PostgreSQL a column of numbers."""

    template = "(%(expressions)s + 0)"

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Return SQL for SQLite."""
        return self.as_sql(compiler, connection, template="+%(expressions)s", **extra)


#: The beginning of names of `Plain` columns.
PLAIN: Final = "plain_"
#: The columns that `_fits` compares, and those of the orders.
_COLUMNS: Final = frozenset(
    (
        *("record_id", "visibility", "ruleset", "profile", "status", "sheet", "event"),
        *("yaku", "grades", "day_from", "day_to", "deals", "turns", "best"),
    )
)


def _fits(wanted: Selection, column: Callable[[str], str]) -> Q:
    """Return the condition of a selection. ``column`` gives the name that stands for a column."""
    fits = Q()
    for name in ("ruleset", "profile"):
        if value := getattr(wanted, name):
            fits &= Q((column(name), value))
    if wanted.status == SOUND:
        fits &= ~Q((column("status"), Status.ILLEGAL))
    elif wanted.status not in ("", ALL):
        fits &= Q((column("status"), wanted.status))
    if wanted.owner is None:
        fits &= Q((column("visibility"), Visibility.PUBLIC))
    elif wanted.event or wanted.status:
        # For a private game those may be what another owner wrote, and nobody may learn whether
        # there is another, so none is found.
        fits &= Q((f"{column('visibility')}__gte", Visibility.UNLISTED))
    if wanted.listed_form != ALL:
        fits &= Q((f"{column('sheet')}__in", (wanted.listed_form == "sheet",)))
    if wanted.event:
        fits &= begins(column("event"), fold(wanted.event))
    if wanted.yaku:
        fits &= Q((f"{column('yaku')}__contains", f" {wanted.yaku} "))
    if wanted.grade:
        fits &= Q((f"{column('grades')}__contains", f" {wanted.grade} "))
    fits &= _dated(wanted, column)
    fits &= _within(column("deals"), wanted.deals) & _within(column("turns"), wanted.turns)
    if wanted.score != Range():
        fits &= _within(column("best"), wanted.score) & Q((f"{column('best')}__gt", NO_SCORE))
    return fits


def _dated(wanted: Selection, column: Callable[[str], str]) -> Q:
    """Return the condition of the dates of a selection; ``column`` as in `_fits`."""
    fits = Q()
    first, last = wanted.date_from, wanted.date_to
    if first is not None:
        # The second condition follows from the first, and bounds what is read of an index.
        fits &= Q((f"{column('day_to')}__gte", first.toordinal()))
        fits &= Q((f"{column('day_from')}__gte", first.toordinal() - LONGEST_DATE))
    if last is not None:
        fits &= _within(column("day_from"), Range(1, last.toordinal()))
    return fits


def begins(name: str, prefix: str) -> Q:
    """Return the condition that a column begins with a text, so that an index serves it.

    SQLite uses an index for a range, and PostgreSQL, in any locale, for LIKE.
    """
    if connection.vendor == "postgresql":
        return Q((f"{name}__startswith", prefix))
    return Q((f"{name}__gte", prefix), (f"{name}__lt", f"{prefix}\U0010ffff"))


def _within(name: str, wanted_range: Range) -> Q:
    fits = Q()
    if wanted_range.low is not None:
        fits &= Q((f"{name}__gte", wanted_range.low))
    if wanted_range.high is not None:
        fits &= Q((f"{name}__lte", wanted_range.high))
    return fits


def place_of(row: Any, names: Iterable[str]) -> list[int]:
    """Return the place of a row in a list that is ordered by these names."""
    return [getattr(row, name.removeprefix(PLAIN)) for name in names]


def beyond(names: Sequence[str], place: Sequence[int], side: str) -> Q:
    """Rows on one side (``lt`` or ``gt``) of a place, columns compared in turn."""
    found = Q()
    same = Q()
    for name, number in zip(names, place, strict=True):
        found |= same & Q(**{f"{name}__{side}": number})
        same &= Q(**{name: number})
    # Repeated for the index: with SQL's OR alone it would be read from the list's beginning.
    return Q(**{f"{names[0]}__{side}e": place[0]}) & found


#: The directions in which a list continues from a cursor.
AFTER, BEFORE = "a", "b"


def cursor(place: Sequence[int], way: str = AFTER) -> str:
    """Return a place as an opaque text, safe in a URL: ``["a", file, number]`` encoded."""
    return urlsafe_base64_encode(json.dumps([way, *place], separators=(",", ":")).encode())


def read_cursor(written: str, size: int) -> tuple[str, list[int]]:
    """Direction and place of a cursor of so many numbers. Raises ValueError if it is invalid."""
    try:
        way, *place = json.loads(urlsafe_base64_decode(written[:200]))
    except (ValueError, TypeError, RecursionError):
        way, place = "", []
    sound = len(place) == size and all(
        type(number) is int and abs(number) < 1 << 63 for number in place
    )
    if way not in (AFTER, BEFORE) or not sound:
        raise ValueError("no cursor")
    return way, place
