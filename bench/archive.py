"""An archive of any number of games, for statistics: true sums, made of thousands of games.

Some games go through the real pipeline; their rows are multiplied, and what each copy adds to the
sums is that of one of some thousand simulated and judged games, so that sums grow realistically.
All else, sums, standings, ratings, is computed by the archive's own functions.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any, Final

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.totals.layout import LAYOUT

#: Different games by ruleset. Koi-koi has more kinds of choices than all others.
DIFFERENT: Final = {
    "koikoi": 3000,
    "hachihachi": 120,
    "hachihachi-bga": 120,
    "hanaawase": 120,
    "ten-five-one": 120,
}
MODELS: Final = 8
MONTHS: Final = tuple(100 * year + month for year in (2024, 2025) for month in range(1, 13))
PLAYERS: Final = 400
EVENTS: Final = 20
#: One game in ten is the busiest player's, whose questions grow until they have played in every
#: month; the pair has so many games of koi-koi besides, however large the archive is.
BUSY, PAIR, PAIRED = "Busy", ("Left", "Right"), 60
PAIR_EVENT: Final = "Tournament 1"
BATCH: Final = 1000

Tallies = dict[str, list[str]]


def tallies(directory: Path) -> Tallies:
    """The sums that games add, as text, by ruleset; made if they do not exist."""
    kept = hashlib.sha256(repr(sorted(LAYOUT)).encode()).hexdigest()[:8]
    path = directory / f"tallies-{kept}.json"
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            found = {
                rules: list(pool.map(_tally, [rules] * count, range(count), chunksize=25))
                for rules, count in DIFFERENT.items()
            }
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(found), encoding="utf-8")
        draft.rename(path)
    made: Tallies = json.loads(path.read_text(encoding="utf-8"))
    return made


def _tally(rules: str, seed: int) -> str:
    from records.totals.tally import tally

    game = simulate(rules, seed=seed, player=("sensible", "random")[seed % 4 == 3])
    return json.dumps(tally(verify(read(write(game)), facts=True)), separators=(",", ":"))


class Archive:
    """Fills the database of this process: `grow(1000)`, then `grow(10_000)` …"""

    def __init__(self, pool: Tallies) -> None:
        """Create models and players."""
        from records.base.keys import player_key, searched
        from records.intake.receiving import Part, receive
        from records.models import Player, Record
        from records.work.worker import work_off

        self.pool, self.made = pool, 0
        self.chance = random.Random(7)
        models = (write(simulate(rules, seed=n)) for n in range(MODELS) for rules in DIFFERENT)
        text = "\n".join(models).encode()
        work_off(receive(parts=[Part("models.kafu", [text])], via="command"), lambda _: None)
        self.models: dict[str, list[Any]] = defaultdict(list)
        for record in Record.objects.select_related("listing").prefetch_related("seats"):
            self.models[record.ruleset].append(record)
        names = [BUSY, *PAIR, *(f"Player {number}" for number in range(PLAYERS))]
        Player.objects.bulk_create(
            Player(key=player_key(name), origin=player_key(name), name=name, folded=searched(name))
            for name in names
        )
        self.keys = dict(Player.objects.filter(name__in=names).values_list("name", "pk"))
        self.others = names[3:]

    def grow(self, count: int) -> None:
        """Add games up to this number, not counting the models."""
        from django.db import connection
        from django.db.models import Count

        from records.models import Player
        from records.totals import compaction, ratings

        more, pairs = count - self.made, 0 if self.made else PAIRED
        for place, month in enumerate(MONTHS):
            share = more * (place + 1) // len(MONTHS) - more * place // len(MONTHS)
            pair = pairs * (place + 1) // len(MONTHS) - pairs * place // len(MONTHS)
            self._fill(month, share, pair)
        self.made = count
        players = list(Player.objects.annotate(count=Count("seats__record", distinct=True)))
        for player in players:
            player.games = player.count
        Player.objects.bulk_update(players, ["games"], batch_size=BATCH)
        ratings.forget()
        for rules in DIFFERENT:
            while ratings.step(rules):
                pass
        while compaction.compact(60):
            pass
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")

    def _fill(self, month: int, count: int, pairs: int) -> None:
        """Games of one month, whose sums are written once."""
        from django.db import transaction

        from records.models import GameTally, Listing, Record, Seat
        from records.totals.sums_of_games import Totals, apply, game_of

        with transaction.atomic():
            totals = Totals()
            for start in range(0, count, BATCH):
                part = range(start, min(count, start + BATCH))
                copies = [self._copy(month, number < pairs) for number in part]
                Record.objects.bulk_create([record for record, *_ in copies])
                listings: list[Listing] = []
                seats: list[Seat] = []
                rows: list[GameTally] = []
                for record, listing, own, sums in copies:
                    listing.record_id = record.pk
                    listings.append(listing)
                    sat: dict[int, list[int]] = defaultdict(list)
                    for seat in own:
                        seat.record_id = record.pk
                        seats.append(seat)
                        sat[seat.player_id].append(seat.number)
                    game = game_of(record, sat, listing.event)
                    totals.count(game, sums)
                    rows.append(
                        GameTally(
                            record_id=record.pk,
                            sums=sums,
                            month=game.month,
                            event=game.event,
                            counted=True,
                        )
                    )
                Listing.objects.bulk_create(listings)
                Seat.objects.bulk_create(seats, batch_size=BATCH)
                GameTally.objects.bulk_create(rows)
            apply(totals.changes())

    def _copy(self, month: int, pair: bool) -> tuple[Any, Any, list[Any], Any]:
        """Another game like a model: record, listing, seats, not saved yet, and the sums it
        adds.
        """
        from records.base.keys import fold, record_key
        from records.models import Listing, Record, Seat

        chance = self.chance
        rules = "koikoi" if pair else chance.choice(list(DIFFERENT))
        model = chance.choice(self.models[rules])
        day = date(month // 100, month % 100, 1 + chance.randrange(28))
        number = MONTHS.index(month)
        event = f"Tournament {(number + chance.randrange(2)) % EVENTS}" * (chance.random() < 0.7)
        identity = hashlib.sha256(chance.randbytes(16)).hexdigest()
        record = Record(
            **_values(model)
            | {
                "id": None,
                "identity": identity,
                "key": record_key(identity),
                "change_id": None,  # as one that mirrors have long had, each in its time
                "event": PAIR_EVENT if pair else event,
                "date": day.isoformat(),
                "date_from": day,
                "date_to": day,
                "options": "months=6" * (rules == "koikoi" and chance.random() < 0.1),
            }
        )
        days = {"day_from": day.toordinal(), "day_to": day.toordinal()}
        listing = Listing(**_values(model.listing) | {"event": fold(record.event), **days})
        own = [Seat(**_values(seat) | {"id": None}) for seat in model.seats.all()]
        names = list(PAIR) if pair else chance.sample(self.others, len(own))
        if not pair and chance.random() < 0.1:
            names[chance.randrange(len(own))] = BUSY
        for seat, name in zip(own, names, strict=True):
            seat.name, seat.player_id = name, self.keys[name]
        return record, listing, own, json.loads(chance.choice(self.pool[rules]))


def _values(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def questions() -> Iterator[tuple[str, str, dict[str, str]]]:
    """The benchmarked questions: a name, the resource, its parameters."""
    from records.statistics.registry import FIGURES

    for id, figure in FIGURES.items():
        rules = "koikoi" if "koikoi" in figure.rulesets else figure.rulesets[0]
        query = {"ruleset": rules}
        if id in ("compare", "rating", "form", "strengths", "calendar"):
            query["player"] = PAIR[0]
        if id in ("players", "ratings"):
            query["games_min"] = "1"  # a page of 50 at any size
        if id == "versus":
            query |= {"player": PAIR[0], "opponent": PAIR[1]}
        yield id, id, query
    year = {"from": "2025", "to": "2025"}
    narrowed: dict[str, dict[str, str]] = {
        "a year": year,
        "options": {"option": "months=6"},
        "event": {"event": PAIR_EVENT},
        "player": {"player": PAIR[0]},
        "busiest player": {"player": BUSY},
        "player and opponent": {"player": PAIR[0], "opponent": PAIR[1]},
        "player at an event": {"player": PAIR[0], "event": PAIR_EVENT},
        "last 100": {"last": "100"},
    }
    for name, filters in narrowed.items():
        for id in ("seats", "decisions"):
            yield f"{id}, {name}", id, {"ruleset": "koikoi", **filters}
    for id in ("form", "strengths", "calendar", "bests"):
        yield f"{id}, busiest player", id, {"ruleset": "koikoi", "player": BUSY}
    yield "decisions, by all", "decisions", {"ruleset": "koikoi", "by": "yaku,left,opp"}
    yield "decisions, narrowed", "decisions", {"ruleset": "koikoi", "yaku": "akatan", "left": "4"}
