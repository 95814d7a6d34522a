"""The games of clubs: taking in, adding, taking out, and their results.

A game enters a club with its upload (`Upload.circle`), or is added by an officer or by its owner. A
private game is shared with the members by the account that brought it, and stays shared until it is
taken out of the club, or withdrawn.

How much of a club a viewer sees depends on a level: members see all games, other viewers of a
public club its public games, of an unlisted club also unlisted ones. Figures are computed from the
games of the viewer's level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.access import Access, clubs_of, current_members
from clubs.changes import change
from clubs.models import Club, ClubGame, Role
from clubs.refused import Refused
from clubs.scoring import GameResult, SeatResult
from kafu.rules.rulesets import RULESETS
from records.base import clock
from records.models import Listing, Ownership, Record, Upload, Visibility
from records.privacy.access import ownerships_of, records_for

#: Maximum number of games that can be added or taken out at once.
MOST_ADDED: Final = 500


def shares_for(user: int) -> QuerySet[ClubGame]:
    """Return the games of the clubs of an account (`records.privacy.circles.Circles`)."""
    clubs = clubs_of(user).order_by().values("club")
    return ClubGame.objects.order_by().filter(club__in=clubs, out=None, sender__isnull=False)


def take_in(upload: Upload, records: Iterable[int], **_signal: Any) -> None:
    """Add stored games of an upload to the club that the upload names, if its sender is a member.

    Games that are or were in a club stay as they are.
    """
    if not upload.circle or upload.owner_id is None:
        return
    club = Club.objects.filter(circle=upload.circle).first()
    members = current_members().filter(account=upload.owner_id, role__gte=Role.MEMBER)
    if club is None or not members.filter(club=club).exists():
        return
    with change(club, upload.owner_id, "games-sent") as work:
        of_clubs = ClubGame.objects.filter(record__in=records).values_list("record", flat=True)
        new = Record.objects.filter(pk__in=set(records) - set(of_clubs)).order_by("pk")
        rows = [_row(club, game, upload.owner_id) for game in _light(new)]
        work.create_all(rows)
        work.values["count"] = len(rows)


def follow(upload: Upload, former: int, fresh: int, **_signal: Any) -> None:
    """Let a corrected game take the place of the former one in the sender's club."""
    senders = Q(sender=None) | Q(sender=upload.owner_id)
    row = ClubGame.objects.select_related("club").filter(senders, record=former).first()
    if row is None or former == fresh:
        return
    with change(row.club, upload.owner_id, "game-corrected") as work:
        if ClubGame.objects.filter(record=fresh).exists():
            work.delete(row)
            return
        (game,) = _light(Record.objects.filter(pk=fresh))
        day = _exact_day(game) or row.day
        work.update(row, record_id=fresh, ruleset=game.ruleset, day=day)


def _light(games: QuerySet[Record]) -> QuerySet[Record]:
    """Load the columns that this module reads."""
    return games.only("pk", "key", "ruleset", "visibility", "date_from", "date_to", "created")


def _row(club: Club, game: Record, sender: int | None) -> ClubGame:
    day = _exact_day(game) or timezone.localdate(game.created)
    return ClubGame(club=club, record=game, sender_id=sender, ruleset=game.ruleset, day=day)


def _exact_day(game: Record) -> date | None:
    """Return the day of a game, None unless its tag has a whole date."""
    return game.date_from if game.date_from == game.date_to else None


@dataclass(frozen=True, slots=True)
class Added:
    """The number of added games, of games that the club had before, and the refused keys.

    Keys are refused without a reason, so that nobody learns which games private clubs have.
    """

    new: int
    known: int
    refused: list[str]


def add(access: Access, keys: Iterable[str], day: date | None = None) -> Added:
    """Add games by their keys: officers any games that they see, members their own. Raise Refused.

    ``day`` is the evening, by default the day of each game. Games taken out before come back.
    """
    access.require(Role.MEMBER)
    user = access.viewer.user
    assert user is not None, "a member has an account"
    refused = dict.fromkeys(keys)
    if len(refused) > MOST_ADDED:
        text = _("At most %(most)d games can be added at once: choose fewer.")
        raise Refused("too-many", text % {"most": MOST_ADDED})
    visible = Record.objects.filter(records_for(access.viewer), key__in=list(refused))
    chosen = list(_light(visible.order_by("pk")))
    pks = [game.pk for game in chosen]
    owned = set(ownerships_of(user).filter(record__in=pks).values_list("record", flat=True))
    if not access.is_officer and not owned.issuperset(pks):
        raise Refused("not-own", _("Members add their own games; an officer can add others."))
    club, new, known = access.club, [], 0
    with change(club, user, "games-added") as work:
        rows = {row.record_id: row for row in ClubGame.objects.filter(record__in=pks)}
        for game in chosen:
            row, fresh = rows.get(game.pk), _row(club, game, user if game.pk in owned else None)
            fresh.day = day or fresh.day
            if row is None:
                new.append(fresh)
            elif row.out is not None:
                sender = fresh.sender_id
                work.update(row, club_id=club.pk, sender_id=sender, day=fresh.day, out=None)
            elif row.club_id == club.pk:
                known += 1
            else:
                continue
            del refused[game.key]
        work.create_all(new)
        work.values["count"] = count = len(work.rows)
    return Added(count, known, list(refused))


def take_out(access: Access, games: Iterable[int]) -> int:
    """Take games out of a club: officers any, members those that they own. Return their number.

    Raise Refused. The games themselves stay in the archive.
    """
    access.require(Role.MEMBER)
    user = access.viewer.user
    assert user is not None, "a member has an account"
    rows = ClubGame.objects.filter(club=access.club, out=None, record__in=list(games))
    if not access.is_officer:
        own = ownerships_of(user).filter(record=OuterRef("record"))
        if rows.exclude(Exists(own)).exists():
            raise Refused("not-own", _("Members take out their own games; an officer any game."))
    with change(access.club, user, "games-out") as work:
        for row in rows[:MOST_ADDED]:
            work.update(row, out=clock.now())
        work.values["count"] = count = len(work.rows)
    return count


def move(access: Access, games: Iterable[int], day: date) -> None:
    """Put games to another evening, by an officer. Raise Refused."""
    access.require(Role.OFFICER)
    rows = ClubGame.objects.filter(club=access.club, out=None, record__in=list(games))
    with change(access.club, access.viewer.user, "games-moved", {"day": day.isoformat()}) as work:
        for row in rows[:MOST_ADDED]:
            work.update(row, day=day)
        work.values["count"] = len(work.rows)


# Reading ------------------------------------------------------------------------------------------


def level_of(access: Access) -> int:
    """Return the level of a viewer: the lowest visibility of the games that the viewer sees."""
    if access.is_member or access.viewer.staff:
        return Visibility.PRIVATE
    return Visibility(access.club.visibility)


def games_of(club: Club, level: int) -> QuerySet[ClubGame]:
    """Return the games of a club at a level, the newest first."""
    rows = ClubGame.objects.filter(club=club, out=None)
    listed = Listing.objects.filter(pk=OuterRef("record"))
    shown = Exists(listed.filter(visibility__gte=max(level, Visibility.UNLISTED)))
    if level > Visibility.PRIVATE:
        return rows.filter(shown)
    held = Ownership.objects.filter(record=OuterRef("record"), owner=OuterRef("sender"))
    return rows.filter(shown | Exists(held.exclude(visibility=Visibility.WITHDRAWN)))


def load_results(games: QuerySet[ClubGame], players: dict[str, str]) -> list[GameResult]:
    """Return the results of finished games, in the order of days.

    ``players`` maps keys of names to the players of figures; other names are players by themselves.
    Of copies of a game in ``games`` one counts.
    """
    finished = games.filter(record__seats__final__isnull=False)
    rows = finished.order_by("day", "record_id", "record__seats__number").values_list(
        *("record_id", "day", "ruleset", "record__copy_of_id", "record__listing__deals"),
        "record__seats__player__origin",
        *(f"record__seats__{column}" for column in ("final", "rank", "best", "won")),
    )
    seats: defaultdict[tuple[int, date, int | None], list[SeatResult]] = defaultdict(list)
    for pk, day, ruleset, copy_of, months, key, final, rank, best, won in rows:
        player, sum_ = players.get(key, key), final * RULESETS[ruleset].final_unit
        result = SeatResult(player, sum_, rank, best, won or 0, months or 0)
        seats[pk, day, copy_of].append(result)
    pks = {pk for pk, _day, _copy_of in seats}
    return [
        GameResult(str(pk), day, tuple(results))
        for (pk, day, copy_of), results in seats.items()
        if copy_of not in pks
    ]
