"""schemathesis over the OpenAPI document, against a real server with games in it.

No server error, and no answer that differs from the document. FUZZ_SECONDS=600: for longer, and
elsewhere each time; FUZZ_SEED=7 goes where that run went.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import randrange

import pytest

from tests.conftest import ROOT, Environment, Hana

#: What is not asked: whether each text that the document lets through is a game, and the like.
#: Its words for a string cannot say that, and the answers to both are looked at all the same. POST
#: on a part of an upload is there for clients that can do nothing else; the document need not
#: recommend it.
LEFT_OUT = (
    *("positive_data_acceptance", "negative_data_rejection", "missing_required_header"),
    "allow_header_conformance",
)
MAKE = """
import json
from django.contrib.auth import get_user_model
from people import tokens
from people.models import SCOPES
from records.models import Record, Upload
from records.intake.resumable import begin
from tests.security import hostile
user = get_user_model().objects.create_user("fuzz", is_staff=True)
token, text = tokens.make(owner=user, name="fuzz", scopes=SCOPES)
hostile.ingest(user.pk)
partials = [begin(sender="x", name="x", metadata="", length=10**6).key for _ in range(5)]
records = [one.key for one in Record.objects.all()[:30]]
uploads = [one.key for one in Upload.objects.all()]
print("KEYS" + json.dumps({"token": text, "records": records, "uploads": uploads,
                           "partials": partials}))
"""
RATES = ",".join(
    f"{name}=1000000/60" for name in ("read", "uploads", "parts", "verify", "positions")
)


@pytest.fixture
def site(
    hana: Hana, hana_env: Callable[..., Environment]
) -> tuple[str, Environment, dict[str, list[str]]]:
    """A server's address, the environment of its commands, and the keys of what it has.

    On PostgreSQL, which takes less than SQLite does.
    """
    env = hana_env(postgres=True, HANA_RATES=RATES)
    found = hana("shell", "--command", MAKE, env=env).stdout
    keys = json.loads(found.partition("KEYS")[2].splitlines()[0])
    _process, port = hana.web(env)
    return f"http://127.0.0.1:{port}", env, keys


def test_the_answers_are_as_the_document_says(
    site: tuple[str, Environment, dict[str, list[str]]], tmp_path: Path
) -> None:
    url, env, keys = site
    seconds = os.environ.get("FUZZ_SECONDS", "5")
    short = "FUZZ_SECONDS" not in os.environ
    seed = "1" if short else os.environ.get("FUZZ_SEED") or str(randrange(2**32))
    command = [str(Path(sys.executable).with_name("st")), "run", f"{url}/api/v1/schema"]
    command += ["--url", f"{url}/", "--checks=all", f"--exclude-checks={','.join(LEFT_OUT)}"]
    command += [
        "--max-time",
        seconds,
        "--no-color",
        "--header",
        f"Authorization: Bearer {keys['token']}",
    ]
    # The short run is the same each time; a long one looks elsewhere.
    if short:
        command += [f"--seed={seed}", "--generation-database=none", "--phases=coverage,fuzzing"]
    else:
        command += ["--continue-on-failure", "--max-examples=1000", f"--seed={seed}"]
    done = subprocess.run(
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
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2000:]
