"""Daily quotas (UTC) of each sender, and the stopping of uploads.

Quotas protect disk space and the workers' time. A row of `Usage` has the usage of a sender on a
day. Bytes are charged with an upload or an unpacked archive, games with the cutting of a file,
malformed games with a chunk. Each charge is part of the transaction that writes the rows, to avoid
a second charge. A resumable upload reserves bytes until the upload is finished, cancelled or
removed. Senders are hashed (`records.serving.senders.hashed`). The empty sender has no quotas. An
upload stores the sender for `RETENTION`.

An upload is stopped when a quota is used up, or when all games are unreadable. Games read before
stay. The jobs of the remaining files and chunks end immediately, without a row for each game. The
files store the beginning of the unread part, and the upload stores the reason. The sender can
upload the unread part again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from records.base import clock
from records.models import Chunk, Job, PartialUpload, Status, Upload, UploadFile, Usage
from records.models.jobs import CHUNK, FILE
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
#: Faults of skipped chunks, and faults of skipped files.
_CHUNKS: Final = (codes.QUOTA_MALFORMED.id, codes.NOTHING_READABLE.id)
_FILES: Final = (*_CHUNKS, codes.QUOTA_GAMES.id)
_READABLE: Final = [status for status in Status.values if status != Status.MALFORMED]


@dataclass(frozen=True, slots=True)
class Quota:
    """A sender's usage today: ``used`` of ``limit`` (0 if unlimited).

    ``reserved`` is the part of ``used`` reserved by unfinished resumable uploads.
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
        """The fault of an upload stopped for the quota."""
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
    """Return the quotas of a hashed sender by name. Uploads without a sender are unlimited."""
    if not sender:
        return {name: Quota(name, 0, 0) for name in NAMES}
    limits = limits_of(owner)
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
    """Return the used-up quota for which an upload must stop, None without one."""
    quotas = standing(upload.sender, _charged_account(upload))
    return next((quotas[name] for name in (MALFORMED, GAMES) if quotas[name].is_used_up), None)


def left(upload: Upload, name: str) -> int | None:
    """Return the remaining amount of an upload's quota, None if unlimited."""
    return standing(upload.sender, _charged_account(upload))[name].left


def _charged_account(upload: Upload) -> int | None:
    """Return the account with the limits for an upload, None if the upload was claimed later."""
    owner = upload.owner_id
    is_sender = owner is not None and upload.sender in ("", hashed(account_sender(owner)))
    return owner if is_sender else None


def charge(upload: Upload, name: str, amounts: Sequence[int]) -> int:
    """Charge as many amounts, from the first, as the quota allows. Return the number charged.

    Call in a transaction, because the row of the sender's usage stays locked.
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
    """Add an amount to the usage, without a limit. Call in a transaction.

    A negative amount is refunded, at most down to a usage of 0.
    """
    if upload.sender and amount:
        day = lock(upload.sender)
        setattr(day, name, max(0, getattr(day, name) + amount))
        day.save(update_fields=[name])


def lock(sender: str) -> Usage:
    """Lock and return the usage of a hashed sender today. Call in a transaction.

    Until the end of the transaction no other upload of the sender is charged, and no resumable
    upload begins.
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


def fault_of_skipped_files(upload: Upload) -> dict[str, Any] | None:
    """Return the stored fault for which the upload's files are skipped, if any."""
    stopped: dict[str, Any] | None = upload.stopped
    return stopped if stopped is not None and stopped["code"] in _FILES else None


def fault_of_skipped_chunks(upload: Upload) -> dict[str, Any] | None:
    """Return the stored fault for which the upload's chunks are skipped, if any."""
    stopped: dict[str, Any] | None = upload.stopped
    return stopped if stopped is not None and stopped["code"] in _CHUNKS else None


def _weight(code: str) -> int:
    return (code in _FILES) + (code in _CHUNKS)


@transaction.atomic
def stop(pk: int, fault: Fault) -> None:
    """Stop an upload for a fault, and end the skipped jobs not yet begun by a worker."""
    upload = Upload.objects.select_for_update(no_key=True).get(pk=pk)
    if upload.stopped is None or _weight(fault.code.id) > _weight(upload.stopped["code"]):
        upload.stopped = fault.to_stored()
        upload.save(update_fields=["stopped"])
    if fault_of_skipped_files(upload):
        jobs = _lock_waiting_jobs(upload, FILE)
        upload.files.filter(job__in=jobs).update(fault=upload.stopped)
        _end(jobs)
    if fault_of_skipped_chunks(upload):
        jobs = _lock_waiting_jobs(upload, CHUNK)
        due = upload.chunks.filter(job__in=jobs)
        lines: dict[int, int] = {}
        games = 0
        rows = due.order_by("-first_line").values_list("file", "first_line", "games")
        for file, line, count in rows:
            lines[file] = line
            games += count
        cut_files = [
            UploadFile(job_id=file, fault={**upload.stopped, "line": line, "column": 1})
            for file, line in lines.items()
        ]
        UploadFile.objects.bulk_update(cut_files, ["fault"], batch_size=500)
        due.update(games=0)
        _end(jobs)
        add(upload, GAMES, -games)


def _lock_waiting_jobs(upload: Upload, kind: str) -> QuerySet[Job]:
    """Lock the jobs of an upload not yet begun by a worker, to prevent claims."""
    jobs = upload.jobs.filter(kind=kind, state__in=Job.CLAIMABLE)
    # Evaluate the query to lock the rows, so later queries return the same rows.
    list(jobs.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    return jobs


def _end(jobs: QuerySet[Job]) -> None:
    jobs.update(state=Job.State.DONE, done_at=clock.now(), reason="")


def stop_if_unreadable(chunk: Chunk) -> None:
    """Stop the upload of a stored chunk if the upload has too many malformed games."""
    upload = Upload.objects.get(pk=chunk.upload_id)
    if fault_of_skipped_chunks(upload):
        return
    malformed = standing(upload.sender, upload.owner_id)[MALFORMED]
    if malformed.is_used_up:
        stop(upload.pk, malformed.fault)
    elif chunk.malformed == chunk.games:
        counts = upload.chunks.aggregate(**{name: Sum(name) for name in Status.values})
        has_readable = any(counts[status] for status in _READABLE)
        if not has_readable and counts[Status.MALFORMED] >= settings.UNREADABLE_GAMES:
            values = {"limit": counts[Status.MALFORMED]}
            stop(upload.pk, Fault(codes.NOTHING_READABLE, values=values))
