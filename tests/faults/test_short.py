"""The faults in short: one site in production and one on SQLite, with every fault once."""

import time
from random import Random

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import file, games, mixed, named, zipped
from tests.faults.hurts import Hurts, disk_full, half_sent, in_mid_work, slowed
from tests.faults.poison import KILL, poisoned
from tests.faults.site import ROLES

HURTS = (
    *("worker killed", "backend killed", "Redis restarted", "web killed", "messages again"),
    *("PostgreSQL down", "Redis flushed", "pool process of a worker killed"),
)


def bad() -> str:
    """A game that kills its worker. Last of six it has one neighbour in its chunk: halved once."""
    return poisoned(named(1, "Bad"), KILL)


def test_production(make_site: MakeSite, hana: Hana) -> None:
    site = make_site(*ROLES, HANA_LEASE_SECONDS="3")
    hurts = Hurts(site, Random(2026))
    site.upload(slowed("Aya", "Gin"))
    site.upload(zipped(one=mixed("Hana"), two=file(*reversed(games("Aya")))), "games.zip")
    site.upload(file(*games("Iku")[:5], bad()))
    site.wait(lambda: in_mid_work(site))
    for name in HURTS:
        hurts.do(name)
        site.tend()
        time.sleep(0.3)
    with half_sent(site, mixed("Jun"), "a key"):
        site.kill("web")
    site.upload(mixed("Jun"), key="a key")
    site.wait(site.answers)  # the one that was started again, not what is left of the other
    with disk_full(site, "web"):
        assert site.post(mixed("Kei"), "games.kafu", "another")[0] == 507
    site.upload(mixed("Kei"), key="another")
    site.settle(hana)


def test_sqlite(make_site: MakeSite, hana: Hana) -> None:
    site = make_site("web", "worker", production=False)
    site.upload(slowed("Aya"))
    site.upload(file(*games("Iku")[:5], bad()))
    for _ in range(2):
        site.wait(lambda: site.ledger.in_work())
        site.kill("worker")
        site.tend()
    with half_sent(site, mixed("Jun"), "a key"):
        site.kill("web")
    site.upload(mixed("Jun"), key="a key")
    site.settle(hana)
