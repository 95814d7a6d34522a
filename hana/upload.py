"""`hana upload`: sends files in parts (tus 1.0)."""

from __future__ import annotations

import base64
import os
import time
from typing import IO, Any, Final
from urllib.parse import urlsplit

import requests

from hana import files
from hana.files import FoundFile
from hana.progress import Bar, status
from hana.server import Refused, Retries, Server
from hana.state import Failed, UploadState

TUS: Final = {"Tus-Resumable": "1.0.0"}
#: Prefix of the state of a finished upload.
_RESULT: Final = "done "
#: Number of bytes in a request, which a broken connection loses.
PART: Final = 8 << 20
#: Minimum number of bytes in a request after broken connections. Incomplete parts are lost.
SMALLEST_PART: Final = 256 << 10
#: Seconds between two polls of an upload that is being processed.
POLL_SECONDS: Final = 0.5
MAX_POLL_SECONDS: Final = 5.0
#: Statuses of games without a fault.
GOOD: Final = ("verified", "consistent", "unfinished")
#: Maximum number of faults shown after an upload; the report has all.
MAX_LINES: Final = 20


def upload(server: Server, paths: list[str], visibility: str = "public") -> list[str]:
    """Send all files. Return the addresses of the uploads. Raise :class:`Failed`.

    A second run after an interruption sends only the missing files and parts.
    """
    sent: list[tuple[str, UploadState]] = []
    for batch in files.batches(files.find(paths)):
        try:
            state = UploadState(server.address, (file.path for file in batch), visibility)
        except OSError as error:
            raise Failed(f"{error.filename}: {error.strerror or error}") from error
        sent.append((_send_batch(server, batch, state, visibility), state))
    for _url, state in sent:
        state.delete()
    return [url for url, _state in sent]


def _send_batch(server: Server, batch: list[FoundFile], state: UploadState, visibility: str) -> str:
    stored = state.read()
    if stored.startswith(_RESULT) and _exists(server, stored.removeprefix(_RESULT)):
        return stored.removeprefix(_RESULT)
    if len(batch) == 1:
        path = batch[0].path
        with files.open_file(path) as file:
            return send(server, file, path.name, state, visibility)
    with files.packed(batch) as file:
        return send(server, file, _archive_name(batch), state, visibility)


def _exists(server: Server, url: str) -> bool:
    try:
        server.get(url)
    except Refused:
        return False
    return True


def _archive_name(batch: list[FoundFile]) -> str:
    """Return a name for an archive of files, from their common folder if there is one."""
    folders = {file.name.split("/")[0] for file in batch}
    return f"{folders.pop() if len(folders) == 1 else 'games'}.zip"


def send(
    server: Server,
    file: IO[bytes],
    name: str,
    state: UploadState | None = None,
    visibility: str = "public",
) -> str:
    """Send a file. Return the address of the upload. Raise :class:`Failed` after the last retry."""
    length = file.seek(0, os.SEEK_END)
    path = _find_begun(server, state, length) or _begin(server, name, length, state, visibility)
    retries = Retries(server)
    size = PART
    with Bar(name, length) as bar:
        response = server.send("HEAD", path, headers=TUS)
        while "Upload-Result" not in response.headers:
            offset = int(response.headers["Upload-Offset"])
            bar.at(offset)
            file.seek(offset)
            response = _send_part(server, path, offset, file.read(size), retries)
            if response.headers.get("Upload-Offset") == str(offset):
                size = min(size, max(SMALLEST_PART, size // 4))
        bar.at(length)
    url = response.headers["Upload-Result"]
    if state is not None:
        state.write(_RESULT + url)
    return url


def _begin(
    server: Server, name: str, length: int, state: UploadState | None, visibility: str
) -> str:
    fields = {"filename": name, "visibility": visibility}
    metadata = ",".join(
        f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in fields.items()
    )
    headers = TUS | {"Upload-Length": str(length), "Upload-Metadata": metadata}
    response = server.send("POST", "uploads/resumable", data=b"", headers=headers)
    path = urlsplit(response.headers["Location"]).path
    if state is not None:
        state.write(path)
    return path


def _find_begun(server: Server, state: UploadState | None, length: int) -> str:
    """Return the path of an upload that an earlier run began, if the server still has it."""
    path = state.read() if state is not None else ""
    if not path or path.startswith(_RESULT):
        return ""
    try:
        response = server.send("HEAD", path, headers=TUS)
    except Refused:
        return ""
    return path if response.headers.get("Upload-Length") == str(length) else ""


def _send_part(
    server: Server, path: str, offset: int, data: bytes, retries: Retries
) -> requests.Response:
    """Send a part. Return a response with the current offset, which may be unchanged."""
    headers = TUS | {
        "Upload-Offset": str(offset),
        "Content-Type": "application/offset+octet-stream",
    }
    try:
        response = server.send_once("PATCH", path, data=data, headers=headers)
    except (Refused, requests.RequestException) as error:
        if not (isinstance(error, Refused) and error.status == 409):
            retries.wait(error)
        response = server.send("HEAD", path, headers=TUS)
        if int(response.headers["Upload-Offset"]) > offset:
            retries.reset()
        return response
    retries.reset()
    return response


def wait(server: Server, url: str) -> dict[str, Any]:
    """Poll an upload until it is processed. Return the upload."""
    pause = POLL_SECONDS
    total = 0
    bar: Bar | None = None
    while True:
        result: dict[str, Any] = server.get(url).json()
        games = result["games"]
        if bar is None and games["total"]:
            total = games["total"]
            bar = Bar("reading", total, "games")
        if bar is not None:
            bar.at(games["read"])
        if result["state"] == "done":
            if bar is not None:
                bar.__exit__(None, None, None)
            return result
        time.sleep(pause)
        pause = min(MAX_POLL_SECONDS, pause * 1.2)


def describe(server: Server, result: dict[str, Any]) -> list[str]:
    """Return lines about a processed upload, with the first faults and their places."""
    games = result["games"]
    statuses = ("verified", "consistent", "unfinished", "mismatch", "unsupported", "illegal")
    counts = [
        f"{games[name]} {status(name)}"
        for name in (*statuses, "malformed", "duplicates")
        if games.get(name)
    ]
    failures = ((result["files_faulty"], "files faulty"), (count_given_up(result), "given up"))
    counts += [f"{count} {label}" for count, label in failures if count]
    lines = [f"{server.url(result['page'])}: {games['read']} games" + (": " if counts else "")]
    lines[0] += ", ".join(counts)
    if not is_good(result):
        lines += _faults(server, result)
    return lines


def count_given_up(result: dict[str, Any]) -> int:
    """Return the number of files and chunks given up after three attempts."""
    return int(result["files_dead_lettered"]) + int(result["chunks"]["dead_lettered"])


def is_good(result: dict[str, Any]) -> bool:
    """Return whether every file was read and no game has a fault."""
    games = result["games"]
    are_good = sum(games[name] for name in GOOD) == games["read"] == games["total"]
    return are_good and not result["files_faulty"] and not count_given_up(result)


def _faults(server: Server, result: dict[str, Any]) -> list[str]:
    lines = []
    for file in server.get(result["files_url"], params={"page_size": 200}).json()["results"]:
        if file["fault"]:
            lines.append(f"  {file['name']}: {file['fault']['message']}")
    params = {"errors": "true", "page_size": MAX_LINES}
    for game in server.get(result["games_url"], params=params).json()["results"]:
        error = game["error"] or {}
        fields = error.get("message") or f"{len(game['mismatches'])} claims differ"
        place = f"{game['file_name']}:{error.get('line') or game['line']}"
        lines.append(f"  {place}: {game['status']}: {fields}")
    if len(lines) > MAX_LINES:
        lines[MAX_LINES:] = [f"  … all of them: {server.url(urlsplit(result['report_url']).path)}"]
    return ["".join(c if c.isprintable() else "?" for c in line) for line in lines]
