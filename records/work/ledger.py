"""The moves of a row of work: take, give back, set aside. Drawn in :class:`records.models.Work`.

Every move is a compare-and-set: an update that names the state it starts from, and counts only if
it changed the row. So any number of workers may try, on any database, without a lock held between.
All times are the database's (`records.base.clock`).
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar, cast

from django.conf import settings
from django.db import models, transaction

from records.base import clock
from records.models import Change, Chunk, Upload, UploadFile, Work
from records.work.turns import advance

MAX_ATTEMPTS: Final = 3
#: Pause before a row that failed is tried again; doubled with each attempt.
RETRY_SECONDS: Final = 2
REASON_LENGTH: Final = 2000
EMBEDDED: Final = "embedded:"
HOST_LENGTH: Final = 30

logger = logging.getLogger(__name__)
Row = UploadFile | Change | Chunk
MODELS: Final[tuple[type[Row], ...]] = (UploadFile, Change, Chunk)
W = TypeVar("W", bound=Row)


class LeaseLost(Exception):
    """The lease ran out and another worker has the row: nothing may be written under it."""


def ready() -> models.Q:
    """Rows that a worker may take now: due, or leased to one whose time is up."""
    return models.Q(state__in=Work.OPEN, ready_at__lte=clock.now())


def take(*, prefix: str = "", upload: Upload | None = None) -> tuple[type[Row], int, str] | None:
    """Claim the row whose turn it is: its model, primary key, and the token of the lease.

    None where nothing is due. With ``upload``, only its rows are looked at. Leases that ended, and
    those of processes of this machine that are no more, are ended first: a row that kills its
    worker is so known after seconds, not at the end of three leases.
    """
    moment = clock.now()
    _end_leases(moment)
    heads = {model: _due(model, moment, upload) for model in MODELS}
    found = {model: rows.values_list("turn", flat=True)[:1] for model, rows in heads.items()}
    turns = {model: turn for model, rows in found.items() for turn in rows}
    for model in sorted(turns, key=turns.__getitem__):
        with transaction.atomic():
            # Another worker may have taken the first one, or be about to.
            rows = heads[model].select_for_update(no_key=True, skip_locked=True)
            for pk, turn in rows.values_list("pk", "turn")[:1]:
                owner = claim(model, pk, prefix=prefix)
                if owner is not None:
                    advance(turn, moment)
                    return model, pk, owner
    return None


def _due(model: type[Row], moment: datetime, upload: Upload | None) -> models.QuerySet[Any]:
    rows = model._default_manager.filter(
        state=Work.State.DUE, ready_at__lte=moment, attempts__lt=MAX_ATTEMPTS
    )
    if upload is not None:
        rows = rows.filter(upload=upload)
    return rows.order_by("turn", "pk")


def claim(model: type[W], pk: int, *, prefix: str = "") -> str | None:
    """Take a row if it is free: returns the token of the lease, or None where it is not to be had.

    The attempt is counted, and committed, before any work is done: a row that kills its worker is
    known by its attempts. ``prefix`` marks the tokens of the embedded worker.
    """
    owner = f"{prefix}{socket.gethostname()[:HOST_LENGTH]}:{os.getpid()}:{secrets.token_hex(8)}"
    moment = clock.now()
    free = model._default_manager.filter(
        state__in=Work.OPEN, ready_at__lte=moment, pk=pk, attempts__lt=MAX_ATTEMPTS
    )
    taken = free.update(
        state=Work.State.LEASED,
        attempts=models.F("attempts") + 1,
        ready_at=moment + timedelta(seconds=settings.LEASE_SECONDS),
        owner=owner,
    )
    return owner if taken else None


def hold(model: type[W], pk: int, owner: str) -> W:
    """Inside a transaction: lock the row and make sure that the lease still holds.

    Raises :class:`LeaseLost` where another has taken it. (SQLite has no row locks and needs none:
    the whole transaction is alone, see the settings.)
    """
    held = (
        model._default_manager.select_for_update(no_key=True)
        .filter(pk=pk, owner=owner, state=Work.State.LEASED)
        .first()
    )
    if held is None:
        raise LeaseLost(f"{model.__name__} {pk}")
    return cast(W, held)


def give_back(model: type[W], pk: int, owner: str, reason: str) -> None:
    """After an error: due again after a pause, with the reason. Nothing if the lease was lost."""
    held = model._default_manager.filter(pk=pk, owner=owner, state=Work.State.LEASED)
    row = held.first()
    if row is not None:
        pause = timedelta(seconds=RETRY_SECONDS * 2 ** (row.attempts - 1))
        held.update(
            state=Work.State.DUE,
            ready_at=clock.now() + pause,
            owner="",
            reason=reason[:REASON_LENGTH],
        )


def release(model: type[W], pk: int, owner: str, reason: str = "", pause: float = 0) -> None:
    """As if it had not been claimed: the row is not to blame. Due again after ``pause`` seconds."""
    model._default_manager.filter(pk=pk, owner=owner, state=Work.State.LEASED).update(
        state=Work.State.DUE,
        attempts=models.F("attempts") - 1,
        ready_at=clock.now() + timedelta(seconds=pause),
        owner="",
        reason=reason[:REASON_LENGTH],
    )


def next_due(most: float) -> float:
    """Seconds until a row is due, or a lease ends; at most so many."""
    moment = clock.now()
    soon = moment + timedelta(seconds=most)
    for model in MODELS:
        rows = model._default_manager.filter(state__in=Work.OPEN, ready_at__lt=soon).order_by()
        found = rows.aggregate(first=models.Min("ready_at"))["first"]
        soon = min(soon, found or soon)
    return max(0.0, (soon - moment).total_seconds())


def _end_leases(moment: datetime) -> None:
    """Make rows due whose lease is over, or whose worker is known to be dead.

    Another process may have got the dead one's number: then the end of the lease it is.
    """
    for model in MODELS:
        held = model._default_manager.filter(state=Work.State.LEASED).order_by()
        for pk, owner, ready_at in list(held.values_list("pk", "owner", "ready_at")):
            if ready_at <= moment or _is_dead(owner):
                held.filter(pk=pk, owner=owner, ready_at=ready_at).update(
                    state=Work.State.DUE, ready_at=moment, owner=""
                )


def _is_dead(owner: str) -> bool:
    """Whether the process that has a lease is of this machine, and no more."""
    host, pid = [*owner.removeprefix(EMBEDDED).rsplit(":", 2), "", ""][:2]
    return host == socket.gethostname()[:HOST_LENGTH] and not _is_alive(int(pid))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # somebody else's
    return True


def finish(row: Row) -> None:
    """Mark a held row done and save it; part of the transaction that writes its results."""
    row.state = Work.State.DONE
    row.done_at = clock.now()
    row.owner = row.reason = ""
    row.save()


def free_embedded() -> int:
    """Make the leases of an embedded worker that is gone due at once; returns how many.

    To be called by the embedded worker when it starts: it is the only one, so what is leased to an
    embedded worker then is leased to a dead one.
    """
    freed = 0
    for model in MODELS:
        freed += model._default_manager.filter(
            state=Work.State.LEASED, owner__startswith=EMBEDDED
        ).update(state=Work.State.DUE, ready_at=clock.now(), owner="")
    return freed
