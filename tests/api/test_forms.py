"""Resources in several formats, whose errors are problems in each format."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.api.contract import Api, problem
from tests.people.world import token, user

pytestmark = pytest.mark.django_db
#: Resources with their forms, and a valid query for each.
FORMED = {
    "records": (("json", "ndjson", "kafu", "csv"), {}),
    "records/export": (("ndjson", "kafu", "csv"), {"keys": "a"}),
    "me/games/export": (("ndjson", "kafu", "csv"), {}),
    "statistics/ends": (("json", "csv"), {"ruleset": "koikoi"}),
}
EACH = [(path, form) for path, (forms, _) in FORMED.items() for form in forms]


@pytest.mark.parametrize(("path", "form"), EACH)
def test_errors_are_problems_in_every_format(api: Api, path: str, form: str) -> None:
    head = token(user("reader"), "read")
    query = {**FORMED[path][1], "format": form}
    problem(api.get(path, {**query, "nonsense": "1"}, **head), "invalid-parameter", 400)
    problem(api.get(path, {**query, "lang": "tlh"}, **head), "invalid-parameter", 400)
    wrong = {"Authorization": "Bearer nobody"}
    problem(api.get(path, query, **wrong), "not-signed-in", 401)
    address = f"/api/v1/{path}?{urlencode(query)}"
    problem(Client().post(address, headers=head), "method-not-allowed", 405)


@pytest.mark.parametrize("path", FORMED)
def test_unknown_format_is_a_problem(api: Api, path: str) -> None:
    forms, query = FORMED[path]
    head = token(user("reader"), "read")
    for form in ("xml", "KAFU", "html"):
        body = problem(api.get(path, {**query, "format": form}, **head), "invalid-parameter", 400)
        assert all(name in body["detail"] for name in forms)
    accepted = {**head, "Accept": "image/png"}
    problem(api.get(path, query, **accepted), "not-acceptable", 406)
    # The parameter takes precedence over Accept; an empty parameter is ignored.
    if path != "records/export":
        for form in forms:
            parameters = {**query, "format": form}
            response = Client().get(f"/api/v1/{path}", parameters, headers=accepted)
            assert response.status_code == 200
            response.close()
    problem(api.get(path, {**query, "format": ""}, **accepted), "not-acceptable", 406)


def test_not_found_is_a_problem_in_every_format(api: Api) -> None:
    for form in FORMED["records/export"][0]:
        problem(api.get("records/export", {"keys": "a", "format": form}), "not-found", 404)
    for form in FORMED["statistics/ends"][0]:
        query = {"ruleset": "koikoi", "player": "Nobody", "format": form}
        problem(api.get("statistics/ends", query), "not-found", 404)


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
