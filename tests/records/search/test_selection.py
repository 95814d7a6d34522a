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
from records.models import Listing, Record
from records.models.families import Family, family_of
from records.pages.lists import games as view
from records.search import filters, selection
from records.search.selection import SORTS, listings
from records.store.rows import date_range
from tests.api.contract import Api
from tests.records import makers

NAMES = ("Aya", "花子", "Ben <b>", "Chie", "大吾", "Emi", "Fumi", "Gen")
DATES = ("2020-01-01", "2020-01", "2021", "2022-05-06", "????-01-01", "", "2020-02-30")
EVENTS = ("Spring Cup", "spring  ＣＵＰ 2", "秋の会", "", "")


@dataclass
class Known:
    """A game as a plain computation sees it."""

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
    """Sixty games of all rulesets, some with something wrong."""
    found = []
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
            game.months[0].score = tuple(one + 1 for one in game.months[0].score or ())
        found.append(write(game))
    return found


@pytest.fixture(scope="module")
def archive(django_db_setup: None, django_db_blocker: Any) -> Any:
    """The games in the database, newest first; removed after the module."""
    with django_db_blocker.unblock():
        written = [*texts(), makers.illegal(99), makers.UNSUPPORTED]
        with makers.without_sheets():
            makers.ingest(makers.joined(*written))
            judged = [verify(read(text), facts=True) for text in written]
        known = []
        for verification in judged:
            identity = verification.verdict.identity
            known.append(Known(Record.objects.get(identity=identity).key, verification))
        order = list(Record.objects.order_by("-pk").values_list("key", flat=True))
        known.sort(key=lambda one: order.index(one.key))
        yield known
        call_command("flush", interactive=False, verbosity=0)


pytestmark = [pytest.mark.django_db, pytest.mark.long]


def keys(query: str) -> list[str]:
    """The games that a query string asks for; it has no fault."""
    wanted, faults = filters.read(QueryDict(query))
    assert not faults
    return [row.record.key for row in listings(wanted).select_related("record")]


Fits = Callable[[Known], bool]


def status(one: Known) -> str:
    return one.verification.verdict.status


def played(rules: str) -> Fits:
    """By a ruleset."""
    return lambda one: one.game.rules == rules


def judged(name: str) -> Fits:
    """By a status."""
    return lambda one: status(one) == name


def with_yaku(id: str) -> Fits:
    """In which it was made."""
    return lambda one: id in one.made


def graded(grade: str) -> Fits:
    """With a deal of that field grade."""
    return lambda one: grade in {deal.grade for deal in one.verification.verdict.deals}


def overlaps(first: str, last: str) -> Fits:
    """May have been played between two days."""
    low, high = date_range(first)[0], date_range(last)[1]
    assert low and high
    return lambda one: bool(one.days[0]) and one.days[1] >= low and one.days[0] <= high


FILTERS: dict[str, Fits] = {
    "": lambda one: True,
    **{f"ruleset={rules}": played(rules) for rules in RULES},
    "profile=koikoi-ai": lambda one: one.game.options.get("profile") == "koikoi-ai",
    "profile=koikoi": lambda one: one.game.options.get("profile", one.game.rules) == "koikoi",
    **{
        f"status={name}": judged(name)
        for name in ("verified", "mismatch", "unfinished", "illegal", "unsupported")
    },
    "player=Aya": lambda one: "Aya" in one.game.players,
    "player=+花子+": lambda one: "花子" in one.game.players,
    "player=Ay": lambda one: False,
    "player=Aya&player=Chie": lambda one: {"Aya", "Chie"} <= set(one.game.players),
    "player=Aya&player=Chie&ruleset=koikoi": lambda one: (
        {"Aya", "Chie"} <= set(one.game.players) and one.game.rules == "koikoi"
    ),
    "event=spring+cup": lambda one: one.game.tags.get("Event", "").startswith(("S", "s")),
    "event=SPRING+CUP+2": lambda one: one.game.tags.get("Event", "").startswith("spring"),
    "event=秋": lambda one: one.game.tags.get("Event", "").startswith("秋"),
    "event=cup": lambda one: False,
    "event=%25": lambda one: False,
    "from=2020-01-15&to=2020-01-20": overlaps("2020-01-15", "2020-01-20"),
    "from=2021": lambda one: bool(one.days[0]) and one.days[1].year >= 2021,
    "to=2020": lambda one: bool(one.days[0]) and one.days[0].year <= 2020,
    **{
        f"yaku={id}": with_yaku(id)
        for id in ("kasu", "tane", "akatan", "goko", "sanbon", "nuke", "teshi", "fuke", "nasake")
    },
    "yaku=kasu&ruleset=hanaawase": lambda one: "kasu" in one.made and one.game.rules == "hanaawase",
    **{f"grade={grade}": graded(grade) for grade in ("small", "large", "absolute")},
    "form=sheet": lambda one: one.game.is_sheet,
    "form=moves": lambda one: not one.game.is_sheet,
    "deals_min=6&deals_max=11": lambda one: 6 <= len(one.verification.verdict.deals) <= 11,
    "deals_max=3": lambda one: len(one.verification.verdict.deals) <= 3,
    "turns_min=200": lambda one: one.turns >= 200,
    "turns_min=50&turns_max=200": lambda one: 50 <= one.turns <= 200,
    "score_min=100": lambda one: one.best is not None and one.best >= 100,
    "score_max=60": lambda one: one.best is not None and one.best <= 60,
    "score_min=-1000000000000": lambda one: one.best is not None,
}


@pytest.mark.parametrize("query", FILTERS)
def test_a_filter_finds_what_fits(archive: list[Known], query: str) -> None:
    fits = FILTERS[query]
    assert keys(query) == [one.key for one in archive if fits(one)]


def test_each_filter_is_told_by_some_games(archive: list[Known]) -> None:
    """Else the comparison above would prove nothing."""
    nothing = {"player=Ay", "event=cup", "event=%25"}
    found = {query for query, fits in FILTERS.items() if any(map(fits, archive))}
    assert set(FILTERS) - found <= nothing | {"yaku=goko", "yaku=fuke", "yaku=nasake"}


def in_order(archive: list[Known], sort: str) -> list[str]:
    """The keys as an order has them; ``archive`` is newest first."""
    first = {
        "newest": lambda one: 0,
        "oldest": lambda one: 0,
        "played": lambda one: -one.days[0].toordinal() if one.days[0] else 0,
        "longest": lambda one: -one.turns,
        "score": lambda one: float("inf") if one.best is None else -one.best,
    }[sort]
    rows = archive[::-1] if sort == "oldest" else archive
    return [one.key for one in sorted(rows, key=first)]


@pytest.mark.parametrize("sort", SORTS)
def test_an_order(archive: list[Known], sort: str) -> None:
    assert keys(f"sort={sort}") == in_order(archive, sort)


@pytest.mark.parametrize(
    ("few", "sort", "query"),
    part([*product((0, 1000), SORTS, ("", "ruleset=koikoi&", "player=Aya&"))], one_of=4),
)
def test_pages_and_api_walk_all_games_once_there_and_back(
    archive: list[Known],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    sort: str,
    query: str,
    few: int,
) -> None:
    monkeypatch.setattr(selection, "FEW", few)
    monkeypatch.setattr(view, "PAGE", 7)
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

    there = walk("after")
    assert [key for page in there for key in page] == expected
    last = there[-1][0]
    back = walk("before", last)[::-1]
    assert [key for page in back for key in page] == expected[: expected.index(last)]

    api = Api()
    answer = api.get(f"/api/v1/records?{query}sort={sort}&page_size=7").json()
    seen = [answer["results"]]
    while answer["next"]:
        answer = api.get(answer["next"]).json()
        seen.append(answer["results"])
    assert [[one["key"] for one in page] for page in seen] == there
    again = [answer["results"]]
    while answer["previous"]:
        answer = api.get(answer["previous"]).json()
        again.append(answer["results"])
    assert again == seen[::-1]


def test_every_yaku_that_was_made_can_be_requested(archive: list[Known]) -> None:
    for one in archive:
        assert one.made <= set(filters.yaku_of(one.game.rules))


def test_a_listing_says_what_the_record_says(archive: list[Known]) -> None:
    rows = Listing.objects.select_related("record")
    assert len(rows) == len(archive)
    for row in rows:
        record = row.record
        names = ("ruleset", "profile", "status", "sheet")
        assert [getattr(row, name) for name in names] == [getattr(record, name) for name in names]
        assert (row.deals, row.turns) == (record.deals_played, record.turns_played)
        deals = verify(read(record.text)).verdict.deals
        assert row.unwon == sum(deal.winner is None for deal in deals)
