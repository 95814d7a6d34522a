"""Archives -> the files in them: ZIP, gzip and Zstandard, streamed and safe against hostile ones.

Pure: no Django and no rules. The format is recognised by the first bytes, never by the name, and no
name in an archive is ever used as a path. :func:`members` opens one level, :func:`leaves` all.
"""

from records.archives.bounds import Broken, Ended, Limits, Meter
from records.archives.members import MAX_DEPTH, Member, archive_kind, members, shown_path
from records.archives.walk import Leaf, leaves

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
    "shown_path",
]
