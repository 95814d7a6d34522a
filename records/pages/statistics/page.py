"""Statistics: an overview, and a page for each ruleset with all its figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.release import absolute
from records.facts.current import hold_snapshot
from records.pages.chips import filter_words, removals
from records.pages.link_previews import default_preview
from records.pages.statistics.answers import answer_context
from records.pages.statistics.forms import (
    ALL,
    FIELDS,
    PAGING,
    PARAMETERS,
    PageQuery,
    accepts_filters,
    field_label,
    fields,
    find_player_error,
    house_choices,
    is_wanted,
    main_house,
    next_page_address,
    parameter_fields,
    query_of,
    read,
    select_params,
)
from records.pages.statistics.values import format_value
from records.serving.cached_responses import cached_page
from records.states import of_archive, of_ruleset
from records.statistics.definition import Figure
from records.statistics.figures.choices import choice
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import LEAST_OF_SHARE
from records.statistics.questions import Question
from records.statistics.registry import FIGURES
from records.wording.previews import LinkPreview, picture_path

#: Maximum number of values of a parameter displayed as links.
_FEW: Final = 6
#: A link of a choice: address, text, and whether the link is active.
Choice = tuple[str, str, bool]
#: Filters that mean the same in every ruleset.
_OF_ALL: Final = ("event", "player", "opponent", "from", "to", "last")


@cached_page(of_archive, group="statistics")
@hold_snapshot()
def statistics_home(request: HttpRequest) -> HttpResponse:
    """Show the counted games of each ruleset, with the dealer's share of won deals."""
    rulesets = [_count_ruleset(ruleset) for ruleset in RULESETS]
    return render(
        request,
        "records/statistics.html",
        {
            "rulesets": rulesets,
            "games": format_value(sum(row["games"] for row in rulesets), "count"),
            "deals": format_value(sum(row["deals"] for row in rulesets), "count"),
            "figures": [_figure_link(figure, rulesets) for figure in FIGURES.values()],
            "preview": replace(
                default_preview(request), image=picture_path("statistics-home-preview")
            ),
        },
    )


def _figure_link(figure: Figure, rulesets: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return a link to a figure, in the ruleset with the most games among the figure's rulesets."""
    offering = (row for row in rulesets if row["id"] in figure.rulesets)
    ruleset = max(offering, key=lambda row: row["games"])["id"]
    needs = ("", _("of a player"), _("of two players"))[len(figure.about)]
    page = f"{reverse('statistics', args=[ruleset])}#{'player' if needs else figure.id}"
    return {
        "title": figure.title,
        "where": labels.ruleset_brief(ruleset),
        "needs": needs,
        "page": f"{reverse(figure.page)}?ruleset={ruleset}#{figure.id}" if figure.page else page,
        "api": f"{reverse(f'api:statistics-{figure.id}')}?{urlencode({'ruleset': ruleset})}",
    }


def _count_ruleset(ruleset: str) -> dict[str, Any]:
    """Return the counted games of a ruleset, and how often the dealer wins a deal."""
    question = Question(ruleset=ruleset)
    gathered = gather(question)
    answer = FIGURES["seats"].answer(question, gathered)
    rates = ("rate", "rate_low", "rate_high", "even")
    dealer = {name: format_value(answer.rows[0][name], "rate") for name in rates}
    return {
        "id": ruleset,
        "name": labels.ruleset(ruleset),
        "games": answer.games,
        "deals": answer.deals_played,
        "games_text": format_value(answer.games, "count"),
        "deals_text": format_value(answer.deals_played, "count"),
        "dealer": dealer if is_many(answer.rows[0]["n"]) else None,
        "dealer_mark": labels.dealer_mark(ruleset),
        "daring": _daring(ruleset, gathered),
    }


def is_many(count: Any) -> bool:
    """Return whether there are enough cases for a percentage in a sentence."""
    return isinstance(count, int) and count >= LEAST_OF_SHARE


def _daring(ruleset: str, gathered: Gathered) -> dict[str, Any] | None:
    """Return how often a seat that could stop played on, and how often it then won the deal."""
    figure = FIGURES["decisions"]
    if ruleset not in figure.rulesets:
        return None
    question = figure.question({"by": "none"}, ruleset=ruleset)
    row = next(iter(figure.answer(question, gathered).rows), None)
    if row is None or not row["said"]:
        return None
    texts = {name: format_value(row[name], "rate") for name in ("rate", "success")}
    texts |= {name: format_value(row[name], "count") for name in ("n", "said")}
    bounds = {name: format_value(row[f"success_{name}"], "rate") for name in ("low", "high")}
    return {
        "word": labels.decision(choice(ruleset).on),
        "choices": row["n"],
        "is_many": is_many(row["n"]),
        "is_often": is_many(row["said"]),
        **texts,
        **bounds,
    }


@cached_page(of_ruleset, parameters=PARAMETERS, group="figures")
@hold_snapshot()
def statistics_page(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show every figure of a ruleset, for the games selected by the query.

    An invalid parameter is reported and ignored, as in the list of games. No figures are shown for
    a player who is unknown or who opted out. Raise Http404 for an unknown ruleset.
    """
    if ruleset not in RULESETS:
        raise Http404
    params = request.GET
    main = main_house(ruleset, params)
    query = read(params, ruleset, main)
    player_error = find_player_error(query.question)
    plain = query_of(params, "")
    answers = [] if player_error else list(_answers(query, params, ruleset))
    profile = query.question.profile
    return render(
        request,
        "records/statistics_ruleset.html",
        {
            "ruleset": ruleset,
            "name": labels.ruleset(ruleset),
            "rulesets": [(id, labels.ruleset_brief(id), id == ruleset) for id in RULESETS],
            "answers": answers,
            "counted": (counted := answers[0]["answer"] if answers else None),
            "counted_games": format_value(counted.games, "count") if counted else "",
            "counted_deals": format_value(counted.deals_played, "count") if counted else "",
            "absent": [
                figure.title
                for figure, _question in query.figures
                if is_wanted(figure, params) and not accepts_filters(figure, plain)
            ],
            "faults": [(field_label(fault.name), fault.message) for fault in query.faults],
            "player_error": player_error,
            "chosen": [
                *removals(
                    select_params(params, *FIELDS),
                    lambda name, value: filter_words(ruleset, name, value),
                )
            ],
            "same": select_params(params, *_OF_ALL),
            "profiles": house_choices(ruleset, main),
            "house": labels.house(profile) if profile else "",
            "all_houses": _address_of_all_houses(params)
            if main and not params.get("profile")
            else "",
            "preview": _preview(request, ruleset),
            **fields(ruleset, params),
        },
    )


def _preview(request: HttpRequest, ruleset: str) -> LinkPreview:
    """Return the preview of a ruleset's statistics. Its picture is about all games."""
    text = _("%(ruleset)s in figures: who wins, which yaku are made, and what choices lead to.")
    text %= {"ruleset": labels.ruleset(ruleset)}
    query = request.GET.urlencode()
    return LinkPreview(
        description=text,
        image=picture_path("statistics-preview", ruleset),
        alt=text,
        url=absolute(request.path) + (f"?{query}" if query else ""),
    )


def _address_of_all_houses(params: QueryDict) -> str:
    """Return the address of the same page about the games of all houses."""
    query = params.copy()
    query["profile"] = ALL
    return f"?{query.urlencode()}"


def _answers(query: PageQuery, params: QueryDict, ruleset: str) -> Iterator[dict[str, Any]]:
    """Yield the figures that apply; sums shared by several of them are read once."""
    earlier: dict[str, Gathered] = {}
    plain = query_of(params, "")
    parameters = _pairs(select_params(params, *FIELDS))
    for figure, question in query.figures:
        if not is_wanted(figure, params) or not accepts_filters(figure, plain):
            continue
        games = repr(replace(question, own={}))
        gathered = earlier.get(games) if figure.read is gather else None
        if gathered is None:
            gathered = figure.gather(question)
        if figure.read is gather:
            earlier[games] = gathered
        is_paged = any(parameter.name in PAGING for parameter in figure.own)
        answer = answer_context(figure.answer(question, gathered), is_paged=is_paged)
        fields_of_figure = parameter_fields(figure, params, ruleset)
        turned = [field for field in fields_of_figure if 0 < len(field["offered"]) <= _FEW]
        chosen = select_params(params, *(field["name"] for field in turned))
        yield {
            **answer,
            "turned": [_turn(field, figure, params) for field in turned],
            "own": [field for field in fields_of_figure if field not in turned],
            "page": reverse("statistics", args=[ruleset]),
            "kept": [*parameters, *_pairs(chosen)],
            "next": next_page_address(params, answer["answer"]),
        }


def _pairs(query: QueryDict) -> list[tuple[str, str]]:
    return [(name, value) for name, values in query.lists() for value in values]


def _turn(field: dict[str, Any], figure: Figure, params: QueryDict) -> tuple[str, list[Choice]]:
    """Return the label of a parameter with few values, and its values as links."""
    links = []
    for value, words in field["offered"]:
        query = params.copy()
        query.pop(f"{figure.id}.cursor", None)
        query[field["name"]] = value
        links.append((f"?{query.urlencode()}#{figure.id}", words, value == field["value"]))
    return field["label"], links
