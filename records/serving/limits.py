"""Limits of one sender: rate of requests, amount of computing, and requests in flight.

`GROUPS` has all limits. Requests are counted when they start, in fixed windows, in the cache shared
by all web processes. No count is lost between processes. In the worst case a sender gets twice the
limit around the end of a window. Requests in flight are counted in each process.

A view with long computations runs them inside `expensive`. A request is refused at its start while
its sender has too many in flight, while the process has no free place, or when the sender's budget
of the minute is spent. What a computing process (`records.serving.computing`) uses in addition to
the weight of a request is charged afterwards.

Maximum size of a request body by address; small by default.

A view that accepts more declares it: ``body_limit = Limit(...)`` in a class, ``@takes(Limit(...))``
on a function. `hanaarchive.http.refusals` checks before the view runs; the web server has buffered
the body then, up to the largest limit of any address, in a file if it is large.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

from records.serving.gates import Gate, RequestRefused, TooMany
from records.serving.senders import is_account_sender, sender_of

#: Bytes of a request body per unit of the request's weight.
BYTES_PER_UNIT: Final = 16 << 10
#: Units of a second of a core.
UNITS_PER_SECOND: Final = 100
_ACCOUNTED: Final = "hana_accounted"
_LIMITS: Final = "hana_limits"
#: The name of the budget of computing.
WORK: Final = "work"
#: The limit of short forms and short JSON.
SMALL_BYTES: Final = 64 << 10
#: Overhead of a form with many files: names, boundaries, CSRF token.
FORM_BYTES: Final = 1 << 20

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Group:
    """Limits of a group of addresses. 0 and "" mean no limit.

    ``requests`` of one sender in ``seconds``; HANA_RATES changes both. ``weight``: units of 10 ms
    of a core that a request takes from the sender's budget `work` when it starts. ``per_sender``:
    requests of one sender in flight in a process, over all groups of the same room. ``room``: the
    room of `ROOMS` that bounds the requests in flight of a process.
    """

    requests: int = 0
    seconds: int = 60
    weight: int = 0
    per_sender: int = 0
    room: str = ""


#: Requests in flight in a process, as a share of its threads, and the maximum number of computing
#: requests. All rooms together leave a quarter of the threads to cheap requests. "work" computes in
#: threads, which share a core, "compute" in the computing processes. Downloads block a thread while
#: clients read, "wait" while nothing changes.
ROOMS: Final[Mapping[str, tuple[float, int]]] = {
    "work": (1 / 4, 2),
    "compute": (1 / 5, settings.WEB_COMPUTERS),
    "download": (1 / 5, settings.WEB_THREADS),
    "wait": (1 / 10, settings.WEB_THREADS),
}

#: The limits by the name of the group. Browsers open several tabs at a time, hence the higher
#: number of pages in flight.
GROUPS: Final[Mapping[str, Group]] = {
    # Reading by the API, and writing by it.
    "read": Group(3000),
    "uploads": Group(60),
    "parts": Group(1200),
    # The budget of all weights: 20 s of usual work.
    "work": Group(2000),
    # Computing requests; a test measures the weights. A request of `positions` is a tap of a user
    # in the editor.
    "verify": Group(240, weight=2, per_sender=3, room="compute"),
    "positions": Group(600, weight=2, per_sender=3, room="compute"),
    "sheet": Group(weight=2, per_sender=3, room="compute"),
    "preview": Group(weight=4, per_sender=3, room="compute"),
    "page": Group(weight=8, per_sender=4, room="work"),
    "schema": Group(weight=40, per_sender=3, room="work"),
    "report": Group(weight=20, per_sender=3, room="work"),
    "statistics": Group(weight=15, per_sender=3, room="work"),
    "figures": Group(weight=30, per_sender=3, room="work"),
    "situations": Group(weight=10, per_sender=3, room="work"),
    "picture": Group(weight=20, per_sender=3, room="compute"),
    # Responses that last as long as their readers read, or wait for a change of an upload.
    "export": Group(weight=50, per_sender=2, room="download"),
    "export by keys": Group(weight=10, per_sender=2, room="download"),
    "wait": Group(per_sender=1, room="wait"),
    # Each takes a worker some seconds to minutes.
    "analysis": Group(20, 3600),
    # Changes of public content, each of which ends cached lists and statistics of all visitors.
    "changes": Group(30),
    # Comments and reports of one user; stored steps.
    "comments": Group(20, 600),
    "studies": Group(240, 600),
    # Changes of clubs by the API.
    "clubs": Group(240, 600),
    # Attempts per name and address, and per address.
    "login": Group(10, 300),
    "logins": Group(100, 3600),
    # Attempts per name from all addresses, except browsers with an earlier login of the account.
    "account": Group(20, 3600),
    "account-day": Group(100, 86400),
    # Codes of one account's second factor.
    "codes": Group(10, 900),
    # Requests of applications for tokens, per address.
    "applications": Group(240),
    "register": Group(20, 3600),
    "reset": Group(10, 3600),
    # Links to a mail address, from all senders together.
    "mails": Group(5, 3600),
}


def check_rates() -> None:
    """Raise ImproperlyConfigured if HANA_RATES names a group whose requests are not counted."""
    names = [name for name, group in GROUPS.items() if group.requests]
    unknown = sorted(settings.RATES.keys() - names)
    if unknown:
        raise ImproperlyConfigured(
            f"HANA_RATES: {', '.join(unknown)}: expected some of {', '.join(names)}"
        )


check_rates()


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The state of a rate limit: ``used`` of ``most`` requests.

    The window has ``seconds`` seconds, of which ``left`` remain.
    """

    name: str
    most: int
    seconds: int
    used: int
    left: int

    @property
    def too_fast(self) -> bool:
        """Whether the request exceeds the limit."""
        return self.used > self.most

    @property
    def rest(self) -> int:
        """The number of remaining requests."""
        return max(0, self.most - self.used)


def now() -> int:
    """Return the current second since 1970."""
    return int(time.time())


def step(name: str, who: str, units: int = 1) -> RateLimit:
    """Add units, by default one request, to a sender's count in a group of `GROUPS`.

    The caller checks ``too_fast`` of the result.
    """
    group = GROUPS[name]
    most, seconds = settings.RATES.get(name, (group.requests, group.seconds))
    window, into = divmod(now(), seconds)
    digest = hashlib.sha256(who.encode(errors="replace")).hexdigest()[:32]
    key = f"pace:{name}:{digest}:{window}"
    used = units
    if not cache.add(key, units, 2 * seconds):
        try:
            used = cache.incr(key, units)
        except ValueError:
            pass  # the cache was emptied between the two calls
    return RateLimit(name, most, seconds, used, seconds - into)


def limits_of(request: Any) -> dict[str, RateLimit]:
    """Return the limits that counted a request so far, by name, for the headers of the response.

    ``request`` is Django's or the REST framework's.
    """
    plain_request = getattr(request, "_request", request)
    limits: dict[str, RateLimit] = vars(plain_request).setdefault(_LIMITS, {})
    return limits


def count(request: Any, name: str, who: str) -> RateLimit:
    """Count a request as :func:`step` does, and return the limit, which the response reports."""
    limit = limits_of(request)[name] = step(name, who)
    return limit


def count_change(request: Any) -> None:
    """Count a change of what is public: of visibility, owner or text of games.

    Raise :class:`TooMany` if the sender has made too many in the current minute.
    """
    limit = count(request, "changes", sender_of(request))
    if limit.too_fast:
        raise TooMany(limit.left)


#: Places, and places to compute, that only accounts have in each room with a queue.
RESERVED: Final = 1
#: The gate of each of `ROOMS` in this process.
GATES: Final = {
    room: Gate(
        computing=computing,
        places=int(settings.WEB_THREADS * places),
        reserved=RESERVED if computing < settings.WEB_THREADS else 0,
    )
    for room, (places, computing) in ROOMS.items()
}


@dataclass(slots=True)
class Account:
    """The sender whose budget pays for a request, and the units paid at its start.

    ``limits`` are those of the request (`limits_of`).
    """

    sender: str
    paid: int = 0
    limits: dict[str, RateLimit] = field(default_factory=dict)

    def charge(self, units: int) -> RateLimit:
        """Add units to the count of the budget, and return the budget."""
        budget = self.limits[WORK] = step(WORK, self.sender, units)
        return budget


def account_of(request: Any) -> Account:
    """Return the account of a request that has paid nothing yet."""
    return Account(sender_of(request), limits=limits_of(request))


_account: Final[ContextVar[Account | None]] = ContextVar("account", default=None)


@contextmanager
def paid_by(account: Account) -> Iterator[None]:
    """Let the account pay for computing inside."""
    token = _account.set(account)
    try:
        yield
    finally:
        _account.reset(token)


def settle(seconds: float) -> None:
    """Charge CPU seconds of a computing process that exceed what the current account has paid."""
    account = _account.get()
    if account is None:
        return
    account.paid -= math.ceil(seconds * UNITS_PER_SECOND)
    if account.paid < 0:
        account.charge(-account.paid)
        account.paid = 0


@contextmanager
def in_flight(group: str, account: Account) -> Iterator[None]:
    """Hold a place of the group's room inside. Raise :class:`TooMany` and :class:`Busy`.

    A refusal is charged as one unit, so that senders who ignore refusals use up their budget.
    """
    limits = GROUPS[group]
    place = GATES[limits.room].enter(
        account.sender,
        limits.per_sender,
        weight=max(1, limits.weight),
        is_account=is_account_sender(account.sender),
    )
    with ExitStack() as stack:
        try:
            stack.enter_context(place)
        except RequestRefused:
            account.charge(1)
            raise
        yield


@contextmanager
def take_turn(group: str, account: Account) -> Iterator[None]:
    """Hold a place of the group's room inside, paid by the account, in a response under way.

    Raise :class:`Busy`, and :class:`TooMany`, also if the budget of the sender is spent.
    """
    with in_flight(group, account), paid_by(account):
        budget = account.charge(0)
        if budget.too_fast:
            raise TooMany(budget.left)
        yield


@contextmanager
def expensive(request: HttpRequest, group: str) -> Iterator[None]:
    """Account a request of one of `GROUPS` while it computes inside.

    A request that is accounted already goes on. Raise :class:`TooMany` and :class:`Busy`.
    """
    if getattr(request, _ACCOUNTED, False):
        yield
        return
    account = account_of(request)
    with in_flight(group, account):
        charge(request, group, account)
        setattr(request, _ACCOUNTED, True)
        try:
            with paid_by(account):
                yield
        finally:
            setattr(request, _ACCOUNTED, False)


def charge(request: HttpRequest, group: str, account: Account) -> None:
    """Charge the weight of a request to its account.

    Raise :class:`TooMany` if the budget of the current minute is spent.
    """
    account.paid = GROUPS[group].weight + _body_bytes(request) // BYTES_PER_UNIT
    budget = account.charge(account.paid)
    if budget.too_fast:
        raise TooMany(budget.left)


def _body_bytes(request: HttpRequest) -> int:
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(length) if length.isascii() and length.isdigit() else 0


@dataclass(frozen=True, slots=True)
class Limit:
    """A maximum in bytes. ``more`` is the overhead of a form."""

    most: Callable[[], int]
    more: int = 0

    @property
    def bytes(self) -> int:
        """The maximum size of the whole body."""
        return self.most() + self.more


SMALL: Final = Limit(lambda: SMALL_BYTES)


def takes(limit: Limit) -> Callable[[View], View]:
    """Set the limit of a view function (decorator)."""

    def mark(view: View) -> View:
        view.body_limit = limit  # type: ignore[attr-defined]
        return view

    return mark


def limit_of(view: Callable[..., Any]) -> Limit:
    """Return the limit that a resolved view declares, by default `SMALL`."""
    kind = getattr(view, "view_class", None) or getattr(view, "cls", None) or view
    limit: Limit = getattr(kind, "body_limit", SMALL)
    return limit
