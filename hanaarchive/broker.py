"""What the library for Redis as a broker leaves to be wished for."""

from __future__ import annotations

from typing import Any

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """Counts a message as done with, though Redis could not be told.

    Else it would count against what the worker may have at a time: one that has one at a time, and
    whose Redis hung just then, would never ask for another. Redis hands the message out again, and
    the row says that its work is done.
    """

    def ack(self, delivery_tag: Any) -> None:
        """Tell Redis, and count. Raises what the connection does."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        """As `ack`, for a message that is given back."""
        try:
            super().reject(delivery_tag, requeue)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


def install() -> None:
    """Have Celery's connections to Redis use it."""
    redis.Channel.QoS = QoS
