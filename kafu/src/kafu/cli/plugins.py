"""Rulesets and importers of other installed packages, found by their entry points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from kafu.importers import OF_JSON, OF_TEXT
from kafu.rules.rulesets import register

#: The use of an object by the group of its entry point.
GROUPS: Final[Mapping[str, Callable[[Any], object]]] = {
    "kafu.rulesets": register,
    "kafu.importers": OF_JSON.append,
    "kafu.text_importers": OF_TEXT.append,
}


@cache
def load_plugins() -> tuple[str, ...]:
    """Load all plug-ins once, and return a message for each one that cannot be loaded."""
    messages = []
    for group, use in GROUPS.items():
        for entry in entry_points(group=group):
            try:
                use(entry.load())
            except Exception as error:  # anything may be wrong with another package
                messages.append(f"plug-in {entry.name} of {group}: {error!r}")
    return tuple(messages)
