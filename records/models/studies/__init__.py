"""Studies, bookmarks and comments on steps of games."""

from records.models.studies.comments import COMMENT_LENGTH, REASON_LENGTH, Comment, CommentReport
from records.models.studies.study import AT, NOTE, NOTES, THEN, TITLE, Study, StudyEntry

__all__ = [
    "AT",
    "COMMENT_LENGTH",
    "NOTE",
    "NOTES",
    "REASON_LENGTH",
    "THEN",
    "TITLE",
    "Comment",
    "CommentReport",
    "Study",
    "StudyEntry",
]
