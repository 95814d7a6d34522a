"""Errands: what follows for many games when an account is closed or an upload is taken out.

It is said in the request and done by the sweep, or by the embedded worker, some hundred games in a
transaction. What is left to do is always what the database says: killed at any moment, the next one
goes on. Two that come at once wait for each other at the errand's row.
"""

from __future__ import annotations

import logging
import time
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction

from records.models import Errand, Ownership, Upload, Visibility
from records.store import visibility
from records.store.ownership import BATCH, end_ownerships, take_down
from records.work.notify import ring

#: How long a sweep, and a turn of the embedded worker, does errands before it looks elsewhere.
SWEEP_SECONDS: Final = 5.0
TURN_SECONDS: Final = 0.5

logger = logging.getLogger(__name__)


def for_holder(user: Any, *, withdraw: bool) -> Errand:
    """Let the games of a user follow him out, and delete him at the end; see `end_ownerships`."""
    kind = Errand.Kind.WITHDRAW if withdraw else Errand.Kind.LEAVE
    ring()
    return Errand.objects.get_or_create(holder=user, defaults={"kind": kind})[0]


def for_upload(upload: Upload) -> Errand:
    """Take an upload out of the archive, with its games, whoever holds them too."""
    with transaction.atomic():
        # The report is the staff's alone then, and what is still being read comes in so.
        Upload.objects.filter(pk=upload.pk).update(visibility=Visibility.WITHDRAWN)
        defaults = {"kind": Errand.Kind.TAKE_DOWN}
        ring()
        return Errand.objects.get_or_create(upload=upload, defaults=defaults)[0]


def run(seconds: float) -> int:
    """Do errands, the oldest first, for so long; returns how many batches of games were done.

    One that fails is tried again at the next call, and keeps no other from being done.
    """
    end = time.monotonic() + seconds
    done = 0
    for pk in list(Errand.objects.values_list("pk", flat=True)):
        try:
            while time.monotonic() < end and step(pk):
                done += 1
        except Exception:
            logger.exception("errand %s failed; it is tried again", pk)
    return done


def step(pk: int) -> bool:
    """Do the next batch of an errand; False where there is none left, and the errand is gone."""
    found = Errand.objects.filter(pk=pk).first()
    if found is not None and found.holder_id is not None:
        visibility.finish_changes_of(found.holder_id)
    with transaction.atomic():
        errand = Errand.objects.select_for_update().filter(pk=pk).first()
        if errand is None:
            return False
        more = _take_down(errand) if errand.upload_id else _leave(errand)
        if not more:
            errand.delete()
            logger.info("errand %s is done", pk)
        return more


def _take_down(errand: Errand) -> bool:
    assert errand.upload is not None
    games = errand.upload.submissions.filter(record__gt=errand.after).order_by("record")
    pks = list(games.values_list("record", flat=True).distinct()[:BATCH])
    if pks:
        take_down(pks)
        errand.after = pks[-1]
        errand.save(update_fields=["after"])
    return bool(pks)


def _leave(errand: Errand) -> bool:
    owner = errand.holder_id
    assert owner is not None
    withdraw = errand.kind == Errand.Kind.WITHDRAW
    # What is read from now on, or anew, is nobody's to see; so is what was private.
    mine = Upload.objects.filter(owner=owner).exclude(visibility=Visibility.WITHDRAWN)
    if not withdraw:
        mine = mine.filter(visibility__lt=Visibility.UNLISTED)
    mine.update(visibility=Visibility.WITHDRAWN)
    if end_ownerships(owner, withdraw=withdraw):
        return True
    # Whoever stores a game of his now waits for this row, or is waited for.
    user = get_user_model().objects.select_for_update().get(pk=owner)
    if Ownership.objects.filter(owner=owner).exists():
        return True
    user.delete()
    return False
