"""Rebuilding in place. tests/faults/test_rebuild.py tests it across processes and on PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from archives.makers import zipped
from records.models import (
    Chunk,
    Listing,
    Player,
    Record,
    Seat,
    Submission,
    Upload,
    UploadFile,
)
from records.models.uploads import UNPACKED
from records.operations import rebuild
from records.operations.comparison import differences
from tests.records.makers import MALFORMED, ingest, joined, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.usefixtures("without_facts")]


def everything() -> dict[str, list[Any]]:
    """Return all data read from uploads, without primary keys."""
    place = ("upload__key", "file__number", "number")
    return {
        "records": list(
            Record.objects.order_by("identity").values_list(
                "pk", "key", "created", "text", "status", "verdict", "first_chunk__first_game"
            )
        ),
        "seats": list(
            Seat.objects.order_by("record", "number").values_list(
                "record", "number", "name", "final", "rank", "yaku", "player__key"
            )
        ),
        "listings": list(Listing.objects.order_by("record").values_list()),
        "submissions": list(
            Submission.objects.order_by(*place).values_list(*place, "status", "duplicate", "record")
        ),
        "chunks": sorted(
            Chunk.objects.values_list(
                "upload__key", "first_game", "games", "verified", "duplicates"
            )
        ),
        "players": list(Player.objects.order_by("key").values_list("key", "name", "games")),
        "progress": [upload.progress() for upload in Upload.objects.order_by("pk")],
    }


def fill() -> None:
    """Store three uploads that share games."""
    ingest(joined(with_wrong_score(2), text(1), MALFORMED))
    ingest(zipped({"a.kafu": joined(text(1), text(3)), "b.kafu": text(2).encode()}))
    ingest(text(3).encode())


def test_rebuilt_archive_equals_the_former_one() -> None:
    """Unpacked bytes are replaced by bytes with other names."""
    fill()
    storage = UploadFile._meta.get_field("stored").storage
    members = UploadFile.objects.exclude(parent=None)
    old = [str(file.stored) for file in members]
    assert len(old) == 2
    assert all(UNPACKED in name for name in old)
    assert list(differences("default", "default")) == []
    before = everything()
    assert [row[4] for row in before["submissions"]].count(True) == 3
    rebuild.begin()
    assert Record.objects.count() == 3, "shown meanwhile"
    assert not Submission.objects.exists()
    rebuild.work(lambda progress: None)
    assert everything() == before
    assert not rebuild.find_left_over().exists()
    assert not any(storage.exists(name) for name in old)
    assert all(storage.exists(str(file.stored)) for file in members.all())


def test_game_without_an_upload_stays_and_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    fill()
    record = ingest(text(4).encode()).submissions.get().record
    assert record is not None
    Upload.objects.order_by("pk").last().delete()  # type: ignore[union-attr]
    call_command("rebuild", "--from-uploads")
    assert f"games that no upload gives: 1\n  {record.key}\n" in capsys.readouterr().out
    assert Record.objects.get(pk=record.pk).seats.count() == 2


def test_wrong_count_of_a_player_is_corrected() -> None:
    fill()
    right = Player.objects.order_by("pk").values_list("games", flat=True)
    before = list(right)
    assert rebuild.recount() == 0
    Player.objects.filter(pk=Player.objects.latest("pk").pk).update(games=7)
    assert rebuild.recount() == 1
    assert list(right) == before


def test_bytes_without_rows_are_uploaded_again(
    capsys: pytest.CaptureFixture[str], settings: Any, tmp_path: Path
) -> None:
    store = {**settings.STORAGES["default"], "OPTIONS": {"location": tmp_path}}
    settings.STORAGES = {**settings.STORAGES, "default": store}
    fill()
    keys = set(Record.objects.values_list("key", flat=True))
    Upload.objects.all().delete()
    Record.objects.all().delete()
    Player.objects.all().delete()
    call_command("rebuild", "--orphans")
    assert "taken in:" in capsys.readouterr().out
    assert keys <= set(Record.objects.values_list("key", flat=True))
    assert not UploadFile.objects.exclude(job__state="done").exists()
