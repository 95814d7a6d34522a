"""Requests that schemathesis generates from the OpenAPI document get documented responses.

In `make test-long` alone: some of each operation in this process, valid and invalid, with and
without an account; and many against a real server on PostgreSQL. FUZZ_SECONDS=600: for that long,
with a new seed each time; FUZZ_SEED=7 repeats the run with that seed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import randrange
from time import process_time
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth import get_user_model
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, Phase, given
from hypothesis import seed as hypothesis_seed
from hypothesis import settings as hypothesis_settings

from lengths import LONG
from people import tokens
from people.models import SCOPES
from records.ingest.resumable import begin
from records.models import Record, Upload
from records.services import comments, studies
from records.serving.limits import GROUPS
from tests.api.contract import document
from tests.conftest import ROOT, Environment, Hana
from tests.security import hostile

#: Omitted checks. A JSON Schema of a string cannot express whether a text is a game, so checks of
#: accepted data fail. POST on a part of an upload exists for limited clients; the document need not
#: recommend the method.
LEFT_OUT = (
    *("positive_data_acceptance", "negative_data_rejection", "missing_required_header"),
    "allow_header_conformance",
)
RATES = ",".join(
    f"{name}=1000000/60" for name in ("read", "uploads", "parts", "verify", "positions", "work")
)
#: Operations with a body that store nothing.
PURE = {"notebooks", "positions", "sheets", "verify", "verify_ndjson"}
#: Requests of a batch. Each operation gets a batch, and further batches while its time lasts.
BATCH = 5
SECONDS = 0.5
#: TRACE is left out: the web server refuses it with 501 (tests/hanaarchive/heads.py).
CONFIGURATION = """
[phases.coverage]
unexpected-methods = ["get", "put", "post", "delete", "patch"]
"""
FILL = """
import json
from tests.api.test_schema_fuzz import fill
print("KEYS" + json.dumps(fill()))
"""


def fill() -> dict[str, Any]:
    """Store hostile games of an account with every right; return its token and all keys."""
    user = get_user_model().objects.create_user("fuzz", is_staff=True)
    _token, text = tokens.create_token(owner=user, name="fuzz", scopes=SCOPES)
    hostile.ingest(user.pk)
    record = Record.objects.filter(sheet=False).order_by("pk")[0]
    comment = comments.add(record, user.pk, (1, 0), hostile.COMMENT)
    study = studies.create(user.pk, {"title": hostile.EVENT}, ())
    partials = [begin(sender="x", name="x", metadata="", length=10**6).key for _ in range(5)]
    return {
        "token": text,
        "records": [record.key for record in Record.objects.all()[:30]],
        "uploads": [upload.key for upload in Upload.objects.all()],
        "partials": partials,
        "comments": [comment.key],
        "studies": [study.key],
    }


@pytest.mark.long_only  # `test_examples.py` sends a request to every operation
@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("caller", ["account", "nobody"])
def test_generated_requests_get_documented_responses(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, caller: str, mode: str
) -> None:
    """Without an account, and with invalid data, only operations that store nothing."""
    settings.RATES = dict.fromkeys(GROUPS, (10**9, 60))
    # Imported here, because importing takes each test worker a second.
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi import checks

    from tests.api import schema_hooks

    conformance = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]
    keys = fill()
    monkeypatch.setattr(schema_hooks, "KEYS", keys)
    headers = {"Accept-Encoding": "identity"}
    if caller == "account":
        headers["Authorization"] = f"Bearer {keys['token']}"
    schema = schemathesis.openapi.from_dict(document())
    schema.app = WSGIHandler()
    results: Any = schema.get_all_operations()
    operations = [result.ok() for result in results]
    assert len(operations) == sum(map(len, document()["paths"].values()))
    if (caller, mode) != ("account", "positive"):
        operations = [
            operation
            for operation in operations
            if operation.method == "get" or operation.definition.raw["operationId"] in PURE
        ]
    for operation in operations:

        @hypothesis_settings(
            max_examples=BATCH,
            phases=[Phase.generate],
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=GenerationMode(mode)))
        def send(case: Any) -> None:
            case.validate_response(case.call(headers=headers), checks=conformance)

        end = process_time() + SECONDS
        for number in count(1):
            hypothesis_seed(number)(send)()
            if process_time() > end:
                break


@pytest.fixture
def site(
    hana: Hana, hana_env: Callable[..., Environment]
) -> tuple[str, Environment, dict[str, list[str]]]:
    """Return a server's address, the environment of its commands, and the keys of its objects.

    It is on PostgreSQL, which refuses more than SQLite does.
    """
    env = hana_env(postgres=True, HANA_RATES=RATES)
    printed = hana("shell", "--command", FILL, env=env).stdout
    keys = json.loads(printed.partition("KEYS")[2].splitlines()[0])
    _process, port = hana.web(env)
    return f"http://127.0.0.1:{port}", env, keys


if LONG or "FUZZ_SECONDS" in os.environ:

    def test_server_on_postgresql_answers_fuzzing_as_documented(
        site: tuple[str, Environment, dict[str, list[str]]], tmp_path: Path
    ) -> None:
        url, env, keys = site
        seconds = os.environ.get("FUZZ_SECONDS", "60")
        is_short = "FUZZ_SECONDS" not in os.environ
        seed = "1" if is_short else os.environ.get("FUZZ_SEED") or str(randrange(2**32))
        command = [str(Path(sys.executable).with_name("st")), "run", f"{url}/api/v1/schema"]
        command += ["--url", f"{url}/", "--checks=all", f"--exclude-checks={','.join(LEFT_OUT)}"]
        command += [
            "--max-time",
            seconds,
            "--no-color",
            "--header",
            f"Authorization: Bearer {keys['token']}",
        ]
        # The short run has the same seed each time, a long one a new seed.
        if is_short:
            command += [f"--seed={seed}", "--generation-database=none", "--phases=coverage,fuzzing"]
        else:
            command += ["--continue-on-failure", "--max-examples=1000", f"--seed={seed}"]
        (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
        process = subprocess.run(
            command,
            cwd=tmp_path,
            env=env
            | {
                "SCHEMATHESIS_HOOKS": "tests.api.schema_hooks",
                "PYTHONPATH": str(ROOT),
                "HANA_FUZZ_KEYS": json.dumps(keys),
                "FUZZ_SEED": seed,
            },
            capture_output=True,
            text=True,
            timeout=float(seconds) + 240,
        )
        assert process.returncode == 0, process.stdout[-20_000:] + process.stderr[-2000:]
