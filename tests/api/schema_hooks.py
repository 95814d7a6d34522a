"""Hooks of schemathesis: existing keys, and requests that can be sent at all.

Its command loads this by ``SCHEMATHESIS_HOOKS``; HANA_FUZZ_KEYS has the keys of existing objects.
"""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

import schemathesis

KEYS: Final[dict[str, list[str]]] = json.loads(os.environ["HANA_FUZZ_KEYS"])
#: The longest line of a request that the web server takes, and some room for the path.
LINE: Final = 8190 - 300
CHANCE: Final = Random(int(os.environ["FUZZ_SEED"]))


def pool(path: str) -> list[str]:
    """What `key` (or `ruleset`) can be in this path."""
    if "/odds/" in path:
        return ["hachihachi", "koikoi", "ten-five-one"]
    if "/me/" in path:
        return ["a-draft", "another"]  # of the caller: a key that they choose, or none of theirs
    return KEYS["partials" if "resumable" in path else path.split("/")[3]]


@schemathesis.hook
def map_path_parameters(context: Any, value: dict[str, Any] | None) -> dict[str, Any] | None:
    """Three of four times a key that is there."""
    if not value or CHANCE.random() < 0.25:
        return value
    return {name: CHANCE.choice(pool(context.operation.path)) for name in value}


@schemathesis.hook
def map_query(context: Any, value: dict[str, Any] | None) -> dict[str, Any] | None:
    """A cursor is what a list gave, and can't be made up: mostly none is sent."""
    if value and "cursor" in value and CHANCE.random() < 0.8:
        return {name: one for name, one in value.items() if name != "cursor"}
    return value


@schemathesis.hook
def filter_query(context: Any, value: dict[str, Any] | None) -> bool:
    """Above this the web server answers, not the API."""
    return not value or len(urlencode(value, doseq=True, errors="replace")) < LINE


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Cases that go through the bounds one by one are not filtered: shorten them."""
    if case.query and not filter_query(context, case.query):
        case.query = {name: one for name, one in case.query.items() if len(str(one)) < 200}


@schemathesis.serializer("application/offset+octet-stream")
def as_they_are(context: Any, value: Any) -> bytes:
    """Bytes of a part of an upload."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")
