"""Pages of clubs for every kind of viewer, and games of private clubs at every address.

A new address of a club without an entry fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

import pytest
from django.conf import LazySettings
from django.core.cache import cache, caches
from django.test import Client
from django.urls import reverse

from clubs import clubs, evenings, games, invites, members, seasons
from clubs.changes import stamp
from clubs.honours import TITLES
from clubs.models import Change, Club, Follower, Invite, Member, Role, Season
from clubs.seasons import NewEntry
from clubs.urls import urlpatterns
from kafu.notation.vocabulary import RULES
from lengths import LONG
from records.base.keys import player_key
from records.models import Player, Record, Visibility
from records.services.pseudonyms import set_pseudonym
from records.serving.limits import GROUPS
from tests.clubs import world
from tests.people.world import sent, session, user
from tests.security.addresses import ArchiveKeys, addresses, body_of

pytestmark = pytest.mark.django_db

DAY: Final = date(2026, 4, 3)
LEVELS: Final = (Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE)
#: The viewers: ``rival`` is the founder of another club.
NOBODY, STRANGER, RIVAL, REMOVED, STAFF = "nobody", "stranger", "rival", "removed", "staff"
MEMBER, OFFICER, FOUNDER = "member", "officer", "founder"
OUTSIDE: Final = (NOBODY, STRANGER, RIVAL, REMOVED)
INSIDE: Final = (STAFF, MEMBER, OFFICER, FOUNDER)
#: Pages for all who see the club, and pages for members from a role on, by the parameters after the
#: key of the club.
SEEN: Final[dict[str, tuple[str, ...]]] = {
    "club": (),
    "club-members": (),
    "club-member": ("member",),
    "club-games": (),
    "club-seasons": (),
    "club-season": ("season",),
    "club-print": ("season",),
    "club-standings-csv": ("season",),
    "club-picture": ("season",),
    "club-evenings": (),
    "club-evening": ("day",),
    "club-sheets": ("day",),
    "club-calendar": (),
    "club-feed": (),
}
ROLES: Final[dict[str, tuple[Role, tuple[str, ...]]]] = {
    "club-log": (Role.MEMBER, ()),
    "club-leave": (Role.MEMBER, ()),
    "club-invites": (Role.OFFICER, ()),
    "club-settings": (Role.OFFICER, ()),
    "club-season-new": (Role.OFFICER, ()),
    "club-season-change": (Role.OFFICER, ("season",)),
    "club-entries": (Role.OFFICER, ("season",)),
    "club-totals": (Role.OFFICER, ("season",)),
    "club-delete": (Role.FOUNDER, ()),
}
#: Addresses that contain nothing of the archive, several of them drawn or computed.
RULEBOOKS: Final = ("/rules/", "/learn/", "/odds/", "/api/v1/odds/", "/api/v1/schema")
#: The rulesets without a game.
UNPLAYED: Final = RULES.keys() - {"koikoi"}
#: Pages that are no part of a club.
OTHERS: Final = {"clubs", "club-new", "club-join"}


@dataclass
class World:
    """A club with a game, a season and an evening, and a browser of each viewer."""

    level: Visibility
    users: dict[str, Any] = field(default_factory=dict)
    browsers: dict[str, Client] = field(default_factory=dict)
    club: Club = field(init=False)
    season: Season = field(init=False)
    game: Record = field(init=False)
    member: Member = field(init=False)
    invite: Invite = field(init=False)

    def __post_init__(self) -> None:
        for name in (*OUTSIDE, *INSIDE):
            self.users[name] = user(name, staff=name == STAFF) if name != NOBODY else None
            self.browsers[name] = session(self.users[name])
        founder = self.users[FOUNDER]
        self.club = world.found(founder, "kai", self.level, name="Markclub")
        world.found(self.users[RIVAL], "rival")
        access = world.of(self.club, founder)
        for name in (MEMBER, OFFICER, REMOVED):
            self.member = world.joins(self.club, founder, self.users[name], f"Mark{name}")
            if name == OFFICER:
                members.set_role(access, self.member, Role.OFFICER)
        members.remove(access, self.member)
        self.member = self.club.members.get(name="Markmember")
        self.season = world.begin_season(self.club, founder, name="Markseason")
        evenings.write(access, DAY, {"place": "Markplace", "line": "Markline"})
        names = (f"Mark{MEMBER}", "Markguest")
        self.game = world.play(
            self.club, self.users[MEMBER], 1, *names, visibility=Visibility.PRIVATE
        )
        self.invite = invites.create(access)

    def address(self, name: str, parameters: tuple[str, ...] = (), key: str = "kai") -> str:
        """Return an address of a club."""
        values = {"season": self.season.key, "day": DAY, "member": self.member.key}
        return reverse(name, args=[key, *(values[parameter] for parameter in parameters)])


@pytest.fixture(params=LEVELS if LONG else (Visibility.PUBLIC, Visibility.PRIVATE))
def kai(request: Any, settings: LazySettings, db: None) -> World:
    """Return a club of each visibility."""
    settings.RATES = dict.fromkeys(GROUPS, (10**9, 60))
    return World(request.param)


#: For tests that change the visibility themselves, and of names, which do not depend on it.
BEGUN_PUBLIC: Final = pytest.mark.parametrize(
    "kai", LEVELS if LONG else (Visibility.PUBLIC,), indirect=True
)


def test_every_address_has_an_entry() -> None:
    names = {pattern.name for pattern in urlpatterns}
    assert names == SEEN.keys() | ROLES.keys() | OTHERS


def test_pages_are_seen_by_those_who_see_the_club(kai: World) -> None:
    """Visitors without a session come first and last, so that their cached pages exist."""
    for viewer in (NOBODY, *INSIDE, *OUTSIDE):
        expected = 200 if kai.level is not Visibility.PRIVATE or viewer in INSIDE else 404
        for name, parameters in SEEN.items():
            response = kai.browsers[viewer].get(kai.address(name, parameters))
            assert response.status_code == expected, (viewer, name)
            is_listed = kai.level is Visibility.PUBLIC
            assert (response.get("X-Robots-Tag") is None) == (is_listed or expected == 404), name
            if kai.level is Visibility.PRIVATE and expected == 200:
                assert "no-store" in response["Cache-Control"], name


def test_pages_of_a_role_are_unknown_to_lower_ones(kai: World) -> None:
    held = {MEMBER: Role.MEMBER, OFFICER: Role.OFFICER, FOUNDER: Role.FOUNDER}
    for viewer, browser in kai.browsers.items():
        for name, (role, parameters) in ROLES.items():
            status = 200 if held.get(viewer, -1) >= role else 404
            if viewer == NOBODY and kai.level is not Visibility.PRIVATE:
                status = 302
            response = browser.get(kai.address(name, parameters))
            assert response.status_code == status, (viewer, name)


def test_club_is_followed_by_accounts_that_see_it(kai: World) -> None:
    """The button is for accounts that are no members; a visitor's cached page has none."""
    path, is_open = kai.address("club"), kai.level is not Visibility.PRIVATE
    for viewer, browser in kai.browsers.items():
        status = browser.post(path, {"follow": "1"}).status_code
        assert status == (302 if is_open or viewer in INSIDE else 404), viewer
        follows = Follower.objects.filter(account=kai.users[viewer]).exists()
        assert follows == (status == 302 and viewer != NOBODY), viewer
        has_button = b'name="follow"' in body_of(browser.get(path))
        outside = viewer in (STRANGER, RIVAL, REMOVED)
        assert has_button == ((outside and is_open) or viewer == STAFF), viewer
        names = "Markmember" in browser.get(reverse("me")).text
        assert names == (viewer in INSIDE), viewer


def test_private_club_and_its_game_leave_no_mark_outside(kai: World) -> None:
    """The game is private in a public club too: its guest is a name nowhere else.

    A visitor and a removed member request every address except rulebooks and statistics of other
    rulesets of a private club, and the addresses of clubs and of the game, and searches, of a
    public one. The other viewers, and the visitor again at the end, request a tenth. In `make
    test-long` all request every address.
    """
    marks = {"Markguest"}
    if kai.level is Visibility.PRIVATE:
        marks |= {"Markclub", "Markseason", "Markplace", "Markline", "Markmember", "Markofficer"}
    keys = ArchiveKeys([kai.game.key], [], [])
    paths = [address.path for address in addresses(keys) if "evil" not in address.path]
    paths += [kai.address(name, parameters) for name, parameters in SEEN.items()]
    paths += [f"/api/v1/clubs/kai/{part}" for part in ("", "members", "games", "evenings")]
    for parts in ("standings", "standings.csv", "entries"):
        paths.append(f"/api/v1/clubs/kai/seasons/{kai.season.key}/{parts}")
    paths += ["/games/?sort=longest", "/players/?q=mark", "/players/suggest?q=mark"]
    paths += [f"/api/v1/records/export.ndjson?keys={kai.game.key}", "/api/v1/clubs"]
    if kai.level is Visibility.PRIVATE:
        left_out = (*RULEBOOKS, *(f"/statistics/{rules}/" for rules in UNPLAYED))
        most = [path for path in paths if not path.startswith(left_out)]
    else:
        words = ("club", "mark", kai.game.key)
        most = [path for path in paths if any(word in path for word in words)]
    selections = {NOBODY: most, REMOVED: most}
    assert "Markguest" in kai.browsers[MEMBER].get(kai.address("club-season", ("season",))).text
    for viewer in (*OUTSIDE, *OUTSIDE[:1]):
        for path in paths if LONG else selections.pop(viewer, paths[::10]):
            response = kai.browsers[viewer].get(path)
            assert response.status_code < 500, path
            body = body_of(response).decode(errors="replace")
            assert not [mark for mark in marks if mark in body], (viewer, path)


def test_member_sees_the_private_game_of_another_at_its_addresses(kai: World) -> None:
    for name in ("game", "kafu", "replay", "frame", "moves", "sheet", "api:record", "comments"):
        path = reverse(name, args=[kai.game.key])
        for viewer, browser in kai.browsers.items():
            status = browser.get(path).status_code
            assert (status == 200) == (viewer in INSIDE), (viewer, name)


def test_page_that_is_cached_is_gone_when_the_club_becomes_private(kai: World) -> None:
    paths = [kai.address(name, parameters) for name, parameters in SEEN.items()]
    before = [kai.browsers[NOBODY].get(path).status_code for path in paths]
    settings = {"name": "Markclub", "visibility": Visibility.PRIVATE.value, "words": ""}
    kai.browsers[FOUNDER].post(kai.address("club-settings"), settings)
    assert {kai.browsers[NOBODY].get(path).status_code for path in paths} == {404}
    settings["visibility"] = kai.level.value
    kai.browsers[FOUNDER].post(kai.address("club-settings"), settings)
    assert [kai.browsers[NOBODY].get(path).status_code for path in paths] == before


@BEGUN_PUBLIC
def test_game_links_to_its_club_for_those_who_see_it_there(kai: World) -> None:
    """Visitors come first and last; a page that is cached follows the club and the game."""
    sent(world.game_text(2), owner=kai.users[MEMBER], circle=kai.club.circle)
    public = Record.objects.get(visibility=Visibility.PUBLIC)
    link = f'href="{kai.address("club")}"'
    members_only = {MEMBER, OFFICER, FOUNDER}

    def check(seen_by: set[str]) -> None:
        for viewer in (NOBODY, *INSIDE, *OUTSIDE):
            page = kai.browsers[viewer].get(reverse("game", args=[public.key])).text
            assert (link in page, "Markclub" in page) == (viewer in seen_by,) * 2, viewer
            page = kai.browsers[viewer].get(reverse("game", args=[kai.game.key])).text
            assert (link in page) == (viewer in members_only), viewer

    everybody = {*OUTSIDE, *INSIDE}
    for level in (kai.level, Visibility.PRIVATE, Visibility.UNLISTED, Visibility.PUBLIC):
        clubs.update(world.of(kai.club, kai.users[FOUNDER]), {"visibility": level})
        check(everybody if level is Visibility.PUBLIC else members_only)
    page = kai.browsers[MEMBER].get(reverse("game", args=[kai.game.key]))
    assert "members of the club can see it" in page.text
    games.take_out(world.of(kai.club, kai.users[FOUNDER]), [public.pk])
    check(set())


#: What officers do by forms, in an order in which each is possible: the address, and the fields.
ACTIONS: Final[tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...]] = (
    ("club-members", (), {"name": "Zed"}),
    ("club-member", ("member",), {"do": "rename", "name": "Markother"}),
    ("club-member", ("member",), {"do": "split", "name": player_key("Markother")}),
    ("club-member", ("member",), {"do": "merge", "into": "Zed"}),
    ("club-invites", (), {"days": "7", "most": "5"}),
    ("club-invites", (), {"revoke": "{invite}"}),
    ("club-settings", (), {"name": "Markclub", "visibility": "{level}", "words": "Words"}),
    ("club-games", (), {"do": "move", "game": "{game}", "day": "2026-04-04"}),
    ("club-games", (), {"do": "out", "game": "{game}"}),
    ("club-games", (), {"do": "add", "links": "{public}", "day": "2026-04-04"}),
    (
        "club-season-new",
        (),
        {"name": "Next", "ruleset": "koikoi", "first": "2027-01-01", "last": "2027-12-31"}
        | {"scoring": "sum", "least": "0", "drop": "0", "titles": "{title}"},
    ),
    (
        "club-entries",
        ("season",),
        {"kind": "penalty", "name": "Zed", "day": "2026-04-03", "amount": "-5", "reason": "Late"},
    ),
    ("club-totals", ("season",), {"text": "Name,2026-04-03\nZed,5\n", "save": "1", "games": "1"}),
    ("club-evening", ("day",), {"do": "write", "place": "Here", "was": "{evening}"}),
    ("club-evening", ("day",), {"do": "draw", "ruleset": "koikoi", "typed": "Zed, Yui"}),
    ("club-evening", ("day",), {"do": "delete"}),
    ("club-log", (), {"undo": "{change}"}),
    ("club-season-change", ("season",), {"delete": "1", "confirmed": "1"}),
)


def act(kai: World, viewer: str, number: int, key: str = "kai") -> Any:
    """Send a form of an officer; return the response."""
    name, parameters, fields = ACTIONS[number]
    evening = kai.club.evenings.first()
    values = {
        "evening": stamp(evening) if evening is not None else "",
        "invite": kai.invite.key,
        "level": kai.level.value,
        "title": TITLES[0],
        "game": kai.game.key,
        "public": Record.objects.get(visibility=Visibility.PUBLIC).key,
        "change": Change.objects.filter(club=kai.club).latest("pk").pk,
    }
    data = {key: value.format(**values) for key, value in fields.items()}
    return kai.browsers[viewer].post(kai.address(name, parameters, key), data)


def test_officer_changes_the_club_and_nobody_else(kai: World) -> None:
    """An officer of another club sends the keys of this one with both addresses.

    In `make test` two viewers send the forms of a private club: those outside do not see its pages.
    """
    sent(world.game_text(2), owner=kai.users[STRANGER])
    is_sampled = kai.level is Visibility.PRIVATE and not LONG
    viewers = (REMOVED, MEMBER) if is_sampled else (*OUTSIDE, STAFF, MEMBER)
    for number, (_name, _parameters, fields) in enumerate(ACTIONS):
        count = Change.objects.count()
        for viewer in viewers:
            if viewer == MEMBER and fields.get("do") in ("out", "rename"):
                continue  # members change their own name, and take out their own games
            if viewer == STRANGER and fields.get("do") == "add":
                continue
            act(kai, viewer, number)
            assert Change.objects.filter(club=kai.club).count() == count - 1, (viewer, fields)
        if fields.get("do") != "add":  # that is allowed
            act(kai, RIVAL, number, "rival")
        made = Change.objects.filter(club__key="rival").exclude(what="found")
        assert not made.filter(values__name="Markmember").exists()
        made.delete()
        assert Change.objects.count() == count, fields
        response = act(kai, OFFICER, number)
        assert Change.objects.count() == count + 1, (fields, response.text)
    founder = {"key": "kai"}
    for viewer in (*OUTSIDE, STAFF, MEMBER, OFFICER):
        kai.browsers[viewer].post(kai.address("club-delete"), founder)
    assert Club.objects.filter(key="kai").exists()
    kai.browsers[FOUNDER].post(kai.address("club-delete"), founder)
    assert not Club.objects.filter(key="kai").exists()


def test_invitation_is_neither_guessed_nor_used_after_its_end(kai: World) -> None:
    secret = invites.secret_of(kai.invite)
    path = reverse("club-join", args=[secret])
    assert kai.browsers[NOBODY].get(path).status_code == 200
    key, signature = secret.split(":")
    altered = ("B" if signature[0] == "A" else "A") + signature[1:]
    guesses = [key, f"{key}:{signature[:-1]}", f"{key}:{altered}", f"{kai.season.key}:{signature}"]
    for guess in guesses:
        response = kai.browsers[STRANGER].get(reverse("club-join", args=[guess]))
        assert response.status_code == 404
        assert "Markclub" not in response.text
    fields = {"name": "Zed"}
    kai.browsers[NOBODY].post(path, fields)
    assert kai.browsers[STRANGER].post(path, fields).status_code == 302
    kai.browsers[STRANGER].post(path, fields)
    kai.invite.refresh_from_db()
    assert kai.invite.used == 1
    kai.browsers[STRANGER].post(kai.address("club-leave"))
    invites.revoke(world.of(kai.club, kai.users[FOUNDER]), kai.invite.key)
    for viewer in (STRANGER, RIVAL):
        assert kai.browsers[viewer].post(path, fields).status_code == 404
    current = kai.club.members.filter(left=None, account__in=[kai.users[STRANGER]])
    assert not current.exists()


#: Pages with forms for officers, which have names as typed.
FORMS: Final = ("club-evening", "club-settings", "club-season-change")


@BEGUN_PUBLIC
def test_pseudonym_replaces_a_name_on_every_page(kai: World) -> None:
    """Members see the pseudonym too, in the log, in entries and in names of seasons as well."""
    access = world.of(kai.club, kai.users[FOUNDER])
    for name in ("Markmember", "Markguest"):
        late = NewEntry("penalty", name, DAY, -5, reason=f"{name} was late")
        seasons.add_entries(access, kai.season, [late])
    evening = evenings.find(kai.club, DAY)
    assert evening is not None
    evenings.draw(access, evening, "koikoi", ["Markmember", "Markguest"])
    Season.objects.filter(pk=kai.season.pk).update(name="Cup of Markguest")
    Club.objects.filter(pk=kai.club.pk).update(name="Friends of Markguest")
    for name in ("Markmember", "Markguest"):
        set_pseudonym(Player.objects.get(name=name), f"Wisteria {len(name)}")
    cache.clear()
    caches["responses"].clear()
    pages = SEEN | {name: parameters for name, (_role, parameters) in ROLES.items()}
    for viewer in (FOUNDER, MEMBER, NOBODY):
        for name, parameters in pages.items():
            body = body_of(kai.browsers[viewer].get(kai.address(name, parameters)))
            if viewer == FOUNDER and name in FORMS:
                continue
            assert b"Markguest" not in body, (viewer, name)
            if name != "club-member":  # officers and the member see the names to change them
                assert b"Markmember" not in body, (viewer, name)


@BEGUN_PUBLIC
def test_player_left_out_of_statistics_is_named_to_members_alone(kai: World) -> None:
    Player.objects.filter(name="Markmember").update(statistics=False)
    cache.clear()
    caches["responses"].clear()
    for name, parameters in SEEN.items():
        body = body_of(kai.browsers[STRANGER].get(kai.address(name, parameters)))
        assert b"Markmember" not in body, name
    assert "Markmember" in kai.browsers[MEMBER].get(kai.address("club-members")).text
