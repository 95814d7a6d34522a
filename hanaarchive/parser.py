"""Bounds around the parser and the connections of Waitress.

The parser runs in the thread that serves all connections. `hanaarchive.server` uses both.
docs/decisions/0027-guarded-waitress.md lists the faults of Waitress 3.0.2 that they cover.
"""

from __future__ import annotations

import re
import socket
from typing import Any, Final

import waitress.channel
import waitress.parser
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.utilities import BadRequest, RequestEntityTooLarge

from hanaarchive.buffers import Buffer, BufferedBody

#: Maximum bytes of a head, and of the trailers after a body in chunks.
HEAD_BYTES: Final = 16 << 10
#: Maximum bytes of a line with the size of a chunk, and of a trailer.
LINE_BYTES: Final = 1 << 10
#: Chunks of any size per body. Additional chunks need an average of `CHUNK_BYTES`, because each
#: chunk takes about as much time as a kilobyte of data.
CHUNKS: Final = 10_000
CHUNK_BYTES: Final = 64
#: Bytes of a response per write: first to the socket, then the remaining bytes to a buffer.
PIECE_BYTES: Final = 64 << 10
METHODS: Final = frozenset((b"DELETE", b"GET", b"HEAD", b"OPTIONS", b"PATCH", b"POST", b"PUT"))

_REQUEST_LINE: Final = re.compile(rb"([!-~]+) [!-~\x80-\xff]+ HTTP/1\.([01])")
_CHUNK_LINE: Final = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;[\t -~\x80-\xff]*)?")
_TRAILER: Final = re.compile(rb"[!-~]+:[\t -~\x80-\xff]*")


# Waitress creates its buffers through these two names.
waitress.channel.OverflowableBuffer = Buffer
waitress.parser.OverflowableBuffer = BufferedBody


class Parser(HTTPRequestParser):
    """A request whose head is checked before Waitress parses it."""

    empty: bool
    body_rcv: Any

    def received(self, data: bytes) -> int:
        """Take the next bytes of a connection and return the number of consumed bytes."""
        consumed: int = super().received(data)
        if self.empty:
            # Waitress skips empty requests, although each costs as much as a whole request.
            self.empty = False
            self.error = BadRequest("The head is empty.")
        if self.completed:
            # Waitress would send "100 Continue" and wait for a body instead of responding.
            self.expect_continue = False
        return consumed

    def parse_header(self, head: bytes) -> None:
        """Check and parse a head. Raise ParsingError for status 400."""
        try:
            super().parse_header(_normalize_head(head))
        except ValueError:  # raised by `int` and `urlsplit`
            raise ParsingError("The address or the length is malformed.") from None
        if self.chunked:
            self.body_rcv = ChunkedBody(self.body_rcv.getbuf(), self.adj.max_request_body_size)


class Channel(HTTPChannel):
    """A connection of Waitress with our parser, which needs no disk for its responses."""

    parser_class = Parser

    def check_client_disconnected(self) -> bool:
        """Return whether the reader has closed the connection, or will send nothing more.

        Waitress reads nothing during a request. This looks at the socket without reading from it,
        so that the parser gets each byte as before. Any thread may call it.
        """
        try:
            return not (self.connected and self.socket.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return False
        except OSError:
            return True

    def write_soon(self, data: bytes | ReadOnlyFileBasedBuffer) -> int:
        """Send or buffer the next bytes or the file of a response. Return the number of bytes."""
        if isinstance(data, ReadOnlyFileBasedBuffer):
            return self._write(data)
        pieces = range(0, len(data), PIECE_BYTES)
        return sum(self._write(data[place : place + PIECE_BYTES]) for place in pieces)

    def _write(self, piece: bytes | ReadOnlyFileBasedBuffer) -> int:
        with self.outbuf_lock:
            try:
                count: int = super().write_soon(piece)
            except OSError:  # the disk is full, and memory has no room for the buffered data
                self._wait_for_reader()
                count = super().write_soon(piece)
        return count

    def _wait_for_reader(self) -> None:
        """Wait until nothing is buffered. Raise an exception if the reader takes nothing."""
        while self.connected and self.total_outbufs_len:
            self.server.pull_trigger()
            if not self.outbuf_lock.wait(self.adj.channel_timeout):
                raise ClientDisconnected


def _normalize_head(head: bytes) -> bytes:
    """Return a head without blanks around values, for which Waitress takes quadratic time.

    Raise ParsingError, or the exception of Waitress for status 501, for an unusual head.
    """
    line, _, field_lines = head.partition(b"\r\n")
    request = _REQUEST_LINE.fullmatch(line)
    if request is None:
        raise ParsingError("The first line is no request of HTTP/1.0 or HTTP/1.1.")
    if request[1] not in METHODS:
        raise TransferEncodingNotImplemented("The method is not known.")
    if b"\r\n " in head or b"\r\n\t" in head:
        raise ParsingError("A header continues on the next line.")
    fields = [field.partition(b":") for field in field_lines.split(b"\r\n")]
    headers = [name + colon + value.strip(b" \t") for name, colon, value in fields]
    if b"\ntransfer-encoding:" in head.lower():
        _check_coding([header.lower() for header in headers], is_old=request[2] == b"0")
    return b"\r\n".join([line, *headers])


def _check_coding(headers: list[bytes], *, is_old: bool) -> None:
    """Raise an exception unless the headers, in lower case, announce a body in chunks, once."""
    codings = [header for header in headers if header.startswith(b"transfer-encoding:")]
    if codings != [b"transfer-encoding:chunked"]:
        raise TransferEncodingNotImplemented("The only transfer coding is chunked, once.")
    if is_old or any(header.startswith(b"content-length:") for header in headers):
        raise ParsingError("A body in chunks has no Content-Length, and needs HTTP/1.1.")


class ChunkedBody:
    """The decoded body of a request in chunks. Extensions and trailers are dropped.

    It has the methods of `waitress.receiver.ChunkedReceiver`.
    """

    def __init__(self, buffer: Any, limit: int) -> None:
        """Prepare to write at most ``limit`` bytes to ``buffer``."""
        self.completed = False
        self.error: BadRequest | None = None
        self._buffer = buffer
        self._limit = limit
        self._line = b""  # the beginning of an incomplete line
        self._missing = 0  # bytes of the current chunk
        self._chunks = 0
        self._bytes = 0  # the sizes of all chunks so far
        self._trailers = 0  # bytes
        # The function for the next line. A bound method would be a reference cycle.
        self._expected = ChunkedBody._begin_chunk

    def __len__(self) -> int:
        """Return the number of decoded bytes."""
        return len(self._buffer)

    def getbuf(self) -> Any:
        """Return the buffer of Waitress."""
        return self._buffer

    def getfile(self) -> Any:
        """Return the decoded body as a file."""
        return self._buffer.getfile()

    def received(self, data: bytes) -> int:
        """Decode the next bytes. Return how many belong to this body; after an error, all."""
        length = len(data)
        data = self._line + data
        place = 0
        pieces = []
        while not self.completed and self.error is None:
            if self._missing:
                piece = data[place : place + self._missing]
                pieces.append(piece)
                place += len(piece)
                self._missing -= len(piece)
            if place == len(data):
                break
            end = data.find(b"\r\n", place, place + LINE_BYTES + 2)
            if end < 0:
                if len(data) - place > LINE_BYTES + 1:
                    self.error = BadRequest(f"A chunk's line has more than {LINE_BYTES} bytes.")
                break
            self._expected(self, data[place:end])
            place = end + 2
        if pieces:
            self._buffer.append(b"".join(pieces))
        self._line = data[place:]
        return length - len(self._line) if self.completed else length

    def _begin_chunk(self, line: bytes) -> None:
        match = _CHUNK_LINE.fullmatch(line)
        if match is None:
            self.error = BadRequest("The size of a chunk is malformed.")
            return
        self._missing = int(match[1], 16)
        self._bytes += self._missing
        self._chunks += 1
        if self._bytes >= self._limit:
            self.error = RequestEntityTooLarge(f"exceeds max_body of {self._limit}")
        elif self._chunks > CHUNKS + self._bytes // CHUNK_BYTES:
            self.error = BadRequest(f"The chunks have less than {CHUNK_BYTES} bytes on average.")
        else:
            self._expected = ChunkedBody._end_chunk if self._missing else ChunkedBody._skip_trailer

    def _end_chunk(self, line: bytes) -> None:
        self._expected = ChunkedBody._begin_chunk
        if line:
            self.error = BadRequest("A chunk is longer than its size.")

    def _skip_trailer(self, line: bytes) -> None:
        self._trailers += len(line)
        if not line:
            self.completed = True
        elif self._trailers > HEAD_BYTES or _TRAILER.fullmatch(line) is None:
            self.error = BadRequest(f"The trailers are malformed or exceed {HEAD_BYTES} bytes.")
