"""Months of a player or an event added up: what is asked is the same, and read from a row."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from records.keys import player_key
from records.models import Chunk, Player, Rollup, Upload, UploadFile
from records.models.statistics import TOTAL
from records.statistics import checking, folding, standings
from records.statistics.asking import Question
from records.statistics.books import Books, Game, apply
from records.statistics.gather import gather
from records.statistics.sums import TABLE, Tally

pytestmark = pytest.mark.django_db

MONTHS = (0, 202511, 202512, 202601, 202602)
ASKED = (Question(player="Aya"), Question(event="nara"), Question("koikoi", player="Aya"))


@pytest.fixture
def aya() -> int:
    return int(Player.objects.create(key=player_key("Aya"), name="Aya").pk)


def played(player: int, months: Any, ruleset: str = "koikoi", games: int = 1) -> None:
    """So many games in each of some months, at one event."""
    books = Books()
    for month in months:
        one: Tally = {
            TABLE: {"games": {"all": [games, 2 * games, 9]}},
            "1": {"seat": {"all": [games, 0, 0, 0, 5, 25]}},
        }
        books.count(Game(ruleset, ruleset, "", month, "nara", {player: [1]}), one)
    apply(books.changes())


def read(question: Question) -> tuple[int, int]:
    """How many games are counted, and how many rows of sums are read for it."""
    with CaptureQueriesContext(connection) as queries:
        games = gather(question).games
    sums = [one["sql"] for one in queries if '"sums"' in one["sql"]]
    assert len(sums) == 1
    with connection.cursor() as cursor:
        rows = cursor.execute(sums[0]).fetchall()
    return games, len(rows)


def folded() -> int:
    return Rollup.objects.filter(folding.FOLDED).count()


def test_all_months_are_read_from_one_row(aya: int) -> None:
    played(aya, MONTHS)
    played(aya, MONTHS[:2], "hachihachi", games=10)
    assert [read(one) for one in ASKED] == [(25, 7), (25, 7), (5, 5)]
    assert folding.run(9) == 2  # two months of hachihachi are few
    assert [read(one) for one in ASKED] == [(25, 3), (25, 3), (5, 1)]
    assert read(Question(player="Aya", month_from=202512)) == (3, 3)
    assert all(have == want for _, have, want in folding.differences(str))


def test_months_are_not_counted_twice_by_the_check(aya: int) -> None:
    played(aya, MONTHS)
    folding.run(9)
    assert list(standings.differences()) == []


def test_what_is_behind_is_not_read(aya: int) -> None:
    played(aya, MONTHS)
    folding.run(9)
    played(aya, MONTHS[2:3])
    assert [read(one) for one in ASKED] == [(6, 5)] * 3
    assert folding.run(9) == 2
    assert [read(one) for one in ASKED] == [(6, 1)] * 3
    played(aya, (202603,))
    assert read(ASKED[0]) == (7, 6)


def test_it_is_done_when_nothing_is_being_read_and_something_has_changed(aya: int) -> None:
    played(aya, MONTHS)
    file = UploadFile.objects.create(upload=Upload.objects.create(), number=1, size=1)
    place = {"offset": 0, "length": 1, "games": 1, "first_game": 1, "first_line": 1}
    chunk = Chunk.objects.create(upload=file.upload, file=file, **place)
    assert folding.run(9) == 0
    chunk.delete()
    assert folding.run(0) == 0 == folded()
    assert folding.run(9) == 2 == folded()
    Rollup.objects.filter(folding.FOLDED).delete()
    assert folding.run(9) == 0  # nothing has changed since
    played(aya, MONTHS[:1])
    assert folding.run(9) == 2


def test_a_sum_that_is_wrong_is_found_and_mended(aya: int) -> None:
    played(aya, MONTHS)
    folding.run(9)
    row = Rollup.objects.get(player=aya, month=TOTAL)
    row.sums[TABLE]["games"]["all"][0] += 1
    row.save()
    wrong = f"sums of player {aya}, koikoi koikoi, all months: place 0, games all: "
    assert f"{wrong}[6, 10, 45] should be [5, 10, 45]" in list(checking.differences())
    list(checking.rebuild())
    assert folded() == 0


def test_an_archive_of_months_alone_is_given_its_years(aya: int) -> None:
    played(aya, (*MONTHS, 202512))
    years = Rollup.objects.filter(month__lt=TOTAL).order_by("key")
    before = list(years.values("key", "ruleset", "profile", "options", "month", "sums"))
    assert {row["month"] for row in before} == {-202500, -202600}
    years.first().delete()  # type: ignore[union-attr]
    import_module("records.migrations.0013_years").add_years(apps, None)
    assert list(years.values("key", "ruleset", "profile", "options", "month", "sums")) == before
