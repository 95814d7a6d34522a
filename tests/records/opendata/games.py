"""An archive with a bit of everything for dumps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.facts.parts import make_batches, write_parts
from records.facts.refresh import judge_games, outdate, replace_facts
from records.models import Player, Problem, Record, Visibility
from records.opendata import notebook
from records.services.pseudonyms import set_pseudonym
from tests.people.world import sent, user
from tests.records.makers import illegal, ingest, joined, simulate_months, text, with_wrong_score
from tests.records.problems import store_some
from tests.records.statistics.naive.losses import analysed

SHEET = """[Kafu "1"]
[Rules "hachihachi"]
[Player1 "Aya"]
[Player2 "Ben"]
[Player3 "Chie"]
[Sheet "1"]
[Termination "unfinished"]

month 1 dealer 1
ba small
pay points 1 +60 2 -52 3 -8
stone 1
"""
#: A sheet of which no month is over.
NOT_BEGUN = SHEET.partition("month 1")[0].replace("hachihachi", "hanaawase") + "month 1 dealer 1\n"
#: Unusual names.
HOSTILE = ("'; DROP TABLE games;--", 'a,"b"\t{}', "=HYPERLINK(1)", "../../etc/passwd", "花子\u202e")
TABLES = ("hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one")


def fill() -> None:
    """Store games of every ruleset, verdict and visibility.

    A player has a pseudonym, another has opted out of statistics, and a game has stale facts. A
    public and a private game have problems. The games of both players and an unlisted game are
    analysed.
    """
    games_of_hostile_names = [
        text(seed).replace('"Aya"', _quoted(name)) for seed, name in enumerate(HOSTILE, start=30)
    ]
    ingest(
        joined(
            *(text(seed) for seed in range(1, 5)),
            *(write(simulate(rules, seed=3)) for rules in TABLES),
            write(simulate("hachihachi-bga", seed=2, players=4)),
            cut_off(),
            *games_of_hostile_names,
            with_wrong_score(10),
            illegal(11),
            NOT_BEGUN,
            SHEET,
            text(20).replace('"Aya"', '"Hanako Yamada"'),
            text(21).replace('"Ben"', '"Taro Suzuki"').replace('"Aya"', '"Uma"'),
        )
    )
    owner = user("owner")
    for seed, level in ((40, Visibility.PRIVATE), (41, Visibility.UNLISTED)):
        sent(text(seed).replace("Aya", "Secret"), owner=owner, visibility=level)
    sent(text(42).replace("Aya", "Secret"), owner=owner)
    Record.objects.filter(seats__name="Secret", visibility=Visibility.PUBLIC).update(
        visibility=Visibility.WITHDRAWN
    )
    names = Q(seats__name__in=("Hanako Yamada", "Taro Suzuki"))
    for record in Record.objects.filter(names | Q(visibility=Visibility.UNLISTED)):
        analysed(record, len(record.players), Random(record.pk))
    for record in (
        Record.objects.earliest("pk"),
        Record.objects.get(visibility=Visibility.PRIVATE),
    ):
        first, _second = store_some(record, 2)
        Problem.objects.filter(pk=first.pk).update(day=f"2026-11-{record.pk:02}")
    set_pseudonym(Player.objects.get(name="Hanako Yamada"), "Wisteria")
    Player.objects.filter(name="Taro Suzuki").update(statistics=False)
    refresh(Record.objects.filter(Q(text=text(2)) | Q(analysis__isnull=False)))


def cut_off() -> str:
    """Return a game that ends in the middle of its third deal, with a comment at a turn."""
    game = simulate_months(50)
    game.months = game.months[:3]
    month = game.months[-1]
    month.turns = month.turns[:5]
    month.turns[1].comments = ["why not {B/m"]
    game.result = game.final = month.score = None
    game.tags["Termination"] = "unfinished"
    return write(game)


def refresh(games: QuerySet[Record]) -> None:
    """Replace the facts of games by facts of a newer revision."""
    outdate(games)
    judged = list(judge_games(list(games.values_list("pk", flat=True))))
    with transaction.atomic():
        replace_facts(judged, write_parts(make_batches(judged)))


def ingest_games(*seeds: int, on: str) -> None:
    """Ingest games as if on a day."""
    ingest(joined(*(text(seed) for seed in seeds)))
    day = datetime.fromisoformat(on).replace(tzinfo=UTC)
    Record.objects.filter(created__gt=timezone.now() - timedelta(hours=1)).update(created=day)


def query(directory: Path, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query over a dump."""
    with notebook.open_tables(directory) as tables:
        return tables.execute(sql).fetchall()


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
