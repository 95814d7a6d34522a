"""A separate site for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import services
from tests.conftest import Environment
from tests.faults.site import SETTINGS, Site

MakeSite = Callable[..., Site]


@pytest.fixture
def redis_of_its_own() -> Iterator[services.RedisServer]:
    """Yield a Redis that may be hurt."""
    with services.redis_server() as server:
        yield server


@pytest.fixture
def make_site(
    request: pytest.FixtureRequest, hana_env: Callable[..., Environment], tmp_path: Path
) -> Iterator[MakeSite]:
    """Yield a maker of sites: `make_site("web", "worker 1", HANA_CHUNK_GAMES="4")`."""
    sites: list[Site] = []

    def make(*roles: str, production: bool = True, **variables: str) -> Site:
        variables = SETTINGS | variables
        postgres = redis = None
        if production:
            postgres = request.getfixturevalue("postgres_server")
            redis = request.getfixturevalue("redis_of_its_own")
            variables["REDIS_URL"] = redis.url
        env = hana_env(postgres=production, **variables)
        site = Site(env, tmp_path / "log", postgres=postgres, redis=redis)
        sites.append(site)
        site.start(*roles)
        if "web" in roles:
            site.wait(site.answers)
        return site

    yield make
    for site in sites:
        site.end()
