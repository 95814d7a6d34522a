"""Ratings, computed month by month: one pool of players a ruleset.

Public games of legal status that came to their end and are dated at least to the month are rated.
A month of the calendar is a rating period: the games of a month count together, in no order. What
is due is in the database (`RatingDue`): from the earliest
month with a change on, each month is computed from the ratings before it, in a transaction of its
own. After a crash the next run continues; what arrived meanwhile is due again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from math import exp, isclose, pi, sqrt
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F, Min, QuerySet
from django.utils import timezone

from records.base import clock
from records.base.bulk import insert_rows, update_rows
from records.base.keys import player_key
from records.models import Job, Listing, Rating, RatingDue, Seat, Status, Visibility
from records.models.ratings import FOREVER
from records.privacy import revisions
from records.totals.rating import RatingState
from records.work.enqueue import enqueue
from records.work.ledger import finish, heartbeat, hold, put_off, uploads_are_open

BATCH: Final = 500
#: The kind of the jobs; their subject is a ruleset.
RATINGS: Final = "ratings"
#: How long a job computes before other work is looked after. A month that was begun is computed to
#: its end.
TURN_SECONDS: Final = 0.5
#: How long a change waits at most, while uploads are being read, for others that are computed with
#: it.
WAIT: Final = timedelta(seconds=10)
RATED: Final = (Status.VERIFIED, Status.CONSISTENT, Status.MISMATCH)
#: The deviation from which a rating is not provisional any more.
SURE: Final = 110.0
#: Points of the usual scale to one of Glicko-2's own.
SCALE: Final = 173.7178
_STATE: Final = (
    *("rating", "deviation", "volatility", "day", "rated"),
    *("streak", "longest", "longest_game"),
)
_COLUMNS: Final = (*_STATE, "games")

#: Of who has no rated game; only its streaks are used.
_NEW: Final = RatingState(0, 0, 0, 0, 0)
#: A state, and the games of the month.
Computed = dict[int, tuple[RatingState, int]]


# What is due --------------------------------------------------------------------------------------


def changed(months: Mapping[str, int]) -> None:
    """Mark the earliest month with changed games, by ruleset; within the transaction that changes
    them.
    """
    moment = clock.now()
    RatingDue.objects.bulk_create(
        RatingDue(ruleset=ruleset, month=month, created=moment)
        for ruleset, month in sorted(months.items())
    )


def forget() -> None:
    """Mark all ratings as due."""
    rulesets = {
        *Listing.objects.order_by().values_list("ruleset", flat=True).distinct(),
        *Rating.objects.order_by().values_list("ruleset", flat=True).distinct(),
    }
    changed(dict.fromkeys(rulesets, 1))


def is_due(ruleset: str) -> bool:
    """Whether ratings of a ruleset are due."""
    return RatingDue.objects.filter(ruleset=ruleset).exists()


def schedule() -> None:
    """Enqueue a job for each ruleset that is due; while uploads are read, after a while."""
    due = RatingDue.objects.order_by()
    if due.exists() and uploads_are_open():
        due = due.filter(created__lt=clock.now() - WAIT)
    for ruleset in sorted(set(due.values_list("ruleset", flat=True))):
        enqueue(RATINGS, ruleset)


def run(job: Job) -> None:
    """Compute what is due of a ruleset, for a turn. Raises `records.work.ledger.LeaseLost`."""
    end = time.monotonic() + TURN_SECONDS
    done = job.progress
    while step(job.subject):
        done += 1
        heartbeat(job, done)
        if time.monotonic() >= end:
            break
    with transaction.atomic():
        held = hold(job)
        if is_due(job.subject):
            put_off(held)
        else:
            finish(held)


def step(ruleset: str) -> bool:
    """Compute the next month of a ruleset that is due; False if there is none.

    A pass that has begun goes on to the last month before another begins: else changes of early
    months that keep coming would leave the late months without ratings.
    """
    due = list(RatingDue.objects.filter(ruleset=ruleset))
    if not due:
        return False
    due = [one for one in due if one.follows] or due
    month = _next(ruleset, min(one.month for one in due))
    computed = _compute(ruleset, month) if month else {}
    done = [one for one in due if not month or one.month <= month]
    pks = [one.pk for one in done]
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                # Readers are not blocked.
                cursor.execute(f"LOCK TABLE {Rating._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")
        if RatingDue.objects.filter(pk__in=pks).count() < len(pks):
            return True  # another was quicker, and may have read what arrived since
        RatingDue.objects.filter(pk__in=pks).delete()
        follows = any(one.follows for one in done)
        if month and (_write(ruleset, month, computed) or follows):
            oldest = min(one.created for one in done)
            RatingDue.objects.create(ruleset=ruleset, month=month + 1, follows=True, created=oldest)
        revisions.advance()
    return True


# Computing ----------------------------------------------------------------------------------------


def _games(ruleset: str) -> QuerySet[Listing]:
    # A date is a day, a month or a year.
    return Listing.objects.filter(
        visibility=Visibility.PUBLIC,
        ruleset=ruleset,
        status__in=RATED,
        day_from__gt=0,
        day_to__lte=F("day_from") + 30,
    )


def _next(ruleset: str, month: int) -> int:
    """The next month, from this one on, that has games or ratings; 0 if there is none."""
    games = _games(ruleset).filter(day_from__gte=_first_day(month)).order_by("day_from")
    day = games.values_list("day_from", flat=True).first()
    played = date.fromordinal(day) if day else None
    rated = Rating.objects.filter(ruleset=ruleset, month__gte=month).aggregate(of=Min("month"))
    found = [played.year * 100 + played.month] if played else []
    return min([*found, *filter(None, (rated["of"],))], default=0)


def _first_day(month: int) -> int:
    """The ordinal of the first day of a month, or of the day after a year's last."""
    year, number = divmod(max(month, 101) - 1, 100)
    year, number = year + number // 12, number % 12
    return date(year, number + 1, 1).toordinal() if year <= 9999 else date.max.toordinal() + 1


def _compute(ruleset: str, month: int) -> Computed:
    """The ratings of a month, by player."""
    from records.totals.glicko import RatedMonth  # noqa: PLC0415 - brings SciPy

    first, after = _first_day(month), _first_day(month + 1)
    games = _games(ruleset).filter(day_from__gte=first, day_from__lt=after)
    rows = games.order_by("day_from", "time", "pk").values_list("pk", "day_from", "sheet")
    players, streaks = RatedMonth(), dict[int, RatingState]()
    for part in _parts(rows.iterator(chunk_size=BATCH)):
        places = _places([pk for pk, _day, _sheet in part])
        new = players.strangers({player for one in places.values() for player in one})
        before = _before(ruleset, month, new)
        for player in new:
            players.join(player, before.get(player))
            streaks[player] = before.get(player) or _NEW
        for pk, day, sheet in part:
            if len(places.get(pk, ())) < 2:
                continue
            players.play(day, places[pk])
            if not sheet:  # nobody can replay its sums
                best = [player for player, place in places[pk].items() if place == 1]
                for player in places[pk]:
                    streaks[player] = streaks[player].after(pk, won=best == [player])
    return {
        player: (replace(state, **_streaks(streaks[player])), games)
        for player, state, games in players.states()
    }


def _streaks(state: RatingState) -> dict[str, int]:
    return {name: getattr(state, name) for name in ("streak", "longest", "longest_game")}


def _parts(rows: Iterator[Any]) -> Iterator[list[Any]]:
    part = []
    for row in rows:
        part.append(row)
        if len(part) == BATCH:
            yield part
            part = []
    if part:
        yield part


def _places(games: Sequence[int]) -> dict[int, dict[int, int]]:
    """For each game that has an end, the place of each player.

    A player with several seats is rated by the first of them.
    """
    found: dict[int, dict[int, int]] = {}
    seats = Seat.objects.filter(record__in=games, rank__isnull=False).order_by("record", "number")
    for pk, player, rank in seats.values_list("record", "player", "rank"):
        found.setdefault(pk, {}).setdefault(player, rank or 0)
    return found


def _before(ruleset: str, month: int, players: Sequence[int]) -> dict[int, RatingState]:
    """How each of the players stood before a month."""
    return {
        row[0]: RatingState(*row[1:])
        for part in _slices(players)
        for row in _valid(ruleset, month, part).values_list("player", *_STATE)
    }


def _valid(ruleset: str, month: int, players: Sequence[int]) -> QuerySet[Rating]:
    """The ratings of players that were valid when a month began."""
    return Rating.objects.order_by().filter(
        ruleset=ruleset, player__in=players, until__gte=month, month__lt=month
    )


def _slices(players: Iterable[int]) -> Iterator[list[int]]:
    return _parts(iter(sorted(players)))


# Writing ------------------------------------------------------------------------------------------


def _write(ruleset: str, month: int, computed: Computed) -> bool:
    """Write the rows of a month; returns whether that changed any."""
    there = {row.player_id: row for row in Rating.objects.filter(ruleset=ruleset, month=month)}
    gone = [player for player in there if player not in computed]
    new = [player for player in computed if player not in there]
    other = [
        player
        for player, (state, games) in computed.items()
        if player in there and _values(state, games) != _stored(there[player])
    ]
    _remove(ruleset, month, [there[player] for player in gone])
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    update_rows(
        Rating,
        (*_COLUMNS, "floor", "changed"),
        (
            (*_values(*computed[player]), _floor(computed[player][0]), now, there[player].pk)
            for player in other
        ),
    )
    until = _insert_between(ruleset, month, new)
    insert_rows(
        Rating,
        ("player_id", "ruleset", "month", "until", *_COLUMNS, "floor", "changed"),
        (
            (
                *(player, ruleset, month, until[player]),
                *_values(*computed[player]),
                *(_floor(computed[player][0]), now),
            )
            for player in new
        ),
    )
    return bool(gone or new or other)


def _values(state: RatingState, games: int) -> tuple[float, ...]:
    """The values of `_COLUMNS`."""
    glicko = state.rating, state.deviation, state.volatility, state.day, state.games
    return *glicko, *_streaks(state).values(), games


def _stored(row: Rating) -> tuple[float, ...]:
    return tuple(getattr(row, name) for name in _COLUMNS)


def _floor(state: RatingState) -> int:
    return round(100 * (state.rating - 2 * state.deviation))


def _remove(ruleset: str, month: int, rows: Sequence[Rating]) -> None:
    """Remove ratings of a month; the ones before them are valid for longer."""
    until = {row.player_id: row.until for row in rows}
    for part in _slices(until):
        mine = Rating.objects.filter(ruleset=ruleset, player__in=part)
        mine.filter(month=month).delete()
        last = mine.filter(until=month).values_list("pk", "player")
        update_rows(Rating, ("until",), [(until[player], pk) for pk, player in last])


def _insert_between(ruleset: str, month: int, players: Sequence[int]) -> dict[int, int]:
    """End the ratings of players with a month; returns until when new ones are valid."""
    until: dict[int, int] = {}
    for part in _slices(players):
        mine = Rating.objects.order_by().filter(ruleset=ruleset, player__in=part, month__gt=month)
        later = dict(mine.values_list("player").annotate(Min("month")))
        until |= {player: later.get(player, FOREVER) for player in part}
        _valid(ruleset, month, part).update(until=month)
    return until


# Reading ------------------------------------------------------------------------------------------


def newest(ruleset: str) -> QuerySet[Rating]:
    """The newest rating of each player whom figures may name, the surest and best first."""
    rows = Rating.objects.filter(ruleset=ruleset, until=FOREVER, player__statistics=True)
    return rows.select_related("player").order_by("-floor", "-id")


def longest_streaks(ruleset: str) -> QuerySet[Rating]:
    """The newest rating of each player whom figures may name, the longest streak first."""
    rows = newest(ruleset).filter(longest__gt=0)
    return rows.order_by("-longest", "-id")


def history(ruleset: str, player: str) -> QuerySet[Rating]:
    """The ratings of a player of this name, month after month."""
    rows = Rating.objects.filter(ruleset=ruleset, player__key=player_key(player))
    return rows.order_by("until")


def expected(one: Rating, other: Rating) -> float:
    """How often ``one`` is expected before ``other``, equal places counted half (Glickman).

    Both deviations make it less certain: it tends to one half.
    """
    spread = (one.deviation**2 + other.deviation**2) / SCALE**2
    weight = 1 / sqrt(1 + 3 * spread / pi**2)
    return 1 / (1 + exp(-weight * (one.rating - other.rating) / SCALE))


def differences() -> Iterator[str]:
    """Each rating that differs from what its games give, as a text; changes nothing.

    A month is computed from the ratings before it, so that one at a time is in memory; what is
    still due is skipped.
    """
    rulesets = {
        *Listing.objects.order_by().values_list("ruleset", flat=True).distinct(),
        *Rating.objects.order_by().values_list("ruleset", flat=True).distinct(),
    }
    for ruleset in sorted(rulesets):
        due = RatingDue.objects.filter(ruleset=ruleset).aggregate(of=Min("month"))["of"]
        month = _next(ruleset, 1)
        while month and month < (due or FOREVER):
            yield from _unlike(ruleset, month)
            month = _next(ruleset, month + 1)
        if due is None:
            yield from _broken(ruleset)


def _unlike(ruleset: str, month: int) -> Iterator[str]:
    computed = _compute(ruleset, month)
    for row in Rating.objects.filter(ruleset=ruleset, month=month).order_by("player"):
        found = computed.pop(row.player_id, None)
        if found is None:
            yield f"rating {row}: no game is rated"
        elif not all(
            isclose(*both, rel_tol=1e-9) for both in zip(_stored(row), _values(*found), strict=True)
        ):
            yield f"rating {row}: {_stored(row)} should be {_values(*found)}"
        elif row.floor != _floor(found[0]):
            yield f"rating {row}: floor {row.floor} should be {_floor(found[0])}"
    for player in sorted(computed):
        yield f"rating {player} {ruleset} {month}: it is missing"


def _broken(ruleset: str) -> Iterator[str]:
    """Ratings that do not end where the player's next one begins."""
    rows = Rating.objects.filter(ruleset=ruleset).order_by("player", "-until")
    player, month = 0, FOREVER
    for row in rows.iterator(chunk_size=BATCH):
        due = month if row.player_id == player else FOREVER
        if row.until != due:
            yield f"rating {row}: until {row.until} should be {due}"
        player, month = row.player_id, row.month
