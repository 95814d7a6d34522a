"""The page of the pack: each card with names, and values in each ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from kafu import cards
from kafu.judging.progress import Goal, card_points, goals
from kafu.rules.names import YAKU
from kafu.rules.rulesets import RULESETS, machine_of
from records.base import labels
from records.pages.rulebook.book import address_of
from records.serving.cached_responses import cached_page
from records.states import of_release
from records.wording.cards import KINDS, CardView, card_views

#: Marks that a reader may choose to see on every card (``?marks=months,kinds``).
MARKS: Final = ("months", "kinds")


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a card in a ruleset.

    ``points`` is a text, empty if points are not counted. ``yaku`` are (address of the rule page,
    label).
    """

    rules: str
    href: str
    points: str
    yaku: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card with its names, the name of the kind and the worth by ruleset."""

    card: CardView
    known: cards.Card
    kind: str
    worth: list[Worth]


@dataclass(frozen=True, slots=True)
class RulesetValues:
    """The values of cards in a ruleset, in the house of its document."""

    rules: str
    goals: list[Goal]
    points: dict[str, int] | None

    def worth(self, letter: str) -> Worth:
        """Return the value of a card in the ruleset."""
        href = address_of(self.rules)
        points = self.points[letter] if self.points else None
        return Worth(
            labels.ruleset_brief(self.rules),
            href,
            "" if points is None else ngettext("%d point", "%d points", points) % points,
            [
                (f"{href}#{goal.id}", YAKU[goal.id].ja if _japanese() else YAKU[goal.id].romaji)
                for goal in self.goals
                if letter in goal.cards
            ],
        )


@cached_page(of_release)
def cards_page(request: HttpRequest) -> HttpResponse:
    """Show the 48 cards by month. The query chooses marks and the colour of the back."""
    marks = {mark for word in request.GET.getlist("marks") for mark in word.split(",")}
    columns = list(_ruleset_values())
    return render(
        request,
        "records/cards.html",
        {
            "marks": [mark for mark in MARKS if mark in marks],
            "black": request.GET.get("back") == "black",
            "legend": [
                (KINDS[kind], labels.kind(kind), sum(card.kind is kind for card in cards.PACK))
                for kind in cards.Kind
            ],
            "months": [
                (
                    plant,
                    labels.month(plant.month),
                    [_show_card(card, columns) for card in _cards_of(plant)],
                )
                for plant in cards.PLANTS
            ],
        },
    )


def _cards_of(plant: cards.Plant) -> list[cards.Card]:
    return [card for card in cards.PACK if card.month == plant.month]


def _ruleset_values() -> Iterator[RulesetValues]:
    for id, rules in RULESETS.items():
        machine = machine_of(id, {}, rules.seats[0])
        yield RulesetValues(id, goals(machine.captured_yaku), card_points(id))


def _show_card(card: cards.Card, columns: list[RulesetValues]) -> ShownCard:
    return ShownCard(
        card=card_views(card.letter)[0],
        known=card,
        kind=labels.kind(card.kind),
        worth=[column.worth(card.letter) for column in columns],
    )


def _japanese() -> bool:
    return labels.lang() == "ja"
