"""The identifier of the archive's release, a hash of its files.

Public addresses of the archive, and the address of the JavaScript engine.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

import kafu
from kafu.rules.rulesets import RULESETS

_ROOT: Final = Path(__file__).resolve().parents[2]
_LIBRARY: Final = Path(kafu.__file__).resolve().parent
#: Responses depend on these files, but not on tests, tools and uploads.
_PARTS: Final = (
    *(
        _ROOT / part
        for part in ("api", "clubs", "hanaarchive", "locale", "people", "records", "templates")
    ),
    _LIBRARY,
)
_KINDS: Final = frozenset({".py", ".html", ".txt", ".mo", ".svg", ".css", ".js", ".json", ".md"})


def release() -> str:
    """Return 16 characters that change with each file of the archive and the rulesets.

    The characters are part of the keys and ETags of cached responses, since another release may
    respond differently.
    """
    return _hash_files(_PARTS, tuple(RULESETS))


def library() -> str:
    """Return such a hash of the library alone: the exact version of the engine."""
    return _hash_files((_LIBRARY,), tuple(RULESETS))


@cache
def _hash_files(parts: tuple[Path, ...], rulesets: tuple[str, ...]) -> str:
    digest = hashlib.sha256("\0".join(rulesets).encode())
    for part in parts:
        for path in sorted(part.rglob("*")):
            if path.suffix in _KINDS:
                digest.update(f"{path.relative_to(part.parent)}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def absolute(path: str) -> str:
    """Return the absolute URL of a path, by `settings.SITE_URL`: ``absolute("/games/")``."""
    return f"{settings.SITE_URL}{path}"


def find_engine() -> str:
    """Return the address of the JavaScript engine's files, "" if they were not built."""
    return static("kafu/engine/") if finders.find("kafu/engine/engine.json") else ""
