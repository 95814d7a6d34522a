"""The archive's tables: uploads and the work on them, games and their statistics.

A model says what its columns mean and which rows go together; what is done with rows, the rooms
above do.
"""

from records.models.analyses import Analysis
from records.models.changes import GameChange
from records.models.dumps import Dump
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
from records.models.insights import (
    InsightColumn,
    InsightName,
    InsightPart,
    InsightProgress,
    InsightSums,
)
from records.models.jobs import Job, Line
from records.models.ownership import Ownership, Visibility
from records.models.ratings import Rating, RatingDue, Standing
from records.models.revisions import Revision
from records.models.situations import SituationGames, SituationPart, SituationProgress
from records.models.statistics import GameTally, Rollup
from records.models.studies import Comment, CommentReport, Study, StudyEntry
from records.models.uploads import (
    Chunk,
    IdempotencyKey,
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
    "FormerKey",
    "GameChange",
    "GameTally",
    "Gone",
    "Heartbeat",
    "IdempotencyKey",
    "InsightColumn",
    "InsightName",
    "InsightPart",
    "InsightProgress",
    "InsightSums",
    "Job",
    "Line",
    "ListedFeature",
    "Listing",
    "Ownership",
    "PartialUpload",
    "Player",
    "Rating",
    "RatingDue",
    "Record",
    "Revision",
    "Rollup",
    "Seat",
    "SituationGames",
    "SituationPart",
    "SituationProgress",
    "Standing",
    "Status",
    "Study",
    "StudyEntry",
    "Submission",
    "Upload",
    "UploadFile",
    "Usage",
    "Visibility",
]
