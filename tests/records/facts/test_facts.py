"""Facts are written when games are judged, and follow every change of a game."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings

from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.facts import refresh
from records.facts.refresh import find_due
from records.facts.tables import TABLES
from records.jobs.ledger import LeaseLost, claim
from records.models import FactPart, Job, Record, StaleFacts, Upload, Visibility
from records.operations.reverify import forget_all, reverify
from records.privacy.access import new_secret
from records.services import analyses, claims, visibility
from tests.people.test_taking_back import upload_anonymously
from tests.people.world import do_jobs, identity_of, sent
from tests.records.facts.naive import OF_ANALYSES, assert_right, count
from tests.records.idle import do_idle_jobs
from tests.records.makers import illegal, ingest, joined, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def test_public_games_have_facts_when_they_are_stored() -> None:
    games = [
        simulate(name, seed=1, options={"months": "6"} if "months" in ruleset.options else {})
        for name, ruleset in RULESETS.items()
    ]
    ingest("\n\n".join(map(write, games)).encode())
    assert Record.objects.count() == len(games)
    assert not find_due().exists()
    assert count("games") == len(games)
    assert FactPart.objects.count() == len(RULESETS)
    for name in TABLES:
        if name not in (*OF_ANALYSES, "situations"):
            assert count(name), name
    assert_right()


@pytest.mark.long_only  # test_compaction.py shows hidden games again
def test_games_without_facts_are_written_by_the_job(aya: Any) -> None:
    upload = sent(text(1), illegal(2), owner=aya, visibility=Visibility.PRIVATE)
    assert_right()
    visibility.request_change(upload, Visibility.PUBLIC)
    do_jobs()
    assert find_due().count() == 2
    assert_right()
    assert not find_due().exists()
    assert count("games") == Record.objects.exclude(deals_played=0).count()


@pytest.mark.long_only  # test_following.py has each visibility
def test_claimed_games_count_when_their_owner_restores_them(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, 2, secret=secret)
    visibility.request_change(upload, Visibility.WITHDRAWN)
    do_jobs()
    claims.claim(upload.key, secret, aya.pk)
    do_jobs()
    assert count("games") == 0
    assert_right()
    visibility.restore(Upload.objects.get(pk=upload.pk))
    do_jobs()
    assert count("games") == 2
    assert_right()


def test_corrected_and_better_texts_replace_rows(aya: Any) -> None:
    sent(with_wrong_score(1), text(2), owner=aya)
    sent(text(1))
    assert count("games") == 1  # the old rows are wrong
    assert_right()
    sent(text(3), owner=aya, replaces=Record.objects.get(identity=identity_of(2)).key)
    assert_right()
    assert count("games") == 2


@pytest.mark.long_only  # test_repair.py has games of another engine
def test_reverified_games_count_until_their_rows_are_replaced() -> None:
    ingest(joined(text(1), text(2)))
    forget_all()
    list(reverify())
    assert find_due().count() == 2
    assert count("games") == 2
    assert_right()
    assert StaleFacts.objects.count() == 2


def test_analysed_game_has_losses_and_luck_while_it_is_public(settings: LazySettings) -> None:
    settings.ANALYSIS_DEALS = 2
    ingest(text(1, months="1").encode())
    record = Record.objects.get()
    analyses.make(record)
    assert count("games") == 1
    assert [count(name) for name in OF_ANALYSES] == [0, 0]
    assert_right()
    assert count("losses") > 0
    assert count("luck") == 2
    Record.objects.update(visibility=Visibility.PRIVATE)
    assert [count(name) for name in OF_ANALYSES] == [0, 0]


def test_game_that_changes_while_it_is_judged_is_written_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ingest(joined(text(1), text(2)))
    record = Record.objects.earliest("pk")
    refresh.outdate(Record.objects.all())
    really_write = refresh.write_parts

    def hide_and_write(batches: Any) -> list[FactPart]:
        monkeypatch.setattr(refresh, "write_parts", really_write)
        Record.objects.filter(pk=record.pk).update(visibility=Visibility.PRIVATE)
        return really_write(batches)

    monkeypatch.setattr(refresh, "write_parts", hide_and_write)
    do_idle_jobs("facts")
    assert count("games") == 1
    Record.objects.filter(pk=record.pk).update(visibility=Visibility.PUBLIC)
    assert_right()
    assert count("games") == 2


def test_worker_that_lost_its_lease_lists_no_part() -> None:
    ingest(text(1).encode())
    refresh.outdate(Record.objects.all())
    refresh.schedule()
    job = claim(Job.objects.get(kind=refresh.FACTS).pk)
    assert job is not None
    Job.objects.filter(pk=job.pk).update(lease="another worker's")
    with pytest.raises(LeaseLost):
        refresh.run(job)
    assert FactPart.objects.count() == 1
    assert find_due().count() == 1
