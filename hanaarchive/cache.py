"""The cache that all web processes share, in Redis; while that is away, each counts for itself.

It holds counts of requests, which must not be a reason to refuse an upload. Values are JSON, also
where a process has a cache of its own: what one form cannot keep, none does.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

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
            logger.warning("cache away: %s", error)
            return getattr(self.own, name)(*args, **kwargs)

    return ask


class JsonSerializer:
    """Values as JSON: Django's own pickles, and whoever can write to Redis would run code here.

    Whole numbers stay as they are, so that Redis can add to them.
    """

    def dumps(self, value: Any) -> Any:
        """What is stored. Raises TypeError for what JSON does not know."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        """The value; None, as if it were not there, for what nobody of us wrote."""
        try:
            return int(data)
        except ValueError:
            pass
        try:
            return json.loads(data)
        except ValueError:
            logger.warning("a value in the cache is not ours")
            return None


class OwnCache(LocMemCache):
    """The cache of one process."""

    json = JsonSerializer()

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        """The value; the default where there is none."""
        found = super().get(key, None, version)
        return default if found is None else self.json.loads(found)

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        """Keep a value. Raises TypeError for what JSON does not know."""
        super().set(key, self.json.dumps(value), *args, **kwargs)

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        """Keep a value where there is none; whether there was none. Raises as `set`."""
        return super().add(key, self.json.dumps(value), *args, **kwargs)


class SharedCache(RedisCache):
    """Django's own, that answers also without Redis."""

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
