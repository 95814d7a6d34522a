"""The analysis of a game: table of choices, curve of chances, and the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, floor, log10
from typing import Any, Final, NamedTuple

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from kafu.analysis.choices import SILENT
from kafu.analysis.report import CLEAR, PARTS
from kafu.analysis.search import margin
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Record
from records.pages.game.page import game_preview, record_of
from records.pages.parameters import RESULTS
from records.services import analyses
from records.services.analyses import Crowded, NoCards, Stage
from records.serving.cached_responses import cached_page
from records.serving.limits import step
from records.serving.senders import origin_of, sender_of
from records.states import of_record

#: Units of the square.
SIDE: Final = 1000
#: Width in steps of a deal without measurements.
_UNMEASURED: Final = 16
#: Approximate number of lines of the scale.
_TICKS: Final = 4
#: Minimum width in units of a month with a number, on a phone.
_MONTH: Final = 35
#: Seconds until the next attempt of an account with too many waiting games.
_RETRY_SECONDS: Final = 60


class MeasureView(NamedTuple):
    """A measured sum as text, ``+2.3``, and its standard error, ``0.6``, or ""."""

    value: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class MistakeView:
    """A costly choice.

    ``at`` is the step in the form of addresses, ``place`` in words. ``played`` and ``better`` are
    actions in words. ``by`` is the difference in the result, ``chance`` the difference in the
    chance to win the game. ``text`` has everything in one line.
    """

    at: str
    place: str
    seat: int
    player: str
    played: str
    better: str
    by: MeasureView
    chance: MeasureView
    text: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's choices and the parts of the result.

    ``parts`` are in the order of `kafu.analysis.report.PARTS`. ``luck`` has the luck of the deal
    and of the draw pile.
    """

    name: str
    analysed: int
    forced: int
    costly: int
    average: MeasureView
    luck: Sequence[MeasureView]
    parts: Sequence[MeasureView]
    result: str


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """An analysis.

    ``measured`` of ``deals`` deals have all cards, and ``unknown`` choices could not be analysed.
    ``is_margin`` means that sums are differences to the opponent.
    """

    players: list[PlayerView]
    mistakes: list[MistakeView]
    unit: str
    measured: int
    deals: int
    unknown: int
    is_margin: bool


def view_of(record: Record, report: Mapping[str, Any]) -> AnalysisView:
    """Return a report (`kafu.analysis.report`) in the language of the request."""
    names = labels.people(record.players)
    description = RULESETS[record.ruleset]
    months = [deal["month"] for deal in record.verdict["deals"]]
    return AnalysisView(
        players=[_player(name, seat) for name, seat in zip(names, report["seats"], strict=True)],
        mistakes=[
            _mistake(choice, names, months) for choice in report["choices"] if choice["costly"]
        ],
        unit=_("mon") if description.mon else _("points"),
        measured=sum(deal["parts"] is not None for deal in report["deals"]),
        deals=len(report["deals"]),
        unknown=sum(bool(choice["reason"]) for choice in report["choices"]),
        is_margin=any(sum(deal["score"] or ()) for deal in record.verdict["deals"]),
    )


def figure(value: float, *, signed: bool = True) -> str:
    """Return a sum with one decimal: ``+2.3``, ``−0.4``, ``0.0``."""
    text = f"{value:+.1f}" if signed else f"{value:.1f}"
    return "0.0" if float(text) == 0 else text.replace("-", "−")


def move_words(move: str, kind: str) -> str:
    """Return an action of Kafu in words: ``AxBC`` is a card that captures others."""
    if move == SILENT:
        return _("looking at the hand first") if kind == "bid" else _("saying nothing")
    if kind == "bid":
        words = {"in": _("going in"), "out": _("going out"), "blind": _("going in blind")}
        return words[move]
    if kind == "show":
        return _("declaring %(yaku)s") % {"yaku": labels.yaku(move.partition(" ")[0])}
    if kind not in ("hand", "stock"):
        return labels.decision(move)
    card, _x, take = move.partition("x")
    names = {"card": labels.brief(card), "take": labels.brief(take)}
    return _("%(card)s, which captures %(take)s") % names if take else names["card"]


def _measure(measured: Mapping[str, float]) -> MeasureView:
    return MeasureView(figure(measured["value"]), figure(measured["error"], signed=False))


def _percent(measured: Mapping[str, float]) -> MeasureView:
    """Return a difference of chances in percent."""
    value, error = (100 * measured[name] for name in ("value", "error"))
    return MeasureView(figure(value), figure(error, signed=False))


def _player(name: str, seat: Mapping[str, Any]) -> PlayerView:
    count = seat["analysed"]
    average = MeasureView("–")
    if count:
        loss, error = seat["loss"] / count, seat["error"] / count
        average = MeasureView(f"{loss:.2f}", f"{error:.2f}")
    parts = seat["parts"]
    return PlayerView(
        name=name,
        analysed=count,
        forced=seat["forced"],
        costly=seat["costly"],
        average=average,
        luck=[_measure(parts[part]) for part in ("deal", "stock")],
        parts=[_measure(parts[part]) for part in PARTS],
        result=f"{seat['result']:+d}".replace("-", "−") if seat["result"] else "0",
    )


def _mistake(choice: Mapping[str, Any], names: Sequence[str], months: Sequence[int]) -> MistakeView:
    played, rival = (move_words(choice[move], choice["kind"]) for move in ("played", "rival"))
    by = _measure({"value": choice["better"], "error": choice["error"]})
    chance = _percent(choice["chance"])
    words = {
        **{"played": played, "better": rival, "by": by.value, "error": by.error},
        **{"chance": chance.value, "chance_error": chance.error},
    }
    number = choice["deal"]
    text = _(
        "%(better)s instead of %(played)s: %(by)s ± %(error)s, chance to win the game "
        "%(chance)s ± %(chance_error)s%%"
    )
    player = names[choice["seat"] - 1]
    # A step without a declaration belongs to another seat.
    who = f"{player}: " if choice["played"] == SILENT else ""
    return MistakeView(
        at=f"{number}.{choice['step']}",
        place=_place(labels.deal_month(number, months), choice["turn"], choice["kind"]),
        seat=choice["seat"],
        player=player,
        played=played,
        better=rival,
        by=by,
        chance=chance,
        text=who + text % words,
    )


def _place(month: str, turn: int, kind: str) -> str:
    if not turn and kind in ("bid", "show"):
        words = _("%(month)s, bids") if kind == "bid" else _("%(month)s, dealt hands")
        return words % {"month": month}
    return _("%(month)s, turn %(turn)d") % {"month": month, "turn": turn}


class CurveLineView(NamedTuple):
    """The curve of a seat: points of the line, and of the band of two standard errors around it."""

    seat: int
    name: str
    points: str
    band: str


class TickView(NamedTuple):
    """A line of the scale: its height in units and in percent from the top, and its value."""

    y: int
    percent: str
    text: str
    is_zero: bool


class MonthView(NamedTuple):
    """A deal: start and width in units, middle in percent, step, short and full name."""

    x: int
    width: int
    percent: str
    at: str
    text: str
    title: str


class DotView(NamedTuple):
    """A costly choice on the curve, in percent."""

    x: str
    y: str
    at: str
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class CurveView:
    """All curves of a game. With two seats only the first is drawn, as the second mirrors it."""

    lines: list[CurveLineView]
    ticks: list[TickView]
    months: list[MonthView]
    dots: list[DotView]


class _Point(NamedTuple):
    """The expected final result of a seat after a step. ``at`` counts the steps of the game."""

    at: int
    value: float
    error: float


def curve_of(
    record: Record, report: Mapping[str, Any], mistakes: Sequence[MistakeView]
) -> CurveView | None:
    """Return the curves of a report (`kafu.analysis.report`), None without measured deals."""
    names = labels.people(record.players)
    deals = report["deals"]
    if not any(deal["course"] for deal in deals):
        return None
    lengths = [_length(deal) for deal in deals]
    starts = [0, *accumulate(lengths)]
    seats = range(1, len(names) + 1) if len(names) > 2 else (1,)
    points = {seat: list(_points(record, deals, starts, seat)) for seat in seats}
    every = [point for line in points.values() for point in line]
    low = min(0.0, *(point.value - CLEAR * point.error for point in every))
    high = max(1.0, *(point.value + CLEAR * point.error for point in every))
    scale = _Scale(starts[-1], low, high)
    return CurveView(
        [_line(seat, names[seat - 1], line, scale) for seat, line in points.items()],
        [scale.tick(value) for value in _ticks(low, high)],
        [_month(record, i, starts, scale) for i in range(len(deals))],
        [_dot(mistake, points.get(mistake.seat, points[1]), starts, scale) for mistake in mistakes],
    )


def _length(deal: Mapping[str, Any]) -> int:
    return deal["course"][-1]["step"] + 1 if deal["course"] else _UNMEASURED


def _points(
    record: Record, deals: Sequence[Mapping[str, Any]], starts: Sequence[int], seat: int
) -> Iterator[_Point]:
    """Yield the points of a seat: its score before each deal plus the expectation of the deal."""
    before = 0
    scores = [deal["score"] for deal in record.verdict["deals"]]
    for number, (deal, start) in enumerate(zip(deals, starts, strict=False)):
        for measured in deal["course"]:
            value = before + measured["value"][seat - 1]
            yield _Point(start + measured["step"], value, measured["error"][seat - 1])
        if number < len(scores) and scores[number]:
            before += margin(scores[number], seat)


class _Scale:
    """The coordinates of steps and sums in the square."""

    def __init__(self, steps: int, low: float, high: float) -> None:
        self.steps, self.low, self.high = max(steps, 1), low, high

    def x(self, at: int) -> float:
        return SIDE * at / self.steps

    def y(self, value: float) -> float:
        return SIDE * (self.high - value) / (self.high - self.low)

    def tick(self, value: int) -> TickView:
        y = self.y(value)
        return TickView(round(y), _format_percent(y), f"{value}".replace("-", "−"), value == 0)


def _line(seat: int, name: str, points: Sequence[_Point], scale: _Scale) -> CurveLineView:
    def path(by: float) -> list[str]:
        return [
            f"{scale.x(point.at):.0f},{scale.y(point.value + by * point.error):.0f}"
            for point in points
        ]

    band = [*path(CLEAR), *reversed(path(-CLEAR))]
    return CurveLineView(seat, name, " ".join(path(0)), " ".join(band))


def _month(record: Record, i: int, starts: Sequence[int], scale: _Scale) -> MonthView:
    deals = record.verdict["deals"]
    month = deals[i]["month"] if i < len(deals) else i + 1
    x, end = round(scale.x(starts[i])), round(scale.x(starts[i + 1]))
    middle = _format_percent((x + end) / 2)
    text = f"{month}" if end - x >= _MONTH else ""
    return MonthView(x, end - x, middle, f"{i + 1}.0", text, labels.month(month))


def _dot(
    mistake: MistakeView, line: Sequence[_Point], starts: Sequence[int], scale: _Scale
) -> DotView:
    deal, step = map(int, mistake.at.split("."))
    at = starts[deal - 1] + step
    earlier = [point for point in line if point.at <= at] or line[:1]
    y = _format_percent(scale.y(earlier[-1].value))
    text = f"{mistake.place}: {mistake.text}"
    return DotView(_format_percent(scale.x(at)), y, mistake.at, mistake.seat, text)


def _format_percent(units: float) -> str:
    return f"{100 * units / SIDE:.2f}%"


def _ticks(low: float, high: float) -> Iterator[int]:
    """Yield round sums between the ends of a scale."""
    rough = max((high - low) / _TICKS, 1)
    power = 10 ** floor(log10(rough))
    size = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    yield from range(ceil(low / size) * size, floor(high / size) * size + 1, size)


def of_analysis(request: HttpRequest, key: str) -> tuple[object, ...] | None:
    """Return the state of a game's analysis page: the game's state and the time of the analysis."""
    state = of_record(request, key)
    return None if state is None else (*state, analyses.made_at(key))


@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: HttpRequest, key: str) -> HttpResponse:
    """Show the analysis of a game, or request it by POST, which needs an account.

    Raise Http404 for a game without cards.
    """
    return _request(request, key) if request.method == "POST" else _show(request, key=key)


@cached_page(of_analysis, parameters=RESULTS)
def _show(request: HttpRequest, key: str) -> HttpResponse:
    record = record_of(request, key)
    return _page(request, record, _stage(record))


def _request(request: HttpRequest, key: str) -> HttpResponse:
    record = record_of(request, key)
    stage = _stage(record)
    address = reverse("analysis", args=[record.key])
    if not request.user.is_authenticated:
        return redirect_to_login(address)
    limit = step("analysis", sender_of(request))
    if limit.too_fast:
        words = _("Too many requests for analyses: try again in %(seconds)d seconds.")
        return _refuse(request, record, stage, words % {"seconds": limit.left}, 429, limit.left)
    try:
        analyses.request(record, account=request.user.pk, origin=origin_of(request))
    except Crowded as error:
        return _refuse(request, record, stage, error.words(), 429, _RETRY_SECONDS)
    return HttpResponseRedirect(address)


def _stage(record: Record) -> Stage:
    try:
        return analyses.progress_of(record)
    except NoCards as error:
        raise Http404 from error


def _refuse(
    request: HttpRequest, record: Record, stage: Stage, words: str, status: int, wait: int
) -> HttpResponse:
    response = _page(request, record, stage, error=words, status=status)
    response.headers["Retry-After"] = str(wait)
    return response


def _page(
    request: HttpRequest, record: Record, stage: Stage, *, error: str = "", status: int = 200
) -> HttpResponse:
    view = view_of(record, stage.analysis.found) if stage.analysis else None
    context = {
        "record": record,
        "preview": game_preview(record, url=request.path),
        "title": " – ".join(labels.people(record.players)),
        "stage": stage,
        "view": view,
        "curve": curve_of(record, stage.analysis.found, view.mistakes)
        if stage.analysis and view
        else None,
        "error": error,
    }
    return render(request, "records/analysis.html", context, status=status)
