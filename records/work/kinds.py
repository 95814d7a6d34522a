"""The kinds of jobs: what is done for each, by whom, and what if it fails.

Rooms above register theirs when Django starts (`records.apps`), by dotted names: a process imports
only what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as Text

#: How often a job is tried, unless its kind says otherwise.
MAX_ATTEMPTS: Final = 3


class Lane(StrEnum):
    """Who does a job."""

    #: Any worker, in fair turns, within the time limits of a task.
    WORKER = "worker"
    #: Whoever has nothing else to do: the embedded worker, or the sweep.
    IDLE = "idle"
    #: A process of its own, started by the sweep (`records.work.processes`).
    PROCESS = "process"


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of jobs. ``run``, ``split`` and ``schedule`` are dotted names of functions.

    ``run(job)`` does a leased job. It ends by `records.work.ledger.finish`, in the transaction of
    what it writes, or by `records.work.ledger.put_off` where more is to follow.
    """

    name: str
    label: Text | str
    run: str
    lane: Lane = Lane.WORKER
    #: About how much work one claim is, in games of usual length (`records.work.turns`).
    cost: int = 1
    #: Whether jobs of a large upload wait in their sender's second line.
    bulk: bool = False
    #: None: tried again for ever, with a pause that grows.
    attempts: int | None = MAX_ATTEMPTS
    #: How long a lease is, in seconds; None: `settings.LEASE_SECONDS`.
    lease_seconds: int | None = None
    #: ``split(job)``, in a transaction with the job locked, when its attempts are used up: cuts the
    #: work in two, of which the second is a new job; False where there is nothing to cut. Raises
    #: OSError or ValueError where it cannot be cut.
    split: str = ""
    #: ``schedule()`` enqueues jobs that are due by now; called every some seconds.
    schedule: str = ""

    @property
    def seconds(self) -> int:
        """How long a lease is."""
        return self.lease_seconds or settings.LEASE_SECONDS

    def call(self, name: str, *arguments: Any) -> Any:
        """Call one of the kind's functions: ``kind.call(kind.run, job)``."""
        function: Callable[..., Any] = import_string(name)
        return function(*arguments)


_KINDS: Final[dict[str, JobKind]] = {}
_CHORES: Final[list[str]] = []


def register(*kinds: JobKind) -> None:
    """Make kinds known. A name that is known already is replaced."""
    _KINDS.update({kind.name: kind for kind in kinds})


def register_chores(*names: str) -> None:
    """Dotted names of functions without arguments that the sweep calls at each pass."""
    _CHORES.extend(name for name in names if name not in _CHORES)


def kind_of(name: str) -> JobKind:
    """The kind of this name. Raises KeyError for one that nobody registered."""
    return _KINDS[name]


def kinds(lane: Lane | None = None) -> list[JobKind]:
    """All kinds, or those of a lane."""
    return [kind for kind in _KINDS.values() if lane is None or kind.lane is lane]


def names(lane: Lane | None = None) -> list[str]:
    """The names of all kinds, or of those of a lane."""
    return [kind.name for kind in kinds(lane)]


def tireless() -> list[str]:
    """The names of the kinds whose attempts are not bounded."""
    return [kind.name for kind in kinds() if kind.attempts is None]


def chores() -> Iterator[tuple[str, Callable[[], object]]]:
    """The registered chores, with their names."""
    for name in _CHORES:
        yield name, import_string(name)
