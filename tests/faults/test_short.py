"""The faults in short: one site in production form and one on SQLite, each mechanism once.

The other tests of this folder, marked `faults`, do each of them alone and more often.
"""

import time
from random import Random

from tests.conftest import Hana
from tests.faults.books import Sent
from tests.faults.conftest import MakeSite
from tests.faults.games import file, games, mixed, named, zipped
from tests.faults.hurts import Hurts, disk_full, half_sent, in_mid_work, slowed
from tests.faults.poison import KILL, poisoned
from tests.faults.site import ROLES, Site
from tests.records.work.ledger import hand_in

HURTS = ("worker killed", "Redis restarted", "messages again", "PostgreSQL down")
ATTEMPTS = "SELECT max(attempts) FROM records_job WHERE kind = 'chunk' AND state = 'done'"


def hand_in_to(site: Site, hana: Hana, *files: bytes) -> None:
    """Upload files to a site without a web server, and note them in its books."""
    keys = hand_in(hana, site.env, *files)
    site.books.sent += [Sent(key, data) for key, data in zip(keys, files, strict=True)]


def test_production_site_loses_nothing_to_any_fault(make_site: MakeSite, hana: Hana) -> None:
    site = make_site(*ROLES, HANA_LEASE_SECONDS="3")
    hurts = Hurts(site, Random(2026))
    site.upload(slowed("Aya", "Gin"))
    site.upload(zipped(one=mixed("Hana"), two=file(*reversed(games("Aya")))), "games.zip")
    # Alone in its chunk, which needs not be halved: that takes three attempts more.
    site.upload(file(*games("Iku")[:4], poisoned(named(1, "Bad"), KILL)))
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


def test_site_on_sqlite_loses_nothing_when_its_worker_is_killed(
    make_site: MakeSite, hana: Hana
) -> None:
    site = make_site("worker", production=False)
    hand_in_to(site, hana, slowed("Aya"), mixed("Jun"))
    site.wait(lambda: in_mid_work(site))
    site.kill("worker")
    site.settle(hana)
    assert site.ledger.number(ATTEMPTS) > 1
