"""The page of games with the same situation as at a step of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kafu import cards
from kafu.comparing.situations import Aspect, Compared, Decisive, Match, Meaning
from records.base import figures, labels
from records.models import Listing
from records.pages.game.page import game_preview, record_of
from records.pages.parameters import AT, RESULTS
from records.search.games import find_months, records_of
from records.search.selection import AFTER, BEFORE, cursor, read_cursor
from records.serving.cached_responses import cached_page
from records.serving.parameters import last_of, one_of
from records.states import of_record_and_ruleset
from records.statistics.columns import unit
from records.statistics.intervals import LEAST_OF_SHARE, Estimate
from records.statistics.situations import (
    ChoiceMade,
    Place,
    SituationQuery,
    compare_text,
    is_complete,
    query_situation,
)
from records.wording.cards import CardView, card_views
from records.wording.steps import amount, parse_position, place_words

#: Games on a page.
PAGE: Final = 20


def _read_cursor(text: str) -> str:
    """Return a cursor in canonical form, "" for an invalid cursor."""
    try:
        direction, place = read_cursor(text, 3)
    except ValueError:
        return ""
    return cursor(place, direction)


_PARAMETERS: Final = (
    AT
    | {"match": one_of(list(Match))}
    | dict.fromkeys(("before", "after"), last_of(_read_cursor))
    | RESULTS
)


class ChosenView(NamedTuple):
    """A row of the table of choices: cards or word, and figures as texts.

    A situation of few cases has no shares.
    """

    cards: list[CardView]
    words: str
    is_own: bool
    cases: int
    share: str
    share_between: str
    margin: str
    margin_between: str
    score: str


class SituationPlaceView(NamedTuple):
    """A game with the situation: key, step, players, choice, and the margin as text.

    ``place`` is the step in words.
    """

    key: str
    at: str
    place: str
    title: str
    is_own: bool
    chosen: ChosenView
    margin: str


class StepView(NamedTuple):
    """A comparable step: address and name."""

    at: str
    name: str
    is_here: bool


class PartView(NamedTuple):
    """A part of a decision in words. ``is_fixed``: the part is the same in all cases."""

    name: str
    value: str
    is_fixed: bool


class MatchView(NamedTuple):
    """A link to cases in which more or fewer parts are the same."""

    match: str
    name: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class ComparedDealView:
    """The month of a deal in words, and its comparable steps."""

    month: str
    steps: list[StepView]


@cached_page(of_record_and_ruleset, parameters=_PARAMETERS, group="situations")
def situations(request: HttpRequest, key: str) -> HttpResponse:
    """Show the games with the situation at the step ``at``: the choices and their results.

    Without ``at``, show the comparable steps of the game. Raise Http404 for a game without a
    replay.
    """
    record = record_of(request, key)
    rows = compare_text(record.text)
    if not rows:
        raise Http404
    at = parse_position(request.GET.get("at", ""))
    here = next((row for row in rows if at and _address(row) == str(at)), None)
    players = labels.people(record.players)
    months = [deal["month"] for deal in record.verdict["deals"]]
    context = {
        "record": record,
        "preview": game_preview(record, url=request.path),
        "title": " – ".join(players),
        "deals": list(_deals(rows, players, months, here)),
        "at": str(at or ""),
        "is_complete": is_complete(record.ruleset),
        "unit": unit(record.ruleset).large,
    }
    if here is not None:
        match = Match(request.GET.get("match", Match.EXACT))
        query = query_situation(here, record.ruleset, match)
        context |= _compared_context(request, record.pk, query, players)
    return render(request, "records/situations.html", context)


def _address(compared: Compared) -> str:
    return f"{compared.situation.deal}.{compared.situation.step}"


def _deals(
    rows: Sequence[Compared],
    players: Sequence[str],
    months: Sequence[int],
    here: Compared | None,
) -> Iterator[ComparedDealView]:
    for number in dict.fromkeys(row.situation.deal for row in rows):
        of_deal = [row for row in rows if row.situation.deal == number]
        steps = [
            StepView(
                _address(row),
                f"{_aspect_name(row)}: {players[row.situation.seat - 1]}",
                row is here,
            )
            for row in of_deal
        ]
        yield ComparedDealView(labels.deal_month(number, months), steps)


def _aspect_name(compared: Compared) -> str:
    match compared.situation.kind:
        case Aspect.FIELD:
            return _("first card")
        case Aspect.CAPTURED:
            return _("later card") if len(compared.captured) > 1 else _("first card")
    return _("decision")


def _compared_context(
    request: HttpRequest, pk: int, query: SituationQuery, players: Sequence[str]
) -> dict[str, object]:
    compared = query.compared
    seat = compared.situation.seat
    counts = query.count()
    rows = {
        choice.number: _row(
            choice,
            compared.situation.choice,
            size=unit(query.ruleset).size,
            has_shares=counts.cases >= LEAST_OF_SHARE,
        )
        for choice in counts.choices
    }
    page = query.list_places(PAGE, *_read_place(request))
    parameters = request.GET.copy()
    for name in ("before", "after", "results"):
        parameters.pop(name, None)
    return {
        "aspect": compared.situation.kind.name.lower(),
        "here": compared,
        "seat": players[seat - 1],
        "field": card_views(cards.letters(compared.field)),
        "captured": [
            (players[(seat - 1 + i) % len(players)], card_views(cards.letters(captured)))
            for i, captured in enumerate(compared.captured)
            if captured or len(compared.captured) <= 3
        ],
        "parts": list(_parts(query, compared.decisive)) if compared.decisive else [],
        "matches": [
            MatchView(match, name, match == query.match) for match, name in _match_names().items()
        ],
        "counts": counts,
        "choices": list(rows.values()),
        "own_points": any(choice.margin != choice.score for choice in counts.choices),
        "places": _places(page.places, rows, pk, query.ruleset),
        "page": {
            "before": cursor(page.places[0].order, BEFORE) if page.before else "",
            "after": cursor(page.places[-1].order, AFTER) if page.behind else "",
        },
        "as_of": query.as_of,
        "query": parameters,
    }


def _match_names() -> dict[Match, str]:
    return {
        Match.EXACT: _("all of it"),
        Match.VALUE: _("yaku and what stopping brings"),
        Match.YAKU: _("yaku alone"),
    }


def _parts(query: SituationQuery, decisive: Decisive) -> Iterator[PartView]:
    """Yield the parts of a decision in the ruleset, in words."""
    values = {
        "yaku": (_("Yaku"), labels.listed(map(labels.yaku, decisive.yaku))),
        "stop": (
            _("Stopping brings"),
            amount(decisive.stop, units=labels.units(query.ruleset)),
        ),
        "left": (_("Cards in hand"), str(decisive.left)),
        "calls": (
            _("Went on before in this month"),
            _("this player %(own)d, others %(others)d")
            % dict(zip(("own", "others"), decisive.calls, strict=True)),
        ),
    }
    if decisive.grade is not None:
        values["grade"] = _("Field grade"), labels.grade(decisive.grade)
        values["carried"] = _("Carried over"), labels.bound(decisive.carried or "none")
    elif decisive.carried is not None:
        values["carried"] = _("Carried over"), _("the month is played over")
    values["threat"] = _("An opponent is nearest to"), _threat_words(decisive)
    for part, (name, value) in values.items():
        yield PartView(name, value, part in query.fixed)


def _threat_words(decisive: Decisive) -> str:
    threat = decisive.threat
    if threat is None:
        return _("no yaku within two cards")
    return ngettext(
        "%(yaku)s (lacks %(n)d card)", "%(yaku)s (lacks %(n)d cards)", threat.lacking
    ) % {"yaku": labels.yaku(threat.yaku), "n": threat.lacking}


def _read_place(request: HttpRequest) -> tuple[str, Sequence[int]]:
    """Return the direction and place of the requested page; no place for the first page."""
    written = request.GET.get("after") or request.GET.get("before")
    return read_cursor(written, 3) if written else (AFTER, ())


def _row(choice: ChoiceMade, own_choice: int, *, size: int, has_shares: bool) -> ChosenView:
    return ChosenView(
        card_views(cards.letters(choice.means.card) + cards.letters(choice.means.take)),
        _words(choice.means),
        choice.number == own_choice,
        choice.cases,
        f"{100 * (choice.share.value or 0):.0f} %" if has_shares else "",
        _interval(choice.share, lambda bound: f"{100 * bound:.0f}") if has_shares else "",
        figures.mean(choice.margin.value or 0, size),
        _interval(choice.margin, lambda bound: figures.mean(bound, size)),
        figures.mean(choice.score.value or 0, size),
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


def _interval(estimate: Estimate, write: Callable[[float], str]) -> str:
    """Return the interval of an estimate as text; "" without an interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{write(estimate.low)}…{write(estimate.high)}"


def _places(
    places: Sequence[Place], rows: dict[int, ChosenView], pk: int, ruleset: str
) -> list[SituationPlaceView]:
    listings = Listing.objects.in_bulk({place.game for place in places})
    games = {game.pk: game for game in records_of(list(listings.values()))}
    months = find_months(games)
    units = labels.units(ruleset)
    return [
        SituationPlaceView(
            games[place.game].key,
            at := f"{place.deal}.{place.step}",
            place_words(at, months[place.game]),
            " – ".join(labels.people(games[place.game].players)),
            place.game == pk,
            rows[place.choice],
            amount(place.margin, units=units),
        )
        for place in places
        if place.game in games
    ]
