"""The archive's tables: uploads and the work on them, games and what statistics ask of them."""

from records.models.beats import Beat
from records.models.games import (
    NO_SCORE,
    Deal,
    DealSeat,
    Listing,
    Player,
    Record,
    Seat,
    Status,
    YakuMade,
)
from records.models.holdings import Holding, Visibility
from records.models.uploads import Chunk, PartialUpload, SentOnce, Submission, Upload, UploadFile
from records.models.work import Work

__all__ = [
    "NO_SCORE",
    "Beat",
    "Chunk",
    "Deal",
    "DealSeat",
    "Holding",
    "Listing",
    "PartialUpload",
    "Player",
    "Record",
    "Seat",
    "SentOnce",
    "Status",
    "Submission",
    "Upload",
    "UploadFile",
    "Visibility",
    "Work",
    "YakuMade",
]
