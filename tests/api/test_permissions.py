"""Permissions at every address of the API for every caller.

A new address without an entry fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from api.urls import urlpatterns
from lengths import LONG, part
from people.models import Draft
from records.ingest import resumable
from records.models import Comment, Study, Upload, Visibility
from records.services import comments, studies
from records.statistics.registry import FIGURES
from tests.api.contract import problem
from tests.clubs import world as clubs
from tests.people.world import LEVELS, World, session, token
from tests.records.problems import store_some

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

#: Addresses open to everybody, whatever the scopes of the token.
OPEN = {
    *("cards", "root", "cards", "names", "problems", "quota", "odds"),
    *("statistics", "changes", "schema", "docs", "kafu-schema", "daily-problem"),
}
#: Figures of public games.
STATISTICS = {f"statistics-{id}{ending}" for id in FIGURES for ending in ("", "-csv")}
#: The formats of files of games.
FORMATS = ("ndjson", "kafu", "csv")
#: Lists of public games; a token needs the scope read.
LISTS = {
    *("clubs", "records", *(f"records-{form}" for form in FORMATS)),
    *("records-changes", "records-changes-ndjson"),
}
#: The queries of lists that need one.
QUERIES = {
    name: {"changed_since": "2000-01-01"} for name in ("records-changes", "records-changes-ndjson")
}
#: Games by their keys.
KEYS = {"records-export", *(f"records-export-{form}" for form in FORMATS)}
#: Addresses of a single game, upload, or upload in parts.
GAME = {
    *("record", "record-kafu", "record-replay", "record-sheet", "record-sheet-csv"),
    *("record-history", "record-analysis", "record-situations", "record-comments"),
}
UPLOAD = {
    *("upload", "upload-files", "upload-games"),
    *("upload-report", "upload-report-csv", "upload-report-ndjson"),
}
#: Claims of an upload without an owner, by its secret.
CLAIM = {"upload-claim"}
PARTIAL = {"resumable"}
#: Addresses with POST only.
SEND = {"uploads", "resumables"}
CHECK = {"verify", "verify-ndjson", "positions", "sheets", "notebooks"}
#: Lists of the caller.
LISTS_OF_CALLER = {
    *("my-games", "my-games-export", *(f"my-games-{form}" for form in FORMATS), "my-uploads"),
}
PRIVATE = {"me", *LISTS_OF_CALLER}
#: The caller's ownership of a game.
HELD = {"ownership"}
#: Drafts of the caller.
DRAFTS = {"drafts", "draft"}
#: Studies: public studies, the caller's studies, a single study.
STUDIES = {"studies", "my-studies", "study", "study-entries"}
#: A comment.
COMMENTS = {"comment", "comment-reports"}
#: A club, its parts, a season and its parts, and addresses with changes only.
CLUB = {"club", "club-members", "club-seasons", "club-evenings", "club-games"}
SEASON = {"club-season", "club-standings", "club-standings-csv", "club-entries"}
CLUB_CHANGES = {"club-game"}

OCTETS = "application/offset+octet-stream"
#: Status of an object that the caller must not know of.
HIDDEN = 404
#: Visibilities of the content requested at every address. Only `make test-long` includes public
#: and unlisted content, which `tests/security/test_matrix.py` requests in `make test`.
SEEN = LEVELS if LONG else (Visibility.PRIVATE,)


#: A shared client is safe, because tokens are in headers and no cookies are kept. A new client per
#: request costs more than the request.
CLIENT = Client()


class Called(World):
    """A world with a token for each viewer."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.headers = make_headers(self)


@pytest.fixture(scope="module")
def world_for_all(rows_for_all: None) -> Called:
    world = Called()
    for record in world.games.values():
        store_some(record)
    return world


@pytest.fixture
def world(world_for_all: Called, db: None) -> Called:
    """Return a world with a game of every visibility, all of one owner."""
    return world_for_all


def callers(world: Called) -> dict[str, dict[str, str]]:
    """Return the headers of each caller."""
    return world.headers


def make_headers(world: World) -> dict[str, dict[str, str]]:
    """Return headers of each caller with new tokens. ``clerk`` is staff without scope admin."""
    return {
        "nobody": {},
        "other": token(world.other, "read", "upload"),
        "owner": token(world.owner, "read", "upload"),
        "reader": token(world.owner, "read"),
        "sender": token(world.owner, "upload"),
        "clerk": token(world.staff, "read", "upload"),
        "staff": token(world.staff, "read", "upload", "admin"),
        "admin only": token(world.staff, "admin"),
        "bad token": {"Authorization": "Bearer hana_" + "1" * 44},
    }


EVERYBODY = ("nobody", "other", "owner", "reader", "clerk", "staff")


def test_every_address_has_an_entry() -> None:
    groups = [OPEN, STATISTICS, LISTS, KEYS, GAME, UPLOAD, CLAIM, PARTIAL, SEND, CHECK, PRIVATE]
    groups += [HELD, DRAFTS, STUDIES, COMMENTS, CLUB, SEASON, CLUB_CHANGES]
    names = [str(pattern.name) for pattern in urlpatterns]
    assert sorted(names) == sorted(name for group in groups for name in group)


def get_status(
    name: str, headers: dict[str, str], *args: Any, method: str = "get", **options: Any
) -> int:
    """Send a request; return its status. An error must be a well-formed problem."""
    CLIENT.cookies.clear()
    call: Callable[..., Any] = getattr(CLIENT, method)
    response = call(reverse(f"api:{name}", args=args), headers=headers, **options)
    if response.status_code >= 400 and method != "head":
        problem(response)
    if response.status_code == 401:
        assert response["WWW-Authenticate"].startswith("Bearer")
    if getattr(response, "streaming", False):
        b"".join(response.streaming_content)
    return int(response.status_code)


def get_statuses(world: Called, name: str, *args: Any, **options: Any) -> dict[str, int]:
    """Send a request as every caller; return the status of each."""
    return {
        caller: get_status(name, headers, *args, **options)
        for caller, headers in callers(world).items()
    }


def check_open(
    world: Called, name: str, *args: Any, expected: dict[str, int], **options: Any
) -> None:
    """Check the statuses of a resource for everybody.

    Only tokens without the scope and bad tokens are refused, as callers need no token.
    """
    for caller in ("nobody", "sender", "admin only", "bad token"):
        headers = callers(world)[caller]
        assert get_status(name, headers, *args, **options) == expected[caller], caller


def expect(default: int, **statuses: int) -> dict[str, int]:
    """Return the expected status by caller, by default ``default``; a bad token gives 401."""
    exceptions = {caller.replace("_", " "): status for caller, status in statuses.items()}
    names = (*EVERYBODY, "sender", "admin only")
    return dict.fromkeys(names, default) | {"bad token": 401} | exceptions


@pytest.mark.parametrize("name", sorted(OPEN))
def test_open_address_is_served_to_every_caller(
    world: Called, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    # Building the document takes as long as a hundred other requests.
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *_, **__: {})
    args = {"odds": ["hachihachi"], "daily-problem": ["today"]}.get(name, [])
    bad = 200 if name in ("changes", "kafu-schema") else 401  # no view of the framework's
    check_open(world, name, *args, expected=expect(200, bad_token=bad))


@pytest.mark.parametrize("id", part([*FIGURES], one_of=10))
def test_figure_is_served_to_every_caller(world: Called, id: str) -> None:
    query = {} if FIGURES[id].any_ruleset else {"ruleset": FIGURES[id].rulesets[0]}
    for ending in ("", "-csv"):
        check_open(world, f"statistics-{id}{ending}", data=query, expected=expect(200))


@pytest.mark.parametrize("name", sorted(LISTS))
def test_list_needs_the_scope_read(world: Called, name: str) -> None:
    statuses = get_statuses(world, name, data=QUERIES.get(name))
    assert statuses == expect(200, sender=403, admin_only=403)


@pytest.mark.parametrize("name", sorted(LISTS))
def test_list_has_only_public_games_and_clubs(world: Called, name: str) -> None:
    for level in LEVELS:
        clubs.found(world.owner, level.id, level, name=level.label.capitalize())
    address, query = reverse(f"api:{name}"), QUERIES.get(name)
    for headers in callers(world).values():
        body = CLIENT.get(address, query, headers=headers).getvalue().decode()
        assert "Private" not in body
        assert "Unlisted" not in body
    assert "Public" in CLIENT.get(address, query).getvalue().decode()


@pytest.mark.parametrize("level", SEEN)
def test_private_club_is_seen_by_members_and_staff(world: Called, level: Visibility) -> None:
    """The owner is the founder. Nobody else changes the club, staff included."""
    club = clubs.found(world.owner, "kai", level)
    season = clubs.begin_season(club, world.owner)
    is_private = level is Visibility.PRIVATE
    expected = expect(HIDDEN if is_private else 200, sender=403, admin_only=403)
    expected |= dict.fromkeys(("owner", "reader", "staff"), 200)
    for name in CLUB:
        assert get_statuses(world, name, "kai") == expected
    for name in SEASON:
        assert get_statuses(world, name, "kai", season.key) == expected
    entry = {"kind": "total", "name": "Ben", "day": season.first.isoformat(), "amount": 1}
    key = world.games[Visibility.PUBLIC].key
    changes: tuple[tuple[list[str], str, dict[str, Any], int], ...] = (
        (["club-games", "kai"], "post", {"records": [key]}, 201),
        (["club-entries", "kai", season.key], "post", {"entries": [entry]}, 201),
        (["club-game", "kai", key], "delete", {}, 204),
    )
    for address, method, data, success in changes:
        options: dict[str, Any] = {"method": method, "data": data}
        options["content_type"] = "application/json"
        changed = expect(HIDDEN if is_private else 403, nobody=401, reader=403, admin_only=403)
        changed |= {"staff": 403, "sender": success, "owner": success}
        if method == "delete":
            changed["sender"] = 404  # the owner has taken the game out before
        assert get_statuses(world, *address, **options) == changed


@pytest.mark.parametrize("form", part([*FORMATS]))
def test_export_has_only_games_that_the_caller_may_see(world: Called, form: str) -> None:
    keys = ",".join(world.games[level].key for level in LEVELS)
    public, unlisted, private = labels = ("Public", "Unlisted", "Private")
    visible: dict[str, tuple[str, ...]] = dict.fromkeys(EVERYBODY, (public, unlisted))
    visible |= dict.fromkeys(("owner", "reader", "staff"), labels)
    for caller in EVERYBODY:
        headers = callers(world)[caller]
        expected = {
            "records": (public,),
            "records-export": visible[caller],
            "my-games": labels if caller in ("owner", "reader") else (),
        }
        for name, present in expected.items():
            query = {"keys": keys} if name == "records-export" else None
            response = CLIENT.get(reverse(f"api:{name}-{form}"), query, headers=headers)
            if name == "my-games" and caller == "nobody":
                assert response.status_code == 401
                continue
            body = response.getvalue().decode()
            assert tuple(word for word in labels if word in body) == present, (caller, name)
            if private in present:
                assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("level", SEEN)
@pytest.mark.parametrize("name", sorted(GAME))
def test_private_game_is_hidden_from_others(world: Called, name: str, level: Visibility) -> None:
    key = world.games[level].key
    if level is Visibility.PRIVATE:
        expected = expect(HIDDEN, owner=200, reader=200, staff=200, sender=403, admin_only=403)
        assert get_statuses(world, name, key) == expected
    else:
        check_open(world, name, key, expected=expect(200, sender=403, admin_only=403))


@pytest.mark.parametrize("level", SEEN)
@pytest.mark.parametrize("name", sorted(UPLOAD))
def test_private_upload_is_hidden_from_others(world: Called, name: str, level: Visibility) -> None:
    key = world.uploads[level].key
    if level is Visibility.PRIVATE:
        expected = expect(HIDDEN, owner=200, reader=200, sender=200, staff=200, admin_only=403)
        assert get_statuses(world, name, key) == expected
    else:
        check_open(world, name, key, expected=expect(200, admin_only=403))


@pytest.mark.parametrize("level", SEEN)
def test_only_the_owner_changes_an_upload(world: Called, level: Visibility) -> None:
    options: dict[str, Any] = {
        "data": {"visibility": "private"},
        "content_type": "application/json",
    }
    for caller, headers in callers(world).items():
        upload = world.uploads[level]
        Upload.objects.filter(pk=upload.pk).update(visibility=level)
        status = get_status("upload", headers, upload.key, method="patch", **options)
        expected = expect(403, nobody=401, owner=202, sender=202)
        if level is Visibility.PRIVATE:
            expected |= {"other": 404, "clerk": 404, "nobody": 404}
        assert status == expected[caller], caller


@pytest.mark.parametrize("level", SEEN)
def test_upload_of_an_account_is_claimed_by_nobody_else(world: Called, level: Visibility) -> None:
    statuses = get_statuses(world, "upload-claim", world.uploads[level].key, method="post")
    expected = expect(404, nobody=401, reader=403, admin_only=403, owner=202, sender=202)
    assert statuses == expected


@pytest.mark.parametrize("anonymous", [True, False])
def test_upload_needs_the_scope_upload(
    world: Called, settings: LazySettings, anonymous: bool
) -> None:
    settings.ANONYMOUS_UPLOAD = anonymous
    statuses = get_statuses(world, "uploads", method="post", data="x", content_type="text/x-kafu")
    nobody = 202 if anonymous else 401
    assert statuses == expect(202, nobody=nobody, reader=403, admin_only=403)


def test_private_upload_needs_an_account(world: Called) -> None:
    address = reverse("api:uploads") + "?visibility=private"
    statuses = {
        caller: CLIENT.post(address, "x", "text/x-kafu", headers=headers).status_code
        for caller, headers in callers(world).items()
    }
    assert statuses == expect(202, nobody=401, reader=403, admin_only=403)


@pytest.mark.parametrize("anonymous", [True, False])
def test_upload_in_parts_needs_the_scope_upload(
    world: Called, settings: LazySettings, anonymous: bool
) -> None:
    settings.ANONYMOUS_UPLOAD = anonymous
    tus = {"HTTP_TUS_RESUMABLE": "1.0.0", "HTTP_UPLOAD_LENGTH": "5"}
    statuses = get_statuses(world, "resumables", method="post", **tus)
    nobody = 201 if anonymous else 401
    assert statuses == expect(201, nobody=nobody, reader=403, admin_only=403)


@pytest.mark.parametrize("method", ["head", "patch", "delete"])
def test_upload_in_parts_is_hidden_from_others(world: Called, method: str) -> None:
    options: dict[str, Any] = {"HTTP_TUS_RESUMABLE": "1.0.0"}
    if method == "patch":
        options |= {"data": b"12345", "HTTP_UPLOAD_OFFSET": "0", "content_type": OCTETS}
    success = 200 if method == "head" else 204
    for caller, headers in callers(world).items():
        partial = resumable.begin(sender="x", name="x", metadata="", length=5, owner=world.owner.pk)
        status = get_status("resumable", headers, partial.key, method=method, **options)
        expected = expect(404, owner=success, sender=success, reader=403, admin_only=403)
        assert status == expected[caller], caller


def test_checks_store_nothing_and_need_a_scope(world: Called) -> None:
    text = world.games[Visibility.PUBLIC].text
    for name in ("verify", "verify-ndjson", "positions"):
        statuses = get_statuses(world, name, method="post", data=text, content_type="text/x-kafu")
        assert statuses == expect(200, admin_only=403)
    sheet = {"ruleset": "koikoi", "players": ["Aya", "Ben"]}
    statuses = get_statuses(
        world, "sheets", method="post", data=sheet, content_type="application/json"
    )
    assert statuses == expect(200, admin_only=403)


def test_private_lists_need_an_account(world: Called) -> None:
    assert get_statuses(world, "me") == expect(200, nobody=401)
    for name in sorted(LISTS_OF_CALLER):
        assert get_statuses(world, name) == expect(200, nobody=401, sender=403, admin_only=403)


@pytest.mark.parametrize("level", SEEN)
@pytest.mark.parametrize("method", ["get", "patch", "delete"])
def test_ownership_is_read_and_changed_by_its_owner(
    world: Called, level: Visibility, method: str
) -> None:
    options = (
        {"data": {"note": "n"}, "content_type": "application/json"} if method == "patch" else {}
    )
    key = world.games[level].key
    success = 204 if method == "delete" else 200
    expected = expect(404, nobody=401, admin_only=403)
    if method == "get":
        expected |= {"owner": success, "reader": success, "sender": 403}
    else:
        expected |= {
            "owner": success,
            "reader": 403,
            "sender": 404 if method == "delete" else success,
        }
    assert get_statuses(world, "ownership", key, method=method, **options) == expected


def test_drafts_are_seen_by_their_owner_only(world: Called) -> None:
    """Staff cannot see drafts of other users either."""
    draft = {"kind": "game", "title": "t", "changed": "2026-01-01T00:00:00Z", "state": {"a": 1}}
    options: dict[str, Any] = {"data": draft, "content_type": "application/json"}
    assert get_statuses(world, "drafts") == expect(200, nobody=401, sender=403, admin_only=403)
    put_statuses = get_statuses(world, "draft", "k1", method="put", **options)
    assert put_statuses == expect(200, nobody=401, reader=403, admin_only=403)
    statuses = get_statuses(world, "draft", "k1")
    assert statuses == expect(200, nobody=401, sender=403, admin_only=403)
    owners = set(Draft.objects.values_list("owner_id", flat=True))
    assert owners == {world.owner.pk, world.other.pk, world.staff.pk}
    owner = callers(world)["owner"]
    assert get_status("draft", owner, "k1", method="delete") == 204
    statuses = get_statuses(world, "draft", "k1")
    assert statuses == expect(200, nobody=401, owner=404, reader=404, sender=403, admin_only=403)
    deleted = get_statuses(world, "draft", "k1", method="delete")
    assert deleted == expect(204, nobody=401, reader=403, admin_only=403)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.owner)
    address = reverse("api:draft", args=["k1"])
    problem(strict.put(address, draft, "application/json"), "forbidden", 403)
    problem(strict.delete(address), "forbidden", 403)


def test_session_reads_and_needs_the_csrf_token_to_write(world: Called) -> None:
    key = world.games[Visibility.PRIVATE].key
    assert session(world.owner).get(reverse("api:record", args=[key])).status_code == 200
    assert session(world.other).get(reverse("api:record", args=[key])).status_code == HIDDEN
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.owner)
    problem(strict.post(reverse("api:uploads"), "x", "text/x-kafu"), "forbidden", 403)


def test_private_game_is_stored_by_no_cache(world: Called) -> None:
    owner = callers(world)["owner"]
    for name in GAME:
        for level in LEVELS:
            address = reverse(f"api:{name}", args=[world.games[level].key])
            response = CLIENT.get(address, headers=owner)
            is_private = level is Visibility.PRIVATE
            assert ("no-store" in response.get("Cache-Control", "")) == is_private
            assert ("X-Robots-Tag" in response) == (level is not Visibility.PUBLIC)
            assert "Authorization" in response["Vary"]


def test_missing_scope_is_named(world: Called) -> None:
    response = CLIENT.get(reverse("api:records"), headers=callers(world)["sender"])
    assert problem(response, "scope-missing", 403)["scope"] == "read"
    assert 'error="insufficient_scope", scope="read"' in response["WWW-Authenticate"]


TITLE: dict[str, Any] = {"data": {"title": "T"}, "content_type": "application/json"}


def test_studies_are_listed_and_created_with_a_scope(world: Called) -> None:
    assert get_statuses(world, "studies") == expect(200, sender=403, admin_only=403)
    assert get_statuses(world, "my-studies") == expect(200, nobody=401, sender=403, admin_only=403)
    created = get_statuses(world, "studies", method="post", **TITLE)
    assert created == expect(201, nobody=401, reader=403, admin_only=403)


@pytest.mark.parametrize("level", SEEN)
def test_study_is_changed_by_its_owner_only(world: Called, level: Visibility) -> None:
    """Other users see the study by its visibility."""
    study = studies.create(world.owner.pk, {"title": "Own", "visibility": level}, ())
    statuses = get_statuses(world, "study", study.key)
    is_private = level is Visibility.PRIVATE
    other_status = 404 if is_private else 200
    expected = expect(other_status, owner=200, reader=200, staff=200, sender=403, admin_only=403)
    assert statuses == expected
    expected = expect(404, nobody=401, owner=200, sender=200, reader=403, admin_only=403)
    assert get_statuses(world, "study", study.key, method="patch", **TITLE) == expected
    step = {"record": world.games[Visibility.PUBLIC].key, "at": "1.0"}
    entry: dict[str, Any] = {"data": step, "content_type": "application/json"}
    added = get_statuses(world, "study-entries", study.key, method="post", **entry)
    assert added == {
        caller: 201 if status == 200 else status for caller, status in expected.items()
    }
    assert get_status("study", callers(world)["other"], study.key, method="delete") == 404
    assert Study.objects.filter(pk=study.pk).exists()
    assert get_status("study", callers(world)["owner"], study.key, method="delete") == 204


@pytest.mark.parametrize("level", SEEN)
def test_comment_is_deleted_by_its_author_or_staff(world: Called, level: Visibility) -> None:
    """Every account with access to a game may comment on the game and report comments."""
    record = world.games[level]
    body: dict[str, Any] = {
        "data": {"at": "1.0", "text": "Well played"},
        "content_type": "application/json",
    }
    exceptions = {"nobody": 401, "owner": 201, "sender": 201, "staff": 201, "reader": 403}
    hidden = level is Visibility.PRIVATE
    expected = expect(404 if hidden else 201, admin_only=403, **exceptions)
    assert get_statuses(world, "record-comments", record.key, method="post", **body) == expected
    Comment.objects.all().delete()
    comment = comments.add(record, world.owner.pk, (1, 0), "Words")
    empty: dict[str, Any] = {"data": {}, "content_type": "application/json"}
    reported = {caller: 204 if status == 201 else status for caller, status in expected.items()}
    assert get_statuses(world, "comment-reports", comment.key, method="post", **empty) == reported
    no = 404 if hidden else 403
    for caller, headers in callers(world).items():
        comments.add(record, world.owner.pk, (1, 0), "Words")
        key = Comment.objects.filter(author=world.owner).latest("id").key
        allowed = {"owner": 204, "sender": 204, "staff": 204, "nobody": 401, "reader": 403}
        status = expect(no, admin_only=403, **allowed)[caller]
        assert get_status("comment", headers, key, method="delete") == status, caller
