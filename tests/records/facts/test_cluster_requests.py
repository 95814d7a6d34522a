"""Requests to a cluster that another thread ends."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from records.facts.cluster_requests import Request, RequestEnded, _Pool


def test_ended_request_closes_its_connection() -> None:
    """ClickHouse ends a query when its connection is closed."""
    request = Request()

    def send(port: int) -> None:
        with request.sending():
            _Pool("127.0.0.1", port).request("POST", "/", body=b"SELECT 1", retries=1)

    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as pool:
        sent = pool.submit(send, server.getsockname()[1])
        connection, _address = server.accept()
        with connection:
            while not connection.recv(1000).endswith(b"SELECT 1"):
                pass
            request.end()
            assert connection.recv(1) == b""
        with pytest.raises(RequestEnded):
            sent.result()
