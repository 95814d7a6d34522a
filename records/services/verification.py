"""Verdicts on games that are not stored, for computing processes (`records.serving.computing`)."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import Any

from kafu.importers import read_piece
from kafu.judging.position import position
from kafu.judging.verify import verify
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream.cut import cut, single
from kafu.notation.stream.extent import Piece
from kafu.rules.verdict import Verdict
from records.base import labels


def cut_games(data: bytes, most: int) -> list[Piece]:
    """Return the games of a text, at most ``most``."""
    return list(islice(cut(BytesIO(data)), most))


def verify_single(data: bytes) -> dict[str, Any] | None:
    """Return the verdict on the only game of a text as `verify_game`; None for several games."""
    piece = single(data)
    return None if piece is None else verify_game(piece)


def verify_game(piece: Piece) -> dict[str, Any]:
    """Verify a game, and return its verdict in the active language.

    The verdict has the form of verdict.md with the place of the fault.
    """
    verification = verify(read_piece(piece), number=piece.number, line=piece.line)
    place = (
        position(verification.game) if verification.verdict.error and verification.game else None
    )
    players = verification.game.players if verification.game else ()
    verdict = labels.verdict(verification.verdict.to_stored(), players)
    return verdict | {"position": place and place.to_json()}


def describe_too_costly(piece: Piece, seconds: float) -> dict[str, Any]:
    """Return the verdict on a game that needs more than ``seconds`` of CPU time."""
    fault = Fault(codes.TOO_COSTLY, piece.line, 1, values={"seconds": round(seconds)})
    verdict = Verdict("malformed", "", piece.number, piece.line, error=fault)
    return labels.verdict(verdict.to_stored(), ()) | {"position": None}
