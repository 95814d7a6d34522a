"""Archives -> the files in them: ZIP, tar, gzip and Zstandard, streamed and within bounds.

No rules here. The format is recognised by the first bytes, never by the name, and no
name in an archive is ever used as a path. :func:`members` opens one level, :func:`leaves` all,
:func:`pieces` finds the games in them.
"""

from kafu.archives.bounds import Broken, Ended, Limits, Meter
from kafu.archives.members import MAX_DEPTH, Member, archive_kind, begin, members
from kafu.archives.names import shown_path
from kafu.archives.walk import Leaf, leaves, pieces

__all__ = [
    "MAX_DEPTH",
    "Broken",
    "Ended",
    "Leaf",
    "Limits",
    "Member",
    "Meter",
    "archive_kind",
    "begin",
    "leaves",
    "members",
    "pieces",
    "shown_path",
]
