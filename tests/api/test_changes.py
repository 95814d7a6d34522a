"""GET records/changes: changes for mirrors."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.views import changes as view
from kafu.notation.game import Game
from kafu.notation.writer import write
from lengths import part
from records.ingest.ownership import change_visibility, restore, take_down
from records.models import GameChange, Player, Record, Upload, Visibility
from records.operations.reverify import forget_all, reverify
from records.privacy import change_log
from records.search import changes as queries
from records.services import visibility
from records.services.pseudonyms import remove_pseudonym, set_pseudonym
from tests.api.contract import Api, check, operation, problem
from tests.conftest import Environment, Hana
from tests.people.test_at_once import code
from tests.people.world import sent, token, user
from tests.records.makers import simulate_months, text, work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
#: Games that a mirror follows; 10,000 in `make test-long`.
MANY: Final = 10_000 if "LONG" in os.environ else 20

#: Page sizes of a mirror, in proportion to the games: the number of pages stays the same.
PAGES: Final = tuple(max(1, min(200, size * MANY // 100)) for size in (1, 7, 200))
#: Pairs of players of a mirror's games: renaming one changes a part of the games, not all.
PAIRS: Final = 40


def test_games_and_tombstones_are_sorted_by_their_last_change(api: Api) -> None:
    owner = user("owner")
    began = datetime.now(UTC)
    for seed in (1, 2, 3):
        sent(text(seed), owner=owner)
    first = api.get("records/changes", {"changed_since": began.isoformat()}).json()
    keys = [line["key"] for line in first["results"]]
    assert keys == list(Record.objects.order_by("pk").values_list("key", flat=True))
    assert first["next"] is None
    assert [line["text"] for line in first["results"]] == [_record(key).text for key in keys]
    hide(owner, keys[0], Visibility.WITHDRAWN)
    hide(owner, keys[1], Visibility.UNLISTED)
    later = api.get("records/changes", {"changed_since": first["cursor"]}).json()
    withdrawn, unlisted = later["results"]
    assert (withdrawn["key"], withdrawn["reason"]) == (keys[0], "withdrawn")
    assert (unlisted["key"], unlisted["reason"]) == (None, "unlisted")
    assert unlisted["digest"] == hashlib.sha256(keys[1].encode()).hexdigest()
    take_down([_record(keys[0]).pk])
    restore(owner=owner.pk, records=[_record(keys[1]).pk])
    last = api.get("records/changes", {"changed_since": later["cursor"]}).json()
    assert [(line["key"], line["reason"]) for line in last["results"]] == [(keys[0], "removed")]
    assert api.get("records/changes", {"changed_since": last["cursor"]}).json()["results"] == []


def test_game_that_never_was_public_is_not_listed(api: Api) -> None:
    owner = user("owner")
    for level in (Visibility.PRIVATE, Visibility.UNLISTED):
        sent(text(level), owner=owner, visibility=level)
    for record in Record.objects.all():
        hide(owner, record.key, Visibility.WITHDRAWN)
    assert api.get("records/changes?changed_since=2000-01-01").json()["results"] == []
    assert not GameChange.objects.exists()


def test_superseded_changes_are_deleted(api: Api) -> None:
    """Only the last change of a game remains; a cursor of a deleted change is still valid."""
    owner = user("owner")
    sent(text(1), owner=owner)
    first = api.get("records/changes?changed_since=2000-01-01").json()
    key = first["results"][0]["key"]
    for level in (Visibility.UNLISTED, Visibility.PUBLIC, Visibility.WITHDRAWN):
        hide(owner, key, level)
        change_log.tidy()
    change_log.tidy()
    assert GameChange.objects.count() == 1
    sent(text(2), owner=owner)
    later = api.get("records/changes", {"changed_since": first["cursor"]}).json()["results"]
    assert [line.get("reason") for line in later] == ["withdrawn", None]


def test_ndjson_equals_json_and_is_documented(api: Api) -> None:
    owner = user("owner")
    sent(*(text(seed) for seed in range(1, 6)), owner=owner)
    hide(owner, _first().key, Visibility.WITHDRAWN)
    listed = api.get("records/changes?changed_since=2000-01-01").json()
    lines = _lines("records/changes.ndjson?changed_since=2000-01-01")
    assert lines == listed["results"] and len(lines) == 5
    content = operation("get", "/api/v1/records/changes.ndjson")["responses"]["200"]["content"]
    for line in lines:
        check(content["application/x-ndjson"]["schema"], line)
    assert _lines(f"records/changes.ndjson?changed_since={lines[1]['cursor']}") == lines[2:]
    response: Any = Client().get(
        "/api/v1/records/changes.ndjson?changed_since=2000-01-01&page_size=2"
    )
    address = response["Link"].partition(">")[0].removeprefix("<")
    following: Any = Client().get(address)
    assert [json.loads(line) for line in following.getvalue().splitlines()] == lines[2:4]


@pytest.mark.parametrize("size", part([200, 1]))
def test_page_with_long_texts_is_shorter(
    api: Api, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """On a page of one game, the long text is the last."""
    sent(*(text(seed) for seed in range(1, 5)))
    whole = api.get("records/changes?changed_since=2000-01-01").json()
    monkeypatch.setattr(view, "MAX_TEXT_LENGTH", 1)
    results, address, pages = [], f"records/changes?changed_since=2000-01-01&page_size={size}", 0
    while address:
        page = api.get(address).json()
        results += page["results"]
        address, pages = page["next"], pages + 1
    assert (results, pages) == (whole["results"], 4)


def test_change_committed_late_is_listed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The change of the later ending transaction has the later number.

    Primary keys of rows and times of games do not matter.
    """
    sent(text(1))
    sent(text(2))
    late, early = Record.objects.order_by("pk")
    pending = change_log._pending
    monkeypatch.setattr(change_log, "_pending", lambda: pending().exclude(records=late))
    first = api.get("records/changes?changed_since=2000-01-01").json()
    assert [line["key"] for line in first["results"]] == [early.key]
    monkeypatch.setattr(change_log, "_pending", pending)
    later = api.get("records/changes", {"changed_since": first["cursor"]}).json()
    assert [line["key"] for line in later["results"]] == [late.key]


def test_time_of_a_change_is_when_it_became_visible(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "OVERLAP", timedelta(0))
    sent(text(1))
    began = datetime.now(UTC).isoformat()  # the game is older, but its change has no number yet
    assert len(api.get("records/changes", {"changed_since": began}).json()["results"]) == 1
    after = api.get("records/changes", {"changed_since": datetime.now(UTC).isoformat()}).json()
    assert (after["results"], after["next"]) == ([], None)
    sent(text(2))
    later = api.get("records/changes", {"changed_since": after["cursor"]}).json()
    newest = Record.objects.order_by("-pk")[0]
    assert [line["key"] for line in later["results"]] == [newest.key]


def test_changes_beyond_one_batch_are_listed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_log, "BATCH", 2)
    for seed in range(1, 6):
        sent(text(seed))
    keys, address = [], "records/changes?changed_since=2000-01-01"
    while address:
        page = api.get(address).json()
        keys += [line["key"] for line in page["results"]]
        address = page["next"]
    assert keys == list(Record.objects.order_by("pk").values_list("key", flat=True))
    sent(text(6))
    assert change_log.tidy() == 1 and change_log.tidy() == 0


def test_sweeps_search_all_changes_in_turn(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_log, "BATCH", 2)
    owner = user("owner")
    for seed in range(1, 6):
        sent(text(seed), owner=owner)
    change_log.tidy()
    hide(owner, Record.objects.order_by("pk")[3].key, Visibility.PRIVATE)
    for _sweep in range(4):
        change_log.tidy()
    numbers = GameChange.objects.order_by("pk").values_list("number", flat=True)
    assert [*numbers] == [1, 2, 3, 5, 6]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("changed_since=yesterday", "changed_since"),
        ("changed_since=2026-13-01", "changed_since"),
        ("changed_since=0001-01-01T00:00:00Z", "changed_since"),
        ("changed_since=WyJhIiwxXQ", "changed_since"),  # ["a",1]
        ("changed_since=WyJhIiw3LDFd", "changed_since"),  # ["a",7,1], of another archive
        ("changed_since=2026-01-01&ruleset=koikoi", "ruleset"),
        ("changed_since=2026-01-01&cursor=x", "cursor"),
        ("changed_since=2026-01-01&format=csv", "format"),
        ("changed_since=2026-01-01&page_size=201", "page_size"),
    ],
)
def test_invalid_query_is_refused(api: Api, query: str, name: str) -> None:
    for path in ("records/changes", "records"):  # the latter is the former address
        body = problem(api.get(f"{path}?{query}"), "invalid-parameter", 400)
        assert [error["name"] for error in body["errors"]] == [name]


def test_changes_are_read_by_their_index(db: None) -> None:
    sent(*(text(seed) for seed in range(1, 4)))
    change_log.publish()
    with CaptureQueriesContext(connection) as captured:
        queries.places((0, 0), 2)
    (query,) = [query["sql"] for query in captured if "ORDER BY" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query}")
        plan = " ".join(str(row) for row in cursor.fetchall())
    assert "record_change" in plan and "SCAN records_record" not in plan


# A mirror -----------------------------------------------------------------------------------------


class Mirror:
    """Public games by digests of keys, as stored by another program."""

    def __init__(self) -> None:
        self.since = datetime.now(UTC).isoformat()
        lines = _lines("records.ndjson?sort=oldest")
        self.games = {_digest(line["key"]): _bare(line) for line in lines}

    def follow(self, chance: Random) -> None:
        """Read the change_log, as NDJSON or page by page."""
        if chance.random() < 0.5:
            self.apply(_lines("records/changes.ndjson?" + urlencode({"changed_since": self.since})))
            return
        size = chance.choice(PAGES)
        query = urlencode({"changed_since": self.since, "page_size": size})
        address = f"/api/v1/records/changes?{query}"
        while address:
            page = Client().get(address).json()
            self.apply(page["results"])
            self.since, address = page["cursor"], page["next"]

    def apply(self, lines: list[dict[str, Any]]) -> None:
        """Apply changes to the copy."""
        for line in lines:
            self.since = line["cursor"]
            if "reason" in line:
                self.games.pop(line["digest"], None)
            else:
                self.games[_digest(line["key"])] = _bare(line)


def test_mirror_equals_the_archive() -> None:
    chance = Random(17)
    owners = [user(f"owner{number}") for number in range(4)]
    seeds = iter(range(1, 10 * MANY))
    size = max(4, MANY // 50)
    for owner in owners:
        sent(*(_played(next(seeds)) for _ in range(size)), owner=owner)
    mirror = Mirror()
    acts: list[Callable[[], object]] = [
        lambda: sent(*(_played(next(seeds)) for _ in range(size)), owner=_any(chance, owners)),
        lambda: sent(_played(next(seeds), wrong=True), owner=_any(chance, owners)),
        lambda: _send_again(chance, owners),
        lambda: _decide(chance, owners),
        lambda: _correct(chance, owners, next(seeds)),
        lambda: _change_upload(chance),
        lambda: _restore(chance, owners),
        lambda: take_down([_random(chance).pk]),
        lambda: _rename(chance),
        change_log.tidy,
    ]
    step = 0
    while Record.objects.count() < MANY:
        chance.choice(acts)()
        step += 1
        if step % 5 == 0:
            mirror.follow(chance)
    forget_all()
    list(reverify())
    mirror.follow(chance)
    archive = {_digest(line["key"]): _bare(line) for line in _lines("records.ndjson")}
    assert mirror.games == archive
    assert 0 < len(archive) < Record.objects.count()


def _played(number: int, *, wrong: bool = False) -> str:
    """Return a game of a single deal by a pair of `PAIRS`; a simulated year has twelve deals."""
    month = _year(number // 12, months="12").months[number % 12].replace(month=1)
    if wrong:
        month.score = (98, 0)
    names = f"Aya {number % PAIRS}", f"Ben {number % PAIRS}"
    return write(Game("koikoi", names, {}, {"Termination": "abandoned"}, months=[month]))


_year = lru_cache(maxsize=1)(simulate_months)


def _any(chance: Random, owners: list[Any]) -> Any:
    return chance.choice([*owners, None])


def _random(chance: Random) -> Record:
    return Record.objects.order_by("pk")[chance.randrange(Record.objects.count())]


def _send_again(chance: Random, owners: list[Any]) -> None:
    """Upload a stored game again, by another owner and with another visibility."""
    record = _random(chance)
    level = chance.choice((Visibility.PRIVATE, Visibility.UNLISTED, Visibility.PUBLIC))
    text = record.text.replace("\n\n", '\n[Event "Another"]\n\n', 1)
    sent(text, owner=chance.choice(owners), visibility=level)


def _decide(chance: Random, owners: list[Any]) -> None:
    owner = chance.choice(owners)
    pks = list(owner.ownerships.values_list("record", flat=True))
    chosen = chance.sample(pks, min(3, len(pks)))
    change_visibility(owner=owner.pk, records=chosen, visibility=chance.choice(list(Visibility)))


def _restore(chance: Random, owners: list[Any]) -> None:
    owner = chance.choice(owners)
    restore(owner=owner.pk, records=list(owner.ownerships.values_list("record", flat=True))[:5])


def _correct(chance: Random, owners: list[Any], seed: int) -> None:
    owner = chance.choice(owners)
    ownerships = owner.ownerships.exclude(visibility=Visibility.WITHDRAWN)
    keys = list(ownerships.values_list("record__key", flat=True))
    if keys:
        Client().post(
            f"/api/v1/uploads?replaces={chance.choice(keys)}",
            _played(seed),
            "text/x-kafu",
            headers=token(owner, "read", "upload"),
        )
        work_all()


def _change_upload(chance: Random) -> None:
    uploads = list(Upload.objects.exclude(owner=None).exclude(visibility=Visibility.WITHDRAWN))
    levels = (Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE, Visibility.WITHDRAWN)
    changed = chance.choice(uploads)
    visibility.request_change(changed, chance.choice(levels))
    work_all()
    changed.refresh_from_db()
    if visibility.restorable_until(changed) and chance.random() < 0.5:
        visibility.restore(changed)
        work_all()


def _rename(chance: Random) -> None:
    player = Player.objects.order_by("pk")[chance.randrange(Player.objects.count())]
    if player.real_name:
        remove_pseudonym(player)
    else:
        set_pseudonym(player, f"Somebody {player.pk}")


def hide(owner: Any, key: str, level: int) -> None:
    """Change the visibility of a game, as its owner does."""
    change_visibility(owner=owner.pk, records=[_record(key).pk], visibility=level)


def _record(key: str) -> Record:
    return Record.objects.get(key=key)


def _first() -> Record:
    return Record.objects.order_by("pk")[0]


def _lines(path: str) -> list[dict[str, Any]]:
    response: Any = Client().get(f"/api/v1/{path}")
    assert response.status_code == 200, response.content
    return [json.loads(line) for line in response.getvalue().splitlines()]


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _bare(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line without its cursor."""
    return {name: value for name, value in line.items() if name != "cursor"}


LATE: Final = """
    from threading import Event, Thread
    from django.db import connection, transaction
    from records.models import Record
    from records.search.changes import places
    from records.privacy import change_log
    from tests.people.world import sent
    from tests.records.makers import text

    sent(text(1), text(2))
    first, second = Record.objects.order_by("pk")
    (*_, after), _more = places((0, 0), 10)
    begun, end = Event(), Event()

    def late():
        with transaction.atomic():
            change_log.mark([first])
            begun.set()
            end.wait(60)
        connection.close()

    thread = Thread(target=late)
    thread.start()
    begun.wait(60)
    with transaction.atomic():
        change_log.mark([second])
    found, _more = places(after, 10)
    print([pk == second.pk for _number, pk in found])
    end.set()
    thread.join()
    then, _more = places(found[-1], 10)
    print([pk == first.pk for _number, pk in then])
"""


@pytest.mark.long_only  # `test_change_committed_late_is_listed` has the mechanism on SQLite
def test_transaction_that_ends_late_is_listed_on_postgresql(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(postgres=True, DJANGO_SETTINGS_MODULE="hanaarchive.settings")
    process = hana.start_python(*code(LATE), env=env)
    assert process.wait(120) == 0 and process.stdout is not None
    assert process.stdout.read().split() == ["[True]", "[True]"]
