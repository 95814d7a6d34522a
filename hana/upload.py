"""`hana upload`: files in parts (tus 1.0), until all have arrived."""

from __future__ import annotations

import base64
import os
import time
from typing import IO, Any, Final
from urllib.parse import urlsplit

import requests

from hana import files
from hana.colours import status
from hana.errors import Failed
from hana.files import FoundFile
from hana.progress import Bar
from hana.server import Refused, Retries, Server
from hana.state import Memory

TUS: Final = {"Tus-Resumable": "1.0.0"}
#: Stands before the address of a finished upload, and not before that of one still being sent.
_RESULT: Final = "done "
#: Bytes sent at once: the most that a broken connection loses, and held in memory.
PART: Final = 8 << 20
#: The least that is sent at once after connections that broke: the server stores whole parts only.
SMALLEST_PART: Final = 256 << 10
#: Seconds between two polls of an upload that is being processed.
POLL_SECONDS: Final = 0.5
MAX_POLL_SECONDS: Final = 5.0
#: Verdicts on games without a fault.
GOOD: Final = ("verified", "consistent", "unfinished")
#: Maximum number of faults shown after an upload; the report has all.
MAX_LINES: Final = 20


def upload(server: Server, paths: list[str], visibility: str = "public") -> list[str]:
    """Send all files; the addresses of the uploads. Raises :class:`Failed`.

    Run again after an interruption, it sends nothing twice: neither finished files nor parts.
    """
    sent: list[tuple[str, Memory]] = []
    for batch in files.batches(files.find(paths)):
        try:
            memory = Memory(server.address, (one.path for one in batch), visibility)
        except OSError as error:
            raise Failed(f"{error.filename}: {error.strerror or error}") from error
        sent.append((_send_batch(server, batch, memory, visibility), memory))
    for _url, memory in sent:
        memory.forget()
    return [url for url, _memory in sent]


def _send_batch(server: Server, batch: list[FoundFile], memory: Memory, visibility: str) -> str:
    known = memory.read()
    if known.startswith(_RESULT) and _is_there(server, known.removeprefix(_RESULT)):
        return known.removeprefix(_RESULT)
    if len(batch) == 1:
        (one,) = batch
        with files.opened(one.path) as file:
            return send(server, file, one.path.name, memory, visibility)
    with files.packed(batch) as file:
        return send(server, file, _common(batch), memory, visibility)


def _is_there(server: Server, url: str) -> bool:
    try:
        server.get(url)
    except Refused:
        return False
    return True


def _common(batch: list[FoundFile]) -> str:
    """A name for several files: that of the folder that contains them all."""
    first = {one.name.split("/")[0] for one in batch}
    return f"{first.pop() if len(first) == 1 else 'games'}.zip"


def send(
    server: Server,
    file: IO[bytes],
    name: str,
    memory: Memory | None = None,
    visibility: str = "public",
) -> str:
    """Send one file; the address of the upload. Raises :class:`Failed` after the last retry."""
    length = file.seek(0, os.SEEK_END)
    path = _known(server, memory, length) or _begin(server, name, length, memory, visibility)
    retries = Retries(server)
    size = PART
    with Bar(name, length) as bar:
        answer = server.ask("HEAD", path, headers=TUS)
        while "Upload-Result" not in answer.headers:
            offset = int(answer.headers["Upload-Offset"])
            bar.at(offset)
            file.seek(offset)
            answer = _add(server, path, offset, file.read(size), retries)
            if answer.headers.get("Upload-Offset") == str(offset):
                size = min(size, max(SMALLEST_PART, size // 4))
        bar.at(length)
    url = answer.headers["Upload-Result"]
    if memory is not None:
        memory.write(_RESULT + url)
    return url


def _begin(server: Server, name: str, length: int, memory: Memory | None, visibility: str) -> str:
    fields = {"filename": name, "visibility": visibility}
    metadata = ",".join(
        f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in fields.items()
    )
    headers = TUS | {"Upload-Length": str(length), "Upload-Metadata": metadata}
    answer = server.ask("POST", "uploads/resumable", data=b"", headers=headers)
    path = urlsplit(answer.headers["Location"]).path
    if memory is not None:
        memory.write(path)
    return path


def _known(server: Server, memory: Memory | None, length: int) -> str:
    """The upload that an earlier run began, if the server still has it."""
    path = memory.read() if memory is not None else ""
    if not path or path.startswith(_RESULT):
        return ""
    try:
        answer = server.ask("HEAD", path, headers=TUS)
    except Refused:
        return ""
    return path if answer.headers.get("Upload-Length") == str(length) else ""


def _add(
    server: Server, path: str, offset: int, data: bytes, retries: Retries
) -> requests.Response:
    """Send a part. Return a response with the new offset, which may be the old one."""
    headers = TUS | {
        "Upload-Offset": str(offset),
        "Content-Type": "application/offset+octet-stream",
    }
    try:
        answer = server.send_once("PATCH", path, data=data, headers=headers)
    except (Refused, requests.RequestException) as error:
        if not (isinstance(error, Refused) and error.status == 409):
            retries.wait(error)
        answer = server.ask("HEAD", path, headers=TUS)
        if int(answer.headers["Upload-Offset"]) > offset:
            retries.reset()
        return answer
    retries.reset()
    return answer


def wait(server: Server, url: str) -> dict[str, Any]:
    """Poll an upload until all of it is processed; the result."""
    pause = POLL_SECONDS
    total = 0
    bar: Bar | None = None
    while True:
        found: dict[str, Any] = server.get(url).json()
        games = found["games"]
        if bar is None and games["total"]:
            total = games["total"]
            bar = Bar("reading", total, "games")
        if bar is not None:
            bar.at(games["read"])
        if found["state"] == "done":
            if bar is not None:
                bar.__exit__(None, None, None)
            return found
        time.sleep(pause)
        pause = min(MAX_POLL_SECONDS, pause * 1.2)


def describe(server: Server, found: dict[str, Any]) -> list[str]:
    """The result of an upload, in lines; the first faults with their places."""
    games = found["games"]
    statuses = ("verified", "consistent", "unfinished", "mismatch", "unsupported", "illegal")
    counts = [
        f"{games[name]} {status(name)}"
        for name in (*statuses, "malformed", "duplicates")
        if games.get(name)
    ]
    for count, what in ((found["files_faulty"], "files faulty"), (given_up(found), "given up")):
        if count:
            counts.append(f"{count} {what}")
    lines = [f"{server.url(found['page'])}: {games['read']} games" + (": " if counts else "")]
    lines[0] += ", ".join(counts)
    if not is_good(found):
        lines += _faults(server, found)
    return lines


def given_up(found: dict[str, Any]) -> int:
    """Chunks given up after three attempts."""
    return int(found["files_dead_lettered"]) + int(found["chunks"]["dead_lettered"])


def is_good(found: dict[str, Any]) -> bool:
    """Whether every file was read and every game is legal, also if it is unfinished."""
    games = found["games"]
    good = sum(games[name] for name in GOOD) == games["read"] == games["total"]
    return good and not found["files_faulty"] and not given_up(found)


def _faults(server: Server, found: dict[str, Any]) -> list[str]:
    lines = []
    for file in server.get(found["files_url"], params={"page_size": 200}).json()["results"]:
        if file["fault"]:
            lines.append(f"  {file['name']}: {file['fault']['message']}")
    params = {"errors": "true", "page_size": MAX_LINES}
    for game in server.get(found["games_url"], params=params).json()["results"]:
        error = game["error"] or {}
        fields = error.get("message") or f"{len(game['mismatches'])} claims differ"
        place = f"{game['file_name']}:{error.get('line') or game['line']}"
        lines.append(f"  {place}: {game['status']}: {fields}")
    if len(lines) > MAX_LINES:
        lines[MAX_LINES:] = [f"  … all of them: {server.url(urlsplit(found['report_url']).path)}"]
    return ["".join(c if c.isprintable() else "?" for c in line) for line in lines]
