"""`hana verify`: a verdict on each game of some files, by the archive, which stores nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from hana import files
from hana.errors import Failed
from hana.server import Refused, Server

GOOD: Final = ("verified", "consistent")
#: Maximum size of files to verify; larger files are for `hana upload`.
MOST: Final = 64 << 20
# A brace or bracket followed by anything else is Kafu text: a comment, a tag.
_JSON: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[{\]])")
_KAFU: Final = re.compile(r"^(?=\[Kafu)", re.MULTILINE)


def verify(server: Server, paths: list[str]) -> Iterator[dict[str, Any]]:
    """The verdicts in the order of the games. Raises :class:`Failed`."""
    for found in files.find(paths):
        if found.is_archive:
            raise Failed(f"{found.path}: an archive is for `hana upload`, or to be unpacked first")
        with files.opened(found.path) as file:
            data = file.read(MOST + 1)
        if len(data) > MOST:
            raise Failed(f"{found.path}: above {MOST >> 20} MiB; use `hana upload`")
        for number, (line, media, game) in enumerate(_games(data), start=1):
            verdict = _verdict(server, media, game)
            for place in (verdict, verdict["error"] or {}, *verdict["warnings"]):
                if place.get("line"):
                    place["line"] += line - 1
            yield verdict | {"source": str(found.path), "game": number}


def _verdict(server: Server, media: str, game: bytes) -> dict[str, Any]:
    try:
        found: dict[str, Any] = server.ask(
            "POST", "verify", data=game, headers={"Content-Type": media}
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
                yield 1, "application/json", json.dumps(one, ensure_ascii=False).encode()
            return
        if isinstance(whole, dict):
            yield 1, "application/json", data
            return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield 1, "text/x-kafu", data  # in whatever encoding: the archive detects it
        return
    line, head = 1, ""
    is_empty = True
    for piece in _KAFU.split(text):
        if not piece.startswith("[Kafu"):
            head += piece  # comments above the first game belong to it
            continue
        whole_piece = head + piece
        yield line, "text/x-kafu", whole_piece.encode()
        line += whole_piece.count("\n")
        head, is_empty = "", False
    if is_empty or head:
        yield line, "text/x-kafu", head.encode()  # no game in it: the archive says what is missing


def _lines(data: bytes) -> Iterator[tuple[int, str, bytes]]:
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            yield number, "application/json", line


def describe(verdict: dict[str, Any]) -> str:
    """A verdict as a line of JSON."""
    return json.dumps(verdict, ensure_ascii=False, separators=(",", ":"))
