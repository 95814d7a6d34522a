"""CPU seconds of one uncached response, for the groups of addresses that compute in web threads.

    python -m bench.weights

Requests each of `ADDRESSES` on a site with the sample games, in this process, with an empty cache
of responses, and prints the least CPU seconds of `CALLS` calls. The weight of a group in
`records.serving.limits.GROUPS` is the cost of its most expensive address, in units of 10 ms. The
groups of the room "compute" are not measured: their senders pay for what the computing processes
use.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from bench.sample_site import sample_site

if TYPE_CHECKING:
    from django.test import Client

#: Calls of which the cheapest counts: the first imports modules and reads files.
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


def measure(group: str) -> Iterator[tuple[str, float]]:
    """Yield the paths of a group with the CPU seconds of a response."""
    # Imported when Django is set up.
    from django.test import Client

    from records.models import Player, Record

    client = Client()  # one, because a client loads the middleware
    keys = {
        "record": Record.objects.filter(ruleset="koikoi").order_by("-deals_played")[0].key,
        "player": Player.objects.filter(games__gt=0)[0].key,
    }
    for address in ADDRESSES[group]:
        path = address.format(**keys)
        yield path, min(_measure_response(client, path) for _ in range(CALLS))


def _measure_response(client: Client, path: str) -> float:
    from django.core.cache import caches  # as in `measure`

    caches["responses"].clear()
    began = time.process_time()
    response = client.get(path, headers={"Host": "localhost"})
    seconds = time.process_time() - began
    if response.status_code != 200:
        raise SystemExit(f"{path}: the status is {response.status_code}")
    return seconds


def main() -> None:
    """Print the CPU seconds of each address, and the weights that they need and have."""
    with sample_site():
        from records.serving.limits import GROUPS, UNITS_PER_SECOND

        for group in ADDRESSES:
            costs = dict(measure(group))
            for path, seconds in costs.items():
                print(f"{seconds:8.3f} {path}")
            units = max(costs.values()) * UNITS_PER_SECOND
            print(f"{group}: {units:.1f} units, weight {GROUPS[group].weight}\n")


if __name__ == "__main__":
    main()
