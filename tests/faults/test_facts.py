"""Workers and sweeps that are killed at any moment leave facts that equal the games."""

import time
from functools import partial

import pytest

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import file, games, mixed
from tests.faults.site import Site

pytestmark = pytest.mark.faults

DUE = (
    "SELECT count(*) FROM records_record"
    " WHERE visibility = 3 AND copy_of_id IS NULL AND facts <> revision"
)
LEASED = (
    "SELECT count(*) FROM records_job WHERE state = 'leased'"
    " AND kind IN ('chunk', 'facts', 'merge-facts')"
)
MERGED = "SELECT count(*) FROM records_factpart WHERE merged_into IS NOT NULL"


#: Without a pause each chunk writes its facts; with a pause the job writes few parts.
@pytest.mark.parametrize(
    ("production", "pause"),
    [(False, 0), (True, 0), (True, 1)],
    ids=["sqlite", "production", "production with batches"],
)
def test_facts_equal_the_games_after_kills_while_storing_refreshing_and_merging(
    make_site: MakeSite, hana: Hana, production: bool, pause: int
) -> None:
    workers = ("worker 1", "worker 2", "sweep") if production else ("worker 1",)
    site = make_site("web", production=production, HANA_FACTS_SECONDS=str(pause))
    site.upload(mixed("Aya", "Gin"))
    site.upload(file(*games("Hana", "Iku")))
    for moment in (0.0, 0.2, 0.8):
        site.start(*workers)
        site.wait(partial(has_work, site), tick=0.02)
        time.sleep(moment)
        for role in workers:
            site.kill(role)
            del site.running[role]
        # Make half of the stored games due again.
        site.ledger.do("UPDATE records_record SET revision = revision + 1 WHERE id % 2 = 1")
    site.start(*workers)
    site.settle(hana)
    site.wait(lambda: not site.ledger.number(DUE), tick=0.5)
    if not pause:
        site.wait(lambda: site.ledger.number(MERGED), tick=0.5)
    assert "differences: 0" in hana("facts", "--check", env=site.env).stdout


def has_work(site: Site) -> bool:
    """Return whether a worker stores games, refreshes facts or merges parts."""
    return bool(site.ledger.number(LEASED))
