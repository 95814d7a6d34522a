"""Which release of the archive this is, by what it is made of."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import kafu
from kafu.rules.rulesets import RULESETS

_ROOT: Final = Path(__file__).resolve().parents[2]
_LIBRARY: Final = Path(kafu.__file__).resolve().parent
#: What answers are made from. Tests, tools and what people uploaded are no part of it.
_PARTS: Final = (
    *(_ROOT / part for part in ("api", "hanaarchive", "locale", "people", "records", "templates")),
    _LIBRARY,
)
_KINDS: Final = frozenset({".py", ".html", ".txt", ".mo", ".svg", ".css", ".js", ".json"})


def release() -> str:
    """A word of 16 characters that is another one whenever a file of the archive is, or which
    rulesets are registered.

    Answers that were made before may be made otherwise now: their keys and ETags have it.
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
