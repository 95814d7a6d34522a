"""Fixes to the Redis transport of Celery.

A message only wakes a worker; the database has the jobs. So a message may be dropped at any time:
the sweep sends another. The end of a worker is worse, and Celery's worker ends at an unreadable
message (kombu has no hook for this: celery/kombu#2421).
"""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from kombu.transport import redis, virtual
from kombu.utils.json import loads
from redis.exceptions import ResponseError

#: The only task of workers.
TASK: Final = "records.jobs.wake"
#: Maximum length of a message; ours have about 1,000 characters.
MAX_MESSAGE: Final = 64 << 10
#: No arguments, in the form of Celery's protocol 2.
_BODY: Final = base64.b64encode(json.dumps([[], {}, {}]).encode()).decode()

logger = logging.getLogger(__name__)


class QoS(redis.QoS):
    """A message counter that counts an acknowledgement even if Redis is unavailable.

    Otherwise the message would count against the prefetch limit: a worker with a limit of one would
    never fetch another. Redis delivers the message again, and the row shows that the job is done.
    """

    # The stubs lack these attributes.
    channel: Any
    _remove_from_indices: Any

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a message and count it. Raises the errors of the connection."""
        try:
            with _repairing(self.channel):
                super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        """Reject a message like `ack`."""
        try:
            with _repairing(self.channel):
                super().reject(delivery_tag, requeue)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def restore_visible(self, *arguments: Any, **options: Any) -> None:
        """Return messages that were unacknowledged for too long. Raises the errors of Redis."""
        with _repairing(self.channel):
            super().restore_visible(*arguments, **options)

    def restore_by_tag(self, tag: Any, client: Any = None, leftmost: bool = False) -> None:
        """Return an unacknowledged message to its queue; remove an unreadable message.

        Raises the errors of Redis.
        """
        try:
            super().restore_by_tag(tag, client, leftmost)
        except (ResponseError, *self.channel.connection_errors):
            raise
        except Exception as error:
            _log(error)
            self._remove_from_indices(tag).execute()


class TolerantChannel(redis.Channel):
    """A channel that logs and drops unreadable messages."""

    QoS = QoS
    connection_errors: Any  # The stubs lack this attribute.

    def _brpop_read(self, **options: Any) -> Any:
        transport: Any = super()
        with self._dropping(), _repairing(self):
            return transport._brpop_read(**options)

    def _receive(self) -> Any:
        transport: Any = super()
        with self._dropping():
            return transport._receive()

    @contextmanager
    def _dropping(self) -> Iterator[None]:
        """Turn an error of a received message into `Empty` (no message).

        The errors of Redis are raised.
        """
        try:
            yield
        except (Empty, ResponseError, *self.connection_errors):
            raise
        except Exception as error:
            _log(error)
            raise Empty from error


class Transport(redis.Transport):
    """A transport that normalizes messages of the queue."""

    Channel = TolerantChannel

    def _deliver(self, message: Any, queue: str | None) -> None:
        if queue == settings.CELERY_TASK_DEFAULT_QUEUE:
            message = _rewrite_message(message)
        super()._deliver(message, queue)


@contextmanager
def _repairing(channel: Any) -> Iterator[None]:
    """Remove the keys of the queue if a key has another type; the sweep sends new messages.

    Raises other errors of Redis.
    """
    try:
        yield
    except ResponseError as error:
        if "WRONGTYPE" not in str(error):
            raise
        queue = settings.CELERY_TASK_DEFAULT_QUEUE
        with channel.conn_or_acquire() as client:
            client.delete(queue, channel.unacked_key, channel.unacked_index_key)
        logger.error("the queue was removed, because one of its keys had another type")


def _rewrite_message(message: Any) -> dict[str, Any]:
    """Return a new message of the same task, without arguments and options.

    A wrong option may pass Celery's parser and fail later, which permanently costs the pool a
    process. Raises LookupError or TypeError for another task or a malformed message.
    """
    if message["headers"]["task"] != TASK:
        raise LookupError("a task that is not ours")
    return {
        "headers": {"task": TASK, "id": str(uuid4())},
        "body": _BODY,
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "properties": {
            "body_encoding": "base64",
            "delivery_tag": str(uuid4()),
            "delivery_info": {"exchange": "", "routing_key": settings.CELERY_TASK_DEFAULT_QUEUE},
        },
    }


def _loads(text: str) -> Any:
    """Parse a message. Raises ValueError for a message that is too long, and for bad JSON."""
    if len(text) > MAX_MESSAGE:
        raise ValueError(f"a message of {len(text)} characters")
    return loads(text)


def _log(error: Exception) -> None:
    """Log why a message was dropped, shortened: the error may quote the message."""
    logger.error("a message was dropped: %s", f"{type(error).__name__}: {error}"[:300])


def install() -> None:
    """Make Celery's connections to Redis use the fixed transport."""
    module: Any = redis
    module.Transport, module.loads = Transport, _loads
