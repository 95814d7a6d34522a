"""Messages to Celery. Only processes with a broker import the module, and Celery with it."""

from __future__ import annotations

import logging
from typing import Final

from amqp.exceptions import ChannelError
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

#: The task of `records.jobs.celery_worker`.
TASK: Final = "records.jobs.wake"
#: Maximum number of messages in the broker. A message wakes a process, which works until no job is
#: due: more messages than processes are useless.
MAX_MESSAGES: Final = 100

logger = logging.getLogger(__name__)


def send(count: int) -> int:
    """Send a message for each of ``count`` jobs, up to a maximum. Return the number of messages.

    Stops at the first failure: without a broker each attempt would take seconds.
    """
    number = 0
    try:
        for _ in range(min(count, MAX_MESSAGES - count_waiting())):
            current_app.send_task(TASK, retry=False)
            number += 1
    except (OperationalError, RedisError) as error:
        logger.warning("broker unavailable, the sweep will send messages: %s", error)
    return number


def count_waiting() -> int:
    """Return the number of waiting messages. Raises the errors of the broker."""
    queue = settings.CELERY_TASK_DEFAULT_QUEUE
    with current_app.connection_or_acquire() as connection:
        try:
            return int(connection.default_channel.queue_declare(queue, passive=True).message_count)
        except ChannelError:
            return 0  # Redis knows a queue only while it is not empty.
