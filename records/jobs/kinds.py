"""The kinds of jobs: function, queue, weight, and handling of failures.

Other packages register their kinds when Django starts (`records.apps`), by dotted names: a
process imports a function only to run it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as Text

#: Maximum number of attempts, unless the kind has another.
MAX_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue of jobs, claimed by the same processes in one order."""

    name: str
    #: The field that orders claims: ``turn`` is fair to senders (`records.jobs.ledger`).
    order: str = "turn"
    #: Whether a job must end before its lease does (`records.jobs.children.time_limit`).
    is_limited: bool = False


#: Claimed by workers.
WORK: Final = Queue("work", is_limited=True)
#: Claimed by the sweep, and by the embedded worker if no normal job waits or after a pause. A
#: postponed job moves to the end of the queue.
BACKGROUND: Final = Queue("background", order="due_at")
#: Run in processes that the sweep starts (`records.jobs.processes`).
PROCESS: Final = Queue("process")


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of jobs. ``run``, ``split`` and ``schedule`` are dotted names of functions.

    ``run(job)`` works on a leased job. It ends with `records.jobs.ledger.finish`, in the
    transaction that writes the results, or with `records.jobs.ledger.put_off` if work remains.
    """

    name: str
    label: Text | str
    run: str
    queue: Queue = WORK
    #: The approximate work of one claim, in games of usual length (`records.jobs.ledger`).
    weight: int = 1
    #: Whether jobs of a large upload wait in the second line of their sender.
    bulk: bool = False
    #: Maximum attempts; None: unlimited, with a growing pause.
    attempts: int | None = MAX_ATTEMPTS
    #: Length of a lease in seconds; None: `settings.LEASE_SECONDS`.
    lease_seconds: int | None = None
    #: ``split(job)`` cuts the work of a job without attempts in two, moving the second part to a
    #: new job. Return False for indivisible work, and raise OSError or ValueError if cutting fails.
    #: Called in a transaction, with the job locked.
    split: str = ""
    #: ``refuse(pk, number)`` records that a unit of a job's work exceeded its CPU time
    #: (`records.jobs.children.cpu_limit`). Called outside of transactions. Meanwhile another
    #: process may have claimed or ended the job.
    refuse: str = ""
    #: ``schedule()`` enqueues due jobs. Called every few seconds.
    schedule: str = ""

    @property
    def seconds(self) -> int:
        """The length of a lease in seconds."""
        return self.lease_seconds or settings.LEASE_SECONDS

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function of the kind: ``kind.call(kind.run, job)``."""
        function: Callable[..., Any] = import_string(name)
        return function(*arguments)


_KINDS: Final[dict[str, JobKind]] = {}
_CHORES: Final[list[str]] = []


def register(*kinds: JobKind) -> None:
    """Register kinds. A registered name is replaced."""
    _KINDS.update({kind.name: kind for kind in kinds})


def register_chores(*names: str) -> None:
    """Register functions without arguments, by dotted names, for the sweep to call."""
    _CHORES.extend(name for name in names if name not in _CHORES)


def kind_of(name: str) -> JobKind:
    """Return the kind of a name. Raises KeyError for an unregistered name."""
    return _KINDS[name]


def kinds(queue: Queue | None = None) -> list[JobKind]:
    """Return all kinds, or the kinds of a queue."""
    return [kind for kind in _KINDS.values() if queue in (None, kind.queue)]


def names(queue: Queue | None = None) -> list[str]:
    """Return the names of all kinds, or of the kinds of a queue."""
    return [kind.name for kind in kinds(queue)]


def tireless() -> list[str]:
    """Return the names of the kinds with unlimited attempts."""
    return [kind.name for kind in kinds() if kind.attempts is None]


def chores() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the registered chores with their names."""
    for name in _CHORES:
        yield name, import_string(name)
