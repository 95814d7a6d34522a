"""Finished games as rows alone, and Glicko-2 as in its paper."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import permutations
from math import exp, log, pi, sqrt

from records.base.clock import date_range, second_of_day
from records.base.keys import player_key, record_key
from records.facts.parts import FactGame, store_facts
from records.facts.rows import COUNTED, GameRows
from records.models import Listing, Player, Record, Seat, Status, Visibility


@dataclass(frozen=True)
class Ended:
    """A finished game: names by seat with their places, and the date as written."""

    places: Sequence[tuple[str, int]]
    date: str = "2026-01-01"
    ruleset: str = "koikoi"
    number: int = 0
    time: str = ""
    status: str = Status.VERIFIED
    visibility: int = Visibility.PUBLIC


def store(game: Ended) -> int:
    """Store a game in the archive as rows; return its primary key."""
    first, last = date_range(game.date)
    identity = hashlib.sha256(repr(game).encode()).hexdigest()
    record = Record.objects.create(
        key=record_key(identity),
        identity=identity,
        ruleset=game.ruleset,
        profile=game.ruleset,
        date_from=first,
        date_to=last,
        status=game.status,
        visibility=game.visibility,
        verdict={},
        tags={"Time": game.time},
    )
    Listing.objects.create(
        record=record,
        visibility=game.visibility,
        ruleset=game.ruleset,
        profile=game.ruleset,
        status=game.status,
        day_from=first.toordinal() if first else 0,
        day_to=last.toordinal() if last else 0,
        time=second_of_day({"Time": game.time}),
    )
    seated = []
    for number, (name, place) in enumerate(game.places, start=1):
        key = player_key(name)
        player, _ = Player.objects.get_or_create(
            key=key, defaults={"name": name, "folded": name, "origin": key, "games": 1}
        )
        seated.append(player.pk)
        Seat.objects.create(
            record=record,
            number=number,
            player=player,
            name=name,
            final=-place,
            rank=place,
        )
    if record.status in COUNTED and record.visibility == Visibility.PUBLIC:
        store_facts([FactGame(record, seated, result_rows(game))])
        Record.objects.filter(pk=record.pk).update(facts=0)
    return record.pk


def result_rows(game: Ended) -> GameRows:
    """Return the rows of the results of a game."""
    rows = GameRows(game.ruleset)
    ended = game.status != Status.UNFINISHED
    ranks = [place for _name, place in game.places]
    rows.tables["games"].append((game.status, ended, 1, 0, False))
    for seat, rank in enumerate(ranks, start=1):
        end = (-rank, rank, ranks.count(rank) > 1) if ended else (None, None, None)
        rows.tables["results"].append((seat, 0, game.status, ended, *end))
    return rows


def set_visibility(pk: int, visibility: int) -> None:
    """Set the visibility of a game."""
    Listing.objects.filter(pk=pk).update(visibility=visibility)
    Record.objects.filter(pk=pk).update(visibility=visibility)


# Glicko-2 -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rated:
    """A player: rating and deviation on the usual scale, volatility."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    day: int = 0


def glicko(player: Rated, results: Sequence[tuple[Rated, float]], tau: float = 0.5) -> Rated:
    """Return the rating after a period with these opponents and results.

    Follows the steps of Glickman's "Example of the Glicko-2 system", with the root by bisection.
    """
    mu, phi = (player.rating - 1500) / 173.7178, player.deviation / 173.7178
    against = [
        ((opponent.rating - 1500) / 173.7178, opponent.deviation / 173.7178)
        for opponent, _ in results
    ]
    weights = [1 / sqrt(1 + 3 * phi_j**2 / pi**2) for _mu_j, phi_j in against]
    likely = [
        1 / (1 + exp(-g * (mu - mu_j))) for g, (mu_j, _phi_j) in zip(weights, against, strict=True)
    ]
    v = 1 / sum(g**2 * e * (1 - e) for g, e in zip(weights, likely, strict=True))
    gained = sum(g * (s - e) for g, e, (_, s) in zip(weights, likely, results, strict=True))
    delta = v * gained
    a = log(player.volatility**2)

    def slope(x: float) -> float:
        top = exp(x) * (delta**2 - phi**2 - v - exp(x))
        return top / (2 * (phi**2 + v + exp(x)) ** 2) - (x - a) / tau**2

    low, high = a - 40.0, a + 40.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    volatility = exp(low / 2)
    phi = 1 / sqrt(1 / (phi**2 + volatility**2) + 1 / v)
    return replace(
        player,
        rating=173.7178 * (mu + phi**2 * gained) + 1500,
        deviation=min(350.0, 173.7178 * phi),
        volatility=volatility,
    )


def rated_month(
    before: Mapping[str, Rated], games: Sequence[tuple[str, Mapping[str, int]]]
) -> dict[str, Rated]:
    """Return the ratings after a month of the players in it.

    Each player meets opponents with their ratings before the month. A game is its day and a number
    for each player; the larger number is ahead.
    """
    players = {name for _day, sums in games for name in sums}
    month = min(day for day, _sums in games)[:7]
    rested_ = {name: rested(before.get(name, Rated()), month) for name in players}
    results: dict[str, list[tuple[Rated, float]]] = {name: [] for name in players}
    for _day, sums in games:
        for player, opponent in permutations(sums, 2):
            score = (1 + (sums[player] > sums[opponent]) - (sums[player] < sums[opponent])) / 2
            results[player].append((rested_[opponent], score))
    days = {name: max(day for day, sums in games if name in sums) for name in players}
    return {
        name: replace(glicko(rested_[name], results[name]), day=ordinal(days[name]))
        for name in players
    }


def ordinal(day: str) -> int:
    """Return the ordinal number of a day."""
    return date.fromisoformat(day).toordinal()


def rested(player: Rated, month: str) -> Rated:
    """Return the player with a larger deviation after the months without a game."""
    if not player.day:
        return player
    last, now = date.fromordinal(player.day), date.fromisoformat(f"{month}-01")
    idle = 12 * (now.year - last.year) + now.month - last.month - 1
    phi2 = (player.deviation / 173.7178) ** 2 + idle * player.volatility**2
    return replace(player, deviation=min(350.0, 173.7178 * sqrt(phi2)))
