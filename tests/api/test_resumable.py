"""Uploads in parts (tus 1.0): the protocol, its limits, and what an interrupted one leaves."""

from __future__ import annotations

import base64
import hashlib
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from records.base.locks import lock
from records.intake import resumable
from records.intake.receiving import remove_orphans
from records.models import PartialUpload, Upload, UploadFile
from tests.api.contract import problem
from tests.records.makers import text

pytestmark = pytest.mark.django_db

ROOT = "/api/v1/uploads/resumable"
DATA = text(1).encode()
TUS = {"Tus-Resumable": "1.0.0"}
OCTETS = "application/offset+octet-stream"


@pytest.fixture(autouse=True)
def partial_dir(settings: Settings, tmp_path: Path) -> Path:
    """A directory of its own for the parts."""
    settings.PARTIAL_DIR = tmp_path / "partial"
    return tmp_path / "partial"


def b64(data: bytes) -> str:
    """As headers have it."""
    return base64.b64encode(data).decode()


def begin(headers: dict[str, str]) -> Any:
    """POST with these headers and, in the place of those that are not given, usual ones."""
    return Client().post(ROOT, headers=TUS | {"Upload-Length": str(len(DATA))} | headers)


def create(length: int = len(DATA), name: str = "year.kafu") -> Any:
    """POST: begin an upload."""
    metadata = f"filename {b64(name.encode())},filetype {b64(b'text/plain')}"
    return begin({"Upload-Length": str(length), "Upload-Metadata": metadata})


def patch(url: str, offset: int, data: bytes, **headers: str) -> Any:
    """PATCH: add a part."""
    # Said twice: of a request without a body the test client leaves its own word on it out.
    given = {**TUS, "Upload-Offset": str(offset), "Content-Type": OCTETS} | headers
    return Client().patch(url, data, content_type=OCTETS, headers=given)


def head(url: str) -> Any:
    """HEAD: how far it is."""
    return Client().head(url, headers=TUS)


def stored() -> list[bytes]:
    """The bytes of all files of uploads."""
    found = []
    for file in UploadFile.objects.all():
        with file.stored.open("rb") as stream:
            found.append(stream.read())
    return found


def test_what_the_server_can_do() -> None:
    response = Client().options(ROOT)
    assert response.status_code == 204
    assert response["Tus-Version"] == response["Tus-Resumable"] == "1.0.0"
    assert response["Tus-Extension"] == "creation,termination,expiration,checksum"
    assert response["Tus-Max-Size"] == str(2 << 30)
    assert response["Tus-Checksum-Algorithm"] == "sha1,sha256"


def test_an_upload_in_three_parts(partial_dir: Path) -> None:
    made = create(name="新年.kafu")
    assert made.status_code == 201
    assert made["Tus-Resumable"] == "1.0.0"
    assert made["Upload-Expires"].endswith("GMT")
    url = made["Location"]
    assert url.startswith(f"{ROOT}/")
    offset = 0
    for part in (DATA[:1000], DATA[1000:1001], DATA[1001:]):
        assert head(url)["Upload-Offset"] == str(offset)
        assert not Upload.objects.exists()
        answer = patch(url, offset, part)
        offset += len(part)
        assert (answer.status_code, answer["Upload-Offset"]) == (204, str(offset))
    upload = Upload.objects.get()
    assert answer["Upload-Result"] == f"/api/v1/uploads/{upload.key}"
    assert "Upload-Expires" not in answer
    file = upload.files.get()
    assert (file.name, file.size, file.job.state) == ("新年.kafu", len(DATA), "waiting")
    assert file.sha256 == hashlib.sha256(DATA).hexdigest()
    assert stored() == [DATA]
    assert not list(partial_dir.iterdir())
    told = head(url)
    assert told["Upload-Result"] == answer["Upload-Result"]
    assert (told["Upload-Length"], told["Upload-Offset"]) == (str(len(DATA)), str(len(DATA)))
    assert told["Upload-Metadata"].startswith("filename ")
    assert told["Cache-Control"] == "no-store"


def test_no_bytes_at_all() -> None:
    made = create(0)
    assert made["Upload-Result"]
    assert stored() == [b""]


def test_the_wrong_place() -> None:
    url = create()["Location"]
    patch(url, 0, DATA[:100])
    for offset in (0, 99, 101, len(DATA) + 5):
        problem(patch(url, offset, b""), "conflict", 409)
    assert head(url)["Upload-Offset"] == "100"
    assert "offset 100" in patch(url, 0, b"").json()["detail"]


def test_the_last_part_again() -> None:
    """Its answer was lost: the client asks, and has nothing more to send."""
    url = create()["Location"]
    patch(url, 0, DATA)
    problem(patch(url, 0, DATA), "conflict", 409)
    assert patch(url, len(DATA), b"").status_code == 204
    assert Upload.objects.count() == 1


def test_more_than_was_said() -> None:
    url = create()["Location"]
    body = problem(patch(url, 0, DATA + b"x"), "too-large", 413)
    assert body["limit"] == len(DATA)
    assert head(url)["Upload-Offset"] == "0"


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_checksums(algorithm: str) -> None:
    url = create()["Location"]
    sums = {"Upload-Checksum": f"{algorithm} {b64(hashlib.new(algorithm, DATA[:50]).digest())}"}
    problem(patch(url, 0, DATA[:49] + b"~", **sums), "wrong-checksum", 460)
    assert head(url)["Upload-Offset"] == "0"
    assert patch(url, 0, DATA[:50], **sums)["Upload-Offset"] == "50"
    patch(url, 50, DATA[50:])
    assert stored() == [DATA]


@pytest.mark.parametrize("written", ["md5 xxxx", "sha1", "sha1 ***", ""])
def test_a_checksum_that_is_none(written: str) -> None:
    url = create()["Location"]
    problem(patch(url, 0, DATA, **{"Upload-Checksum": written}), "invalid-header", 400)


@pytest.mark.parametrize("version", ["0.2.2", ""])
def test_another_version(version: str) -> None:
    response = begin({"Tus-Resumable": version})
    problem(response, "tus-version", 412)
    assert response["Tus-Version"] == "1.0.0"


@pytest.mark.parametrize("length", ["", "-1", "1e3", "９", "9" * 30])
def test_a_length_that_is_none(length: str) -> None:
    body = problem(begin({"Upload-Length": length}), "invalid-header", 400)
    assert body["errors"][0]["name"] == "Upload-Length"


@pytest.mark.parametrize("metadata", ["filename ***", "x" * 3000, "filename 花"])
def test_metadata_that_cannot_be_read(metadata: str) -> None:
    problem(begin({"Upload-Metadata": metadata}), "invalid-header", 400)


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        ("", "body"),
        ("filename", "body"),
        (f"filename {b64(b'../../etc/passwd')}", "passwd"),
        (f"name {b64(b'a.zip')}, x", "a.zip"),
        (f"filename {b64(bytes([255, 0, 97]))}", "\ufffda"),
    ],
)
def test_names(metadata: str, name: str) -> None:
    assert begin({"Upload-Metadata": metadata}).status_code == 201
    assert PartialUpload.objects.get().name == name


def test_another_media_type() -> None:
    url = create()["Location"]
    given = {**TUS, "Upload-Offset": "0"}
    response = Client().patch(url, DATA, content_type="text/x-kafu", headers=given)
    assert problem(response, "unsupported-media-type", 415)["expected"] == [OCTETS]


def test_bounds(settings: Settings) -> None:
    settings.RESUMABLE_LIMIT_BYTES = 1000
    settings.PENDING_LIMIT_BYTES = 2500
    assert problem(create(1001), "too-large", 413)["limit"] == 1000
    first = create(1000)["Location"]
    assert create(1000).status_code == 201
    assert problem(create(1000), "too-much-pending", 429)["limit"] == 2500
    assert Client().delete(first, headers=TUS).status_code == 204
    second = create(1000)["Location"]
    patch(second, 0, bytes(1000))
    assert create(1000).status_code == 201, "what is whole is not pending"


def test_so_many_uploads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resumable, "MAX_PENDING", 2)
    assert [create(1).status_code for _ in range(3)] == [201, 201, 429]


def test_giving_up(partial_dir: Path) -> None:
    url = create()["Location"]
    patch(url, 0, DATA[:10])
    assert len(list(partial_dir.iterdir())) == 1
    assert Client().delete(url, headers=TUS).status_code == 204
    assert not list(partial_dir.iterdir())
    assert head(url).status_code == 404
    problem(patch(url, 10, DATA[10:]), "not-found", 404)
    whole = create()["Location"]
    patch(whole, 0, DATA)
    problem(Client().delete(whole, headers=TUS), "conflict", 409)


def test_clients_that_can_only_post() -> None:
    url = create()["Location"]
    given = {**TUS, "Upload-Offset": "0", "X-HTTP-Method-Override": "PATCH"}
    assert Client().post(url, DATA, content_type=OCTETS, headers=given).status_code == 204
    url = create()["Location"]
    override = {**TUS, "X-HTTP-Method-Override": "DELETE"}
    assert Client().post(url, headers=override).status_code == 204
    problem(Client().post(create()["Location"], headers=TUS), "method-not-allowed", 405)


def test_two_at_once() -> None:
    url = create()["Location"]
    path = resumable.path_of(PartialUpload.objects.get())
    with path.open("rb") as file:
        lock(file)
        problem(patch(url, 0, DATA), "locked", 423)
        problem(Client().delete(url, headers=TUS), "locked", 423)
        assert head(url).status_code == 200
        PartialUpload.objects.update(expires=timezone.now())
        assert resumable.tidy() == 0, "bytes come in still"
    PartialUpload.objects.update(expires=timezone.now() + timedelta(hours=1))
    assert patch(url, 0, DATA).status_code == 204


def test_a_full_disk_keeps_what_came(monkeypatch: pytest.MonkeyPatch) -> None:
    url = create(4 * resumable.PIECE)["Location"]
    real, count = resumable._put, 0

    def full(file: Any, data: bytes) -> None:
        nonlocal count
        count += 1
        if count == 3:
            file.write(data[:100])
            raise OSError(28, "No space left on device")
        real(file, data)

    monkeypatch.setattr(resumable, "_put", full)
    data = bytes(range(256)) * (4 * resumable.PIECE // 256)
    problem(patch(url, 0, data), "no-room", 507)
    offset = int(head(url)["Upload-Offset"])
    assert offset == 2 * resumable.PIECE
    assert patch(url, offset, data[offset:]).status_code == 204
    assert stored() == [data]


@pytest.mark.parametrize("step", ["shutil.move", "create_upload"])
def test_a_process_that_ended_before_booking(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """All bytes are there and the client knows: whoever comes next books it."""
    url = create()["Location"]

    class Killed(BaseException):
        pass

    def kill(*args: Any, **given: Any) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(f"records.intake.resumable.{step}", kill)
        with pytest.raises(Killed):
            patch(url, 0, DATA)
    assert not Upload.objects.exists()
    if step == "create_upload":
        PartialUpload.objects.update(expires=timezone.now())
        assert resumable.tidy() == 1
    else:
        assert head(url)["Upload-Result"]
    assert Upload.objects.count() == 1
    assert stored() == [DATA]


def test_what_nobody_goes_on_with_is_removed(partial_dir: Path) -> None:
    url = create()["Location"]
    patch(url, 0, DATA[:10])
    whole = create()["Location"]
    patch(whole, 0, DATA)
    assert resumable.tidy() == 0
    PartialUpload.objects.update(expires=timezone.now())
    assert head(url).status_code == 404
    call_command("sweep", "--once")
    assert not PartialUpload.objects.exists()
    assert not list(partial_dir.iterdir())
    assert stored() == [DATA], "what became an upload stays"


def test_lost_bytes_do_not_stop_the_sweep(partial_dir: Path) -> None:
    create()
    PartialUpload.objects.update(expires=timezone.now(), offset=len(DATA))
    for path in partial_dir.iterdir():
        path.unlink()
    assert resumable.tidy() == 1
    assert not PartialUpload.objects.exists()


def test_strays_are_removed(partial_dir: Path) -> None:
    create()
    (partial_dir / "stray").write_bytes(b"x")
    assert resumable.remove_strays(timedelta(days=1)) == 0
    assert resumable.remove_strays(timedelta(seconds=-5)) == 1
    assert len(list(partial_dir.iterdir())) == 1


def test_bytes_in_their_place_but_not_booked_yet_are_no_orphan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = create()["Location"]
    with monkeypatch.context() as patched:
        patched.setattr("records.intake.resumable.create_upload", lambda *args, **given: None)
        patch(url, 0, DATA)
    place = Path(default_storage.path(PartialUpload.objects.get().stored))
    os.utime(place, (0, 0))
    remove_orphans()
    assert place.exists()
    assert head(url)["Upload-Result"]
    assert stored() == [DATA]
