"""Weights of requests, compared with the CPU seconds of uncached responses.

The weight of a group in `records.serving.limits.GROUPS` is the cost of its most expensive address,
in units of 10 ms. The groups of the room "compute" are not measured: their senders pay for what the
computing processes use.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

import pytest
from django.core.cache import caches
from django.test import Client

from lengths import LONG
from records.models import Player, Record
from records.serving.limits import GROUPS, UNITS_PER_SECOND
from tests.records.makers import ingest, text

pytestmark = pytest.mark.django_db

#: Calls of which one must be cheap enough: the first imports modules and reads files.
CALLS: Final = 3
#: Paths by group; ``{record}`` and ``{player}`` are keys.
ADDRESSES: Final[Mapping[str, tuple[str, ...]]] = {
    "page": (
        *("/", "/games/", "/games/?ruleset=koikoi&sort=score", "/games/feed", "/sitemap.xml"),
        *("/games/{record}/", "/games/{record}/moves/", "/games/{record}/replay.json"),
        *("/games/{record}/frame", "/embed/{record}/", "/games/{record}/sheet"),
        *("/games/{record}/comments/", "/games/{record}/analysis/"),
        *("/players/", "/cards/", "/rules/", "/rules/koikoi/", "/odds/koikoi/", "/kafu/"),
        *("/kafu/crib/", "/kafu/programs/", "/kafu/deal/replay.json"),
        *("/api/v1/records", "/api/v1/records/{record}", "/api/v1/records/{record}/replay"),
    ),
    "statistics": (
        *("/statistics/", "/statistics/insights/", "/players/{player}/"),
        "/api/v1/statistics/seats?ruleset=koikoi",
        "/api/v1/statistics/yaku?ruleset=koikoi",
        "/api/v1/statistics/bests?ruleset=koikoi",
    ),
    "figures": ("/statistics/koikoi/", "/statistics/hachihachi/", "/statistics/bests/"),
    "situations": (
        "/games/{record}/situations/?at=1.0",
        "/api/v1/records/{record}/situations?at=1.0",
    ),
    "schema": ("/api/v1/schema",),
}


@pytest.fixture(scope="module")
def games(rows_for_all: None) -> None:
    """Store three games."""
    ingest(*(text(seed).encode() for seed in range(3)))


@pytest.mark.parametrize("group", ADDRESSES if LONG else ["situations"])
def test_weight_is_at_least_half_of_the_measured_cost(games: None, group: str) -> None:
    """CPU seconds of this process hardly depend on the load of the machine."""
    client = Client()  # one, because a client loads the middleware
    keys = {
        "record": Record.objects.filter(ruleset="koikoi").order_by("-deals_played")[0].key,
        "player": Player.objects.filter(games__gt=0)[0].key,
    }
    for address in ADDRESSES[group]:
        path = address.format(**keys)
        most = 2 * GROUPS[group].weight / UNITS_PER_SECOND
        assert any(measure_response(client, path) <= most for _ in range(CALLS)), path


def measure_response(client: Client, path: str) -> float:
    """Return the CPU seconds of a response with an empty cache."""
    caches["responses"].clear()
    began = time.process_time()
    assert client.get(path, headers={"Host": "localhost"}).status_code == 200, path
    return time.process_time() - began


def test_every_group_that_computes_in_web_threads_is_measured() -> None:
    computing = {name for name, group in GROUPS.items() if group.room == "work"}
    assert computing - {"report"} == ADDRESSES.keys()  # a report needs an upload
