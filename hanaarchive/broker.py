"""A fix to the Redis transport of Celery."""

from __future__ import annotations

from typing import Any

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """Counts a message as acknowledged even if Redis could not be reached.

    Else it would count against the prefetch limit: a worker with a limit of one, whose Redis was
    unavailable just then, would never fetch another. Redis delivers the message again, and the row
    says that its work is done.
    """

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge, and count. Raises the errors of the connection."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        """As `ack`, for a rejected message."""
        try:
            super().reject(delivery_tag, requeue)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


def install() -> None:
    """Have Celery's connections to Redis use it."""
    redis.Channel.QoS = QoS
