"""A client that a generator makes from the OpenAPI document."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.handlers.wsgi import WSGIHandler

from kafu.notation.json.form import to_json
from people.models import READ, UPLOAD
from people.tokens import create_token
from tests.api.contract import document
from tests.people.world import user
from tests.records.makers import joined, simulate_months, text, work_all

#: The generator does not know the media type of tus for parts of uploads, so map it to the standard
#: type for bytes.
CONFIGURATION = {
    "content_type_overrides": {"application/offset+octet-stream": "application/octet-stream"}
}
PACKAGE = "generated_hana_client"


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Generate the client; return a function for importing modules of the client."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_text(json.dumps(document()))
    (folder / "config.json").write_text(json.dumps({**CONFIGURATION, "post_hooks": []}))
    command = [str(Path(sys.executable).with_name("openapi-python-client")), "generate"]
    command += ["--path", "openapi.json", "--config", "config.json", "--meta", "none"]
    process = subprocess.run(
        [*command, "--output-path", PACKAGE], cwd=folder, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout + process.stderr
    assert "Endpoint will not be generated" not in process.stdout, process.stdout
    sys.path.insert(0, str(folder))
    yield lambda name: importlib.import_module(f"{PACKAGE}.{name}")
    sys.path.remove(str(folder))


@pytest.mark.long_only  # `test_schema.py` and `test_schema_fuzz.py` check the document
def test_generated_client_verifies_uploads_and_reads(db: None, load: Callable[[str], Any]) -> None:
    owner = user("generated")
    client = load("client").AuthenticatedClient(
        base_url="http://testserver",
        token=create_token(owner=owner, name="generated", scopes=(READ, UPLOAD))[1],
        httpx_args={"transport": httpx.WSGITransport(app=WSGIHandler())},
    )
    game = load("models.kafu_game").KafuGame.from_dict(to_json(simulate_months(1)))
    assert game.to_dict() == to_json(simulate_months(1)), "the schema of Kafu loses nothing"

    verify = load("api.verify.verify")
    check = verify.sync(client=client, body=game)
    assert (check.status, check.error) == ("verified", None)
    types = load("types")
    as_bytes = types.File(payload=BytesIO(text(2).encode()))
    assert verify.sync(client=client, body=as_bytes).status == "verified"

    form = load("models.form").Form(
        file=[types.File(payload=BytesIO(joined(text(2), text(3))), file_name="two.kafu")]
    )
    create, retrieve = load("api.uploads.uploads_create"), load("api.uploads.uploads_retrieve")
    for body, games in ((game, 1), (form, 2)):
        upload = create.sync(client=client, body=body)
        work_all()
        upload = retrieve.sync(upload.key, client=client)
        assert upload.state == "done"
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
