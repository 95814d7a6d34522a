"""Judging of the pieces of a file: each piece is read, and the game is replayed once.

This module does not use the database; `records.ingest.storing` writes the rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from kafu.importers import read_piece
from kafu.judging.verify import Verification, verify
from kafu.notation.faults import Fault
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.extent import Extent, Piece
from kafu.rules.verdict import Verdict
from records.facts.rows import GameRows, collect_rows


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A judged piece of a file.

    ``number`` and ``line`` are the place in the file, from 1. ``sent`` is the verdict on the piece
    as uploaded, with lines and columns of the file. ``canonical`` is the verification of the
    canonical text, with lines and columns of the canonical text, and without a game if the piece
    could not be read. ``rows`` are the facts of the game, if requested.
    """

    number: int
    line: int
    sent: Verdict
    canonical: Verification
    rows: GameRows | None = None

    @property
    def identity(self) -> str | None:
        """The identity of the game, or None if there is no game."""
        return None if self.canonical.game is None else self.canonical.verdict.identity


def judge_piece(piece: Piece, source: str = "", *, with_rows: bool = False) -> JudgedGame:
    """Read a piece of the file ``source`` and replay the game.

    With ``with_rows``, collect the rows of facts too.
    """
    return _judged(piece, read_piece(piece), source, with_rows=with_rows)


def judge_unread(extent: Extent, fault: Fault, source: str) -> JudgedGame:
    """Return the judgement on a piece that is not read because of a fault."""
    return _judged(extent, Reading(None, fault), source)


def _judged(
    extent: Extent, reading: Reading, source: str, *, with_rows: bool = False
) -> JudgedGame:
    sent = verify(reading, source=source, number=extent.number, line=extent.line, facts=with_rows)
    rows = collect_rows(sent) if with_rows else None
    sent.facts = None  # Facts refer to states of the table and need much memory.
    return JudgedGame(extent.number, extent.line, sent.verdict, sent.canonical(), rows)
