"""Every address of the API × caller × owner. A new address without an entry fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from api.urls import urlpatterns
from lengths import part
from people.models import Draft
from records.intake import resumable
from records.models import Comment, Study, Upload, Visibility
from records.statistics.registry import FIGURES
from records.studies import commenting, keeping
from tests.api.contract import problem
from tests.people.world import LEVELS, World, session, token

pytestmark = pytest.mark.django_db

#: Addresses of which everybody may read everything, whatever his token is good for.
OPEN = {
    *("cards", "root", "cards", "names", "problems", "quota", "odds"),
    *("statistics", "schema", "docs", "kafu-schema"),
}
#: Figures of what is public.
STATISTICS = {f"statistics-{id}" for id in FIGURES}
#: Lists of what is public; a token must be good for reading.
LISTS = {"records"}
#: Games by their keys.
KEYS = {"records-export"}
#: Of one game, one upload, one upload in parts.
GAME = {
    *("record", "record-kafu", "record-replay", "record-sheet", "record-history"),
    *("record-analysis", "record-situations", "record-comments"),
}
UPLOAD = {
    *("upload", "upload-files", "upload-games", "upload-events"),
    *("upload-report", "upload-report-csv", "upload-report-ndjson"),
}
#: An upload without an owner, by its secret.
CLAIM = {"upload-claim"}
PARTIAL = {"resumable"}
#: POST alone.
SEND = {"uploads", "resumables"}
CHECK = {"verify", "positions", "sheets"}
#: What belongs to the caller.
OWN = {"me", "my-games", "my-games-export", "my-uploads"}
#: A game as its holder has it.
HELD = {"ownership"}
#: Webhooks of the caller.
HOOKS = {"webhooks", "webhook"}
#: Drafts of the caller.
DRAFTS = {"drafts", "draft"}
#: Studies: public ones, the caller's, one of them.
STUDIES = {"studies", "my-studies", "study", "study-entries"}
#: A comment.
COMMENTS = {"comment", "comment-reports"}

OCTETS = "application/offset+octet-stream"
#: How an address that is not there any more to somebody answers.
HIDDEN = 404


class Called(World):
    """A world whose viewers have tokens."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.headers = headers(self)


@pytest.fixture(scope="module")
def world_for_all(rows_for_all: None) -> Called:
    return Called()


@pytest.fixture
def world(world_for_all: Called, db: None) -> Called:
    """Games of every visibility, all of one owner."""
    return world_for_all


def callers(world: Called) -> dict[str, dict[str, str]]:
    """Headers by caller."""
    return world.headers


def headers(world: World) -> dict[str, dict[str, str]]:
    """Headers by caller. ``clerk`` is of the staff, by a token without the scope admin."""
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
    groups = (
        OPEN,
        STATISTICS,
        LISTS,
        KEYS,
        GAME,
        UPLOAD,
        CLAIM,
        PARTIAL,
        SEND,
        CHECK,
        OWN,
        HELD,
        HOOKS,
        DRAFTS,
        STUDIES,
        COMMENTS,
    )
    names = [str(pattern.name) for pattern in urlpatterns]
    assert sorted(names) == sorted(name for group in groups for name in group)


def asked(name: str, headers: dict[str, str], *args: Any, method: str = "get", **more: Any) -> int:
    """The status of an answer; errors are sound problems."""
    call: Callable[..., Any] = getattr(Client(), method)
    response = call(reverse(f"api:{name}", args=args), headers=headers, **more)
    if response.status_code >= 400 and method != "head":
        problem(response)
    if response.status_code == 401:
        assert response["WWW-Authenticate"].startswith("Bearer")
    if getattr(response, "streaming", False):
        b"".join(response.streaming_content)
    return int(response.status_code)


def statuses(world: Called, name: str, *args: Any, **more: Any) -> dict[str, int]:
    """The status for every caller."""
    return {who: asked(name, sent, *args, **more) for who, sent in callers(world).items()}


def expected(default: int, **others: int) -> dict[str, int]:
    """``default`` for everybody but these; a bad token is always 401."""
    told = {who.replace("_", " "): status for who, status in others.items()}
    names = (*EVERYBODY, "sender", "admin only")
    return dict.fromkeys(names, default) | {"bad token": 401} | told


@pytest.mark.parametrize("name", sorted(OPEN))
def test_open_to_all(world: Called, name: str) -> None:
    args = ["koikoi"] if name == "odds" else []
    bad = 200 if name == "kafu-schema" else 401  # no view of the framework's
    found = statuses(world, name, *(["hachihachi"] if args else []))
    assert found == expected(200, bad_token=bad)


@pytest.mark.parametrize("id", part([*FIGURES]))
def test_statistics(world: Called, id: str) -> None:
    query = {} if FIGURES[id].any_ruleset else {"ruleset": FIGURES[id].rulesets[0]}
    assert statuses(world, f"statistics-{id}", data=query) == expected(200)


@pytest.mark.parametrize("name", sorted(LISTS))
def test_lists(world: Called, name: str) -> None:
    assert statuses(world, name) == expected(200, sender=403, admin_only=403)


@pytest.mark.parametrize("name", sorted(LISTS))
def test_lists_hold_what_is_public(world: Called, name: str) -> None:
    for sent in callers(world).values():
        body = Client().get(reverse(f"api:{name}"), headers=sent).content.decode()
        assert "Private" not in body
        assert "Unlisted" not in body
    assert "Public" in Client().get(reverse(f"api:{name}")).content.decode()


@pytest.mark.parametrize("form", ["ndjson", "kafu", "csv"])
def test_files_hold_what_one_may_see(world: Called, form: str) -> None:
    keys = ",".join(world.games[level].key for level in LEVELS)
    public, unlisted, private = words = ("Public", "Unlisted", "Private")
    wanted: dict[str, tuple[str, ...]] = dict.fromkeys(EVERYBODY, (public, unlisted))
    wanted |= dict.fromkeys(("owner", "reader", "staff"), words)
    for who in EVERYBODY:
        sent = callers(world)[who]
        told = {
            "records": (public,),
            "records-export": wanted[who],
            "my-games-export": words if who in ("owner", "reader") else (),
        }
        for name, there in told.items():
            query = {"format": form} | ({"keys": keys} if name == "records-export" else {})
            response = Client().get(reverse(f"api:{name}"), query, headers=sent)
            if name == "my-games-export" and who == "nobody":
                assert response.status_code == 401
                continue
            body = response.getvalue().decode()
            assert tuple(word for word in words if word in body) == there, (who, name)
            if private in there:
                assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", sorted(GAME))
def test_games(world: Called, name: str, level: Visibility) -> None:
    found = statuses(world, name, world.games[level].key)
    if level is Visibility.PRIVATE:
        wanted = expected(HIDDEN, owner=200, reader=200, staff=200, sender=403, admin_only=403)
    else:
        wanted = expected(200, sender=403, admin_only=403)
    assert found == wanted


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", sorted(UPLOAD))
def test_uploads(world: Called, name: str, level: Visibility) -> None:
    found = statuses(world, name, world.uploads[level].key)
    if level is Visibility.PRIVATE:
        wanted = expected(HIDDEN, owner=200, reader=200, sender=200, staff=200, admin_only=403)
    else:
        wanted = expected(200, admin_only=403)
    assert found == wanted


@pytest.mark.parametrize("level", LEVELS)
def test_changing_uploads(world: Called, level: Visibility) -> None:
    more: dict[str, Any] = {"data": {"visibility": "private"}, "content_type": "application/json"}
    for who, sent in callers(world).items():
        upload = world.uploads[level]
        Upload.objects.filter(pk=upload.pk).update(visibility=level)
        found = asked("upload", sent, upload.key, method="patch", **more)
        wanted = expected(403, nobody=401, owner=202, sender=202)
        if level is Visibility.PRIVATE:
            wanted |= {"other": 404, "clerk": 404, "nobody": 404}
        assert found == wanted[who], who


@pytest.mark.parametrize("level", LEVELS)
def test_uploads_of_an_account_are_claimed_by_nobody_else(world: Called, level: Visibility) -> None:
    found = statuses(world, "upload-claim", world.uploads[level].key, method="post")
    wanted = expected(404, nobody=401, reader=403, admin_only=403, owner=202, sender=202)
    assert found == wanted


@pytest.mark.parametrize("anonymous", [True, False])
def test_sending(world: Called, settings: LazySettings, anonymous: bool) -> None:
    settings.ANONYMOUS_UPLOAD = anonymous
    found = statuses(world, "uploads", method="post", data="x", content_type="text/x-kafu")
    nobody = 202 if anonymous else 401
    assert found == expected(202, nobody=nobody, reader=403, admin_only=403)


def test_sending_what_is_private(world: Called) -> None:
    address = reverse("api:uploads") + "?visibility=private"
    found = {
        who: Client().post(address, "x", "text/x-kafu", headers=sent).status_code
        for who, sent in callers(world).items()
    }
    assert found == expected(202, nobody=401, reader=403, admin_only=403)


@pytest.mark.parametrize("anonymous", [True, False])
def test_sending_in_parts(world: Called, settings: LazySettings, anonymous: bool) -> None:
    settings.ANONYMOUS_UPLOAD = anonymous
    tus = {"HTTP_TUS_RESUMABLE": "1.0.0", "HTTP_UPLOAD_LENGTH": "5"}
    found = statuses(world, "resumables", method="post", **tus)
    nobody = 201 if anonymous else 401
    assert found == expected(201, nobody=nobody, reader=403, admin_only=403)


@pytest.mark.parametrize("method", ["head", "patch", "delete"])
def test_parts(world: Called, method: str) -> None:
    more: dict[str, Any] = {"HTTP_TUS_RESUMABLE": "1.0.0"}
    if method == "patch":
        more |= {"data": b"12345", "HTTP_UPLOAD_OFFSET": "0", "content_type": OCTETS}
    done = 200 if method == "head" else 204
    for who, sent in callers(world).items():
        mine = resumable.begin(sender="x", name="x", metadata="", length=5, owner=world.owner.pk)
        found = asked("resumable", sent, mine.key, method=method, **more)
        wanted = expected(404, owner=done, sender=done, reader=403, admin_only=403)
        assert found == wanted[who], who


def test_checking(world: Called) -> None:
    text = world.games[Visibility.PUBLIC].text
    found = statuses(world, "verify", method="post", data=text, content_type="text/x-kafu")
    assert found == expected(200, admin_only=403)
    found = statuses(world, "positions", method="post", data=text, content_type="text/x-kafu")
    assert found == expected(200, admin_only=403)
    sheet = {"ruleset": "koikoi", "players": ["Aya", "Ben"]}
    found = statuses(world, "sheets", method="post", data=sheet, content_type="application/json")
    assert found == expected(200, admin_only=403)


def test_what_is_ones_own(world: Called) -> None:
    assert statuses(world, "me") == expected(200, nobody=401)
    for name in ("my-games", "my-games-export", "my-uploads"):
        assert statuses(world, name) == expected(200, nobody=401, sender=403, admin_only=403)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("method", ["get", "patch", "delete"])
def test_holdings(world: Called, level: Visibility, method: str) -> None:
    more = {"data": {"note": "n"}, "content_type": "application/json"} if method == "patch" else {}
    key = world.games[level].key
    done = 204 if method == "delete" else 200
    wanted = expected(404, nobody=401, admin_only=403)
    if method == "get":
        wanted |= {"owner": done, "reader": done, "sender": 403}
    else:
        wanted |= {"owner": done, "reader": 403, "sender": 404 if method == "delete" else done}
    assert statuses(world, "ownership", key, method=method, **more) == wanted


def test_webhooks(world: Called) -> None:
    assert statuses(world, "webhooks") == expected(200, nobody=401, sender=403, admin_only=403)
    more: dict[str, Any] = {
        "data": {"url": "https://93.184.216.34/"},
        "content_type": "application/json",
    }
    made = statuses(world, "webhooks", method="post", **more)
    assert made == expected(201, nobody=401, reader=403, admin_only=403)
    patched: dict[str, Any] = {**more, "data": {"state": "active"}}
    enabled = statuses(world, "webhook", "none", method="patch", **patched)
    assert enabled == expected(404, nobody=401, reader=403, admin_only=403)
    found = statuses(world, "webhook", "none", method="delete")
    assert found == expected(204, nobody=401, reader=403, admin_only=403)


def test_drafts(world: Called) -> None:
    """Everybody has their own alone; nobody, not even the staff, sees that there are others."""
    sent = {"kind": "game", "title": "t", "changed": "2026-01-01T00:00:00Z", "state": {"a": 1}}
    more: dict[str, Any] = {"data": sent, "content_type": "application/json"}
    assert statuses(world, "drafts") == expected(200, nobody=401, sender=403, admin_only=403)
    wrote = statuses(world, "draft", "k1", method="put", **more)
    assert wrote == expected(200, nobody=401, reader=403, admin_only=403)
    found = statuses(world, "draft", "k1")
    assert found == expected(200, nobody=401, sender=403, admin_only=403)
    owners = set(Draft.objects.values_list("owner_id", flat=True))
    assert owners == {world.owner.pk, world.other.pk, world.staff.pk}
    own = callers(world)["owner"]
    assert asked("draft", own, "k1", method="delete") == 204
    found = statuses(world, "draft", "k1")
    assert found == expected(200, nobody=401, owner=404, reader=404, sender=403, admin_only=403)
    gone = statuses(world, "draft", "k1", method="delete")
    assert gone == expected(204, nobody=401, reader=403, admin_only=403)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.owner)
    address = reverse("api:draft", args=["k1"])
    problem(strict.put(address, sent, "application/json"), "forbidden", 403)
    problem(strict.delete(address), "forbidden", 403)


def test_a_session_may_read_and_needs_the_csrf_token_to_write(world: Called) -> None:
    key = world.games[Visibility.PRIVATE].key
    assert session(world.owner).get(reverse("api:record", args=[key])).status_code == 200
    assert session(world.other).get(reverse("api:record", args=[key])).status_code == HIDDEN
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.owner)
    problem(strict.post(reverse("api:uploads"), "x", "text/x-kafu"), "forbidden", 403)


def test_what_is_private_is_kept_by_no_cache(world: Called) -> None:
    own = callers(world)["owner"]
    for name in GAME:
        for level in LEVELS:
            address = reverse(f"api:{name}", args=[world.games[level].key])
            response = Client().get(address, headers=own)
            is_private = level is Visibility.PRIVATE
            assert ("no-store" in response.get("Cache-Control", "")) == is_private
            assert ("X-Robots-Tag" in response) == (level is not Visibility.PUBLIC)
            assert "Authorization" in response["Vary"]


def test_a_scope_that_is_missing_is_named(world: Called) -> None:
    response = Client().get(reverse("api:records"), headers=callers(world)["sender"])
    assert problem(response, "scope-missing", 403)["scope"] == "read"
    assert 'error="insufficient_scope", scope="read"' in response["WWW-Authenticate"]


@pytest.mark.parametrize("level", LEVELS)
def test_studies(world: Called, level: Visibility) -> None:
    """One is as visible as its owner says; nobody else changes it, and nobody else's words."""
    sent: dict[str, Any] = {"data": {"title": "T"}, "content_type": "application/json"}
    assert statuses(world, "studies") == expected(200, sender=403, admin_only=403)
    assert statuses(world, "my-studies") == expected(200, nobody=401, sender=403, admin_only=403)
    made = statuses(world, "studies", method="post", **sent)
    assert made == expected(201, nobody=401, reader=403, admin_only=403)
    study = keeping.create(world.owner.pk, {"title": "Own", "visibility": level}, ())
    found = statuses(world, "study", study.key)
    is_private = level is Visibility.PRIVATE
    others = 404 if is_private else 200
    wanted = expected(others, owner=200, reader=200, staff=200, sender=403, admin_only=403)
    assert found == wanted
    wanted = expected(404, nobody=401, owner=200, sender=200, reader=403, admin_only=403)
    assert statuses(world, "study", study.key, method="patch", **sent) == wanted
    step = {"record": world.games[Visibility.PUBLIC].key, "at": "1.0"}
    entry: dict[str, Any] = {"data": step, "content_type": "application/json"}
    added = statuses(world, "study-entries", study.key, method="post", **entry)
    assert added == {who: 201 if status == 200 else status for who, status in wanted.items()}
    assert asked("study", callers(world)["other"], study.key, method="delete") == 404
    assert Study.objects.filter(pk=study.pk).exists()
    assert asked("study", callers(world)["owner"], study.key, method="delete") == 204


@pytest.mark.parametrize("level", LEVELS)
def test_comments(world: Called, level: Visibility) -> None:
    """Whoever may see a game may comment on it and report; only one's own can be deleted."""
    record = world.games[level]
    sent: dict[str, Any] = {
        "data": {"at": "1.0", "text": "Well played"},
        "content_type": "application/json",
    }
    more = {"nobody": 401, "owner": 201, "sender": 201, "staff": 201, "reader": 403}
    hidden = level is Visibility.PRIVATE
    wanted = expected(404 if hidden else 201, admin_only=403, **more)
    assert statuses(world, "record-comments", record.key, method="post", **sent) == wanted
    Comment.objects.all().delete()
    comment = commenting.say(record, world.owner.pk, (1, 0), "Words")
    empty: dict[str, Any] = {"data": {}, "content_type": "application/json"}
    told = {who: 204 if status == 201 else status for who, status in wanted.items()}
    assert statuses(world, "comment-reports", comment.key, method="post", **empty) == told
    no = 404 if hidden else 403
    for who, sends in callers(world).items():
        commenting.say(record, world.owner.pk, (1, 0), "Words")
        key = Comment.objects.filter(author=world.owner).latest("id").key
        allowed = {"owner": 204, "sender": 204, "staff": 204, "nobody": 401, "reader": 403}
        refused = expected(no, admin_only=403, **allowed)[who]
        assert asked("comment", sends, key, method="delete") == refused, who
