"""The library's tests need pytest, hypothesis and jsonschema, and nothing of the archive."""

import os
from typing import Any

from hypothesis import HealthCheck, settings

import shared

# How fast the machine is must not decide a test.
# How many examples of each property are tried: `make test-fast` has fewer, `make test-long` more.
settings.register_profile(
    "kafu",
    deadline=None,
    max_examples=int(os.environ.get("EXAMPLES", "20")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kafu")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """No case vanishes in silence."""
    shared.tell(terminalreporter)
