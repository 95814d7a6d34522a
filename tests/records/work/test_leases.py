from datetime import timedelta

import pytest
from django.utils import timezone

from records.models import UploadFile
from records.work.ledger import (
    EMBEDDED,
    MAX_ATTEMPTS,
    LeaseLost,
    claim,
    finish,
    free_embedded,
    give_back,
    hold,
)
from tests.records.makers import upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def file() -> UploadFile:
    return upload(b"x").files.get()


def expire(file: UploadFile) -> None:
    """Let the lease of a row run out."""
    UploadFile.objects.filter(pk=file.pk).update(ready_at=timezone.now() - timedelta(seconds=1))


def test_a_row_is_claimed_once(file: UploadFile) -> None:
    owner = claim(UploadFile, file.pk)
    assert owner is not None
    assert claim(UploadFile, file.pk) is None
    file.refresh_from_db()
    assert (file.state, file.attempts, file.owner) == ("leased", 1, owner)
    assert hold(UploadFile, file.pk, owner) == file


def test_after_its_time_a_lease_is_another_s(file: UploadFile) -> None:
    first = claim(UploadFile, file.pk)
    expire(file)
    second = claim(UploadFile, file.pk)
    assert first is not None
    assert second is not None
    with pytest.raises(LeaseLost):
        hold(UploadFile, file.pk, first)
    give_back(UploadFile, file.pk, first, "too late")
    assert hold(UploadFile, file.pk, second).attempts == 2


def test_what_failed_waits_longer_each_time(file: UploadFile) -> None:
    pauses = []
    for _ in range(MAX_ATTEMPTS):
        owner = claim(UploadFile, file.pk)
        assert owner is not None
        give_back(UploadFile, file.pk, owner, "x" * 9999)
        file.refresh_from_db()
        assert (file.state, file.owner, len(file.reason)) == ("due", "", 2000)
        assert claim(UploadFile, file.pk) is None
        pauses.append((file.ready_at - timezone.now()).total_seconds())
        expire(file)
    assert pauses == sorted(pauses)
    assert claim(UploadFile, file.pk) is None, "no attempt is left"


def test_done_is_done(file: UploadFile) -> None:
    owner = claim(UploadFile, file.pk)
    assert owner is not None
    finish(hold(UploadFile, file.pk, owner))
    expire(file)
    assert claim(UploadFile, file.pk) is None
    file.refresh_from_db()
    assert (file.state, file.owner) == ("done", "")
    assert file.done_at is not None


def test_a_new_embedded_worker_frees_what_the_dead_one_held(file: UploadFile) -> None:
    other = upload(b"y").files.get()
    assert claim(UploadFile, file.pk, prefix=EMBEDDED)
    assert claim(UploadFile, other.pk)
    assert free_embedded() == 1
    assert claim(UploadFile, file.pk)
    assert claim(UploadFile, other.pk) is None
