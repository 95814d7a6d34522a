"""Quotas: what one sender may use in a day (UTC) of our disk and of the workers' time.

In: an upload and what it needs. Out: how much of that is granted (`charge`), and what is left.

A sender's day is one row (`Usage`). Bytes are counted with the upload that brought them, or the
archive that held them; games when a file is cut; malformed ones with their chunk: each time in the
transaction that writes what is counted, so that nothing counts twice. An upload in parts reserves
its whole length from its beginning until it is finished, cancelled or removed. Senders are hashed
(`records.serving.senders.hashed`), "" has no quotas; uploads name theirs for `KEPT`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Sum
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from records.base import clock
from records.models import PartialUpload, Upload, Usage
from records.serving.senders import account_sender, hashed

BYTES: Final = "bytes"
GAMES: Final = "games"
MALFORMED: Final = "malformed"
NAMES: Final = (BYTES, GAMES, MALFORMED)
#: How long an upload says who sent it.
KEPT: Final = timedelta(days=7)
_DAYS: Final = timedelta(days=2)
_CODES: Final[Mapping[str, Code]] = {
    BYTES: codes.QUOTA_BYTES,
    GAMES: codes.QUOTA_GAMES,
    MALFORMED: codes.QUOTA_MALFORMED,
}


@dataclass(frozen=True, slots=True)
class Quota:
    """Where a sender stands today: ``used`` of ``limit``, which is 0 where there is none.

    ``reserved`` is the part of ``used`` that uploads in parts may still bring.
    """

    name: str
    limit: int
    used: int
    reserved: int = 0

    @property
    def is_used_up(self) -> bool:
        """Whether nothing is left."""
        return bool(self.limit) and self.used >= self.limit

    @property
    def left(self) -> int | None:
        """What is left, None for any number."""
        return max(0, self.limit - self.used) if self.limit else None

    @property
    def fault(self) -> Fault:
        """What the report says of an upload that was stopped for it."""
        return Fault(_CODES[self.name], values={"limit": self.limit})


class QuotaExceeded(Exception):
    """An upload that a quota of its sender does not allow; it is free again at :func:`reset`."""

    def __init__(self, quota: Quota) -> None:
        super().__init__(f"{quota.used} of {quota.limit} {quota.name} a day are used")
        self.quota = quota

    def words(self) -> str:
        """Which quota, how much of it, and until when."""
        shown = filesizeformat if self.quota.name == BYTES else str
        values = {"used": shown(self.quota.used), "limit": shown(self.quota.limit)}
        text = {
            BYTES: _(
                "This upload does not fit into your daily quota of %(limit)s: %(used)s are used."
            ),
            GAMES: _("Your daily quota of %(limit)s games is used up."),
            MALFORMED: _("Your daily quota of %(limit)s malformed games is used up."),
        }[self.quota.name]
        sentences = [text % values]
        if self.quota.reserved:
            reserved = _("%(reserved)s of it are reserved for unfinished uploads.")
            sentences.append(reserved % {"reserved": shown(self.quota.reserved)})
        return " ".join([*sentences, _("It is free again at 00:00 UTC.")])


def limits_of(owner: int | None) -> Mapping[str, int]:
    """The limits of an account, None for nobody's; 0 where there is none, as for the staff."""
    if owner is None:
        return settings.QUOTAS["anonymous"]
    users = get_user_model()._default_manager
    if users.filter(pk=owner, is_staff=True).exists():
        return dict.fromkeys(NAMES, 0)
    return settings.QUOTAS["account"]


def standing(sender: str, owner: int | None) -> dict[str, Quota]:
    """Where a sender stands, by the name of the quota; ``sender`` is hashed."""
    limits = limits_of(owner) if sender else dict.fromkeys(NAMES, 0)
    used = Usage.objects.filter(sender=sender, day=today()).values(*NAMES).first() or {}
    found = {name: Quota(name, limits[name], used.get(name, 0)) for name in NAMES}
    reserved = _reserved(sender)
    found[BYTES] = Quota(BYTES, limits[BYTES], used.get(BYTES, 0) + reserved, reserved)
    return found


def _reserved(sender: str) -> int:
    pending = PartialUpload.objects.filter(sender=sender, upload=None)
    return pending.aggregate(bytes=Sum("length"))["bytes"] or 0


def check(sender: str, owner: int | None) -> None:
    """Raise :class:`QuotaExceeded` if one of the quotas is used up; ``sender`` is hashed."""
    for quota in standing(sender, owner).values():
        if quota.is_used_up:
            raise QuotaExceeded(quota)


def used_up(upload: Upload) -> Quota | None:
    """The quota that keeps an upload from being read on."""
    found = standing(upload.sender, _charged(upload))
    return next((found[name] for name in (MALFORMED, GAMES) if found[name].is_used_up), None)


def left(upload: Upload, name: str) -> int | None:
    """What is left for an upload at this moment, None for any number."""
    return standing(upload.sender, _charged(upload))[name].left


def _charged(upload: Upload) -> int | None:
    """Return the account whose limits an upload has: none if it was claimed after it was sent."""
    owner = upload.owner_id
    is_sender = owner is not None and upload.sender in ("", hashed(account_sender(owner)))
    return owner if is_sender else None


def charge(upload: Upload, name: str, amounts: Sequence[int]) -> int:
    """Part of a transaction: use up as many of the amounts, from the first, as are left.

    Returns how many. The row stays locked, so that two cannot have the same.
    """
    if not upload.sender:
        return len(amounts)
    used: int = getattr(lock(upload.sender), name)
    if name == BYTES:
        used += _reserved(upload.sender)
    limit = limits_of(_charged(upload))[name]
    count = total = 0
    for amount in amounts:
        if limit and used + total + amount > limit:
            break
        count, total = count + 1, total + amount
    add(upload, name, total)
    return count


def add(upload: Upload, name: str, amount: int) -> None:
    """Part of a transaction: count what is there already, whatever is left.

    A negative amount gives back; what was used on an earlier day is not given back today.
    """
    if upload.sender and amount:
        day = lock(upload.sender)
        setattr(day, name, max(0, getattr(day, name) + amount))
        day.save(update_fields=[name])


def lock(sender: str) -> Usage:
    """Part of a transaction: lock what a sender (hashed) has used today, and return it.

    No other upload of the sender is charged, and no other upload in parts begins, until the end of
    the transaction.
    """
    day = today()
    Usage.objects.bulk_create([Usage(sender=sender, day=day)], ignore_conflicts=True)
    return Usage.objects.select_for_update(no_key=True).get(sender=sender, day=day)


def today() -> date:
    """The day by which is counted."""
    return clock.now().astimezone(UTC).date()


def reset() -> datetime:
    """When all quotas are free again."""
    return datetime.combine(today() + timedelta(days=1), time(), UTC)


def seconds_left() -> int:
    """Until :func:`reset`, at least 1."""
    return max(1, int((reset() - clock.now()).total_seconds()))


def tidy() -> int:
    """Forget the days that are over, and who sent what; returns how many rows."""
    count, _by_model = Usage.objects.filter(day__lt=today() - _DAYS).delete()
    old = Upload.objects.filter(created__lt=clock.now() - KEPT).exclude(sender="")
    return count + old.update(sender="")
