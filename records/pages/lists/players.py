"""Players: the list, the page of a player with figures, and suggestions for fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control

from kafu.rules.rulesets import RULESETS
from records.base import figures, labels
from records.base.release import absolute
from records.facts.current import hold_snapshot
from records.facts.database import StatisticsAway
from records.models import Player
from records.pages.lists.games import SUGGESTED
from records.pages.parameters import PLACE, SEARCH, SEARCHED
from records.pages.statistics.answers import answer_context
from records.pages.statistics.bests import kinds
from records.privacy.access import NO_STORE
from records.search import players as queries
from records.search.games import load_results
from records.search.paging import page_of, players_of
from records.search.selection import SOUND, GameSelection, listings
from records.serving.cached_responses import cached_page
from records.serving.parameters import one_of
from records.states import of_archive, of_player
from records.statistics.answer import Answer
from records.statistics.columns import unit
from records.statistics.intervals import LEAST_OF_SHARE
from records.statistics.registry import FIGURES
from records.wording.previews import LinkPreview, picture_path

PAGE: Final = 50
#: Games on a player's own page.
GAMES: Final = 10
#: Number of opponents shown unfolded.
OPPONENTS: Final = 8
#: Figures of a player, in the order of the page.
_FIGURES: Final = ("form", "strengths", "losses", "rating", "calendar", "bests", "compare")


@cached_page(of_archive, parameters=SEARCH | PLACE)
def players_page(request: HttpRequest) -> HttpResponse:
    """Show the players with their form, players with the most games first.

    ``?q=`` is a part of the name.
    """
    part = request.GET.get("q", "")
    query = QueryDict(mutable=True)
    if part:
        query["q"] = part
    page = players_of(queries.players(part), request.GET.dict(), PAGE)
    forms = queries.find_forms(page.players)
    return render(
        request,
        "records/players.html",
        {
            "page": page,
            "rows": [(player, forms.get(player.pk)) for player in page.players],
            "part": part,
            "query": query,
        },
    )


@cache_control(public=True, max_age=SUGGESTED)
def suggest_players(request: HttpRequest) -> HttpResponse:
    """Return names with a part ``?q=``, matches at the beginning first, then by number of games."""
    players = queries.suggestions(request.GET.get("q", "").replace("\0", "")[:SEARCHED])
    return JsonResponse(
        {"results": [{"value": player.name, "games": player.games} for player in players]}
    )


@cached_page(of_player, parameters={"ruleset": one_of(RULESETS)} | PLACE, group="statistics")
def player_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show a player: results, opponents, yaku, games. A former key redirects to the current one."""
    player = queries.find(key)
    if player is None and (now := queries.find_new_key(key)) is not None:
        return redirect("player", now, permanent=True)
    if player is None or not player.games:
        raise Http404
    career = queries.career(player, request.GET.get("ruleset", ""))
    ruleset = career.ruleset
    listed = ruleset if player.statistics else ""  # else no links choose a ruleset
    opponents = [
        {
            "player": opponent,
            "against": results,
            "href": _address(player, opponent, ruleset=ruleset),
            "figures": statistics_address(player.name, ruleset, opponent.name),
        }
        for opponent, results in career.opponents
    ]
    page = page_of(
        listings(GameSelection(players=(player.name,), ruleset=listed, status=SOUND)),
        request.GET.dict(),
        GAMES,
    )
    load_results(page.records)
    compared: dict[str, Any] = {}
    is_away = False
    if listed:
        try:
            compared = comparison_context(player, ruleset)
        except StatisticsAway:
            is_away = True
    response = render(
        request,
        "records/player.html",
        {
            "player": player,
            "career": career,
            "rulesets": [_results(id, results, ruleset) for id, results in career.rulesets],
            "ruleset": labels.ruleset(ruleset) if ruleset else "",
            "opponents": opponents[:OPPONENTS],
            "other_opponents": opponents[OPPONENTS:],
            "others": career.opponent_count - OPPONENTS,
            "more": career.opponent_count - len(opponents),
            "yaku": [
                (labels.yaku(label), often, _address(player, ruleset=ruleset, yaku=label))
                for label, often in career.yaku
            ],
            "leaves_out_unfinished": any(
                results.games > results.ahead + results.behind + results.level
                for _opponent, results in career.opponents
            ),
            "page": page,
            "all": _address(player),
            "listed": _address(player, ruleset=listed),
            "query": _query(request.GET.get("ruleset", "")),
            "preview": _preview(player, career),
            "statistics_are_away": is_away,
            **compared,
        },
    )
    if is_away:
        response["Cache-Control"] = NO_STORE
    return response


def _preview(player: Player, career: queries.Career) -> LinkPreview:
    """Return the preview of a player: games, and results of the most frequent ruleset."""
    text = record_text(player, career)
    return LinkPreview(
        description=text,
        image=picture_path("player-preview", player.key),
        alt=f"{player.name} · {text}",
        url=absolute(reverse("player", args=[player.key])),
    )


def record_text(player: Player, career: queries.Career) -> str:
    """Return a player's results in a sentence; of a player without statistics only the games."""
    number = career.games
    games = ngettext("%(games)s game", "%(many)s games", number)
    parts = [games % {"games": number, "many": number}]
    results = dict(career.rulesets).get(career.ruleset)
    if player.statistics and results and results.ended:
        wins = ngettext(
            "first in %(wins)d of %(ended)d game",
            "first in %(wins)d of %(ended)d games",
            results.ended,
        )
        parts.append(labels.ruleset_brief(career.ruleset))
        parts.append(wins % {"wins": results.wins, "ended": results.ended})
    return " · ".join(parts)


def _query(ruleset: str) -> QueryDict:
    """Return the parameters for the next page of games."""
    query = QueryDict(mutable=True)
    if ruleset in RULESETS:
        query["ruleset"] = ruleset
    return query


def _results(ruleset: str, results: queries.Results, shown_ruleset: str) -> dict[str, Any]:
    """Return a row of the results. ``shown_ruleset`` is that of the shown figures."""
    small = unit(ruleset)
    return {
        "id": ruleset,
        "here": ruleset == shown_ruleset,
        "name": labels.ruleset_brief(ruleset),
        "games": results.games,
        "ended": results.ended,
        "wins": results.wins,
        "share": round(100 * results.wins / results.ended) if results.ended else None,
        "place": results.place,
        "mean": ""
        if results.mean is None
        else figures.mean(results.mean * RULESETS[ruleset].final_unit, small.size),
        "unit": small.large,
    }


def _address(*players: Player, ruleset: str = "", yaku: str = "") -> str:
    """Return the query of the list of games in which all ``players`` took part."""
    query = QueryDict(mutable=True)
    query.setlist("player", [player.name for player in players])
    if ruleset:
        query["ruleset"] = ruleset
    if yaku:
        query["yaku"] = yaku
    return query.urlencode()


@hold_snapshot()
def comparison_context(player: Player, ruleset: str) -> dict[str, Any]:
    """Return the figures of a player in a ruleset: the form, and the others."""
    answers = {context["answer"].id: context for context in _answers(player, ruleset)}
    return {
        "compared": {
            "all": statistics_address(player.name, ruleset),
            "form": answers.pop("form", None),
            "answers": [*answers.values()],
        },
    }


def statistics_address(player: str, ruleset: str, opponent: str = "") -> str:
    """Return the address of a player's statistics, or of the comparison with an opponent."""
    query = {"player": player, **({"opponent": opponent} if opponent else {})}
    part = "#versus" if opponent else ""
    return f"{reverse('statistics', args=[ruleset])}?{urlencode(query)}{part}"


def _answers(player: Player, ruleset: str) -> Iterator[dict[str, Any]]:
    for id in _FIGURES:
        figure = FIGURES.get(id)
        if figure and ruleset in figure.rulesets:
            answer = figure.answer(figure.question(ruleset=ruleset, player=player.name))
            if _has_results(answer):
                boards = list(kinds(answer)) if id == "bests" else []
                yield {**answer_context(answer), "boards": boards}


def _has_results(answer: Answer) -> bool:
    """Return whether an answer has results; percentiles need enough other players."""
    rows = answer.rows
    if answer.id == "strengths":
        rows = [row for row in rows if int(row["n"] or 0) >= LEAST_OF_SHARE]
    return bool(answer.n and rows)
