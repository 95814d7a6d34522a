"""What a question is about, against the games that a person would pick for it."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import pytest
from django.contrib.auth import get_user_model

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.base.sums import TABLE, Tally, add_tally, merge_seats, only
from records.models import Record, Visibility
from records.statistics import gather as module
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Question
from records.store.ownership import change_visibility
from records.totals.tally import tally
from tests.people.world import sent
from tests.records.statistics.naive.games import Seen

pytestmark = pytest.mark.django_db

DATES = ("2026-01-05", "2026-02-03", "2026-02-28", "2026-??-??", "")
PAIRS = (("Aya", "Ben"), ("Ben", "Aya"), ("Aya", "Chie"), ("Chie", "Aya"), ("Ben", "Chie"))


def games() -> list[str]:
    """Short games of some pairs, at two events and none, in a few months, by two houses."""
    found = []
    for number in range(12):
        options = {"months": "1"} | ({"kobiki": "7"} if number % 4 == 0 else {})
        game = simulate("koikoi", seed=number, options=options)
        game.players = PAIRS[number % len(PAIRS)]
        date, event = DATES[number % 5], ("", "Kyoto Open", "Nara")[number % 3]
        game.tags |= {name: one for name, one in (("Date", date), ("Event", event)) if one}
        found.append(write(game))
    found.append(write(simulate("hachihachi", seed=1)))
    return found


@pytest.fixture(scope="module")
def archive_for_all(rows_for_all: None) -> list[Seen]:
    texts = games()
    for one in texts:
        sent(one)
    sent(write(simulate("koikoi", seed=50)), owner=owner(), visibility=Visibility.PRIVATE)
    return [Seen(one, verify(read(one)).verdict.to_json()) for one in texts]


@pytest.fixture
def archive(archive_for_all: list[Seen], db: None) -> list[Seen]:
    """The games, in the order in which they were uploaded."""
    return archive_for_all


def owner() -> object:
    return get_user_model().objects.get_or_create(username="owner")[0]


def matches(found: Gathered, games: list[Seen], seats: Callable[[Seen], list[int]]) -> None:
    """Whether what was gathered is the sum of these games' seats."""
    due: Tally = {}
    for one in games:
        add_tally(due, only(tally(verify(read(one.text), facts=True)), seats(one)))
    table = due.pop(TABLE, {})
    assert found.table == table
    assert found.sums == merge_seats(due)
    assert found.games == len(games)
    assert found.deals == sum(len(one.deals) for one in games)


def every_seat(one: Seen) -> list[int]:
    return list(range(1, len(one.game.players) + 1))


def newest(games: list[Seen]) -> list[Seen]:
    """Those played last first; of one day, those that came in last."""
    day = {"2026-??-??": "2026-01-01", "": "0"}
    dated = [(day.get(one.date, one.date), number, one) for number, one in enumerate(games)]
    return [one for *_, one in sorted(dated, key=lambda row: row[:2], reverse=True)]


def test_of_everybody(archive: list[Seen]) -> None:
    koikoi = [one for one in archive if one.rules == "koikoi"]
    matches(gather(Question()), archive, every_seat)
    matches(gather(Question("koikoi")), koikoi, every_seat)
    matches(gather(Question("koikoi", profile="koikoi-ai")), [], every_seat)
    matches(gather(Question("koikoi", seat=2)), koikoi, lambda _: [2])
    matches(gather(Question("koikoi", options={"kobiki": "55"})), [], every_seat)


@pytest.mark.parametrize(
    "asked",
    [
        {"months": "1", "kobiki": "7"},
        {"kobiki": "5"},  # what it is where it is left out
        {"kobiki": "7", "rain": "yes"},
        {"rain": "no"},
    ],
)
@pytest.mark.parametrize("player", ["", "Aya"])
@pytest.mark.parametrize("last", [0, 100])
def test_of_some_options(
    archive: list[Seen], asked: dict[str, str], player: str, last: int
) -> None:
    left_out = {"kobiki": "5", "rain": "yes"}
    koikoi = [one for one in archive if one.rules == "koikoi"]
    house = [
        one
        for one in koikoi
        if {**left_out, **one.game.options}.items() >= asked.items()
        and (not player or player in one.game.players)
    ]
    found = gather(Question("koikoi", options=asked, player=player, last=last))
    matches(found, house, lambda one: one.seats(player) if player else every_seat(one))


def may_be_of(one: Seen, first: int, last: int) -> bool:
    """Whether a game may have been played in these months; of some only the year is known."""
    year, number = divmod(one.month, 100)
    known = range(100 * year + (number or 1), 100 * year + (number or 12) + 1)
    return one.month > 0 and any(first <= month <= (last or 999999) for month in known)


@pytest.mark.parametrize(
    ("first", "last"),
    [(202601, 202601), (202602, 0), (0, 202601), (202501, 202702), (202601, 202612), (202502, 0)],
)
def test_of_some_months(archive: list[Seen], first: int, last: int) -> None:
    within = [one for one in archive if may_be_of(one, first, last)]
    asked = Question(month_from=first, month_to=last)
    matches(gather(asked), within, every_seat)
    mine = [one for one in within if "Aya" in one.game.players]
    asked = Question(player="Aya", month_from=first, month_to=last)
    matches(gather(asked), mine, lambda one: one.seats("Aya"))


def test_of_a_player(archive: list[Seen]) -> None:
    mine = [one for one in archive if "Aya" in one.game.players]
    matches(gather(Question(player=" Aya ")), mine, lambda one: one.seats("Aya"))
    second = [one for one in mine if one.seats("Aya") == [2]]
    matches(gather(Question(player="Aya", seat=2)), second, lambda _: [2])
    both = [one for one in mine if "Ben" in one.game.players]
    matches(gather(Question(player="Aya", opponent="Ben")), both, lambda one: one.seats("Aya"))
    there = [one for one in mine if one.event == "Kyoto Open"]
    asked = Question("koikoi", player="Aya", event="kyoto open")
    matches(gather(asked), there, lambda one: one.seats("Aya"))
    nobody = gather(Question(player="Nobody"))
    assert (nobody.games, nobody.sums, nobody.as_of) == (0, {}, None)


def test_of_an_event(archive: list[Seen]) -> None:
    there = [one for one in archive if one.event == "Nara"]
    matches(gather(Question(event="nara")), there, every_seat)
    february = [one for one in there if may_be_of(one, 202602, 202602)]
    asked = Question(event="nara", month_from=202602, month_to=202602)
    matches(gather(asked), february, every_seat)
    matches(gather(Question(event="nar")), there, every_seat)
    matches(gather(Question(event="ara")), [], every_seat)


@pytest.mark.parametrize("last", [1, 3, 7, 1000])
def test_of_the_last_games(archive: list[Seen], last: int) -> None:
    koikoi = [one for one in newest(archive) if one.rules == "koikoi"]
    matches(gather(Question("koikoi", last=last)), koikoi[:last], every_seat)
    mine = [one for one in newest(archive) if "Chie" in one.game.players]
    asked = Question(player="Chie", last=last)
    matches(gather(asked), mine[:last], lambda one: one.seats("Chie"))
    dated = [one for one in koikoi if may_be_of(one, 202602, 0)]
    asked = Question("koikoi", last=last, month_from=202602)
    matches(gather(asked), dated[:last], every_seat)


def test_of_very_many_single_games_the_newest_are_counted_and_it_is_said(
    archive: list[Seen],
) -> None:
    asked = Question(player="Aya", opponent="Ben")
    assert gather(asked).notes == []
    both = [one for one in newest(archive) if {"Aya", "Ben"} <= set(one.game.players)]
    with patch.object(module, "MOST", 2):
        found = gather(asked)
    matches(found, both[:2], lambda one: one.seats("Aya"))
    assert found.notes == [f"Of {len(both)} games the newest 2 are counted."]


def test_the_stamp_changes_with_what_is_counted_and_only_then(archive: list[Seen]) -> None:
    questions = (
        Question("koikoi"),
        Question("koikoi", player="Aya"),
        Question("koikoi", event="nara"),
        Question("koikoi", last=4),
        Question("koikoi", player="Aya", opponent="Ben"),
    )
    before = [gather(one).stamp for one in questions]
    assert len(set(before)) == len(questions)
    sent(write(simulate("hachihachi", seed=2)))
    assert [gather(one).stamp for one in questions] == before
    game = simulate("koikoi", seed=70, options={"months": "1"})
    game.tags |= {"Date": "2026-03-01", "Event": "Nara"}
    sent(write(game), owner=owner())
    after = [gather(one).stamp for one in questions]
    assert not set(after) & set(before)
    pk = Record.objects.latest("pk").pk
    change_visibility(owner=owner().pk, records=[pk], visibility=Visibility.PRIVATE)  # type: ignore[attr-defined]
    matches(gather(questions[0]), [one for one in archive if one.rules == "koikoi"], every_seat)
    assert not {gather(one).stamp for one in questions} & set(after)
