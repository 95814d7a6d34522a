"""The archive's tables: uploads and jobs, games and statistics.

A model documents columns and constraints; other packages contain the operations on rows.
"""

from records.models.facts import Dump, EventName, FactPart, RatedGames, Rating, Revision, StaleFacts
from records.models.games import (
    NO_SCORE,
    FormerKey,
    GameChange,
    Gone,
    ListedFeature,
    Listing,
    Ownership,
    Player,
    Record,
    Seat,
    Status,
    Visibility,
)
from records.models.jobs import Heartbeat, Job, Line
from records.models.problems import Problem, ProblemAnswer
from records.models.studies import Analysis, Comment, CommentReport, Study, StudyEntry
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
    "Problem",
    "ProblemAnswer",
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
