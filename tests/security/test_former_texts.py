"""Former texts of corrected games are quoted only to viewers who may see them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.ingest.ownership import change_visibility, restore, take_down, withdrawn_by
from records.models import Ownership, Record, Upload, Visibility
from records.services import visibility
from records.services.removals import for_owner
from tests.people.world import sent, token, user
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
PUBLIC, PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE
WITHDRAWN = Visibility.WITHDRAWN


@cache
def text(number: int, comment: str) -> str:
    """Return a short game with a comment, for each number another."""
    game = simulate("koikoi", seed=number, options={"months": "1"})
    game.notes["head"] = [comment]
    return write(game)


def game_of(upload: Upload) -> Record:
    record = upload.submissions.get().record
    assert record is not None
    return record


def hide(owner: Any, record: Record, level: int = PRIVATE) -> None:
    change_visibility(owner=owner.pk, records=[record.pk], visibility=level)


def send_corrections(owner: Any, *comments: str, level: int = PUBLIC) -> list[Record]:
    """Send games, each a correction of the game before, and return them."""
    records: list[Record] = []
    for number, comment in enumerate(comments, start=1):
        replaces = records[-1].key if records else ""
        upload = sent(text(number, comment), owner=owner, visibility=level, replaces=replaces)
        records.append(game_of(upload))
    return records


def history(record: Record, by: Any = None) -> list[dict[str, Any]]:
    headers = token(by, "read") if by is not None else {}
    response = Client().get(reverse("api:record-history", args=[record.key]), headers=headers)
    assert response.status_code == 200, response.content
    steps: list[dict[str, Any]] = response.json()["corrections"]
    return steps


def are_quoted(record: Record, by: Any = None) -> list[bool]:
    """Return whether each step of a history quotes its texts, the newest first."""
    return [step["changes"] is not None for step in history(record, by)]


@pytest.fixture
def owner() -> Any:
    return user("owner")


def test_each_correction_is_hidden_by_its_own_texts(owner: Any) -> None:
    first, second = send_corrections(owner, "first", "second")
    hide(owner, second)
    third = game_of(sent(text(3, "third"), owner=owner, replaces=second.key))
    fourth = game_of(sent(text(4, "fourth"), owner=owner, replaces=third.key))
    # The second text is hidden, and hence its changes from the first and to the third.
    assert are_quoted(fourth) == [True, False, False]
    assert [step["former"] for step in history(fourth)] == [third.key, second.key, first.key]
    assert are_quoted(fourth, by=owner) == [True] * 3


def test_page_follows_when_the_former_upload_is_withdrawn_and_restored(owner: Any) -> None:
    first, second = send_corrections(owner, "first", "second")
    upload = Upload.objects.get(submissions__record=first)
    page = reverse("game", args=[second.key])
    assert "{first}" in Client().get(page).content.decode()
    visibility.request_change(upload, WITHDRAWN)
    assert "{first}" not in Client().get(page).content.decode()
    visibility.restore(upload)
    assert "{first}" in Client().get(page).content.decode()


def test_removed_text_stays_hidden_when_its_game_is_sent_again(owner: Any) -> None:
    first, second = send_corrections(owner, "first", "second")
    take_down([first.pk])
    sent(text(1, "another"), owner=user("other"))
    first.refresh_from_db()
    assert first.gone_why == ""
    assert are_quoted(second) == [False]
    assert are_quoted(second, by=owner) == [True]


def test_private_correction_of_a_game_that_another_shows_is_not_listed(owner: Any) -> None:
    _first, second = send_corrections(owner, "first", "second", level=PRIVATE)
    sent(text(2, "public"), owner=user("other"))
    assert history(second) == []
    assert are_quoted(second, by=owner) == [True]


def test_replaced_game_does_not_come_back_with_an_earlier_withdrawal(owner: Any) -> None:
    upload = sent(text(1, "first"), owner=owner)
    first = game_of(upload)
    hide(owner, first, WITHDRAWN)
    sent(text(1, "first"), owner=owner)
    sent(text(2, "second"), owner=owner, replaces=first.key)
    assert not withdrawn_by(owner.pk).exists()
    assert restore(owner=owner.pk, records=[first.pk]) == 0
    first.refresh_from_db()
    assert first.visibility == WITHDRAWN


def test_text_of_another_closed_account_is_not_taken_for_the_former_one(owner: Any) -> None:
    other_account = user("other")
    first = game_of(sent(text(1, "first"), owner=owner))
    sent(text(1, "theirs"), owner=other_account)
    hide(other_account, first)
    second = game_of(sent(text(2, "second"), owner=owner, replaces=first.key))
    for account in (other_account, owner):
        for_owner(account, withdraw=False)
    makers.work_all()
    assert not Upload.objects.exclude(owner=None).exists()
    assert are_quoted(second) == [False]


@pytest.mark.long_only  # new archives do not need this step
def test_corrections_before_the_decision_was_stored_are_hidden_unless_they_hid_the_game(
    owner: Any,
) -> None:
    shown = send_corrections(owner, "first", "second")[-1]
    private = game_of(sent(text(3, "third"), owner=owner))
    hide(owner, private)
    public = game_of(sent(text(4, "fourth"), owner=owner, replaces=private.key))
    held = game_of(sent(text(5, "fifth"), owner=owner))
    sent(text(5, "theirs"), owner=user("other"))
    replacement = game_of(sent(text(6, "sixth"), owner=owner, replaces=held.key))
    Upload.objects.update(former_since=None)
    import_module("records.migrations.0010_former_texts").decide(apps, None)
    assert [are_quoted(game) for game in (shown, public, replacement)] == [[True], [False], [False]]
    assert Ownership.objects.filter(visibility=WITHDRAWN).count() == 3
