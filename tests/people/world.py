"""An archive with games of every visibility, and viewers of every kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from kafu.notation.writer import identity
from people.tokens import create_token
from records.ingest.receiving import Part, receive
from records.jobs import kinds
from records.models import Record, Upload, Visibility
from tests.records.makers import finish, hurry, illegal, run_claimable, simulate_months, text

PASSWORD = "a hand of seven slips"
LEVELS = (Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE)


def user(name: str, *, staff: bool = False) -> Any:
    """Create a user with `PASSWORD`."""
    model: Any = get_user_model()
    return model.objects.create_user(name, password=PASSWORD, is_staff=staff, is_superuser=staff)


def confirmed(name: str, address: str) -> Any:
    """Create a user with `PASSWORD` and a confirmed e-mail address."""
    owner = user(name)
    owner.email = address
    owner.save()
    EmailAddress.objects.create(user=owner, email=address, verified=True, primary=True)
    return owner


def reauthenticate(browser: Client) -> None:
    """Enter the password again, as account pages require."""
    fields = {"password": PASSWORD, "next": reverse("me")}
    assert browser.post(reverse("account_reauthenticate"), fields)["Location"] == reverse("me")


def session(of: Any) -> Client:
    """Return a browser in which a user is logged in, or an anonymous browser."""
    client = Client()
    if of is not None:
        client.force_login(of)
    return client


def token(of: Any, *scopes: str) -> dict[str, str]:
    """Return headers with a new token of a user."""
    return {"Authorization": f"Bearer {create_token(owner=of, name='test', scopes=scopes)[1]}"}


def sent(
    *games: str,
    owner: Any = None,
    visibility: int = Visibility.PUBLIC,
    replaces: str = "",
    circle: str = "",
) -> Upload:
    """Return a processed upload of these games."""
    part = Part("games.kafu", ("\n".join(games).encode(),))
    upload = receive(
        parts=[part],
        via="api",
        owner=owner and owner.pk,
        visibility=visibility,
        replaces=replaces,
        circle=circle,
    )
    finish(upload)
    return upload


@cache
def identity_of(seed: int) -> str:
    """Return the identity of `text(seed)`."""
    return identity(simulate_months(seed))


def do_jobs() -> None:
    """Run all jobs except the idle jobs (ratings and indexes), which take longest."""
    for _ in range(500):
        hurry()
        if not run_claimable(kind__in=kinds.names(kinds.WORK)):
            return
    raise AssertionError("jobs without end")


@dataclass
class World:
    """A legal and an illegal game of each visibility, with viewers of every kind.

    The games have two months: their pages take a fraction of the time of a year's.
    """

    owner: Any = field(default_factory=lambda: user("owner"))
    other: Any = field(default_factory=lambda: user("other"))
    staff: Any = field(default_factory=lambda: user("staff", staff=True))
    uploads: dict[int, Upload] = field(default_factory=dict)
    games: dict[int, Record] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("owner", "other", "staff"):
            browser = session(getattr(self, name))
            self.sessions[name] = browser.cookies[settings.SESSION_COOKIE_NAME].value
        for seed, level in enumerate(LEVELS, start=1):
            games = (text(seed), illegal(seed + 10))
            secret, faulty = (named(game, level) for game in games)
            upload = sent(secret, faulty, owner=self.owner, visibility=level)
            self.uploads[level] = upload
            record = upload.submissions.get(number=1).record
            assert record is not None
            self.games[level] = record

    def browser(self, name: str) -> Client:
        """Return a new browser in which this viewer is logged in, or an anonymous browser."""
        client = Client()
        if name in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[name]
        return client


def named(game: str, level: int) -> str:
    """Return the game with players and an event that only this visibility has."""
    word = Visibility(level).name.title()
    renamed = game.replace('[Player1 "', f'[Player1 "{word} ').replace(
        '[Player2 "', f'[Player2 "{word} '
    )
    return renamed.replace('[Rules "koikoi"]', f'[Rules "koikoi"]\n[Event "{word} event"]')
