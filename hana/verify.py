"""`hana verify`: a verdict on each game of some files, by the archive, which stores nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from hana import files
from hana.errors import Failed
from hana.server import Refused, Server

#: Verdicts on games without a fault.
GOOD: Final = ("verified", "consistent", "unfinished")
KAFU: Final = "text/x-kafu"
JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
#: Games and bytes of one request, and requests at once where games are sent one by one.
MOST_GAMES: Final = 500
MOST_BYTES: Final = 4 << 20
AT_ONCE: Final = 4
#: Maximum size of files to verify; larger files are for `hana upload`.
MOST: Final = 64 << 20
# A brace or bracket followed by anything else is Kafu text: a comment, a tag.
_JSON: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[{\]])")
_KAFU: Final = re.compile(r"^(?=\[Kafu)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game of a file: where it is, and its bytes. ``line`` is its first one in the file."""

    source: str
    number: int
    line: int
    media: str
    data: bytes

    @property
    def batch(self) -> str:
        """The media type under which it can be sent with others; empty if only alone."""
        if self.media == KAFU:
            return KAFU if _KAFU.search(self.data.decode(errors="replace")) else ""
        return "" if b"\n" in self.data.strip() else NDJSON


def verify(server: Server, paths: list[str]) -> Iterator[dict[str, Any]]:
    """The verdicts in the order of the games. Raises :class:`Failed`.

    Many games go in one request, if the server takes them so, else a few requests at once.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for batch in _batches(_found(paths)):
            verdicts = _together(server, batch) if len(batch) > 1 else None
            if verdicts is None:
                verdicts = list(pool.map(partial(_verdict, server), batch))
            for one, verdict in zip(batch, verdicts, strict=True):
                _shift(verdict, one.line - 1)
                yield verdict | {"source": one.source, "game": one.number}


def _found(paths: list[str]) -> Iterator[_Game]:
    for found in files.find(paths):
        if found.is_archive:
            raise Failed(f"{found.path}: an archive is for `hana upload`, or to be unpacked first")
        with files.opened(found.path) as file:
            data = file.read(MOST + 1)
        if len(data) > MOST:
            raise Failed(f"{found.path}: above {MOST >> 20} MiB; use `hana upload`")
        for number, (line, media, game) in enumerate(_games(data), start=1):
            yield _Game(str(found.path), number, line, media, game)


def _batches(games: Iterable[_Game]) -> Iterator[list[_Game]]:
    """Games that follow each other, in as few requests as can be."""
    batch: list[_Game] = []
    size = 0
    for one in games:
        full = len(batch) >= MOST_GAMES or size + len(one.data) > MOST_BYTES
        if batch and (full or not one.batch or one.batch != batch[0].batch):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += len(one.data) + 2
    if batch:
        yield batch


def _together(server: Server, batch: list[_Game]) -> list[dict[str, Any]] | None:
    """The verdicts of one request, their lines those in each game; None if the server takes single
    games only, or cuts the text in another way.
    """
    body = bytearray()
    begins = []
    for one in batch:
        begins.append(body.count(b"\n"))
        body += one.data if one.data.endswith(b"\n") else one.data + b"\n"
        if batch[0].batch == KAFU:
            body += b"\n"
    headers = {"Content-Type": batch[0].batch, "Accept": NDJSON}
    try:
        # No line after the last: what breaks off there breaks off in its own.
        data = bytes(body.rstrip(b"\n"))
        answer = server.ask("POST", "verify", data=data, headers=headers)
    except Refused as error:
        if error.status not in (400, 406, 413, 415):
            raise
        return None
    try:
        verdicts = [json.loads(line) for line in answer.content.splitlines()]
    except ValueError:
        return None
    if len(verdicts) != len(batch):
        return None
    for verdict, begin in zip(verdicts, begins, strict=True):
        _shift(verdict, -begin)
    return verdicts


def _shift(verdict: dict[str, Any], lines: int) -> None:
    """Count the lines of a verdict from another place."""
    for place in (verdict, verdict["error"] or {}, *verdict["warnings"]):
        if place.get("line"):
            place["line"] += lines


def _verdict(server: Server, game: _Game) -> dict[str, Any]:
    try:
        found: dict[str, Any] = server.ask(
            "POST", "verify", data=game.data, headers={"Content-Type": game.media}
        ).json()
    except Refused as error:
        if error.status not in (400, 413):
            raise
        fault = {"code": error.code, "line": 1, "column": None, "message": str(error)}
        return {"status": "malformed", "line": 1, "error": fault, "warnings": []}
    return found


def _games(data: bytes) -> Iterator[tuple[int, str, bytes]]:
    """Line, media type and bytes of each game, cut where only a game can begin."""
    if _JSON.match(data):
        try:
            whole = json.loads(data)
        except ValueError:
            yield from _lines(data)
            return
        except RecursionError:
            whole = {}
        if isinstance(whole, list):
            for one in whole:
                yield 1, JSON, json.dumps(one, ensure_ascii=False).encode()
            return
        if isinstance(whole, dict):
            yield 1, JSON, data
            return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield 1, KAFU, data  # in whatever encoding: the archive detects it
        return
    line, head = 1, ""
    is_empty = True
    for piece in _KAFU.split(text):
        if not piece.startswith("[Kafu"):
            head += piece  # comments above the first game belong to it
            continue
        whole_piece = head + piece
        yield line, KAFU, whole_piece.encode()
        line += whole_piece.count("\n")
        head, is_empty = "", False
    if is_empty or head:
        yield line, KAFU, head.encode()  # no game in it: the archive says what is missing


def _lines(data: bytes) -> Iterator[tuple[int, str, bytes]]:
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            yield number, JSON, line


def describe(verdict: dict[str, Any]) -> str:
    """A verdict as a line of JSON."""
    return json.dumps(verdict, ensure_ascii=False, separators=(",", ":"))
