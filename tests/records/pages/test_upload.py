"""Uploading games by the form."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from records.models import Upload, UploadFile
from tests.records import makers

pytestmark = pytest.mark.django_db


def test_form_names_the_limit(client: Client) -> None:
    page = client.get("/upload/").content.decode()
    assert "64.0\u00a0MB" in page
    assert 'enctype="multipart/form-data"' in page


def test_files_and_pasted_text_become_one_upload(client: Client) -> None:
    files = [SimpleUploadedFile(f"{seed}.kafu", makers.text(seed).encode()) for seed in (1, 2)]
    response = client.post("/upload/", {"files": files, "text": makers.text(3)})
    upload = Upload.objects.get()
    assert response.status_code == 302
    assert response.headers["Location"].startswith(f"/uploads/{upload.key}/mine/")
    assert [file.name for file in upload.files.all()] == ["1.kafu", "2.kafu", "paste.kafu"]


def test_line_ends_of_pasted_text_are_normalized(client: Client) -> None:
    client.post("/upload/", {"text": makers.text(1).replace("\n", "\r\n")})
    with UploadFile.objects.get().stored.open() as stored:
        assert stored.read() == makers.text(1).encode()


def test_empty_form_is_refused_with_a_message(client: Client) -> None:
    response = client.post("/upload/", {"text": "  \n"})
    assert response.status_code == 400
    assert "Choose a file, or paste a game." in response.content.decode()
    assert not Upload.objects.exists()


@pytest.mark.parametrize("size", [1_500, 200_000])
def test_file_above_the_limit_is_413_and_names_it(
    client: Client, settings: Settings, size: int
) -> None:
    """A size just above it is noticed while storing, one far above it by its length."""
    settings.UPLOAD_LIMIT_BYTES = 1_000
    response = client.post("/upload/", {"files": BytesIO(b"x" * size)})
    assert response.status_code == 413
    assert "1000\u00a0bytes" in response.content.decode()
    assert not Upload.objects.exists()


def test_pasted_text_above_the_limit_is_413(client: Client, settings: Settings) -> None:
    settings.UPLOAD_LIMIT_BYTES = settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    assert client.post("/upload/", {"text": "x" * 2_000}).status_code == 413


def test_too_many_files_are_refused(client: Client, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    response = client.post("/upload/", {"files": [BytesIO(b"x") for _ in range(3)]})
    assert response.status_code == 400
    assert "At most 2 files at once." in response.content.decode()
