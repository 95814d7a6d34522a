"""The kinds of jobs: the function of each, who runs it, and how it fails.

Rooms above register theirs when Django starts (`records.apps`), by dotted names: a process imports
only what it runs.
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
    #: The sweep, for some seconds at each pass, and the embedded worker: when it has no other work,
    #: or if nobody did the job for a while.
    IDLE = "idle"
    #: A process of its own, started by the sweep (`records.work.processes`).
    PROCESS = "process"
    #: A process that sends requests to other hosts (`people.delivery.sender`).
    OUTGOING = "outgoing"


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of jobs. ``run``, ``split`` and ``schedule`` are dotted names of functions.

    ``run(job)`` does a leased job. It ends with `records.work.ledger.finish`, in the transaction of
    what it writes, or with `records.work.ledger.put_off` if more is to follow.
    """

    name: str
    label: Text | str
    run: str
    lane: Lane = Lane.WORKER
    #: The approximate work of one claim, in games of usual length (`records.work.turns`).
    cost: int = 1
    #: Whether jobs of a large upload wait in their sender's second line.
    bulk: bool = False
    #: Maximum attempts; None: unlimited, with a growing pause.
    attempts: int | None = MAX_ATTEMPTS
    #: Length of a lease in seconds; None: `settings.LEASE_SECONDS`.
    lease_seconds: int | None = None
    #: ``split(job)``, in a transaction with the job locked, when its attempts are used up: cuts the
    #: work in two, the second part being a new job; False if there is nothing to cut. Raises
    #: OSError or ValueError if it cannot be cut.
    split: str = ""
    #: ``schedule()`` enqueues jobs that are due by now; called every some seconds.
    schedule: str = ""

    @property
    def seconds(self) -> int:
        """The length of a lease in seconds."""
        return self.lease_seconds or settings.LEASE_SECONDS

    def call(self, name: str, *arguments: Any) -> Any:
        """Call one of the kind's functions: ``kind.call(kind.run, job)``."""
        function: Callable[..., Any] = import_string(name)
        return function(*arguments)


_KINDS: Final[dict[str, JobKind]] = {}
_CHORES: Final[list[str]] = []


def register(*kinds: JobKind) -> None:
    """Register kinds. A known name is replaced."""
    _KINDS.update({kind.name: kind for kind in kinds})


def register_chores(*names: str) -> None:
    """Dotted names of functions without arguments that the sweep calls at each pass."""
    _CHORES.extend(name for name in names if name not in _CHORES)


def kind_of(name: str) -> JobKind:
    """The kind of this name. Raises KeyError for an unregistered one."""
    return _KINDS[name]


def kinds(lane: Lane | None = None) -> list[JobKind]:
    """All kinds, or those of a lane."""
    return [kind for kind in _KINDS.values() if lane is None or kind.lane is lane]


def names(lane: Lane | None = None) -> list[str]:
    """The names of all kinds, or of those of a lane."""
    return [kind.name for kind in kinds(lane)]


def tireless() -> list[str]:
    """The names of the kinds with unlimited attempts."""
    return [kind.name for kind in kinds() if kind.attempts is None]


def chores() -> Iterator[tuple[str, Callable[[], object]]]:
    """The registered chores, with their names."""
    for name in _CHORES:
        yield name, import_string(name)
