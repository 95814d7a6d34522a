"""GET uploads/{key}/files and uploads/{key}/report in all its forms."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from typing import Any

import pytest
from django.test import Client

from api import report
from records.intake.receiving import Part, receive
from records.intake.report import report as report_of
from records.models import Chunk, Job, Submission, Upload, UploadFile
from records.privacy.redaction import Redaction
from records.work.worker import work_off
from tests.api.contract import Api, check, operation, problem
from tests.records.archives.makers import encrypted
from tests.records.makers import MALFORMED, illegal, ingest, joined, text, with_wrong_score

pytestmark = pytest.mark.django_db


@pytest.fixture
def upload(db: None) -> Upload:
    """An archive with a bit of everything, and a file that was given up."""
    files = {"=1+1.kafu": joined(text(1), MALFORMED, illegal(2)), "secret": b"x"}
    files["c.kafu"] = joined(with_wrong_score(3), text(1))
    parts = [Part("z.zip", (encrypted(files, "secret"),)), Part("d.kafu", (joined(text(4)),))]
    found = receive(parts=parts, via="api")
    work_off(found, lambda progress: None)
    chunk = Chunk.objects.get(file__name="d.kafu")
    chunk.submissions.all().delete()
    Chunk.objects.filter(pk=chunk.pk).update(games=2)
    Job.objects.filter(pk=chunk.pk).update(state="dead-letter")
    return found


def lines(response: Any) -> list[dict[str, Any]]:
    """The objects of an NDJSON answer."""
    return [json.loads(line) for line in response.getvalue().decode().splitlines()]


def test_files(api: Api, upload: Upload) -> None:
    body = api.get(f"uploads/{upload.key}/files").json()
    described = [
        (f["number"], f["parent"], f["name"], f["fault"] and f["fault"]["code"])
        for f in body["results"]
    ]
    assert described == [
        (1, None, "z.zip", None),
        (2, None, "d.kafu", None),
        (3, 1, "z.zip › =1+1.kafu", None),
        (4, 1, "z.zip › secret", "archive-encrypted"),
        (5, 1, "z.zip › c.kafu", None),
    ]
    fault = api.get(f"uploads/{upload.key}/files", {"lang": "ja"}).json()["results"][3]["fault"]
    assert "暗号化" in fault["message"]
    page = api.get(f"uploads/{upload.key}/files", {"page_size": 2}).json()
    assert [f["number"] for f in api.get(page["next"]).json()["results"]] == [3, 4]


def test_ndjson(api: Api, upload: Upload) -> None:
    response = api.client.get(f"/api/v1/uploads/{upload.key}/report")
    assert response["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{upload.key}.ndjson"'
    found = lines(response)
    told = [(f["file_name"], f["number"], f["status"], f["duplicate"]) for f in found]
    assert told == [
        ("d.kafu", 1, "dead-letter", False),
        ("d.kafu", 2, "dead-letter", False),
        ("z.zip › =1+1.kafu", 1, "verified", False),
        ("z.zip › =1+1.kafu", 2, "malformed", False),
        ("z.zip › =1+1.kafu", 3, "illegal", False),
        ("z.zip › secret", None, "malformed", False),
        ("z.zip › c.kafu", 1, "mismatch", False),
        ("z.zip › c.kafu", 2, "verified", True),
    ]
    said = operation("get", f"/api/v1/uploads/{upload.key}/report")["responses"]["200"]
    for line in found:
        check(said["content"]["application/x-ndjson"]["schema"], line)
    record = api.get(found[2]["record"]).json()
    assert record["status"] == "verified"


def test_the_language(api: Api, upload: Upload) -> None:
    """It is that of the request, which is over when the lines are made."""
    response = api.client.get(f"/api/v1/uploads/{upload.key}/report?lang=ja")
    assert "暗号化" in lines(response)[5]["error"]["message"]


def test_csv(api: Api, upload: Upload) -> None:
    accepts = {"Accept": "text/csv"}
    response = api.client.get(f"/api/v1/uploads/{upload.key}/report", headers=accepts)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert list(rows[0]) == list(report.COLUMNS)
    assert [row["status"] for row in rows][2:5] == ["verified", "malformed", "illegal"]
    assert rows[3]["code"] == "unknown-rules" and rows[3]["error_line"]
    assert rows[6]["mismatches"].startswith("score 1 1: 98 ≠ ")
    assert (rows[7]["duplicate"], rows[5]["number"]) == ("true", "")


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t", "＝"])
def test_no_cell_is_a_formula(api: Api, begins: str) -> None:
    name = f"{begins}cmd|' /C calc'!A0"
    found = receive(parts=[Part("x", (b"no game",))], via="api")
    UploadFile.objects.update(name=name)
    work_off(found, lambda progress: None)
    response = api.client.get(f"/api/v1/uploads/{found.key}/report.csv")
    (row,) = csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig")))
    assert row["file_name"] == f"'{name}"


@pytest.mark.parametrize("form", ["ndjson", "csv"])
def test_an_address_names_the_form(api: Api, upload: Upload, form: str) -> None:
    html = {"Accept": "text/html"}
    response = api.client.get(f"/api/v1/uploads/{upload.key}/report.{form}", headers=html)
    assert response.status_code == 200
    assert form in response["Content-Type"]
    said = operation("get", f"/api/v1/uploads/{upload.key}/report.{form}")
    assert response["Content-Type"].partition(";")[0] in said["responses"]["200"]["content"]


def test_what_cannot_be_answered(api: Api, upload: Upload) -> None:
    for path in ("files", "report", "report.csv", "report.ndjson"):
        problem(Client().get(f"/api/v1/uploads/nothing/{path}"), "not-found", 404)
    headers = {"Accept": "image/png"}
    refused = Client().get(f"/api/v1/uploads/{upload.key}/report", headers=headers)
    problem(refused, "not-acceptable", 406)


def test_memory_stays_flat() -> None:
    """Of a long report a few lines are held at a time."""
    found = ingest(text(1).encode())
    one = Submission.objects.get()
    Submission.objects.bulk_create(
        [
            Submission(
                upload=found,
                chunk_id=one.chunk_id,
                file_id=one.file_id,
                number=number,
                line=1,
                status="malformed",
                error={"code": "empty", "values": {}, "line": 1, "expected": ["x" * 500]},
            )
            for number in range(2, 8002)
        ],
        batch_size=500,
    )
    tracemalloc.start()
    described = (report.described(line, "en", str, Redaction({})) for line in report_of(found))
    count = sum(len(piece) for piece in report.batched(report.ndjson(described)))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count > 5 << 20
    assert peak < count / 2
