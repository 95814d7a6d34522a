"""Standings of a season after random changes, compared with sums over the texts of the games."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any, Final

import pytest
from django.test import RequestFactory

import kafu
from clubs import access, figures, games, members, seasons
from clubs.access import Access
from clubs.changes import undo
from clubs.models import Change, Club, Season
from clubs.refused import Refused
from clubs.seasons import NewEntry
from kafu.simulation.simulate import simulate
from lengths import examples
from records.ingest.ownership import change_visibility
from records.models import Record, Visibility
from records.privacy.access import ANONYMOUS, Viewer
from tests.clubs import world
from tests.people.world import sent, user

pytestmark = pytest.mark.django_db

STEPS: Final = 20
#: The first day of the season, and the number of days from which the days of games are chosen. Some
#: days are after the season.
FIRST: Final = date(2026, 4, 1)
DAYS, OUTSIDE = 20, 5
LEVELS: Final = (Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE)
#: Names in games: of Aya, who has an account, of other members, and of a guest.
NAMES: Final = ("Aya", "Ben", "B. S.", "Cho", "Zed")


@dataclass
class Played:
    """A game as it should count: the sums by name, and who brought it."""

    finals: dict[str, int]
    owner: Any
    day: date
    visibility: int
    is_in: bool = True


@dataclass
class Expected:
    """What the standings must be made of."""

    games: dict[str, Played] = field(default_factory=dict)
    #: The member by each name.
    members: dict[str, str] = field(default_factory=dict)
    entries: list[tuple[str, int]] = field(default_factory=list)

    def count(self, level: int) -> dict[str, tuple[int, int]]:
        """Return the score and the number of games of each player at a level."""
        table: dict[str, tuple[int, int]] = {}

        def add(name: str, score: int, number: int) -> None:
            player = self.members.get(name, name)
            before = table.get(player, (0, 0))
            table[player] = (before[0] + score, before[1] + number)

        for game in self.games.values():
            is_of_season = game.day < FIRST + timedelta(days=DAYS)
            if game.is_in and is_of_season and game.visibility >= level:
                for name, final in game.finals.items():
                    add(name, final, 1)
        for name, amount in self.entries:
            add(name, amount, 0)
        return table


class Play:
    """Random changes of a club through services, and their expected result."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seed = 1000 * seed
        self.aya, self.dan = user(f"aya{seed}"), user(f"dan{seed}")
        self.club: Club = world.found(self.aya, f"kai{seed}")
        world.joins(self.club, self.aya, self.dan, "Dan")
        self.officer: Access = world.of(self.club, self.aya)
        members.add(self.officer, ["Ben", "B. S.", "Cho"])
        last = FIRST + timedelta(days=DAYS - 1)
        self.season: Season = world.begin_season(self.club, self.aya, first=FIRST, last=last)
        names = ("Aya", "Ben", "B. S.", "Cho", "Dan")
        self.expected = Expected(members={name: name for name in names})
        #: What was expected before the last change in the log.
        self.before = deepcopy(self.expected)

    def step(self) -> str:
        """Make a change; return its name."""
        kinds = [self.send] * 4 + [self.correct, self.hide, self.take_out, self.enter]
        kinds += [self.merge, self.split, self.withdraw, self.undo]
        change = self.random.choice(kinds)
        before, logged = deepcopy(self.expected), self.club.changes.count()
        change()
        if change != self.undo and self.club.changes.count() > logged:
            self.before = before
        return change.__name__

    def send(self, replaces: str = "", owner: Any = None) -> None:
        """Send a new game to the club, or a correction."""
        self.seed += 1
        game = simulate("koikoi", seed=self.seed, options={"months": "1"})
        game.players = tuple(self.random.sample(NAMES, 2))
        day = FIRST + timedelta(days=self.random.randrange(DAYS + OUTSIDE))
        game.tags["Date"] = day.isoformat()
        verdict = kafu.verify(game)
        assert verdict.final is not None
        level = self.random.choice(LEVELS)
        owner = owner or self.random.choice((self.aya, self.dan))
        circle = self.club.circle
        sent(kafu.write(game), owner=owner, visibility=level, circle=circle, replaces=replaces)
        finals = dict(zip(game.players, verdict.final, strict=True))
        former = self.expected.games.pop(replaces, None)
        is_in = former is None or former.is_in
        played = Played(finals, owner, day, level, is_in)
        self.expected.games[Record.objects.latest("pk").key] = played

    def choose(self) -> tuple[str, Played] | None:
        """Return a random game."""
        games = list(self.expected.games.items())
        return self.random.choice(games) if games else None

    def correct(self) -> None:
        """Let a new game take the place of another."""
        if chosen := self.choose():
            self.send(chosen[0], chosen[1].owner)

    def hide(self, level: Visibility | None = None) -> None:
        """Change the visibility of a game."""
        if chosen := self.choose():
            level = level or self.random.choice(LEVELS)
            pk = Record.objects.get(key=chosen[0]).pk
            change_visibility(owner=chosen[1].owner.pk, records=[pk], visibility=level)
            chosen[1].visibility = level

    def withdraw(self) -> None:
        """Withdraw a game."""
        if chosen := self.choose():
            pk = Record.objects.get(key=chosen[0]).pk
            owner = chosen[1].owner.pk
            change_visibility(owner=owner, records=[pk], visibility=Visibility.WITHDRAWN)
            del self.expected.games[chosen[0]]

    def take_out(self) -> None:
        """Take a game out of the club."""
        if chosen := self.choose():
            games.take_out(self.officer, [Record.objects.get(key=chosen[0]).pk])
            chosen[1].is_in = False

    def enter(self) -> None:
        """Add a penalty or a correction."""
        name, amount = self.random.choice(NAMES[:4]), self.random.randrange(1, 9)
        kind = self.random.choice(("penalty", "correction"))
        amount = -amount if kind == "penalty" else amount
        entry = NewEntry(kind, name, FIRST, amount, reason="Late")
        seasons.add_entries(self.officer, self.season, [entry])
        self.expected.entries.append((name, amount))

    def merge(self) -> None:
        """Make two members one, unless they met."""
        first, second = self.random.sample(["Ben", "B. S.", "Cho"], 2)
        rows = [self.club.names.get(name=name).member for name in (first, second)]
        try:
            members.merge(self.officer, rows[0], rows[1])
        except Refused as refused:
            assert refused.code in ("played-together", "same")
            return
        for name, member in self.expected.members.items():
            if member == rows[0].name:
                self.expected.members[name] = rows[1].name

    def split(self) -> None:
        """Make a name a member of its own, if the member has another."""
        name = self.random.choice(["Ben", "B. S.", "Cho"])
        row = self.club.names.get(name=name)
        if row.member.names.count() < 2:
            return
        former = row.member.name
        members.split(self.officer, row)
        others = [other for other, member in self.expected.members.items() if member == former]
        others.remove(name)
        if former == name:
            shown = self.club.names.get(name=others[0]).member.name
            self.expected.members |= dict.fromkeys(others, shown)
        self.expected.members[name] = name

    def undo(self) -> None:
        """Take back the last change if it is a merge, a split, an entry or a game taken out."""
        made = Change.objects.filter(club=self.club).latest("pk")
        if made.what not in ("merged", "split", "entry", "games-out") or hasattr(made, "undone_by"):
            return
        try:
            undo(self.officer, made)
        except Refused:
            return
        self.expected.members = self.before.members
        self.expected.entries = self.before.entries
        for key, game in self.before.games.items():
            if key in self.expected.games:
                self.expected.games[key].is_in = game.is_in

    def shown(self, viewer: Viewer) -> dict[str, tuple[int, int]]:
        """Return the score and the number of games of each player, as a viewer sees them."""
        request = RequestFactory().get("/")
        rows = figures.standings_of(request, access.of(self.club, viewer), self.season)
        names = dict(self.club.members.values_list("key", "name"))
        return {names.get(row.player, "Zed"): (row.score or 0, row.games) for row in rows}


@pytest.mark.parametrize("seed", range(1, 1 + examples(20)))
def test_standings_equal_the_sums_over_the_texts(seed: int) -> None:
    play = Play(seed)
    for _number in range(STEPS):
        what = play.step()
        for viewer in (Viewer(play.aya.pk), ANONYMOUS):
            level = Visibility.PRIVATE if viewer.user else Visibility.PUBLIC
            assert play.shown(viewer) == play.expected.count(level), what
    assert play.expected.count(Visibility.PRIVATE)
