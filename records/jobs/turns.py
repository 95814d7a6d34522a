"""Fair turns: the jobs of one sender do not delay the jobs of others.

Each job has a turn, assigned when it is enqueued, and workers claim the job with the lowest turn
(:func:`records.jobs.ledger.take`). Turns count work: the turn of a job is the turn of the sender's
previous job, or the highest claimed turn if that is later, plus the weight of the job (self-clocked
fair queueing). Thus the jobs of a huge upload are far apart, a new sender is next after the current
job, and several waiting senders get equal shares.

A sender has two lines, for small and for large uploads, so that a large upload does not delay a
small one of the same sender. Jobs without an upload are lined up by kind, and by the sender in
the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db.models.functions import Greatest

from records.base import clock
from records.jobs.kinds import kind_of
from records.models import Job, Line, Upload

#: The suffix of names of lines of large uploads.
BULK: Final = " bulk"
#: The parameter of a job without an upload that names its sender
#: (`records.serving.senders.hashed`).
SENDER: Final = "sender"


def line_up(jobs: Sequence[Job], weights: Sequence[int], upload: Upload | None = None) -> None:
    """Assign turns to new jobs of one kind, due now.

    Call it in the transaction that writes the jobs. Other jobs of the sender wait until its end.
    ``weights``: the approximate work of each job; 1 is a game of usual length.
    """
    if not jobs:
        return
    name = _name_line(jobs[0], upload)
    line, _is_new = Line.objects.select_for_update(no_key=True).get_or_create(name=name)
    turn, moment = max(line.last, current()), clock.now()
    for job, weight in zip(jobs, weights, strict=True):
        turn += weight
        job.turn, job.due_at = turn, moment
    line.last = turn
    line.save(update_fields=["last"])


def _name_line(job: Job, upload: Upload | None) -> str:
    if upload is None:
        return f"{job.params.get(SENDER, '')} {job.kind} jobs".lstrip()
    return f"{upload.sender}{BULK if upload.bulk and kind_of(job.kind).bulk else ''}"


def current() -> int:
    """Return the highest turn claimed so far."""
    return Line.objects.filter(name=Line.CLAIMED).values_list("last", flat=True).first() or 0


def advance(turn: int, moment: datetime) -> None:
    """Record a claimed turn, inside the claiming transaction."""
    claimed = Line.objects.filter(name=Line.CLAIMED)
    if not claimed.update(last=Greatest("last", turn), at=moment):
        Line.objects.get_or_create(name=Line.CLAIMED, defaults={"last": turn, "at": moment})


def claimed_since(moment: datetime) -> bool:
    """Return whether any worker claimed a job after a moment."""
    return Line.objects.filter(name=Line.CLAIMED, at__gt=moment).exists()


def tidy() -> int:
    """Remove lines whose turns are all over. Return the number of lines."""
    idle = Line.objects.filter(last__lte=current()).exclude(name=Line.CLAIMED)
    return idle.delete()[0]


def forget() -> None:
    """Reset all turns, after all jobs were removed."""
    Line.objects.exclude(name=Line.CLAIMED).delete()
