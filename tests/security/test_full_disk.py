"""With a full disk, pages that take bytes respond 503 with Retry-After, and the API 507."""

from __future__ import annotations

import errno
from typing import Any, NoReturn

import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.test import Client
from django.urls import reverse

from records.base.transient import RETRY_AFTER
from records.models import PartialUpload, Upload, UploadFile
from tests.records.makers import text

pytestmark = pytest.mark.django_db
LARGE = b"; a comment\n" * 300_000 + text(1).encode()


def raise_no_space(*_: Any, **__: Any) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def browser() -> Client:
    """Return a client that receives error responses, as a browser does."""
    return Client(raise_request_exception=False)


def make_form(size: str) -> dict[str, Any]:
    data = LARGE if size == "large" else text(1).encode()
    return {"files": SimpleUploadedFile("a.kafu", data)}


def test_large_file_of_a_form_is_refused_while_the_disk_is_full(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Django receives it before it calls a view."""
    monkeypatch.setattr(TemporaryFileUploadHandler, "receive_data_chunk", raise_no_space)
    response = browser.post(reverse("upload"), make_form("large"))
    assert (response.status_code, response["Retry-After"]) == (503, str(RETRY_AFTER))
    monkeypatch.undo()
    assert browser.post(reverse("upload"), make_form("large")).status_code == 302


@pytest.mark.parametrize("size", ["small", "large"])
def test_upload_by_the_page_is_refused_while_the_disk_is_full(
    browser: Client, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    storage = UploadFile._meta.get_field("stored").storage
    monkeypatch.setattr(storage, "_save", raise_no_space)
    response = browser.post(reverse("upload"), make_form(size))
    assert (response.status_code, response["Retry-After"]) == (503, str(RETRY_AFTER))
    assert not Upload.objects.exists()
    monkeypatch.undo()
    assert browser.post(reverse("upload"), make_form(size)).status_code == 302


@pytest.mark.parametrize("where", ["records.ingest.object_drafts.DraftedObjects.store", "os.fsync"])
def test_upload_by_the_api_is_refused_while_the_disk_is_full(
    browser: Client, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(where, raise_no_space)
    response = browser.post(reverse("api:uploads"), text(1), content_type="text/x-kafu")
    assert (response.status_code, response["Retry-After"]) == (507, str(RETRY_AFTER))
    assert response.json()["code"] == "no-room"
    assert not Upload.objects.exists()


def test_upload_in_parts_is_refused_while_the_disk_is_full(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": "5"}
    created = browser.post(reverse("api:resumables"), headers=headers)
    assert created.status_code == 201
    headers = {"Tus-Resumable": "1.0.0", "Upload-Offset": "0"}
    kind = "application/offset+octet-stream"
    monkeypatch.setattr(storages["partial"], "_save", raise_no_space)
    response = browser.patch(created["Location"], b"12345", content_type=kind, headers=headers)
    assert (response.status_code, response["Retry-After"]) == (507, str(RETRY_AFTER))
    assert PartialUpload.objects.get().offset == 0
    monkeypatch.undo()
    response = browser.patch(created["Location"], b"12345", content_type=kind, headers=headers)
    assert response.status_code == 204
