"""Parsing of the query string of the list of games, for pages and the API.

An invalid value gives a `BadParameter` with the allowed values. The other parameters still apply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from kafu.notation.vocabulary import GRADES, MAX_TAG_BYTES
from kafu.rules.rulesets import RULESETS
from records.base.clock import date_range
from records.models import Status
from records.search.selection import ALL, FORMS, SORTS, SOUND, GameSelection, Range

#: Maximum number of players in a query.
MAX_PLAYERS: Final = 7
#: Maximum number of deals, turns or points in a query.
MAX_NUMBER: Final = 10**12
_NUMBER: Final = re.compile(r"[-−+]?[0-9]{1,13}", re.ASCII)


@dataclass(frozen=True, slots=True)
class BadParameter:
    """A parameter with an invalid value, and a message with the expected values."""

    name: str
    message: str


def statuses() -> list[str]:
    """Return the possible statuses of a stored game."""
    return [status.value for status in Status if status is not Status.MALFORMED]


def profiles(ruleset: str = "") -> tuple[str, ...]:
    """Return the house rules of a ruleset, by default of all rulesets."""
    rulesets = [RULESETS[ruleset]] if ruleset else RULESETS.values()
    return tuple(profile for description in rulesets for profile in description.profiles)


@cache
def yaku_of(ruleset: str) -> tuple[str, ...]:
    """Return the yaku of a ruleset in all its houses; none for an unknown ruleset."""
    return RULESETS[ruleset].yaku if ruleset in RULESETS else ()


def all_yaku() -> tuple[str, ...]:
    """Return the yaku of all rulesets."""
    return tuple(dict.fromkeys(id for ruleset in RULESETS for id in yaku_of(ruleset)))


#: Allowed values by parameter.
CHOICES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "ruleset": lambda: RULESETS,
    "profile": profiles,
    "status": lambda: (*statuses(), SOUND, ALL),
    "yaku": all_yaku,
    "grade": lambda: GRADES,
    "form": lambda: FORMS,
    "sort": lambda: SORTS,
}
#: Minimum values of the parameters with a range.
RANGES: Final = {"deals": 0, "turns": 0, "score": -MAX_NUMBER}
#: All parameters, in the order of the form.
NAMES: Final = (
    *("ruleset", "profile", "player", "event", "from", "to", "yaku", "grade", "status", "form"),
    *(f"{name}_{side}" for name in RANGES for side in ("min", "max")),
    "sort",
)


def read(query: QueryDict) -> tuple[GameSelection, list[BadParameter]]:
    """Parse a query string into a selection. Return the selection and the invalid parameters.

    Empty values and unknown parameters are ignored. Invalid parameters are left out of the
    selection.
    """
    faults: list[BadParameter] = []
    fields: dict[str, Any] = {}
    for name, choices in CHOICES.items():
        if value := read_choice(query, name, tuple(choices()), faults):
            fields[name] = value
    fields["players"] = _read_players(query, faults)
    fields["event"] = text(query.get("event", ""), "event", faults)
    fields["date_from"], fields["date_to"] = _read_dates(query, faults)
    for name in RANGES:
        fields[name] = _read_range(query, name, faults)
    return GameSelection(**fields), faults


def read_choice(
    query: QueryDict, name: str, choices: Sequence[str], faults: list[BadParameter]
) -> str:
    """Return the value of a parameter, or an empty string if it is missing or not a choice."""
    value = query.get(name, "").strip()
    if not value or value in choices:
        return value
    values = {"value": shown(value), "known": ", ".join(choices)}
    faults.append(BadParameter(name, _("unknown value “%(value)s”; expected %(known)s.") % values))
    return ""


def _read_players(query: QueryDict, faults: list[BadParameter]) -> tuple[str, ...]:
    values = query.getlist("player")
    if len(values) > MAX_PLAYERS:
        most = {"most": MAX_PLAYERS}
        faults.append(BadParameter("player", _("expected at most %(most)d players.") % most))
        values = values[:MAX_PLAYERS]
    names = (text(value, "player", faults) for value in values)
    return tuple(dict.fromkeys(name for name in names if name))


def text(value: str, name: str, faults: list[BadParameter]) -> str:
    """Return a free text without surrounding spaces, or an empty string if it is invalid."""
    value = value.strip()
    if "\0" in value or len(value) > MAX_TAG_BYTES:
        most = {"most": MAX_TAG_BYTES}
        faults.append(
            BadParameter(name, _("expected at most %(most)d characters, none of them NUL.") % most)
        )
        return ""
    return value


def _read_dates(query: QueryDict, faults: list[BadParameter]) -> tuple[date | None, date | None]:
    first, last = _read_date(query, "from", faults), _read_date(query, "to", faults)
    low, high = first and first[0], last and last[1]
    if low and high and low > high:
        days = {"first": low.isoformat(), "last": high.isoformat()}
        message = _("%(first)s is after %(last)s: no day lies between them.") % days
        faults.append(BadParameter("to", message))
        return None, None
    return low, high


def _read_date(query: QueryDict, name: str, faults: list[BadParameter]) -> tuple[date, date] | None:
    value = query.get(name, "").strip()
    if not value:
        return None
    first, last = date_range(value)
    if first is None or last is None:
        values = {"value": shown(value)}
        message = _("“%(value)s” is not a date; write 2026-01-31, 2026-01 or 2026.")
        faults.append(BadParameter(name, message % values))
        return None
    return first, last


def _read_range(query: QueryDict, name: str, faults: list[BadParameter]) -> Range:
    low, high = (
        _read_number(query, f"{name}_{side}", RANGES[name], faults) for side in ("min", "max")
    )
    if low is not None and high is not None and low > high:
        values = {"low": low, "high": high}
        message = _("%(low)d is above %(high)d: no number lies between them.") % values
        faults.append(BadParameter(f"{name}_max", message))
        return Range()
    return Range(low, high)


def _read_number(query: QueryDict, name: str, least: int, faults: list[BadParameter]) -> int | None:
    value = query.get(name, "").strip()
    if not value:
        return None
    number = int(value.replace("−", "-")) if _NUMBER.fullmatch(value) else None
    if number is None or not least <= number <= MAX_NUMBER:
        values = {"value": shown(value), "least": least, "most": MAX_NUMBER}
        message = _("“%(value)s”: expected a whole number from %(least)d to %(most)d.") % values
        faults.append(BadParameter(name, message))
        return None
    return number


def shown(value: str) -> str:
    """Shorten a value for an error message."""
    return value if len(value) <= 40 else f"{value[:39]}…"
