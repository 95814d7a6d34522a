"""One level of an archive: its files one after the other, each read before the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO, Final
from zipfile import ZipInfo

from kafu.notation import codes
from kafu.notation.stream import encoding as encodings
from records.archives.bounds import Ended, Meter
from records.archives.frames import Frames
from records.archives.zips import Zip, name_of

#: Depth of nested archives that are opened: one, and one in it.
MAX_DEPTH: Final = 2
KINDS: Final = ("zip", "gzip", "zstd")
#: Separator between the name of an archive and that of a file in it.
INSIDE: Final = " › "
#: The name of a file whose name cannot be shown.
NAMELESS: Final = "unnamed"
_SUFFIX: Final = re.compile(r"\.(gz|gzip|zst|zstd)$", re.IGNORECASE)
#: Characters removed from names: they have effects, or cannot be stored.
UNFIT: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: its name, safe to show, and its bytes in chunks.

    The chunks must be read before the next member is requested; reading them raises
    :class:`records.archives.Broken` if the file cannot be read whole.
    """

    name: str
    chunks: Iterator[bytes]


def archive_kind(head: bytes) -> str | None:
    """The format of an archive that begins with ``head``: "zip", "gzip", "zstd", or None."""
    kind = encodings.compression(head)
    return kind if kind in KINDS else None


def members(stream: BinaryIO, kind: str, meter: Meter, *, name: str = "") -> Iterator[Member]:
    """The files of the archive ``stream``; a ZIP must be seekable. ``name`` is the archive's own.

    Folders and hidden files are left out: ``.DS_Store``, ``__MACOSX/…``. Raises
    :class:`records.archives.Ended` if the archive cannot be read further.
    """
    if kind != "zip":
        meter.admit()
        frames = Frames(stream, kind)
        inner = _SUFFIX.sub("", PurePosixPath(name.rpartition(INSIDE)[2]).name)
        yield Member(inner, meter.measured(iter(frames), lambda: frames.taken))
        return
    archive = Zip(stream, meter.limits)
    is_empty = True
    for entry in archive.entries:
        shown = shown_path(name_of(entry))
        if _is_hidden(shown):
            continue
        meter.admit()
        is_empty = False
        yield Member(shown, meter.measured(archive.read(entry), _cost(entry)))
    if is_empty:
        raise Ended(codes.ARCHIVE_EMPTY)


def _cost(entry: ZipInfo) -> Callable[[], int]:
    return lambda: entry.compress_size


def _is_hidden(path: str) -> bool:
    parts = path.split("/")
    return parts[0] == "__MACOSX" or any(part.startswith(".") for part in parts)


def shown_path(written: str) -> str:
    """A path of an archive, made safe to show. It is never used as a path.

    >>> shown_path("..\\\\..//etc/./pass\\x00wd")
    'etc/passwd'
    """
    parts = UNFIT.sub("", written).replace("\\", "/").split("/")
    return (
        "/".join(part for part in map(str.strip, parts) if part not in ("", ".", "..")) or NAMELESS
    )
