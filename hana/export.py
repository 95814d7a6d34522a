"""`hana export`: games of the archive as a file, block after block.

An interrupted export resumes where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hana.errors import Failed
from hana.server import Server

#: Games requested at once.
BLOCK: Final = 1_000
FORMS: Final = ("kafu", "ndjson", "csv")
#: Maximum number of keys in a request.
MOST_KEYS: Final = 300


def blocks(
    server: Server, path: str, query: Mapping[str, Any], after: str = ""
) -> Iterator[tuple[bytes, str]]:
    """Each block, and the address of the next, "" at the end.

    ``after``: such an address, to resume there. Raises :class:`hana.errors.Failed`.
    """
    following = after
    while True:
        answer = server.get(following) if following else server.get(path, params=query)
        following = answer.links.get("next", {}).get("url", "")
        yield answer.content, following
        if not following:
            return


def by_keys(server: Server, query: Mapping[str, Any], keys: list[str]) -> bytes:
    """The games with these keys. Raises :class:`hana.errors.Failed`, also if one is missing."""
    answer = server.get("records/export", params={**query, "keys": ",".join(keys)})
    if missing := answer.headers.get("Missing-Keys"):
        raise Failed(f"there is no {missing.replace(',', ', ')}, or it is not yours to see")
    return answer.content


def save(server: Server, path: str, query: Mapping[str, Any], target: Path) -> None:
    """Write all blocks into a file, which appears when it is complete.

    Until then ``<name>.part`` grows, and ``<name>.part.json`` says how far it is valid. Raises
    :class:`hana.errors.Failed`.
    """
    draft = target.with_name(f"{target.name}.part")
    note = target.with_name(f"{target.name}.part.json")
    identity = json.dumps([server.address, path, query], sort_keys=True)
    mark = hashlib.sha256(identity.encode()).hexdigest()
    try:
        after, size = _noted(note, draft, mark)
        with draft.open("r+b" if size else "wb") as file:
            file.truncate(size)
            file.seek(size)
            for data, following in blocks(server, path, query, after):
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                state = {"asked": mark, "after": following, "bytes": file.tell()}
                note.write_text(json.dumps(state))
        draft.replace(target)
        note.unlink(missing_ok=True)
    except OSError as error:
        raise Failed(f"{target}: {error.strerror or error}") from error


def _noted(note: Path, draft: Path, mark: str) -> tuple[str, int]:
    """Where to resume, and the number of valid bytes: nothing for another query."""
    try:
        state = json.loads(note.read_text())
        if state["asked"] == mark and state["after"] and state["bytes"] <= draft.stat().st_size:
            return str(state["after"]), int(state["bytes"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # no state, or an unusable one
    return "", 0
