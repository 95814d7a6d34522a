"""Uploads in parts (tus 1.0): the protocol, its limits, and interrupted uploads."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.http import UnreadablePostError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from api.parsers import Body
from records.base.packed import PackedDirectory
from records.ingest import parts, resumable
from records.models import PartialUpload, Upload, UploadFile
from tests.api.contract import problem
from tests.records.makers import stored_in, text

pytestmark = pytest.mark.django_db

ROOT = "/api/v1/uploads/resumable"
DATA = text(1, months="12").encode()
TUS = {"Tus-Resumable": "1.0.0"}
OCTETS = "application/offset+octet-stream"


@pytest.fixture(autouse=True)
def partial_dir(settings: Settings, tmp_path: Path) -> Path:
    """Store parts in a directory of the test."""
    place = tmp_path / "partial"
    place.mkdir()
    settings.STORAGES = stored_in(place, "partial")
    return place


def b64(data: bytes) -> str:
    """Encode bytes in base64 for headers."""
    return base64.b64encode(data).decode()


def begin(headers: dict[str, str]) -> Any:
    """Send POST with these headers and defaults for the other headers."""
    return Client().post(ROOT, headers=TUS | {"Upload-Length": str(len(DATA))} | headers)


def create(length: int = len(DATA), name: str = "year.kafu") -> Any:
    """Begin an upload; return the response."""
    metadata = f"filename {b64(name.encode())},filetype {b64(b'text/plain')}"
    return begin({"Upload-Length": str(length), "Upload-Metadata": metadata})


def patch(url: str, offset: int, data: bytes, **headers: str) -> Any:
    """Send a part; return the response."""
    # Set twice: the test client leaves the content type of an empty body out.
    all_headers = {**TUS, "Upload-Offset": str(offset), "Content-Type": OCTETS} | headers
    return Client().patch(url, data, content_type=OCTETS, headers=all_headers)


def head(url: str) -> Any:
    """Query the state of an upload; return the response."""
    return Client().head(url, headers=TUS)


def read_stored() -> list[bytes]:
    """Return the bytes of all stored files."""
    contents = []
    for file in UploadFile.objects.all():
        with file.stored.open("rb") as stream:
            contents.append(stream.read())
    return contents


def test_options_name_the_extensions() -> None:
    response = Client().options(ROOT)
    assert response.status_code == 204
    assert response["Tus-Version"] == response["Tus-Resumable"] == "1.0.0"
    assert response["Tus-Extension"] == "creation,termination,expiration,checksum"
    assert response["Tus-Max-Size"] == str(2 << 30)
    assert response["Tus-Checksum-Algorithm"] == "sha1,sha256"


def test_three_parts_make_an_upload(partial_dir: Path) -> None:
    created = create(name="新年.kafu")
    assert created.status_code == 201
    assert created["Tus-Resumable"] == "1.0.0"
    assert created["Upload-Expires"].endswith("GMT")
    url = created["Location"]
    assert url.startswith(f"{ROOT}/")
    offset = 0
    for part in (DATA[:1000], DATA[1000:1001], DATA[1001:]):
        assert head(url)["Upload-Offset"] == str(offset)
        assert not Upload.objects.exists()
        response = patch(url, offset, part)
        offset += len(part)
        assert (response.status_code, response["Upload-Offset"]) == (204, str(offset))
    upload = Upload.objects.get()
    assert response["Upload-Result"] == f"/api/v1/uploads/{upload.key}"
    assert "Upload-Expires" not in response
    file = upload.files.get()
    assert (file.name, file.size, file.job.state) == ("新年.kafu", len(DATA), "waiting")
    assert file.sha256 == hashlib.sha256(DATA).hexdigest()
    assert read_stored() == [DATA]
    assert not list(partial_dir.iterdir())
    state = head(url)
    assert state["Upload-Result"] == response["Upload-Result"]
    assert (state["Upload-Length"], state["Upload-Offset"]) == (str(len(DATA)), str(len(DATA)))
    assert state["Upload-Metadata"].startswith("filename ")
    assert state["Cache-Control"] == "no-store"


def test_upload_of_no_bytes_is_stored() -> None:
    created = create(0)
    assert created["Upload-Result"]
    assert read_stored() == [b""]


def test_part_at_another_offset_is_refused() -> None:
    url = create()["Location"]
    patch(url, 0, DATA[:100])
    for offset in (0, 99, 101, len(DATA) + 5):
        problem(patch(url, offset, b""), "conflict", 409)
    assert head(url)["Upload-Offset"] == "100"
    assert "offset 100" in patch(url, 0, b"").json()["detail"]


def test_last_part_sent_again_is_accepted() -> None:
    """After a lost response, the client sends an empty part at the end."""
    url = create()["Location"]
    patch(url, 0, DATA)
    problem(patch(url, 0, DATA), "conflict", 409)
    assert patch(url, len(DATA), b"").status_code == 204
    assert Upload.objects.count() == 1


def test_part_larger_than_declared_length_is_refused() -> None:
    url = create()["Location"]
    body = problem(patch(url, 0, DATA + b"x"), "too-large", 413)
    assert body["limit"] == len(DATA)
    assert head(url)["Upload-Offset"] == "0"


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_part_with_a_wrong_checksum_is_refused(algorithm: str) -> None:
    url = create()["Location"]
    sums = {"Upload-Checksum": f"{algorithm} {b64(hashlib.new(algorithm, DATA[:50]).digest())}"}
    problem(patch(url, 0, DATA[:49] + b"~", **sums), "wrong-checksum", 460)
    assert head(url)["Upload-Offset"] == "0"
    assert patch(url, 0, DATA[:50], **sums)["Upload-Offset"] == "50"
    patch(url, 50, DATA[50:])
    assert read_stored() == [DATA]


@pytest.mark.parametrize("checksum", ["md5 xxxx", "sha1", "sha1 ***", ""])
def test_invalid_checksum_is_refused(checksum: str) -> None:
    url = create()["Location"]
    problem(patch(url, 0, DATA, **{"Upload-Checksum": checksum}), "invalid-header", 400)


@pytest.mark.parametrize("version", ["0.2.2", ""])
def test_other_protocol_version_is_refused(version: str) -> None:
    response = begin({"Tus-Resumable": version})
    problem(response, "tus-version", 412)
    assert response["Tus-Version"] == "1.0.0"


@pytest.mark.parametrize("length", ["", "-1", "1e3", "９", "9" * 30])
def test_invalid_length_is_refused(length: str) -> None:
    body = problem(begin({"Upload-Length": length}), "invalid-header", 400)
    assert body["errors"][0]["name"] == "Upload-Length"


@pytest.mark.parametrize("metadata", ["filename ***", "x" * 3000, "filename 花"])
def test_invalid_metadata_is_refused(metadata: str) -> None:
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
def test_metadata_names_the_file(metadata: str, name: str) -> None:
    assert begin({"Upload-Metadata": metadata}).status_code == 201
    assert PartialUpload.objects.get().name == name


def test_other_media_type_is_refused() -> None:
    url = create()["Location"]
    all_headers = {**TUS, "Upload-Offset": "0"}
    response = Client().patch(url, DATA, content_type="text/x-kafu", headers=all_headers)
    assert problem(response, "unsupported-media-type", 415)["expected"] == [OCTETS]


def test_uploads_in_parts_are_limited_in_bytes(settings: Settings) -> None:
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


def test_uploads_in_parts_are_limited_in_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resumable, "MAX_PENDING", 2)
    assert [create(1).status_code for _ in range(3)] == [201, 201, 429]


def test_deleted_upload_is_gone(partial_dir: Path) -> None:
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


def test_method_may_be_overridden_in_post() -> None:
    url = create()["Location"]
    all_headers = {**TUS, "Upload-Offset": "0", "X-HTTP-Method-Override": "PATCH"}
    assert Client().post(url, DATA, content_type=OCTETS, headers=all_headers).status_code == 204
    url = create()["Location"]
    override = {**TUS, "X-HTTP-Method-Override": "DELETE"}
    assert Client().post(url, headers=override).status_code == 204
    problem(Client().post(create()["Location"], headers=TUS), "method-not-allowed", 405)


def test_slower_of_two_parts_at_an_offset_is_refused(
    partial_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = create()["Location"]
    real = PackedDirectory.save

    def overtaken(storage: PackedDirectory, name: str, content: Any) -> str:
        monkeypatch.setattr(PackedDirectory, "save", real)
        assert patch(url, 0, DATA[:100]).status_code == 204
        return real(storage, name, content)

    monkeypatch.setattr(PackedDirectory, "save", overtaken)
    body = problem(patch(url, 0, DATA[:50]), "conflict", 409)
    assert "offset 100" in body["detail"]
    assert len(list(partial_dir.iterdir())) == 1
    patch(url, 100, DATA[100:])
    assert read_stored() == [DATA]


def test_upload_deleted_meanwhile_gets_no_part(
    partial_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = create()["Location"]
    real = PackedDirectory.save

    def overtaken(storage: PackedDirectory, name: str, content: Any) -> str:
        assert Client().delete(url, headers=TUS).status_code == 204
        return real(storage, name, content)

    monkeypatch.setattr(PackedDirectory, "save", overtaken)
    problem(patch(url, 0, DATA[:50]), "not-found", 404)
    assert not list(partial_dir.iterdir())


def test_upload_is_assembled_by_one_process() -> None:
    url = create()["Location"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(resumable, "_assemble", lambda partial, lease: None)
        patch(url, 0, DATA)
    PartialUpload.objects.update(assembling_until=timezone.now() + timedelta(seconds=20))
    problem(patch(url, len(DATA), b""), "locked", 423)
    assert "Upload-Result" not in head(url)
    PartialUpload.objects.update(expires=timezone.now())
    assert resumable.tidy() == 0
    PartialUpload.objects.update(
        assembling_until=timezone.now() - timedelta(seconds=1),
        expires=timezone.now() + timedelta(hours=1),
    )
    assert head(url)["Upload-Result"]
    assert read_stored() == [DATA]


def test_process_that_lost_its_lease_registers_nothing() -> None:
    url = create()["Location"]
    real = resumable.read_part
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(resumable, "ASSEMBLY_LEASE", timedelta(0))

        def taken_over(name: str, size: int) -> Iterator[bytes]:
            PartialUpload.objects.update(assembling_until=timezone.now() + timedelta(days=1))
            yield from real(name, size)

        patched.setattr(resumable, "read_part", taken_over)
        problem(patch(url, 0, DATA), "locked", 423)
    assert not Upload.objects.exists()


def test_small_parts_are_joined(partial_dir: Path) -> None:
    url = create()["Location"]
    for offset in range(0, 50, 10):
        patch(url, offset, DATA[offset : offset + 10])
        assert len(list(partial_dir.iterdir())) == 1
    patch(url, 50, DATA[50:])
    assert read_stored() == [DATA]


def test_few_bytes_after_a_large_part_are_stored_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The number of parts stays small, and the bytes that are written, too."""
    data = bytes(range(256)) * (resumable.MIN_PART // 256 - 1)
    written = 0
    real = resumable.Incoming.chunks

    def count_bytes(incoming: Any, chunk_size: int | None = None) -> Iterator[bytes]:
        nonlocal written
        for piece in real(incoming, chunk_size):
            written += len(piece)
            yield piece

    monkeypatch.setattr(resumable.Incoming, "chunks", count_bytes)
    url = create(len(data) + 30)["Location"]
    patch(url, 0, data)
    written = 0
    for number in range(29):
        patch(url, len(data) + number, b"x")
    assert written < 29 * 40
    assert len(PartialUpload.objects.get().parts) < 6
    patch(url, len(data) + 29, b"y")
    assert read_stored() == [data + b"x" * 29 + b"y"]


def delete_part(place: Path) -> None:
    """Delete the only part."""
    (path,) = place.iterdir()
    path.unlink()


def cut_part(place: Path) -> None:
    """Remove the end of the only part."""
    (path,) = place.iterdir()
    path.write_bytes(path.read_bytes()[:40])


@pytest.mark.parametrize("lose", [delete_part, cut_part])
@pytest.mark.parametrize("size", [100, len(DATA) - 100])
def test_upload_with_a_lost_part_is_gone(
    partial_dir: Path, lose: Callable[[Path], None], size: int
) -> None:
    url = create()["Location"]
    patch(url, 0, DATA[:100])
    lose(partial_dir)
    body = problem(patch(url, 100, DATA[100 : 100 + size]), "gone", 410)
    assert "from the beginning" in body["detail"]
    assert head(url).status_code == 404
    assert not list(partial_dir.iterdir()) and not PartialUpload.objects.exists()


def test_whole_upload_with_a_lost_part_is_gone(partial_dir: Path) -> None:
    url = create()["Location"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(resumable, "finish", lambda _partial: None)
        patch(url, 0, DATA)
    delete_part(partial_dir)
    assert head(url).status_code == 410
    assert head(url).status_code == 404


def test_bytes_before_a_broken_connection_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(range(256)) * (4 * parts.PIECE // 256)
    url = create(len(data))["Location"]
    real = Body.read

    def break_off(body: Body, size: int = 0) -> bytes:
        if body.count >= 2 * parts.PIECE:
            raise UnreadablePostError
        return real(body, size)

    with monkeypatch.context() as patched:
        patched.setattr(Body, "read", break_off)
        with pytest.raises(UnreadablePostError):
            patch(url, 0, data)
    offset = int(head(url)["Upload-Offset"])
    assert offset == 2 * parts.PIECE
    assert patch(url, offset, data[offset:]).status_code == 204
    assert read_stored() == [data]


def test_upload_begun_by_an_earlier_version_goes_on(partial_dir: Path) -> None:
    """Its bytes are in one file, which may be longer than the stored offset."""
    url = create()["Location"]
    key = PartialUpload.objects.get().key
    (partial_dir / key).write_bytes(DATA[:100] + b"more")
    PartialUpload.objects.update(offset=100)
    assert patch(url, 100, DATA[100:]).status_code == 204
    assert read_stored() == [DATA]
    assert not list(partial_dir.iterdir())


@pytest.mark.parametrize("step", ["DraftedObjects.store", "create_upload"])
def test_complete_upload_is_booked_by_the_next_request(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """All bytes are stored and confirmed; the next request books the upload."""
    url = create()["Location"]

    class Killed(BaseException):
        pass

    def kill(*args: Any, **options: Any) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(f"records.ingest.resumable.{step}", kill)
        with pytest.raises(Killed):
            patch(url, 0, DATA)
    assert not Upload.objects.exists()
    if step == "create_upload":
        PartialUpload.objects.update(expires=timezone.now())
        assert resumable.tidy() == 1
    else:
        assert head(url)["Upload-Result"]
    assert Upload.objects.count() == 1
    assert read_stored() == [DATA]


def test_abandoned_upload_is_removed(partial_dir: Path) -> None:
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
    assert read_stored() == [DATA], "what became an upload stays"


def test_lost_bytes_do_not_stop_the_sweep() -> None:
    create()
    PartialUpload.objects.update(expires=timezone.now(), offset=len(DATA))
    assert resumable.tidy() == 1
    assert not PartialUpload.objects.exists()


def test_strays_are_removed(partial_dir: Path) -> None:
    patch(create()["Location"], 0, DATA[:10])
    (partial_dir / "stray").write_bytes(b"x")
    assert resumable.remove_strays(timedelta(days=1)) == 0
    assert resumable.remove_strays(timedelta(seconds=-5)) == 1
    assert len(list(partial_dir.iterdir())) == 1
