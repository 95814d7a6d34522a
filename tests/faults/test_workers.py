"""Workers die, sleep, and repeat the same job."""

import os
import signal
import time
from functools import partial

import pytest

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import file, games, mixed, named, zipped
from tests.faults.hurts import in_mid_work, slowed
from tests.faults.poison import HANG, poisoned
from tests.faults.site import Site
from tests.hanaarchive.test_supervisor import descendants

pytestmark = pytest.mark.faults


def test_worker_asleep_beyond_its_lease_writes_nothing(make_site: MakeSite, hana: Hana) -> None:
    site = make_site("web", "sweep", "worker 1", HANA_LEASE_SECONDS="3")
    site.upload(slowed("Aya", "Gin"))
    site.wait(lambda: in_mid_work(site))
    sleeping = descendants(site.running["worker 1"].pid)
    for pid in sleeping:
        os.kill(pid, signal.SIGSTOP)
    os.kill(site.running["worker 1"].pid, signal.SIGSTOP)
    site.start("worker 2")
    site.wait(site.books.is_settled)
    site.signal("worker 1", signal.SIGCONT)
    time.sleep(1)
    site.settle(hana)


@pytest.mark.parametrize("production", [False, True], ids=["sqlite", "production"])
def test_worker_killed_while_unpacking_or_storing_loses_nothing(
    make_site: MakeSite, hana: Hana, production: bool
) -> None:
    site = make_site("web", *(["sweep"] if production else []), production=production)
    inner = zipped(**{f"n{n}": mixed(f"Player {n}") for n in range(12)})
    site.upload(zipped(a=mixed("Aya"), b=slowed("Gin")), "games.zip")
    site.upload(inner, "more.zip")
    for moment in (0.0, 0.05, 0.3):
        site.start("worker")
        site.wait(partial(has_work, site))
        time.sleep(moment)
        site.kill("worker")
        del site.running["worker"]
    site.start("worker")
    site.settle(hana)


def has_work(site: Site) -> bool:
    """Return whether a worker has leased a job."""
    question = "SELECT count(*) FROM records_job WHERE state = 'leased'"
    return site.books.is_settled() or bool(site.ledger.number(question))


def test_same_games_in_any_order_cause_no_deadlock(make_site: MakeSite, hana: Hana) -> None:
    """Send the same games in both orders, with better and worse verdicts, and judge them again."""
    site = make_site("web", "sweep", HANA_CHUNK_GAMES="100")
    texts = games("Aya", "Gin", "Hana", "Iku")
    site.upload(file(*texts))
    site.upload(file(*reversed(texts)))
    site.upload(mixed("Aya", "Gin", "Hana", "Iku"))
    site.upload(mixed("Iku", "Hana", "Gin", "Aya"))
    site.start("worker 1", "worker 2")
    site.wait(lambda: site.ledger.chunks_done())
    for _ in range(3):
        hana("reverify", "--all", env=site.env)
    site.settle(hana)
    assert not site.ledger.number(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    )


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
