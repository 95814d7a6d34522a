"""A client that a generator makes of the OpenAPI document, against a running archive."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from kafu.notation.json.form import to_json
from tests.api.contract import document
from tests.conftest import Environment, Hana, bare_env
from tests.records.makers import joined, text, year

#: Parts of uploads are bytes by a media type of tus; the generator knows bytes by the other.
CONFIGURATION = {
    "content_type_overrides": {"application/offset+octet-stream": "application/octet-stream"}
}
PACKAGE = "generated_hana_client"
TOKEN = """
from django.contrib.auth import get_user_model
from people import tokens
from people.models import READ, UPLOAD
user = get_user_model().objects.create_user("generated")
_row, text = tokens.make(owner=user, name="generated", scopes=[READ, UPLOAD])
print("TOKEN" + text)
"""


@pytest.fixture(scope="module")
def archive(new_var: Callable[[], Path]) -> Iterator[tuple[str, str]]:
    """The address of a web server with a worker, and a token."""
    runner = Hana()
    env: Environment = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()))
    _process, port = runner.web(env)
    runner.start("worker", env=env)
    said = runner("shell", "--command", TOKEN, env=env).stdout
    yield f"http://127.0.0.1:{port}", said.partition("TOKEN")[2].split()[0]
    runner.end()


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Generates the client; loads a module of it by its name."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_text(json.dumps(document()))
    (folder / "config.json").write_text(json.dumps({**CONFIGURATION, "post_hooks": []}))
    command = [str(Path(sys.executable).with_name("openapi-python-client")), "generate"]
    command += ["--path", "openapi.json", "--config", "config.json", "--meta", "none"]
    done = subprocess.run(
        [*command, "--output-path", PACKAGE], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Endpoint will not be generated" not in done.stdout, done.stdout
    sys.path.insert(0, str(folder))
    yield lambda name: importlib.import_module(f"{PACKAGE}.{name}")
    sys.path.remove(str(folder))


def test_it_verifies_uploads_and_reads(
    archive: tuple[str, str], load: Callable[[str], Any]
) -> None:
    address, token = archive
    client = load("client").AuthenticatedClient(base_url=address, token=token)
    game = load("models.kafu_game").KafuGame.from_dict(to_json(year(1)))
    assert game.to_dict() == to_json(year(1)), "the schema of Kafu loses nothing"

    check = load("api.verify.verify").sync(client=client, body=game)
    assert (check.status, check.error) == ("verified", None)
    types = load("types")
    as_bytes = types.File(payload=BytesIO(text(2).encode()))
    assert load("api.verify.verify").sync(client=client, body=as_bytes).status == "verified"

    form = load("models.form").Form(
        file=[types.File(payload=BytesIO(joined(text(2), text(3))), file_name="two.kafu")]
    )
    send, follow = load("api.uploads.uploads_create"), load("api.uploads.uploads_retrieve")
    for body, games in ((game, 1), (form, 2)):
        upload = send.sync(client=client, body=body)
        deadline = time.monotonic() + 60
        while (upload := follow.sync(upload.key, client=client)).state != "done":
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert (upload.games.verified, upload.games.total) == (games, games)

    listed = load("api.records.records_list").sync(client=client)
    assert len(listed.results) == 3
    key = listed.results[0].key
    whole = load("api.records.records_retrieve").sync(key, client=client)
    assert whole.kafu.kafu == "1" and whole.kafu.months[0].deal.dealer
    replay = load("api.records.records_replay").sync(key, client=client)
    assert replay.deals[0].steps[0].kind == "deal"

    figure = load("api.statistics.statistics_ends")
    ruleset = load("models.statistics_ends_ruleset").StatisticsEndsRuleset(whole.ruleset)
    ends = figure.sync(client=client, ruleset=ruleset)
    assert ends.games == 3
    assert sum(row.count for row in ends.rows) == ends.n
    missing = load("api.records.records_retrieve").sync("nosuchgame0", client=client)
    assert (missing.status, missing.code) == (404, "not-found")
