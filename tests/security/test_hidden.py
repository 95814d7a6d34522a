"""A game that its sender hid stays hidden in the upload that brought it, even if that is public."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people.accounts import closing
from records.models import Record, Upload, Visibility
from records.store.ownership import change_visibility, take_down
from tests.people.world import named, sent, session, user
from tests.records.makers import MALFORMED, illegal, text, with_wrong_score, work_all

pytestmark = pytest.mark.django_db

HIDING: dict[str, Callable[[Any, list[int]], object]] = {
    "private": lambda owner, pks: change_visibility(
        owner=owner.pk, records=pks, visibility=Visibility.PRIVATE
    ),
    "withdrawn": lambda owner, pks: change_visibility(
        owner=owner.pk, records=pks, visibility=Visibility.WITHDRAWN
    ),
    "taken down": lambda _owner, pks: take_down(pks),
}


@pytest.fixture
def owner(db: None) -> Any:
    """Who sends."""
    return user("owner")


def upload_of(owner: Any) -> Upload:
    """A public upload: a good game, an illegal one, one with a wrong claim, one that is none."""
    games = (text(1), illegal(2), with_wrong_score(3))
    return sent(*(named(game, Visibility.PUBLIC) for game in games), MALFORMED, owner=owner)


def pages(upload: Upload) -> list[str]:
    """Every address that tells of the upload's games."""
    api = f"/api/v1/uploads/{upload.key}"
    found = [f"/uploads/{upload.key}/", f"{api}/games", f"{api}/games?errors=true"]
    found += [f"{api}/report", f"{api}/report.csv", f"{api}/report.ndjson"]
    return found


def body(client: Client, path: str) -> str:
    """An answer's text."""
    return client.get(path).getvalue().decode()


@pytest.mark.parametrize("how", HIDING)
def test_check_does_not_show_it(owner: Any, how: str) -> None:
    upload = upload_of(owner)
    *paths, no_game = (f"/check/?upload={upload.key}&file=1&game={n}" for n in (1, 2, 3, 4))
    assert all("Public event" in body(Client(), path) for path in paths)
    HIDING[how](owner, list(Record.objects.values_list("pk", flat=True)))
    others = (Client(), session(user("other")))
    knowing = (session(owner), session(user("staff", staff=True)))
    for path in paths:
        for other in others:
            answer = other.get(path)
            assert answer.status_code == 404, path
            assert "Public" not in answer.content.decode(), path
        for known in knowing:
            assert "Public event" in body(known, path), path
    # What is no game follows the upload.
    assert "poker" in body(Client(), no_game)


@pytest.mark.parametrize("how", HIDING)
def test_the_report_has_only_its_place(owner: Any, how: str) -> None:
    upload = upload_of(owner)
    keys = list(Record.objects.values_list("key", flat=True))
    seen = {path: body(Client(), path) for path in pages(upload)}
    assert "Public" in seen[f"/uploads/{upload.key}/"]
    assert all("not-in-hand" in one or "Public" in one for one in seen.values())
    HIDING[how](owner, list(Record.objects.values_list("pk", flat=True)))
    viewers = (Client(), session(user("other")))
    for path in pages(upload):
        for viewer in viewers:
            told = body(viewer, path)
            assert "Public" not in told and "not-in-hand" not in told, path
            assert not any(key in told for key in keys), path
            assert "hidden" in told or "not shown" in told, path
            assert "malformed" in told, path
        assert seen[path].count("not-in-hand") == body(session(owner), path).count("not-in-hand")


def test_what_somebody_else_holds_too_is_hidden_in_the_sender_s_upload_alone(owner: Any) -> None:
    upload = upload_of(owner)
    other = sent(named(text(1), Visibility.PUBLIC), owner=user("other"))
    pks = list(Record.objects.values_list("pk", flat=True))
    change_visibility(owner=owner.pk, records=pks, visibility=Visibility.WITHDRAWN)
    assert Client().get(f"/check/?upload={upload.key}&file=1&game=1").status_code == 404
    assert Client().get(f"/check/?upload={other.key}&file=1&game=1").status_code == 200
    key = other.submissions.get().record.key  # type: ignore[union-attr]
    assert key not in body(Client(), f"/uploads/{upload.key}/")
    assert key in body(Client(), f"/uploads/{other.key}/")


@pytest.mark.parametrize(
    ("how", "anonymous"), [("withdrawn", False), ("taken down", False), ("taken down", True)]
)
def test_sending_a_game_again_does_not_show_what_was_withdrawn(
    owner: Any, how: str, anonymous: bool
) -> None:
    sender = None if anonymous else owner
    game = text(1).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Event "{}"]')
    first = sent(game.format("insult"), owner=sender)
    record = Record.objects.get()
    HIDING[how](owner, [record.pk])
    second = sent(game.format("second"), owner=sender)
    paths = [f"/check/?upload={one.key}&file=1&game=1" for one in (first, second)]
    assert Client().get(paths[0]).status_code == 404
    assert "second" in body(Client(), paths[1])
    assert record.key not in body(Client(), f"/uploads/{first.key}/")
    # Nor when the record's text is chosen again.
    third = sent(game.format("third"), owner=user("third"))
    change_visibility(owner=third.owner_id or 0, records=[record.pk], visibility=Visibility.PRIVATE)
    told = body(Client(), f"/games/{record.key}.kafu")
    assert "second" in told and "insult" not in told


@pytest.mark.parametrize("how", ["private", "withdrawn"])
def test_what_was_hidden_stays_so_when_the_account_goes(owner: Any, how: str) -> None:
    """Also where the game is nobody's already, as somebody sent it without an account."""
    upload = upload_of(owner)
    sent(*(named(text(seed), Visibility.PUBLIC) for seed in (1, 4)))
    paths = [f"/check/?upload={upload.key}&file=1&game={number}" for number in (1, 2)]
    HIDING[how](owner, list(Record.objects.values_list("pk", flat=True)))
    closing.close(owner, withdraw=False)
    work_all()
    assert Upload.objects.get(pk=upload.pk).owner_id is None
    for path in paths:
        assert Client().get(path).status_code == 404


def test_nobody_is_no_sender(db: None) -> None:
    """Of what came without an account, whoever has none is not the sender."""
    upload = sent(text(1))
    take_down(list(Record.objects.values_list("pk", flat=True)))
    assert Client().get(f"/check/?upload={upload.key}&file=1&game=1").status_code == 404


def test_a_report_asks_no_question_a_row(owner: Any) -> None:
    def questions(count: int, path: str) -> int:
        games = [named(text(seed), Visibility.PUBLIC) for seed in range(20, 20 + count)]
        key = sent(*games, owner=owner).key
        with CaptureQueriesContext(
            connection,
        ) as asked:
            body(Client(), path.format(key))
        return len(asked)

    for path in ("/uploads/{}/", "/api/v1/uploads/{}/games", "/api/v1/uploads/{}/report"):
        assert questions(2, path) == questions(6, path), path
