"""The fixed Redis transport: a worker that could not reach Redis fetches more messages."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from kombu import Connection
from redis.exceptions import TimeoutError as RedisTimeoutError

from hanaarchive.broker import TASK
from hanaarchive.celery import app
from records.jobs.celery_worker import wake
from tests import services


@pytest.fixture
def server() -> Iterator[services.RedisServer]:
    with services.redis_server() as server:
        yield server


@pytest.mark.parametrize("how", ["ack", "reject", "requeue"])
def test_message_that_cannot_be_acknowledged_does_not_count_as_prefetched(
    server: services.RedisServer, how: str
) -> None:
    assert app.main == "hanaarchive"  # The module has configured the application.
    assert wake.name == TASK
    options = {"socket_timeout": 0.3, "max_retries": 1}
    with Connection(server.url, transport_options=options) as connection:
        queue = connection.SimpleQueue("other")
        channel: Any = queue.channel
        channel.basic_qos(0, 1, False)
        queue.put("first")
        message = queue.get(timeout=60)
        assert not channel.qos.can_consume()
        server.signal(signal.SIGSTOP)
        try:
            with pytest.raises(RedisTimeoutError):
                message.ack() if how == "ack" else message.reject(requeue=how == "requeue")
        finally:
            server.signal(signal.SIGCONT)
        assert channel.qos.can_consume()
