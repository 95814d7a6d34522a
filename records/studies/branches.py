"""Steps and branches as addresses have them: ``3.14``, and what is played from there on instead of
what was: turns in Kafu with commas between, ``AxD/BxC,E=koikoi/F``.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote_plus

from kafu.rules.rulesets import Unsupported
from records.models import Record
from records.models.studies import THEN
from records.store.replays import replay_of_text

_AT: Final = re.compile(r"([1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,3})", re.ASCII)
_THEN: Final = re.compile(rf"[A-Za-z0-9 =/+,-]{{0,{THEN}}}")


def step_of(at: str) -> tuple[int, int]:
    """Deal and step of an address. Raises ValueError."""
    found = _AT.fullmatch(at)
    if found is None:
        raise ValueError(at)
    return int(found[1]), int(found[2])


def has_step(record: Record, deal: int, step: int) -> bool:
    """Whether the replay of a game has this step."""
    try:
        deals = replay_of_text(record.text, "en")["deals"]
    except Unsupported:
        return False
    return deal <= len(deals) and step < len(deals[deal - 1]["steps"])


def is_branch(then: str) -> bool:
    """Whether a text can be a branch: whether it fits the game its page says."""
    return _THEN.fullmatch(then) is not None


def query_of(at: str, then: str) -> str:
    """The query that opens a step, with its branch if there is one (what_if/branch.js)."""
    return f"?at={at}" + (f"&then={quote_plus(then, safe='/=,')}" if then else "")
