"""Identifies the release of the archive by the files that it consists of."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import kafu
from kafu.rules.rulesets import RULESETS

_ROOT: Final = Path(__file__).resolve().parents[2]
#: Answers depend on these files; not on tests, tools and uploads.
_PARTS: Final = (
    *(_ROOT / part for part in ("api", "hanaarchive", "locale", "people", "records", "templates")),
    Path(kafu.__file__).resolve().parent,
)
_KINDS: Final = frozenset({".py", ".html", ".txt", ".mo", ".svg", ".css", ".js", ".json"})


def release() -> str:
    """A word of 16 characters that changes with every file of the archive and with the registered
    rulesets.

    It is part of keys and ETags of cached answers: another release may answer otherwise.
    """
    return _release(tuple(RULESETS))


@cache
def _release(rulesets: tuple[str, ...]) -> str:
    found = hashlib.sha256("\0".join(rulesets).encode())
    for part in _PARTS:
        for path in sorted(part.rglob("*")):
            if path.suffix in _KINDS:
                found.update(f"{path.relative_to(part.parent)}\0".encode())
                found.update(path.read_bytes())
    return found.hexdigest()[:16]
