"""A judged game: all that judging finds of a piece, made once and written as it is.

In: a piece of a file. Out: a :class:`JudgedGame`, of which storing makes rows. No database here.
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
    """A piece of a file as it was judged; ``number`` and ``line`` are its place there, from 1.

    ``sent`` is the verdict on the piece as it was uploaded: its lines and columns are those of the
    file. ``found`` has the game, its canonical text, what happened in it, and the verdict on that
    text, with lines and columns of its own; it has no game where the piece could not be read.
    """

    number: int
    line: int
    sent: Verdict
    found: Verification
    rows: GameRows | None = None

    @property
    def identity(self) -> str | None:
        """Of the game; None where there is none."""
        return None if self.found.game is None else self.found.verdict.identity


def judge_piece(piece: Piece, source: str = "", *, with_rows: bool = False) -> JudgedGame:
    """Read a piece of the file ``source`` and replay its game, once.

    ``with_rows``: collect the rows of its facts too.
    """
    return _judged(piece, read_piece(piece), source, with_rows=with_rows)


def unread(extent: Extent, fault: Fault, source: str) -> JudgedGame:
    """A piece that nobody reads, for this fault."""
    return _judged(extent, Reading(None, fault), source)


def _judged(
    extent: Extent, reading: Reading, source: str, *, with_rows: bool = False
) -> JudgedGame:
    found = verify(reading, source=source, number=extent.number, line=extent.line, facts=with_rows)
    rows = collect_rows(found) if with_rows else None
    found.facts = None  # They contain states; the games of a chunk would fill the memory.
    return JudgedGame(extent.number, extent.line, found.verdict, found.canonical(), rows)
