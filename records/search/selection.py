"""Games by their properties, in the requested order: filters, sorts, and places of pages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from records.base.keys import fold, player_key
from records.models import NO_SCORE, Listing, Player, Seat, Status, Visibility
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
#: Up to this number of games a list is counted exactly.
COUNTED: Final = 10_000
#: Up to this number, games are fetched by their primary keys.
FEW: Final = 500


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
        """The one of `FORMS` that is listed. Without ``form`` both are, but everybody's by score
        only games with their moves: nobody can replay the sums of a sheet.
        """
        by_score = self.sort == "score" and self.owner is None
        return self.form or ("moves" if by_score else ALL)


def listings(wanted: Selection) -> QuerySet[Listing]:
    """The listings of these games in their order. Queries the players' rows at once."""
    found = Listing.objects.order_by(*SORTS[wanted.sort]).filter(_fits(wanted))
    if not wanted.players:
        return found
    keys = {player_key(name) for name in wanted.players}
    # By number, not by join: the database knows how many games this player has.
    players = Player.objects.filter(key__in=keys).values_list("pk", flat=True).order_by("games")
    pks = list(players)
    if len(pks) < len(keys):
        return found.none()
    for pk in pks:
        found = found.filter(record_id__in=Seat.objects.filter(player=pk).values("record_id"))
    return found


def _fits(wanted: Selection) -> Q:
    fits = Q(**{name: value for name in ("ruleset", "profile") if (value := getattr(wanted, name))})
    if wanted.status == SOUND:
        fits &= ~Q(status=Status.ILLEGAL)
    elif wanted.status not in ("", ALL):
        fits &= Q(status=wanted.status)
    if wanted.owner is None:
        fits &= Q(visibility=Visibility.PUBLIC)
    else:
        fits &= Q(record_id__in=ownerships_of(wanted.owner).values("record"))
        if wanted.event or wanted.status:
            # For a private game those may be what another owner wrote, and nobody may learn whether
            # there is another, so none is found.
            fits &= Q(visibility__gte=Visibility.UNLISTED)
    if wanted.listed_form != ALL:
        fits &= Q(sheet=wanted.listed_form == "sheet")
    if wanted.event:
        fits &= Q(event__startswith=fold(wanted.event))
    if wanted.yaku:
        fits &= Q(yaku__contains=f" {wanted.yaku} ")
    if wanted.grade:
        fits &= Q(grades__contains=f" {wanted.grade} ")
    if wanted.date_from:
        fits &= Q(day_to__gte=wanted.date_from.toordinal())
    if wanted.date_to:
        fits &= Q(day_from__lte=wanted.date_to.toordinal(), day_from__gt=0)
    fits &= _within("deals", wanted.deals) & _within("turns", wanted.turns)
    if wanted.score != Range():
        fits &= _within("best", wanted.score) & Q(best__gt=NO_SCORE)
    return fits


def _within(name: str, wanted_range: Range) -> Q:
    fits = Q()
    if wanted_range.low is not None:
        fits &= Q(**{f"{name}__gte": wanted_range.low})
    if wanted_range.high is not None:
        fits &= Q(**{f"{name}__lte": wanted_range.high})
    return fits


def narrowed(found: QuerySet[Listing]) -> tuple[QuerySet[Listing], int | None]:
    """The same games in the same order, by their primary keys if they are few; and then how many.

    To find a few games along an order, a database may read its index from end to end and fetch row
    after row; to find them in any order it reads the narrow table once.
    """
    pks = list(found.order_by().values_list("pk", flat=True)[: FEW + 1])
    if len(pks) > FEW:
        return found, None
    return Listing.objects.filter(pk__in=pks).order_by(*found.query.order_by), len(pks)


def count(found: QuerySet[Any]) -> int:
    """The number of games, exact up to `COUNTED`; one more than that for all larger numbers."""
    return found.order_by()[: COUNTED + 1].count()


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
    """A place as an opaque text for callers: ``["a", file, number]``, in letters safe in a URL."""
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
