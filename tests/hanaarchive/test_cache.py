"""The shared cache: an unavailable Redis causes no errors."""

import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
import redis

from hanaarchive.cache import JsonSerializer, OwnCache, SharedCache
from tests.services import free_port


def test_process_without_redis_counts_for_itself() -> None:
    cache = SharedCache(f"redis://127.0.0.1:{free_port()}/0", {})
    assert cache.get("count") is None
    assert cache.add("count", 1, 60)
    assert not cache.add("count", 1, 60)
    assert cache.incr("count") == 2
    cache.set_many({"a": 1, "b": 2})
    assert cache.get_many(["a", "b"]) == {"a": 1, "b": 2}
    assert cache.has_key("a")
    assert cache.delete("a")
    cache.set("a", 3)
    assert cache.touch("a", 60)


def test_processes_with_redis_share_their_counts(redis_server: str) -> None:
    first, second = (SharedCache(redis_server, {}) for _ in range(2))
    first.set("count", 1, 60)
    assert second.incr("count") == 2


class _Trap:
    """An object that runs code when unpickled."""

    def __reduce__(self) -> Any:
        return print, ("run",)


def test_pickle_in_redis_is_not_loaded(
    redis_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = SharedCache(redis_server, {"OPTIONS": {"serializer": JsonSerializer}})
    shared.set("a", {"games": 3, "names": ["花"]}, 60)
    assert shared.get("a") == {"games": 3, "names": ["花"]}
    with redis.Redis.from_url(redis_server) as server:
        server.set(shared.make_key("a"), pickle.dumps(_Trap()))
    assert shared.get("a") is None
    assert "run" not in capsys.readouterr().out


def test_shared_and_own_cache_store_the_same_values(redis_server: str) -> None:
    shared = SharedCache(redis_server, {"OPTIONS": {"serializer": JsonSerializer}})
    for cache in (shared, OwnCache("test", {})):
        for value in (3, 0.5, "花", True, [1, None], {"a": {"b": 1}}):
            cache.set("a", value, 60)
            assert cache.get("a") == value
        assert not cache.add("a", 1, 60)
        assert cache.get("nothing", 7) == 7
        cache.set("count", 1, 60)
        assert cache.incr("count") == 2
        with pytest.raises(TypeError):
            cache.set("a", datetime.now(UTC), 60)
