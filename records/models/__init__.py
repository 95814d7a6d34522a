"""The archive's tables: uploads and the work on them, games and what statistics ask of them."""

from records.models.beats import Beat
from records.models.dumps import Dump
from records.models.errands import Errand
from records.models.games import (
    NO_SCORE,
    Deal,
    DealSeat,
    FormerKey,
    Listing,
    Player,
    Record,
    Seat,
    Status,
    YakuMade,
)
from records.models.holdings import Holding, Visibility
from records.models.ratings import Rating, RatingDue, Standing
from records.models.statistics import Rollup, Tallied
from records.models.uploads import (
    Change,
    Chunk,
    PartialUpload,
    SentOnce,
    Submission,
    Upload,
    UploadFile,
    Usage,
)
from records.models.version import Alteration
from records.models.work import Line, Work

__all__ = [
    "NO_SCORE",
    "Alteration",
    "Beat",
    "Change",
    "Chunk",
    "Deal",
    "DealSeat",
    "Dump",
    "Errand",
    "FormerKey",
    "Holding",
    "Line",
    "Listing",
    "PartialUpload",
    "Player",
    "Rating",
    "RatingDue",
    "Record",
    "Rollup",
    "Seat",
    "SentOnce",
    "Standing",
    "Status",
    "Submission",
    "Tallied",
    "Upload",
    "UploadFile",
    "Usage",
    "Visibility",
    "Work",
    "YakuMade",
]
