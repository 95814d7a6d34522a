"""The moves of a row of work: claim, give back, set aside. Drawn in :class:`records.models.Work`.

Every move is a compare-and-set: an update that names the state it starts from, and counts only if
it changed the row. So any number of workers may try, on any database, without a lock held between.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
from datetime import timedelta
from typing import Final, TypeVar, cast

from django.conf import settings
from django.db import models
from django.utils import timezone

from records.models import Change, Chunk, UploadFile, Work

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
    return models.Q(state__in=Work.OPEN, ready_at__lte=timezone.now())


def claim(model: type[W], pk: int, *, prefix: str = "") -> str | None:
    """Take a row if it is free: returns the token of the lease, or None where it is not to be had.

    The attempt is counted, and committed, before any work is done: a row that kills its worker is
    known by its attempts. ``prefix`` marks the tokens of the embedded worker.
    """
    owner = f"{prefix}{socket.gethostname()[:HOST_LENGTH]}:{os.getpid()}:{secrets.token_hex(8)}"
    taken = model._default_manager.filter(ready(), pk=pk, attempts__lt=MAX_ATTEMPTS).update(
        state=Work.State.LEASED,
        attempts=models.F("attempts") + 1,
        ready_at=timezone.now() + timedelta(seconds=settings.LEASE_SECONDS),
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
            ready_at=timezone.now() + pause,
            owner="",
            reason=reason[:REASON_LENGTH],
        )


def release(model: type[W], pk: int, owner: str, reason: str = "", pause: float = 0) -> None:
    """As if it had not been claimed: the row is not to blame. Due again after ``pause`` seconds."""
    model._default_manager.filter(pk=pk, owner=owner, state=Work.State.LEASED).update(
        state=Work.State.DUE,
        attempts=models.F("attempts") - 1,
        ready_at=timezone.now() + timedelta(seconds=pause),
        owner="",
        reason=reason[:REASON_LENGTH],
    )


def free_dead(model: type[W], pk: int) -> bool:
    """End the lease of a process of this machine that is no more; False where it may be there.

    A row that kills its worker is so known after seconds, not at the end of three leases. Another
    process may have got the dead one's number: then the end of the lease it is.
    """
    held = model._default_manager.filter(pk=pk, state=Work.State.LEASED)
    owner = held.values_list("owner", flat=True).first() or ""
    host, pid = [*owner.removeprefix(EMBEDDED).rsplit(":", 2), "", ""][:2]
    if host != socket.gethostname()[:HOST_LENGTH] or _is_alive(int(pid)):
        return False
    freed = held.filter(owner=owner).update(state=Work.State.DUE, ready_at=timezone.now(), owner="")
    return bool(freed)


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
    row.done_at = timezone.now()
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
        ).update(state=Work.State.DUE, ready_at=timezone.now(), owner="")
    return freed
