"""Makes a dump: every game that was public at the end of a month, in files of open data.

The files are written to a draft directory, which is renamed when it is complete and published by
one row: every reader sees the old dump or the new one. The row also records which process makes it,
and why the last try failed. A process that is killed leaves a draft, which the next one removes
first.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import socket
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db.models import Q
from django.utils import translation

from records.base import clock
from records.models import Dump
from records.models.dumps import FAULT_CHARS
from records.opendata.files import write_files
from records.opendata.months import month_end

#: Seconds after which a silent process is taken for dead.
LEASE: Final = timedelta(minutes=30)
_DRAFT: Final = ".draft-"

logger = logging.getLogger(__name__)


class BeingMade(Exception):
    """Another process makes this dump; the message says which, and until when its lease runs."""


class Lost(Exception):
    """Another process has taken over: this one was silent for too long."""


def make(month: str, report: Callable[[int], object] = lambda games: None) -> Dump:
    """Make the dump of a month and publish it; ``report`` is called with the number of games in it.

    For the current month it contains what is there now. Raises :class:`BeingMade`, and on failure,
    which the row records, OSError, duckdb.Error or :class:`Lost`.
    """
    began = clock.now()
    dump, owner = _claim(month)
    settings.DUMPS_DIR.mkdir(parents=True, exist_ok=True)
    for stray in settings.DUMPS_DIR.glob(f"{_DRAFT}{month}-*"):
        shutil.rmtree(stray, ignore_errors=True)
    name = f"{month}-{secrets.token_hex(4)}"
    draft = settings.DUMPS_DIR / f"{_DRAFT}{name}"

    def hold() -> None:
        held = Dump.objects.filter(pk=dump.pk, owner=owner)
        if not held.update(leased_until=clock.now() + LEASE):
            raise Lost(f"another process makes {month} now")

    try:
        draft.mkdir()
        with translation.override("en"):
            manifest = write_files(draft, month, began, hold, report)
        target = settings.DUMPS_DIR / name
        draft.rename(target)
        published = Dump.objects.filter(pk=dump.pk, owner=owner).update(
            directory=name,
            made=began,
            whole=began >= month_end(month),
            manifest=manifest,
            owner="",
            leased_until=None,
            failed=None,
            fault="",
        )
        if not published:
            shutil.rmtree(target, ignore_errors=True)
            raise Lost(f"another process makes {month} now")
    except BaseException as error:
        shutil.rmtree(draft, ignore_errors=True)
        message = f"{type(error).__name__}: {error}"[:FAULT_CHARS]
        Dump.objects.filter(pk=dump.pk, owner=owner).update(
            owner="", leased_until=None, failed=clock.now(), fault=message
        )
        raise
    dump.refresh_from_db()
    prune(dump)
    return dump


def prune(latest: Dump) -> None:
    """Remove all but the newest `settings.DUMPS_KEPT` dumps, and directories that no row names.

    The one just made stays until another is, even of an old month: else it would be due for ever.
    Rows without a dump are removed for the months before it.
    """
    there = list(settings.DUMPS_DIR.iterdir())  # before the rows: later directories are not ours
    idle = Dump.objects.filter(owner="").exclude(pk=latest.pk)
    idle.filter(directory="", month__lt=latest.month).delete()
    made = Dump.objects.exclude(directory="").order_by("-month")
    idle.filter(pk__in=[old.pk for old in made[settings.DUMPS_KEPT :]]).delete()
    # A draft, and a former one, belongs to the process that makes it, or to the next for that
    # month.
    busy = set(Dump.objects.exclude(owner="").values_list("month", flat=True))
    named = set(Dump.objects.values_list("directory", flat=True))
    for path in there:
        if path.name not in named and path.name[:7] not in busy and path.name[:1] != _DRAFT[0]:
            shutil.rmtree(path, ignore_errors=True)


def _claim(month: str) -> tuple[Dump, str]:
    """Claim a month's row. Raises :class:`BeingMade`."""
    dump, _made = Dump.objects.get_or_create(month=month)
    host, pid = _maker(dump.owner)
    if host == socket.gethostname()[:40] and not _is_alive(pid):
        Dump.objects.filter(pk=dump.pk, owner=dump.owner).update(owner="", leased_until=None)
    owner = f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(8)}"
    free = Q(leased_until=None) | Q(leased_until__lt=clock.now())
    taken = Dump.objects.filter(free, pk=dump.pk).update(
        owner=owner, leased_until=clock.now() + LEASE
    )
    if not taken:
        dump.refresh_from_db()
        host, pid = _maker(dump.owner)
        raise BeingMade(f"{month} is being made by process {pid} of {host}")
    return dump, owner


def _maker(owner: str) -> tuple[str, int]:
    """Machine and process that makes a dump; no machine for none."""
    host, pid, _word = owner.rsplit(":", 2) if owner else ("", "0", "")
    return host, int(pid)


def _is_alive(pid: int) -> bool:
    """Whether a process of this machine may be alive: not one with our own number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's
    return pid != os.getpid()
