"""Clubs, members and games of clubs for the tests."""

from __future__ import annotations

from datetime import date
from typing import Any

from clubs import access, clubs, invites, members, seasons
from clubs.access import Access
from clubs.models import Club, Member, Season
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Record, Visibility
from records.privacy.access import Viewer
from tests.people import world


def found(
    account: Any, key: str = "kai", visibility: int = Visibility.PUBLIC, name: str = ""
) -> Club:
    """Return a club founded by an account, who plays as Aya."""
    fields: dict[str, Any] = {"name": name or f"Club {key}", "visibility": visibility}
    return clubs.found(account.pk, key=key, player="Aya", **fields)


def of(club: Club, account: Any) -> Access:
    """Return what an account may do in a club."""
    return access.of(club, Viewer(account.pk))


def joins(club: Club, officer: Any, account: Any, name: str) -> Member:
    """Let an account join a club by a new invitation."""
    invite = invites.create(of(club, officer))
    return invites.accept(invites.secret_of(invite), account.pk, name=name)


def begin_season(club: Club, officer: Any, **fields: Any) -> Season:
    """Return a season of koi-koi in 2026."""
    days = {"first": date(2026, 1, 1), "last": date(2026, 12, 31)}
    values: dict[str, Any] = {"name": "2026", "ruleset": "koikoi", **days}
    return seasons.create(of(club, officer), values | fields)


def game_text(seed: int, *players: str, day: str = "2026-04-03") -> str:
    """Return the text of a koi-koi game of two months on a day."""
    game = simulate("koikoi", seed=seed, options={"months": "2"})
    game.players = players or ("Aya", "Ben")
    game.tags["Date"] = day
    return write(game)


def play(
    club: Club, account: Any, seed: int, *players: str, day: str = "2026-04-03", **sent: Any
) -> Record:
    """Return a game that a member sent to a club."""
    before = set(Record.objects.values_list("pk", flat=True))
    text = game_text(seed, *players, day=day)
    world.sent(text, owner=account, circle=club.circle, **sent)
    return Record.objects.exclude(pk__in=before).get()


def add_member(club: Club, officer: Any, name: str) -> Member:
    """Return a new member without an account."""
    (member,) = members.add(of(club, officer), [name])
    return member


def removes(club: Club, officer: Any, member: Member) -> None:
    """Let an officer remove a member."""
    members.remove(of(club, officer), member)


def set_houses(club: Club, officer: Any, houses: dict[str, str]) -> None:
    """Set the house rules of a club."""
    clubs.update(of(club, officer), {"houses": houses})
