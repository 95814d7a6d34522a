"""The forms of a page of statistics: which games, and how each figure is split.

Filters of games have the names of the API. A figure's own parameters have its id as prefix, as in
``decisions.by``, since one page has several figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.search.filters import BadParameter, shown, yaku_of
from records.statistics import questions
from records.statistics.answer import Answer
from records.statistics.definition import Figure
from records.statistics.questions import Parameter, Question
from records.statistics.registry import FIGURES

#: Fields of the form of games, all filters of questions but those that a page or a list sets.
FIELDS: Final = tuple(name for name in questions.NAMES if name not in ("ruleset", "games_min"))
#: A filter that each list has for itself.
_LEAST: Final = "games_min"
#: Parameters of the pages of lists: links have them, and no form.
_PAGING: Final = ("cursor", "page_size")
#: Figures about players named in the question, and the names that each of them needs.
NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "compare": ("player",),
    "rating": ("player",),
    "strengths": ("player",),
    "form": ("player",),
    "calendar": ("player",),
    "versus": ("player", "opponent"),
}


def figures(ruleset: str) -> list[Figure]:
    """The figures on the page of a ruleset, in their order."""
    return [one for one in FIGURES.values() if ruleset in one.rulesets and not one.page]


def wanted(ruleset: str, params: QueryDict) -> list[Figure]:
    """The figures that apply to a question: some need players."""
    named = only(params, "player", "opponent")
    return [one for one in figures(ruleset) if all(name in named for name in NEEDS.get(one.id, ()))]


def only(params: QueryDict, *known: str) -> QueryDict:
    """Those of the parameters that are not empty."""
    query = QueryDict(mutable=True)
    for name in known:
        if values := [value for value in params.getlist(name) if value.strip()]:
            query.setlist(name, values)
    return query


def fits(figure: Figure, params: QueryDict) -> bool:
    """Whether the figure accepts all filters in use."""
    return all(name in figure.filters for name in only(params, *FIELDS))


def of_figure(figure: Figure, params: QueryDict, ruleset: str) -> QueryDict:
    """The parameters of the page's address for one figure, as its resource takes them."""
    query = only(params, *figure.filters)
    query["ruleset"] = ruleset
    for name in _own_names(figure):
        if value := params.get(f"{figure.id}.{name}", "").strip():
            query[name] = value
    return query


def _own_names(figure: Figure) -> list[str]:
    """The parameters of this figure alone: the least number of games is for lists of players."""
    own = [one.name for one in figure.own]
    return [_LEAST, *own] if _LEAST in figure.filters else own


def onward(params: QueryDict, answer: Answer) -> str:
    """The address of the next page of a list, within this page."""
    query = params.copy()
    query[f"{answer.id}.cursor"] = answer.next
    return f"?{query.urlencode()}#{answer.id}"


def read(params: QueryDict, ruleset: str) -> tuple[Question, list[BadParameter]]:
    """The question about games in the address, and all faults of the address."""
    query = only(params, *FIELDS)
    query["ruleset"] = ruleset
    question, faults = questions.read(query, ("ruleset", *FIELDS))
    own = {f"{one.id}.{name}": (one, name) for one in figures(ruleset) for name in _own_names(one)}
    for name in params:
        if name in own:
            figure, part = own[name]
            alone = QueryDict(mutable=True)
            alone.update({"ruleset": ruleset, part: params.get(name, "")})
            _question, found = questions.read(alone, figure.filters, figure.own, figure.rulesets)
            faults += [BadParameter(name, one.message) for one in found]
        elif name not in FIELDS:
            words = {"known": ", ".join((*FIELDS, *own))}
            message = _("unknown parameter; expected %(known)s.") % words
            faults.append(BadParameter(shown(name), message))
    return question, faults


def label(name: str) -> str:
    """The label of a field."""
    own = {
        "by": _("Rows by"),
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
    return own.get(part, part) if part else games.get(figure, figure)


def fields(ruleset: str, params: QueryDict) -> dict[str, Any]:
    """The fields of the form of games, and their values."""
    rules = RULESETS[ruleset]
    return {
        "params": only(params, *FIELDS).dict(),
        "options": [*params.getlist("option"), ""] if _options(ruleset) else [],
        "option_names": ", ".join(_options(ruleset)),
        "option_example": next(iter(_options(ruleset).values()), ""),
        "seats": [str(seat) for seat in range(1, rules.seats.stop)],
    }


def _options(ruleset: str) -> dict[str, str]:
    """The options of a ruleset apart from its house rules, each with an example."""
    known = RULESETS[ruleset].options
    return {
        name: f"{name}={values.expected[0].split('…')[0]}"
        for name, values in known.items()
        if name != "profile"
    }


def own_fields(figure: Figure, params: QueryDict, ruleset: str) -> list[dict[str, Any]]:
    """The form of a figure's own parameters: fields with their choices and values."""
    own = [one for one in figure.own if one.name not in _PAGING]
    found = [_own_field(figure, one, params, ruleset) for one in own]
    if _LEAST in figure.filters:
        name = f"{figure.id}.{_LEAST}"
        value = params.get(name, "").strip()
        found.append({"name": name, "label": label(name), "value": value, "number": True})
    return found


def _own_field(figure: Figure, one: Parameter, params: QueryDict, ruleset: str) -> dict[str, Any]:
    name = f"{figure.id}.{one.name}"
    offered: list[tuple[str, str]] = []
    if "enum" in one.schema:
        offered = [(str(value), _word(figure.id, str(value))) for value in one.schema["enum"]]
    elif name == "decisions.by":
        offered = [(value, _by(value)) for value in _BY]
    elif name == "decisions.yaku":
        offered = [("", _("any")), *((yaku, labels.yaku(yaku)) for yaku in yaku_of(ruleset))]
    default = "" if one.default is None else str(one.default)
    value = params.get(name, "").strip()
    return {
        "name": name,
        "label": label(name),
        "offered": offered,
        "value": value or default,
        "number": one.schema.get("type") == "integer",
    }


_BY: Final = ("yaku", "left", "opp", "yaku,left", "yaku,left,opp", "none")


def _by(value: str) -> str:
    words: Mapping[str, str] = {
        "yaku": _("yaku held"),
        "left": _("cards left"),
        "opp": _("opponent's captures"),
        "none": _("nothing: one row"),
    }
    return labels.listed(words[part] for part in value.split(","))


def _word(figure: str, value: str) -> str:
    words = {
        ("scores", "deal"): _("deals"),
        ("scores", "game"): _("games"),
        ("openings", "play"): _("plays from the hand"),
        ("openings", "card"): _("cards on the field"),
        ("players", "games"): _("most games first"),
        ("players", "won"): _("highest rate of games won first"),
        ("versus", "ruleset"): _("ruleset"),
        ("versus", "month"): _("month"),
    }
    return words.get((figure, value), value)
