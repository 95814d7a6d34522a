"""Games that hurt are tried three times, then given up alone; their neighbours are unharmed."""

import pytest

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import file, games, named
from tests.faults.poison import FAIL, HANG, KILL, poisoned

pytestmark = pytest.mark.faults


def bad(effect: str) -> str:
    return poisoned(named(1, f"Poison {effect}"), effect)


@pytest.mark.parametrize("effect", [KILL, HANG])
def test_harmful_game_of_the_embedded_worker_is_given_up_alone(
    make_site: MakeSite, hana: Hana, effect: str
) -> None:
    site = make_site("web", "worker", production=False, HANA_LEASE_SECONDS="4")
    around = games("Gin")
    site.upload(file(*around[:2], bad(effect), *around[2:4], bad(FAIL)))
    site.settle(hana)
    reasons = site.ledger.ask("SELECT reason FROM records_job WHERE state = 'dead-letter'")
    assert ("ZeroDivisionError: poison",) in reasons
