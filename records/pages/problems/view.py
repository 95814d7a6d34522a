"""A choice of an analysed game as a problem: the table of its seat, the actions, the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from kafu import cards
from kafu.analysis.choices import BID, HAND, SAY, SHOW, STOCK
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Record
from records.pages.analysis.choices import (
    CandidateView,
    candidates_of,
    card_letters,
    move_words,
    name_steps,
)
from records.services.problems import SeatTable
from records.wording.cards import CardView, card_views
from records.wording.steps import plain_amount, tell

#: Steps of a replay that are words, not cards.
_SPOKEN = ("blind", BID, SHOW, SAY, "call")


class ProblemSeat(NamedTuple):
    """A seat of the table: the name, the sum before the deal, its cards in hand and captured."""

    name: str
    score: str
    hand: list[CardView]
    captured: list[CardView]


class ProblemOption(NamedTuple):
    """An action to choose. ``cards`` are the card and its captures, empty for a word.

    ``mark`` is "best" or "chosen" once the problem is answered, else "".
    """

    move: str
    words: str
    cards: list[CardView]
    mark: str


@dataclass(frozen=True, slots=True)
class ProblemView:
    """A problem.

    ``move`` is the action that the viewer chose, or "". ``is_hand`` is true if the actions are the
    cards of the hand. ``at`` is the step before the choice in the form of addresses. ``facts`` are
    the turn, the house rules, the field grade, and the words of the deal so far.
    """

    record: Record
    at: str
    facts: list[str]
    player: str
    question: str
    other_seats: list[ProblemSeat]
    own_seat: ProblemSeat
    is_hand: bool
    field: list[CardView]
    left: int
    options: list[ProblemOption]
    candidates: list[CandidateView]
    best: str
    best_words: str
    played_words: str
    unit: str
    move: str

    @property
    def is_best(self) -> bool:
        """Whether the viewer chose the best action."""
        return self.move == self.best


def problem_view(
    record: Record, choice: Mapping[str, Any], seen: SeatTable, move: str
) -> ProblemView:
    """Return a choice of a game (`kafu.analysis.report.Choice`) in the language of the request.

    ``record`` is the game as the viewer may see it.
    """
    names = labels.people(record.players)
    kind, number = choice["kind"], choice["seat"]
    candidates = candidates_of(choice, len(choice["options"]))
    best = next(candidate.move for candidate in candidates if candidate.is_best)
    seats = list(_seats(record, names, seen))
    return ProblemView(
        record=record,
        at=name_steps(choice)["before"],
        facts=[fact for fact in _facts(record, names, choice, seen) if fact],
        player=names[number - 1],
        question=_question(kind, names[number - 1], seen),
        other_seats=[seat for i, seat in enumerate(seats, 1) if i != number],
        own_seat=seats[number - 1],
        is_hand=kind == HAND,
        field=card_views(seen.table.field),
        left=seen.table.stock,
        options=[
            ProblemOption(
                option["move"],
                move_words(option["move"], kind),
                card_views(card_letters(option["move"], kind)),
                _mark(option["move"], move, best),
            )
            for option in choice["options"]
        ],
        candidates=candidates,
        best=best,
        best_words=move_words(best, kind),
        played_words=move_words(choice["played"], kind),
        unit=_("mon") if RULESETS[record.ruleset].mon else _("points"),
        move=move,
    )


def _question(kind: str, name: str, seen: SeatTable) -> str:
    values = {"name": name, "card": labels.brief(seen.turned)}
    if kind == HAND:
        return _("%(name)s is to play. Which card do you choose?") % values
    if kind == STOCK:
        return _("%(name)s turns %(card)s. Which card do you capture?") % values
    return _("%(name)s decides. What do you say?") % values


def _seats(record: Record, names: list[str], seen: SeatTable) -> Iterator[ProblemSeat]:
    units = labels.units(record.ruleset)
    hands, captured = seen.table.hands, seen.table.captured
    for name, before, *letters in zip(names, seen.deal["before"], hands, captured, strict=True):
        yield ProblemSeat(name, plain_amount(before, units=units), *map(_covered_views, letters))


def _covered_views(letters: str) -> list[CardView]:
    """Return the views of cards, with backs for unknown ones."""
    back = _("a face-down card")
    return [
        replace(card, symbol="back", name=back) if card.letter == cards.UNKNOWN else card
        for card in card_views(letters)
    ]


def _facts(
    record: Record, names: list[str], choice: Mapping[str, Any], seen: SeatTable
) -> Iterator[str]:
    place = {"month": labels.month(seen.deal["month"]), "turn": choice["turn"]}
    yield _("%(month)s, turn %(turn)d") % place
    yield labels.house(record.profile)
    yield labels.grade(seen.deal["grade"]) if seen.deal["grade"] else ""
    units = labels.units(record.ruleset)
    for earlier in seen.deal["steps"][: choice["step"]]:
        if earlier["kind"] in _SPOKEN:
            yield tell(earlier, seen.deal, names, units=units)


def _mark(option: str, move: str, best: str) -> str:
    if not move:
        return ""
    return "best" if option == best else "chosen" if option == move else ""
