"""The archive's tables: uploads and the work on them, games and what statistics ask of them."""

from records.models.games import Deal, DealSeat, Player, Record, Seat, Status, YakuMade
from records.models.uploads import Chunk, Submission, Upload, UploadFile
from records.models.work import Work

__all__ = [
    "Chunk",
    "Deal",
    "DealSeat",
    "Player",
    "Record",
    "Seat",
    "Status",
    "Submission",
    "Upload",
    "UploadFile",
    "Work",
    "YakuMade",
]
