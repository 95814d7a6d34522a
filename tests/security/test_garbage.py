"""Messages and cache values in foreign formats are logged and dropped."""

from __future__ import annotations

import base64
import json
import pickle
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from typing import Any

import redis
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from hanaarchive.broker import MAX_MESSAGE
from hanaarchive.cache import JsonSerializer
from records.search import games
from records.serving import limits
from tests.conftest import Environment, Hana
from tests.records.jobs.ledger import Ledger, hand_in
from tests.records.makers import text
from tests.services import wait_until

#: Values that replace each part of a message.
JUNK: tuple[Any, ...] = (None, "x", [1], {"a": []})


def messages(sent: dict[str, Any]) -> Iterator[bytes]:
    """Yield malformed variants of a message of Celery."""
    yield from (b"", b"not JSON", b"\xff\x00\x80" * 99, pickle.dumps(sent), b"[" * 99_999)
    yield from (json.dumps(junk).encode() for junk in JUNK)
    yield json.dumps({"__type__": "uuid", "__value__": 5}).encode()
    yield json.dumps(sent | {"body": "x" * MAX_MESSAGE}).encode()
    for path in paths(sent):
        for junk in JUNK[::2]:
            yield json.dumps(replace_value(sent, path, junk)).encode()
        yield json.dumps(replace_value(sent, path, ...)).encode()
    yield json.dumps(replace_value(sent, ("headers", "task"), "os.system")).encode()
    yield json.dumps(sent | {"content-type": "application/x-python-serialize"}).encode()
    for body in (b"not JSON", b"[]", b"[[1, 2], {}, {}]", b"[[], {}, null]", pickle.dumps([])):
        yield json.dumps(sent | {"body": base64.b64encode(body).decode()}).encode()


def paths(message: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the keys of a message, and the keys one level below."""
    for key, value in message.items():
        yield (key,)
        yield from ((key, inner) for inner in (value if isinstance(value, dict) else ()))


def replace_value(sent: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return a copy of a message with another value at a path, or without any for ``...``."""
    copy = deepcopy(sent)
    *above, last = path
    inner = copy[above[0]] if above else copy
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return copy


def test_worker_outlives_malformed_messages(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(redis=True, HANA_WORKERS="1")
    ledger = Ledger(env)
    hand_in(hana, env, text(1).encode())
    with redis.Redis.from_url(env["REDIS_URL"]) as server:
        ours = server.rpop("work")
        assert isinstance(ours, bytes)
        garbage = list(messages(json.loads(ours)))
        server.lpush("work", *garbage)
        # Unacknowledged for a long time, as after the death of a worker.
        lost = {f"tag{number}": item for number, item in enumerate(garbage[:20])}
        lost |= {f"pair{n}": json.dumps([junk, "", "work"]).encode() for n, junk in enumerate(JUNK)}
        server.hset("unacked", mapping=lost)
        server.zadd("unacked_index", {**dict.fromkeys(lost, 1.0), "nothing": 1.0})
        worker = hana.start("worker", env=env)
        empty = "the queue is empty"
        wait_until(lambda: worker.poll() or not server.llen("work"), empty, seconds=120)
        assert worker.poll() is None, "it has ended"
        server.publish("/0.celery.pidbox", b'{"a": 1}')
        for key in ("work", "unacked", "unacked_index"):
            server.set(key, "x")
            if key != "work":
                server.lpush("work", ours)  # which is dropped
            wait_until(partial(is_removed, server, key), f"the worker removes {key}")
        server.lpush("work", ours)
        ledger.wait(ledger.is_done)
        wait_until(lambda: not count_pending(server), "nothing waits to be acknowledged")
    assert worker.poll() is None


def is_removed(server: redis.Redis, key: str) -> bool:
    """Return whether a key has another value than the test's."""
    return bool(server.type(key) != b"string")


def count_pending(server: redis.Redis) -> Any:
    """Return the number of messages that will be delivered again."""
    return server.llen("work") or server.hlen("unacked") or server.zcard("unacked_index")


def test_garbage_in_the_cache_is_a_miss(db: None, redis_server: str, settings: Settings) -> None:
    settings.CACHES = settings.CACHES | {
        "default": {
            "BACKEND": "hanaarchive.cache.SharedCache",
            "LOCATION": redis_server,
            "OPTIONS": {"serializer": JsonSerializer},
        }
    }
    with redis.Redis.from_url(redis_server) as server:
        server.flushall()
        for value in (b"\xff\x00", b"[" * 99_999, b"9" * 9_999, b"{", b'"x"', b"[]"):
            figures = games.figures()
            limits.step("read", "somebody")
            keys = server.keys()
            assert isinstance(keys, list) and len(keys) == 2
            for key in keys:
                server.set(key, value)
            assert games.figures() == figures, value
            for key in keys:
                server.set(key, value)
            assert Client().get(reverse("home")).status_code == 200, value
            assert limits.step("read", "somebody").used == 1, value
            server.flushall()
