"""The forms of a page of statistics: the selection of games, and the split of each figure.

Filters of games have the names of the API. A figure's own parameters have its id as prefix, as in
``decisions.by``, since one page has several figures.

The house whose games a page counts if the query selects no house rules.

Houses play different yaku and values. Mixed figures of several houses would describe no game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.search.filters import BadParameter, profiles, yaku_of
from records.serving.parameters import texts
from records.statistics import questions
from records.statistics.answer import Answer
from records.statistics.definition import Figure
from records.statistics.gather import gather
from records.statistics.questions import NoPlayer, OptedOut, Parameter, Question
from records.statistics.registry import FIGURES

#: The value of the form for the games of all houses.
ALL: Final = "all"
#: A filter of lists of players, which count all houses of a ruleset, like ratings.
_LEAST: Final = "games_min"
#: Fields of the form of games: all filters of questions that neither page nor list sets.
FIELDS: Final = tuple(name for name in questions.FILTERS if name not in ("ruleset", "games_min"))
#: Parameters of the pages of lists: links have them, and no form.
PAGING: Final = ("cursor", "page_size")


def query_of(params: QueryDict, main: str) -> QueryDict:
    """Return the parameters with the counted house; without a house for the games of all houses."""
    query = params.copy()
    if query.get("profile") == ALL:
        del query["profile"]
    elif main and not query.get("profile"):
        query["profile"] = main
    return query


def figure_query(figure: Figure, params: QueryDict, main: str) -> QueryDict:
    """Return the parameters of one figure, like `query_of`."""
    return query_of(params, "" if _LEAST in figure.filters else main)


def main_house(ruleset: str, params: QueryDict) -> str:
    """Return the house with the most games, which is counted unless the query names another house.

    Return "" if no other house has games, and for a player, whose games all count.
    """
    if params.get("player", "").strip():
        return ""
    houses = _houses(ruleset)
    if not houses:
        return ""
    games = gather(Question(ruleset=ruleset)).sums["houses"]
    played = [profile for profile in houses if profile in games]
    return max(played, key=lambda profile: games[profile]["games"]) if len(played) > 1 else ""


def house_choices(ruleset: str, main: str) -> list[tuple[str, str]]:
    """Return the choices of the form, by value; none for a ruleset with one house."""
    houses = [(profile, labels.house(profile)) for profile in _houses(ruleset)]
    if not houses:
        return []
    if not main:
        return [("", _("all")), *houses]
    words = {"house": labels.house(main)}
    return [("", _("most games: %(house)s") % words), (ALL, _("all")), *houses]


def _houses(ruleset: str) -> tuple[str, ...]:
    houses = profiles(ruleset)
    return houses if len(houses) > 1 else ()


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The question about games, the question of each figure, and the faults of a page's query."""

    question: Question
    figures: Sequence[tuple[Figure, Question]]
    faults: Sequence[BadParameter]


def figures(ruleset: str) -> list[Figure]:
    """Return the figures on the page of a ruleset, in their order."""
    return [figure for figure in FIGURES.values() if ruleset in figure.rulesets and not figure.page]


def is_wanted(figure: Figure, params: QueryDict) -> bool:
    """Return whether a figure applies to a question: some figures are about players."""
    return all(params.get(name, "").strip() for name in figure.about)


def select_params(params: QueryDict, *names: str) -> QueryDict:
    """Return the parameters with certain names that are not empty."""
    query = QueryDict(mutable=True)
    for name in names:
        if values := [value for value in params.getlist(name) if value.strip()]:
            query.setlist(name, values)
    return query


def accepts_filters(figure: Figure, params: QueryDict) -> bool:
    """Return whether the figure accepts all filters of the query."""
    return all(name in figure.filters for name in select_params(params, *FIELDS))


def _parameter_names(figure: Figure) -> list[str]:
    """Return the parameters of one figure. Lists of players have a minimum number of games."""
    names = [parameter.name for parameter in figure.own]
    return [_LEAST, *names] if _LEAST in figure.filters else names


#: The parameters of the page of a ruleset.
PARAMETERS: Final = texts(
    *FIELDS,
    *(
        f"{figure.id}.{name}"
        for figure in FIGURES.values()
        if not figure.page
        for name in _parameter_names(figure)
    ),
)


def next_page_address(params: QueryDict, answer: Answer) -> str:
    """Return the address of the next page of a list, within the page."""
    query = params.copy()
    query[f"{answer.id}.cursor"] = answer.next
    return f"?{query.urlencode()}#{answer.id}"


def read(params: QueryDict, ruleset: str, main: str) -> PageQuery:
    """Parse the query of a page; figures of one house count the games of the ``main`` house."""
    query = select_params(query_of(params, main), *FIELDS)
    query["ruleset"] = ruleset
    question, faults = questions.read(query, ("ruleset", *FIELDS))
    parsed = []
    for figure in figures(ruleset):
        query = select_params(figure_query(figure, params, main), *figure.filters)
        query["ruleset"] = ruleset
        for name in _parameter_names(figure):
            if value := params.get(f"{figure.id}.{name}", "").strip():
                query[name] = value
        of_figure, figure_faults = figure.parse(query)
        parsed.append((figure, of_figure))
        faults += [
            BadParameter(f"{figure.id}.{fault.name}", fault.message)
            for fault in figure_faults
            if fault.name not in FIELDS
        ]
    return PageQuery(question, parsed, faults)


def find_player_error(question: Question) -> str:
    """Return a sentence if statistics of a player of the question are unavailable; else ""."""
    try:
        questions.check(question)
    except NoPlayer as error:
        words = {"name": str(error)}
        return _("No player is called “%(name)s”; enter the whole name.") % words
    except OptedOut as error:
        return _("%(name)s is left out of statistics by name.") % {"name": str(error)}
    return ""


def field_label(name: str) -> str:
    """Return the label of a field."""
    figure_labels = {
        "by": _("Divided by"),
        "yaku": _("Yaku held"),
        "left": _("Cards left"),
        "opp": _("Opponent's captures"),
        "of": _("Figures for"),
        "field": _("Cards on the field"),
        "n_min": _("Minimum cases"),
        "sort": _("Order"),
        _LEAST: _("Minimum games"),
    }
    games = {
        "profile": _("House rules"),
        "option": _("Option"),
        "event": _("Event"),
        "player": _("Player"),
        "opponent": _("Opponent"),
        "seat": _("Seat"),
        "from": _("From month"),
        "to": _("Until month"),
        "last": _("Newest games only"),
    }
    figure, _dot, part = name.partition(".")
    return figure_labels.get(part, part) if part else games.get(figure, figure)


def fields(ruleset: str, params: QueryDict) -> dict[str, Any]:
    """Return the fields of the form of games, and their values."""
    description = RULESETS[ruleset]
    return {
        "params": select_params(params, *FIELDS).dict(),
        "options": params.getlist("option"),
        "offered_options": offered_options(ruleset),
        "seats": [str(seat) for seat in range(1, description.seats.stop)],
    }


def offered_options(ruleset: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the options of a ruleset as choices: a label, and values as ``teyaku=no`` in words.

    Of an option with numbers, the values of houses and presets are offered.
    """
    description, lang = RULESETS[ruleset], labels.lang()
    known = [
        *(description.defaults(profile) for profile in description.profiles),
        *(preset.options for preset in description.presets),
    ]
    offered = []
    for name, option in description.options.items():
        if name == "profile":
            continue
        values: list[str] = [*option.names]
        if option.numbers is not None:
            values = sorted({options[name] for options in known if name in options}, key=int)
        choices = [(f"{name}={value}", option.value(value, lang)) for value in values]
        offered.append((option.label.label(lang), choices))
    return offered


def parameter_fields(figure: Figure, params: QueryDict, ruleset: str) -> list[dict[str, Any]]:
    """Return the form of a figure's own parameters: fields with their choices and values."""
    parameters = [parameter for parameter in figure.own if parameter.name not in PAGING]
    form_fields = [_parameter_field(figure, parameter, params, ruleset) for parameter in parameters]
    if _LEAST in figure.filters:
        name = f"{figure.id}.{_LEAST}"
        value = params.get(name, "").strip()
        form_fields.append(
            {
                "name": name,
                "label": field_label(name),
                "offered": [],
                "value": value,
                "number": True,
            }
        )
    return form_fields


def _parameter_field(
    figure: Figure, parameter: Parameter, params: QueryDict, ruleset: str
) -> dict[str, Any]:
    name = f"{figure.id}.{parameter.name}"
    offered: list[tuple[str, str]] = []
    if "enum" in parameter.schema:
        offered = [
            (str(value), _choice_label(figure.id, str(value))) for value in parameter.schema["enum"]
        ]
    elif name == "decisions.by":
        offered = [(value, _by_label(value)) for value in _BY]
    elif name == "decisions.yaku":
        offered = [("", _("any")), *((yaku, labels.yaku(yaku)) for yaku in yaku_of(ruleset))]
    default = "" if parameter.default is None else str(parameter.default)
    value = params.get(name, "").strip()
    return {
        "name": name,
        "label": field_label(name),
        "offered": offered,
        "value": value or default,
        "number": parameter.schema.get("type") == "integer",
    }


_BY: Final = ("yaku", "left", "opp", "yaku,left", "yaku,left,opp", "none")


def _by_label(value: str) -> str:
    words: Mapping[str, str] = {
        "yaku": _("yaku held"),
        "left": _("cards left"),
        "opp": _("opponent's captures"),
        "none": _("not divided"),
    }
    return labels.listed(words[part] for part in value.split(","))


def _choice_label(figure: str, value: str) -> str:
    words = {
        ("scores", "deal"): _("months"),
        ("scores", "game"): _("games"),
        ("openings", "play"): _("plays from the hand"),
        ("openings", "card"): _("cards on the field"),
        ("players", "games"): _("most games first"),
        ("players", "won"): _("highest rate of games won first"),
        ("versus", "ruleset"): _("ruleset"),
        ("versus", "month"): _("month"),
    }
    return words.get((figure, value), value)
