"""`hana verify`: verdicts on the games of files, by the archive's server, which stores nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from hana import files
from hana.server import Refused, Server
from hana.state import Failed

#: Statuses of games without a fault.
GOOD: Final = ("verified", "consistent", "unfinished")
KAFU: Final = "text/x-kafu"
JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
#: Maximum number of games and bytes in a request.
MAX_GAMES: Final = 500
MAX_BYTES: Final = 4 << 20
#: Number of simultaneous requests if games are sent one by one.
PARALLEL_REQUESTS: Final = 4
#: Maximum size of a file in bytes.
MAX_FILE_BYTES: Final = 64 << 20
# A brace or bracket followed by anything else is Kafu text: a comment, a tag.
_JSON: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[{\]])")
_KAFU: Final = re.compile(r"^(?=\[Kafu)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game of a file: its place and its bytes. ``line`` is its first line in the file."""

    source: str
    number: int
    line: int
    media: str
    data: bytes

    @property
    def batch(self) -> str:
        """The media type for a request with other games; empty if the game must be sent alone."""
        if self.media == KAFU:
            return KAFU if _KAFU.search(self.data.decode(errors="replace")) else ""
        return "" if b"\n" in self.data.strip() else NDJSON


def verify(server: Server, paths: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the verdicts in the order of the games. Raise :class:`Failed`.

    Send many games in a request if the server accepts that, otherwise a few requests in parallel.
    """
    with ThreadPoolExecutor(PARALLEL_REQUESTS) as pool:
        for batch in _batches(_read_games(paths)):
            verdicts = _verify_together(server, batch) if len(batch) > 1 else None
            if verdicts is None:
                verdicts = list(pool.map(partial(_verify_single, server), batch))
            for game, verdict in zip(batch, verdicts, strict=True):
                _shift_lines(verdict, game.line - 1)
                yield verdict | {"source": game.source, "game": game.number}


def _read_games(paths: list[str]) -> Iterator[_Game]:
    for file in files.find(paths):
        if file.is_archive:
            raise Failed(f"{file.path}: an archive is for `hana upload`, or to be unpacked first")
        with files.open_file(file.path) as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise Failed(f"{file.path}: above {MAX_FILE_BYTES >> 20} MiB; use `hana upload`")
        for number, (line, media, game) in enumerate(_split(data), start=1):
            yield _Game(str(file.path), number, line, media, game)


def _batches(games: Iterable[_Game]) -> Iterator[list[_Game]]:
    """Group consecutive games into as few requests as possible."""
    batch: list[_Game] = []
    size = 0
    for game in games:
        is_full = len(batch) >= MAX_GAMES or size + len(game.data) > MAX_BYTES
        if batch and (is_full or not game.batch or game.batch != batch[0].batch):
            yield batch
            batch, size = [], 0
        batch.append(game)
        size += len(game.data) + 2
    if batch:
        yield batch


def _verify_together(server: Server, batch: list[_Game]) -> list[dict[str, Any]] | None:
    """Return the verdicts of one request, with lines relative to each game.

    Return None if the server accepts single games only, or splits the text differently.
    """
    body = bytearray()
    begins = []
    for game in batch:
        begins.append(body.count(b"\n"))
        body += game.data if game.data.endswith(b"\n") else game.data + b"\n"
        if batch[0].batch == KAFU:
            body += b"\n"
    headers = {"Content-Type": batch[0].batch, "Accept": NDJSON}
    try:
        # Without a final newline, so that a fault at the end has its place in the last game.
        data = bytes(body.rstrip(b"\n"))
        response = server.send("POST", "verify", data=data, headers=headers)
    except Refused as error:
        if error.status not in (400, 406, 413, 415):
            raise
        return None
    try:
        verdicts = [json.loads(line) for line in response.content.splitlines()]
    except ValueError:
        return None
    if len(verdicts) != len(batch):
        return None
    for verdict, begin in zip(verdicts, begins, strict=True):
        _shift_lines(verdict, -begin)
    return verdicts


def _shift_lines(verdict: dict[str, Any], lines: int) -> None:
    """Add a number of lines to the places of a verdict."""
    for place in (verdict, verdict["error"] or {}, *verdict["warnings"]):
        if place.get("line"):
            place["line"] += lines


def _verify_single(server: Server, game: _Game) -> dict[str, Any]:
    headers = {"Content-Type": game.media}
    try:
        response = server.send("POST", "verify", data=game.data, headers=headers)
    except Refused as error:
        if error.status not in (400, 413):
            raise
        fault = {"code": error.code, "line": 1, "column": None, "message": str(error)}
        return {"status": "malformed", "line": 1, "error": fault, "warnings": []}
    verdict: dict[str, Any] = response.json()
    return verdict


def _split(data: bytes) -> Iterator[tuple[int, str, bytes]]:
    """Yield the line, media type and bytes of each game of a file."""
    if _JSON.match(data):
        try:
            whole = json.loads(data)
        except ValueError:
            yield from _split_lines(data)
            return
        except RecursionError:
            whole = {}
        if isinstance(whole, list):
            for game in whole:
                yield 1, JSON, json.dumps(game, ensure_ascii=False).encode()
            return
        if isinstance(whole, dict):
            yield 1, JSON, data
            return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield 1, KAFU, data  # The server detects the encoding.
        return
    line, head = 1, ""
    is_empty = True
    for piece in _KAFU.split(text):
        if not piece.startswith("[Kafu"):
            head += piece  # Comments above the first game belong to it.
            continue
        whole_piece = head + piece
        yield line, KAFU, whole_piece.encode()
        line += whole_piece.count("\n")
        head, is_empty = "", False
    if is_empty or head:
        yield line, KAFU, head.encode()  # No game: the server's error tells what is missing.


def _split_lines(data: bytes) -> Iterator[tuple[int, str, bytes]]:
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            yield number, JSON, line


def describe(verdict: dict[str, Any]) -> str:
    """Return a verdict as a line of JSON."""
    return json.dumps(verdict, ensure_ascii=False, separators=(",", ":"))
