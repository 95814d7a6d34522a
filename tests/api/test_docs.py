"""The examples of docs/api.md, sent as requests, and the responses in the guide."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings

from api.policy import DEPRECATIONS
from api.urls import urlpatterns
from kafu.notation.json.form import to_json
from records.models import Record, Upload
from records.serving.limits import GROUPS
from tests.api.contract import Api, check, document
from tests.conftest import ROOT
from tests.records.makers import ingest, simulate_months, text

GUIDE = (ROOT / "docs" / "api.md").read_text()
BLOCKS = re.findall(r"```(\w+)(?: title=\"(\w+)\")?\n(.*?)```", GUIDE, re.DOTALL)
COMMANDS = [line for kind, _name, block in BLOCKS if kind == "sh" for line in block.splitlines()]
SHOWN = [(name, block) for kind, name, block in BLOCKS if kind == "json"]
HOST = "http://127.0.0.1:8000"


def make_files() -> dict[str, bytes]:
    """Return the files of the guide's examples."""
    return {
        "january.kafu": text(1).encode(),
        "february.kafu": text(2).encode(),
        "january.json": json.dumps(to_json(simulate_months(1))).encode(),
        "notebook.csv": "月,親,Aya,Ben\n1月,Aya,7,\n".encode(),
    }


def run_curl(api: Api, command: str) -> Any:
    """Send the request of a curl command. Only the options of the guide are understood."""
    arguments = iter(shlex.split(command))
    assert next(arguments) == "curl"
    headers: dict[str, str] = {}
    form: dict[str, list[SimpleUploadedFile]] = {}
    query: dict[str, str] = {}
    body, url = b"", ""
    for word in arguments:
        if word == "-H":
            name, value = next(arguments).split(": ")
            headers[name] = value
        elif word == "-F":
            name, value = next(arguments).split("=@")
            form.setdefault(name, []).append(SimpleUploadedFile(value, make_files()[value]))
        elif word == "--data-binary":
            body = make_files()[next(arguments).removeprefix("@")]
        elif word == "--data":
            body = next(arguments).encode()
        elif word == "--data-urlencode":
            name, value = next(arguments).split("=")
            query[name] = value
        elif word == "--compressed":
            headers["Accept-Encoding"] = "gzip"
        elif word != "--get":
            url = word
    path = url.removeprefix(HOST) + (f"?{urlencode(query)}" if query else "")
    assert path.startswith("/api/v1/")
    if form:
        return api.post(path, form)
    if body:
        return api.post(path, body, headers.pop("Content-Type"), **headers)
    response = api.client.get(path, headers=headers)
    if response.streaming:
        response.getvalue()
    return response


@pytest.fixture(scope="module")
def upload_for_all(rows_for_all: None) -> Upload:
    return ingest(text(3).encode())


@pytest.mark.parametrize("command", COMMANDS)
def test_command_of_the_guide_works(
    api: Api, upload_for_all: Upload, db: None, command: str
) -> None:
    upload = upload_for_all
    command = command.replace("$UPLOAD", upload.key).replace("$RECORD", Record.objects.get().key)
    response = run_curl(api, command)
    assert response.status_code in (200, 202), response.content


@pytest.mark.parametrize(("name", "example"), SHOWN)
def test_response_in_the_guide_is_documented(name: str, example: str) -> None:
    check(document()["components"]["schemas"][name], json.loads(example))


def test_guide_lists_every_address() -> None:
    addresses = set(re.findall(r"^\| `(?:GET|POST|PATCH|DELETE) (\S+)`", GUIDE, re.MULTILINE))
    routes = {re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern)) for pattern in urlpatterns}
    routes = {re.sub(r"^statistics/\w+", "statistics/{figure}", route) for route in routes}
    former = {row.path.removeprefix("/api/v1/") for row in DEPRECATIONS if not row.parameter}
    assert addresses == routes - {"schema", "docs"} - former


def test_limits_in_the_guide_are_those_of_the_settings(settings: Settings) -> None:
    assert settings.UPLOAD_LIMIT_BYTES == 64 << 20
    assert settings.DATA_UPLOAD_MAX_NUMBER_FILES == 1000
    assert (settings.RESUMABLE_LIMIT_BYTES, settings.PENDING_LIMIT_BYTES) == (2 << 30, 8 << 30)
    unpacked = (settings.UNPACK_FILES, settings.UNPACK_FILE_BYTES, settings.UNPACK_BYTES)
    assert unpacked == (20_000, 1 << 30, 4 << 30)
    assert settings.UNPACK_RATIO == 250
    rates = {
        name: (GROUPS[name].requests, GROUPS[name].seconds)
        for name in ("read", "uploads", "parts", "verify", "positions")
    }
    assert rates == {
        "read": (3000, 60),
        "uploads": (60, 60),
        "parts": (1200, 60),
        "verify": (240, 60),
        "positions": (600, 60),
    }
