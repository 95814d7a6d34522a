"""Ratings, computed month by month from the facts of games, with one pool of players per ruleset.

Rated games are public, of legal status, complete, and dated at least to the month. A calendar
month is a rating period: the games of a month count together, in no order.

`RatedGames` has a digest of the rated games of each month. A job computes the earliest month with
another digest from the ratings before it, in a separate transaction. If ratings changed, the later
months are then due. After a crash the next run continues.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import timedelta
from itertools import groupby
from math import exp, isclose, pi, sqrt
from operator import itemgetter
from typing import Final

from django.db import connection, transaction
from django.db.models import Min, QuerySet

from kafu.rules.rulesets import RULESETS
from records.base import clock
from records.base.bulk import insert_rows, slices, update_rows
from records.base.keys import player_key
from records.facts.current import current_snapshot
from records.facts.snapshot import Snapshot
from records.jobs.enqueue import enqueue
from records.jobs.ledger import finish, heartbeat, hold, put_off, uploads_are_open
from records.models import Job, RatedGames, Rating, Status
from records.models.facts import FOREVER, PROVISIONAL, SURE
from records.privacy import revisions
from records.statistics.rating import RatingState

BATCH: Final = 500
#: The kind of the jobs; the subject of a job is a ruleset.
RATINGS: Final = "ratings"
#: The time after which a job begins no further month.
TURN_SECONDS: Final = 0.5
#: The pause between two computations while uploads are being read.
WAIT: Final = timedelta(seconds=10)
RATED: Final = (Status.VERIFIED, Status.CONSISTENT, Status.MISMATCH)
_RATED_SQL: Final = "ended AND rank IS NOT NULL AND played % 100 > 0 AND status IN ({})".format(
    ", ".join(f"'{status.value}'" for status in RATED)
)
#: `RatedGames.month` of the row with the key of the last snapshot that is rated completely.
_COMPLETE: Final = 0
#: The digest of a month that is due because earlier ratings changed.
_DUE: Final = "due"
#: Points of the usual scale per point of Glicko-2's internal scale.
SCALE: Final = 173.7178
#: The columns of the fields of `RatingState`, and all computed columns.
_STATE: Final = (
    *("rating", "deviation", "volatility", "day", "rated"),
    *("streak", "longest", "longest_game"),
)
_COLUMNS: Final = (*_STATE, "games", "standing")
#: The state of a player without a rated game; only its streaks are used.
_NEW: Final = RatingState(0, 0, 0, 0, 0)


# Due months ---------------------------------------------------------------------------------------


def read_digests(snapshot: Snapshot, ruleset: str) -> dict[int, str]:
    """Return a digest of the rated games of each month."""
    with snapshot.open_cursor() as cursor:
        rows = cursor.execute(
            f"""
            SELECT played, concat_ws(' ', count(*), sum(game), bit_xor(hash(game, revision)))
            FROM {snapshot.source("results", [ruleset])} WHERE {_RATED_SQL} GROUP BY played
            """
        ).fetchall()
    return dict(rows)


def find_due_month(snapshot: Snapshot, ruleset: str) -> tuple[int, str] | None:
    """Return the earliest month whose ratings are due and the digest of its games, or None.

    The digest is empty for a month without games.
    """
    digests = read_digests(snapshot, ruleset)
    computed = dict(
        RatedGames.objects.filter(ruleset=ruleset, month__gt=0).values_list("month", "digest")
    )
    months = (month for month in {*digests, *computed} if digests.get(month) != computed.get(month))
    due = min(months, default=None)
    return None if due is None else (due, digests.get(due, ""))


def forget() -> None:
    """Make all ratings due."""
    RatedGames.objects.all().delete()
    for ruleset, month in Rating.objects.order_by().values_list("ruleset", "month").distinct():
        RatedGames.objects.create(ruleset=ruleset, month=month, digest=_DUE)


def is_due(ruleset: str) -> bool:
    """Return whether facts changed since the ratings of a ruleset were complete."""
    complete = RatedGames.objects.filter(ruleset=ruleset, month=_COMPLETE)
    return complete.values_list("digest", flat=True).first() != current_snapshot().key_of(ruleset)


def schedule() -> None:
    """Enqueue a job for each ruleset that may be due; while uploads are open, only after `WAIT`."""
    complete = {
        ruleset: (digest, changed)
        for ruleset, digest, changed in RatedGames.objects.order_by()
        .filter(month=_COMPLETE)
        .values_list("ruleset", "digest", "changed")
    }
    snapshot = current_snapshot()
    played = {ruleset for ruleset, *_ in snapshot.parts}
    due = [
        ruleset
        for ruleset in sorted(played | complete.keys())
        if ruleset not in complete or complete[ruleset][0] != snapshot.key_of(ruleset)
    ]
    if due and uploads_are_open():
        latest = clock.now() - WAIT
        due = [
            ruleset for ruleset in due if ruleset not in complete or complete[ruleset][1] <= latest
        ]
    for ruleset in due:
        enqueue(RATINGS, ruleset)


def run(job: Job) -> None:
    """Compute months of a ruleset for a turn. Raises `records.jobs.ledger.LeaseLost`."""
    end = time.monotonic() + TURN_SECONDS
    snapshot = current_snapshot()
    months = job.progress
    is_complete = False
    while time.monotonic() < end and not is_complete:
        is_complete = not step(job.subject, snapshot)
        months += not is_complete
        heartbeat(job, months)
    with transaction.atomic():
        held = hold(job)
        if is_complete:
            RatedGames.objects.update_or_create(
                ruleset=job.subject,
                month=_COMPLETE,
                defaults={"digest": snapshot.key_of(job.subject), "changed": clock.now()},
            )
            finish(held)
        else:
            put_off(held)


def step(ruleset: str, snapshot: Snapshot | None = None) -> bool:
    """Compute the next due month of a ruleset; return False if no month is due."""
    snapshot = snapshot or current_snapshot()
    due = find_due_month(snapshot, ruleset)
    if due is None:
        return False
    month, digest = due
    before = _read_state(ruleset)
    computed = _compute(snapshot, ruleset, month)
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                # Readers are not blocked.
                cursor.execute(f"LOCK TABLE {Rating._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")
        if _read_state(ruleset) != before:
            return True  # Another process computed a month meanwhile.
        if _write(ruleset, month, computed):
            later = RatedGames.objects.filter(ruleset=ruleset, month__gt=month)
            later.update(digest=_DUE)
        if digest:
            RatedGames.objects.update_or_create(
                ruleset=ruleset, month=month, defaults={"digest": digest, "changed": clock.now()}
            )
        else:
            RatedGames.objects.filter(ruleset=ruleset, month=month).delete()
        revisions.advance(ruleset)
    return True


def _read_state(ruleset: str) -> list[tuple[int, str]]:
    """Return the digest of the games from which each month was computed."""
    rows = RatedGames.objects.filter(ruleset=ruleset, month__gt=0).order_by("month")
    return list(rows.values_list("month", "digest"))


# Computing ----------------------------------------------------------------------------------------


def _compute(snapshot: Snapshot, ruleset: str, month: int) -> dict[int, Rating]:
    """Return the ratings of a month by player, as unsaved rows."""
    from records.statistics.glicko import RatedMonth  # noqa: PLC0415 - brings SciPy

    games = list(_read_games(snapshot, ruleset, month))
    players = sorted({player for _game, _day, _sheet, places in games for player in places})
    before = _read_before(ruleset, month, players)
    rated = RatedMonth()
    streaks = {player: before.get(player, _NEW) for player in players}
    for player in players:
        rated.join(player, before.get(player))
    for game, day, is_sheet, places in games:
        rated.play(day, places)
        if not is_sheet:  # The sums of a sheet cannot be replayed.
            winners = [player for player, place in places.items() if place == 1]
            for player in places:
                streaks[player] = streaks[player].after(game, won=winners == [player])
    return {
        player: _make_row(replace(state, **_streaks(streaks[player])), count)
        for player, state, count in rated.states()
    }


def _make_row(state: RatingState, games: int) -> Rating:
    floor = round(100 * (state.rating - 2 * state.deviation))
    standing = floor + (PROVISIONAL if state.deviation > SURE else 0)
    values = dict(zip(_STATE, astuple(state), strict=True))
    return Rating(**values, games=games, standing=standing)


def _read_games(
    snapshot: Snapshot, ruleset: str, month: int
) -> Iterator[tuple[int, int, bool, dict[int, int]]]:
    """Yield the rated games of a month by time: id, day, is a sheet, place by player.

    A player with several seats is rated by the first seat. A game needs two players.
    """
    with snapshot.open_cursor() as cursor:
        rows = cursor.execute(
            f"""
            SELECT game, day, sheet, player, rank
            FROM {snapshot.source("results", [ruleset])} WHERE {_RATED_SQL} AND played = $month
            ORDER BY day, coalesce("time", 0), game, seat
            """,
            {"month": month},
        ).fetchall()
    for (game, day, is_sheet), seats in groupby(rows, key=itemgetter(0, 1, 2)):
        places: dict[int, int] = {}
        for *_game, player, rank in seats:
            places.setdefault(player, rank)
        if len(places) >= 2:
            yield game, day, is_sheet, places


def _streaks(state: RatingState) -> dict[str, int]:
    return {name: getattr(state, name) for name in ("streak", "longest", "longest_game")}


def _read_before(ruleset: str, month: int, players: Sequence[int]) -> dict[int, RatingState]:
    """Return the state of each of the players before a month."""
    return {
        row[0]: RatingState(*row[1:])
        for part in _slices(players)
        for row in _filter_valid(ruleset, month, part).values_list("player", *_STATE)
    }


def _filter_valid(ruleset: str, month: int, players: Sequence[int]) -> QuerySet[Rating]:
    """Return the ratings of players as of the beginning of a month."""
    return Rating.objects.order_by().filter(
        ruleset=ruleset, player__in=players, until__gte=month, month__lt=month
    )


def _slices(players: Iterable[int]) -> Iterator[Sequence[int]]:
    return slices(sorted(players), BATCH)


# Writing ------------------------------------------------------------------------------------------


def _write(ruleset: str, month: int, computed: Mapping[int, Rating]) -> bool:
    """Write the rows of a month; return whether any row changed."""
    stored = {row.player_id: row for row in Rating.objects.filter(ruleset=ruleset, month=month)}
    gone = [row for player, row in stored.items() if player not in computed]
    new = [player for player in computed if player not in stored]
    changed = [
        (*_list_values(row), stored[player].pk)
        for player, row in computed.items()
        if player in stored and _list_values(row) != _list_values(stored[player])
    ]
    _remove(ruleset, month, gone)
    now = connection.ops.adapt_datetimefield_value(clock.now())
    update_rows(Rating, ("changed", *_COLUMNS), ((now, *values) for values in changed))
    until = _insert_between(ruleset, month, new)
    insert_rows(
        Rating,
        ("player_id", "ruleset", "month", "until", "changed", *_COLUMNS),
        (
            (player, ruleset, month, until[player], now, *_list_values(computed[player]))
            for player in new
        ),
    )
    return bool(gone or new or changed)


def _list_values(row: Rating) -> tuple[float, ...]:
    """Return the values of `_COLUMNS`."""
    return tuple(getattr(row, name) for name in _COLUMNS)


def _remove(ruleset: str, month: int, rows: Sequence[Rating]) -> None:
    """Remove ratings of a month and extend the validity of the ratings before them."""
    until = {row.player_id: row.until for row in rows}
    for part in _slices(until):
        ratings = Rating.objects.filter(ruleset=ruleset, player__in=part)
        ratings.filter(month=month).delete()
        last = ratings.filter(until=month).values_list("pk", "player")
        update_rows(Rating, ("until",), [(until[player], pk) for pk, player in last])


def _insert_between(ruleset: str, month: int, players: Sequence[int]) -> dict[int, int]:
    """End the ratings of players with a month; return the end of the new ones by player."""
    until: dict[int, int] = {}
    for part in _slices(players):
        ratings = Rating.objects.order_by().filter(
            ruleset=ruleset, player__in=part, month__gt=month
        )
        later = dict(ratings.values_list("player").annotate(Min("month")))
        until |= {player: later.get(player, FOREVER) for player in part}
        _filter_valid(ruleset, month, part).update(until=month)
    return until


# Reading ------------------------------------------------------------------------------------------


def newest(ruleset: str) -> QuerySet[Rating]:
    """Return the newest rating of each player whom figures may name, best first.

    Provisional ratings come last.
    """
    rows = Rating.objects.filter(ruleset=ruleset, until=FOREVER, player__statistics=True)
    return rows.select_related("player").order_by("-standing", "-id")


def longest_streaks(ruleset: str) -> QuerySet[Rating]:
    """Return the newest rating of each player whom figures may name, longest streak first."""
    rows = newest(ruleset).filter(longest__gt=0)
    return rows.order_by("-longest", "-id")


def history(ruleset: str, player: str) -> QuerySet[Rating]:
    """Return the ratings of the player of a name, month after month."""
    rows = Rating.objects.filter(ruleset=ruleset, player__key=player_key(player))
    return rows.order_by("until")


def expected(player: Rating, opponent: Rating) -> float:
    """Return the expected rate of games in which a player finishes before an opponent (Glickman).

    Equal places count half. With larger deviations the rate is nearer to one half.
    """
    spread = (player.deviation**2 + opponent.deviation**2) / SCALE**2
    weight = 1 / sqrt(1 + 3 * spread / pi**2)
    return 1 / (1 + exp(-weight * (player.rating - opponent.rating) / SCALE))


def differences() -> Iterator[str]:
    """Yield a text for each rating that differs from a new computation, without writing.

    Each month is computed from the stored ratings before it, so only one month is in memory. The
    first due month and all later months are skipped.
    """
    snapshot = current_snapshot()
    for ruleset in RULESETS:
        due = find_due_month(snapshot, ruleset)
        rated = Rating.objects.filter(ruleset=ruleset).order_by()
        months = {*read_digests(snapshot, ruleset), *rated.values_list("month", flat=True)}
        for month in sorted(months):
            if due is None or month < due[0]:
                yield from _find_unlike(snapshot, ruleset, month)
        if due is None:
            yield from _find_broken(ruleset)


def _find_unlike(snapshot: Snapshot, ruleset: str, month: int) -> Iterator[str]:
    computed = _compute(snapshot, ruleset, month)
    for row in Rating.objects.filter(ruleset=ruleset, month=month).order_by("player"):
        expected_row = computed.pop(row.player_id, None)
        if expected_row is None:
            yield f"rating {row}: no game is rated"
            continue
        for name in _COLUMNS:
            value, right = getattr(row, name), getattr(expected_row, name)
            if not isclose(value, right, rel_tol=1e-9):
                yield f"rating {row}: {name} {value} should be {right}"
    for player in sorted(computed):
        yield f"rating {player} {ruleset} {month}: it is missing"


def _find_broken(ruleset: str) -> Iterator[str]:
    """Yield a text for each rating that does not end where the player's next rating begins."""
    rows = Rating.objects.filter(ruleset=ruleset).order_by("player", "-until")
    player, month = 0, FOREVER
    for row in rows.iterator(chunk_size=BATCH):
        due = month if row.player_id == player else FOREVER
        if row.until != due:
            yield f"rating {row}: until {row.until} should be {due}"
        player, month = row.player_id, row.month
