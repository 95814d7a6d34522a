"""The query string of the statistics, parsed once for pages and API.

As in `records.search.filters`, an invalid value gives a `BadParameter` that says what is allowed;
but here an unknown parameter is one too, since figures of something else than was meant would
mislead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.base.keys import fold, player_key
from records.models import Player
from records.search.filters import BadParameter, profiles, shown, text
from records.search.selection import AFTER, read_cursor

#: Maximum of ``last``, the newest games.
MOST_LAST: Final = 1000
#: Maximum of a least number of games or of cases.
MOST_LEAST: Final = 10**6
#: Maximum number of options in one question.
MOST_OPTIONS: Final = 24
_MONTH: Final = re.compile(r"([1-9][0-9]{3})(?:-(0[1-9]|1[0-2]))?", re.ASCII)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_COUNT: Final = re.compile(r"[0-9]{1,7}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Question:
    """Which games, and which of their seats; an empty field or 0 does not filter.

    ``event`` is the beginning of the name, folded as `Listing.event` is. ``player`` and
    ``opponent`` are names as `Player` compares them; with a player only their seats are counted.
    Months are YYYYMM, the last one included; a game dated only by its year counts in each of them.
    ``last``: so many games, those played last. ``own`` are parameters of one figure.
    """

    ruleset: str = ""
    profile: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    event: str = ""
    player: str = ""
    opponent: str = ""
    seat: int = 0
    month_from: int = 0
    month_to: int = 0
    last: int = 0
    games_min: int = 0
    own: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of one figure alone.

    ``read`` parses a text that is not empty and raises ValueError, with a message for people in
    their language, for an invalid one. ``schema`` is its JSON Schema, ``meaning`` its description
    for programmers in their language, and ``default`` the value if none is given.
    """

    name: str
    meaning: Promise
    schema: Mapping[str, Any]
    read: Callable[[str, Question], Any]
    default: Any = None


class NoPlayer(Exception):
    """No public game has a player of this name."""


class OptedOut(Exception):
    """The player of this name is not named in statistics."""


#: Parameters of questions in the order of the form.
NAMES: Final = (
    *("ruleset", "profile", "option", "event", "player", "opponent", "seat"),
    *("from", "to", "last", "games_min"),
)
#: Parameters of the format of an answer, read by its sender.
FORM: Final = ("lang", "format")


def house_options(question: Question) -> dict[str, str]:
    """Return the options of the house of a question; without any it is the document's house."""
    profile = {"profile": question.profile} if question.profile else {}
    return {**profile, **question.options}


def read(
    query: QueryDict,
    allowed: Collection[str],
    own: Sequence[Parameter] = (),
    rulesets: Collection[str] = RULESETS,
    *,
    any_ruleset: bool = False,
) -> tuple[Question, list[BadParameter]]:
    """Parse the question of a query string: the question, and the faults in it.

    ``allowed`` are those of `NAMES` that the figure accepts, ``rulesets`` those that have it; a
    name that is none of them, of ``own`` or of `FORM` is a fault. A ruleset must be given unless
    ``any_ruleset``. An invalid parameter is left out of the question.
    """
    faults: list[BadParameter] = []
    known = (*(name for name in NAMES if name in allowed), *(one.name for one in own))
    for name in query:
        if name not in known and name not in FORM:
            words = {"known": ", ".join(known)}
            message = _("unknown parameter; expected %(known)s.") % words
            faults.append(BadParameter(shown(name), message))
        elif name != "option" and len(query.getlist(name)) > 1:
            faults.append(BadParameter(name, _("expected once, not several times.")))
    given = {name: query.get(name, "").strip() for name in known if name != "option"}
    ruleset = _one_of("ruleset", given, rulesets, faults)
    if not given.get("ruleset") and not any_ruleset:
        words = {"known": ", ".join(rulesets)}
        faults.append(BadParameter("ruleset", _("expected one of %(known)s.") % words))
    first, last = _months(given, faults)
    question = Question(
        ruleset=ruleset,
        profile=_one_of("profile", given, profiles(ruleset), faults),
        options=_options(query, ruleset, faults) if "option" in allowed else {},
        event=fold(text(given.get("event", ""), "event", faults)),
        player=text(given.get("player", ""), "player", faults),
        opponent=text(given.get("opponent", ""), "opponent", faults),
        seat=_count("seat", given, seats(ruleset), faults),
        month_from=first,
        month_to=last,
        last=_count("last", given, MOST_LAST, faults),
        games_min=_count("games_min", given, MOST_LEAST, faults),
    )
    if question.opponent and not question.player:
        message = _(
            "expected a player too: the figures are those of the player against the opponent."
        )
        faults.append(BadParameter("opponent", message))
    elif question.opponent and player_key(question.opponent) == player_key(question.player):
        faults.append(BadParameter("opponent", _("expected somebody other than the player.")))
    values = {one.name: _own(one, given, question, faults) for one in own}
    return replace(question, own=values), faults


def check(question: Question) -> None:
    """Check that the players of a question may be asked about.

    Raises :class:`NoPlayer` and :class:`OptedOut`, both with the name.
    """
    for name in filter(None, (question.player, question.opponent)):
        player = Player.objects.filter(key=player_key(name), games__gt=0).first()
        if player is None:
            raise NoPlayer(name)
        if not player.statistics:
            raise OptedOut(name)


def filters(question: Question) -> dict[str, str | list[str]]:
    """The parameters of a question as in a query; empty ones are left out.

    >>> filters(Question("koikoi", options={"months": "8"}, month_from=202601, last=5))
    {'ruleset': 'koikoi', 'option': ['months=8'], 'from': '2026-01', 'last': '5'}
    """
    first, last = (
        f"{month // 100}-{month % 100:02}" if month else ""
        for month in (question.month_from, question.month_to)
    )
    found: dict[str, str | list[str]] = {
        "ruleset": question.ruleset,
        "profile": question.profile,
        "option": [f"{name}={value}" for name, value in sorted(question.options.items())],
        "event": question.event,
        "player": question.player,
        "opponent": question.opponent,
        "seat": _written(question.seat),
        "from": first,
        "to": last,
        "last": _written(question.last),
        "games_min": _written(question.games_min),
        **{name: str(value) for name, value in question.own.items() if value is not None},
    }
    return {name: value for name, value in found.items() if value}


def _written(number: int) -> str:
    return str(number) if number else ""


def _one_of(
    name: str, given: Mapping[str, str], known: Collection[str], faults: list[BadParameter]
) -> str:
    value = given.get(name, "")
    if not value or value in known:
        return value
    words = {"value": shown(value), "known": ", ".join(known)}
    faults.append(BadParameter(name, _("unknown value “%(value)s”; expected %(known)s.") % words))
    return ""


def _options(query: QueryDict, ruleset: str, faults: list[BadParameter]) -> dict[str, str]:
    """``option=months=8``, repeatable; each must be an option of the ruleset."""
    found: dict[str, str] = {}
    if not ruleset:
        if any(query.getlist("option")) and not query.get("ruleset"):
            faults.append(BadParameter("option", _("expected a ruleset too.")))
        return found
    known = {name: one for name, one in RULESETS[ruleset].options.items() if name != "profile"}
    for written in query.getlist("option")[: MOST_OPTIONS + 1]:
        name, _equals, value = written.strip().partition("=")
        if not name:
            continue
        if name not in known:
            words = {"value": shown(name), "known": ", ".join(known) or "–"}
            message = _("unknown value “%(value)s”; expected %(known)s.") % words
            faults.append(BadParameter("option", message))
        elif value not in known[name].known:
            words = {"value": shown(written), "known": ", ".join(known[name].expected)}
            message = _("“%(value)s”: expected %(name)s= and one of %(known)s.")
            faults.append(BadParameter("option", message % {**words, "name": name}))
        else:
            found[name] = value
    return found


def _count(name: str, given: Mapping[str, str], most: int, faults: list[BadParameter]) -> int:
    value = given.get(name, "")
    if not value:
        return 0
    number = int(value) if _COUNT.fullmatch(value) else 0
    if not 1 <= number <= most:
        words = {"value": shown(value), "least": 1, "most": most}
        message = _("“%(value)s”: expected a whole number from %(least)d to %(most)d.") % words
        faults.append(BadParameter(name, message))
        return 0
    return number


def seats(ruleset: str = "") -> int:
    """Seats at the largest table of a ruleset; of any ruleset if none is given."""
    query = [RULESETS[ruleset]] if ruleset else RULESETS.values()
    return max(rules.seats[-1] for rules in query)


def _months(given: Mapping[str, str], faults: list[BadParameter]) -> tuple[int, int]:
    first, last = _month("from", given, 1, faults), _month("to", given, 12, faults)
    if first and last and first > last:
        words = {"first": given["from"], "last": given["to"]}
        message = _("%(first)s is after %(last)s: no month lies between them.") % words
        faults.append(BadParameter("to", message))
        return 0, 0
    return first, last


def _month(name: str, given: Mapping[str, str], of_year: int, faults: list[BadParameter]) -> int:
    """YYYYMM of a month, or of the year's month ``of_year``; 0 if not given."""
    value = given.get(name, "")
    if not value:
        return 0
    if found := _MONTH.fullmatch(value):
        return 100 * int(found[1]) + int(found[2] or of_year)
    if _DAY.fullmatch(value):
        message = _("“%(value)s” is a day; games are counted by month: 2026-01 or 2026.")
    else:
        message = _("“%(value)s” is not a month; write 2026-01 or 2026.")
    faults.append(BadParameter(name, message % {"value": shown(value)}))
    return 0


def _own(
    parameter: Parameter, given: Mapping[str, str], question: Question, faults: list[BadParameter]
) -> Any:
    value = given[parameter.name]
    if not value:
        return parameter.default
    try:
        return parameter.read(value, question)
    except ValueError as error:
        faults.append(BadParameter(parameter.name, str(error)))
        return parameter.default


def one_of(*known: str) -> Callable[[str, Question], str]:
    """A reader of a parameter with a fixed set of words."""

    def read_one(value: str, question: Question) -> str:
        if value not in known:
            words = {"value": shown(value), "known": ", ".join(known)}
            raise ValueError(_("unknown value “%(value)s”; expected %(known)s.") % words)
        return value

    return read_one


def count_to(most: int, least: int = 0) -> Callable[[str, Question], int]:
    """A reader of a parameter that is a whole number."""

    def read_count(value: str, question: Question) -> int:
        number = int(value) if _COUNT.fullmatch(value) else -1
        if not least <= number <= most:
            words = {"value": shown(value), "least": least, "most": most}
            message = _("“%(value)s”: expected a whole number from %(least)d to %(most)d.")
            raise ValueError(message % words)
        return number

    return read_count


def cursor_parameter(length: int) -> Parameter:
    """Return the parameter with which a list is continued; its mark has this many parts."""

    def read_mark(value: str, question: Question) -> str:
        try:
            way, _mark = read_cursor(value, length)
        except ValueError:
            way = ""
        if way != AFTER:
            raise ValueError(_("use a value that this list has returned."))
        return value

    meaning = gettext_lazy("Where to continue; taken from `next`.")
    return Parameter("cursor", meaning, {"type": "string"}, read_mark)
