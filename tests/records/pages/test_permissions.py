"""Every page × viewer × owner. A new page without an entry fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.conf import LazySettings
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from people.models import Collection
from people.tokens import make
from people.urls import urlpatterns as peoples
from people.webhooks import add
from records.intake.receiving import Part, receive
from records.models import Player, Study, Visibility
from records.privacy.secret import hashed, made
from records.studies import keeping
from records.urls import urlpatterns as archives
from tests.people.world import LEVELS, PASSWORD, World
from tests.security.addresses import patterns

pytestmark = pytest.mark.django_db

#: Pages for everybody, with what their addresses need.
OPEN: dict[str, list[Any]] = {
    "home": [],
    "upload": [],
    "check": [],
    "new-record": [],
    "offline": [],
    "new-sheet": [],
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
    "statistics": ["koikoi"],
    "robots": [],
    "sitemap": [],
    "sitemap-file": [0],
    "favicon": [],
    "feed": [],
    "data": [],
    "notebook": [],
    "rules": [],
    "rulebook": ["koikoi"],
    "account_reset_password": [],
    "account_reset_password_done": [],
    "account_reset_password_from_key": ["1", "no-token"],
    "account_reset_password_from_key_done": [],
    "account_confirm_email": ["no-key"],
    "account_email_verification_sent": [],
    "account_inactive": [],
    "socialaccount_login_cancelled": [],
}
#: To get an account, and in: whoever is in is sent on.
ENTRANCES = {"account_login", "account_signup"}
#: Steps that follow another: nobody gets to them by the address alone.
STEPS = {"mfa_authenticate", "account_confirm_login_code", "socialaccount_signup"}
#: For whoever is logged in; asks for the password once more.
REAUTHENTICATED = {"delete_account", "mfa_activate_totp", "mfa_generate_recovery_codes"}
#: Of one game, and what follows its key.
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
REPORT = {"report"}
#: Of an upload without an account, with its secret.
MINE = {"my_report"}
#: Of one player, of whom there are public games.
PLAYER = {"player"}
#: Takes the address of a game as a parameter.
LINK = {"oembed"}
#: Of a dump, of which there is none (tests/records/opendata has some).
DUMPED = {"data-file"}
#: Of a site at which people log in; here none is named (tests/people/test_elsewhere.py has one).
ELSEWHERE = {"openid_connect_login", "openid_connect_callback"}
#: Leads to a part of another page.
SENT_ON = {"worked"}
#: Only by POST, for everybody.
POSTED = {"language"}
#: For everybody too, of a text that is sent: nothing is changed, no form is needed.
ANSWERED = {"preview"}
#: For whoever is logged in.
OWN = {
    *("me", "my_uploads", "my_names", "tokens", "account", "account_email", "mfa_index"),
    *("account_change_password", "account_reauthenticate", "usersessions_list"),
    *("withdrawn_games", "socialaccount_connections", "my-studies"),
}
#: Of a second factor, which nobody here has; and the first password of an account that has one.
MISSING = {
    *("mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_download_recovery_codes"),
    *("mfa_reauthenticate", "account_set_password"),
}
#: Asks first, and does it by POST; for nobody there is nothing to do.
ASKED = {"account_logout"}
OWN_POSTED = {"change_games", "add_webhook"}
#: Of something that one has.
HELD = {"my_game"}
HOOKS = {"enable_webhook", "delete_webhook"}
HELD_POSTED = {"delete_collection", "revoke_token", "end_session", *HOOKS}
#: A study, by its own visibility; to be changed by its owner.
STUDY = {"study"}
STUDY_POSTED = {"study-change", "study-delete", "study-entry"}
#: Keeps a step of a game that one may see.
KEEPING = {"study-add"}
#: An upload, to be changed by its sender.
SENT_POSTED = {"change_upload", "claim_upload"}


def test_every_page_has_an_entry() -> None:
    groups = (
        *(OPEN, GAME, REPORT, MINE, PLAYER, LINK, POSTED, ANSWERED, OWN, OWN_POSTED),
        *(HELD, HELD_POSTED, SENT_POSTED, DUMPED, ELSEWHERE),
        *(STUDY, STUDY_POSTED, KEEPING),
        *(SENT_ON, ENTRANCES, STEPS, REAUTHENTICATED, MISSING, ASKED),
    )
    names = {name for name, _pattern, _wanted in patterns((*archives, *peoples))}
    assert sorted(names) == sorted(name for group in groups for name in group)


@pytest.fixture(scope="module")
def world_for_all(rows_for_all: None) -> World:
    return World()


@pytest.fixture
def world(world_for_all: World, db: None) -> World:
    """Games of every visibility, all of one owner."""
    return world_for_all


def everybody(world: World) -> Iterator[tuple[str, Client]]:
    """A viewer, in a browser of their own."""
    for name in ("nobody", "other", "owner", "staff"):
        yield name, world.browser(name)


def statuses(world: World, name: str, *args: Any, query: str = "") -> dict[str, int]:
    """The status for everybody who looks."""
    address = reverse(name, args=args) + query
    return {who: client.get(address).status_code for who, client in everybody(world)}


def expected(default: int, **others: int) -> dict[str, int]:
    """``default`` for everybody but these."""
    return dict.fromkeys(("nobody", "other", "owner", "staff"), default) | others


def is_of_public_games_alone(response: Any) -> bool:
    """Whether a page tells of nothing that is private or unlisted."""
    body = response.content.decode(errors="replace")
    words = ("Private Aya", "Private event", "Unlisted Aya", "Unlisted event")
    return not any(word in body for word in words)


@pytest.mark.parametrize("name", sorted(OPEN))
def test_open_pages(world: World, name: str) -> None:
    """Everybody sees them, and on them public games alone."""
    address = reverse(name, args=OPEN[name]) + ("?q=p" if name.startswith("suggest") else "")
    for who, client in everybody(world):
        response = client.get(address)
        assert response.status_code == 200, who
        assert is_of_public_games_alone(response), who


@pytest.mark.parametrize("name", sorted(ENTRANCES))
def test_entrances(world: World, name: str) -> None:
    assert statuses(world, name) == expected(302, nobody=200)


@pytest.mark.parametrize("name", sorted(STEPS | REAUTHENTICATED))
def test_nobody_gets_there_by_the_address_alone(world: World, name: str) -> None:
    for who, client in everybody(world):
        answer = client.get(reverse(name))
        assert answer.status_code == 302, who
        led = answer["Location"].partition("?")[0]
        if name in REAUTHENTICATED and who != "nobody":
            assert led == reverse("account_reauthenticate")
        elif who == "nobody":
            assert led == reverse("account_login")


@pytest.mark.parametrize("name", sorted(SENT_ON))
def test_parts_of_other_pages(world: World, name: str) -> None:
    assert statuses(world, name) == expected(302)


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_a_site_that_is_not_named_is_not_there(world: World, name: str) -> None:
    assert statuses(world, name, "site") == expected(404)


@pytest.mark.parametrize("name", sorted(MISSING))
def test_what_nobody_has(world: World, name: str) -> None:
    found = statuses(world, name)
    assert found.pop("nobody") in (302, 404)
    assert set(found.values()) <= {302, 404}


def test_logging_out_asks_first(world: World) -> None:
    assert statuses(world, "account_logout") == expected(200, nobody=302)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", sorted(GAME))
def test_games(world: World, name: str, level: Visibility) -> None:
    """Only who may see one does; what is private is kept by no cache."""
    address = reverse(name, args=[world.games[level].key, *GAME[name]])
    is_private = level is Visibility.PRIVATE
    for who, client in everybody(world):
        response = client.get(address)
        is_shown = not is_private or who in ("owner", "staff")
        assert response.status_code == (200 if is_shown else 404), who
        if who == "owner":
            assert ("no-store" in response.get("Cache-Control", "")) == is_private
            assert ("X-Robots-Tag" in response) == (level is not Visibility.PUBLIC)


@pytest.mark.parametrize("level", LEVELS)
def test_links(world: World, level: Visibility) -> None:
    key = world.games[level].key
    found = statuses(world, "oembed", query=f"?url=http://testserver/games/{key}/")
    is_private = level is Visibility.PRIVATE
    assert found == (expected(404, owner=200, staff=200) if is_private else expected(200))


@pytest.mark.parametrize("level", LEVELS)
def test_reports(world: World, level: Visibility) -> None:
    is_private = level is Visibility.PRIVATE
    wanted = expected(404, owner=200, staff=200) if is_private else expected(200)
    key = world.uploads[level].key
    assert statuses(world, "report", key) == wanted
    # The page that mends a game shows the same text.
    assert statuses(world, "check", query=f"?upload={key}&file=1&game=2") == wanted
    for name in ("check", "new-record"):
        assert statuses(world, name, query=f"?record={world.games[level].key}") == wanted


def test_reports_by_their_secret(world: World) -> None:
    """Who has an account needs none; a wrong one is no address."""
    for level in LEVELS:
        key = world.uploads[level].key
        for words in ("", made(), "x"):
            assert statuses(world, "my_report", key, words or "-") == expected(404)
    words = made()
    part = Part("games.kafu", [world.games[Visibility.PUBLIC].text.encode()])
    upload = receive(parts=[part], via="page", secret=hashed(words))
    assert statuses(world, "my_report", upload.key, words) == expected(200)
    assert statuses(world, "my_report", upload.key, made()) == expected(404)


def test_players_of_games_that_are_not_public_have_no_page(world: World) -> None:
    for player in Player.objects.all():
        public = player.name.startswith("Public")
        for who, client in everybody(world):
            response = client.get(reverse("player", args=[player.key]))
            assert response.status_code == (200 if public else 404), who
            assert is_of_public_games_alone(response), who


@pytest.mark.parametrize("name", sorted(OWN))
def test_ones_own_pages(world: World, name: str) -> None:
    for who, client in everybody(world):
        response = client.get(reverse(name))
        assert response.status_code == (302 if who == "nobody" else 200), who
        if who != "owner" or name == "account":
            assert is_of_public_games_alone(response), who


@pytest.mark.parametrize("level", LEVELS)
def test_ones_own_game(world: World, level: Visibility) -> None:
    key = world.games[level].key
    assert statuses(world, "my_game", key) == expected(404, nobody=302, owner=200)


def test_changing_games_of_others_does_nothing(world: World) -> None:
    game = world.games[Visibility.PRIVATE]
    said = {"game": game.key, "visibility": str(int(Visibility.PUBLIC))}
    for who, client in everybody(world):
        assert client.post(reverse("change_games"), said).status_code == 302
        game.refresh_from_db()
        assert (game.visibility == Visibility.PUBLIC) == (who in ("owner", "staff"))


@pytest.mark.parametrize("name", sorted(HELD_POSTED))
def test_what_others_have_cannot_be_removed(world: World, name: str) -> None:
    for who, client in everybody(world):
        key: Any
        if name == "revoke_token":
            key = make(owner=world.owner, name=who, scopes=["read"])[0].key
        elif name == "end_session":
            key = UserSession.objects.create(
                user=world.owner, ip="192.0.2.0", session_key=f"of {who}"
            ).pk
        elif name in HOOKS:
            key = add(world.owner, "https://93.184.216.34/").key
        else:
            key = Collection.objects.create(owner=world.owner, name=who).key
        found = client.post(reverse(name, args=[key])).status_code
        assert found == expected(404, nobody=302, owner=302)[who]
    left = Collection.objects.count() if name == "delete_collection" else None
    assert left in (None, 3)


@pytest.mark.parametrize("level", LEVELS)
def test_studies(world: World, level: Visibility) -> None:
    """One is as visible as its owner says; a private game in it only to who may see that."""
    study = keeping.create(world.owner.pk, {"title": "Study", "visibility": level}, ())
    keeping.add(study, world.games[Visibility.PRIVATE].pk, "1.0", note="Private words")
    is_private = level is Visibility.PRIVATE
    wanted = expected(404, owner=200, staff=200) if is_private else expected(200)
    assert statuses(world, "study", study.key) == wanted
    for who, client in everybody(world):
        body = client.get(reverse("study", args=[study.key])).content.decode()
        assert ("Private Aya" in body) == (who in ("owner", "staff"))
        assert ("Private words" in body) == (who in ("owner", "staff"))
        assert (reverse("study-change", args=[study.key]) in body) == (who == "owner")
        listed = client.get(reverse("studies")).content.decode()
        assert (study.key in listed) == (level is Visibility.PUBLIC)


@pytest.mark.parametrize("name", sorted(STUDY_POSTED))
def test_studies_are_changed_by_their_owner(world: World, name: str) -> None:
    for who, client in everybody(world):
        level = Visibility.PUBLIC
        study = keeping.create(world.owner.pk, {"title": "Study", "visibility": level}, ())
        entry = keeping.add(study, world.games[level].pk, "1.0")
        said = {"title": "Other", "confirmed": "1", "entry": entry.pk, "do": "remove"}
        found = client.post(reverse(name, args=[study.key]), said).status_code
        assert found == expected(404, nobody=302, owner=302)[who]
        there = Study.objects.filter(pk=study.pk, title="Study", entries=entry.pk).exists()
        assert there == (who != "owner")


@pytest.mark.parametrize("level", LEVELS)
def test_steps_are_kept_of_what_one_may_see(world: World, level: Visibility) -> None:
    query = f"?record={world.games[level].key}&at=1.2"
    wanted = expected(404 if level is Visibility.PRIVATE else 200, nobody=302, owner=200, staff=200)
    assert statuses(world, "study-add", query=query) == wanted


@pytest.mark.parametrize("level", LEVELS)
def test_uploads_of_an_account_are_claimed_by_nobody_else(world: World, level: Visibility) -> None:
    upload = world.uploads[level]
    address = reverse("claim_upload", args=[upload.key])
    for who, client in everybody(world):
        found = client.post(address, {"words": ""}).status_code
        assert found == expected(404, nobody=302, owner=302)[who], who
        upload.refresh_from_db()
        assert upload.owner == world.owner


@pytest.mark.parametrize("level", LEVELS)
def test_uploads_are_changed_by_their_sender(world: World, level: Visibility) -> None:
    upload = world.uploads[level]
    address = reverse("change_upload", args=[upload.key])
    for who, client in everybody(world):
        found = client.post(address, {"visibility": "unlisted"}).status_code
        assert found == expected(404, owner=302)[who], who
        upload.refresh_from_db()
        wanted = level if who in ("nobody", "other") else Visibility.UNLISTED
        assert upload.visibility == wanted, who
        body = client.get(reverse("report", args=[upload.key])).content.decode()
        assert (address in body) == (who == "owner")


#: Choosing a language changes nothing of anybody's, and its form stands on pages that are kept.
FORMS = (POSTED | OWN_POSTED | HELD_POSTED | SENT_POSTED | STUDY_POSTED) - {"language"}


@pytest.mark.parametrize("name", sorted(FORMS))
def test_what_changes_something_wants_a_form_of_ours(world: World, name: str) -> None:
    args = ["1"] if name in HELD_POSTED | SENT_POSTED | STUDY_POSTED else []
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.owner)
    assert strict.post(reverse(name, args=args)).status_code == 403
    assert strict.get(reverse(name, args=args)).status_code == 405


@pytest.mark.parametrize(
    "name",
    ["account_login", "account_signup", "account_reset_password", "upload", "check", "new-record"],
)
def test_open_forms_want_the_token_too(name: str) -> None:
    assert Client(enforce_csrf_checks=True).post(reverse(name)).status_code == 403


def test_the_admin_is_for_the_staff(world: World) -> None:
    for model in admin.site._registry:
        label = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        assert statuses(world, label) == expected(302, staff=200)


def test_uploads_by_nobody_can_be_refused(world: World, settings: LazySettings) -> None:
    settings.ANONYMOUS_UPLOAD = False
    assert statuses(world, "upload") == expected(200, nobody=302)
    assert Client().post(reverse("upload"), {"text": "x"}).status_code == 302


def test_the_wrong_password_reveals_nothing(world: World) -> None:
    pages = [
        Client().post(reverse("account_login"), {"login": name, "password": f"{PASSWORD}!"})
        for name in ("owner", "nobody-of-this-name")
    ]
    texts = [page.content.decode().replace("nobody-of-this-name", "owner") for page in pages]
    told = [
        text[text.index("<h1>") : text.index("csrfmiddlewaretoken", text.index("<h1>"))]
        for text in texts
    ]
    assert told[0] == told[1]
