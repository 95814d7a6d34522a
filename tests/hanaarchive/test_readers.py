"""Readers who close the connection while statistics are computed for them."""

from __future__ import annotations

import re
import socket
import subprocess
from contextlib import closing

import pytest

from hanaarchive.http.refusals import GONE_READER
from hanaarchive.parser import Channel
from tests.ops.conftest import ask
from tests.ops.slow import connect
from tests.services import wait_until


def count_gone(port: int) -> int:
    """Return the number of requests that ended because their readers had gone."""
    metrics = ask(f"http://127.0.0.1:{port}/metrics").body.decode()
    counts = rf'hana_request_seconds_count{{[^}}]*status="{GONE_READER}"[^}}]*}} (\d+)'
    return sum(map(int, re.findall(counts, metrics)))


@pytest.mark.parametrize("path", ["/statistics/koikoi/", "/api/v1/statistics/ends?ruleset=koikoi"])
def test_query_ends_when_its_reader_goes(
    server: tuple[subprocess.Popen[str], int], path: str
) -> None:
    _process, port = server
    count = count_gone(port)
    with closing(connect(port)) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        line.settimeout(0.3)
        with pytest.raises(TimeoutError):
            line.recv(1)
    wait_until(lambda: count_gone(port) > count, f"{path} has ended")


def test_look_at_a_connection_takes_no_bytes_of_the_next_request() -> None:
    channel = Channel.__new__(Channel)
    channel.connected = True
    channel.socket, reader = socket.socketpair()
    channel.socket.setblocking(False)
    assert not channel.check_client_disconnected()
    reader.sendall(b"GET")
    assert not channel.check_client_disconnected()
    assert channel.socket.recv(9) == b"GET"
    reader.close()
    assert channel.check_client_disconnected()
    channel.socket.close()
    assert channel.check_client_disconnected()
