"""The web server dies, or its disk is full, while uploads arrive."""

import http.client
import time

import pytest

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import mixed, zipped
from tests.faults.hurts import disk_full, half_sent
from tests.hanaarchive.test_supervisor import descendants

pytestmark = pytest.mark.faults


@pytest.mark.parametrize("production", [False, True], ids=["sqlite", "production"])
def test_web_server_killed_during_an_upload_loses_nothing_acknowledged(
    make_site: MakeSite, hana: Hana, production: bool
) -> None:
    site = make_site("web", "worker", *(["sweep"] if production else []), production=production)
    data = mixed("Aya", "Gin")
    for number in range(3):
        with half_sent(site, data, f"key {number}"):
            time.sleep(0.3)  # The server is reading the body.
            site.kill("web")
        site.start("web")
        site.upload(data, key=f"key {number}")
        # Repeat the request, as if the response had been lost.
        status, again = site.post(data, "games.kafu", f"key {number}")
        assert (status, again["key"]) == (202, site.books.sent[-1].key)
    site.settle(hana)


def test_full_disk_of_the_web_server_refuses_uploads(make_site: MakeSite, hana: Hana) -> None:
    site = make_site("web", "worker", "sweep")
    data = zipped(one=mixed("Aya"), two=mixed("Gin"))
    with disk_full(site, "web"):
        status, problem = site.post(data, "games.zip", "a key")
        assert (status, problem["code"]) == (507, "no-room")
        assert not site.ledger.number("SELECT count(*) FROM records_upload")
        assert not list(site.stored())
    site.upload(data, "games.zip", "a key")
    site.settle(hana)


def test_full_disk_of_a_worker_delays_its_work(make_site: MakeSite, hana: Hana) -> None:
    """An archive that cannot be unpacked for a while is tried again without a limit."""
    site = make_site("web", "sweep")
    site.upload(zipped(one=mixed("Aya"), two=mixed("Gin")), "games.zip")
    site.start("worker")
    site.wait(lambda: descendants(site.running["worker"].pid))
    with disk_full(site, "worker"):
        site.wait(lambda: "put off" in site.log.read_text())
        assert site.ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'file'") == 0
    site.settle(hana)


def test_web_server_without_a_database_is_unavailable(make_site: MakeSite) -> None:
    site = make_site("web")
    assert site.postgres is not None
    site.postgres.stop_at_once()
    try:
        status, problem = site.post(mixed("Aya"), "games.kafu", "a key")
        assert (status, problem["code"]) == (503, "unavailable"), problem
    except http.client.HTTPException as error:
        pytest.fail(f"no answer: {error!r}")
    finally:
        site.postgres.start()
    site.upload(mixed("Aya"), key="a key")
