"""Games by what they are, in the order asked for: filters, sorts, and the places of pages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from records.base.keys import fold, player_key
from records.models import NO_SCORE, Listing, Player, Seat, Visibility
from records.privacy.access import ownerships_of

#: What each order compares, in one direction, the last unique. Games without a date or a final sum
#: come last in ``played`` and ``score``.
SORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "newest": ("-record_id",),
    "oldest": ("record_id",),
    "played": ("-day_from", "-record_id"),
    "longest": ("-turns", "-record_id"),
    "score": ("-best", "-record_id"),
}
#: The score sheets (記入式), and the games with their moves.
FORMS: Final = ("moves", "sheet")
#: Up to how many games a list is counted exactly.
COUNTED: Final = 10_000
#: So many games are fetched by their numbers.
FEW: Final = 500


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from ``low`` to ``high``, both with it; None is no bound."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games: each field that is not empty must fit, and ``sort`` is one of `SORTS`.

    ``players`` are whole names, compared as `Player` does, who all sat in the game. ``event`` is
    how the event begins, in any case. A game fits dates if it may have been played on a day between
    them, both with it. ``score`` is about the best final sum of a seat, in the small unit.
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
    #: Only games that this user holds, but those that are not public too; else only public ones.
    #: By ``event`` or ``status`` no private game is found.
    owner: int | None = None


def listings(wanted: Selection) -> QuerySet[Listing]:
    """The listings of these games in their order. Asks for the players' rows at once."""
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
    exact = {
        name: value for name in ("ruleset", "profile", "status") if (value := getattr(wanted, name))
    }
    fits = Q(**exact)
    if wanted.owner is None:
        fits &= Q(visibility=Visibility.PUBLIC)
    else:
        fits &= Q(record_id__in=ownerships_of(wanted.owner).values("record"))
        if wanted.event or wanted.status:
            # Of a private game those may be what another holder wrote; whether there is another
            # is nobody's to learn, so that none is found.
            fits &= Q(visibility__gte=Visibility.UNLISTED)
    if wanted.form:
        fits &= Q(sheet=wanted.form == "sheet")
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
    """The same games in the same order, by their numbers if they are few; and then how many.

    To find a few games along an order, a database may read its index from end to end and fetch row
    after row; to find them in any order it reads the narrow table once.
    """
    pks = list(found.order_by().values_list("pk", flat=True)[: FEW + 1])
    if len(pks) > FEW:
        return found, None
    return Listing.objects.filter(pk__in=pks).order_by(*found.query.order_by), len(pks)


def count(found: QuerySet[Any]) -> int:
    """How many there are, exactly up to `COUNTED`; one above for all that are more."""
    return found.order_by()[: COUNTED + 1].count()


def beyond(names: Sequence[str], place: Sequence[int], side: str) -> Q:
    """Rows on one side (``lt`` or ``gt``) of a place, names compared in turn."""
    found = Q()
    same = Q()
    for name, number in zip(names, place, strict=True):
        found |= same & Q(**{f"{name}__{side}": number})
        same &= Q(**{name: number})
    # Said once more for the index: SQL's OR alone would have it read from the list's beginning.
    return Q(**{f"{names[0]}__{side}e": place[0]}) & found


#: Which way a list goes on from a cursor.
AFTER, BEFORE = "a", "b"


def cursor(place: Sequence[int], way: str = AFTER) -> str:
    """A place as callers get it: ``["a", file, number]``, in letters that fit an address."""
    return urlsafe_base64_encode(json.dumps([way, *place], separators=(",", ":")).encode())


def read_cursor(written: str, size: int) -> tuple[str, list[int]]:
    """Way and place of a cursor of so many numbers. Raises ValueError for what is none."""
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
