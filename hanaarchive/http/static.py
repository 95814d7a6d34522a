"""Static files, served from the sources, with compressed copies in the var directory.

The documentation site is served as it was built (scripts/documentation).
"""

import gzip
import os
import re
import tempfile
from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

from django.conf import settings
from whitenoise.base import MissingFileError
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

#: Types that compress well; pictures and most fonts are already compressed.
_COMPRESSED = frozenset({".css", ".html", ".js", ".json", ".mjs", ".svg", ".wasm"})
_OWN = settings.BASE_DIR / "records/static"
#: Comments that fill whole lines: a fifth of the compressed bytes of our modules and style sheets.
_COMMENT = re.compile(rb"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n|^[ \t]*//[^\n]*\n", re.M | re.S)


class CompressedFiles(WhiteNoiseMiddleware):
    """WhiteNoise with compression at start instead of a separate build step."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if settings.DOCUMENTATION.is_dir():
            self.add_files(settings.DOCUMENTATION, prefix=settings.DOCUMENTATION_URL)

    def get_static_file(self, path: str, url: str, stat_cache: Any = None) -> StaticFile:
        """Return a file with headers and the compressed copy. Raise MissingFileError."""
        if not Path(path).exists():
            raise MissingFileError(path)
        headers = Headers([])
        self.add_mime_headers(headers, path, url)
        self.add_cache_headers(headers, path, url)
        headers["Access-Control-Allow-Origin"] = "*"  # for the player on pages of other sites
        copy = settings.VAR_DIR / "static" / f"{url.lstrip('/')}.gz"
        if not _compress(Path(path), copy):
            return StaticFile(path, headers.items())
        return StaticFile(path, headers.items(), encodings={"gzip": str(copy)})


def _compress(source: Path, copy: Path) -> bool:
    """Make or update the compressed copy of a text. Return whether a copy exists.

    The copy has the modification time of the source. Processes started together may both write the
    copy. Copies of our own scripts and style sheets lack comments.
    """
    if source.suffix not in _COMPRESSED:
        return False
    time = source.stat().st_mtime_ns
    try:
        if copy.exists() and copy.stat().st_mtime_ns == time:
            return True
        copy.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=copy.parent, delete=False) as draft:
            text = source.read_bytes()
            if source.is_relative_to(_OWN) and "vendor" not in source.parts:
                text = strip_comments(text)
            draft.write(gzip.compress(text, mtime=0))
        os.utime(draft.name, ns=(time, time))
        Path(draft.name).replace(copy)
    except OSError:
        return False  # The disk is full or read-only: serve the file uncompressed.
    return True


def strip_comments(text: bytes) -> bytes:
    """Return a script or style sheet without the comments that fill whole lines."""
    return _COMMENT.sub(b"", text)
