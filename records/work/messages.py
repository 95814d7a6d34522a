"""Messages to Celery. Only a process with a broker loads this module, and Celery with it."""

from __future__ import annotations

import logging

from amqp.exceptions import ChannelError
from celery import current_app, shared_task
from django.conf import settings
from kombu.exceptions import OperationalError

from records.work.tasks import do_next

logger = logging.getLogger(__name__)


# Messages of an earlier release in Redis have this name too.
@shared_task(name="records.work.tasks.work")
def work() -> None:
    """Do the job whose turn it is."""
    do_next()


def send(count: int) -> int:
    """Send messages, one for each job. Return the number of messages sent.

    Stops at the first failure: without a broker each attempt would take seconds.
    """
    for sent in range(count):
        try:
            work.apply_async(retry=False)
        except OperationalError as error:
            logger.warning("broker away, the sweep will send for what waits: %s", error)
            return sent
    return count


def count_waiting(most: int) -> int:
    """Return the number of messages that wait, or ``most`` if the broker cannot be queried."""
    try:
        with current_app.connection_for_read() as connection:
            return int(connection.SimpleQueue(settings.CELERY_TASK_DEFAULT_QUEUE).qsize())
    except ChannelError:
        return 0  # Redis knows a queue only while something is in it
    except OperationalError as error:
        logger.warning("broker away: %s", error)
        return most
