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
from archives.makers import encrypted
from lengths import part
from records.ingest import reports
from records.ingest.receiving import Part, receive
from records.ingest.reports import report as report_of
from records.models import Chunk, Job, Submission, Upload, UploadFile
from records.privacy.redaction import Redaction
from records.shapes.shape import to_json_line
from tests.api.contract import Api, check, operation, problem
from tests.records.makers import MALFORMED, finish, illegal, joined, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


@pytest.fixture(scope="module")
def upload_for_all(rows_for_all: None) -> Upload:
    """Upload a ZIP with games of several verdicts, and a file whose chunk failed for good."""
    files = {"=1+1.kafu": joined(text(1), MALFORMED, illegal(2)), "secret": b"x"}
    files["c.kafu"] = joined(with_wrong_score(3), text(1))
    parts = [Part("z.zip", (encrypted(files, "secret"),)), Part("d.kafu", (joined(text(4)),))]
    received = receive(parts=parts, via="api")
    finish(received)
    chunk = Chunk.objects.get(file__name="d.kafu")
    chunk.submissions.all().delete()
    Chunk.objects.filter(pk=chunk.pk).update(games=2)
    Job.objects.filter(pk=chunk.pk).update(state="dead-letter")
    return received


@pytest.fixture
def upload(upload_for_all: Upload, db: None) -> Upload:
    """Return an upload with games of several verdicts, a fault and a dead-lettered chunk."""
    return upload_for_all


def parse_lines(response: Any) -> list[dict[str, Any]]:
    """Return the objects of an NDJSON response."""
    return [json.loads(line) for line in response.getvalue().decode().splitlines()]


def test_files_are_listed_with_their_faults(api: Api, upload: Upload) -> None:
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


def test_ndjson_has_a_documented_line_for_each_game(api: Api, upload: Upload) -> None:
    response = api.client.get(f"/api/v1/uploads/{upload.key}/report.ndjson")
    assert response["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{upload.key}.ndjson"'
    lines = parse_lines(response)
    assert [(f["file_name"], f["number"], f["status"], f["duplicate"]) for f in lines] == [
        ("d.kafu", 1, "dead-letter", False),
        ("d.kafu", 2, "dead-letter", False),
        ("z.zip › =1+1.kafu", 1, "verified", False),
        ("z.zip › =1+1.kafu", 2, "malformed", False),
        ("z.zip › =1+1.kafu", 3, "illegal", False),
        ("z.zip › secret", None, "malformed", False),
        ("z.zip › c.kafu", 1, "mismatch", False),
        ("z.zip › c.kafu", 2, "verified", True),
    ]
    description = operation("get", f"/api/v1/uploads/{upload.key}/report.ndjson")["responses"][
        "200"
    ]
    for line in lines:
        check(description["content"]["application/x-ndjson"]["schema"], line)
    record = api.get(lines[2]["record"]).json()
    assert record["status"] == "verified"


def test_lines_are_in_the_language_of_the_request(api: Api, upload: Upload) -> None:
    """The request is over when the lines are streamed."""
    response = api.client.get(f"/api/v1/uploads/{upload.key}/report.ndjson?lang=ja")
    assert "暗号化" in parse_lines(response)[5]["error"]["message"]


def test_csv_has_a_row_for_each_game(api: Api, upload: Upload) -> None:
    accepts = {"Accept": "text/csv"}
    response = api.client.get(f"/api/v1/uploads/{upload.key}/report", headers=accepts)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert list(rows[0]) == list(report.COLUMNS)
    assert [row["status"] for row in rows][2:5] == ["verified", "malformed", "illegal"]
    assert rows[3]["code"] == "unknown-rules" and rows[3]["error_line"]
    assert rows[6]["mismatches"].startswith("score 1 1: 98 ≠ ")
    assert (rows[7]["duplicate"], rows[5]["number"]) == ("true", "")


@pytest.mark.parametrize("begins", part(["=", "+", "-", "@", "\t", "＝"]))
def test_cell_that_begins_like_a_formula_is_quoted(api: Api, begins: str) -> None:
    name = f"{begins}cmd|' /C calc'!A0"
    received = receive(parts=[Part("x", (b"no game",))], via="api")
    UploadFile.objects.filter(upload=received).update(name=name)
    finish(received)
    response = api.client.get(f"/api/v1/uploads/{received.key}/report.csv")
    (row,) = csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig")))
    assert row["file_name"] == f"'{name}"


@pytest.mark.parametrize("form", ["ndjson", "csv"])
def test_address_decides_the_format(api: Api, upload: Upload, form: str) -> None:
    html = {"Accept": "text/html"}
    response = api.client.get(f"/api/v1/uploads/{upload.key}/report.{form}", headers=html)
    assert response.status_code == 200
    assert form in response["Content-Type"]
    description = operation("get", f"/api/v1/uploads/{upload.key}/report.{form}")
    assert response["Content-Type"].partition(";")[0] in description["responses"]["200"]["content"]


def test_unknown_upload_and_media_type_are_refused(api: Api, upload: Upload) -> None:
    for path in ("files", "report", "report.csv", "report.ndjson"):
        problem(Client().get(f"/api/v1/uploads/nothing/{path}"), "not-found", 404)
    headers = {"Accept": "image/png"}
    refused = Client().get(f"/api/v1/uploads/{upload.key}/report", headers=headers)
    problem(refused, "not-acceptable", 406)


@pytest.mark.long_only  # tests/security/test_memory.py measures the server
def test_memory_for_a_long_report_stays_flat(
    upload: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server holds a few lines at a time."""
    monkeypatch.setattr(reports, "_BATCH", 100)
    pattern = Submission.objects.filter(upload=upload)[0]
    count = 4000
    Submission.objects.bulk_create(
        Submission(
            upload=upload,
            chunk_id=pattern.chunk_id,
            file_id=pattern.file_id,
            number=number,
            line=1,
            status="malformed",
            error={"code": "empty", "values": {}, "line": 1, "expected": ["x" * 500]},
        )
        for number in range(100, 100 + count)
    )
    tracemalloc.start()
    described = (
        report.localise_line(line, players, "en", str, Redaction({}))
        for line, players in report_of(upload)
    )
    length = sum(len(piece) for piece in report.join_chunks(map(to_json_line, described)))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert length > count * 500
    assert peak < length / 2
