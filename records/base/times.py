"""The time of day in a game's tag Time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?")


def second_of_day(tags: Mapping[str, Any]) -> int:
    """Return the second of the day, from 1, at the beginning of the tag Time; 0 without a time.

    >>> second_of_day({"Time": "10:30"}) - second_of_day({"Time": "10:29:59 JST"})
    1
    >>> second_of_day({"Time": "noon"})
    0
    """
    match = _TIME.match(str(tags.get("Time", "")))
    if match is None:
        return 0
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return (hours * 60 + minutes) * 60 + seconds + 1
