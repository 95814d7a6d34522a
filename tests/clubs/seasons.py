"""Random seasons of small clubs, with everything that can happen to their games."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from clubs.scoring import Entry, EntryKind, GameResult, SeatResult

BEGIN = date(2026, 4, 3)
Season = tuple[list[GameResult], list[Entry]]


def make_seat(
    player: str, final: int, rank: int, best_month: int | None = None, won: int = 0
) -> SeatResult:
    """Return the result of a seat in a game of twelve months."""
    return SeatResult(player, final, rank, best_month, won, 12)


def make_game(day: int, finals: dict[str, int], key: str = "") -> GameResult:
    """Return a game some days after `BEGIN`, with ranks by final scores."""
    seats = tuple(
        make_seat(player, final, 1 + sum(other > final for other in finals.values()))
        for player, final in finals.items()
    )
    return GameResult(key or f"g{day}", BEGIN + timedelta(days=day), seats)


def draw_season(random: Random) -> Season:
    """Return games and entries after withdrawals, corrections, and merges of players."""
    players = [f"p{number}" for number in range(random.randint(2, 8))]
    games = [_draw_game(random, players, f"g{number}") for number in range(random.randint(0, 14))]
    entries = [_draw_entry(random, [*players, "x"]) for _ in range(random.randint(0, 5))]
    for _ in range(random.randint(0, 3)):
        if games and random.random() < 0.5:
            withdrawn = games.pop(random.randrange(len(games)))
            if random.random() < 0.5:  # It is sent again, corrected.
                games.append(_draw_game(random, players, withdrawn.key))
        else:
            old, new = random.choice(players), random.choice(players)
            games = [
                game._replace(
                    seats=tuple(
                        seat._replace(player=new) if seat.player == old else seat
                        for seat in game.seats
                    )
                )
                for game in games
            ]
            entries = [
                entry._replace(player=new) if entry.player == old else entry for entry in entries
            ]
    return games, entries


def _draw_day(random: Random) -> date:
    return BEGIN + timedelta(days=14 * random.randrange(5))


def _draw_game(random: Random, players: list[str], key: str) -> GameResult:
    seats = random.sample(players, random.randint(2, min(6, len(players))))
    finals = {player: random.randint(-3, 3) * random.choice((1, 1, 7)) for player in seats}
    game = make_game(0, finals, key)._replace(day=_draw_day(random))
    return game._replace(
        seats=tuple(
            seat._replace(best_month=random.choice((None, 3, 8)), won=random.randint(0, 3))
            for seat in game.seats
        )
    )


def _draw_entry(random: Random, players: list[str]) -> Entry:
    kinds: tuple[EntryKind, ...] = ("penalty", "correction", "total")
    kind = random.choice(kinds)
    games = random.randint(0, 3) if kind == "total" else 0
    day = _draw_day(random) + timedelta(days=random.choice((0, 0, 3)))
    return Entry(random.choice(players), day, kind, random.randint(-9, 9), games)
