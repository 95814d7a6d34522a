"""Months of a player or an event added up: what is asked is the same, and read from a row."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from records.base.keys import player_key
from records.base.sums import TABLE, Tally
from records.models import Job, Player, Rollup
from records.models.statistics import TOTAL
from records.operations import totals_check
from records.statistics.gather import gather
from records.statistics.questions import Question
from records.totals import compaction, standings
from records.totals.layout import ALL, number_of
from records.totals.scopes import GameScopes
from records.totals.sums_of_games import Totals, apply
from tests.records.makers import do_idle

pytestmark = pytest.mark.django_db

MONTHS = (0, 202511, 202512, 202601, 202602)
ASKED = (Question(player="Aya"), Question(event="nara"), Question("koikoi", player="Aya"))


@pytest.fixture
def aya() -> int:
    return int(Player.objects.create(key=player_key("Aya"), name="Aya").pk)


def played(player: int, months: Any, ruleset: str = "koikoi", games: int = 1) -> None:
    """So many games in each of some months, at one event."""
    totals = Totals()
    for month in months:
        one: Tally = {
            TABLE: {"games": {"all": [games, 2 * games, 9]}},
            "1": {"seat": {"all": [games, 0, 0, 0, 5, 25]}},
        }
        totals.count(GameScopes(ruleset, ruleset, "", month, "nara", {player: [1]}), one)
    apply(totals.changes())


def read(question: Question) -> tuple[int, int]:
    """How many games are counted, and how many rows of sums are read for it."""
    with CaptureQueriesContext(connection) as queries:
        found = gather(question)
        games = number_of(found.table, "games", ALL, "games")
    assert found.games == games and found.deals == 2 * games
    sums = [one["sql"] for one in queries if '"sums"' in one["sql"]]
    assert len(sums) == 1
    with connection.cursor() as cursor:
        rows = cursor.execute(sums[0]).fetchall()
    return games, len(rows)


def folded() -> int:
    return Rollup.objects.filter(compaction.FOLDED).count()


def test_all_months_are_read_from_one_row(aya: int) -> None:
    played(aya, MONTHS)
    played(aya, MONTHS[:2], "hachihachi", games=10)
    assert [read(one) for one in ASKED] == [(25, 7), (25, 7), (5, 5)]
    assert compaction.compact(9) == 2  # two months of hachihachi are few
    assert [read(one) for one in ASKED] == [(25, 3), (25, 3), (5, 1)]
    assert read(Question(player="Aya", month_from=202512)) == (3, 3)
    assert all(have == want for _, have, want in compaction.differences(str))


def test_months_are_not_counted_twice_by_the_check(aya: int) -> None:
    played(aya, MONTHS)
    compaction.compact(9)
    assert list(standings.differences()) == []


def test_what_is_behind_is_not_read(aya: int) -> None:
    played(aya, MONTHS)
    compaction.compact(9)
    played(aya, MONTHS[2:3])
    assert [read(one) for one in ASKED] == [(6, 5)] * 3
    assert compaction.compact(9) == 2
    assert [read(one) for one in ASKED] == [(6, 1)] * 3
    played(aya, (202603,))
    assert read(ASKED[0]) == (7, 6)


def test_it_is_done_when_something_has_changed(aya: int) -> None:
    played(aya, MONTHS)
    assert do_idle() == 1
    assert folded() == 2
    job = Job.objects.get()
    assert (job.kind, job.state, job.progress) == ("compaction", "done", 2)
    Rollup.objects.filter(compaction.FOLDED).delete()
    assert do_idle() == 0  # nothing has changed since
    played(aya, MONTHS[:1])
    assert do_idle() == 1
    assert folded() == 2 and Job.objects.count() == 1


def test_it_goes_on_in_the_next_turn(aya: int, monkeypatch: pytest.MonkeyPatch) -> None:
    played(aya, MONTHS)
    monkeypatch.setattr(compaction, "TURN_SECONDS", 0)
    assert do_idle() == 3  # a row each, and a look whether there are more
    assert folded() == 2


def test_a_sum_that_is_wrong_is_found_and_corrected(aya: int) -> None:
    played(aya, MONTHS)
    compaction.compact(9)
    row = Rollup.objects.get(player=aya, month=TOTAL)
    row.sums[TABLE]["games"]["all"][0] += 1
    row.save()
    wrong = f"sums of player {aya}, koikoi koikoi, all months: place 0, games all: "
    assert f"{wrong}[6, 10, 45] should be [5, 10, 45]" in list(totals_check.differences())
    month = Rollup.objects.get(player=aya, month=MONTHS[1])
    month.deals += 1
    month.save()
    of_month = f"sums of player {aya}, koikoi koikoi, month {MONTHS[1]}: games and deals 1, 3"
    assert f"{of_month} should be (1, 2)" in list(totals_check.differences())
    list(totals_check.rebuild())
    assert folded() == 0
