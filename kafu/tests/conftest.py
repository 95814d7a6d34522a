"""The library's tests need pytest, hypothesis and jsonschema, and nothing of the archive."""

from typing import Any

from hypothesis import HealthCheck, settings

import shared
from lengths import EXAMPLES

# How fast the machine is must not decide a test.
settings.register_profile(
    "kafu",
    deadline=None,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kafu")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """No case vanishes in silence."""
    shared.tell(terminalreporter)
