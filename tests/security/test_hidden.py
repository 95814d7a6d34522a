"""A game that its sender hid is hidden in its upload too, even if the upload is public."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from lengths import part
from people.accounts import lifecycle
from records.ingest.ownership import change_visibility, take_down
from records.models import Record, Upload, Visibility
from tests.people.world import named, sent, session, user
from tests.records.makers import MALFORMED, illegal, text, with_wrong_score, work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

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
    """Return the account that sends the games."""
    return user("owner")


def send_all_kinds(owner: Any) -> Upload:
    """Send in public a verified game, an illegal, a malformed, and a wrongly claimed game."""
    games = (text(1), illegal(2), with_wrong_score(3))
    return sent(*(named(game, Visibility.PUBLIC) for game in games), MALFORMED, owner=owner)


def report_paths(upload: Upload) -> list[str]:
    """Return every address whose response lists the upload's games."""
    api = f"/api/v1/uploads/{upload.key}"
    paths = [f"/uploads/{upload.key}/", f"{api}/games", f"{api}/games?errors=true"]
    paths += [f"{api}/report", f"{api}/report.csv", f"{api}/report.ndjson"]
    return paths


def body(client: Client, path: str) -> str:
    """Return the text of a response."""
    return client.get(path).getvalue().decode()


@pytest.mark.long_only  # `test_matrix.py` requests a selection of these addresses
@pytest.mark.parametrize("how", HIDING)
def test_hidden_game_is_shown_to_its_sender_and_the_staff_alone(owner: Any, how: str) -> None:
    """Request the page for checking; reports show only the existence of a game."""
    upload = send_all_kinds(owner)
    *paths, malformed = (f"/check/?upload={upload.key}&file=1&game={n}" for n in (1, 2, 3, 4))
    assert all("Public event" in body(Client(), path) for path in paths)
    keys = list(Record.objects.values_list("key", flat=True))
    public = {path: body(Client(), path) for path in report_paths(upload)}
    assert "Public" in public[f"/uploads/{upload.key}/"]
    assert all("not-in-hand" in report or "Public" in report for report in public.values())

    HIDING[how](owner, list(Record.objects.values_list("pk", flat=True)))
    strangers = (Client(), session(user("other")))
    sender, staff = session(owner), session(user("staff", staff=True))
    for path in paths:
        for stranger in strangers:
            response = stranger.get(path)
            assert response.status_code == 404, path
            assert "Public" not in response.content.decode(), path
        for viewer in (sender, staff):
            assert "Public event" in body(viewer, path), path
    # A malformed game has the visibility of its upload.
    assert "poker" in body(Client(), malformed)
    for path, report in public.items():
        for stranger in strangers:
            hidden = body(stranger, path)
            assert "Public" not in hidden and "not-in-hand" not in hidden, path
            assert not any(key in hidden for key in keys), path
            assert "hidden" in hidden or "not shown" in hidden, path
            assert "malformed" in hidden, path
        assert report.count("not-in-hand") == body(sender, path).count("not-in-hand")


def test_game_that_another_account_shows_is_hidden_in_the_upload_of_its_sender_alone(
    owner: Any,
) -> None:
    upload = send_all_kinds(owner)
    other_upload = sent(named(text(1), Visibility.PUBLIC), owner=user("other"))
    pks = list(Record.objects.values_list("pk", flat=True))
    change_visibility(owner=owner.pk, records=pks, visibility=Visibility.WITHDRAWN)
    assert Client().get(f"/check/?upload={upload.key}&file=1&game=1").status_code == 404
    assert Client().get(f"/check/?upload={other_upload.key}&file=1&game=1").status_code == 200
    key = other_upload.submissions.get().record.key  # type: ignore[union-attr]
    assert key not in body(Client(), f"/uploads/{upload.key}/")
    assert key in body(Client(), f"/uploads/{other_upload.key}/")


@pytest.mark.parametrize(("how", "anonymous"), part([("withdrawn", False), ("taken down", True)]))
def test_withdrawn_text_stays_hidden_when_its_game_is_sent_again(
    owner: Any, how: str, anonymous: bool
) -> None:
    sender = None if anonymous else owner
    game = text(1).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Event "{}"]')
    first = sent(game.format("insult"), owner=sender)
    record = Record.objects.get()
    HIDING[how](owner, [record.pk])
    second = sent(game.format("second"), owner=sender)
    paths = [f"/check/?upload={upload.key}&file=1&game=1" for upload in (first, second)]
    assert Client().get(paths[0]).status_code == 404
    assert "second" in body(Client(), paths[1])
    assert record.key not in body(Client(), f"/uploads/{first.key}/")
    # The text of the record is chosen again then.
    third = sent(game.format("third"), owner=user("third"))
    change_visibility(owner=third.owner_id or 0, records=[record.pk], visibility=Visibility.PRIVATE)
    kafu = body(Client(), f"/games/{record.key}.kafu")
    assert "second" in kafu and "insult" not in kafu


@pytest.mark.parametrize("how", part(["private", "withdrawn"]))
def test_hidden_game_stays_hidden_when_the_account_is_closed(owner: Any, how: str) -> None:
    """Include a game that was also sent without an account."""
    upload = send_all_kinds(owner)
    sent(*(named(text(seed), Visibility.PUBLIC) for seed in (1, 4)))
    paths = [f"/check/?upload={upload.key}&file=1&game={number}" for number in (1, 2)]
    HIDING[how](owner, list(Record.objects.values_list("pk", flat=True)))
    lifecycle.close(owner, withdraw=False)
    work_all()
    assert Upload.objects.get(pk=upload.pk).owner_id is None
    for path in paths:
        assert Client().get(path).status_code == 404


def test_visitor_is_not_the_sender_of_an_upload_without_an_account(db: None) -> None:
    upload = sent(text(1))
    take_down(list(Record.objects.values_list("pk", flat=True)))
    assert Client().get(f"/check/?upload={upload.key}&file=1&game=1").status_code == 404


def test_report_makes_no_query_per_row(owner: Any) -> None:
    games = [named(text(seed), Visibility.PUBLIC) for seed in range(20, 23)]
    uploads = [sent(*games[:1], owner=owner), sent(*games, owner=owner)]
    for path in ("/uploads/{}/", "/api/v1/uploads/{}/games", "/api/v1/uploads/{}/report"):
        counts = []
        for upload in uploads:
            with CaptureQueriesContext(connection) as queries:
                body(Client(), path.format(upload.key))
            counts.append(len(queries))
        assert counts[0] == counts[1], path
