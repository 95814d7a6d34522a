"""Idempotency-Key: a repeated request makes a single upload."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from records.ingest import receiving
from records.models import IdempotencyKey, Upload
from records.privacy.access import ANONYMOUS
from records.services import submit
from tests.api.contract import Api, problem
from tests.api.test_uploads import list_stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
KEY = {"Idempotency-Key": "a-1"}


def send(api: Api, data: bytes = b"game", name: str = "a.kafu", key: str = "a-1") -> Any:
    """Send a form with one file and a new boundary."""
    file = SimpleUploadedFile(name, data)
    return api.post("uploads", {"file": file}, **{"Idempotency-Key": key})


def test_repeated_request_gives_the_same_upload(api: Api) -> None:
    first, second = send(api), send(api)
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json() == second.json()
    assert second["Location"] == first["Location"]
    assert "Idempotency-Replayed" not in first
    assert second["Idempotency-Replayed"] == "true"
    assert Upload.objects.count() == 1


def test_repeated_body_gives_the_same_upload(api: Api) -> None:
    answers = [api.post("uploads", b"game", "text/x-kafu", **KEY) for _ in range(2)]
    assert answers[0].json()["key"] == answers[1].json()["key"]


@pytest.mark.parametrize(("data", "name"), [(b"another", "a.kafu"), (b"game", "b.kafu")])
def test_key_with_other_files_is_refused(api: Api, data: bytes, name: str) -> None:
    send(api)
    before = list_stored()
    problem(send(api, data, name), "key-reused", 422)
    assert Upload.objects.count() == 1
    assert list_stored() == before


def test_other_key_makes_another_upload(api: Api) -> None:
    send(api)
    send(api, key="a-2")
    assert Upload.objects.count() == 2


def test_key_of_another_sender_makes_another_upload(api: Api) -> None:
    first = api.client.post("/api/v1/uploads", b"x", "text/x-kafu", headers=KEY)
    other_response = api.client.post(
        "/api/v1/uploads", b"x", "text/x-kafu", headers=KEY, REMOTE_ADDR="192.0.2.9"
    )
    assert first.json()["key"] != other_response.json()["key"]


def test_refused_request_may_be_corrected(api: Api) -> None:
    problem(api.post("uploads", b"", "text/x-kafu", **KEY), "nothing-sent", 400)
    assert send(api).status_code == 202


@pytest.mark.parametrize("data", [b"x", b"another"])
def test_slower_of_two_requests_gets_the_upload_of_the_other(
    monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    real = submit.receive

    def send_once(data: bytes) -> submit.Received:
        part = receiving.Part("a", (data,))
        return submit.submit([part], via="api", sender="s", viewer=ANONYMOUS, key="k")

    def overtaken(**options: Any) -> Upload:
        monkeypatch.setattr(submit, "receive", real)
        assert not send_once(b"x").is_repeated
        return real(**options)

    monkeypatch.setattr(submit, "receive", overtaken)
    before = list_stored()
    if data == b"x":
        received = send_once(data)
        assert received.is_repeated and received.upload == Upload.objects.get()
    else:
        with pytest.raises(submit.KeyReused):
            send_once(data)
    assert Upload.objects.count() == 1
    assert len(list_stored() - before) == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "花"])
def test_invalid_idempotency_key_is_rejected(api: Api, key: str) -> None:
    body = problem(send(api, key=key), "invalid-header", 400)
    assert body["errors"][0]["name"] == "Idempotency-Key"


def test_old_keys_are_deleted(api: Api) -> None:
    send(api)
    assert submit.tidy() == 0
    IdempotencyKey.objects.update(created=timezone.now() - timedelta(days=3))
    assert submit.tidy() == 1
    assert "Idempotency-Replayed" not in send(api)
    assert Upload.objects.count() == 2
