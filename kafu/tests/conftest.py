"""The library's tests need pytest, hypothesis and jsonschema, and nothing of the archive."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import shared
from lengths import EXAMPLES, LONG

# How fast the machine is must not decide a test.
settings.register_profile(
    "kafu",
    deadline=None,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kafu")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests marked `long_only`, except in `make test-long`."""
    dropped = [item for item in items if not LONG and item.get_closest_marker("long_only")]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """No case vanishes in silence."""
    shared.tell(terminalreporter)
