"""Names of files in archives: decoding, display, and detection of files without games."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from kafu.notation.stream import encoding as encodings

#: Separator between the name of an archive and the name of a file in the archive.
INSIDE: Final = " › "
#: The name of a file without displayable characters.
NAMELESS: Final = "unnamed"
#: Characters removed from names: controls, and characters that cannot be stored.
UNFIT: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_PACKED: Final = re.compile(r"\.(?:gz|gzip|zst|zstd)$", re.IGNORECASE)
_TAR: Final = re.compile(r"\.t(?:gz|zst)$", re.IGNORECASE)
#: Files and folders added by operating systems and tools (in lower case), like all dot files.
_OF_SYSTEMS: Final = frozenset(
    (
        *("__macosx", "__pycache__", "node_modules", "$recycle.bin", "system volume information"),
        *("desktop.ini", "thumbs.db", "ehthumbs.db", "icon", "lost+found", "@eadir"),
    )
)
#: Names (without suffix) of files about a project.
_ABOUT: Final = frozenset(
    (
        *("authors", "changelog", "changes", "contributing", "copying", "licence", "license"),
        *("makefile", "dockerfile", "news", "notice", "readme"),
    )
)
#: Suffixes of files without games: prose, programs, pictures, sound, fonts.
_SUFFIXES: Final = """
    md markdown rst adoc tex html htm css xml pdf rtf doc docx odt ppt pptx epub
    py pyc pyi ipynb js mjs ts jsx tsx sh bat cmd ps1 c h cc cpp hpp cs java class jar kt go rs rb
    php pl lua swift r sql toml yaml yml cfg conf ini lock exe dll so dylib o a msi lnk url db
    sqlite sqlite3 tmp whl
    png jpg jpeg gif webp heic heif avif bmp tif tiff svg ico psd
    mp3 wav m4a ogg flac mp4 mov avi mkv webm ttf otf woff woff2
"""
_NO_GAMES: Final = frozenset(f".{suffix}" for suffix in _SUFFIXES.split())


def decode_name(name: bytes) -> str:
    """Decode a name with the most likely encoding."""
    for encoding in (encodings.detect_piece_encoding(name), "cp932"):
        try:
            return name.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name.decode("cp437")


def shown_path(path: str) -> str:
    """Return a path in an archive in a form that is safe to show.

    >>> shown_path("..\\\\..//etc/./pass\\x00wd")
    'etc/passwd'
    """
    parts = UNFIT.sub("", path).replace("\\", "/").split("/")
    return (
        "/".join(part for part in map(str.strip, parts) if part not in ("", ".", "..")) or NAMELESS
    )


def unpacked_name(name: str) -> str:
    """Return the name of the file in a packed file, from the name of the packed file."""
    return _TAR.sub(".tar", _PACKED.sub("", PurePosixPath(name.rpartition(INSIDE)[2]).name))


def find_passed_over(path: str) -> str | None:
    """Return the part of a path that is passed over because of its name, or None.

    The part is a file, or a folder with its complete content.

    >>> find_passed_over("a/.git/objects/00"), find_passed_over("a/b.jpg")
    ('a/.git', 'a/b.jpg')
    >>> find_passed_over("a/b.kafu")
    """
    parts = path.split("/")
    for end, part in enumerate(parts, start=1):
        if part.startswith(".") or part.lower() in _OF_SYSTEMS:
            return "/".join(parts[:end])
    file = PurePosixPath(parts[-1].lower())
    is_about = file.stem in _ABOUT and file.suffix in ("", ".txt")
    return path if is_about or file.suffix in _NO_GAMES else None
