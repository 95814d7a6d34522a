"""`hana upload`: sends files in parts (tus 1.0)."""

from __future__ import annotations

import base64
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, Final
from urllib.parse import urlsplit

import requests

from hana import files
from hana.files import FoundFile
from hana.server import Refused, Retries, Server, parse_seconds
from hana.state import Failed, UploadState

TUS: Final = {"Tus-Resumable": "1.0.0"}
#: Prefix of the state of a finished upload.
_RESULT: Final = "done "
#: Number of bytes in a request, which a broken connection loses.
PART: Final = 8 << 20
#: Minimum number of bytes in a request after broken connections. Incomplete parts are lost.
SMALLEST_PART: Final = 256 << 10
#: Seconds for which a request may wait for progress of an upload.
WAIT_SECONDS: Final = 20
#: Statuses of games without a fault.
GOOD: Final = ("verified", "consistent", "unfinished")
#: Counts of games in the result.
STATUSES: Final = (*GOOD, "mismatch", "unsupported", "illegal", "malformed", "duplicates")
#: Maximum number of faults shown after an upload; the report has all.
MAX_LINES: Final = 20


def upload(server: Server, paths: list[str], options: Mapping[str, str]) -> list[str]:
    """Send all files. Return the addresses of the uploads. Raise :class:`Failed`.

    ``options`` are fields of the uploads, ``visibility`` and ``club``; empty ones are left out.
    A second run after an interruption sends only the missing files and parts.
    """
    sent: list[tuple[str, UploadState]] = []
    for batch in files.batches(files.find(paths)):
        try:
            state = UploadState(server.address, (file.path for file in batch), options)
        except OSError as error:
            raise Failed(f"{error.filename}: {error.strerror or error}") from error
        sent.append((_send_batch(server, batch, state, options), state))
    for _url, state in sent:
        state.delete()
    return [url for url, _state in sent]


def _send_batch(
    server: Server, batch: list[FoundFile], state: UploadState, options: Mapping[str, str]
) -> str:
    stored = state.read()
    if stored.startswith(_RESULT) and _exists(server, stored.removeprefix(_RESULT)):
        return stored.removeprefix(_RESULT)
    if len(batch) == 1:
        path = batch[0].path
        with files.open_file(path) as file:
            return send(server, file, path.name, state, options)
    with files.packed(batch) as file:
        return send(server, file, _archive_name(batch), state, options)


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
    server: Server, file: IO[bytes], name: str, state: UploadState, options: Mapping[str, str]
) -> str:
    """Send a file. Return the address of the upload. Raise :class:`Failed` after the last retry."""
    length = file.seek(0, os.SEEK_END)
    path = _find_begun(server, state, length) or _begin(server, name, length, state, options)
    retries = Retries(server)
    size = PART
    with progress(name, "MB") as show:
        response = server.send("HEAD", path, headers=TUS)
        while "Upload-Result" not in response.headers:
            offset = int(response.headers["Upload-Offset"])
            show(offset / 1e6, length / 1e6)
            file.seek(offset)
            response = _send_part(server, path, offset, file.read(size), retries)
            if response.headers.get("Upload-Offset") == str(offset):
                size = min(size, max(SMALLEST_PART, size // 4))
        show(length / 1e6, length / 1e6)
    url = response.headers["Upload-Result"]
    state.write(_RESULT + url)
    return url


@contextmanager
def progress(title: str, unit: str) -> Iterator[Callable[[float, float], None]]:
    """Yield a function that shows the done and total units on standard error, if a terminal."""
    title = _printable(title[-32:])
    is_shown = False

    def show(done: float, total: float) -> None:
        nonlocal is_shown
        if sys.stderr.isatty():
            is_shown = True
            share = done / total if total else 1
            figures = f"{round(done, 1)} of {round(total, 1)} {unit}"
            print(f"\r{title} {share:4.0%}  {figures}\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if is_shown:
            print(file=sys.stderr)


def _begin(
    server: Server, name: str, length: int, state: UploadState, options: Mapping[str, str]
) -> str:
    fields = {"filename": name, **options}
    metadata = ",".join(
        f"{key} {base64.b64encode(value.encode()).decode()}"
        for key, value in fields.items()
        if value
    )
    headers = TUS | {"Upload-Length": str(length), "Upload-Metadata": metadata}
    response = server.send("POST", "uploads/resumable", data=b"", headers=headers)
    path = urlsplit(response.headers["Location"]).path
    state.write(path)
    return path


def _find_begun(server: Server, state: UploadState, length: int) -> str:
    """Return the path of an upload that an earlier run began, if the server still has it."""
    path = state.read()
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
    """Wait until an upload is processed. Return the upload."""
    with progress("reading", "games") as show:
        while True:
            response = server.get(url, params={"wait": WAIT_SECONDS})
            result: dict[str, Any] = response.json()
            if total := result["games"]["total"]:
                show(result["games"]["read"], total)
            if result["state"] == "done":
                return result
            # The server sends Retry-After if too many requests are waiting.
            time.sleep(parse_seconds(response.headers.get("Retry-After", "")))


def describe(server: Server, result: dict[str, Any]) -> list[str]:
    """Return lines about a processed upload, with the first faults and their places."""
    games = result["games"]
    counts = [f"{games[name]} {name}" for name in STATUSES if games[name]]
    failures = ((result["files_faulty"], "files faulty"), (count_given_up(result), "given up"))
    counts += [f"{count} {label}" for count, label in failures if count]
    total = f"{games['read']} game{'' if games['read'] == 1 else 's'}"
    lines = [
        ": ".join((server.url(result["page"]), total, *([", ".join(counts)] if counts else [])))
    ]
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
    return [_printable(line) for line in lines]


def _printable(text: str) -> str:
    """Replace the characters of a text that would move a terminal's cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)
