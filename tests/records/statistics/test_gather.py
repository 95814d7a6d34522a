"""The games of a query, compared with a selection by hand."""

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
from lengths import part
from records.ingest.ownership import change_visibility
from records.models import Record, Visibility
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Question
from records.statistics.selection import Selection
from records.statistics.sums import ALL
from tests.people.world import sent
from tests.records.statistics.naive.games import PlainGame

pytestmark = [pytest.mark.django_db, pytest.mark.long]

DATES = ("2026-01-05", "2026-02-03", "2026-02-28", "2026-??-??", "")
PAIRS = (("Aya", "Ben"), ("Ben", "Aya"), ("Aya", "Chie"), ("Chie", "Aya"), ("Ben", "Chie"))


def games() -> list[str]:
    """Return short games of some pairs, at two events and none, in a few months, by two houses."""
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
def archive_for_all(rows_for_all: None) -> list[PlainGame]:
    texts = games()
    for text in texts:
        sent(text)  # in separate uploads, because the order of a file's games does not count
    hidden = simulate("koikoi", seed=50, options={"months": "1"})
    sent(write(hidden), owner=owner(), visibility=Visibility.PRIVATE)
    return [PlainGame(text, verify(read(text)).verdict.to_json()) for text in texts]


@pytest.fixture
def archive(archive_for_all: list[PlainGame], db: None) -> list[PlainGame]:
    """Return the games in the order of upload."""
    return archive_for_all


def owner() -> object:
    return get_user_model().objects.get_or_create(username="owner")[0]


def matches(
    gathered: Gathered, games: list[PlainGame], seats: Callable[[PlainGame], list[int]]
) -> None:
    """Check that the gathered sums are the sums of these games' seats."""
    scores = [
        deal.score[seat - 1]
        for plain_game in games
        for deal in plain_game.deals
        for seat in seats(plain_game)
        if seat in deal.order
    ]
    total = gathered.sums["deals"].total()
    assert (total["n"], total["score"]) == (len(scores), sum(scores))
    assert gathered.sums["seat"][ALL]["games"] == sum(
        len(seats(plain_game)) for plain_game in games
    )
    ends = Counter(deal.end for plain_game in games for deal in plain_game.deals)
    assert {key: row["count"] for key, row in gathered.sums["ends"].items()} == ends
    assert gathered.games == len(games)
    assert gathered.deals == sum(len(plain_game.deals) for plain_game in games)


def every_seat(plain_game: PlainGame) -> list[int]:
    return list(range(1, len(plain_game.game.players) + 1))


def newest(games: list[PlainGame]) -> list[PlainGame]:
    """Return the games played last first; within a day, the last upload first."""
    day = {"2026-??-??": "2026-01-01", "": "0"}
    dated = [
        (day.get(plain_game.date, plain_game.date), number, plain_game)
        for number, plain_game in enumerate(games)
    ]
    return [plain_game for *_, plain_game in sorted(dated, key=lambda row: row[:2], reverse=True)]


@pytest.mark.parametrize(
    "options",
    part(
        [
            {"months": "1", "kobiki": "7"},
            {"kobiki": "7", "rain": "yes"},
            {"kobiki": "5"},  # the default
            {"rain": "no"},
        ],
        one_of=2,
    ),
)
@pytest.mark.parametrize(("player", "last"), [("", 0), ("Aya", 100)])
def test_games_with_options_are_gathered(
    archive: list[PlainGame], options: dict[str, str], player: str, last: int
) -> None:
    left_out = {"kobiki": "5", "rain": "yes"}
    koikoi = [plain_game for plain_game in archive if plain_game.rules == "koikoi"]
    house = [
        plain_game
        for plain_game in koikoi
        if {**left_out, **plain_game.game.options}.items() >= options.items()
        and (not player or player in plain_game.game.players)
    ]
    gathered = gather(Question("koikoi", options=options, player=player, last=last))
    matches(
        gathered,
        house,
        lambda plain_game: plain_game.seats(player) if player else every_seat(plain_game),
    )


def may_be_of(plain_game: PlainGame, first: int, last: int) -> bool:
    """Return whether a game may have been played in these months."""
    year, number = divmod(plain_game.month, 100)
    possible_months = range(100 * year + (number or 1), 100 * year + (number or 12) + 1)
    return plain_game.month > 0 and any(
        first <= month <= (last or 999999) for month in possible_months
    )


@pytest.mark.parametrize(
    ("first", "last"),
    part(
        [
            (202602, 0),
            (0, 202601),
            (202501, 202702),
            (202601, 202601),
            (202601, 202612),
            (202502, 0),
        ]
    ),
)
def test_games_of_months_are_gathered(archive: list[PlainGame], first: int, last: int) -> None:
    within = [plain_game for plain_game in archive if may_be_of(plain_game, first, last)]
    question = Question(month_from=first, month_to=last)
    matches(gather(question), within, every_seat)
    games_of_player = [plain_game for plain_game in within if "Aya" in plain_game.game.players]
    question = Question(player="Aya", month_from=first, month_to=last)
    matches(gather(question), games_of_player, lambda plain_game: plain_game.seats("Aya"))


def test_games_of_an_event_are_found_by_its_beginning(archive: list[PlainGame]) -> None:
    games_of_event = [plain_game for plain_game in archive if plain_game.event == "Nara"]
    for beginning, expected in (("nara", games_of_event), ("nar", games_of_event), ("ara", [])):
        matches(gather(Question(event=beginning)), expected, every_seat)


def test_unknown_player_has_no_games(archive: list[PlainGame]) -> None:
    nobody = gather(Question("koikoi", player="Nobody"))
    assert (nobody.games, nobody.as_of) == (0, None)
    assert not nobody.sums["deals"]


@pytest.mark.parametrize("last", part([3, 1, 7, 1000], one_of=4))
def test_last_games_are_gathered(archive: list[PlainGame], last: int) -> None:
    koikoi = [plain_game for plain_game in newest(archive) if plain_game.rules == "koikoi"]
    matches(gather(Question("koikoi", last=last)), koikoi[:last], every_seat)
    games_of_player = [
        plain_game for plain_game in newest(archive) if "Chie" in plain_game.game.players
    ]
    question = Question(player="Chie", last=last)
    matches(gather(question), games_of_player[:last], lambda plain_game: plain_game.seats("Chie"))
    dated = [plain_game for plain_game in koikoi if may_be_of(plain_game, 202602, 0)]
    question = Question("koikoi", last=last, month_from=202602)
    matches(gather(question), dated[:last], every_seat)


def test_scores_of_many_parts_are_added_up(archive: list[PlainGame]) -> None:
    """Each upload is a part, so the query is split."""
    deals = [
        deal.score
        for plain_game in archive
        if plain_game.rules == "koikoi"
        for deal in plain_game.deals
    ]
    sums = gather(Question("koikoi")).sums["score"]
    assert sums[ALL] == {
        "tables": len(deals),
        "seats": 2 * len(deals),
        "seats_sq": 4 * len(deals),
        "seats_n": 4 * len(deals),
        "total": sum(map(sum, deals)),
        "total_sq": sum(sum(scores) ** 2 for scores in deals),
    }
    width = RULESETS["koikoi"].bins[0]
    bins = Counter(score // width * width for scores in deals for score in scores)
    assert {key: row["seats"] for key, row in sums.items() if key != ALL} == {
        str(low): count for low, count in bins.items()
    }


def test_stamp_of_a_selection_changes_with_snapshot_and_query(archive: list[PlainGame]) -> None:
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
    matches(
        gather(queries[0]),
        [plain_game for plain_game in archive if plain_game.rules == "koikoi"],
        every_seat,
    )
    assert not {Selection(query).stamp for query in queries} & set(after)
