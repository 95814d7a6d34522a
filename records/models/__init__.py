"""The archive's tables: uploads and their jobs, games and their statistics.

A model documents columns and constraints; other packages contain the operations on rows.
"""

from records.models.analyses import Analysis
from records.models.changes import GameChange
from records.models.dumps import Dump
from records.models.facts import EventName, FactPart, StaleFacts
from records.models.games import (
    NO_SCORE,
    FormerKey,
    Gone,
    ListedFeature,
    Listing,
    Player,
    Record,
    Seat,
    Status,
)
from records.models.heartbeats import Heartbeat
from records.models.jobs import Job, Line
from records.models.ownership import Ownership, Visibility
from records.models.ratings import RatedGames, Rating
from records.models.revisions import Revision
from records.models.studies import Comment, CommentReport, Study, StudyEntry
from records.models.uploads import (
    Chunk,
    IdempotencyKey,
    ObjectDraft,
    PartialUpload,
    Submission,
    Upload,
    UploadFile,
    Usage,
)

__all__ = [
    "NO_SCORE",
    "Analysis",
    "Chunk",
    "Comment",
    "CommentReport",
    "Dump",
    "EventName",
    "FactPart",
    "FormerKey",
    "GameChange",
    "Gone",
    "Heartbeat",
    "IdempotencyKey",
    "Job",
    "Line",
    "ListedFeature",
    "Listing",
    "ObjectDraft",
    "Ownership",
    "PartialUpload",
    "Player",
    "RatedGames",
    "Rating",
    "Record",
    "Revision",
    "Seat",
    "StaleFacts",
    "Status",
    "Study",
    "StudyEntry",
    "Submission",
    "Upload",
    "UploadFile",
    "Usage",
    "Visibility",
]
