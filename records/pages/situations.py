"""The page of games with the same situation as at a step of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from kafu import cards
from kafu.comparing.situations import Aspect, Compared, Meaning
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.explorer.asking import ChoiceMade, Explored, ask, compared_of, window
from records.explorer.following import is_complete
from records.explorer.parts import Found
from records.models import Listing
from records.pages.caching import cached_page, of_record_and_archive
from records.pages.card_views import CardView, card_views
from records.pages.game.frame import position
from records.pages.game.page import record_of
from records.pages.game.payments import amount
from records.search.games import these
from records.search.selection import AFTER, BEFORE, cursor, read_cursor
from records.statistics.intervals import Estimate

#: Games on a page.
PAGE: Final = 20


class ChosenView(NamedTuple):
    """A choice as a row: the cards or words of it, and its figures as texts."""

    cards: list[CardView]
    words: str
    is_own: bool
    cases: int
    share: str
    share_between: str
    score: str
    score_between: str


class SituationPlaceView(NamedTuple):
    """A game with the situation: where, who played, what was chosen, the score as text."""

    key: str
    at: str
    title: str
    is_own: bool
    chosen: ChosenView
    score: str


class StepView(NamedTuple):
    """A step that is compared: where, and a name of it."""

    at: str
    name: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class ComparedDealView:
    """The steps of a deal that are compared."""

    number: int
    steps: list[StepView]


@cached_page(of_record_and_archive, group="situations")
def situations(request: HttpRequest, key: str) -> HttpResponse:
    """Games with the situation at the step ``at``, what was chosen there and what came of it; and
    the steps of the game that are compared. Raises Http404 for a game without a replay.
    """
    record = record_of(request, key)
    rows = compared_of(record.text)
    if not rows:
        raise Http404
    at = position(request.GET.get("at", ""))
    here = next((one for one in rows if at and _at(one) == str(at)), None)
    players = labels.people(record.players)
    context = {
        "record": record,
        "title": " – ".join(players),
        "deals": list(_deals(rows, players, here)),
        "at": str(at or ""),
        "is_complete": is_complete(),
        "unit": _("mon") if RULESETS[record.ruleset].mon else _("points"),
    }
    if here is not None:
        context |= _answered(request, record.pk, record.ruleset, ask(here), players)
    return render(request, "records/situations.html", context)


def _at(one: Compared) -> str:
    return f"{one.situation.deal}.{one.situation.step}"


def _deals(
    rows: Sequence[Compared], players: Sequence[str], here: Compared | None
) -> Iterator[ComparedDealView]:
    for number in dict.fromkeys(one.situation.deal for one in rows):
        of_deal = [one for one in rows if one.situation.deal == number]
        steps = [
            StepView(_at(one), f"{_named(one)}: {players[one.situation.seat - 1]}", one is here)
            for one in of_deal
        ]
        yield ComparedDealView(number, steps)


def _named(one: Compared) -> str:
    match one.situation.kind:
        case Aspect.FIELD:
            return _("first card")
        case Aspect.CAPTURED:
            return _("later card") if len(one.captured) > 1 else _("first card")
    return _("decision")


def _answered(
    request: HttpRequest, pk: int, ruleset: str, answer: Explored, players: Sequence[str]
) -> dict[str, object]:
    one = answer.compared
    rows = {choice.number: _row(choice, answer, ruleset) for choice in answer.choices}
    way, mark = _mark(request)
    places, before, behind = window(answer.places, PAGE, way, mark)
    query = request.GET.copy()
    for name in ("before", "after", "results"):
        query.pop(name, None)
    return {
        "here": one,
        "aspect": one.situation.kind.name.lower(),
        "seat": players[one.situation.seat - 1],
        "field": card_views(cards.letters(one.field)),
        "captured": [
            (players[(one.situation.seat - 1 + i) % len(players)], card_views(cards.letters(taken)))
            for i, taken in enumerate(one.captured)
            if taken or len(one.captured) <= 3
        ],
        "yaku": [labels.yaku(id) for id in one.yaku],
        "answer": answer,
        "choices": list(rows.values()),
        "places": _places(places, rows, pk, ruleset),
        "page": {
            "before": cursor(places[0].order, BEFORE) if before else "",
            "after": cursor(places[-1].order, AFTER) if behind else "",
        },
        "query": query,
    }


def _mark(request: HttpRequest) -> tuple[str, Sequence[int]]:
    """The place that the request names, and whether its page is before or behind it; none for one
    that no page has named.
    """
    written = request.GET.get("after") or request.GET.get("before") or ""
    try:
        return read_cursor(written, 3)
    except ValueError:
        return AFTER, ()


def _row(choice: ChoiceMade, answer: Explored, ruleset: str) -> ChosenView:
    return ChosenView(
        card_views(cards.letters(choice.means.card) + cards.letters(choice.means.take)),
        _words(choice.means),
        choice.number == answer.chosen,
        choice.cases,
        f"{100 * (choice.share.value or 0):.0f} %",
        _between(choice.share, 100, 0),
        _figure(choice.score.value or 0),
        _between(choice.score, 1, 1),
    )


def _words(means: Meaning) -> str:
    if means.word:
        return labels.decision(means.word)
    if means.take:
        names = {
            "card": labels.brief(cards.letters(means.card)),
            "take": labels.brief(cards.letters(means.take)),
        }
        return _("%(card)s, which captures %(take)s") % names
    return labels.brief(cards.letters(means.card))


def _figure(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")


def _between(estimate: Estimate, times: int, digits: int) -> str:
    """The interval of an estimate as text; empty where it has none."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = (f"{times * one:.{digits}f}" for one in (estimate.low, estimate.high))
    return f"{low}…{high}".replace("-", "−")


def _places(
    places: Sequence[Found], rows: dict[int, ChosenView], pk: int, ruleset: str
) -> list[SituationPlaceView]:
    listings = Listing.objects.in_bulk({one.game for one in places})
    games = {game.pk: game for game in these(list(listings.values()))}
    units = labels.units(ruleset)
    return [
        SituationPlaceView(
            games[one.game].key,
            f"{one.deal}.{one.step}",
            " – ".join(labels.people(games[one.game].players)),
            one.game == pk,
            rows[one.choice],
            amount(one.score, units=units),
        )
        for one in places
        if one.game in games
    ]
