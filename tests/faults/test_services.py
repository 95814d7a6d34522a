"""PostgreSQL and Redis die, hang and lose data while uploads are processed."""

import signal

import pytest
import redis

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import file, mixed, named
from tests.faults.hurts import in_mid_work, kill_backend, slowed
from tests.faults.poison import HANG, poisoned
from tests.faults.site import ROLES

pytestmark = pytest.mark.faults


def test_killed_backend_of_postgresql_loses_no_upload(make_site: MakeSite, hana: Hana) -> None:
    """PostgreSQL then ends all other backends too, and recovers."""
    site = make_site(*ROLES)
    site.upload(slowed("Aya", "Gin", "Hana"))
    site.wait(lambda: in_mid_work(site))
    kill_backend(site)
    site.upload(mixed("Aya", "Jun"))
    site.settle(hana)


def test_killed_emptied_or_hanging_redis_loses_no_upload(make_site: MakeSite, hana: Hana) -> None:
    site = make_site(*ROLES)
    assert site.redis is not None
    site.upload(slowed("Aya", "Gin", "Hana"))
    site.wait(lambda: in_mid_work(site))
    site.redis.kill()
    site.upload(mixed("Away"))  # No sender should notice.
    site.redis.start()
    site.upload(slowed("Iku"))
    with redis.Redis.from_url(site.redis.url) as client:
        client.flushall()
    site.redis.signal(signal.SIGSTOP)
    try:
        site.upload(mixed("Hanging"))
    finally:
        site.redis.signal(signal.SIGCONT)
    site.settle(hana)


def test_time_limit_of_a_hanging_game_survives_a_killed_redis(
    make_site: MakeSite, hana: Hana
) -> None:
    """Time limits of running jobs still work, so that the only worker goes on."""
    site = make_site("web", "worker", "sweep")
    assert site.redis is not None
    site.upload(file(poisoned(named(1, "Bad"), HANG)))
    site.wait(site.ledger.in_work)
    site.redis.kill()
    site.redis.start()
    site.upload(mixed("Aya"))
    site.settle(hana)
