"""Fair turns: the work of one sender does not keep that of others waiting.

Each row of work has a turn, given when it is written, and workers take the row with the lowest
(:func:`records.work.ledger.take`). The time of turns is work: the turn of a row is that of its
sender's row before, or the highest that was taken so far if that is later, plus what the row costs
(self-clocked fair queueing). So the rows of a huge upload are far apart, a sender who comes now is
next after the row at hand, and of several who wait each gets the same share.

A sender has two lines, one for small uploads and one for large: his own large one does not keep
a small one waiting either.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db.models.functions import Greatest

from records.base import clock
from records.models import Change, Chunk, Line, Upload, UploadFile, Work

#: Bytes of a chunk that are as much work as a game of usual length.
GAME_BYTES: Final = 4 << 10
#: Bytes of a file that are cut, or unpacked, in the time of a game.
FILE_BYTES: Final = 1 << 20
#: What a worker does for a change of visibility before it looks after other work, in games.
CHANGE_COST: Final = 200
#: How the names of lines of large uploads end.
BULK: Final = " bulk"


def line_up(upload: Upload, rows: Sequence[UploadFile | Chunk | Change]) -> None:
    """Give rows that are about to be written their turns, and the moment from which they are due.

    Part of the transaction that writes them: until its end no other rows of the sender are lined
    up. Rows that are done already are left as they are.
    """
    open_rows = [row for row in rows if row.state in Work.OPEN]
    if not open_rows:
        return
    # Who may see games is not to wait until the owner's next large upload is read.
    is_bulk = upload.bulk and not isinstance(open_rows[0], Change)
    name = f"{upload.sender}{BULK if is_bulk else ''}"
    line, _made = Line.objects.select_for_update(no_key=True).get_or_create(name=name)
    turn, moment = max(line.last, current()), clock.now()
    for row in open_rows:
        turn += cost(row)
        row.turn, row.ready_at = turn, moment
    line.last = turn
    line.save(update_fields=["last"])


def cost(row: UploadFile | Chunk | Change) -> int:
    """About how much work a row is; 1 is a game of usual length."""
    if isinstance(row, UploadFile):
        return 1 + row.size // FILE_BYTES
    if isinstance(row, Chunk):
        return max(1, row.games, row.length // GAME_BYTES)
    return CHANGE_COST


def current() -> int:
    """The highest turn that was taken so far."""
    return Line.objects.filter(name=Line.TAKEN).values_list("last", flat=True).first() or 0


def advance(turn: int, moment: datetime) -> None:
    """Note that a row with this turn is taken now; part of the short transaction that takes it."""
    taken = Line.objects.filter(name=Line.TAKEN)
    if not taken.update(last=Greatest("last", turn), at=moment):
        Line.objects.get_or_create(name=Line.TAKEN, defaults={"last": turn, "at": moment})


def taken_since(moment: datetime) -> bool:
    """Whether any worker took a row after this moment."""
    return Line.objects.filter(name=Line.TAKEN, at__gt=moment).exists()


def tidy() -> int:
    """Forget senders who have no claim to a later turn than others; returns how many."""
    idle = Line.objects.filter(last__lte=current()).exclude(name=Line.TAKEN)
    return idle.delete()[0]


def forget() -> None:
    """All work was taken back: nobody is behind anybody."""
    Line.objects.exclude(name=Line.TAKEN).delete()
