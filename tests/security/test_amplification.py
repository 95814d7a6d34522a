"""Small uploads take little disk, few rows and little time of workers."""

from __future__ import annotations

import zipfile
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from lengths import LONG
from records.ingest import quotas
from records.ingest.receiving import Part, receive
from records.jobs.executor import Worker, work_off
from records.models import Job, PartialUpload, Record, Submission, Upload, Usage
from records.serving.senders import hashed
from tests.api.contract import problem
from tests.people.world import session, token, user
from tests.records.makers import finish, text
from tests.security.addresses import body_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
BAD = b'[Kafu "1"]\n'


def count_stored_bytes() -> int:
    """Return the bytes in the storage."""
    paths = Path(default_storage.path("")).rglob("*")
    return sum(path.stat().st_size for path in paths if path.is_file())


def send_and_work_off(*files: bytes, sender: str = "address:a", owner: int | None = None) -> Upload:
    """Store an upload of a sender, do all its jobs, and return it."""
    parts = [Part(f"{n}", (data,)) for n, data in enumerate(files, start=1)]
    upload = receive(parts=parts, via="api", sender=sender, owner=owner)
    finish(upload)
    upload.refresh_from_db()
    return upload


def zip_densely(files: dict[str, bytes]) -> bytes:
    """Return a ZIP of the smallest size."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def set_quotas(settings: Settings, **limits: int) -> None:
    """Set quotas of senders without an account; quotas of accounts are ten times as large."""
    unlimited = dict.fromkeys(quotas.NAMES, 0)
    accounts = {name: 10 * limit for name, limit in limits.items()}
    settings.QUOTAS = {"anonymous": unlimited | limits, "account": unlimited | accounts}


def send(data: bytes, headers: dict[str, str] | None = None) -> Any:
    """Post data to the API."""
    return Client().post("/api/v1/uploads", data, content_type="text/x-kafu", headers=headers)


def test_zip_of_newlines_takes_less_than_twice_its_size() -> None:
    count = 16 if LONG else 2
    data = zip_densely({f"{n}": b"\n" * (15 << 20) for n in range(count)})
    assert len(data) < 300_000
    before = count_stored_bytes()
    upload = send_and_work_off(data)
    unpacked = upload.files.exclude(parent=None)
    assert sum(file.size for file in unpacked) == count * 15 << 20
    assert count_stored_bytes() - before < 2 * len(data)
    assert not upload.submissions.exclude(status="malformed").exists()


def test_nested_zip_takes_at_most_twice_the_size_of_its_archives() -> None:
    count = 4 if LONG else 2
    inner = zip_densely({f"{n}": b"\n" * (6 << 20) for n in range(count)})
    data = zip_densely({f"{n}.zip": inner for n in range(count)})
    before = count_stored_bytes()
    upload = send_and_work_off(data)
    assert upload.files.count() == 1 + count + count**2
    assert count_stored_bytes() - before < len(data) + 2 * count * len(inner)


def test_upload_without_a_readable_game_is_stopped(settings: Settings) -> None:
    """Some kB could contain a million malformed games and delay other senders."""
    settings.UNREADABLE_GAMES, settings.CHUNK_GAMES = 50, 20
    data = zip_densely({f"{n}": BAD * 2_000 for n in range(5)})
    assert len(data) < 2_000
    upload = send_and_work_off(data)
    assert upload.stopped is not None and upload.stopped["code"] == "nothing-readable"
    progress = upload.progress()
    assert progress["state"] == "done"
    assert 50 <= Submission.objects.count() < 50 + settings.CHUNK_GAMES
    assert progress["games"]["read"] == progress["games"]["total"] == Submission.objects.count()
    used = quotas.standing(upload.sender, None)["games"].used
    assert used == Submission.objects.count(), "the quota of games that are not read is released"
    archived = upload.files.exclude(parent=None)
    assert {file.fault and file.fault["code"] for file in archived} == {"nothing-readable"}
    assert archived[0].fault is not None and archived[0].fault["line"] > 50
    response = Client().get(f"/api/v1/uploads/{upload.key}").json()["stopped"]
    assert response["code"] == "nothing-readable" and "could be read" in response["message"]
    page = Client().get(f"/uploads/{upload.key}/").content.decode()
    assert "could be read; the rest was not tried" in page


def test_upload_with_a_readable_game_is_not_stopped(settings: Settings) -> None:
    settings.UNREADABLE_GAMES, settings.CHUNK_GAMES = 3, 2
    upload = send_and_work_off(text(1).encode() + b"\n" + BAD * 20)
    assert upload.stopped is None
    assert upload.progress()["games"]["malformed"] == 20


def test_quota_of_malformed_games_stops_an_upload(settings: Settings) -> None:
    set_quotas(settings, malformed=10)
    settings.CHUNK_GAMES = 5
    good = text(1).encode()
    upload = send_and_work_off(good + b"\n" + BAD * 100, text(2).encode())
    assert upload.stopped is not None and upload.stopped["code"] == "malformed-quota"
    assert upload.stopped["values"] == {"limit": 10}
    games = upload.progress()["games"]
    assert games["verified"] == 1, "games before the stop are stored"
    assert 10 <= games["malformed"] < 20
    assert games["total"] == games["read"]
    first = upload.files.get(number=1)
    assert first.fault is not None and first.fault["line"] > 10
    second = upload.files.get(number=2)
    assert second.fault is not None and second.fault["line"] == 1
    report = Client().get(f"/api/v1/uploads/{upload.key}/report.ndjson")
    assert b"malformed-quota" in body_of(report)
    with pytest.raises(quotas.QuotaExceeded):
        send_and_work_off(good)
    assert (
        send_and_work_off(text(3).encode(), sender="address:b").progress()["games"]["verified"] == 1
    )


def test_upload_that_waits_while_the_quota_is_used_up_is_stopped(settings: Settings) -> None:
    set_quotas(settings, malformed=10)
    settings.CHUNK_GAMES = 5
    waiting = receive(parts=[Part("w", (BAD * 50,))], via="api", sender="address:a")
    send_and_work_off(BAD * 50)
    work_off(waiting, lambda progress: None)
    waiting.refresh_from_db()
    assert waiting.stopped is not None and not waiting.submissions.exists()
    assert waiting.files.get().fault == waiting.stopped


def test_chunk_that_is_leased_while_its_upload_is_stopped_is_not_read(settings: Settings) -> None:
    set_quotas(settings, malformed=2)
    settings.CHUNK_GAMES = 5
    upload = receive(parts=[Part("w", (BAD * 15,))], via="api", sender="address:a")
    worker = Worker(upload)
    worker.step()
    jobs = Job.objects.filter(chunk__first_game=11)
    jobs.update(state="leased", lease_until=timezone.now() + timedelta(1))
    worker.step()
    jobs.update(state="waiting", due_at=timezone.now())
    work_off(upload, lambda progress: None)
    assert upload.progress()["games"]["read"] == 5 + 1
    error = upload.submissions.get(number=11).error
    assert error is not None and error["code"] == "malformed-quota"


def test_quota_of_games_counts_over_chunks_files_and_uploads(settings: Settings) -> None:
    """Games before the stop are stored, and the report names the first game after the stop."""
    set_quotas(settings, games=5)
    settings.CHUNK_GAMES = 2
    games = [text(seed) for seed in range(8)]
    first = send_and_work_off("\n".join(games[:3]).encode())
    assert first.stopped is None
    second = send_and_work_off("\n".join(games[3:7]).encode(), games[7].encode())
    assert Record.objects.count() == 5
    assert second.stopped is not None and second.stopped["code"] == "games-quota"
    faults = {file.number: file.fault or {} for file in second.files.all()}
    third = "\n".join(games[3:5]).count("\n") + 2
    assert faults[1]["line"] == third and faults[2]["line"] is None
    assert faults[1]["code"] == faults[2]["code"] == "games-quota"
    assert Usage.objects.get().games == 5
    assert send(text(9).encode()).status_code == 202, "the API's client has another address"


def test_used_up_quota_is_reported_until_the_next_day(settings: Settings, monkeypatch: Any) -> None:
    set_quotas(settings, games=1)
    assert send(text(1).encode()).status_code == 202
    Worker().step()
    response = send(text(2).encode())
    body = problem(response, "quota-used-up", 429)
    assert (body["quota"], body["limit"], body["used"]) == ("games", 1, 1)
    assert 0 < int(response["Retry-After"]) <= 86400
    assert body["reset"].endswith("T00:00:00Z")
    form = {"files": [SimpleUploadedFile("a", text(2).encode())]}
    page = Client().post("/upload/", form)
    assert page.status_code == 429 and page["Retry-After"]
    assert "Your daily quota of 1 games is used up." in page.content.decode()
    tus = {"Tus-Resumable": "1.0.0", "Upload-Length": "5"}
    problem(Client().post("/api/v1/uploads/resumable", headers=tus), "quota-used-up", 429)
    assert Upload.objects.count() == 1
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr("records.base.clock.now", lambda: tomorrow)
    assert send(text(2).encode()).status_code == 202


def test_repeated_request_gets_the_same_response_with_a_used_up_quota(settings: Settings) -> None:
    set_quotas(settings, games=1)
    assert send(text(1).encode(), {"Idempotency-Key": "k"}).status_code == 202
    Worker().step()
    again = send(text(1).encode(), {"Idempotency-Key": "k"})
    assert again.status_code == 202 and again["Idempotency-Replayed"] == "true"


def test_quota_of_bytes_counts_stored_bytes(settings: Settings) -> None:
    """An upload that exceeds the quota leaves nothing."""
    set_quotas(settings, bytes=100_000)
    noise = Random(1).randbytes(60_000)
    assert send(noise).status_code == 202
    used = Usage.objects.get().bytes
    assert 60_000 < used < 61_000
    before = count_stored_bytes()
    body = problem(send(noise), "quota-used-up", 429)
    assert (body["quota"], body["used"]) == ("bytes", used)
    assert (count_stored_bytes(), Upload.objects.count(), Usage.objects.get().bytes) == (
        before,
        1,
        used,
    )
    assert send(b"\n" * 1_000_000).status_code == 202, "compressed, these are few bytes"
    tus = {"Tus-Resumable": "1.0.0", "Upload-Length": "50000"}
    problem(Client().post("/api/v1/uploads/resumable", headers=tus), "quota-used-up", 429)


def test_unfinished_uploads_in_parts_count_with_their_whole_length(settings: Settings) -> None:
    set_quotas(settings, bytes=100_000)
    for expected in (201, 201, 429):
        tus = {"Tus-Resumable": "1.0.0", "Upload-Length": "40000"}
        response = Client().post("/api/v1/uploads/resumable", headers=tus)
        assert response.status_code == expected
    url = f"/api/v1/uploads/resumable/{PartialUpload.objects.all()[0].key}"
    tus = {"Tus-Resumable": "1.0.0", "Upload-Offset": "0"}
    noise = Random(1).randbytes(40_000)
    kind = "application/offset+octet-stream"
    assert Client().patch(url, noise, content_type=kind, headers=tus).status_code == 204
    assert 40_000 < Usage.objects.get().bytes < 41_000


def test_upload_in_parts_reserves_quota_until_it_is_cancelled_or_finished(
    settings: Settings,
) -> None:
    set_quotas(settings, bytes=50_000)
    url, kind = "/api/v1/uploads/resumable", "application/offset+octet-stream"
    tus = {"Tus-Resumable": "1.0.0", "Upload-Length": "45000", "Upload-Offset": "0"}
    begun = Client().post(url, headers=tus)["Location"]
    noise = Random(1).randbytes(10_000)
    body = problem(send(noise), "quota-used-up", 429)
    assert body["used"] == 45_000
    assert "reserved for unfinished uploads" in body["detail"]
    assert Client().get("/api/v1/quota").json()["quotas"]["bytes"]["left"] == 5_000
    assert Client().delete(begun, headers=tus).status_code == 204
    assert send(noise).status_code == 202
    used = Usage.objects.get().bytes
    tus["Upload-Length"] = "30000"
    begun = Client().post(url, headers=tus)["Location"]
    packs_well = b"\n" * 30_000
    assert Client().patch(begun, packs_well, content_type=kind, headers=tus).status_code == 204
    assert Client().get("/api/v1/quota").json()["quotas"]["bytes"]["used"] < used + 1_000


def test_archive_is_unpacked_until_the_quota_of_bytes_is_used_up(settings: Settings) -> None:
    set_quotas(settings, bytes=40_000)
    noise = [bytes(Random(n).choices(b"0123456789abcdef", k=10_000)) for n in range(9)]
    data = zip_densely(
        {"game": text(1).encode()} | {f"{n}": piece for n, piece in enumerate(noise)}
    )
    settings.QUOTAS["anonymous"]["bytes"] = len(data) + 20_000
    upload = send_and_work_off(data)
    assert upload.stopped is not None and upload.stopped["code"] == "bytes-quota"
    archive = upload.files.get(parent=None)
    assert archive.fault is not None and archive.fault["code"] == "bytes-quota"
    assert upload.progress()["games"]["verified"] == 1
    assert 1 < upload.files.count() < 9
    assert Usage.objects.get().bytes <= len(data) + 20_000


def test_accounts_have_other_quotas_and_the_staff_none(settings: Settings) -> None:
    set_quotas(settings, games=1)
    aya = user("aya")
    for seed in range(4):
        if seed % 2:
            assert send(text(seed).encode(), token(aya, "upload")).status_code == 202
        else:
            form = {"files": [SimpleUploadedFile("a", text(seed).encode())]}
            assert session(aya).post("/upload/", form).status_code == 302
    assert len(set(Upload.objects.values_list("sender", flat=True))) == 1
    while Worker().step():
        pass
    usage = Usage.objects.get()
    assert usage.games == 4, "the account is one sender by the page and by the API"
    response = Client().get("/api/v1/quota", headers=token(aya, "read")).json()
    assert response["quotas"]["games"] == {"limit": 10, "used": 4, "left": 6}
    assert "4" in session(aya).get("/account/").content.decode()
    staff = user("root", staff=True)
    Usage.objects.update(games=1000, malformed=1000)
    assert send(text(9).encode(), token(aya, "upload")).status_code == 429
    Usage.objects.create(sender=hashed(f"user:{staff.pk}"), day=quotas.today(), games=10**6)
    assert send(text(9).encode(), token(staff, "upload")).status_code == 202
    response = Client().get("/api/v1/quota", headers=token(staff, "read")).json()
    assert response["quotas"]["games"] == {"limit": None, "used": 10**6, "left": None}


def test_visitor_without_an_account_sees_the_quotas(settings: Settings) -> None:
    set_quotas(settings, games=7)
    send(text(1).encode())
    Worker().step()
    response = Client().get("/api/v1/quota").json()
    assert response["quotas"]["games"] == {"limit": 7, "used": 1, "left": 6}
    assert response["quotas"]["bytes"]["limit"] is None
    page = Client().get("/upload/").content.decode()
    assert "1 of 7" in page


def test_addresses_of_senders_are_hashed_and_deleted_after_a_week() -> None:
    send(text(1).encode())
    Worker().step()
    upload = Upload.objects.get()
    assert upload.sender == Usage.objects.get().sender != ""
    assert "127.0.0.1" not in upload.sender
    Upload.objects.update(created=timezone.now() - timedelta(days=8))
    Usage.objects.update(day=quotas.today() - timedelta(days=8))
    quotas.tidy()
    upload.refresh_from_db()
    assert upload.sender == "" and not Usage.objects.exists()


def test_complete_parts_are_not_lost_while_the_disk_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All bytes are there, but not yet the space to compress them."""
    noise = Random(1).randbytes(150_000)
    tus = {"Tus-Resumable": "1.0.0"}
    url = "/api/v1/uploads/resumable"
    url = Client().post(url, headers={**tus, "Upload-Length": "150000"})["Location"]
    kind = "application/offset+octet-stream"
    before = count_stored_bytes()

    def raise_no_space(*_given: Any) -> Any:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("records.ingest.resumable.DraftedObjects.store", raise_no_space)
        headers = {**tus, "Upload-Offset": "0"}
        response = Client().patch(url, noise, content_type=kind, headers=headers)
        problem(response, "no-room", 507)
        assert Client().head(url, headers=tus).status_code == 503
    assert count_stored_bytes() == before
    assert Client().head(url, headers=tus)["Upload-Result"]
    with Upload.objects.get().files.get().stored.open("rb") as stream:
        assert stream.read() == noise
