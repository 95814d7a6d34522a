"""`hana export`: games of the archive as a file, fetched in blocks. Interrupted exports resume."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hana.server import Server
from hana.state import Failed

#: Number of games in a request.
BLOCK: Final = 1_000


def blocks(
    server: Server, path: str, query: Mapping[str, Any], after: str = ""
) -> Iterator[tuple[bytes, str]]:
    """Yield each block with the address of the next block, "" at the end.

    Resume at the address ``after``, if given. Raise :class:`hana.state.Failed`.
    """
    following = after
    while True:
        response = server.get(following) if following else server.get(path, params=query)
        following = response.links.get("next", {}).get("url", "")
        yield response.content, following
        if not following:
            return


def save(server: Server, path: str, query: Mapping[str, Any], target: Path) -> None:
    """Write all blocks into a file, which appears when it is complete.

    Before, ``<name>.part`` contains the data, and ``<name>.part.json`` the number of valid bytes.
    Raise :class:`hana.state.Failed`.
    """
    draft = target.with_name(f"{target.name}.part")
    note = target.with_name(f"{target.name}.part.json")
    identity = json.dumps([server.address, path, query], sort_keys=True)
    query_hash = hashlib.sha256(identity.encode()).hexdigest()
    try:
        after, size = _read_note(note, draft, query_hash)
        with draft.open("r+b" if size else "wb") as file:
            file.truncate(size)
            file.seek(size)
            for data, following in blocks(server, path, query, after):
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                state = {"query": query_hash, "after": following, "bytes": file.tell()}
                note.write_text(json.dumps(state))
        draft.replace(target)
        note.unlink(missing_ok=True)
    except OSError as error:
        raise Failed(f"{target}: {error.strerror or error}") from error


def _read_note(note: Path, draft: Path, query_hash: str) -> tuple[str, int]:
    """Return the address to resume at and the number of valid bytes, or "" and 0 for none."""
    try:
        state = json.loads(note.read_text())
        is_same = state["query"] == query_hash and state["bytes"] <= draft.stat().st_size
        if is_same and state["after"]:
            return str(state["after"]), int(state["bytes"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # the state is missing or unusable
    return "", 0
