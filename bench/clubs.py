"""Times of the pages of a large club, one of many.

    PYTHONPATH=kafu/tests python -m bench.clubs [--postgres] [games]

Inserts 500 clubs, of which one has 10,000 members and 100,000 games in 20 seasons, a tenth of them
private. Prints milliseconds of each page for a visitor: wall time without any cached figures, with
the CPU time of this process and of PostgreSQL (on Linux), and wall time of the cached page; then
wall time for a member, whose pages are not cached, with cached figures. docs/clubs.md has the
table.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from copy import copy
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

from bench.corpus import table
from bench.sites import temporary_archive

CLUBS: Final = 500
MEMBERS: Final = 10_000
SEASONS: Final = 20
SEATS: Final = 3
#: Rows of a statement.
BATCH: Final = 2000
KEY: Final = "club-0"


def fill(count: int) -> tuple[Any, str]:
    """Insert the clubs; return the founder and the key of the last season."""
    from clubs import clubs
    from clubs.models import Club, Member, MemberName, Role, Season
    from records.base.keys import player_key, random_key
    from records.models import Player
    from tests.people.world import sent, user

    founder = user("founder")
    Club.objects.bulk_create(Club(key=f"club-{i}", name=f"Club {i}") for i in range(1, CLUBS))
    club = clubs.found(founder.pk, key=KEY, name="Club 0", player="Founder")
    names = [f"Player {number}" for number in range(MEMBERS - 1)]
    keys = [player_key(name) for name in names]
    Player.objects.bulk_create(
        Player(key=random_key(), name=name, folded=name.lower(), games=30, origin=key)
        for name, key in zip(names, keys, strict=True)
    )
    Member.objects.bulk_create(Member(club=club, name=name, role=Role.MEMBER) for name in names)
    members = Member.objects.filter(club=club, role=Role.MEMBER).order_by("pk")
    MemberName.objects.bulk_create(
        MemberName(club=club, member=member, key=key, name=member.name)
        for member, key in zip(members, keys, strict=True)
    )
    year = date.today().year
    seasons = [
        Season(
            club=club,
            name=str(year - number),
            ruleset="koikoi",
            first=date(year - number, 1, 1),
            last=date(year - number, 12, 31),
        )
        for number in range(SEASONS)
    ]
    Season.objects.bulk_create(seasons)
    sent(_game_text(), owner=founder)
    _insert_games(club, founder, seasons, count)
    return founder, seasons[0].key


def _game_text() -> str:
    from tests.records.makers import text

    return text(1)


def _insert_games(club: Any, founder: Any, seasons: list[Any], count: int) -> None:
    """Copy the stored game with results of other players."""
    from clubs.models import ClubGame
    from records.base.keys import random_key
    from records.models import Listing, Ownership, Player, Record, Seat, Upload, Visibility

    model, upload = Record.objects.get(), Upload.objects.get()
    listing, seat = model.listing, model.seats.all()[0]
    players = list(Player.objects.filter(name__startswith="Player ").only("pk", "name"))
    random = Random(1)

    def copy_row(row: Any, **values: Any) -> Any:
        copied = copy(row)
        for name, value in values.items():
            setattr(copied, name, value)
        return copied

    def insert(size: int, after: int) -> None:
        games = [
            copy_row(
                model,
                pk=after + number,
                key=random_key(),
                identity=f"{after + number:064x}",
                first_deal=None,
                visibility=Visibility.PRIVATE if number % 10 == 0 else Visibility.PUBLIC,
            )
            for number in range(1, size + 1)
        ]
        rows: dict[Any, list[Any]] = {Record: games, Listing: [], Seat: [], Ownership: []}
        rows[ClubGame] = []
        for game in games:
            season = seasons[game.pk % SEASONS]
            day = season.first + timedelta(days=7 * random.randrange(52))
            day = min(day, max(season.first, date.today()))
            rows[Listing].append(copy_row(listing, record=game, visibility=game.visibility))
            rows[Ownership].append(
                Ownership(record=game, owner=founder, visibility=game.visibility)
            )
            club_game = ClubGame(club=club, record=game, sender=founder, ruleset="koikoi", day=day)
            rows[ClubGame].append(club_game)
            finals = [random.randrange(-40, 40) for _seat in range(SEATS)]
            for number, player in enumerate(random.sample(players, SEATS), start=1):
                final = finals[number - 1]
                rows[Seat].append(
                    copy_row(
                        seat,
                        pk=None,
                        record=game,
                        number=number,
                        player=player,
                        name=player.name,
                        final=final,
                        rank=1 + sum(other > final for other in finals),
                        best=abs(final),
                        won=1,
                    )
                )
        for kind, created in rows.items():
            kind.objects.bulk_create(created)

    assert upload is not None
    for after in range(model.pk, model.pk + count, BATCH):
        insert(min(BATCH, model.pk + count - after), after)


def measure(client: Any, path: str) -> list[float]:
    """Return the milliseconds of a request by each clock."""
    begin = read_clocks()
    response = client.get(path, headers={"Accept-Language": "en"})
    body = response.content
    assert response.status_code == 200 and body, (path, response.status_code)
    return [1000 * (end - start) for start, end in zip(begin, read_clocks(), strict=True)]


def read_clocks() -> tuple[float, float, float]:
    """Return seconds: wall time, CPU time of this process, and of its server of PostgreSQL."""
    from django.db import connection

    server = 0.0
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        pid = connection.connection.info.backend_pid
        server = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    return time.perf_counter(), time.process_time(), server


def rows_of(founder: Any, season: str) -> Iterator[list[str]]:
    """Yield the figures of each page."""
    from django.core.cache import cache, caches
    from django.test import Client

    from tests.people.world import session

    club, api = f"/clubs/{KEY}/", f"/api/v1/clubs/{KEY}"
    paths = {
        "clubs": "/clubs/",
        "club": club,
        "members": f"{club}members/",
        "games": f"{club}games/",
        "seasons": f"{club}seasons/",
        "season": f"{club}seasons/{season}/",
        "evenings": f"{club}evenings/",
        "API: club": api,
        "API: members": f"{api}/members",
        "API: games": f"{api}/games",
        "API: standings": f"{api}/seasons/{season}/standings",
    }
    visitor, member = Client(), session(founder)
    for client in (visitor, member):
        client.defaults["SERVER_NAME"] = "127.0.0.1"
    for name, path in paths.items():
        measure(visitor, path)  # templates and modules are loaded
        caches["responses"].clear()
        cache.clear()
        cold = measure(visitor, path)
        cached = min(measure(visitor, path)[0] for _ in range(5))
        measure(member, path)
        for_member = min(measure(member, path)[0] for _ in range(3))
        yield [name, *(f"{value:.1f}" for value in (*cold, cached, for_member))]


def main() -> None:
    """Fill an archive and print the table."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    with temporary_archive(on_postgres="--postgres" in sys.argv):
        from django.db import connection

        founder, season = fill(numbers[0] if numbers else 100_000)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        print(
            table(
                ["page", "cold", "CPU", "server", "cached", "member"],
                list(rows_of(founder, season)),
            )
        )


if __name__ == "__main__":
    main()
