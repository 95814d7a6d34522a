"""Evenings of a club: the next date, and the tables that are drawn for it."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.access import Access
from clubs.changes import ChangedMeanwhile, change
from clubs.models import LINE, NAME, Club, Evening, Role
from clubs.names import check_name, players_of
from clubs.pairings import MAX_PLAYERS, PairingError, count_meetings, draw_tables
from clubs.refused import Refused
from clubs.seasons import Played
from kafu.rules.rulesets import RULESETS

#: Maximum number of evenings of a club.
MOST_EVENINGS: Final = 5000


def find(club: Club, day: date) -> Evening | None:
    """Return the evening of a day, None if nothing is noted about it."""
    return club.evenings.filter(day=day).first()


def coming(club: Club, today: date) -> QuerySet[Evening]:
    """Return the evenings from today on, the next one first."""
    return club.evenings.filter(day__gte=today).order_by("day")


def write(access: Access, day: date, fields: Mapping[str, Any], was: str = "") -> Evening:
    """Set time, place and line of the evening of a day, by an officer. Raise Refused.

    Raise `clubs.changes.ChangedMeanwhile` if the evening has another stamp than ``was``, which is
    "" for a day without an evening.
    """
    access.require(Role.OFFICER)
    checked = dict(fields)
    for name, most in (("place", NAME), ("line", LINE)):
        checked[name] = text = checked.get(name, "").replace("\0", "").strip()
        if len(text) > most:
            words = _("This has at most %(most)d letters.")
            raise Refused("too-long", words % {"most": most}, name)
    with change(access.club, access.viewer.user, "evening", {"day": day.isoformat()}) as work:
        evening = find(access.club, day)
        if evening is None:
            if access.club.evenings.count() >= MOST_EVENINGS:
                text = _("A club has at most %(most)d evenings.")
                raise Refused("full", text % {"most": MOST_EVENINGS})
            return work.create(Evening(club=access.club, day=day, **checked))
        if not was:
            raise ChangedMeanwhile
        work.update(evening, was=was, **checked)
    return evening


def delete(access: Access, evening: Evening) -> None:
    """Delete what is noted about an evening, by an officer. Its games stay. Raise Refused."""
    access.require(Role.OFFICER)
    day = evening.day.isoformat()
    with change(access.club, access.viewer.user, "evening-deleted", {"day": day}) as work:
        work.delete(evening)


def draw(
    access: Access,
    evening: Evening,
    ruleset: str,
    present: Sequence[str],
    *,
    played: Played | None = None,
    fixed: Sequence[Sequence[str]] = (),
    seed: int | None = None,
) -> None:
    """Draw the tables of an evening for the ``present`` names, by an officer. Raise Refused.

    ``played`` is the season so far: the tables balance its meetings and the byes of its evenings.
    ``fixed`` tables, already in play, stay when somebody comes late.
    """
    access.require(Role.OFFICER)
    if len(present) > MAX_PLAYERS:
        text = _("At most %(most)d players can be drawn.")
        raise Refused("players-too-many", text % {"most": MAX_PLAYERS}, "present")
    earlier = access.club.evenings.filter(day__lt=evening.day).order_by("-day")[:100]
    waited = [name for row in earlier for name in row.byes]
    names = [check_name(name) for name in present]
    players = players_of(access.club.pk, {*names, *waited, *chain.from_iterable(fixed)})
    shown: dict[str, str] = {}
    for name in names:
        if players[name] in shown:
            text = _("%(name)s is there twice.")
            raise Refused("name-twice", text % {"name": name}, "present")
        shown[players[name]] = name
    meetings = count_meetings(
        [[seat.player for seat in game.seats] for game in (played.games if played else ())]
    )
    byes = Counter(players[name] for name in waited)
    seats = [tuple(players[name] for name in table if players[name] in shown) for table in fixed]
    random_seed = secrets.randbelow(1 << 32) if seed is None else seed
    try:
        drawn = draw_tables(
            list(shown), RULESETS[ruleset].seats, meetings, byes, random_seed, seats
        )
    except PairingError as error:
        text = _("Too few players for a table: choose more.")
        raise Refused(f"players-{error.reason}", text, "present") from error
    tables = [[shown[player] for player in table] for table in drawn.tables]
    waiting = [shown[player] for player in drawn.byes]
    with change(
        access.club, access.viewer.user, "tables", {"day": evening.day.isoformat()}
    ) as work:
        work.update(evening, tables=tables, byes=waiting)
