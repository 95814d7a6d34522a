"""Views of the pictures for previews of links. ``lang`` chooses the language of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from kafu.rules.rulesets import RULESETS
from records.base import dates, labels
from records.drawing.pictures import Drawing, encode, paint, respond_with, to_png
from records.facts.current import hold_snapshot
from records.models import Record, Visibility
from records.pages.game.moment import find_moment, find_yaku_cards
from records.pages.game.page import record_of, score_of
from records.pages.game.pictures import draw, sort_by_kind
from records.pages.game.player_data import replay_of
from records.pages.game.replayed_game import ReplayedGame
from records.pages.link_previews import DESCRIPTIONS, describe
from records.pages.lists.players import record_text
from records.pages.previews import drawings
from records.pages.previews.drawings import (
    PosterRow,
    PreviewFigure,
    PreviewSheetRow,
    SeatResult,
)
from records.pages.rulebook import book
from records.pages.rulebook.entries import RulebookEntry, is_drawn
from records.pages.statistics.page import is_many
from records.pages.statistics.values import format_value
from records.pages.studies import study_view
from records.privacy.access import ANONYMOUS
from records.search import players as stored_players
from records.search.games import load_sums, sums_of
from records.services import studies as stored_studies
from records.serving.cached_responses import State, cached_page
from records.serving.computing import compute
from records.serving.parameters import LANG, Parameters, activate_language, last_of
from records.states import of_archive, of_player, of_record, of_release, of_ruleset, of_study
from records.statistics.questions import Question
from records.statistics.registry import FIGURES
from records.wording.causes import cause_of
from records.wording.readings import read_yaku
from records.wording.steps import final_sum, parse_position, plain_amount

#: Maximum age of a picture in client caches: its numbers change with new games.
CACHE_SECONDS: Final = 60 * 60
#: Months of a sheet in a picture; of a longer game the last.
MOST_MONTHS: Final = 12


def _picture(
    state: State, parameters: Parameters = LANG
) -> Callable[[Callable[..., bytes]], Callable[..., HttpResponse]]:
    """Make a cached view of a function that returns a PNG for a request (decorator)."""

    def decorate(draw_png: Callable[..., bytes]) -> Callable[..., HttpResponse]:
        @require_safe
        @cached_page(state, parameters=parameters, public=True, group="picture")
        @wraps(draw_png)
        def respond_in_language(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            with activate_language(request):
                return respond_with(draw_png(request, **kwargs), CACHE_SECONDS)

        return respond_in_language

    return decorate


@_picture(of_record)
def game_preview(request: HttpRequest, key: str) -> bytes:
    """Return the result of a game: names, sums, how it was won; of a sheet its months.

    A game without a moment (`find_moment`) has the cards of its last month. Raise Http404 for a
    private game, and for a game without a finished month.
    """
    record = _find_record(request, key)
    replay = replay_of(record)
    if replay is None:
        return _draw_sheet(record)
    moment = find_moment(replay)
    deal = replay.deals[moment.at.deal - 1 if moment else -1]
    lit = find_yaku_cards(replay, deal) if moment else ""
    number = record.deals_played
    months = ngettext("%(deals)s month", "%(many)s months", number)
    facts = (months % {"deals": number, "many": number}, dates.played(record.date))
    load_sums([record])
    cause = cause_of(record.verdict, sums_of(record))
    foot = cause.words if cause else " · ".join(part for part in facts if part)
    seats = _results(record, replay, deal)
    return compute(to_png, drawings.draw_result(_title(record), seats, lit, foot))


@_picture(of_record)
def sheet_preview(request: HttpRequest, key: str) -> bytes:
    """Return the months of a game as a score sheet. Raise Http404 as `game_preview`."""
    return _draw_sheet(_find_record(request, key))


def _find_record(request: HttpRequest, key: str) -> Record:
    record = record_of(request, key)
    if record.visibility < Visibility.UNLISTED or not record.verdict["deals"]:
        raise Http404
    return record


def _results(record: Record, replay: ReplayedGame, deal: Mapping[str, Any]) -> list[SeatResult]:
    """Return the seats in the order of their sums, with the cards at the end of a deal.

    A game without an end has the sums so far.
    """
    last = replay.deals[-1]
    final = record.verdict["final"]
    sums = final or replay.sums(last, last["steps"][-1])
    seats = [
        SeatResult(
            name,
            final_sum(sum_, record.ruleset) if final else plain_amount(sum_, units=replay.units),
            sort_by_kind(captured),
            is_winner=bool(final) and sum_ == max(sums),
        )
        for name, sum_, captured in zip(
            replay.players, sums, deal["steps"][-1]["captured"], strict=True
        )
    ]
    order = sorted(range(len(seats)), key=lambda seat: -sums[seat])
    return [seats[seat] for seat in order]


def _draw_sheet(record: Record) -> bytes:
    names = [labels.person(name) for name in record.players]
    score = score_of(record, names)
    rows = [
        PreviewSheetRow(
            deal.month,
            [plain_amount(sum_, units=score.units) for sum_ in deal.score],
            _find_best(deal.score),
        )
        for deal in score.deals[-MOST_MONTHS:]
    ]
    sums = score.final or score.totals
    head = _("Final") if score.final else _("Total")
    total = PreviewSheetRow(
        head, [plain_amount(sum_, units=score.units) for sum_ in sums], _find_best(sums)
    )
    return compute(to_png, drawings.draw_sheet(_title(record), names, rows, total))


def _title(record: Record) -> str:
    """Return ruleset and event of a game."""
    parts = (labels.ruleset_brief(record.ruleset), record.event)
    return " · ".join(part for part in parts if part)


def _find_best(sums: Sequence[int]) -> int | None:
    """Return the place of the only highest sum."""
    return sums.index(max(sums)) if sums.count(max(sums)) == 1 else None


@_picture(of_player)
def player_preview(request: HttpRequest, key: str) -> bytes:
    """Return a player's name, results and places. Raise Http404 for an unknown player."""
    player = stored_players.find(key)
    if player is None or not player.games:
        raise Http404
    career = stored_players.career(player)
    places = stored_players.recent_places(player, career.ruleset) if player.statistics else []
    label = _("Places in the newest games")
    facts = record_text(player, career)
    return compute(to_png, drawings.draw_player(labels.person(player.name), facts, places, label))


@_picture(of_archive)
@hold_snapshot()
def statistics_home_preview(request: HttpRequest) -> bytes:
    """Return the number of deals in the statistics of all rulesets."""
    answers = [FIGURES["seats"].answer(Question(ruleset=ruleset)) for ruleset in RULESETS]
    deals = format_value(sum(answer.deals_played for answer in answers), "count")
    games = _count_games(sum(answer.games for answer in answers))
    figure = PreviewFigure(deals)
    return compute(to_png, drawings.draw_figure(_("Statistics"), _("Months played"), figure, games))


def _count_games(number: int) -> str:
    games = ngettext("%(games)s game", "%(many)s games", number)
    return games % {"games": number, "many": format_value(number, "count")}


@_picture(of_ruleset)
@hold_snapshot()
def statistics_preview(request: HttpRequest, ruleset: str) -> bytes:
    """Return how often the dealer wins in a ruleset. Raise Http404 for an unknown ruleset."""
    if ruleset not in RULESETS:
        raise Http404
    answer = FIGURES["seats"].answer(Question(ruleset=ruleset))
    row = answer.rows[0]
    counted = _count_games(answer.games)
    rate, fair = row["rate"], row["even"]
    if is_many(row["n"]) and isinstance(rate, float) and isinstance(fair, float):
        even = format_value(fair, "rate")
        figure = PreviewFigure(format_value(rate, "rate"), rate, fair)
        sentence = _("Months won by the dealer")
        foot = " · ".join((_("even share %(rate)s") % {"rate": even}, counted))
    else:
        figure, foot = PreviewFigure(format_value(answer.deals_played, "count")), counted
        sentence = _("Months played")
    title = labels.ruleset_brief(ruleset)
    return compute(to_png, drawings.draw_figure(title, sentence, figure, foot))


@_picture(of_study)
def study_preview(request: HttpRequest, key: str) -> bytes:
    """Return title and notes of a study with its first table. Raise Http404 for a private study."""
    study = stored_studies.find(key, ANONYMOUS)
    if study is None:
        raise Http404
    entries = stored_studies.show_entries(study, ANONYMOUS)
    view = study_view(study, ANONYMOUS, len(entries))
    size = ngettext("%(size)s step", "%(size)s steps", view.size) % {"size": view.size}
    drawing = drawings.draw_study(view.title, view.notes, f"{size} · {view.owner}")
    for entry in entries:
        replay = replay_of(entry.record) if entry.record else None
        here = parse_position(entry.at)
        if replay and here:
            return compute(_paint_study, drawing, draw(replay, here.within(replay.counts)))
    return compute(to_png, drawing)


def _paint_study(drawing: Drawing, table: Drawing) -> bytes:
    """Return a study as PNG, with the table of its first step."""
    picture = paint(drawing)
    x, y, width, _height = map(round, drawings.TABLE)
    picture.paste(paint(table, width), (x, y))
    return encode(picture)


@_picture(of_release, LANG | book.PRESET)
def poster_preview(request: HttpRequest, ruleset: str, profile: str = "") -> bytes:
    """Return the yaku of a house with cards and values. Raise Http404 for an unknown house.

    ``preset`` changes the house.
    """
    preset = request.GET.get("preset", "")
    page = book.find(ruleset, profile, preset)
    if page is None:
        raise Http404
    rows = [
        PosterRow(read_yaku(entry.id).name, _letters_of(entry), entry.worth)
        for entry in page.entries
        if is_drawn(entry)
    ]
    has_houses = preset or len(RULESETS[ruleset].profiles) > 1
    house = book.name_house(page, preset) if has_houses else ""
    title = " · ".join(text for text in (labels.ruleset(ruleset), house) if text)
    return compute(to_png, drawings.draw_poster(title, rows))


def _letters_of(entry: RulebookEntry) -> str:
    """Return the cards of a yaku; of alternative example hands the first."""
    is_one = any(group.label for group in entry.groups)
    return "".join(group.letters for group in (entry.groups if is_one else entry.groups[:1]))


@_picture(of_release, LANG | {"ruleset": last_of(str)})
def page_preview(request: HttpRequest, name: str) -> bytes:
    """Return the description of a kind of page. Raise Http404 for an unknown kind.

    ``ruleset`` chooses the ruleset of a page about one.
    """
    ruleset = request.GET.get("ruleset", "")
    if name not in DESCRIPTIONS or (ruleset and ruleset not in RULESETS):
        raise Http404
    return compute(to_png, drawings.draw_sentence(describe(name, ruleset)))
