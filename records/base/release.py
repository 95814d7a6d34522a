"""Identifies the release of the archive by the files that it consists of."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import kafu
from kafu.rules.rulesets import RULESETS

_ROOT: Final = Path(__file__).resolve().parents[2]
_LIBRARY: Final = Path(kafu.__file__).resolve().parent
#: Answers depend on these files; not on tests, tools and uploads.
_PARTS: Final = (
    *(_ROOT / part for part in ("api", "hanaarchive", "locale", "people", "records", "templates")),
    _LIBRARY,
)
_KINDS: Final = frozenset({".py", ".html", ".txt", ".mo", ".svg", ".css", ".js", ".json", ".md"})


def release() -> str:
    """Return 16 characters that change with each file of the archive and the rulesets.

    Keys and ETags of cached responses contain them, because another release may differ.
    """
    return _word(_PARTS, tuple(RULESETS))


def library() -> str:
    """As :func:`release`, of the library alone: the version of the engine to the byte."""
    return _word((_LIBRARY,), tuple(RULESETS))


@cache
def _word(parts: tuple[Path, ...], rulesets: tuple[str, ...]) -> str:
    found = hashlib.sha256("\0".join(rulesets).encode())
    for part in parts:
        for path in sorted(part.rglob("*")):
            if path.suffix in _KINDS:
                found.update(f"{path.relative_to(part.parent)}\0".encode())
                found.update(path.read_bytes())
    return found.hexdigest()[:16]
