"""Parsing of the query string of the statistics, shared by pages and API.

An invalid value gives a `BadParameter` with the allowed values, as in `records.search.filters`.
Unlike there, an unknown parameter is a fault too: ignoring a mistyped filter would give misleading
figures.
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

from kafu.notation.vocabulary import MAX_TAG_BYTES
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
#: Maximum number of rows in a page of a list.
MOST_ROWS: Final = 1000
_MONTH: Final = re.compile(r"([1-9][0-9]{3})(?:-(0[1-9]|1[0-2]))?", re.ASCII)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_COUNT: Final = re.compile(r"[0-9]{1,7}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Question:
    """The filters of games and of their seats; an empty field or 0 does not filter.

    ``event`` is the beginning of the name, folded as `Listing.event` is. ``player`` and
    ``opponent`` are names as `Player` compares them; with a player only the seats of the player
    count. Months are YYYYMM, both ends included; a game dated only by its year counts in all months
    of the year. ``last`` limits the query to the most recently played games. ``own`` are parameters
    of one figure.
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
    """A filter of games, or a parameter of one figure alone.

    ``read`` parses a text that is not empty, given the question (for its ruleset). For an invalid
    text it raises ValueError with a localised message. ``schema`` is the JSON Schema, ``meaning``
    the description for programmers, and ``default`` the value of a missing parameter of a figure.
    """

    name: str
    meaning: Promise | str
    schema: Mapping[str, Any]
    read: Callable[[str, Question], Any]
    default: Any = None


class NoPlayer(Exception):
    """No public game has a player of the name."""


class OptedOut(Exception):
    """The player has opted out of statistics."""


# Parameters ---------------------------------------------------------------------------------------


def unknown_value(value: str, allowed: Collection[str]) -> ValueError:
    """Return the error for a value outside the allowed values."""
    words = {"value": shown(value), "known": ", ".join(allowed) or "–"}
    return ValueError(_("unknown value “%(value)s”; expected %(known)s.") % words)


def one_of(allowed: Callable[[Question], Collection[str]]) -> Callable[[str, Question], str]:
    """Return the reader of a word; ``allowed`` returns the words of a query."""

    def read_word(value: str, question: Question) -> str:
        if value not in allowed(question):
            raise unknown_value(value, allowed(question))
        return value

    return read_word


def choice(name: str, meaning: Promise, allowed: Collection[str], default: str) -> Parameter:
    """Return a parameter with a fixed set of words."""
    schema: dict[str, Any] = {"type": "string", "enum": list(allowed)}
    schema |= {"default": default} if default else {}
    return Parameter(name, meaning, schema, one_of(lambda question: allowed), default)


def read_count(value: str, least: int, most: int) -> int:
    """Return a whole number between two bounds."""
    number = int(value) if _COUNT.fullmatch(value) else -1
    if not least <= number <= most:
        words = {"value": shown(value), "least": least, "most": most}
        message = _("“%(value)s”: expected a whole number from %(least)d to %(most)d.")
        raise ValueError(message % words)
    return number


def count(
    name: str, meaning: Promise | str, least: int, most: int, default: int | None = None
) -> Parameter:
    """Return an integer parameter with a minimum and a maximum."""
    schema = {"type": "integer", "minimum": least, "maximum": most}
    schema |= {} if default is None else {"default": default}
    return Parameter(
        name, meaning, schema, lambda value, question: read_count(value, least, most), default
    )


#: The parameter of figures with many rows.
LEAST: Final = count(
    "n_min", gettext_lazy("Only rows with at least this many cases."), 1, MOST_LEAST, 1
)


def paging(length: int, meaning: Promise, size: int) -> tuple[Parameter, Parameter]:
    """Return the paging parameters of a list: its cursor of ``length`` parts, and the page size."""

    def read_mark(value: str, question: Question) -> str:
        try:
            way, _mark = read_cursor(value, length)
        except ValueError:
            way = ""
        if way != AFTER:
            raise ValueError(_("use a value that this list has returned."))
        return value

    where = gettext_lazy("Where to continue; taken from `next`.")
    return (
        Parameter("cursor", where, {"type": "string"}, read_mark),
        count("page_size", meaning, 1, MOST_ROWS, size),
    )


def read_place(question: Question, length: int) -> list[int]:
    """Return the parts of the cursor of a question; zeros without a cursor."""
    written = question.own.get("cursor")
    return read_cursor(written, length)[1] if written else [0] * length


def _read_name(value: str, question: Question) -> str:
    faults: list[BadParameter] = []
    name = text(value, "", faults)
    if faults:
        raise ValueError(faults[0].message)
    return name


def _month(of_year: int) -> Callable[[str, Question], int]:
    """Return a function that parses a month as YYYYMM; a year becomes its month ``of_year``."""

    def read_month(value: str, question: Question) -> int:
        if match := _MONTH.fullmatch(value):
            return 100 * int(match[1]) + int(match[2] or of_year)
        if _DAY.fullmatch(value):
            message = _("“%(value)s” is a day; games are counted by month: 2026-01 or 2026.")
        else:
            message = _("“%(value)s” is not a month; write 2026-01 or 2026.")
        raise ValueError(message % {"value": shown(value)})

    return read_month


def _read_option(written: str, question: Question) -> tuple[str, str]:
    """Return the name and value of ``months=8``, which must be an option of the ruleset."""
    options = RULESETS[question.ruleset].options
    name, _equals, value = written.partition("=")
    if name not in options or name == "profile":
        raise unknown_value(name, [option for option in options if option != "profile"])
    if value not in options[name].known:
        words = {"value": shown(written), "known": ", ".join(options[name].expected), "name": name}
        message = _("“%(value)s”: expected %(name)s= and one of %(known)s.")
        raise ValueError(message % words)
    return name, value


def seats(ruleset: str = "") -> int:
    """Return the seats at the largest table of a ruleset; of any ruleset if none is given."""
    query = [RULESETS[ruleset]] if ruleset else RULESETS.values()
    return max(description.seats[-1] for description in query)


_MONTH_SCHEMA: Final = {"type": "string", "pattern": "^[1-9][0-9]{3}(-(0[1-9]|1[0-2]))?$"}
_NAME_SCHEMA: Final = {"type": "string", "maxLength": MAX_TAG_BYTES}
_FILTERS: Final = (
    Parameter(
        "ruleset",
        "The ruleset of the games.",
        {"type": "string"},
        one_of(lambda question: RULESETS),
    ),
    Parameter(
        "profile",
        "House rules.",
        {"type": "string", "enum": profiles},
        one_of(lambda question: profiles(question.ruleset)),
    ),
    Parameter(
        "option",
        "An option of the games, such as `months=8`, whether written in the record or left at "
        "its default; several must all match.",
        {
            "type": "array",
            "items": {"type": "string", "pattern": "^[a-z]+=[A-Za-z0-9-]+$"},
            "maxItems": MOST_OPTIONS,
        },
        _read_option,
    ),
    Parameter(
        "event",
        "How the event begins, in any case.",
        _NAME_SCHEMA,
        lambda value, question: fold(_read_name(value, question)),
    ),
    Parameter("player", "A whole name: only this player's seats.", _NAME_SCHEMA, _read_name),
    Parameter(
        "opponent", "Another player of the same game; needs `player`.", _NAME_SCHEMA, _read_name
    ),
    Parameter(
        "seat",
        "Only this seat.",
        {"type": "integer", "minimum": 1, "maximum": seats},
        lambda value, question: read_count(value, 1, seats(question.ruleset)),
    ),
    Parameter(
        "from",
        "May have been played in this month or later: `2026-01` or `2026`; a game dated only by "
        "its year in any month of it.",
        _MONTH_SCHEMA,
        _month(1),
    ),
    Parameter("to", "May have been played in this month or before.", _MONTH_SCHEMA, _month(12)),
    count(
        "last",
        "Only this many games, the most recently played; games without a date come last.",
        1,
        MOST_LAST,
    ),
    count("games_min", "Only players with at least this many games.", 1, MOST_LEAST),
)
#: The filters of games in the order of the form.
FILTERS: Final[Mapping[str, Parameter]] = {parameter.name: parameter for parameter in _FILTERS}
#: The fields of `Question` whose parameters have different names.
_FIELDS: Final = {"option": "options", "from": "month_from", "to": "month_to"}
#: Parameters of the response format, read by the view.
FORM: Final = ("lang", "format")


# Reading ------------------------------------------------------------------------------------------


def read(
    query: QueryDict,
    allowed: Collection[str],
    own: Sequence[Parameter] = (),
    rulesets: Collection[str] = RULESETS,
    *,
    any_ruleset: bool = False,
) -> tuple[Question, list[BadParameter]]:
    """Parse a query string into a question and a list of faults.

    ``allowed`` are the names of the `FILTERS` that the figure accepts, ``rulesets`` the rulesets
    that have the figure. Names other than these, ``own`` and `FORM` are faults. The ruleset is
    required unless ``any_ruleset``. Invalid parameters are left out of the question.
    """
    parameters = [*(FILTERS[name] for name in FILTERS if name in allowed), *own]
    faults = list(_find_misplaced(query, [parameter.name for parameter in parameters]))
    question = Question()
    own_values = {parameter.name: parameter.default for parameter in own}
    for parameter in parameters:
        name = parameter.name
        try:
            if name == "ruleset":
                question = replace(question, ruleset=_read_ruleset(query, rulesets, any_ruleset))
            elif name == "option":
                question = replace(question, options=_read_options(query, question, faults))
            elif value := query.get(name, "").strip():
                parsed = parameter.read(value, question)
                if name in own_values:
                    own_values[name] = parsed
                else:
                    question = replace(question, **{_FIELDS.get(name, name): parsed})
        except ValueError as error:
            faults.append(BadParameter(name, str(error)))
    if question.month_from > question.month_to > 0:
        words = {"first": query.get("from", "").strip(), "last": query.get("to", "").strip()}
        message = _("%(first)s is after %(last)s: no month lies between them.") % words
        faults.append(BadParameter("to", message))
        question = replace(question, month_from=0, month_to=0)
    if question.opponent and not question.player:
        message = _(
            "expected a player too: the figures are those of the player against the opponent."
        )
        faults.append(BadParameter("opponent", message))
    elif question.opponent and player_key(question.opponent) == player_key(question.player):
        faults.append(BadParameter("opponent", _("expected somebody other than the player.")))
    return replace(question, own=own_values), faults


def _find_misplaced(query: QueryDict, allowed: Sequence[str]) -> list[BadParameter]:
    """Return the faults of parameters that are unknown or given several times."""
    faults = []
    for name in query:
        if name not in allowed and name not in FORM:
            words = {"known": ", ".join(allowed)}
            message = _("unknown parameter; expected %(known)s.") % words
            faults.append(BadParameter(shown(name), message))
        elif name != "option" and len(query.getlist(name)) > 1:
            faults.append(BadParameter(name, _("expected once, not several times.")))
    return faults


def _read_ruleset(query: QueryDict, rulesets: Collection[str], any_ruleset: bool) -> str:
    value = query.get("ruleset", "").strip()
    if value and value not in rulesets:
        raise unknown_value(value, rulesets)
    if not value and not any_ruleset:
        raise ValueError(_("expected one of %(known)s.") % {"known": ", ".join(rulesets)})
    return value


def _read_options(
    query: QueryDict, question: Question, faults: list[BadParameter]
) -> dict[str, str]:
    """Return the house rules asked for by ``option=months=8``, which may be repeated.

    Add a wrong option to ``faults``. Raise ValueError for options without a ruleset.
    """
    written = [value.strip() for value in query.getlist("option")[: MOST_OPTIONS + 1]]
    written = [value for value in written if value.partition("=")[0]]
    if not question.ruleset:
        if written and not query.get("ruleset"):
            raise ValueError(_("expected a ruleset too."))
        return {}
    options: dict[str, str] = {}
    for value in written:
        try:
            options.update([_read_option(value, question)])
        except ValueError as error:
            faults.append(BadParameter("option", str(error)))
    return options


def house_options(question: Question) -> dict[str, str]:
    """Return the options of the house in a question; the document's house if there are none."""
    profile = {"profile": question.profile} if question.profile else {}
    return {**profile, **question.options}


def is_zero_sum(question: Question) -> bool:
    """Return whether the scores of a deal add up to zero in each house of a question."""
    description = RULESETS[question.ruleset]
    chosen_profiles = [question.profile] if question.profile else description.profiles
    return all(
        description.zero_sum(
            {**description.defaults(profile), "profile": profile, **question.options}
        )
        for profile in chosen_profiles
    )


def check(question: Question) -> None:
    """Check that statistics may name the players of a question.

    Raises `NoPlayer` and `OptedOut`, both with the name.
    """
    for name in filter(None, (question.player, question.opponent)):
        player = Player.objects.filter(key=player_key(name), games__gt=0).first()
        if player is None:
            raise NoPlayer(name)
        if not player.statistics:
            raise OptedOut(name)


def month_text(month: int) -> str:
    """Return ``2026-01`` of 202601, ``2026`` of 202600."""
    year, number = divmod(month, 100)
    return f"{year:04}-{number:02}" if number else f"{year:04}"


def filters(question: Question) -> dict[str, str | list[str]]:
    """Return the query parameters of a question, without empty parameters.

    >>> filters(Question("koikoi", options={"months": "8"}, month_from=202601, last=5))
    {'ruleset': 'koikoi', 'option': ['months=8'], 'from': '2026-01', 'last': '5'}
    """
    first, last = (
        month_text(month) if month else "" for month in (question.month_from, question.month_to)
    )
    parameters: dict[str, str | list[str]] = {
        "ruleset": question.ruleset,
        "profile": question.profile,
        "option": [f"{name}={value}" for name, value in sorted(question.options.items())],
        "event": question.event,
        "player": question.player,
        "opponent": question.opponent,
        "seat": str(question.seat or ""),
        "from": first,
        "to": last,
        "last": str(question.last or ""),
        "games_min": str(question.games_min or ""),
        **{name: str(value) for name, value in question.own.items() if value is not None},
    }
    return {name: value for name, value in parameters.items() if value}
