"""Speed of insights, depending on the number of games, and what the copy of their facts takes.

    python -m bench.insights [--sizes 1000 10000 100000] [--runs 15] [--only sqlite]

The archives are those of `bench.statistics`, asked in turns. Of the games in them the facts are
those of some hundred simulated and judged ones, with the players, dates, houses and events that the
archive has; the copy and its sums are written by its own functions. Each question is asked without
an ETag and with nothing kept but columns in memory, by Django's test client. Prints tables in
Markdown.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import django

from bench import grown
from bench.grown import Question
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

#: Different games by ruleset, at their smallest table, as the archive's.
DIFFERENT: Final = 120
BATCH: Final = 2_000


def pool(directory: Path) -> dict[str, list[dict[str, Any]]]:
    """Facts by ruleset, a game each: lists of numbers by column, and the names that these are of.

    Players are numbers of seats.
    """
    from bench.archive import DIFFERENT as RULESETS
    from records.insights.blocks import COLUMNS

    kept = hashlib.sha256(repr(COLUMNS).encode()).hexdigest()[:8]
    path = directory / f"facts-{kept}.json"
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(os.cpu_count()) as workers:
            found = {
                rules: list(workers.map(_facts, [rules] * DIFFERENT, range(DIFFERENT)))
                for rules in RULESETS
            }
        path.write_text(json.dumps(found), encoding="utf-8")
    made: dict[str, list[dict[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
    return made


def _facts(rules: str, seed: int) -> dict[str, Any]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")
    django.setup()
    from records.insights.facts import About, add
    from records.insights.names import Numbering

    class Numbers(Numbering):
        """Numbers of names of one game."""

        def __init__(self) -> None:
            self._known, self._last, self._fresh = {}, {}, []

    game = simulate(rules, seed=seed, player=("sensible", "random")[seed % 4 == 3])
    players = range(1, len(game.players) + 1)
    lists: defaultdict[str, list[int]] = defaultdict(list)
    known = Numbers()
    add(lists, About(0, players, "", "", 0, None, ""), verify(read(write(game)), facts=True), known)
    return {"lists": lists, "names": [(*one, number) for one, number in known._known.items()]}


class Copy:
    """The copy of the facts of an archive: `follow` takes in the games that came since."""

    def __init__(self, found: dict[str, list[dict[str, Any]]]) -> None:
        """Number the names of the pool."""
        import numpy as np

        from records.insights.blocks import block
        from records.insights.names import HAND, YAKU_SET, Numbering

        self.names, self.last, self.chance = Numbering(), 0, random.Random(3)
        self.blocks: dict[str, list[Any]] = defaultdict(list)
        for rules, games in found.items():
            for one in games:
                columns = block({name: one["lists"].get(name, []) for name in _columns()})
                for kind, of in ((HAND, ("hand",)), (YAKU_SET, ("yaku", "held"))):
                    place = np.zeros(200, np.int64)
                    for of_kind, text, number in one["names"]:
                        if of_kind == kind:
                            place[number] = self.names.number(kind, text)
                    columns |= {name: place[columns[name]] for name in of}
                self.blocks[rules].append(columns)

    def follow(self) -> None:
        """Take in all games that came since."""
        from django.db import connection, transaction
        from django.db.models import Max

        from records.insights import bands, following, sums
        from records.insights.bands import Bands
        from records.insights.blocks import empty, joined
        from records.models import GameChange, Record
        from records.store.changes import publish

        known: dict[str, Bands] = {}
        while True:
            rows = Record.objects.filter(pk__gt=self.last).order_by("pk").defer("text", "verdict")
            games = list(rows[:BATCH])
            if not games:
                break
            by_rules: dict[str, list[Any]] = defaultdict(list)
            for record, players in self._seated(games):
                by_rules[record.ruleset].append(self._copied(record, players))
            with transaction.atomic():
                self.names.write()
                for rules, some in by_rules.items():
                    added = joined(some)
                    if rules not in known:
                        known[rules] = Bands(rules)
                    added |= known[rules].of_block(added)
                    following._append(rules, added)
                    sums.change(rules, added, empty(), self.names.members())
            self.last = games[-1].pk
        publish()
        with transaction.atomic():
            row = following._locked()
            row.number = GameChange.objects.aggregate(last=Max("number"))["last"]
            row.game, row.rated = self.last, bands.stamp()
            following._save(row)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")

    def _seated(self, games: Sequence[Any]) -> Iterator[tuple[Any, list[int]]]:
        from records.models import Seat

        seats: dict[int, list[int]] = defaultdict(list)
        sat = Seat.objects.filter(record__in=[one.pk for one in games])
        for pk, player in sat.order_by("record", "number").values_list("record", "player"):
            seats[pk].append(player)
        for record in games:
            yield record, seats[record.pk]

    def _copied(self, record: Any, players: list[int]) -> Any:
        import numpy as np

        from records.insights.facts import date_code, house_of
        from records.insights.names import EVENT, HOUSE
        from records.totals.scopes import month_of

        of = self.chance.choice(self.blocks[record.ruleset])
        facts = len(of["game"])
        seats = np.array([0, *players, *[players[0]] * 7], np.int64)
        values = {
            "game": record.pk,
            "date": date_code(month_of(record.date_from, record.date_to)),
            "house": self.names.number(HOUSE, house_of(record.profile, record.options)),
            "event": self.names.number(EVENT, record.event),
            "hour": self.chance.randrange(1, 25),
        }
        return {
            **of,
            **{name: np.full(facts, value) for name, value in values.items()},
            "player": seats[of["player"]],
            "opponent": seats[of["opponent"]],
        }


def _columns() -> Sequence[str]:
    from records.insights.blocks import COLUMNS

    return COLUMNS


def questions() -> Iterator[Question]:
    """The benchmarked questions."""
    for name, query in _questions():
        yield Question(name, "insights", query)


def _questions() -> Iterator[tuple[str, dict[str, str]]]:
    from bench.archive import BUSY, PAIR, PAIR_EVENT

    koikoi = {"ruleset": "koikoi"}
    won = {**koikoi, "metric": "win_rate"}
    yield "score, in all", koikoi
    yield "win rate by seat and dealer", {**won, "by": "seat", "by2": "dealer"}
    yield "score by month and dealer", {**koikoi, "by": "month", "by2": "dealer"}
    yield (
        "koi-koi by yaku held and cards left",
        {**koikoi, "metric": "play_on_rate", "by": "held", "by2": "left"},
    )
    yield "gain by yaku held", {**koikoi, "metric": "gain", "by": "held"}
    yield "win rate by both ratings", {**won, "by": "rating", "by2": "opponent_rating"}
    yield "score by year and month, house", {**koikoi, "by": "date", "by2": "house"}
    yield (
        "length by month, hachihachi",
        {"ruleset": "hachihachi", "metric": "length", "by": "month", "by2": "grade"},
    )
    yield "win rate by ruleset and dealer", {"metric": "win_rate", "by": "ruleset", "by2": "dealer"}
    yield "score by dealer, a year", {**koikoi, "by": "dealer", "from": "2025", "to": "2025"}
    yield "score by dealer, options", {**koikoi, "by": "dealer", "option": "months=6"}
    yield (
        "counted: month and dealer, a year",
        {**koikoi, "by": "month", "by2": "dealer", "from": "2025", "to": "2025"},
    )
    yield (
        "a yaku's rate by dealer",
        {**koikoi, "metric": "yaku_rate", "yaku": "akatan", "by": "dealer"},
    )
    yield "score by opponent, 50 rows", {**koikoi, "by": "opponent", "page_size": "50"}
    yield "counted: player by month", {**koikoi, "by": "month", "player": PAIR[0]}
    yield "counted: busiest player by month", {**koikoi, "by": "month", "player": BUSY}
    yield (
        "counted: month and dealer, event",
        {**koikoi, "by": "month", "by2": "dealer", "event": PAIR_EVENT},
    )
    yield (
        "counted: month and yaku, a seat",
        {**koikoi, "by": "month", "by2": "yaku", "seat": "1"},
    )
    yield (
        "counted: koi-koi by yaku held and cards left, a year",
        {**won, "metric": "play_on_rate", "by": "held", "by2": "left", "from": "2025"},
    )
    yield (
        "counted: a yaku's rate by month and dealer",
        {**koikoi, "metric": "yaku_rate", "yaku": "akatan", "by": "month", "by2": "dealer"},
    )
    yield (
        "counted: busiest player by ruleset and dealer",
        {"metric": "win_rate", "by": "ruleset", "by2": "dealer", "player": BUSY},
    )
    yield (
        "counted: month and dealer, last 100",
        {**koikoi, "by": "month", "by2": "dealer", "last": "100"},
    )


def taken() -> dict[str, int]:
    """Bytes of facts and of sums."""
    from django.db.models import Sum
    from django.db.models.functions import Length

    from records.models import InsightColumn, InsightPart, InsightSums

    return {
        "facts": InsightPart.objects.aggregate(all=Sum("size"))["all"],
        "columns": InsightColumn.objects.aggregate(all=Sum(Length("data")))["all"],
        "sums": InsightSums.objects.aggregate(all=Sum(Length("data")))["all"],
    }


def build(size: int, directory: Path) -> str:
    """An archive of so many games, and the copy of their facts."""
    from bench.archive import Archive, tallies

    Archive(tallies(directory)).grow(size)
    Copy(pool(directory)).follow()
    took = taken()
    return (
        f"{took['facts']:,} facts, {took['columns'] / size:,.0f} bytes of columns and "
        f"{took['sums'] / size:,.0f} of sums a game"
    )


if __name__ == "__main__":
    grown.main(grown.Bench("bench.insights", __doc__ or "", 15, build, questions))
