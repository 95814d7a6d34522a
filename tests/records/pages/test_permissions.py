"""The permission matrix: every page × viewer × visibility. A new page without an entry fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.conf import LazySettings, settings
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from oauth2_provider.models import RefreshToken

from lengths import LONG, part
from people import applications
from people.models import Collection, OwnName
from people.tokens import create_token
from people.urls import urlpatterns as peoples
from records.ingest.receiving import Part, receive
from records.models import Player, Study, Visibility
from records.privacy.access import hash_secret, new_secret
from records.services import problems, studies
from records.urls import urlpatterns as archives
from tests.people.world import LEVELS, PASSWORD, World
from tests.records.problems import store_some
from tests.security.addresses import patterns

pytestmark = pytest.mark.django_db

#: Pages for everybody, with the arguments of their addresses.
OPEN: dict[str, list[Any]] = {
    "home": [],
    "upload": [],
    "check": [],
    "new-record": [],
    "offline": [],
    "new-sheet": [],
    "plain-sheet": [],
    "notation": [],
    "crib": [],
    "programs": [],
    "worked-replay": [],
    "worked-frame": [],
    "games": [],
    "players": [],
    "studies": [],
    "suggest-players": [],
    "suggest-events": [],
    "cards": [],
    "odds": ["hachihachi"],
    "statistics-home": [],
    "insights": [],
    "bests": [],
    "problems": [],
    "problem": [str(problems.today())],
    "statistics": ["koikoi"],
    "robots": [],
    "sitemap": [],
    "sitemap-file": [0],
    "favicon": [],
    "manifest": [],
    "page-preview": ["home"],
    "statistics-preview": ["koikoi"],
    "statistics-home-preview": [],
    "feed": [],
    "data": [],
    "notebook": [],
    "rules": [],
    "rulebook": ["koikoi"],
    "rule-options": ["koikoi"],
    "poster": ["koikoi"],
    "poster-preview": ["koikoi"],
    "glossary": [],
    "learn": [],
    "lesson": ["koikoi"],
    "account_reset_password": [],
    "account_reset_password_done": [],
    "account_reset_password_from_key": ["1", "no-token"],
    "account_reset_password_from_key_done": [],
    "account_confirm_email": ["no-key"],
    "account_email_verification_sent": [],
    "account_inactive": [],
    "socialaccount_login_cancelled": [],
}
#: Open pages with lists or counts of games and players.
LISTS = {
    *("home", "games", "players", "studies", "suggest-players", "suggest-events", "sitemap-file"),
    *("statistics", "bests", "feed", "problems", "problem"),
}
#: Sign-up and log-in, which redirect logged-in users.
ENTRANCES = {"account_login", "account_signup"}
#: Steps that follow another: their address alone leads to nobody's page.
STEPS = {"mfa_authenticate", "account_confirm_login_code", "socialaccount_signup"}
#: For logged-in users, after entering the password once more.
REAUTHENTICATED = {
    *("delete_account", "mfa_activate_totp", "mfa_generate_recovery_codes"),
    *("authorize", "connect_device"),
}
#: Pages of a game, with the arguments after its key.
GAME: dict[str, list[Any]] = {
    "kafu": [],
    "game": [],
    "replay": [],
    "frame": [],
    "moves": [],
    "situations": [],
    "analysis": [],
    "comments": [],
    "picture": ["1.0"],
    "animation": ["1"],
    "strip": ["1"],
    "embed": [],
    "sheet": [],
    "sheet-csv": [],
}
#: Pictures of a game for previews, which a private game has not.
PREVIEWS = {"game-preview", "sheet-preview"}
REPORT = {"report"}
#: The report of an upload without an account, by its secret.
MINE = {"my_report"}
#: The page of a player who has public games.
PLAYER = {"player", "player-preview"}
#: Pages that take the address of a game as a parameter.
LINK = {"oembed"}
#: Files of a dump and its dataset card; here without dumps (see tests/records/opendata).
DUMPED = {"data-file", "data-latest", "dataset-card"}
#: Log-in at another site, not configured here (see tests/people/test_openid.py).
ELSEWHERE = {"openid_connect_login", "openid_connect_callback"}
#: Redirects to a part of another page, and of a removed page.
SENT_ON = {"worked", "removed_webhooks"}
#: By POST only, for everybody.
POSTED = {"language"}
#: Endpoints of applications, tested in tests/people/test_applications.py.
FOR_PROGRAMS = {"oauth_token", "oauth_device", "oauth_revoke"}
#: For everybody too, about a sent text or sent moves: nothing changes, and no form is needed.
ANSWERED = {"preview", "first-month"}
#: For logged-in users.
OWN = {
    *("me", "my_uploads", "my_names", "tokens", "applications"),
    *("account", "account_email", "mfa_index"),
    *("account_change_password", "account_reauthenticate", "usersessions_list"),
    *("withdrawn_games", "socialaccount_connections", "my-studies"),
    "my-problems",
}
#: For staff; tests/records/pages/test_home.py opens it.
FOR_STAFF = {"design"}
#: A second factor, which no viewer has; and the first password of an account without password.
MISSING = {
    *("mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_download_recovery_codes"),
    *("mfa_reauthenticate", "account_set_password"),
}
#: Confirmed by POST; without an account the page redirects.
ASKED = {"account_logout"}
OWN_POSTED = {"change_games", "add_own_name", "problem-answers"}
#: For the owner of a game or of another object.
HELD = {"my_game"}
HELD_POSTED = {
    *("delete_collection", "remove_own_name", "revoke_token", "end_session"),
    *("revoke_access", "delete_application"),
}
#: Read according to a study's visibility, and changed by its owner.
STUDY = {"study", "study-preview"}
STUDY_POSTED = {"study-change", "study-delete", "study-entry"}
#: Adds a step of a game that the viewer may see to a study.
KEEPING = {"study-add"}
#: Follows a player who has a page, for logged-in users.
FOLLOWED = {"follow_player"}
#: Changes of an upload, by its sender.
SENT_POSTED = {"change_upload", "claim_upload"}


#: The drawing of pictures, which takes most of the time and is independent of viewers.
DRAWN = (
    "records.pages.game.pictures.to_png",
    "records.pages.game.pictures.to_gif",
    "records.pages.game.pictures.to_strip",
    "records.pages.previews.views.to_png",
)
VIEWERS = ("nobody", "other", "owner", "staff")
#: Viewers of what everybody may see: in short, those who are logged in are one kind.
VIEWERS_OF_ALL = VIEWERS if LONG else ("nobody", "other")
Statuses = dict[str, int]


def test_every_page_has_an_entry() -> None:
    groups = (
        *(OPEN, GAME, PREVIEWS, REPORT, MINE, PLAYER, LINK, POSTED, ANSWERED, OWN, OWN_POSTED),
        *(HELD, HELD_POSTED, SENT_POSTED, DUMPED, ELSEWHERE),
        *(STUDY, STUDY_POSTED, KEEPING, FOLLOWED),
        *(FOR_PROGRAMS, SENT_ON, ENTRANCES, STEPS, REAUTHENTICATED, MISSING, ASKED, FOR_STAFF),
    )
    names = {name for name, _pattern, _view in patterns((*archives, *peoples))}
    assert sorted(names) == sorted(name for group in groups for name in group)


@pytest.fixture(autouse=True)
def without_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return empty pictures."""
    for draw in DRAWN:
        monkeypatch.setattr(draw, lambda *_given: b"")


@pytest.fixture(scope="module")
def world_for_all(rows_for_all: None) -> World:
    world = World()
    for record in world.games.values():
        store_some(record)
    return world


@pytest.fixture
def world(world_for_all: World, db: None) -> World:
    """Games of every visibility, all of one owner."""
    return world_for_all


#: The browsers of the viewers, whose middleware is loaded once for all pages.
BROWSERS = {name: Client() for name in VIEWERS}


def browsers(world: World, viewers: Iterable[str] = VIEWERS) -> Iterator[tuple[str, Client]]:
    """Yield each viewer with a browser that has nothing but the viewer's session."""
    for name in viewers:
        client = BROWSERS[name]
        client.cookies = SimpleCookie()
        if name in world.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[name]
        yield name, client


def statuses(
    world: World,
    name: str,
    *args: Any,
    query: str = "",
    viewers: Iterable[str] = VIEWERS,
) -> Statuses:
    """Return the status of a page for each viewer."""
    address = reverse(name, args=args) + query
    return {viewer: client.get(address).status_code for viewer, client in browsers(world, viewers)}


def post_statuses(world: World, address: str, fields: dict[str, Any]) -> Statuses:
    """Return the status of a form for each viewer."""
    return {viewer: client.post(address, fields).status_code for viewer, client in browsers(world)}


def each(default: int, **exceptions: int) -> Statuses:
    """Expect a status for each viewer: ``default`` for all but ``others``."""
    return dict.fromkeys(VIEWERS, default) | exceptions


def viewers_of(level: Visibility) -> tuple[str, ...]:
    """Return the viewers of a page of this visibility."""
    return VIEWERS if level is Visibility.PRIVATE else VIEWERS_OF_ALL


def visible(level: Visibility, **exceptions: int) -> Statuses:
    """Expect that all see it, or the owner and the staff alone where it is private."""
    if level is Visibility.PRIVATE:
        return each(404, owner=200, staff=200) | exceptions
    return dict.fromkeys(VIEWERS_OF_ALL, 200) | exceptions


def is_of_public_games_alone(response: Any) -> bool:
    """Whether a page names nothing that is private or unlisted."""
    body = response.content.decode(errors="replace")
    names = ("Private Aya", "Private event", "Unlisted Aya", "Unlisted event")
    return not any(name in body for name in names)


def leaks(responses: Iterable[tuple[str, Any]]) -> list[str]:
    """Return the viewers whose page fails or names a game that is not public."""
    return [
        viewer
        for viewer, response in responses
        if response.status_code != 200 or not is_of_public_games_alone(response)
    ]


# Pages for everybody, and of accounts ----------------------------------------------------------


def test_open_pages_show_everybody_public_games_alone(world: World) -> None:
    """In short the owner, the staff and nobody request the pages in turn.

    Lists, which have games of all visibilities to leave out, are requested by all of them.
    """
    wrong = {}
    for number, (name, args) in enumerate(OPEN.items()):
        viewers: tuple[str, ...] = VIEWERS if LONG else (("owner", "staff", "nobody")[number % 3],)
        if name in LISTS:
            viewers = ("nobody", "owner", "staff")
        address = reverse(name, args=args) + ("?q=p" if name.startswith("suggest") else "")
        wrong[name] = leaks(
            (viewer, client.get(address)) for viewer, client in browsers(world, viewers)
        )
    assert {name: viewers for name, viewers in wrong.items() if viewers} == {}


def test_pages_without_games_have_their_statuses(world: World) -> None:
    """Entrances redirect who is logged in, and log-out asks for confirmation.

    Parts of other pages and removed pages redirect. A site that is not configured is not found, and
    without a second factor its pages are closed.
    """
    for name in sorted(ENTRANCES):
        assert statuses(world, name) == each(302, nobody=200), name
    for name in sorted(ASKED):
        assert statuses(world, name) == each(200, nobody=302), name
    for name in sorted(SENT_ON):
        assert statuses(world, name) == each(302), name
    for name in sorted(ELSEWHERE):
        assert statuses(world, name, "site") == each(404), name
    for name in sorted(MISSING):
        assert set(statuses(world, name).values()) <= {302, 404}, name


def test_address_of_a_later_step_leads_to_the_first_one(world: World) -> None:
    for name in sorted(STEPS | REAUTHENTICATED):
        for viewer, client in browsers(world, ("nobody", "owner")):
            response = client.get(reverse(name))
            assert response.status_code == 302, (name, viewer)
            destination = response["Location"].partition("?")[0]
            if viewer == "nobody":
                assert destination == reverse("account_login"), name
            elif name in REAUTHENTICATED:
                assert destination == reverse("account_reauthenticate"), name


def test_own_pages_want_an_account_and_name_no_games_of_others(world: World) -> None:
    for name in sorted(OWN):
        for viewer, client in browsers(world):
            response = client.get(reverse(name))
            assert response.status_code == (302 if viewer == "nobody" else 200), (name, viewer)
            if viewer != "owner" or name == "account":
                assert is_of_public_games_alone(response), (name, viewer)


# Games and reports ----------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_game_is_shown_to_who_may_see_it_and_cached_if_it_is_not_private(
    world: World, level: Visibility
) -> None:
    key, wrong = world.games[level].key, []
    for name, args in GAME.items():
        address = reverse(name, args=[key, *args])
        responses = {
            viewer: client.get(address) for viewer, client in browsers(world, viewers_of(level))
        }
        if {who: response.status_code for who, response in responses.items()} != visible(level):
            wrong.append(name)
        if name == "game":
            page = [*responses.values()][-1].content.decode()
            assert (f"{key}/preview.png" in page) == (level is not Visibility.PRIVATE)
        is_private = level is Visibility.PRIVATE
        # A page of a logged-in user is never stored.
        headers = responses["owner" if is_private else "nobody"].headers
        is_stored = "no-store" not in headers.get("Cache-Control", "")
        if is_stored == is_private:
            wrong.append(f"{name}: Cache-Control")
        if ("X-Robots-Tag" in headers) != (level is not Visibility.PUBLIC):
            wrong.append(f"{name}: X-Robots-Tag")
    assert wrong == []
    viewers = viewers_of(level)
    for name in PREVIEWS:
        status = 404 if level is Visibility.PRIVATE else 200
        assert set(statuses(world, name, key, viewers=viewers).values()) == {status}
    assert statuses(world, "my_game", key) == each(404, nobody=302, owner=200)
    query = f"?url=http://testserver/games/{key}/"
    assert statuses(world, "oembed", query=query, viewers=viewers) == visible(level)
    # Adding a step of the game to a study follows the same rule, for logged-in users.
    query = f"?record={key}&at=1.2"
    assert statuses(world, "study-add", query=query, viewers=viewers) == visible(level, nobody=302)


@pytest.mark.parametrize("level", part(LEVELS[::-1]))
def test_report_and_its_texts_are_shown_to_who_may_see_the_upload(
    world: World, level: Visibility
) -> None:
    key, viewers = world.uploads[level].key, viewers_of(level)
    assert statuses(world, "report", key, viewers=viewers) == visible(level)
    # The pages that correct a game show the same text.
    query = f"?record={world.games[level].key}"
    pages = {"check": f"?upload={key}&file=1&game=2", "new-record": query}
    for name, query in pages.items():
        assert statuses(world, name, query=query, viewers=viewers) == visible(level), name
    if level is Visibility.PRIVATE:
        assert statuses(world, "check", query=query) == visible(level)


def test_report_without_an_account_is_shown_by_its_own_secret_alone(world: World) -> None:
    for level, secret in zip(LEVELS, ("-", new_secret(), "x"), strict=True):
        assert statuses(world, "my_report", world.uploads[level].key, secret) == each(404)
    secret = new_secret()
    part = Part("games.kafu", [world.games[Visibility.PUBLIC].text.encode()])
    upload = receive(parts=[part], via="page", secret=hash_secret(secret))
    assert statuses(world, "my_report", upload.key, secret) == each(200)
    assert statuses(world, "my_report", upload.key, new_secret()) == each(404)


def test_players_without_public_games_have_no_page(world: World) -> None:
    for level in LEVELS:
        player = Player.objects.filter(name__startswith=level.name.title())[0]
        address = reverse("player", args=[player.key])
        status = 200 if level is Visibility.PUBLIC else 404
        preview = statuses(world, "player-preview", player.key, viewers=("nobody", "owner"))
        assert set(preview.values()) == {status}
        followed = post_statuses(world, reverse("follow_player", args=[player.key]), {})
        assert followed == each(302 if status == 200 else 404, nobody=302)
        for viewer, client in browsers(world, VIEWERS if LONG else ("nobody", "owner", "staff")):
            response = client.get(address)
            assert response.status_code == status, viewer
            assert is_of_public_games_alone(response), (player.name, viewer)


# Changes --------------------------------------------------------------------------------------


def test_games_are_changed_by_their_owner_alone(world: World) -> None:
    game = world.games[Visibility.PRIVATE]
    fields = {"game": game.key, "visibility": str(int(Visibility.PUBLIC))}
    for viewer, client in browsers(world):
        assert client.post(reverse("change_games"), fields).status_code == 302
        game.refresh_from_db()
        # The staff come after the owner.
        assert (game.visibility == Visibility.PUBLIC) == (viewer in ("owner", "staff"))


def make_held(world: World, name: str, viewer: str) -> Any:
    """Make an object of the owner that a page removes or changes, and return its key."""
    if name == "revoke_token":
        return create_token(owner=world.owner, name=viewer, scopes=["read"])[0].key
    if name in ("revoke_access", "delete_application"):
        application = applications.register(world.owner, viewer, [])
        RefreshToken.objects.create(user=world.owner, application=application, token=viewer)
        return application.client_id
    if name == "end_session":
        fields = {"user": world.owner, "ip": "192.0.2.0", "session_key": f"of {viewer}"}
        return UserSession.objects.create(**fields).pk
    if name == "remove_own_name":
        return OwnName.objects.create(owner=world.owner, key=viewer, name=viewer).key
    return Collection.objects.create(owner=world.owner, name=viewer).key


@pytest.mark.parametrize("name", sorted(HELD_POSTED))
def test_objects_are_removed_by_their_owner_alone(world: World, name: str) -> None:
    codes = {}
    for viewer, client in browsers(world):
        key = make_held(world, name, viewer)
        codes[viewer] = client.post(reverse(name, args=[key])).status_code
    assert codes == each(404, nobody=302, owner=302)
    if name == "delete_collection":
        assert Collection.objects.count() == 3


@pytest.mark.parametrize("level", LEVELS)
def test_study_is_shown_by_its_visibility_without_private_games_of_others(
    world: World, level: Visibility
) -> None:
    study = studies.create(world.owner.pk, {"title": "Study", "visibility": level}, ())
    studies.add_entry(study, world.games[Visibility.PRIVATE].pk, "1.0", note="Private words")
    preview = statuses(world, "study-preview", study.key, viewers=("nobody", "owner"))
    assert set(preview.values()) == {404 if level is Visibility.PRIVATE else 200}
    is_open = level is not Visibility.PRIVATE
    for viewer, client in browsers(world):
        response = client.get(reverse("study", args=[study.key]))
        body, may_read = response.content.decode(), viewer in ("owner", "staff")
        assert response.status_code == (200 if is_open or may_read else 404), viewer
        assert ("Private Aya" in body) == ("Private words" in body) == may_read
        assert (reverse("study-change", args=[study.key]) in body) == (viewer == "owner")
    for _viewer, client in browsers(world, ("nobody", "owner")):
        listed = client.get(reverse("studies")).content.decode()
        assert (study.key in listed) == (level is Visibility.PUBLIC)


@pytest.mark.parametrize("name", sorted(STUDY_POSTED))
def test_studies_are_changed_by_their_owner_alone(world: World, name: str) -> None:
    codes = {}
    for viewer, client in browsers(world):
        level = Visibility.PUBLIC
        study = studies.create(world.owner.pk, {"title": "Study", "visibility": level}, ())
        entry = studies.add_entry(study, world.games[level].pk, "1.0")
        fields = {"title": "Other", "confirmed": "1", "entry": entry.pk, "do": "remove"}
        codes[viewer] = client.post(reverse(name, args=[study.key]), fields).status_code
        is_left = Study.objects.filter(pk=study.pk, title="Study", entries=entry.pk).exists()
        assert is_left == (viewer != "owner")
    assert codes == each(404, nobody=302, owner=302)


@pytest.mark.parametrize("level", part(LEVELS[::-1]))
def test_upload_of_an_account_is_claimed_and_changed_by_its_sender_alone(
    world: World, level: Visibility
) -> None:
    upload = world.uploads[level]
    claim = post_statuses(world, reverse("claim_upload", args=[upload.key]), {"secret": ""})
    assert claim == each(404, nobody=302, owner=302)
    upload.refresh_from_db()
    assert upload.owner == world.owner
    address = reverse("change_upload", args=[upload.key])
    codes = {}
    for viewer, client in browsers(world):
        codes[viewer] = client.post(address, {"visibility": "unlisted"}).status_code
        upload.refresh_from_db()
        is_unchanged = viewer in ("nobody", "other")
        assert upload.visibility == (level if is_unchanged else Visibility.UNLISTED), viewer
        if level is Visibility.PRIVATE:
            body = client.get(reverse("report", args=[upload.key])).content.decode()
            assert (address in body) == (viewer == "owner")
    assert codes == each(404, owner=302)


#: Choosing a language changes nothing of a user, and cached pages contain its form.
KEYED_FORMS = HELD_POSTED | SENT_POSTED | STUDY_POSTED | FOLLOWED
FORMS = (POSTED | OWN_POSTED | KEYED_FORMS) - {"language"}


#: Forms for everybody, which want the token too.
OPEN_FORMS = (
    *("account_login", "account_signup", "account_reset_password"),
    *("upload", "check", "new-record"),
)


def test_changes_are_refused_by_get_and_without_a_token(world: World) -> None:
    strict = Client(enforce_csrf_checks=True)
    for name in OPEN_FORMS:
        assert strict.post(reverse(name)).status_code == 403, name
    strict.force_login(world.owner)
    for name in sorted(FORMS):
        args = ["1"] if name in KEYED_FORMS else []
        assert strict.post(reverse(name, args=args)).status_code == 403, name
        assert strict.get(reverse(name, args=args)).status_code == 405, name


def test_admin_is_for_the_staff_alone(world: World) -> None:
    for model in admin.site._registry:
        label = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        viewers = VIEWERS if LONG else ("owner", "staff")
        expected = dict.fromkeys(viewers, 302) | {"staff": 200}
        assert statuses(world, label, viewers=viewers) == expected, label


def test_uploads_without_an_account_are_refused_where_the_setting_says_so(
    world: World, settings: LazySettings
) -> None:
    settings.ANONYMOUS_UPLOAD = False
    assert statuses(world, "upload") == each(200, nobody=302)
    assert Client().post(reverse("upload"), {"text": "x"}).status_code == 302


def test_wrong_password_and_unknown_name_get_the_same_page(world: World) -> None:
    pages = [
        Client().post(reverse("account_login"), {"login": name, "password": f"{PASSWORD}!"})
        for name in ("owner", "nobody-of-this-name")
    ]
    texts = [page.content.decode().replace("nobody-of-this-name", "owner") for page in pages]
    forms = [
        text[text.index("<h1>") : text.index("csrfmiddlewaretoken", text.index("<h1>"))]
        for text in texts
    ]
    assert forms[0] == forms[1]
