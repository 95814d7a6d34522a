"""The gate before Gunicorn's threads, piece by piece; its whole is in tests/ops."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from hanaarchive import gate
from hanaarchive.gate import OPENING_BYTES, Metered, Opening

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Two ends of a connection."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def opened(*pieces: bytes) -> Opening:
    """An opening to which these came."""
    opening = Opening(until=0)
    for piece in pieces:
        opening.add(piece)
    return opening


@pytest.mark.parametrize(
    ("pieces", "ready", "large"),
    [
        ([b"GET / HTTP/1.1\r\nHost: x\r\n"], False, False),
        ([b"GET / HTTP/1.1\r\nHost: x\r\n\r", b"\n"], True, False),
        ([b"POST / HTTP/1.1\r\ncontent-length:5 \r\n\r\n1234"], False, True),
        ([b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n1234", b"5"], True, False),
        ([b"POST / HTTP/1.1\r\nContent-Length: 99999\r\n\r\n", b"#" * 9999], False, True),
        ([b"POST / HTTP/1.1\r\nContent-Length: 99999\r\n\r\n", b"#" * OPENING_BYTES], True, True),
        ([b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"], True, True),
        ([b"POST / HTTP/1.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"], True, True),
        ([b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n1234", b""], True, False),
        ([b"GET / HTTP/1.1\r\n", b""], False, False),
        ([b"x" * OPENING_BYTES], True, False),
    ],
)
def test_when_a_request_gets_a_thread(pieces: list[bytes], ready: bool, large: bool) -> None:
    opening = opened(*pieces)
    assert (opening.ready, opening.large) == (ready, large)


def test_patience_ends_and_the_body_with_it(pair: Pair) -> None:
    ours, theirs = pair
    metered = Metered(ours, lambda: False, 0.05)
    theirs.sendall(b"a")
    assert metered.recv(10) == b"a"
    assert metered.recv(10) == b"" and metered.patience <= 0
    theirs.sendall(b"b")
    assert metered.recv(10) == b"", "what comes later is too late"


def test_patience_grows_with_what_comes_up_to_its_measure(pair: Pair) -> None:
    ours, theirs = pair
    metered = Metered(ours, lambda: False, 1.0)
    theirs.sendall(b"#" * 4096)
    assert len(metered.recv(4096)) == 4096 and metered.patience > 4
    metered.patience = 1e9
    theirs.sendall(b"#")
    metered.recv(1)
    assert metered.patience <= gate.ALONE[0] + 1


def test_patience_is_short_while_others_wait(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "CROWDED", (0.05, 1 << 20))
    assert Metered(pair[0], lambda: True, gate.ALONE[0]).recv(1) == b""


def test_a_timeout_of_others_stays_one(pair: Pair) -> None:
    pair[0].settimeout(0.01)
    metered = Metered(pair[0], lambda: False, 1.0)
    with pytest.raises(TimeoutError):
        metered.recv(1)
    assert metered.gettimeout() == 0.01 and metered.patience > 0
