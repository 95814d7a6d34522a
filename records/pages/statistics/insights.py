"""The page that asks the archive: a metric, its dimensions, and a selection of games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.statistics.answers import answer_context
from records.pages.statistics.forms import field_label, find_player_error, select_params
from records.pages.statistics.values import format_value
from records.search.filters import BadParameter, profiles
from records.serving.cached_responses import cached_page
from records.serving.parameters import texts
from records.states import of_ruleset
from records.statistics import questions
from records.statistics.cells import HIGH, LOW, USUAL, dimensions_of, metric_of
from records.statistics.dimensions import DIMENSIONS, OPTION, name_rule, possible_dimensions
from records.statistics.insights import (
    INSIGHTS,
    find_faults,
    offered_rules,
    offered_yaku,
    possible_rulesets,
    seat_dimensions,
    title_dimension,
)
from records.statistics.metrics import METRICS
from records.statistics.questions import Question

#: Parameters of the form, in its order: the question, then the selection of games.
_QUESTION: Final = ("ruleset", "metric", "by", "by2", "rule", "yaku")
_NARROWED: Final = ("profile", "option", "seat", "last", "n_min", "sort")
_GAMES: Final = ("player", "opponent", "event", "from", "to")
_PARAMETERS: Final = texts(*INSIGHTS.filters, *(parameter.name for parameter in INSIGHTS.own))
#: The question of an address without a query.
_FIRST: Final = {"ruleset": "koikoi", "metric": "win_rate", "by": "seat", "by2": "dealer"}
#: Questions to begin with, in words and as queries.
_EXAMPLES: Final = (
    (
        gettext_lazy("Does koi-koi pay, by cards left in hand?"),
        {"ruleset": "koikoi", "metric": "gain", "by": "left"},
    ),
    (
        gettext_lazy("How often do players say koi-koi, by yaku held and cards left?"),
        {"ruleset": "koikoi", "metric": "play_on_rate", "by": "held", "by2": "left", "n_min": "10"},
    ),
    (
        gettext_lazy("How often does one win at koi-koi against stronger players?"),
        {"ruleset": "koikoi", "metric": "win_rate", "by": "rating", "by2": "opponent_rating"},
    ),
    (
        gettext_lazy("Who makes the best choices at koi-koi?"),
        {"ruleset": "koikoi", "metric": "loss", "by": "player", "n_min": "30", "sort": "low"},
    ),
    (
        gettext_lazy("Are players of koi-koi too bold or too careful?"),
        {"ruleset": "koikoi", "metric": "loss", "by": "direction"},
    ),
    (
        gettext_lazy("How often does one still win at koi-koi from behind, by month?"),
        {"ruleset": "koikoi", "metric": "game_rate", "by": "standing", "by2": "month"},
    ),
    (
        gettext_lazy("In which turn is each yaku of koi-koi made?"),
        {"ruleset": "koikoi", "metric": "yaku_turn", "by": "completed", "sort": "low"},
    ),
    (
        gettext_lazy("At sannin hachi-hachi, who pays whom?"),
        {"ruleset": "hachihachi", "metric": "balance", "by": "place", "by2": "payer_place"},
    ),
    (
        gettext_lazy("Do players say koi-koi more often in houses where the loser pays?"),
        {"ruleset": "koikoi", "metric": "play_on_rate", "by": "option", "rule": "pays"},
    ),
    (
        gettext_lazy("Is it good to be the dealer?"),
        {"metric": "win_rate", "by": "ruleset", "by2": "dealer"},
    ),
    (
        gettext_lazy("At sannin hachi-hachi, who gains from a large field?"),
        {"ruleset": "hachihachi", "metric": "score", "by": "place", "by2": "grade"},
    ),
    (
        gettext_lazy("At sannin hachi-hachi, how many turns does each month take?"),
        {"ruleset": "hachihachi", "metric": "length", "by": "month"},
    ),
)


@cached_page(of_ruleset, parameters=_PARAMETERS, group="statistics")
def insights_page(request: HttpRequest) -> HttpResponse:
    """Show the answer to the question in the query, or the faults of the query."""
    params = request.GET.copy()
    if not select_params(params, "metric", "by", "by2"):
        for name, value in _FIRST.items():
            params[name] = params.get(name) or value
    query = select_params(params, *params)
    question, faults = INSIGHTS.parse(query)
    player_error = "" if faults else find_player_error(question)
    answer = None
    if not faults and not player_error:
        result = INSIGHTS.answer(question)
        title = _words(question)
        gloss = str(metric_of(question).gloss)
        answer = answer_context(replace(result, title=title, definition=gloss), is_paged=True) | {
            "games": format_value(result.games, "count"),
            "deals": format_value(result.deals_played, "count"),
        }
    return render(
        request,
        "records/insights.html",
        {
            "params": select_params(params, *_QUESTION, *_NARROWED, *_GAMES).dict(),
            "choices": _choices(question, query),
            "profiles": [(id, labels.house(id)) for id in _houses(question.ruleset)],
            "sorts": [(USUAL, _("usual")), (LOW, _("lowest first")), (HIGH, _("highest first"))],
            "seats": [str(seat) for seat in range(1, questions.seats(question.ruleset) + 1)],
            "options": params.getlist("option"),
            "is_narrowed": bool(select_params(params, *_NARROWED, *_GAMES)),
            "faults": [(_label(fault.name), _explain(fault, question)) for fault in faults],
            "player_error": player_error,
            "one": answer,
            "next": _next_page_address(query, answer["answer"].next) if answer else "",
            "examples": [(text, f"?{urlencode(example)}") for text, example in _EXAMPLES],
        },
    )


def _houses(ruleset: str) -> tuple[str, ...]:
    houses = profiles(ruleset) if ruleset else ()
    return houses if len(houses) > 1 else ()


def _choices(question: Question, query: QueryDict) -> list[dict[str, Any]]:
    """Return the fields of the question: name, label, value, and choices."""
    by = [(dimension.id, str(dimension.title)) for dimension in DIMENSIONS.values()]
    rules = offered_rules(question)
    offered = {
        "ruleset": [("", _("all")), *((id, labels.ruleset_brief(id)) for id in RULESETS)],
        "metric": [(metric.id, str(metric.title)) for metric in METRICS.values()],
        "by": [("", _("not divided")), *by],
        "by2": [("", "–"), *by],
        "rule": [("", "–"), *((id, name_rule(question.ruleset, id)) for id in rules)],
        "yaku": [("", _("any")), *((yaku, labels.yaku(yaku)) for yaku in offered_yaku(question))],
    }
    return [
        {"name": name, "label": _label(name), "value": query.get(name, ""), "offered": choices}
        for name, choices in offered.items()
        if len(choices) > 1
    ]


def _label(name: str) -> str:
    question_labels = {
        "ruleset": _("Ruleset"),
        "metric": _("Figure"),
        "by": _("Divided by"),
        "by2": _("and also by"),
        "rule": _("House option to divide by"),
        "yaku": _("Yaku, for months with a yaku"),
        "n_min": _("Minimum cases"),
    }
    return question_labels.get(name) or field_label(name)


def _explain(fault: BadParameter, question: Question) -> str:
    """Return the message of a fault, with labels of the form in place of ids."""
    if fault not in find_faults(question):
        return fault.message
    metric = metric_of(question)
    if fault.name == "ruleset":
        rulesets = labels.listed(map(labels.ruleset_brief, possible_rulesets(metric)))
        return _("choose one of %(known)s, or divide by ruleset.") % {"known": rulesets}
    if fault.name == "rule":
        words = {"title": str(DIMENSIONS[OPTION].title)}
        return _("choose an option to divide by “%(title)s”, and none otherwise.") % words
    if fault.name == "yaku":
        title = METRICS["yaku_rate"].title
        return _("a yaku can only be chosen for “%(metric)s”.") % {"metric": title}
    is_divided_well = fault.name == "by" and question.own["by"] in possible_dimensions(metric)
    dimensions = seat_dimensions(question) if is_divided_well else possible_dimensions(metric)
    titles = (str(DIMENSIONS[id].title) for id in dimensions)
    words = {"metric": str(metric.title), "known": labels.listed(titles)}
    if is_divided_well:
        return (
            _(
                "by the rules “%(metric)s” is the same in every row, because it adds up to the "
                "same in each month. Divide it by one of these too: %(known)s; choose a player or "
                "a seat; or choose another figure."
            )
            % words
        )
    return _("“%(metric)s” can be divided by each of these once: %(known)s.") % words


def _words(question: Question) -> str:
    """Return a question in words: metric, dimensions, ruleset, yaku."""
    titles = [title_dimension(question, dimension) for dimension in dimensions_of(question)]
    by = [title[:1].lower() + title[1:] for title in titles]
    metric = metric_of(question)
    words = {"metric": str(metric.title), "by": _(" and ").join(by)}
    parts = [_("%(metric)s by %(by)s") % words if by else str(metric.title)]
    if question.ruleset:
        parts.append(labels.ruleset_brief(question.ruleset))
    if question.own["yaku"]:
        parts.append(labels.yaku(question.own["yaku"]))
    return " · ".join(parts)


def _next_page_address(query: QueryDict, following: str) -> str:
    """Return the address of the next rows; "" at the end."""
    if not following:
        return ""
    query = query.copy()
    query["cursor"] = following
    return f"?{query.urlencode()}"
