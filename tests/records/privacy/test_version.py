"""The version of public content."""

from __future__ import annotations

import pytest
from django.db import transaction

from records.ingest.ownership import change_visibility, take_down
from records.models import Player, Record, Revision, Visibility
from records.privacy import revisions
from records.services.pseudonyms import remove_pseudonym, set_pseudonym
from tests.people.world import sent, user
from tests.records.makers import text


def test_version_differs_after_each_change(db: None) -> None:
    versions = [revisions.current()]
    owner = user("owner")
    changes = [
        lambda: sent(text(1), owner=owner),
        lambda: sent(text(1), owner=owner),
        lambda: change_visibility(owner=owner.pk, records=_all(), visibility=Visibility.UNLISTED),
        lambda: set_pseudonym(Player.objects.all()[0], "Another"),
        lambda: remove_pseudonym(Player.objects.exclude(real_name="").get()),
        lambda: take_down(_all()),
    ]
    for change in changes:
        change()
        versions.append(revisions.current())
    assert sorted(set(versions)) == versions


def _all() -> list[int]:
    return list(Record.objects.values_list("pk", flat=True))


def test_version_is_unchanged_after_a_rollback(db: None) -> None:
    before = revisions.current()
    try:
        with transaction.atomic():
            revisions.advance()
            raise RuntimeError
    except RuntimeError:
        pass
    assert revisions.current() == before


def test_many_rows_of_versions_are_merged(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisions, "_MAX_ROWS", 10)
    for _ in range(30):
        revisions.advance()
    before = revisions.current()
    assert revisions.tidy() > 20
    assert (revisions.current(), Revision.objects.count()) == (before, 1)
    revisions.advance()
    assert revisions.current() == before + 1
    assert revisions.tidy() == 0
