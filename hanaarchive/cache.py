"""The cache shared by all web processes, in Redis; each process falls back to a local cache.

The cache has counts of requests, whose loss must not lead to the refusal of an upload, and
responses. Values are JSON or bytes, also in the local cache, so that both accept the same values.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, Final

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def _or_own(name: str) -> Callable[..., Any]:
    shared: Callable[..., Any] = getattr(RedisCache, name)

    def ask(self: SharedCache, *args: Any, **kwargs: Any) -> Any:
        try:
            return shared(self, *args, **kwargs)
        except RedisError as error:
            logger.warning("cache unavailable: %s", error)
            return getattr(self.own, name)(*args, **kwargs)

    return ask


#: The first byte of stored bytes, with which no JSON begins.
_BYTES: Final = b"\0"


class JsonSerializer:
    """A serializer of cached values as JSON.

    Django's default is pickle, by which a user of Redis could run code in our processes. Integers
    are stored unchanged, so that Redis can add to them; bytes have a prefix.
    """

    def dumps(self, value: Any) -> Any:
        """Return the stored form. Raise TypeError for values that are neither JSON nor bytes."""
        if isinstance(value, bytes):
            return _BYTES + value
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        """Return the value, None for a value in another format."""
        if isinstance(data, bytes) and data.startswith(_BYTES):
            return data[1:]
        try:
            return int(data)
        except ValueError:
            pass
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            logger.warning("a value in the cache has an unknown format")
            return None


class OwnCache(LocMemCache):
    """The cache of one process."""

    json = JsonSerializer()

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        """Return the value, or the default if the value is missing."""
        stored = super().get(key, None, version)
        return default if stored is None else self.json.loads(stored)

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        """Store a value. Raises TypeError for values that are not JSON."""
        super().set(key, self.json.dumps(value), *args, **kwargs)

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        """Store a value if the key is missing; return whether it was missing. Raises as `set`."""
        return super().add(key, self.json.dumps(value), *args, **kwargs)


class SharedCache(RedisCache):
    """Django's Redis cache, with a fallback while Redis is unavailable."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.own = OwnCache("away", {})

    add = _or_own("add")
    get = _or_own("get")
    set = _or_own("set")
    touch = _or_own("touch")
    delete = _or_own("delete")
    get_many = _or_own("get_many")
    set_many = _or_own("set_many")
    has_key = _or_own("has_key")
    incr = _or_own("incr")
