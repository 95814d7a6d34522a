"""Lists of rare games use the index of their filter, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.conftest import Environment, Hana

#: Words of a plan that reads all listings, along an order or as they lie.
WHOLE = ("SCAN records_listing", "Seq Scan on records_listing", "listing_score", "listing_played")


@pytest.mark.processes
@pytest.mark.parametrize("postgres", [False, True])
def test_rare_yaku_and_event_are_found_by_their_index(
    hana_env: Callable[..., Environment], hana: Hana, postgres: bool
) -> None:
    script = "from tests.records.search import plans\nplans.run()"
    output = hana("shell", "--command", script, env=hana_env(postgres=postgres)).stdout
    plans = json.loads(output.splitlines()[-1])
    assert len(plans) == 4
    for query, plan in plans.items():
        index = "listing_event" if query.startswith("event") else "records_listedfeature"
        assert index in plan, (query, plan)
        assert not any(words in plan for words in WHOLE), (query, plan)
