"""Archives -> the files in them: ZIP, gzip and Zstandard, streamed, hostile ones included.

Pure: no Django and no rules. What an archive is shows in its first bytes, never in its name, and no
name in it is ever used as a path. :func:`members` opens one level, :func:`leaves` all that may be.
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
