"""Steps and branches in the form of addresses.

A step is ``3.14`` (deal and step). A branch is a sequence of turns in Kafu, played from there in
the place of the game's own turns and separated by commas: ``AxD/BxC,E=koikoi/F``.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote_plus

from kafu.rules.rulesets import Unsupported
from records.models import Record
from records.models.studies import THEN
from records.services.replays import replay_of_text

_AT: Final = re.compile(r"([1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,3})", re.ASCII)
_THEN: Final = re.compile(rf"[A-Za-z0-9 =/+,-]{{0,{THEN}}}")


def step_of(at: str) -> tuple[int, int]:
    """Return the deal and step of an address. Raise ValueError."""
    match = _AT.fullmatch(at)
    if match is None:
        raise ValueError(at)
    return int(match[1]), int(match[2])


def has_step(record: Record, deal: int, step: int) -> bool:
    """Return whether the replay of a game has a step."""
    try:
        deals = replay_of_text(record.text, "en")["deals"]
    except Unsupported:
        return False
    return deal <= len(deals) and step < len(deals[deal - 1]["steps"])


def is_branch(then: str) -> bool:
    """Return whether a text has the form of a branch. The replay page checks the rules."""
    return _THEN.fullmatch(then) is not None


def query_of(at: str, then: str) -> str:
    """Return the query that opens a step and its branch, if any (what_if/branch.js)."""
    return f"?at={at}" + (f"&then={quote_plus(then, safe='/=,')}" if then else "")
