"""Lists of rare games use the index of their filter, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.conftest import Environment, Hana
from tests.records.search import plans

#: Parts of plans that read all listings, along an order or in storage order.
WHOLE = ("SCAN records_listing", "Seq Scan on records_listing", "listing_score", "listing_played")


def check(explained: dict[str, str]) -> None:
    """Assert that each query uses its index."""
    assert len(explained) == 4
    for query, plan in explained.items():
        index = "listing_event" if query.startswith("event") else "records_listedfeature"
        assert index in plan, (query, plan)
        assert not any(words in plan for words in WHOLE), (query, plan)


@pytest.mark.django_db
@pytest.mark.long
def test_rare_yaku_and_event_on_sqlite_are_found_by_their_index() -> None:
    check(plans.explain())


@pytest.mark.long_only  # the next test has the plan on SQLite
def test_rare_yaku_and_event_on_postgresql_are_found_by_their_index(
    hana_env: Callable[..., Environment], hana: Hana
) -> None:
    script = (
        "import json\nfrom tests.records.search import plans\nprint(json.dumps(plans.explain()))"
    )
    output = hana("shell", "--command", script, env=hana_env(postgres=True)).stdout
    check(json.loads(output.splitlines()[-1]))
