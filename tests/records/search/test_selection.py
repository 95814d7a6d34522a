"""Filters, orders and pages of the list of games, compared with a plain computation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
from django.core.management import call_command
from django.http import QueryDict
from django.test import Client

from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.base.clock import date_range
from records.models import Listing, Record
from records.models.facts import Family, family_of
from records.pages.lists import games as view
from records.search import filters, selection
from records.search.selection import SORTS, listings
from tests.api.contract import Api
from tests.records import makers

NAMES = ("Aya", "花子", "Ben <b>", "Chie", "大吾", "Emi", "Fumi", "Gen")
DATES = ("2020-01-01", "2020-01", "2021", "2022-05-06", "????-01-01", "", "2020-02-30")
EVENTS = ("Spring Cup", "spring  ＣＵＰ 2", "秋の会", "", "")


@dataclass
class ArchivedGame:
    """A game of the archive, and the properties found by a plain computation."""

    key: str
    verification: Verification
    made: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for deal in self.verification.verdict.deals:
            for line in deal.ledger:
                if not line.void:
                    self.made.update(line.label.split("+"))
        self.made = {id for id in self.made if family_of(id) is not Family.OTHER}

    @property
    def game(self) -> Any:
        return self.verification.game

    @property
    def days(self) -> Any:
        return date_range(self.game.tags.get("Date", ""))

    @property
    def best(self) -> int | None:
        final = self.verification.verdict.final
        unit = 12 if self.game.rules == "hachihachi" else 1
        return None if final is None else max(final) * unit

    @property
    def turns(self) -> int:
        row = Record.objects.get(key=self.key)
        return row.turns_played


def texts() -> list[str]:
    """Return sixty games of all rulesets, some with something wrong."""
    written = []
    for number in range(60):
        rules = list(RULES)[number % len(RULES)]
        options = {"profile": "koikoi-ai"} if rules == "koikoi" and number % 2 else {}
        if rules == "koikoi" and number % 3 == 0:
            options["months"] = "6"
        game = simulate(
            rules, seed=number, player=("sensible", "random")[number % 2], options=options
        )
        seats = len(game.players)
        game.players = tuple(NAMES[(number + 3 * seat) % len(NAMES)] for seat in range(seats))
        if DATES[number % len(DATES)]:
            game.tags["Date"] = DATES[number % len(DATES)]
        if EVENTS[number % len(EVENTS)]:
            game.tags["Event"] = EVENTS[number % len(EVENTS)]
        if number % 11 == 4:
            game.months = game.months[:3]
            game.tags["Termination"] = "unfinished"
            game.result = game.final = None
        if number % 11 == 5:
            game.months[0].score = tuple(points + 1 for points in game.months[0].score or ())
        written.append(write(game))
    return written


@pytest.fixture(scope="module")
def archive(django_db_setup: None, django_db_blocker: Any) -> Any:
    """Return the games in the database, newest first; they are removed after the module."""
    with django_db_blocker.unblock():
        written = [*texts(), makers.illegal(99), makers.UNSUPPORTED]
        with makers.without_sheets():
            makers.ingest(makers.joined(*written))
            judged = [verify(read(text), facts=True) for text in written]
        games = []
        for verification in judged:
            identity = verification.verdict.identity
            games.append(ArchivedGame(Record.objects.get(identity=identity).key, verification))
        order = list(Record.objects.order_by("-pk").values_list("key", flat=True))
        games.sort(key=lambda game: order.index(game.key))
        yield games
        call_command("flush", interactive=False, verbosity=0)


pytestmark = [pytest.mark.django_db, pytest.mark.long]


def keys(query: str) -> list[str]:
    """Return the keys of the games of a query string, which must have no fault."""
    query_filters, faults = filters.read(QueryDict(query))
    assert not faults
    return [row.record.key for row in listings(query_filters).select_related("record")]


Fits = Callable[[ArchivedGame], bool]


def status(game: ArchivedGame) -> str:
    return game.verification.verdict.status


def played(rules: str) -> Fits:
    return lambda game: game.game.rules == rules


def judged(name: str) -> Fits:
    return lambda game: status(game) == name


def with_yaku(id: str) -> Fits:
    return lambda game: id in game.made


def graded(grade: str) -> Fits:
    """Return the condition of a deal with a field grade."""
    return lambda game: grade in {deal.grade for deal in game.verification.verdict.deals}


def overlaps(first: str, last: str) -> Fits:
    """Return the condition of games that may have been played between two days."""
    low, high = date_range(first)[0], date_range(last)[1]
    assert low and high
    return lambda game: bool(game.days[0]) and game.days[1] >= low and game.days[0] <= high


FILTERS: dict[str, Fits] = {
    "": lambda game: True,
    **{f"ruleset={rules}": played(rules) for rules in RULES},
    "profile=koikoi-ai": lambda game: game.game.options.get("profile") == "koikoi-ai",
    "profile=koikoi": lambda game: game.game.options.get("profile", game.game.rules) == "koikoi",
    **{
        f"status={name}": judged(name)
        for name in ("verified", "mismatch", "unfinished", "illegal", "unsupported")
    },
    "player=Aya": lambda game: "Aya" in game.game.players,
    "player=+花子+": lambda game: "花子" in game.game.players,
    "player=Ay": lambda game: False,
    "player=Aya&player=Chie": lambda game: {"Aya", "Chie"} <= set(game.game.players),
    "player=Aya&player=Chie&ruleset=koikoi": lambda game: (
        {"Aya", "Chie"} <= set(game.game.players) and game.game.rules == "koikoi"
    ),
    "event=spring+cup": lambda game: game.game.tags.get("Event", "").startswith(("S", "s")),
    "event=SPRING+CUP+2": lambda game: game.game.tags.get("Event", "").startswith("spring"),
    "event=秋": lambda game: game.game.tags.get("Event", "").startswith("秋"),
    "event=cup": lambda game: False,
    "event=%25": lambda game: False,
    "from=2020-01-15&to=2020-01-20": overlaps("2020-01-15", "2020-01-20"),
    "from=2021": lambda game: bool(game.days[0]) and game.days[1].year >= 2021,
    "to=2020": lambda game: bool(game.days[0]) and game.days[0].year <= 2020,
    **{
        f"yaku={id}": with_yaku(id)
        for id in ("kasu", "tane", "akatan", "goko", "sanbon", "nuke", "teshi", "fuke", "nasake")
    },
    "yaku=kasu&ruleset=hanaawase": lambda game: (
        "kasu" in game.made and game.game.rules == "hanaawase"
    ),
    **{f"grade={grade}": graded(grade) for grade in ("small", "large", "absolute")},
    "form=sheet": lambda game: game.game.is_sheet,
    "form=moves": lambda game: not game.game.is_sheet,
    "form=all": lambda game: True,
    "deals_min=6&deals_max=11": lambda game: 6 <= len(game.verification.verdict.deals) <= 11,
    "deals_max=3": lambda game: len(game.verification.verdict.deals) <= 3,
    "turns_min=200": lambda game: game.turns >= 200,
    "turns_min=50&turns_max=200": lambda game: 50 <= game.turns <= 200,
    "score_min=100": lambda game: game.best is not None and game.best >= 100,
    "score_max=60": lambda game: game.best is not None and game.best <= 60,
    "score_min=-1000000000000": lambda game: game.best is not None,
}


#: Filters without matches. All remaining filters must have matches, otherwise the comparison proves
#: nothing.
EMPTY = {"player=Ay", "event=cup", "event=%25", "yaku=goko", "yaku=fuke", "yaku=nasake"}


#: Bounds of `selection` by which games are read from a filter, or along an order.
BOUNDS: tuple[dict[str, int], ...] = ({}, {"FEW": 0, "MANY": 0}, {"FEW": 0, "WINDOW": 5})


@pytest.mark.parametrize("bounds", part(BOUNDS[::-1]))
def test_filter_finds_the_games_that_fit_and_their_count_or_a_bound_of_it(
    archive: list[ArchivedGame], monkeypatch: pytest.MonkeyPatch, bounds: dict[str, int]
) -> None:
    for name, number in bounds.items():
        monkeypatch.setattr(selection, name, number)
    for query, fits in FILTERS.items():
        fitting = [game.key for game in archive if fits(game)]
        assert keys(query) == fitting, query
        assert fitting or query in EMPTY, query
        count, is_exact = selection.find(filters.read(QueryDict(query))[0]).count()
        assert count == len(fitting) if is_exact else count <= len(fitting), query
        assert is_exact or bounds, query


def in_order(archive: list[ArchivedGame], sort: str, form: str = "") -> list[str]:
    """Return the keys in an order; ``archive`` is newest first.

    The order by score has only games with moves unless there is a ``form``.
    """
    if sort == "score" and not form:
        archive = [game for game in archive if not game.game.is_sheet]
    first = {
        "newest": lambda game: 0,
        "oldest": lambda game: 0,
        "played": lambda game: -game.days[0].toordinal() if game.days[0] else 0,
        "longest": lambda game: -game.turns,
        "score": lambda game: float("inf") if game.best is None else -game.best,
    }[sort]
    rows = archive[::-1] if sort == "oldest" else archive
    return [game.key for game in sorted(rows, key=first)]


def test_games_are_listed_in_the_order_requested(archive: list[ArchivedGame]) -> None:
    for sort in SORTS:
        assert keys(f"sort={sort}") == in_order(archive, sort), sort
        assert keys(f"sort={sort}&form=all") == in_order(archive, sort, "all"), sort


@pytest.mark.parametrize(
    ("few", "sort", "query"),
    part([*product((0, 1000), SORTS, ("", "ruleset=koikoi&", "player=Aya&"))], one_of=28),
)
def test_pages_and_api_walk_all_games_once_there_and_back(
    archive: list[ArchivedGame],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    sort: str,
    query: str,
    few: int,
) -> None:
    for name in ("FEW", "MANY"):
        monkeypatch.setattr(selection, name, few)
    monkeypatch.setattr(view, "PAGE", 16)
    expected = keys(f"{query}sort={sort}")

    def walk(way: str, place: str = "") -> list[list[str]]:
        pages = []
        while True:
            page = client.get(f"/games/?{query}status=all&sort={sort}&{way}={place}").context[
                "page"
            ]
            pages.append([record.key for record in page.records])
            place = getattr(page, way)
            if not place:
                return pages

    forward_pages = walk("after")
    assert [key for page in forward_pages for key in page] == expected
    last = forward_pages[-1][0]
    back = walk("before", last)[::-1]
    assert [key for page in back for key in page] == expected[: expected.index(last)]

    api = Api()
    answer = api.get(f"/api/v1/records?{query}sort={sort}&page_size=16").json()
    pages = [answer["results"]]
    while answer["next"]:
        answer = api.get(answer["next"]).json()
        pages.append(answer["results"])
    assert [[row["key"] for row in page] for page in pages] == forward_pages
    again = [answer["results"]]
    while answer["previous"]:
        answer = api.get(answer["previous"]).json()
        again.append(answer["results"])
    assert again == pages[::-1]


def test_every_yaku_that_was_made_can_be_requested(archive: list[ArchivedGame]) -> None:
    for game in archive:
        assert game.made <= set(filters.yaku_of(game.game.rules))


@pytest.mark.long_only  # ingest/test_listings.py has each column
def test_listing_equals_its_record(archive: list[ArchivedGame]) -> None:
    rows = Listing.objects.select_related("record")
    assert len(rows) == len(archive)
    for row in rows:
        record = row.record
        names = ("ruleset", "profile", "status", "sheet")
        assert [getattr(row, name) for name in names] == [getattr(record, name) for name in names]
        assert (row.deals, row.turns) == (record.deals_played, record.turns_played)
        deals = verify(read(record.text)).verdict.deals
        assert row.unwon == sum(deal.winner is None for deal in deals)
