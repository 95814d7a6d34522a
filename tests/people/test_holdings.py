"""A game with several owners: visibility, shown text, and what remains after an owner leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from lengths import part
from records.ingest.ownership import change_visibility, take_down
from records.models import Listing, Ownership, Player, Record, Visibility
from records.operations.rebuild import begin, work
from records.privacy.access import ANONYMOUS, Viewer
from records.search.games import find as record_of
from records.search.selection import GameSelection, listings
from tests.people.world import sent, session, user
from tests.records.makers import simulate_months, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

PRIVATE, UNLISTED, PUBLIC = Visibility.PRIVATE, Visibility.UNLISTED, Visibility.PUBLIC


def with_comment(comment: str, game: str = "") -> str:
    """Return a game with a comment that identifies its sender."""
    return f"{{{comment}}}\n{game or text(1)}"


@pytest.fixture
def aya(db: None) -> Any:
    """Create an owner."""
    return user("aya")


@pytest.fixture
def ben(db: None) -> Any:
    """Create another owner."""
    return user("ben")


def shown_text(of: Any = None) -> str:
    """Return the text of the only game as a viewer sees it, or an empty text."""
    key = Record.objects.get().key
    record = record_of(key, Viewer(of.pk) if of else ANONYMOUS)
    return record.text if record else ""


def counts() -> set[int]:
    """Return the counts of games of all players."""
    return set(Player.objects.values_list("games", flat=True))


def sound() -> None:
    """Check that records, listings and counts agree with the ownerships."""
    public: dict[int, set[int]] = {}
    for record in Record.objects.prefetch_related("seats"):
        levels = [held.visibility for held in record.ownerships.all()]
        assert record.visibility == max(levels, default=Visibility.WITHDRAWN)
        assert Listing.objects.get(record=record).visibility == record.visibility
        for seat in record.seats.all():
            games = public.setdefault(seat.player_id, set())
            if record.visibility == PUBLIC:
                games.add(record.pk)
    assert {p.pk: p.games for p in Player.objects.all()} == {
        pk: len(games) for pk, games in public.items()
    }


def test_owners_of_one_private_game_do_not_learn_of_each_other(aya: Any, ben: Any) -> None:
    first = sent(with_comment("aya's secret"), owner=aya, visibility=PRIVATE)
    second = sent(with_comment("ben's secret"), owner=ben, visibility=PRIVATE)
    assert Record.objects.count() == 1
    assert shown_text() == ""
    assert "aya's secret" in shown_text(aya)
    assert "ben's secret" in shown_text(ben)
    assert "aya" not in shown_text(ben)
    assert first.progress()["games"]["duplicates"] == 0
    assert second.progress()["games"]["duplicates"] == 0  # a duplicate would reveal another owner
    when = record_of(Record.objects.get().key, Viewer(ben.pk))
    assert when is not None and when.created == Ownership.objects.get(owner=ben).created
    sound()


def test_private_game_sent_in_public_is_created_again(aya: Any) -> None:
    sent(text(1), owner=aya, visibility=PRIVATE)
    earlier = Record.objects.get().created
    upload = sent(text(1))
    assert Record.objects.get().created >= upload.created > earlier


@pytest.mark.parametrize("better_is_private", part([True, False]))
def test_public_text_replaces_a_private_one_and_is_kept(aya: Any, better_is_private: bool) -> None:
    texts = [with_comment("private words"), with_comment("public words", with_wrong_score(1))]
    if not better_is_private:
        texts = [with_comment("private words", with_wrong_score(1)), with_comment("public words")]
    sent(texts[0], owner=aya, visibility=PRIVATE)
    sent(texts[1])
    assert "public words" in shown_text()
    assert counts() == {1}
    sent(texts[0].replace("private", "more private"), owner=aya, visibility=PRIVATE)
    assert "public words" in shown_text()
    sound()


def test_game_made_public_shows_the_text_of_that_owner(aya: Any, ben: Any) -> None:
    sent(with_comment("aya's secret"), owner=aya, visibility=PRIVATE)
    sent(with_comment("ben's words"), owner=ben, visibility=PRIVATE)
    record = Record.objects.get()
    assert change_visibility(owner=ben.pk, records=[record.pk], visibility=PUBLIC) == 1
    assert "ben's words" in shown_text()
    assert "aya" not in shown_text()
    assert counts() == {1}
    sound()
    change_visibility(owner=ben.pk, records=[record.pk], visibility=PRIVATE)
    assert shown_text() == ""
    assert counts() == {0}
    assert not listings(GameSelection())
    assert listings(GameSelection(owner=aya.pk)).count() == 1
    sound()


def test_withdrawn_game_shows_the_text_of_the_remaining_owner(aya: Any, ben: Any) -> None:
    sent(with_comment("aya's words"), owner=aya)
    sent(with_comment("ben's words"), owner=ben)
    assert "aya's words" in shown_text()
    pk = Record.objects.get().pk
    change_visibility(owner=aya.pk, records=[pk], visibility=Visibility.WITHDRAWN)
    assert "ben's words" in shown_text()
    assert "aya" not in shown_text()
    sound()
    change_visibility(owner=ben.pk, records=[pk], visibility=Visibility.WITHDRAWN)
    assert shown_text() == shown_text(aya) == shown_text(ben) == ""
    sound()


def test_more_public_of_two_uploads_counts_until_a_decision(aya: Any) -> None:
    for level in (PRIVATE, UNLISTED, PRIVATE):
        sent(text(1), owner=aya, visibility=level)
    assert Ownership.objects.get().visibility == UNLISTED
    pk = Record.objects.get().pk
    change_visibility(owner=aya.pk, records=[pk], visibility=PRIVATE)
    sound()
    sent(text(1), owner=aya)
    assert Ownership.objects.get().visibility == PUBLIC
    sound()


def test_rebuilt_archive_keeps_decisions_and_notes(aya: Any, ben: Any) -> None:
    sent(with_comment("aya's words"), text(2), text(3), owner=aya)
    sent(with_comment("ben's words"), owner=ben)
    sent(with_comment("a secret", text(4)), owner=aya, visibility=PRIVATE)
    sent(with_comment("public", text(4)), owner=ben)
    pks = list(Record.objects.order_by("pk").values_list("pk", flat=True))
    change_visibility(owner=aya.pk, records=pks[:2], visibility=Visibility.WITHDRAWN)
    change_visibility(owner=aya.pk, records=pks[2:3], visibility=PRIVATE)
    Ownership.objects.filter(owner=aya).update(note="mine")

    def state() -> Any:
        rows = Record.objects.order_by("pk").values_list("pk", "visibility", "text")
        held = Ownership.objects.order_by("pk").values_list("owner", "record", "visibility", "note")
        return list(rows), list(held)

    before = state()
    begin()
    work(lambda _: None)
    assert state() == before
    sound()


def with_comment_and_event(comment: str, game: str = "") -> str:
    """Return a game with a comment and an event."""
    tag = '[Rules "koikoi"]'
    return with_comment(comment, game).replace(tag, f'{tag}\n[Event "{comment}: event"]')


def test_better_verdict_keeps_the_text_of_the_first_sender(aya: Any, ben: Any) -> None:
    sent(with_comment_and_event("aya's words", with_wrong_score(1)), owner=aya)
    assert Record.objects.get().status == "mismatch"
    better = sent(with_comment_and_event("ben's words"), owner=ben)
    record = Record.objects.get()
    assert record.status == "verified" and not record.verdict["mismatches"]
    assert record.text == write(
        read(with_comment_and_event("aya's words")).game or simulate_months()
    )
    assert record.event == record.tags["Event"] == "aya's words: event"
    # Each later choice of the text has the same result.
    for level in (PRIVATE, PUBLIC):
        change_visibility(owner=ben.pk, records=[record.pk], visibility=level)
    again = Record.objects.get()
    assert (again.status, again.text) == ("verified", record.text)
    sound()
    assert better.submissions.get().status == "verified"
    change_visibility(owner=aya.pk, records=[record.pk], visibility=PRIVATE)
    assert "ben's words" in shown_text() and "aya" not in shown_text()
    assert Record.objects.get().event == "ben's words: event"
    sound()


def test_senders_without_account_count_as_different(ben: Any) -> None:
    sent(with_comment_and_event("first words", with_wrong_score(1)))
    sent(with_comment_and_event("other words"))
    sent(with_comment_and_event("ben's words"), owner=ben)
    assert (
        "first words" in shown_text() and "other" not in shown_text() and "ben" not in shown_text()
    )
    assert Record.objects.get().status == "verified"


def test_private_text_of_a_public_game_stays_private(aya: Any) -> None:
    sent(with_comment_and_event("public words", with_wrong_score(1)), owner=aya)
    sent(with_comment_and_event("secret words"), owner=aya, visibility=PRIVATE)
    assert "public words" in shown_text() and "secret" not in shown_text()
    pk = Record.objects.get().pk
    for level in (UNLISTED, PUBLIC):
        change_visibility(owner=aya.pk, records=[pk], visibility=level)
        assert "public words" in shown_text() and "secret" not in shown_text()


def test_game_removed_by_staff_is_hidden_from_its_owners(aya: Any, ben: Any) -> None:
    sent(text(1), owner=aya)
    sent(text(1), owner=ben)
    take_down([Record.objects.get().pk])
    assert shown_text() == shown_text(aya) == ""
    sound()


def test_private_game_is_not_found_by_the_event_or_verdict_of_another_owner(
    aya: Any, ben: Any
) -> None:
    sent(with_comment_and_event("aya's secret", with_wrong_score(1)), owner=aya, visibility=PRIVATE)
    own_games = GameSelection(owner=ben.pk)
    sent(with_comment_and_event("ben's"), owner=ben, visibility=PRIVATE)
    assert listings(own_games).count() == 1
    sent(with_comment_and_event("aya's alone", text(2)), owner=aya, visibility=PRIVATE)
    for selection in (
        replace(own_games, event="aya"),
        *(replace(own_games, status=status) for status in ("mismatch", "verified")),
    ):
        assert not listings(selection)
        # The owner's list must not reveal another owner either.
        assert not listings(replace(selection, owner=aya.pk))
    change_visibility(
        owner=aya.pk, records=list(Record.objects.values_list("pk", flat=True)), visibility=2
    )
    assert listings(GameSelection(owner=aya.pk, event="aya")).count() == 2


def test_page_of_a_private_game_shows_the_text_of_its_viewer(aya: Any, ben: Any) -> None:
    sent(with_comment("confidence of the first"), owner=aya, visibility=PRIVATE)
    sent(with_comment("of the second"), owner=ben, visibility=PRIVATE)
    record = Record.objects.get()
    for name in ("kafu", "moves", "replay", "game"):
        body = session(ben).get(reverse(name, args=[record.key])).content.decode()
        assert "confidence" not in body
