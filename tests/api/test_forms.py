"""Files of the API: an address per format, and the former choice of a format at one address."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from records.models import Record, Submission
from tests.api.contract import Api, problem
from tests.people.world import token, user
from tests.records.makers import text

pytestmark = pytest.mark.django_db
GAMES = ("ndjson", "kafu", "csv")
#: Files with their formats and a valid query.
FILES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "records": (GAMES, {}),
    "records/export": (GAMES, {"keys": "a"}),
    "me/games": (GAMES, {}),
    "statistics/ends": (("csv",), {"ruleset": "koikoi"}),
}
ADDRESSES = [(f"{path}.{form}", query) for path, (forms, query) in FILES.items() for form in forms]
#: Addresses whose format `format` or Accept chose, with all formats and a valid query.
FORMER: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "records": (("json", *GAMES), {}),
    "records/export": FILES["records/export"],
    "me/games/export": FILES["me/games"],
    "statistics/ends": (("json", "csv"), {"ruleset": "koikoi"}),
}
MEDIA = {"kafu": "text/x-kafu", "csv": "text/csv", "ndjson": "application/x-ndjson"}


@pytest.mark.parametrize(
    ("path", "query"),
    ADDRESSES
    + [
        (path, {**query, "format": form})
        for path, (forms, query) in FORMER.items()
        for form in forms
    ],
)
def test_errors_are_problems_in_every_format(api: Api, path: str, query: dict[str, str]) -> None:
    head = token(user("reader"), "read")
    problem(api.get(path, {**query, "nonsense": "1"}, **head), "invalid-parameter", 400)
    problem(api.get(path, {**query, "lang": "tlh"}, **head), "invalid-parameter", 400)
    wrong = {"Authorization": "Bearer nobody"}
    problem(api.get(path, query, **wrong), "not-signed-in", 401)
    response = Client().post(f"/api/v1/{path}", headers=head, query_params=query)
    problem(response, "method-not-allowed", 405)
    if "keys" in query:
        problem(api.get(path, query), "not-found", 404)
    if path.startswith("statistics"):
        problem(api.get(path, {**query, "player": "Nobody"}), "not-found", 404)


@pytest.mark.parametrize("path", FORMER)
def test_unknown_former_format_is_a_problem(api: Api, path: str) -> None:
    forms, query = FORMER[path]
    head = token(user("reader"), "read")
    for form in ("xml", "KAFU", "html"):
        body = problem(api.get(path, {**query, "format": form}, **head), "invalid-parameter", 400)
        assert all(name in body["detail"] for name in forms)
    accepted = {**head, "Accept": "image/png"}
    problem(api.get(path, {**query, "format": ""}, **accepted), "not-acceptable", 406)


def get_file(path: str, query: dict[str, str], **headers: str) -> tuple[bytes, str, str]:
    """Return the content of a file, its media type and its `Content-Disposition`."""
    response: Any = Client().get(f"/api/v1/{path}", query, headers=headers)
    assert response.status_code == 200, response.getvalue()
    return response.getvalue(), response["Content-Type"], response["Content-Disposition"]


@pytest.mark.parametrize("accept", ["text/html,*/*;q=0.8", "image/png"])
def test_file_ignores_the_accept_header(record: Record, accept: str) -> None:
    for form, media in MEDIA.items():
        _content, kind, name = get_file(f"records.{form}", {}, Accept=accept)
        assert kind == f"{media}; charset=utf-8"
        assert name == f'attachment; filename="games.{form}"'


def test_former_ways_return_the_same_files(record: Record) -> None:
    head = token(user("reader"), "read")
    for former, (path, (forms, _query)) in zip(FORMER, FILES.items(), strict=True):
        query = {"keys": record.key} if path == "records/export" else FILES[path][1]
        for form in forms:
            expected = get_file(f"{path}.{form}", query, **head)
            by_parameter = {**query, "format": form}
            # The parameter takes precedence over Accept.
            assert get_file(former, by_parameter, Accept="image/png", **head) == expected
            assert get_file(former, query, Accept=MEDIA[form], **head) == expected


def test_former_accept_header_returns_the_same_files(record: Record) -> None:
    upload = Submission.objects.get().upload
    for former, form, path in (
        (f"records/{record.key}", "kafu", f"records/{record.key}.kafu"),
        (f"records/{record.key}/sheet", "csv", f"records/{record.key}/sheet.csv"),
        (f"uploads/{upload.key}/report", "csv", f"uploads/{upload.key}/report.csv"),
        (f"uploads/{upload.key}/report", "ndjson", f"uploads/{upload.key}/report.ndjson"),
    ):
        assert get_file(former, {}, Accept=MEDIA[form]) == get_file(path, {})
    addresses = (("verify", MEDIA["ndjson"]), ("verify.ndjson", "*/*"))
    verdicts: list[Any] = [
        Client().post(f"/api/v1/{path}", text(2), "text/x-kafu", headers={"Accept": accept})
        for path, accept in addresses
    ]
    assert verdicts[0].getvalue() == verdicts[1].getvalue()


def test_former_parameter_returns_the_same_changes(api: Api, record: Record) -> None:
    query = {"changed_since": "2000-01-01"}
    former = Client().get("/api/v1/records", query).json()
    assert former == api.get("records/changes", query).json()
    as_lines = get_file("records", {**query, "format": "ndjson"})
    assert as_lines == get_file("records/changes.ndjson", query)
    problem(api.get("records/changes"), "invalid-parameter", 400)


@pytest.mark.parametrize("charset", ["base64", "zip", "rot13", "idna", "undefined"])
def test_charset_that_encodes_no_text_is_ignored(charset: str) -> None:
    body = b'--bb\r\nContent-Disposition: form-data; name="text"\r\n\r\nx\r\n--bb--\r\n'
    media = f"multipart/form-data; boundary=bb; charset={charset}"
    for path in ("/check/", "/records/preview", "/language/"):
        client = Client(raise_request_exception=False)
        response = client.generic("POST", path, body, media)
        assert response.status_code < 500, path


def test_empty_parts_of_a_form_are_counted(api: Api) -> None:
    part = b'--bb\r\nContent-Disposition: form-data; name="text"\r\n\r\n\r\n'
    response = api.post("uploads", part * 1001 + b"--bb--\r\n", "multipart/form-data; boundary=bb")
    problem(response, "too-many-files", 400)
