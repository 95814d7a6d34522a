"""An archive full of hostile games, and its owner."""

from __future__ import annotations

import json
import socket
from typing import Any, NoReturn

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from people import tokens
from people.models import Collection, Draft, PlayerRequest
from records.intake.resumable import begin
from records.models import Comment, Ownership, Player, Record, Visibility
from records.studies import keeping
from tests.security import hostile
from tests.security.addresses import Known

USER = "holder"


@pytest.fixture
def known(known_for_all: Known, db: None) -> Known:
    """The hostile games in the archive, with a page of each kind to be seen."""
    return known_for_all


@pytest.fixture(scope="module")
def known_for_all(rows_for_all: None) -> Known:
    owner = get_user_model().objects.create_user(USER)
    upload = hostile.ingest(owner.pk)
    Ownership.objects.filter(owner=owner).update(note=hostile.COMMENT)
    held = Ownership.objects.filter(owner=owner)
    collection = Collection.objects.create(owner=owner, name=hostile.EVENT[:80])
    collection.ownerships.set(held[:5])
    token, _text = tokens.make(owner=owner, name=hostile.NAMES[0], scopes=["read"])
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
    assert {one.ruleset for one in records} >= {"koikoi", "hachihachi", "hanaawase"}
    each = {(one.ruleset, ""): one.key for one in records.exclude(status="unsupported")}
    each |= {("", one.status): one.key for one in records}
    each |= {("", "sheet" if one.sheet else "moves"): one.key for one in records}
    draft = Draft.objects.create(
        key="d1",
        owner=owner,
        kind="game",
        title=hostile.COMMENT[:300],
        changed=timezone.now(),
        state=json.dumps({"kafu": hostile.COMMENT}),
    )
    partial = begin(sender="test", name=hostile.FILE, metadata="", length=10)
    players = [player.key for player in Player.objects.all()]
    words = {"title": hostile.EVENT[:120], "notes": hostile.COMMENT}
    study = keeping.create(owner.pk, {**words, "visibility": Visibility.PUBLIC}, ())
    comment = None
    for one in records.filter(deals_played__gt=0, key__in=each.values()):
        keeping.add(study, one.pk, "1.1", 'A"><x-evil data-evil>', hostile.COMMENT)
        comment = Comment.objects.create(
            record=one, author=owner, deal=1, step=1, text=hostile.COMMENT
        )
    assert comment is not None
    return Known(
        sorted(set(each.values())),
        [upload.key],
        players,
        [partial.key],
        [collection.key],
        [token.key],
        [draft.key],
        [study.key],
        [comment.key],
    )


@pytest.fixture
def owner(known: Known) -> Client:
    """The browser of whoever handed them in, logged in."""
    client = Client()
    client.force_login(get_user_model().objects.get(username=USER))
    return client


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """No way out of this process; what is tried is told."""
    tried: list[Any] = []

    def refuse(*arguments: Any, **_more: Any) -> NoReturn:
        tried.append(arguments[-1] if arguments else None)
        raise OSError("there is no network in this test")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return tried
