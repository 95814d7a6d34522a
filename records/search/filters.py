"""What a query string asks of the list of games, read once for pages and API.

A value that cannot be is a `BadParameter` that says what can; the rest is asked for all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from kafu.notation.vocabulary import GRADES, MAX_TAG_BYTES
from kafu.rules.rulesets import RULESETS
from records.models import Status
from records.search.selection import FORMS, SORTS, Selection, Span
from records.store.rows import date_range

#: How many players can be asked for at once.
MOST_PLAYERS: Final = 7
#: No list has more deals, turns or points; a longer number is a slip of the pen.
MOST: Final = 10**12
_NUMBER: Final = re.compile(r"[-−+]?[0-9]{1,13}", re.ASCII)


@dataclass(frozen=True, slots=True)
class BadParameter:
    """A parameter that cannot be as it is written, and what was expected."""

    name: str
    message: str


def statuses() -> list[str]:
    """What a stored game's status can be."""
    return [status.value for status in Status if status is not Status.MALFORMED]


def profiles(ruleset: str = "") -> tuple[str, ...]:
    """The house rules that there are, of one ruleset or of all."""
    asked = [RULESETS[ruleset]] if ruleset else RULESETS.values()
    return tuple(profile for rules in asked for profile in rules.profiles)


@cache
def yaku_of(ruleset: str) -> tuple[str, ...]:
    """The yaku of a ruleset in all its houses; none where there is no such ruleset."""
    return RULESETS[ruleset].yaku if ruleset in RULESETS else ()


def all_yaku() -> tuple[str, ...]:
    """The yaku of all rulesets."""
    return tuple(dict.fromkeys(id for rules in RULESETS for id in yaku_of(rules)))


#: Parameters that name one of a few things, and what there is.
CHOICES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "ruleset": lambda: RULESETS,
    "profile": profiles,
    "status": statuses,
    "yaku": all_yaku,
    "grade": lambda: GRADES,
    "form": lambda: FORMS,
    "sort": lambda: SORTS,
}
#: Parameters that are bounds of a whole number: the least it can be.
SPANS: Final = {"deals": 0, "turns": 0, "score": -MOST}
#: All of them, in the order of a form.
NAMES: Final = (
    *("ruleset", "profile", "player", "event", "from", "to", "yaku", "grade", "status", "form"),
    *(f"{name}_{side}" for name in SPANS for side in ("min", "max")),
    "sort",
)


def read(asked: QueryDict) -> tuple[Selection, list[BadParameter]]:
    """The selection that a query string asks for, and what is wrong with it.

    Empty values count as not given, parameters of other names are not looked at. What is wrong is
    left out of the selection.
    """
    faults: list[BadParameter] = []
    wanted: dict[str, Any] = {}
    for name in CHOICES:
        if value := _choice(asked, name, faults):
            wanted[name] = value
    wanted["players"] = _players(asked, faults)
    wanted["event"] = text(asked.get("event", ""), "event", faults)
    wanted["date_from"], wanted["date_to"] = _dates(asked, faults)
    for name in SPANS:
        wanted[name] = _span(asked, name, faults)
    return Selection(**wanted), faults


def _choice(asked: QueryDict, name: str, faults: list[BadParameter]) -> str:
    value = asked.get(name, "").strip()
    known = tuple(CHOICES[name]())
    if not value or value in known:
        return value
    values = {"value": shown(value), "known": ", ".join(known)}
    faults.append(BadParameter(name, _("unknown value “%(value)s”; expected %(known)s.") % values))
    return ""


def _players(asked: QueryDict, faults: list[BadParameter]) -> tuple[str, ...]:
    given = asked.getlist("player")
    if len(given) > MOST_PLAYERS:
        most = {"most": MOST_PLAYERS}
        faults.append(BadParameter("player", _("expected at most %(most)d players.") % most))
        given = given[:MOST_PLAYERS]
    names = (text(name, "player", faults) for name in given)
    return tuple(dict.fromkeys(name for name in names if name))


def text(value: str, name: str, faults: list[BadParameter]) -> str:
    """A word of somebody's own without spaces around it; empty where it cannot be one."""
    value = value.strip()
    if "\0" in value or len(value) > MAX_TAG_BYTES:
        most = {"most": MAX_TAG_BYTES}
        faults.append(
            BadParameter(name, _("expected at most %(most)d characters, none of them NUL.") % most)
        )
        return ""
    return value


def _dates(asked: QueryDict, faults: list[BadParameter]) -> tuple[date | None, date | None]:
    first, last = _date(asked, "from", faults), _date(asked, "to", faults)
    low, high = first and first[0], last and last[1]
    if low and high and low > high:
        days = {"first": low.isoformat(), "last": high.isoformat()}
        message = _("%(first)s is after %(last)s: no day lies between them.") % days
        faults.append(BadParameter("to", message))
        return None, None
    return low, high


def _date(asked: QueryDict, name: str, faults: list[BadParameter]) -> tuple[date, date] | None:
    value = asked.get(name, "").strip()
    if not value:
        return None
    first, last = date_range(value)
    if first is None or last is None:
        values = {"value": shown(value)}
        message = _("“%(value)s” is not a date; write 2026-01-31, 2026-01 or 2026.")
        faults.append(BadParameter(name, message % values))
        return None
    return first, last


def _span(asked: QueryDict, name: str, faults: list[BadParameter]) -> Span:
    low, high = (_number(asked, f"{name}_{side}", SPANS[name], faults) for side in ("min", "max"))
    if low is not None and high is not None and low > high:
        values = {"low": low, "high": high}
        message = _("%(low)d is above %(high)d: no number lies between them.") % values
        faults.append(BadParameter(f"{name}_max", message))
        return Span()
    return Span(low, high)


def _number(asked: QueryDict, name: str, least: int, faults: list[BadParameter]) -> int | None:
    value = asked.get(name, "").strip()
    if not value:
        return None
    number = int(value.replace("−", "-")) if _NUMBER.fullmatch(value) else None
    if number is None or not least <= number <= MOST:
        values = {"value": shown(value), "least": least, "most": MOST}
        message = _("“%(value)s”: expected a whole number from %(least)d to %(most)d.") % values
        faults.append(BadParameter(name, message))
        return None
    return number


def shown(value: str) -> str:
    """As much of a value as an answer repeats."""
    return value if len(value) <= 40 else f"{value[:39]}…"
