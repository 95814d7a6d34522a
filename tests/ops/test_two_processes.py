"""Two web processes over one database: neither shows what the other one has changed."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable

import pytest

from tests.conftest import Environment, Hana
from tests.records.makers import text

KINDS = ("/games/{}/", "/games/{}/replay.json", "/api/v1/records/{}", "/games/", "/api/v1/records")


def ask(port: int, path: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """An answer: status, body, headers by their names in lower case."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    found = (
        response.status,
        response.read(),
        {name.lower(): value for name, value in response.getheaders()},
    )
    connection.close()
    return found


@pytest.mark.parametrize("postgres", [False, True])
def test_what_is_taken_down_is_gone_from_both(
    hana: Hana, hana_env: Callable[..., Environment], postgres: bool
) -> None:
    env = hana_env(postgres=postgres)
    hana("ingest", "-", stdin=text(1), env=env)
    ports = [hana.web(env)[1] for _ in range(2)]
    listed = json.loads(ask(ports[0], "/api/v1/records")[1])["results"]
    key, paths = listed[0]["key"], [kind.format(listed[0]["key"]) for kind in KINDS]
    tags = {}
    for path in paths:
        found = [ask(port, path) for port in ports for _ in range(3)]
        assert {(status, body) for status, body, _ in found} == {(200, found[0][1])}, path
        [tags[path]] = {headers["etag"] for _, _, headers in found}
    hana("shell", "--no-imports", "-c", TAKE_DOWN, env=env)
    for path in paths:
        for port in ports:
            status, body, _headers = ask(port, path, **{"If-None-Match": tags[path]})
            assert status in ((404, 410) if key in path else (200,)), path
            assert status != 200 or key.encode() not in body, path


TAKE_DOWN = """
from records.models import Record
from records.store.ownership import take_down
take_down(list(Record.objects.values_list("pk", flat=True)))
"""


def test_an_answer_without_a_body_leaves_the_connection_open(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    """A reader who has the page asks for it again and again on one connection."""
    _process, port = hana.web(hana_env())
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers: dict[str, str] = {}
    for number in range(4):
        connection.request("GET", "/rules/koikoi/", headers=headers)
        response = connection.getresponse()
        response.read()
        assert response.status == (304 if number else 200)
        assert response.getheader("Connection") is None
        own = connection.sock.getsockname()
        headers = {"If-None-Match": str(response.getheader("ETag"))}
        assert connection.sock.getsockname() == own
    connection.request("GET", "/rules/koikoi/", headers=headers | {"Connection": "close"})
    response = connection.getresponse()
    assert (response.status, response.getheader("Connection")) == (304, "close")
    connection.close()
