"""Fair turns: the work of one sender does not delay that of others.

Each job has a turn, given when it is enqueued, and workers claim the job with the lowest
(:func:`records.work.ledger.take`). The time of turns is work: the turn of a job is that of its
sender's job before, or the highest that was claimed so far if that is later, plus what the job
costs (self-clocked fair queueing). So the jobs of a huge upload are far apart, a new sender is next
after the current job, and of several waiting senders each gets the same share.

A sender has two lines, one for small uploads and one for large: their own large one does not delay
a small one either. Jobs of no upload are lined up by their kind, and by the sender that their
parameters name.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db.models.functions import Greatest

from records.base import clock
from records.models import Job, Line, Upload
from records.work.kinds import kind_of

#: The suffix of names of lines of large uploads.
BULK: Final = " bulk"
#: The parameter of a job of no upload that names its sender (`records.serving.senders.hashed`).
SENDER: Final = "sender"


def line_up(jobs: Sequence[Job], costs: Sequence[int], upload: Upload | None = None) -> None:
    """Give jobs of one kind that are about to be written their turns, due from now on.

    Part of the transaction that writes them: until its end no other jobs of the sender are lined
    up. ``costs``: about how much work each is; 1 is a game of usual length.
    """
    if not jobs:
        return
    name = _line(jobs[0], upload)
    line, _made = Line.objects.select_for_update(no_key=True).get_or_create(name=name)
    turn, moment = max(line.last, current()), clock.now()
    for job, cost in zip(jobs, costs, strict=True):
        turn += cost
        job.turn, job.due_at = turn, moment
    line.last = turn
    line.save(update_fields=["last"])


def _line(job: Job, upload: Upload | None) -> str:
    if upload is None:
        return f"{job.params.get(SENDER, '')} {job.kind} jobs".lstrip()
    return f"{upload.sender}{BULK if upload.bulk and kind_of(job.kind).bulk else ''}"


def current() -> int:
    """The highest turn that was claimed so far."""
    return Line.objects.filter(name=Line.CLAIMED).values_list("last", flat=True).first() or 0


def advance(turn: int, moment: datetime) -> None:
    """Record that a job with this turn is claimed now; part of the transaction that claims it."""
    claimed = Line.objects.filter(name=Line.CLAIMED)
    if not claimed.update(last=Greatest("last", turn), at=moment):
        Line.objects.get_or_create(name=Line.CLAIMED, defaults={"last": turn, "at": moment})


def claimed_since(moment: datetime) -> bool:
    """Whether any worker claimed a job after this moment."""
    return Line.objects.filter(name=Line.CLAIMED, at__gt=moment).exists()


def tidy() -> int:
    """Remove senders without claims to a later turn than others; returns how many."""
    idle = Line.objects.filter(last__lte=current()).exclude(name=Line.CLAIMED)
    return idle.delete()[0]


def forget() -> None:
    """Reset all turns, after all work was removed."""
    Line.objects.exclude(name=Line.CLAIMED).delete()
