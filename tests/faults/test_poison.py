"""Games that hurt are tried three times, then given up alone; their neighbours are unharmed."""

import json

import pytest

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import file, games, mixed, named
from tests.faults.poison import FAIL, HANG, KILL, poisoned
from tests.faults.site import ROLES

pytestmark = pytest.mark.faults


def bad(effect: str) -> str:
    return poisoned(named(1, f"Poison {effect}"), effect)


@pytest.mark.parametrize("effect", [KILL, HANG])
def test_harmful_game_in_production_is_given_up_alone(
    make_site: MakeSite, hana: Hana, effect: str
) -> None:
    site = make_site(*ROLES, HANA_LEASE_SECONDS="4")
    around = games("Gin")
    key = site.upload(file(*around[:2], bad(effect), *around[2:4]))
    site.upload(mixed("Hana"))
    site.settle(hana)
    least = "SELECT min(attempts) FROM records_job WHERE state = 'dead-letter'"
    assert site.ledger.number(least) == 3
    check_report(site.get(f"/api/v1/uploads/{key}/report")[1], number=3)
    assert b"games.kafu, game 3, line" in site.get(f"/uploads/{key}/")[1]


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


def check_report(lines: bytes, *, number: int) -> None:
    """Check that the report has every game, and names the dead letter."""
    report = [json.loads(line) for line in lines.splitlines()]
    assert [(t["file_name"], t["number"]) for t in report if t["status"] == "dead-letter"] == [
        ("games.kafu", number)
    ]
