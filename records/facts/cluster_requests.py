"""Requests to a cluster that another thread can end: ClickHouse ends a query with its connection.

urllib3 lends connections to threads, and closes none in use. The connections of this module tell
the request of their thread which socket waits for the response.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Lock
from typing import Final

from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import ClickHouseError
from clickhouse_connect.driver.httpclient import HttpClient
from urllib3 import HTTPConnectionPool, HTTPResponse, HTTPSConnectionPool, Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection


class RequestEnded(ClickHouseError):
    """Another thread has ended the request."""


class Request:
    """A request of a thread, which another thread may end."""

    def __init__(self) -> None:
        """Wait for no response yet."""
        self._lock = Lock()
        self._socket: socket.socket | None = None
        self._is_ended = False

    def end(self) -> None:
        """Close the connection that waits for a response; no later one waits."""
        with self._lock:
            self._is_ended = True
            if self._socket is not None:
                with suppress(OSError):
                    # `SSLSocket.shutdown` would also take the keys from the waiting thread.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Send the request inside. Raises `RequestEnded`."""
        token = _sent.set(self)
        try:
            yield
        finally:
            _sent.reset(token)

    @contextmanager
    def waiting(self, connection: socket.socket) -> Iterator[None]:
        """Wait inside for the response on a connection. Raises `RequestEnded`."""
        self._set_socket(connection)
        try:
            yield
        finally:
            # Before another thread gets the connection.
            self._set_socket(None)

    def _set_socket(self, connection: socket.socket | None) -> None:
        with self._lock:
            self._socket = connection
            if self._is_ended:
                raise RequestEnded("the request was ended")


_sent: Final[ContextVar[Request | None]] = ContextVar("sent", default=None)


class _Connection(HTTPConnection):
    def getresponse(self) -> HTTPResponse:
        """Return the response, whose body is read already."""
        request = _sent.get()
        if request is None:
            return super().getresponse()
        with request.waiting(self.sock):
            return super().getresponse()


class _TLSConnection(_Connection, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls = _TLSConnection


def use_these_connections(client: Client, seconds: float) -> None:
    """Let a client with a pool of its own use the connections of this module.

    Each waits at most so many seconds for a response.
    """
    assert isinstance(client, HttpClient)
    client.timeout = Timeout(connect=client.timeout.connect_timeout, read=seconds)
    client.http.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
    client.http.clear()
