"""Daily quotas (UTC) of each sender for disk space and the workers' time.

A row of `Usage` has the usage of a sender on a day. Bytes are charged with an upload or an unpacked
archive, games when a file is cut, malformed games with their chunk. Each charge is part of the
transaction that writes the rows, so that nothing is charged twice. A resumable upload reserves its
length until it is finished, cancelled or removed.

Senders are hashed (`records.serving.senders.hashed`). The empty sender has no quotas. An upload
stores its sender for `RETENTION`.
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
#: Time after which an upload's sender is deleted.
RETENTION: Final = timedelta(days=7)
_USAGE_RETENTION: Final = timedelta(days=2)
_CODES: Final[Mapping[str, Code]] = {
    BYTES: codes.QUOTA_BYTES,
    GAMES: codes.QUOTA_GAMES,
    MALFORMED: codes.QUOTA_MALFORMED,
}


@dataclass(frozen=True, slots=True)
class Quota:
    """A sender's usage today: ``used`` of ``limit``, which is 0 if unlimited.

    ``reserved`` is the part of ``used`` that unfinished resumable uploads reserve.
    """

    name: str
    limit: int
    used: int
    reserved: int = 0

    @property
    def is_used_up(self) -> bool:
        """Whether the limit is reached."""
        return bool(self.limit) and self.used >= self.limit

    @property
    def left(self) -> int | None:
        """The remaining amount, None if unlimited."""
        return max(0, self.limit - self.used) if self.limit else None

    @property
    def fault(self) -> Fault:
        """The fault of an upload that this quota stops."""
        return Fault(_CODES[self.name], values={"limit": self.limit})


class QuotaExceeded(Exception):
    """The error for an upload that exceeds a quota. The quota ends at :func:`reset`."""

    def __init__(self, quota: Quota) -> None:
        super().__init__(f"{quota.used} of {quota.limit} {quota.name} a day are used")
        self.quota = quota

    def words(self) -> str:
        """Return the sentences that tell the user the quota, the usage and the end."""
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
    """Return the limits of an account, or of anonymous senders for None. 0 means unlimited."""
    if owner is None:
        return settings.QUOTAS["anonymous"]
    users = get_user_model()._default_manager
    if users.filter(pk=owner, is_staff=True).exists():
        return dict.fromkeys(NAMES, 0)
    return settings.QUOTAS["account"]


def standing(sender: str, owner: int | None) -> dict[str, Quota]:
    """Return the quotas of a hashed sender by name."""
    limits = limits_of(owner) if sender else dict.fromkeys(NAMES, 0)
    used = Usage.objects.filter(sender=sender, day=today()).values(*NAMES).first() or {}
    quotas = {name: Quota(name, limits[name], used.get(name, 0)) for name in NAMES}
    reserved = _reserved(sender)
    quotas[BYTES] = Quota(BYTES, limits[BYTES], used.get(BYTES, 0) + reserved, reserved)
    return quotas


def _reserved(sender: str) -> int:
    pending = PartialUpload.objects.filter(sender=sender, upload=None)
    return pending.aggregate(bytes=Sum("length"))["bytes"] or 0


def check(sender: str, owner: int | None) -> None:
    """Raise :class:`QuotaExceeded` if a quota of a hashed sender is used up."""
    for quota in standing(sender, owner).values():
        if quota.is_used_up:
            raise QuotaExceeded(quota)


def used_up(upload: Upload) -> Quota | None:
    """Return the used-up quota that stops the reading of an upload, if any."""
    quotas = standing(upload.sender, _charged_account(upload))
    return next((quotas[name] for name in (MALFORMED, GAMES) if quotas[name].is_used_up), None)


def left(upload: Upload, name: str) -> int | None:
    """Return the remaining amount of an upload's quota, None if unlimited."""
    return standing(upload.sender, _charged_account(upload))[name].left


def _charged_account(upload: Upload) -> int | None:
    """Return the account whose limits apply to an upload, or None if it was claimed later."""
    owner = upload.owner_id
    is_sender = owner is not None and upload.sender in ("", hashed(account_sender(owner)))
    return owner if is_sender else None


def charge(upload: Upload, name: str, amounts: Sequence[int]) -> int:
    """Charge as many of the amounts, from the first, as the quota allows. Return their number.

    Call it in a transaction, which keeps the row of the sender's usage locked.
    """
    if not upload.sender:
        return len(amounts)
    used: int = getattr(lock(upload.sender), name)
    if name == BYTES:
        used += _reserved(upload.sender)
    limit = limits_of(_charged_account(upload))[name]
    count = total = 0
    for amount in amounts:
        if limit and used + total + amount > limit:
            break
        count, total = count + 1, total + amount
    add(upload, name, total)
    return count


def add(upload: Upload, name: str, amount: int) -> None:
    """Add an amount to the usage, without a limit. Call it in a transaction.

    A negative amount is refunded, but never more than was used today.
    """
    if upload.sender and amount:
        day = lock(upload.sender)
        setattr(day, name, max(0, getattr(day, name) + amount))
        day.save(update_fields=[name])


def lock(sender: str) -> Usage:
    """Lock the usage of a hashed sender today, and return it. Call it in a transaction.

    Until its end no other upload of the sender is charged, and no resumable upload begins.
    """
    day = today()
    Usage.objects.bulk_create([Usage(sender=sender, day=day)], ignore_conflicts=True)
    return Usage.objects.select_for_update(no_key=True).get(sender=sender, day=day)


def today() -> date:
    """Return the current day in UTC."""
    return clock.now().astimezone(UTC).date()


def reset() -> datetime:
    """Return the time at which all quotas begin again."""
    return datetime.combine(today() + timedelta(days=1), time(), UTC)


def seconds_left() -> int:
    """Return the number of seconds until :func:`reset`, at least 1."""
    return max(1, int((reset() - clock.now()).total_seconds()))


def tidy() -> int:
    """Delete old usage and old senders of uploads. Return the number of rows."""
    count, _by_model = Usage.objects.filter(day__lt=today() - _USAGE_RETENTION).delete()
    old = Upload.objects.filter(created__lt=clock.now() - RETENTION).exclude(sender="")
    return count + old.update(sender="")
