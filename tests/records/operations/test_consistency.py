"""Rows of a game that contradict each other are named by a check, and corrected by a rebuild."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from lengths import part
from records.models import Ownership, Record, Visibility
from records.operations import consistency
from tests.people.world import sent, user
from tests.records.makers import ingest, text

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def show_private_game(private: Record, public: Record) -> None:
    Record.objects.filter(pk=private.pk).update(visibility=Visibility.PUBLIC)


def lose_ownership(private: Record, public: Record) -> None:
    Ownership.objects.filter(record=private).delete()


def lose_anonymous_ownership(private: Record, public: Record) -> None:
    Ownership.objects.filter(record=public).delete()


def mark_gone(private: Record, public: Record) -> None:
    Record.objects.filter(pk=public.pk).update(gone=timezone.now(), gone_why="removed")


def exchange_texts(private: Record, public: Record) -> None:
    Record.objects.filter(pk=public.pk).update(text=private.text)


def change_tags(private: Record, public: Record) -> None:
    Record.objects.filter(pk=public.pk).update(tags={"Event": "Another"})


def change_event(private: Record, public: Record) -> None:
    Record.objects.filter(pk=public.pk).update(event="Another")


#: Changes of rows, and what is reported of each.
BROKEN: list[tuple[Callable[[Record, Record], None], str]] = [
    (show_private_game, "visibility: 3 is 1 by ownerships"),
    (lose_ownership, "the ownership of account"),
    (lose_anonymous_ownership, "the ownership of account None is missing"),
    (mark_gone, "gone: "),
    (exchange_texts, "its text is another game"),
    (change_tags, "tags: "),
    (change_event, "event: 'Another' is ''"),
]


@pytest.mark.usefixtures("without_facts")
def test_wrong_rows_are_named_and_corrected() -> None:
    """Each change is named alone; a rebuild corrects the changes, in short every third."""
    sent(text(1), owner=user("owner"), visibility=Visibility.PRIVATE)
    ingest(text(2).encode())
    private = Record.objects.get(visibility=Visibility.PRIVATE)
    public = Record.objects.get(visibility=Visibility.PUBLIC)
    columns = ("pk", "visibility", "listing__visibility", "text", "tags", "event", "gone")
    before = list(Record.objects.order_by("pk").values_list(*columns))
    owners = list(Ownership.objects.order_by("record").values_list("owner", "visibility"))
    assert list(consistency.find_faults()) == []
    for break_rows, fault in BROKEN:
        with transaction.atomic():
            break_rows(private, public)
            faults = list(consistency.find_faults())
            assert any(fault in text for text in faults), faults
            transaction.set_rollback((break_rows, fault) not in part(BROKEN))
        if (break_rows, fault) not in part(BROKEN):
            continue
        call_command("rebuild", "--from-uploads")
        assert list(consistency.find_faults()) == [], break_rows
        rows = list(Record.objects.order_by("pk").values_list(*columns))
        assert [row[:-1] for row in rows] == [row[:-1] for row in before], break_rows
        now = list(Ownership.objects.order_by("record").values_list("owner", "visibility"))
        assert sorted(now, key=str) == sorted(owners, key=str), break_rows
