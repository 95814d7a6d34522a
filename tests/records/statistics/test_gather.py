"""The games of a query, against those that a person would pick for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.ingest.ownership import change_visibility
from records.models import Record, Visibility
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Question
from records.statistics.selection import Selection
from records.statistics.sums import ALL
from tests.people.world import sent
from tests.records.statistics.naive.games import Seen

pytestmark = [pytest.mark.django_db, pytest.mark.long]

DATES = ("2026-01-05", "2026-02-03", "2026-02-28", "2026-??-??", "")
PAIRS = (("Aya", "Ben"), ("Ben", "Aya"), ("Aya", "Chie"), ("Chie", "Aya"), ("Ben", "Chie"))


def games() -> list[str]:
    """Short games of some pairs, at two events and none, in a few months, by two houses."""
    gathered = []
    for number in range(12):
        options = {"months": "1"} | ({"kobiki": "7"} if number % 4 == 0 else {})
        game = simulate("koikoi", seed=number, options=options)
        game.players = PAIRS[number % len(PAIRS)]
        date, event = DATES[number % 5], ("", "Kyoto Open", "Nara")[number % 3]
        game.tags |= {name: value for name, value in (("Date", date), ("Event", event)) if value}
        gathered.append(write(game))
    gathered.append(write(simulate("hachihachi", seed=1)))
    return gathered


@pytest.fixture(scope="module")
def archive_for_all(rows_for_all: None) -> list[Seen]:
    texts = games()
    for text in texts:
        sent(text)  # one upload each: of one upload, the order of games is not that of the file
    sent(write(simulate("koikoi", seed=50)), owner=owner(), visibility=Visibility.PRIVATE)
    return [Seen(text, verify(read(text)).verdict.to_json()) for text in texts]


@pytest.fixture
def archive(archive_for_all: list[Seen], db: None) -> list[Seen]:
    """The games, in the order in which they were uploaded."""
    return archive_for_all


def owner() -> object:
    return get_user_model().objects.get_or_create(username="owner")[0]


def matches(gathered: Gathered, games: list[Seen], seats: Callable[[Seen], list[int]]) -> None:
    """Check that the gathered sums are those of the seats of these games."""
    scores = [
        deal.score[seat - 1]
        for seen in games
        for deal in seen.deals
        for seat in seats(seen)
        if seat in deal.order
    ]
    total = gathered.sums["deals"].total()
    assert (total["n"], total["score"]) == (len(scores), sum(scores))
    assert gathered.sums["seat"][ALL]["games"] == sum(len(seats(seen)) for seen in games)
    ends = Counter(deal.end for seen in games for deal in seen.deals)
    assert {key: row["count"] for key, row in gathered.sums["ends"].items()} == ends
    assert gathered.games == len(games)
    assert gathered.deals == sum(len(seen.deals) for seen in games)


def every_seat(seen: Seen) -> list[int]:
    return list(range(1, len(seen.game.players) + 1))


def newest(games: list[Seen]) -> list[Seen]:
    """Return the games played last first; of one day, those that came in last."""
    day = {"2026-??-??": "2026-01-01", "": "0"}
    dated = [(day.get(seen.date, seen.date), number, seen) for number, seen in enumerate(games)]
    return [seen for *_, seen in sorted(dated, key=lambda row: row[:2], reverse=True)]


@pytest.mark.parametrize(
    "asked",
    [
        {"months": "1", "kobiki": "7"},
        {"kobiki": "5"},  # what it is where it is left out
        {"kobiki": "7", "rain": "yes"},
        {"rain": "no"},
    ],
)
@pytest.mark.parametrize(("player", "last"), [("", 0), ("Aya", 100)])
def test_games_with_options_are_gathered(
    archive: list[Seen], asked: dict[str, str], player: str, last: int
) -> None:
    left_out = {"kobiki": "5", "rain": "yes"}
    koikoi = [seen for seen in archive if seen.rules == "koikoi"]
    house = [
        seen
        for seen in koikoi
        if {**left_out, **seen.game.options}.items() >= asked.items()
        and (not player or player in seen.game.players)
    ]
    gathered = gather(Question("koikoi", options=asked, player=player, last=last))
    matches(gathered, house, lambda seen: seen.seats(player) if player else every_seat(seen))


def may_be_of(seen: Seen, first: int, last: int) -> bool:
    """Return whether a game may have been played in these months."""
    year, number = divmod(seen.month, 100)
    known = range(100 * year + (number or 1), 100 * year + (number or 12) + 1)
    return seen.month > 0 and any(first <= month <= (last or 999999) for month in known)


@pytest.mark.parametrize(
    ("first", "last"),
    [(202601, 202601), (202602, 0), (0, 202601), (202501, 202702), (202601, 202612), (202502, 0)],
)
def test_games_of_months_are_gathered(archive: list[Seen], first: int, last: int) -> None:
    within = [seen for seen in archive if may_be_of(seen, first, last)]
    asked = Question(month_from=first, month_to=last)
    matches(gather(asked), within, every_seat)
    games_of_player = [seen for seen in within if "Aya" in seen.game.players]
    asked = Question(player="Aya", month_from=first, month_to=last)
    matches(gather(asked), games_of_player, lambda seen: seen.seats("Aya"))


def test_games_of_an_event_are_found_by_its_beginning(archive: list[Seen]) -> None:
    games_of_event = [seen for seen in archive if seen.event == "Nara"]
    for beginning, expected in (("nara", games_of_event), ("nar", games_of_event), ("ara", [])):
        matches(gather(Question(event=beginning)), expected, every_seat)


def test_unknown_player_has_no_games(archive: list[Seen]) -> None:
    nobody = gather(Question("koikoi", player="Nobody"))
    assert (nobody.games, nobody.as_of) == (0, None)
    assert not nobody.sums["deals"]


@pytest.mark.parametrize("last", [1, 3, 7, 1000])
def test_last_games_are_gathered(archive: list[Seen], last: int) -> None:
    koikoi = [seen for seen in newest(archive) if seen.rules == "koikoi"]
    matches(gather(Question("koikoi", last=last)), koikoi[:last], every_seat)
    games_of_player = [seen for seen in newest(archive) if "Chie" in seen.game.players]
    asked = Question(player="Chie", last=last)
    matches(gather(asked), games_of_player[:last], lambda seen: seen.seats("Chie"))
    dated = [seen for seen in koikoi if may_be_of(seen, 202602, 0)]
    asked = Question("koikoi", last=last, month_from=202602)
    matches(gather(asked), dated[:last], every_seat)


def test_scores_of_many_parts_are_added_up(archive: list[Seen]) -> None:
    """Each upload is a part: the query is split."""
    deals = [deal.score for seen in archive if seen.rules == "koikoi" for deal in seen.deals]
    sums = gather(Question("koikoi")).sums["score"]
    assert sums[ALL] == {
        "tables": len(deals),
        "seats": 2 * len(deals),
        "pairs": 2 * len(deals),
        "total": sum(map(sum, deals)),
        "total_sq": sum(sum(scores) ** 2 for scores in deals),
    }
    width = RULESETS["koikoi"].bins[0]
    bins = Counter(score // width * width for scores in deals for score in scores)
    assert {key: row["seats"] for key, row in sums.items() if key != ALL} == {
        str(low): count for low, count in bins.items()
    }


def test_stamp_of_a_selection_changes_with_snapshot_and_query(archive: list[Seen]) -> None:
    queries = (
        Question("koikoi"),
        Question("koikoi", player="Aya"),
        Question("koikoi", event="nara"),
        Question("koikoi", last=4),
        Question("koikoi", player="Aya", opponent="Ben"),
    )
    before = [Selection(query).stamp for query in queries]
    assert len(set(before)) == len(queries)
    assert [Selection(query).stamp for query in queries] == before
    game = simulate("koikoi", seed=70, options={"months": "1"})
    game.tags |= {"Date": "2026-03-01", "Event": "Nara"}
    sent(write(game), owner=owner())
    after = [Selection(query).stamp for query in queries]
    assert not set(after) & set(before)
    pk = Record.objects.latest("pk").pk
    change_visibility(owner=owner().pk, records=[pk], visibility=Visibility.PRIVATE)  # type: ignore[attr-defined]
    matches(gather(queries[0]), [seen for seen in archive if seen.rules == "koikoi"], every_seat)
    assert not {Selection(query).stamp for query in queries} & set(after)
