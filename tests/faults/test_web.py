"""The web server dies, or its disk is full, while uploads arrive."""

import http.client

import pytest

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import mixed, zipped
from tests.faults.hurts import disk_full
from tests.hanaarchive.test_supervisor import descendants

pytestmark = pytest.mark.faults


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
