"""The version of public content."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from records.ingest.ownership import change_visibility, take_down
from records.models import FactPart, Player, Record, Revision, Visibility
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
    for _ in range(10):
        revisions.advance()
        revisions.advance("koikoi", "hachihachi")
    before = read_versions()
    assert revisions.tidy() > 20
    assert (read_versions(), Revision.objects.count()) == (before, 3)
    revisions.advance()
    assert all(after > version for after, version in zip(read_versions(), before, strict=True))
    assert revisions.tidy() == 0


def test_change_of_a_ruleset_leaves_the_versions_of_others(db: None) -> None:
    everything, koikoi, hachihachi, both = read_versions()
    revisions.advance("koikoi")
    after = read_versions()
    assert after[2] == hachihachi
    assert after[0] > everything and after[1] > koikoi and after[3] > both


def test_unknown_rulesets_have_one_version(db: None) -> None:
    koikoi = revisions.current("koikoi")
    before = revisions.current("made-up"), revisions.current()
    revisions.advance("made-up", "another", revisions.OTHER)
    assert (revisions.current("made-up"), revisions.current()) > before
    assert revisions.current("koikoi") == koikoi
    assert {*Revision.objects.values_list("ruleset", flat=True)} == {"", revisions.OTHER}


def test_earlier_release_may_count_and_merge_changes(db: None) -> None:
    revisions.advance("koikoi")
    before = read_versions()
    table = Revision._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} (count) VALUES (1)")
    after = read_versions()
    assert all(new > old for new, old in zip(after, before, strict=True))
    first, *merged = Revision.objects.order_by("pk")
    first.count += sum(row.count for row in merged)
    first.save()
    Revision.objects.filter(pk__in=[row.pk for row in merged]).delete()
    assert all(new >= old for new, old in zip(read_versions(), after, strict=True))
    assert first.ruleset == "", "the migration inserts it"


def test_version_of_before_does_not_return_when_a_part_of_facts_is_removed(db: None) -> None:
    sent(text(1))
    versions = [revisions.current("koikoi")]
    FactPart.objects.all().delete()
    for _ in range(5):
        revisions.advance("koikoi")
        versions.append(revisions.current("koikoi"))
    assert len({*versions}) == len(versions)


def read_versions() -> list[revisions.Version]:
    """Return the versions of everything, of two rulesets, and of both."""
    rulesets = ((), ("koikoi",), ("hachihachi",), ("koikoi", "hachihachi"))
    return [revisions.current(*names) for names in rulesets]
