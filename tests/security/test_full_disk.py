"""A full disk: 503 with Retry-After wherever bytes are accepted, below /api/ 507."""

from __future__ import annotations

import errno
from typing import Any, NoReturn

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.test import Client
from django.urls import reverse

from records.base.transient import RETRY_AFTER
from records.intake import resumable
from records.models import PartialUpload, Upload, UploadFile
from tests.records.makers import text

pytestmark = pytest.mark.django_db
LARGE = b"; a comment\n" * 300_000 + text(1).encode()


def full(*_: Any, **__: Any) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def browser() -> Client:
    """One that is told of errors as a browser is."""
    return Client(raise_request_exception=False)


def form(size: str) -> dict[str, Any]:
    data = LARGE if size == "large" else text(1).encode()
    return {"files": SimpleUploadedFile("a.kafu", data)}


def test_a_file_of_a_form(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is received by Django before any view is asked."""
    monkeypatch.setattr(TemporaryFileUploadHandler, "receive_data_chunk", full)
    answer = browser.post(reverse("upload"), form("large"))
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))
    monkeypatch.undo()
    assert browser.post(reverse("upload"), form("large")).status_code == 302


@pytest.mark.parametrize("size", ["small", "large"])
def test_an_upload_by_the_page(browser: Client, monkeypatch: pytest.MonkeyPatch, size: str) -> None:
    storage = UploadFile._meta.get_field("stored").storage
    monkeypatch.setattr(storage, "_save", full)
    answer = browser.post(reverse("upload"), form(size))
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))
    assert not Upload.objects.exists()
    monkeypatch.undo()
    assert browser.post(reverse("upload"), form(size)).status_code == 302


@pytest.mark.parametrize("where", ["_sync", "leave_drafts", "store_bytes"])
def test_an_upload_by_the_api(browser: Client, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    monkeypatch.setattr(f"records.intake.receiving.{where}", full)
    answer = browser.post(reverse("api:uploads"), text(1), content_type="text/x-kafu")
    assert (answer.status_code, answer["Retry-After"]) == (507, str(RETRY_AFTER))
    assert answer.json()["code"] == "no-room"
    assert not Upload.objects.exists()


def test_an_upload_in_parts(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": "5"}
    monkeypatch.setattr("pathlib.Path.touch", full)
    answer = browser.post(reverse("api:resumables"), headers=headers)
    assert (answer.status_code, answer["Retry-After"]) == (507, str(RETRY_AFTER))
    monkeypatch.undo()
    made = browser.post(reverse("api:resumables"), headers=headers)
    assert made.status_code == 201
    headers = {"Tus-Resumable": "1.0.0", "Upload-Offset": "0"}
    kind = "application/offset+octet-stream"
    monkeypatch.setattr(resumable, "_put", full)
    answer = browser.patch(made["Location"], b"12345", content_type=kind, headers=headers)
    assert (answer.status_code, answer["Retry-After"]) == (507, str(RETRY_AFTER))
    assert PartialUpload.objects.get().offset == 0
    monkeypatch.undo()
    answer = browser.patch(made["Location"], b"12345", content_type=kind, headers=headers)
    assert answer.status_code == 204
