"""Processes over one database: a web process shows no content that another process removed."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Environment, Hana
from tests.records.makers import text

PATHS = ("/games/{}/", "/games/{}/replay.json", "/api/v1/records/{}", "/games/", "/api/v1/records")
#: Stores the game of a file, and takes it down when the file is deleted.
STORE_AND_TAKE_DOWN = """
import time
from pathlib import Path
from django.core.management import call_command
from records.models import Record
from records.ingest.ownership import take_down
path = Path({!r})
call_command("ingest", str(path))
print("stored", flush=True)
while path.exists():
    time.sleep(0.05)
take_down(list(Record.objects.values_list("pk", flat=True)))
"""


def get(port: int, path: str, **headers: str) -> tuple[int, bytes, str | None]:
    """Request a page on a new connection. Return status, body and ETag."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body, response.getheader("ETag")


@pytest.mark.long_only  # tests/records/serving has the mechanism in one process
@pytest.mark.parametrize("postgres", [False, True], ids=["sqlite", "postgresql"])
def test_game_that_is_taken_down_is_gone_from_every_process(
    hana: Hana, hana_env: Callable[..., Environment], tmp_path: Path, postgres: bool
) -> None:
    """There are two web processes; a command takes the game down."""
    env = hana_env(postgres=postgres)
    game = tmp_path / "game.kafu"
    game.write_text(text(1))
    code = STORE_AND_TAKE_DOWN.format(str(game))
    command = hana.start("shell", "--no-imports", "-c", code, env=env)
    assert command.stdout is not None
    assert "stored\n" in command.stdout, "a line of its output"
    ports = [hana.web(env)[1] for _ in range(2)]
    key = json.loads(get(ports[0], "/api/v1/records")[1])["results"][0]["key"]
    paths = [path.format(key) for path in PATHS]
    tags: dict[str, str | None] = {}
    for path in paths:
        responses = [get(port, path) for port in ports for _ in range(2)]
        assert {(status, body) for status, body, _ in responses} == {(200, responses[0][1])}, path
        [tags[path]] = {tag for _, _, tag in responses}

    game.unlink()
    assert command.wait(60) == 0
    for path in paths:
        for port in ports:
            status, body, _ = get(port, path, **{"If-None-Match": str(tags[path])})
            assert status in ((404, 410) if key in path else (200,)), path
            assert status != 200 or key.encode() not in body, path
