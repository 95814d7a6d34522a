"""The learn pages: the start page, and the lessons."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from msgspec import Meta

from kafu import cards
from kafu.facade.errors import Error
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.game.page import what_if_data
from records.pages.learn import lessons
from records.pages.learn.lessons import LESSONS
from records.pages.learn.month import MOST_ACTIONS, play_month
from records.pages.rulebook.book import address_of
from records.serving.cached_responses import cached_page
from records.serving.computing import compute
from records.serving.limits import expensive, step
from records.serving.senders import sender_of
from records.shapes.shape import Shape
from records.states import of_release
from records.wording.cards import KINDS, card_data, card_views
from records.wording.readings import read_romaji


class MonthMoves(Shape):
    """The body of a request for a first month: the seed of the deal, and all actions so far."""

    ruleset: str
    seed: int
    actions: Annotated[list[Annotated[str, Meta(max_length=20)]], Meta(max_length=MOST_ACTIONS)]


@cached_page(of_release)
def learn(request: HttpRequest) -> HttpResponse:
    """Show the ways to learn: lessons, rules, posters, cards and words."""
    shown = [
        (
            reverse("lesson", args=[ruleset]),
            labels.ruleset_brief(ruleset),
            list(lesson.screens.values()),
        )
        for ruleset, lesson in LESSONS.items()
    ]
    books = [
        {
            "name": labels.ruleset_brief(ruleset),
            "rules": address_of(ruleset),
            "poster": address_of(ruleset, name="poster"),
        }
        for ruleset in RULESETS
    ]
    return render(request, "records/learn.html", {"lessons": shown, "books": books})


@cached_page(of_release)
def lesson(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show a lesson: all screens, of which the module of the page shows one at a time."""
    content = LESSONS.get(ruleset)
    if content is None:
        raise Http404
    profile = content.options.get("profile", "")
    house_rules = {**RULESETS[ruleset].defaults(profile), **content.options}
    editor = f"{reverse(content.record)}?{urlencode({'ruleset': ruleset})}"
    return render(
        request,
        "records/lesson.html",
        {
            "ruleset": ruleset,
            "name": labels.ruleset_brief(ruleset),
            "screens": [
                (id, f"records/learn/{id}.html", str(title))
                for id, title in content.screens.items()
            ],
            "months": _list_months(),
            "kinds": [
                (KINDS[kind], labels.kinds(kind), sum(card.kind is kind for card in cards.PACK))
                for kind in cards.Kind
            ],
            **{
                screen: {
                    place: card_views(letters) for place, letters in practice._asdict().items()
                }
                for screen, practice in content.practices.items()
            },
            **lessons.list_quizzes(ruleset, content),
            "yaku": lessons.list_yaku(ruleset, content.options, content.yaku),
            "choice": content.choice,
            "ledger": lessons.make_ledger(ruleset, content),
            "rules": address_of(ruleset, profile),
            "situations": list(lessons.list_situations(ruleset, content)),
            "called_twice": house_rules.get("koikoigaeshi") == "yes",
            "poster": address_of(ruleset, profile, "poster"),
            "editor": editor,
            "data": _lesson_data(ruleset),
        },
    )


def _list_months() -> list[dict[str, Any]]:
    """Return the months with the name of the plant, its reading and the four cards."""
    is_japanese = labels.lang() == "ja"
    return [
        {
            "month": labels.month(plant.month) if is_japanese else plant.month,
            "plant": plant.ja if is_japanese else plant.en.capitalize(),
            "reading": read_romaji(plant.romaji) if is_japanese else plant.ja,
            "cards": card_views(
                "".join(card.letter for card in cards.PACK if card.month == plant.month)
            ),
        }
        for plant in cards.PLANTS
    ]


def _lesson_data(ruleset: str) -> dict[str, Any]:
    """Return the data of the lesson's modules."""
    base = what_if_data(ruleset)
    texts = {
        "card": _("%(card)s · %(month)s, %(kind)s"),
        "whole": _("All four cards of %(month)s"),
        "captured": _("%(card)s captures %(taken)s."),
        "choose": _("Two cards match: tap the one that you want."),
        "stays": _("No card matches: %(card)s stays on the field."),
        "turnPile": _("Now tap the draw pile."),
        "playHand": _("Tap a card of your hand."),
        "done": _("Well done! Go on with the next screen."),
        "made": _("made!"),
        "faceDown": _("a face-down card"),
    }
    return {
        **card_data(),
        **base,
        "words": base["words"] | texts,
        "readings": _read_cards(),
        "kindNames": {KINDS[kind]: labels.kind(kind) for kind in cards.Kind},
        "rulesets": [
            {
                "id": ruleset,
                "dealer": base["dealer"],
                "units": labels.units(ruleset),
                "finalUnit": base["finalUnit"],
            }
        ],
        "ruleset": ruleset,
        "seeds": LESSONS[ruleset].seeds,
    }


def _read_cards() -> dict[str, str]:
    """Return the hiragana of the cards' names by letter; empty for English, whose names have it."""
    if labels.lang() != "ja":
        return {}
    return {card.letter: read_romaji(card.romaji) for card in cards.PACK}


@csrf_exempt  # nothing is stored, and the response depends on the body only
@require_POST
def month(request: HttpRequest) -> HttpResponse:
    """Return the table of a first month after the actions of the body, as JSON.

    Respond with 400 and a ``detail`` to a body that is no month of a lesson.
    """
    limit = step("positions", sender_of(request))
    if limit.too_fast:
        return _refuse(429, _("Too many requests: try again in a moment."))
    try:
        moves = msgspec.json.decode(request.body, type=MonthMoves)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return _refuse(400, _("Expected JSON with a ruleset, a seed and a list of actions."))
    content = LESSONS.get(moves.ruleset)
    if content is None or moves.seed not in content.seeds:
        return _refuse(400, _("No lesson has such a month."))
    with expensive(request, "positions"):
        try:
            table = compute(
                play_month, moves.ruleset, dict(content.options), moves.seed, moves.actions
            )
        except Error:
            return _refuse(400, _("An action is not possible in this month."))
    return JsonResponse(table)


def _refuse(status: int, detail: str) -> HttpResponse:
    return JsonResponse({"detail": detail}, status=status)
