"""An archive full of hostile games, and its owner."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from clubs import access, clubs, evenings, follows, games, seasons
from people import applications, tokens
from people import follows as followed_players
from people.models import Collection, Draft, PlayerRequest
from records.ingest.resumable import begin
from records.models import Comment, Ownership, Player, Record, Visibility
from records.privacy.access import Viewer
from records.services import studies
from tests.conftest import Environment, Hana, bare_env, shared
from tests.security import hostile
from tests.security.addresses import ArchiveKeys

USER = "holder"


@pytest.fixture
def keys(module_keys: ArchiveKeys, db: None) -> ArchiveKeys:
    """Return the keys of an archive of hostile games with a row for a page of each kind."""
    return module_keys


@pytest.fixture(scope="module")
def module_keys(rows_for_all: None) -> ArchiveKeys:
    owner = get_user_model().objects.create_user(USER)
    upload = hostile.ingest(owner.pk)
    Ownership.objects.filter(owner=owner).update(note=hostile.COMMENT)
    collection = Collection.objects.create(owner=owner, name=hostile.EVENT[:80])
    collection.ownerships.set(Ownership.objects.filter(owner=owner)[:5])
    token, _text = tokens.create_token(owner=owner, name=hostile.NAMES[0], scopes=["read"])
    PlayerRequest.objects.create(
        owner=owner,
        kind=PlayerRequest.Kind.values[0],
        player=hostile.NAMES[0],
        pseudonym=hostile.NAMES[1],
        words=hostile.COMMENT,
        answer=hostile.COMMENT,
    )
    assert not upload.progress()["games"].get("aside")
    records = Record.objects.order_by("pk")
    assert {record.ruleset for record in records} >= {"koikoi", "hachihachi", "hanaawase"}
    samples = {(record.ruleset, ""): record.key for record in records.exclude(status="unsupported")}
    samples |= {("", record.status): record.key for record in records}
    samples |= {("", "sheet" if record.sheet else "moves"): record.key for record in records}
    draft = Draft.objects.create(
        key="d1",
        owner=owner,
        kind="game",
        title=hostile.COMMENT[:300],
        changed=timezone.now(),
        state=json.dumps({"kafu": hostile.COMMENT}),
    )
    partial = begin(sender="test", name=hostile.FILE, metadata="", length=10)
    words = {"title": hostile.EVENT[:120], "notes": hostile.COMMENT}
    study = studies.create(owner.pk, {**words, "visibility": Visibility.PUBLIC}, ())
    comment = None
    for record in records.filter(deals_played__gt=0, key__in=samples.values()):
        studies.add_entry(study, record.pk, "1.1", 'A"><x-evil data-evil>', hostile.COMMENT)
        comment = Comment.objects.create(
            record=record, author=owner, deal=1, step=1, text=hostile.COMMENT
        )
    assert comment is not None
    club = clubs.found(
        owner.pk,
        key="kai",
        player=hostile.NAMES[0],
        name=hostile.EVENT[:80],
        words=hostile.COMMENT,
    )
    officer = access.of(club, Viewer(owner.pk))
    keys = records.filter(ruleset="koikoi").values_list("key", flat=True)
    games.add(officer, keys, date(2026, 4, 3))
    days = {"first": date(2026, 4, 1), "last": date(2026, 4, 30)}
    season = seasons.create(officer, {"name": hostile.EVENT[:80], "ruleset": "koikoi", **days})
    entry = seasons.NewEntry("correction", hostile.NAMES[1], days["first"], 5, 0, hostile.COMMENT)
    seasons.add_entries(officer, season, [entry])
    words = {"place": hostile.EVENT[:80], "line": hostile.COMMENT}
    evening = evenings.write(officer, date(2026, 4, 3), words)
    evenings.draw(officer, evening, "koikoi", hostile.NAMES[:3])
    follows.follow(officer)
    for player in Player.objects.filter(games__gt=0):
        followed_players.follow(owner.pk, player)
    application = applications.register(owner, hostile.COMMENT, ["https://x-evil.test/"])
    return ArchiveKeys(
        # The first game has steps, because a few addresses need steps.
        records=sorted(set(samples.values()), key=lambda key: (key != samples["", "moves"], key)),
        uploads=[upload.key],
        players=[player.key for player in Player.objects.all()],
        partials=[partial.key],
        collections=[collection.key],
        tokens=[token.key],
        applications=[application.client_id],
        drafts=[draft.key],
        studies=[study.key],
        comments=[comment.key],
        clubs=[club.key],
        seasons=[season.key],
        members=[club.members.get().key],
    )


@pytest.fixture
def owner(keys: ArchiveKeys) -> Client:
    """Return a client logged in as the sender of the games."""
    client = Client()
    client.force_login(get_user_model().objects.get(username=USER))
    return client


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Refuse every connection of the process, and return the attempted destinations."""
    destinations: list[Any] = []

    def refuse(*arguments: Any, **_more: Any) -> NoReturn:
        destinations.append(arguments[-1] if arguments else None)
        raise OSError("there is no network in this test")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return destinations


#: Makes the hostile archive of a process, and writes keys and secrets of its owner, a superuser.
MAKE_ARCHIVE = """
import json
from datetime import date
from django.conf import settings
from django.contrib.auth import SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from clubs import access, clubs, seasons
from people import applications, tokens
from people import follows as followed_players
from django.utils.timezone import now
from people.models import SCOPES, Collection, Draft
from records.models import Player, Record
from records.ingest.resumable import begin
from records.privacy.access import Viewer
from records.services import studies
from tests.security import hostile
user = get_user_model().objects.create_superuser("aya")
token, text = tokens.create_token(owner=user, name="t", scopes=SCOPES)
application = applications.register(user, hostile.COMMENT, ["https://x-evil.test/"])
upload = hostile.ingest(user.pk)
session = SessionStore()
session[SESSION_KEY] = user.pk
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.create()
club = clubs.found(user.pk, key="kai", name="Kai", player="Aya")
days = {"first": date(2026, 1, 1), "last": date(2026, 12, 31)}
season = seasons.create(
    access.of(club, Viewer(user.pk)), {"name": "2026", "ruleset": "koikoi", **days}
)
records = Record.objects.order_by("pk")
samples = {record.ruleset: record.key for record in records}
samples |= {record.status: record.key for record in records}
samples |= {f"sheet {record.sheet}": record.key for record in records}
(settings.VAR_DIR / "keys.json").write_text(json.dumps({
    "token": text,
    "session": session.session_key,
    "samples": samples,
    "clubs": [club.key],
    "seasons": [season.key],
    "members": [club.members.get().key],
    "records": [records[0].key],
    "uploads": [upload.key],
    "players": [player.key for player in Player.objects.all()],
    "partials": [begin(sender="x", name="x", metadata="", length=600 << 20).key],
    "collections": [Collection.objects.create(owner=user, name="c").key],
    "tokens": [token.key],
    "applications": [application.client_id],
    "drafts": [Draft.objects.create(owner=user, key="d", changed=now(), state="{}").key],
    "studies": [studies.create(user.pk, {"title": "s"}, ()).key],
}))
"""


@pytest.fixture(scope="session")
def hostile_var(
    new_var: Callable[[], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], tuple[Environment, dict[str, Any]]]:
    """Return a function that makes an environment whose archive has the hostile games.

    It returns the environment, and the keys and secrets of `MAKE_ARCHIVE`. The archive is made once
    in a run, and copied.
    """

    def make(draft: Path) -> None:
        shutil.copytree(new_var(), draft, symlinks=True, dirs_exist_ok=True)
        env = bare_env(HANA_ENV="development", HANA_VAR=str(draft))
        Hana()("shell", "--command", MAKE_ARCHIVE, env=env)

    def copy() -> tuple[Environment, dict[str, Any]]:
        var = tmp_path_factory.mktemp("hostile")
        template = shared(tmp_path_factory, "hostile-archive", make)
        shutil.copytree(template, var, symlinks=True, dirs_exist_ok=True)
        secrets: dict[str, Any] = json.loads((var / "keys.json").read_text())
        return bare_env(HANA_ENV="development", HANA_VAR=str(var)), secrets

    return copy
