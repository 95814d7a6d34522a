"""Fixes to the Redis transport of Celery.

A message tells a worker that there is work, and the database says which. So a message may be
dropped at any time: the sweep sends another. A worker that ends is worse, and Celery's own ends at
a message that it cannot read (kombu has no hook for these: celery/kombu#2421).
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

#: The one task of workers.
TASK: Final = "records.jobs.wake"
#: The length of a message; ours have about 1,000 characters.
MAX_MESSAGE: Final = 64 << 10
#: No arguments, in the form of Celery's protocol 2.
_BODY: Final = base64.b64encode(json.dumps([[], {}, {}]).encode()).decode()

logger = logging.getLogger(__name__)


class QoS(redis.QoS):
    """Counts a message as acknowledged even if Redis could not be reached.

    Else it would count against the prefetch limit: a worker with a limit of one, whose Redis was
    unavailable just then, would never fetch another. Redis delivers the message again, and the row
    says that its work is done.
    """

    # The stubs lack these.
    channel: Any
    _remove_from_indices: Any

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge, and count. Raises the errors of the connection."""
        try:
            with _repairing(self.channel):
                super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        """As `ack`, for a rejected message."""
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
        """Return an unacknowledged message to its queue; remove one that cannot be read.

        Raises the errors of Redis.
        """
        try:
            super().restore_by_tag(tag, client, leftmost)
        except (ResponseError, *self.channel.connection_errors):
            raise
        except Exception as error:
            _log(error)
            self._remove_from_indices(tag).execute()


class Channel(redis.Channel):
    """Drops messages that cannot be read, and logs them."""

    QoS = QoS
    connection_errors: Any  # the stubs lack it

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
        """Turn an error of a message that Redis has handed over into "there was none".

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
    """Delivers messages of the queue in the form in which we send them."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str | None) -> None:
        if queue == settings.CELERY_TASK_DEFAULT_QUEUE:
            message = _rewritten(message)
        super()._deliver(message, queue)


@contextmanager
def _repairing(channel: Any) -> Iterator[None]:
    """Remove the keys of the queue if one of them is of another type: the sweep sends again.

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
        logger.error("the queue was removed, since a key of it had another type")


def _rewritten(message: Any) -> dict[str, Any]:
    """Return a new message of the same task, without arguments and options.

    A wrong option may pass Celery's reading and fail later, where it costs the pool a process for
    good. Raises LookupError or TypeError for another task, and for what is no message.
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
    """Parse a message. Raises ValueError for one that is too long, and for bad JSON."""
    if len(text) > MAX_MESSAGE:
        raise ValueError(f"a message of {len(text)} characters")
    return loads(text)


def _log(error: Exception) -> None:
    """Log why a message was dropped, shortened: the error may quote the message."""
    logger.error("a message was dropped: %s", f"{type(error).__name__}: {error}"[:300])


def install() -> None:
    """Have Celery's connections to Redis use it."""
    module: Any = redis
    module.Transport, module.loads = Transport, _loads
