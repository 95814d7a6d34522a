"""Sending of webhook deliveries: several in parallel, at most one per account.

A receiver may be slow or silent until the deadline of a request. Deliveries have a separate queue,
not served by the workers of uploads, and an account with many slow receivers has a single thread.

Users choose the addresses. Therefore `post` is limited to the public internet and in duration. The
host name is resolved once, all addresses of the host must be public, and the connection goes to a
checked address. The name cannot resolve to another address between check and connection. Redirects
are not followed.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import DatabaseError, close_old_connections, connections, transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from people.models import Webhook
from records.base import clock
from records.jobs import executor, kinds, ledger
from records.jobs.kinds import OUTGOING
from records.jobs.processes import HeartbeatWriter
from records.models import Heartbeat, Job
from records.serving.gates import Busy

#: Seconds between two queries for due deliveries.
LOOK_SECONDS: Final = 1.0
_NEVER: Final = datetime.min.replace(tzinfo=UTC)

logger = logging.getLogger(__name__)
#: Seconds for a whole request: resolving the name, connecting, TLS and the response.
DEADLINE_SECONDS: Final = 10.0
#: Seconds for resolving a name while the user waits for the page.
LOOKUP_SECONDS: Final = 3.0
#: Concurrent name lookups of a process. The system's lookup cannot be interrupted: a hanging
#: lookup occupies its thread after the request has failed.
LOOKUPS: Final = 16
#: Maximum bytes of a response that are read and discarded.
RESPONSE_BYTES: Final = 64 << 10
#: The IPv6 range of public hosts. Outside are IPv4-compatible, translated, NAT64 and site-local
#: addresses, some of which `ipaddress` calls global.
_UNICAST: Final = ipaddress.ip_network("2000::/3")
#: 6to4 addresses in the public range, which lead to IPv4.
_THROUGH: Final = ipaddress.ip_network("2002::/16")

_lookups: Final = threading.BoundedSemaphore(LOOKUPS)


class Sender:
    """Thread pool for due deliveries: ``Sender().run(should_end)``."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(OUTGOING.concurrency, "webhooks")
        self.active = 0
        self.lock = threading.Lock()
        #: Set when a delivery is over and the next can start.
        self.over = threading.Event()

    def run(self, should_end: Callable[[], bool]) -> None:
        """Deliver until ``should_end()``; return when the deliveries in flight are over."""
        heartbeat = HeartbeatWriter(Heartbeat.Kind.WEBHOOKS)
        while not should_end():
            self.over.clear()
            try:
                heartbeat.write()
                self.step()
            except Exception:
                logger.exception("no delivery was started; tried again")
                close_old_connections()
            self.over.wait(LOOK_SECONDS)
        self.pool.shutdown()
        heartbeat.end()

    def step(self) -> None:
        """Start deliveries of the next accounts, up to the free capacity."""
        room = OUTGOING.concurrency - self.active
        if room <= 0:
            return
        ledger.end_leases(clock.now())
        for account in list_due_accounts()[:room]:
            job = claim(account)
            if job is not None:
                with self.lock:
                    self.active += 1
                self.pool.submit(self._deliver, job)

    def _deliver(self, job: Job) -> None:
        try:
            executor.run_job(job)
        except DatabaseError:
            logger.exception("%s is left to the end of its lease", job)
        finally:
            connections.close_all()
            with self.lock:
                self.active -= 1
            self.over.set()


def list_due_accounts() -> list[int | None]:
    """Return the accounts with due deliveries and none in flight, in fair order.

    The first account has the least recently tried webhooks. None represents uploads without an
    owner.
    """
    due = _deliveries().filter(state__in=Job.CLAIMABLE, due_at__lte=clock.now())
    leased = _deliveries().filter(state=Job.State.LEASED)
    accounts_due, accounts_busy = (
        set(jobs.order_by().values_list("upload__owner", flat=True).distinct())
        for jobs in (due, leased)
    )
    hooks = Webhook.objects.filter(owner__in=accounts_due - {None}).order_by()
    tried = dict(hooks.values_list("owner").annotate(Max("tried")))
    return sorted(
        accounts_due - accounts_busy, key=lambda account: tried.get(account or 0) or _NEVER
    )


def claim(account: int | None) -> Job | None:
    """Claim the longest-waiting delivery of an account; return None if one is in flight.

    The account's row is locked, because another process may claim a delivery at the same time.
    """
    with transaction.atomic():
        users = get_user_model()._default_manager.select_for_update(no_key=True)
        list(users.filter(pk=account or 0))
        deliveries = _deliveries().filter(upload__owner=account)
        if deliveries.filter(state=Job.State.LEASED).exists():
            return None
        due = deliveries.filter(state__in=Job.CLAIMABLE, due_at__lte=clock.now())
        first = due.order_by("due_at", "pk").values_list("pk", flat=True).first()
        return ledger.claim(first) if first is not None else None


def _deliveries() -> QuerySet[Job]:
    return Job.objects.filter(kind__in=kinds.names(OUTGOING))


class NotAllowed(ValueError):
    """An address to which nothing is sent, with the reason as the message."""


def check_url(url: str) -> tuple[str, int, str, bool]:
    """Return host, port, path and whether TLS is used, of a well-formed address.

    Raise :class:`NotAllowed`.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")  # the lookup encodes it too
    except ValueError as error:
        raise NotAllowed(_("not an address")) from error
    schemes = ("https", "http") if settings.PRIVATE_WEBHOOKS else ("https",)
    if parts.scheme not in schemes or not host:
        raise NotAllowed(_("expected https://…"))
    if parts.username is not None or parts.password is not None:
        raise NotAllowed(_("expected no name and no password in it"))
    if not url.isascii() or not url.isprintable() or " " in url:
        raise NotAllowed(_("expected ASCII without spaces"))
    secure = parts.scheme == "https"
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    return host, port or (443 if secure else 80), path, secure


def check_host(url: str) -> None:
    """Resolve the host of an address, and require a public host.

    Raise :class:`NotAllowed`, also for a name without an answer within some seconds, and
    `records.serving.gates.Busy`.
    """
    host, port, _path, _secure = check_url(url)
    try:
        resolve(host, port, LOOKUP_SECONDS)
    except OSError as error:
        raise NotAllowed(_("the host cannot be found")) from error


def post(
    url: str, body: bytes, headers: Mapping[str, str], seconds: float = DEADLINE_SECONDS
) -> int:
    """Send a body; return the status of the response.

    Raise :class:`NotAllowed`, `records.serving.gates.Busy`, and OSError or
    `http.client.HTTPException` if there is no complete response within the seconds.
    """
    end = time.monotonic() + seconds
    host, port, path, secure = check_url(url)
    raw_socket = _connect(resolve(host, port, seconds), port, end)
    with closing(raw_socket):
        raw_socket.settimeout(_seconds_left(end))
        connection = http.client.HTTPConnection(host, port)
        if secure:
            connection = http.client.HTTPSConnection(host, port, context=_tls_context())
            raw_socket = _tls_context().wrap_socket(raw_socket, server_hostname=host)
        connection.sock = raw_socket
        with closing(connection):
            connection.sock.settimeout(_seconds_left(end))
            connection.request("POST", path, body, {**headers, "Connection": "close"})
            stream: Any = _Stream(connection.sock, end)
            response = http.client.HTTPResponse(stream, method="POST")
            response.begin()
            response.read(RESPONSE_BYTES)
            return response.status


class _Stream(io.RawIOBase):
    """The bytes that a connection receives until a deadline."""

    def __init__(self, connection: socket.socket, end: float) -> None:
        self.connection = connection
        self.end = end

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return a buffered reader, as a socket does for `http.client`."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Receive some bytes; raise TimeoutError after the deadline."""
        self.connection.settimeout(_seconds_left(self.end))
        return self.connection.recv_into(buffer)


def _seconds_left(end: float) -> float:
    """Return the seconds until a deadline; raise TimeoutError after the deadline."""
    seconds = end - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("no response in time")
    return seconds


def _connect(addresses: Sequence[str], port: int, end: float) -> socket.socket:
    """Connect to the first address that accepts the connection; raise OSError."""
    for address in addresses[:-1]:
        try:
            return socket.create_connection((address, port), _seconds_left(end) / 2)
        except OSError:
            pass  # without IPv6, the next address may be reachable
    return socket.create_connection((addresses[-1], port), _seconds_left(end))


@cache
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """Return the addresses of a host, in the system's order of preference.

    Raise :class:`NotAllowed` if an address is not public, OSError if none is found within the
    seconds, and `records.serving.gates.Busy` if too many lookups hang.
    """
    if not _lookups.acquire(blocking=False):
        raise Busy
    outcome: SimpleQueue[list[str] | OSError] = SimpleQueue()
    threading.Thread(target=_look_up, args=(host, port, outcome, _lookups), daemon=True).start()
    try:
        addresses = outcome.get(timeout=seconds)
    except Empty:
        raise TimeoutError("the name was not resolved in time") from None
    if isinstance(addresses, OSError):
        raise addresses
    if not settings.PRIVATE_WEBHOOKS and not all(map(is_public, addresses)):
        raise NotAllowed(_("the address is not a public one"))
    return addresses


def _look_up(
    host: str,
    port: int,
    outcome: SimpleQueue[list[str] | OSError],
    lookups: threading.Semaphore,
) -> None:
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        outcome.put(list(dict.fromkeys(str(row[4][0]) for row in rows)))
    except OSError as error:
        outcome.put(error)
    finally:
        lookups.release()


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if ip.version == 6 and (ip not in _UNICAST or ip in _THROUGH):
        return False
    return ip.is_global and not ip.is_multicast
