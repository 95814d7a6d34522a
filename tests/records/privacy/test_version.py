"""The version of what everybody may see."""

from __future__ import annotations

import pytest
from django.db import transaction

from records.models import Player, Record, Revision, Visibility
from records.privacy import revisions
from records.store.ownership import change_visibility, take_down
from records.store.pseudonyms import give, take_back
from tests.people.world import sent, user
from tests.records.makers import text


def test_it_is_another_one_after_each_change(db: None) -> None:
    seen = [revisions.current()]
    owner = user("owner")
    changes = [
        lambda: sent(text(1), owner=owner),
        lambda: sent(text(1), owner=owner),
        lambda: change_visibility(owner=owner.pk, records=_all(), visibility=Visibility.UNLISTED),
        lambda: give(Player.objects.all()[0], "Another"),
        lambda: take_back(Player.objects.exclude(real_name="").get()),
        lambda: take_down(_all()),
    ]
    for change in changes:
        change()
        seen.append(revisions.current())
    assert sorted(set(seen)) == seen


def _all() -> list[int]:
    return list(Record.objects.values_list("pk", flat=True))


def test_what_is_undone_leaves_it_as_it_was(db: None) -> None:
    before = revisions.current()
    try:
        with transaction.atomic():
            revisions.advance()
            raise RuntimeError
    except RuntimeError:
        pass
    assert revisions.current() == before


def test_many_rows_become_one(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisions, "_FEW", 10)
    for _ in range(30):
        revisions.advance()
    before = revisions.current()
    assert revisions.tidy() > 20
    assert (revisions.current(), Revision.objects.count()) == (before, 1)
    revisions.advance()
    assert revisions.current() == before + 1
    assert revisions.tidy() == 0
