"""Read files in archives (ZIP, tar, gzip and Zstandard), streamed and with limits.

Formats are recognised by the first bytes, never by the name, and names in archives are never used
as paths. :func:`members` opens one level, :func:`leaves` opens all levels, and :func:`pieces` finds
games in all files.
"""

from kafu.archives.bounds import Broken, Ended, Limits, Meter
from kafu.archives.members import (
    MAX_DEPTH,
    Leaf,
    Member,
    archive_kind,
    leaves,
    members,
    pieces,
)
from kafu.archives.names import shown_path

__all__ = [
    "MAX_DEPTH",
    "Broken",
    "Ended",
    "Leaf",
    "Limits",
    "Member",
    "Meter",
    "archive_kind",
    "leaves",
    "members",
    "pieces",
    "shown_path",
]
