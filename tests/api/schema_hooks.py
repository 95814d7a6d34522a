"""Hooks of schemathesis: keys of existing objects, and a filter of possible requests.

Its command loads this module by ``SCHEMATHESIS_HOOKS``; HANA_FUZZ_KEYS has the keys. A test in
process fills `KEYS`.
"""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

import schemathesis

KEYS: Final[dict[str, list[str]]] = json.loads(os.environ.get("HANA_FUZZ_KEYS", "{}"))
#: Most characters of a query: the web server refuses longer request lines.
MOST_QUERY: Final = 8190 - 300
#: Seconds for which a request would wait for a change of an upload.
WAITS: Final = {str(seconds) for seconds in range(1, 21)}
CHANCE: Final = Random(int(os.environ.get("FUZZ_SEED", "1")))


def list_keys(path: str) -> list[str]:
    """Return values of `key` (or `ruleset`) in a path."""
    if "/odds/" in path:
        return ["hachihachi", "koikoi", "ten-five-one"]
    if "/me/" in path:
        return ["a-draft", "another"]  # drafts of the caller, who chooses their keys
    return KEYS.get("partials" if "resumable" in path else path.split("/")[3], ["none"])


@schemathesis.hook
def map_path_parameters(context: Any, value: dict[str, Any] | None) -> dict[str, Any] | None:
    """Replace three of four keys by an existing key."""
    if not value or CHANCE.random() < 0.25:
        return value
    return {name: CHANCE.choice(list_keys(context.operation.path)) for name in value}


@schemathesis.hook
def map_query(context: Any, value: dict[str, Any] | None) -> dict[str, Any] | None:
    """Leave out most cursors, because only a list returns valid cursors."""
    if value and "cursor" in value and CHANCE.random() < 0.8:
        return {name: text for name, text in value.items() if name != "cursor"}
    return value


@schemathesis.hook
def filter_query(context: Any, value: dict[str, Any] | None) -> bool:
    """Tell whether the web server lets the query through to the API."""
    return not value or len(urlencode(value, doseq=True, errors="replace")) < MOST_QUERY


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Shorten queries that `filter_query` does not see, and let no request wait."""
    if case.query and not filter_query(context, case.query):
        case.query = {name: text for name, text in case.query.items() if len(str(text)) < 200}
    if case.query and str(case.query.get("wait")) in WAITS:
        case.query["wait"] = 0


@schemathesis.serializer("application/offset+octet-stream")
def as_they_are(context: Any, value: Any) -> bytes:
    """Return the bytes of a part of an upload unchanged."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")
