"""Messages to Celery. Only a process with a broker imports this module, and Celery with it."""

from __future__ import annotations

import logging
from typing import Final

from amqp.exceptions import ChannelError
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

#: The task of `records.work.celery_worker`.
TASK: Final = "records.work.wake"

logger = logging.getLogger(__name__)


def send(count: int) -> int:
    """Send messages. Return the number of messages sent.

    Stops at the first failure: without a broker each attempt would take seconds.
    """
    for sent in range(count):
        try:
            current_app.send_task(TASK, retry=False)
        except OperationalError as error:
            logger.warning("broker away, the sweep will send messages: %s", error)
            return sent
    return max(0, count)


def count_waiting(most: int) -> int:
    """Return the number of messages that wait, or ``most`` if the broker cannot be queried."""
    try:
        with current_app.connection_for_read() as connection:
            return int(connection.SimpleQueue(settings.CELERY_TASK_DEFAULT_QUEUE).qsize())
    except ChannelError:
        return 0  # Redis knows a queue only while it is not empty
    except OperationalError as error:
        logger.warning("broker away: %s", error)
        return most
