"""POST uploads, GET uploads/{key}."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries, Settings

from records.ingest.sheet_entries import MAX_BYTES
from records.models import Upload, UploadFile
from tests.api.contract import Api, problem
from tests.records.makers import MALFORMED, ingest, joined, text, upload, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def read_contents() -> dict[str, bytes]:
    """Return the stored bytes by the names that the sender gave."""
    contents = {}
    for file in UploadFile.objects.all():
        with file.stored.open("rb") as stream:
            contents[file.name] = stream.read()
    return contents


def list_stored() -> set[Path]:
    """Return the paths of all stored files."""
    return {path for path in Path(default_storage.path("")).rglob("*") if path.is_file()}


def make_form(*parts: tuple[str, bytes], end: bytes = b"--X--\r\n") -> bytes:
    """Return a form of parts (headers and bytes), with the boundary X."""
    body = b"".join(
        b"--X\r\n" + head.encode(errors="surrogateescape") + b"\r\n\r\n" + data + b"\r\n"
        for head, data in parts
    )
    return body + end


FORM = "multipart/form-data; boundary=X"


@pytest.mark.parametrize(
    ("media", "name"),
    [
        ("text/x-kafu", "body.kafu"),
        ("text/x-kafu; charset=utf-8", "body.kafu"),
        ("application/json", "body.json"),
        ("application/vnd.kafu+json", "body.json"),
        ("application/x-ndjson", "body.ndjson"),
    ],
)
def test_body_is_stored_as_one_file(api: Api, media: str, name: str) -> None:
    data = b"\xef\xbb\xbf anything at all \x00\xff\r\n"
    response = api.post("uploads", data, media)
    assert response.status_code == 202
    assert read_contents() == {name: data}
    body = response.json()
    received = Upload.objects.get()
    assert (body["key"], received.via) == (received.key, "api")
    assert response["Location"] == body["url"] == f"http://testserver/api/v1/uploads/{received.key}"
    assert (body["state"], body["bytes"], body["files"]) == ("waiting", len(data), 1)
    assert api.get(response["Location"]).json() == body


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('attachment; filename="new year.kafu"', "new year.kafu"),
        ("attachment; filename*=UTF-8''%E8%8A%B1.kafu", "花.kafu"),
        ("attachment; filename=../../etc/passwd", "passwd"),
        ("attachment; filename*=nonsense''x", "body.kafu"),
        ("attachment", "body.kafu"),
    ],
)
def test_content_disposition_names_the_file(api: Api, header: str, name: str) -> None:
    api.post("uploads", b"x", "text/x-kafu", **{"Content-Disposition": header})
    assert set(read_contents()) == {name}


def test_form_may_have_files_and_a_text(api: Api) -> None:
    files = [SimpleUploadedFile("a.kafu", b"first"), SimpleUploadedFile("b.json", b"second")]
    response = api.post("uploads", {"file": files, "text": "花 third"})
    assert response.status_code == 202
    assert read_contents() == {
        "a.kafu": b"first",
        "b.json": b"second",
        "paste.kafu": "花 third".encode(),
    }
    assert response.json()["files"] == 3


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ('filename="花 1.kafu"', "花 1.kafu"),
        ('filename="%22a%22.kafu"', '"a".kafu'),
        ("filename*=UTF-8''%E8%8A%B1.kafu", "花.kafu"),
        ('filename="..\\..\\etc\\passwd"', "passwd"),
    ],
)
def test_files_of_a_form_keep_their_names(api: Api, head: str, name: str) -> None:
    data = make_form((f'Content-Disposition: form-data; name="file"; {head}', b"x"))
    assert api.post("uploads", data, FORM).status_code == 202
    assert read_contents() == {name: b"x"}


def test_files_of_a_form_are_stored_unchanged(api: Api) -> None:
    # A boundary stands at the beginning of a line.
    big = bytes(range(256)) * 2000 + b"--X--\r\n--\r\n--\r--X\r\n\r"
    parts = [
        ('Content-Disposition: form-data; name="file"; filename="big"', big),
        ('Content-Disposition: form-data; name="file"; filename="none"', b""),
        ('Content-Disposition: form-data; name="file"', b"no file name"),
        ('Content-Disposition: form-data; name="text"', b""),
    ]
    assert api.post("uploads", make_form(*parts), FORM).status_code == 202
    assert read_contents() == {"big": big, "none": b"", "unnamed": b"no file name"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        make_form(),
        make_form(('Content-Disposition: form-data; name="text"', b"")),
        make_form(('Content-Disposition: form-data; name="file"; filename=""', b"")),
    ],
)
def test_form_without_a_file_is_refused(api: Api, data: bytes) -> None:
    body = problem(api.post("uploads", data, FORM), "nothing-sent", 400)
    assert body["detail"] == "Send a file or a text."
    assert not Upload.objects.exists()


def test_empty_body_is_refused(api: Api) -> None:
    problem(api.post("uploads", b"", "text/x-kafu"), "nothing-sent", 400)


@pytest.mark.parametrize(
    "media", ["image/png", "application/x-www-form-urlencoded", "nonsense", "/"]
)
def test_unsupported_media_type_is_refused(api: Api, media: str) -> None:
    body = problem(api.post("uploads", b"x=y", media), "unsupported-media-type", 415)
    assert media in body["detail"]
    assert body["expected"][:2] == ["multipart/form-data", "text/x-kafu"]


@pytest.mark.parametrize(
    ("media", "data"),
    [
        ("multipart/form-data", make_form()),
        ("multipart/form-data; boundary=" + "x" * 71, make_form()),
        (
            FORM,
            make_form(
                ("Content-Disposition: form-data; filename*=nonsense''x; name=file", b"game")
            ),
        ),
        (FORM, make_form(("X-Strange: " + "y" * 3000, b"game"))),
        (FORM, make_form(('Content-Disposition: form-data; name="file"', b"game"), end=b"")),
        (FORM, make_form(('Content-Disposition: form-data; name="file"', b"game"), end=b"--X\r\n")),
        (FORM, make_form(('Content-Disposition: form-data; name="\udcff"', b"game"))),
    ],
)
def test_broken_form_is_refused(api: Api, media: str, data: bytes) -> None:
    problem(api.post("uploads", data, media), "bad-form", 400)
    assert not Upload.objects.exists()


def test_part_of_another_name_is_refused(api: Api) -> None:
    before = list_stored()
    files = SimpleUploadedFile("a.kafu", b"first")
    body = problem(api.post("uploads", {"file": files, "files": files}), "bad-form", 400)
    assert body["errors"][0]["name"] == "files"
    assert "expected “file”, “text” or “entries”" in body["detail"]
    assert not Upload.objects.exists()
    assert list_stored() == before, "earlier parts are not stored"


def test_entries_of_a_score_sheet_are_stored_with_its_text(api: Api) -> None:
    months = [{"ba": "large", "captured": ["118", "62", ""]}]
    players = ["Aya", "Ben", "Chie"]
    fields = {"ruleset": "hachihachi", "players": players, "months": months}
    sheet = api.post("sheets", fields, "application/json").json()
    form = {"entries": json.dumps(months), "text": sheet["kafu"]}
    assert api.post("uploads", form).status_code == 202
    file = UploadFile.objects.get()
    assert file.entries is not None
    (month,) = json.loads(file.entries)
    assert (month["ba"], month["captured"]) == ("large", ["118", "62", ""])


@pytest.mark.parametrize("entries", ["x", '[{"points": ["Aya"]}]', " " * (MAX_BYTES + 1)])
def test_entries_that_no_sheet_has_are_refused(api: Api, entries: str) -> None:
    body = problem(api.post("uploads", {"entries": entries, "text": "x"}), "bad-form", 400)
    assert body["errors"][0]["name"] == "entries"
    assert not Upload.objects.exists()


def test_too_many_files_are_refused(api: Api, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    files = [SimpleUploadedFile("a", b"x") for _ in range(3)]
    assert api.post("uploads", {"file": files[:2]}).status_code == 202
    body = problem(api.post("uploads", {"file": files}), "too-many-files", 400)
    assert body["limit"] == 2


def test_upload_over_the_limit_is_refused(api: Api, settings: Settings) -> None:
    settings.UPLOAD_LIMIT_BYTES = 1000
    before = list_stored()
    body = problem(api.post("uploads", b"x" * 1001, "text/x-kafu"), "too-large", 413)
    assert body["limit"] == 1000
    assert "1000 bytes" in body["detail"]
    files = [SimpleUploadedFile("a", b"x" * 600), SimpleUploadedFile("b", b"y" * 401)]
    body = problem(api.post("uploads", {"file": files}), "too-large", 413)
    assert body["limit"] == 1000
    assert list_stored() == before
    assert not Upload.objects.exists()
    assert api.post("uploads", b"x" * 1000, "text/x-kafu").status_code == 202


def test_upload_needs_no_csrf_token() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/api/v1/uploads", b"x", content_type="text/x-kafu")
    assert response.status_code == 202


def test_upload_counts_its_games_by_status(api: Api) -> None:
    received = ingest(joined(text(1), text(2), MALFORMED), with_wrong_score(1).encode())
    body = api.get(f"uploads/{received.key}").json()
    assert body["state"] == "done"
    assert body["games"] == {
        "read": 4,
        "total": 4,
        "verified": 2,
        "consistent": 0,
        "mismatch": 1,
        "illegal": 0,
        "malformed": 1,
        "unfinished": 0,
        "unsupported": 0,
        "duplicates": 1,
    }
    assert body["page"] == f"http://testserver/uploads/{received.key}/"


def test_counts_are_not_cached(
    api: Api, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    received = upload(b"x")
    with django_assert_max_num_queries(4):
        response = api.get(f"uploads/{received.key}")
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("key", ["nothing", "x" * 300])
def test_unknown_upload_is_not_found(api: Api, key: str) -> None:
    problem(api.get(f"uploads/{key}"), "not-found", 404)


def test_uploads_are_not_listed() -> None:
    """Only callers with the key see an upload."""
    response: Any = Client().get("/api/v1/uploads")
    problem(response, "method-not-allowed", 405)
    assert response["Allow"] == "POST"
