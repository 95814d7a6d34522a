"""Each request has an id; uploads, problems and log lines carry it."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from hanaarchive.logs import logging_config
from records.base.tracing import request_id, tracing
from records.models import Upload
from tests.records.makers import text


def test_safe_id_of_a_request_is_used() -> None:
    response = Client().get("/api/v1/nothing", headers={"X-Request-ID": "trace-0042_a.b"})
    assert response["X-Request-ID"] == response.json()["request_id"] == "trace-0042_a.b"


@pytest.mark.parametrize(
    "claimed", [None, "", "short", "a" * 65, "a b c d e f", "ä" * 9, 'x"}\n{"y":1']
)
def test_missing_or_unsafe_id_is_replaced(claimed: str | None) -> None:
    headers = {} if claimed is None else {"X-Request-ID": claimed}
    request_id = Client().get("/api/v1/nothing", headers=headers)["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{32}", request_id)
    assert Client().get("/api/v1/nothing", headers=headers)["X-Request-ID"] != request_id


def test_id_does_not_outlive_its_request() -> None:
    Client().get("/api/v1/nothing", headers={"X-Request-ID": "trace-0042"})
    assert request_id() == ""


def test_upload_stores_the_id_of_its_request(db: None) -> None:
    sent = Client().post(
        "/api/v1/uploads", text(1), "text/x-kafu", headers={"X-Request-ID": "up-000001"}
    )
    assert sent.status_code == 202
    assert Upload.objects.get().request_id == "up-000001"


def test_request_is_logged_in_one_line_without_its_query(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "hanaarchive.http.request_log"):
        Client().get("/api/v1/problems?name=secret")
    [line] = [r for r in caplog.records if r.name == "hanaarchive.http.request_log"]
    fields: dict[str, Any] = vars(line)
    assert (fields["method"], fields["path"], fields["status"]) == ("GET", "/api/v1/problems", 400)
    assert "secret" not in str(fields)


@pytest.mark.parametrize("end", ["/", ""])
def test_link_of_a_mail_is_not_logged(db: None, caplog: pytest.LogCaptureFixture, end: str) -> None:
    with caplog.at_level(logging.INFO, "hanaarchive.http.request_log"):
        Client().get(f"/account/password/reset/key/1-abcdef-0123456789{end}")
    [line] = [r for r in caplog.records if r.name == "hanaarchive.http.request_log"]
    assert vars(line)["path"] in ("none", f"/{resolve('/account/password/reset/key/1-a/').route}")
    assert "0123456789" not in caplog.text


def formatted(record: logging.LogRecord, *, as_json: bool) -> str:
    """Return the record as a process with this format would write it."""
    config = logging_config(json=as_json, level="INFO", routine_level="INFO")["formatters"][
        "line"
    ].copy()
    formatter: logging.Formatter = config.pop("()")(**config)
    return formatter.format(record)


def record(message: str, error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(
        "records.jobs.executor", logging.INFO, "", 1, message, ("花\n見",), info
    )


def test_json_line_has_no_line_break_and_all_bound_values() -> None:
    with tracing(upload="abc", chunk=3, request_id=""):
        line = formatted(record("game %s", ValueError("a\nb")), as_json=True)
    assert "\n" not in line
    fields = json.loads(line)
    assert fields["message"] == "game 花\n見" and fields["level"] == "info"
    assert fields["upload"] == "abc" and fields["chunk"] == 3 and "request_id" not in fields
    assert "ValueError" in fields["exception"]
    assert fields["time"].endswith("Z")


def test_readable_line_has_its_bound_values_and_no_colour() -> None:
    with tracing(upload="abc"):
        line = formatted(record("game %s"), as_json=False)
    assert "game 花" in line and "upload=abc" in line and "\x1b" not in line
