"""Arranged deals: cards laid so that, played as planned, they have the wanted effect.

A plan is found by random trial: the cards of a deal are put down one by one, in the order in which
hands and stock bring them, so that each wanted pair is captured by the player it is meant for. The
field never has more than one card of a month, so that a capture is always a pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

from kafu.cards import LETTERS
from kafu.rules.play.wishes import HAND, STOCK, Spec, When

_MONTH: Final = {card: place // 4 for place, card in enumerate(LETTERS)}
#: Maximum number of new starts of a plan, and of cards put down in a trial.
_TRIALS: Final = 200
_STEPS: Final = 300
#: Cards that are tried at one place before the plan backtracks.
_WIDTH: Final = 5


def month(card: str) -> int:
    """The month of a card letter, from 0."""
    return _MONTH[card]


class PlannedPlay(NamedTuple):
    """A card that is put down, and the one that it captures ("" for none)."""

    card: str
    take: str = ""


class Layout(NamedTuple):
    """An arranged deal: the hands by place, the field, the stock as it is turned; the plan."""

    hands: tuple[str, ...]
    field: str
    stock: str
    plan: Mapping[When, PlannedPlay]


class Sizes(NamedTuple):
    """How many play, with how many cards in hand and on the field."""

    places: int
    hand: int
    field: int


def arrange(random: Random, spec: Spec, sizes: Sizes) -> Layout | None:
    """A deal in which all that is wanted happens, if it is played by the plan; None if none was
    found. The plan is empty if nothing is to be captured or played.
    """
    if not spec.takes and not spec.forced:
        return _laid_out(random, spec, sizes)
    for _ in range(_TRIALS):
        if found := _Trial(random, spec, sizes).found():
            return found
    return None


def _laid_out(random: Random, spec: Spec, sizes: Sizes) -> Layout:
    """A random deal with the cards of ``spec`` at their places."""
    named = {*spec.field, *"".join(spec.held.values())}
    left = [card for card in LETTERS if card not in named]
    random.shuffle(left)
    left.sort(key=lambda card: card not in spec.bare)  # those are in the hands, dealt first
    hands = []
    for place in range(sizes.places):
        held = spec.held.get(place, "")
        missing = sizes.hand - len(held)
        hands.append(held + "".join(left[:missing]))
        del left[:missing]
    missing = sizes.field - len(spec.field)
    field = spec.field + "".join(left[:missing])
    del left[:missing]
    random.shuffle(left)
    return Layout(tuple(hands), field, "".join(left), {})


class _Trial:
    """One attempt at a plan."""

    def __init__(self, random: Random, spec: Spec, sizes: Sizes) -> None:
        self.random, self.spec, self.sizes = random, spec, sizes
        self.partner: dict[str, str] = {}
        self.taker: dict[str, int] = {}
        for place, pairs in spec.takes.items():
            for one, other in map(tuple, pairs.split()):
                self.partner |= {one: other, other: one}
                self.taker |= {one: place, other: place}
        for card in list(self.partner):  # the other two of the month are a pair then
            rest = [c for c in LETTERS if month(c) == month(card) and c not in self.partner]
            if len(rest) == 2:
                self.partner |= {rest[0]: rest[1], rest[1]: rest[0]}
        self.owner = {card: place for place, hand in spec.held.items() for card in hand}
        self.reserved = set(spec.forced.values())
        self.times = [
            (turn, part)
            for turn in range(1, sizes.places * sizes.hand + 1)
            for part in (HAND, STOCK)
        ]
        self.field: dict[int, str] = {}
        self.left = set(LETTERS)
        self.plan: dict[When, PlannedPlay] = {}
        self.steps = 0

    def found(self) -> Layout | None:
        """The plan, if this attempt is successful."""
        first = self._first_field()
        if first is None:
            return None
        self.field = {month(card): card for card in first}
        self.left -= set(first)
        if not self._put(0):
            return None
        turned = "".join(step.card for when, step in sorted(self.plan.items()) if when[1] == STOCK)
        beneath = sorted(self.left)
        self.random.shuffle(beneath)
        hands = [""] * self.sizes.places
        for (turn, part), step in self.plan.items():
            if part == HAND:
                hands[(turn - 1) % self.sizes.places] += step.card
        return Layout(tuple(hands), "".join(first), turned + "".join(beneath), dict(self.plan))

    def _first_field(self) -> list[str] | None:
        """The field: what must lie there, cards that wanted pairs begin with, then any."""
        barred = {*self.spec.bare, *self.owner, *self.reserved}
        wanted = [card for card in self.taker if card not in barred]
        others = [card for card in LETTERS if card not in barred]
        self.random.shuffle(wanted)
        self.random.shuffle(others)
        # First of all the partners of cards that are held.
        wanted.sort(key=lambda card: self.partner[card] not in {*self.owner, *self.reserved})
        chosen: dict[int, str] = {}
        for card in [*self.spec.field, *wanted, *others]:
            if len(chosen) < self.sizes.field:
                chosen.setdefault(month(card), card)
        whole = set(self.spec.field) <= set(chosen.values())
        return list(chosen.values()) if whole and len(chosen) == self.sizes.field else None

    def _put(self, at: int) -> bool:
        """Put down the cards from the place ``at`` on; whether that succeeded."""
        if at == len(self.times):
            return not any(card in self.left for card in self.taker) and not any(
                card in self.taker for card in self.field.values()
            )
        self.steps += 1
        if self.steps > _STEPS:
            return False
        when = self.times[at]
        for card in self._choices(when)[:_WIDTH]:
            lying = self.field.pop(month(card), "")
            if not lying:
                self.field[month(card)] = card
            self.left.discard(card)
            self.plan[when] = PlannedPlay(card, lying)
            if self._put(at + 1):
                return True
            del self.plan[when]
            self.left.add(card)
            self.field.pop(month(card), None)
            if lying:
                self.field[month(card)] = lying
        return False

    def _choices(self, when: When) -> list[str]:
        """The cards that can be put down, the most useful first."""
        turn, part = when
        place = (turn - 1) % self.sizes.places
        if when in self.spec.forced:
            cards = [self.spec.forced[when]]
        elif part == STOCK:
            cards = [c for c in self.left if c not in self.owner and c not in self.reserved]
        else:
            held = [c for c in self.left if self.owner.get(c) == place and c not in self.reserved]
            free = [c for c in self.left if c not in self.owner and c not in self.reserved]
            cards = held if len(held) >= self._hands_left(turn, place) else held + free
        worth = {card: self._worth(card, place) for card in sorted(cards)}
        return sorted(
            (card for card, one in worth.items() if one >= 0),
            key=lambda card: -worth[card] - self.random.random(),
        )

    def _hands_left(self, turn: int, place: int) -> int:
        """Hand cards of a place from this turn on that are not named."""
        turns = range(turn, self.sizes.places * self.sizes.hand + 1, self.sizes.places)
        return sum((one, HAND) not in self.spec.forced for one in turns)

    def _worth(self, card: str, place: int) -> float:
        """How useful a card is at a place; below 0 if it must not be put down there."""
        lying = self.field.get(month(card))
        if lying is None:
            return 1.5 if card in self.taker else 0.5
        if self.partner.get(card, lying) != lying or self.partner.get(lying, card) != card:
            return -1
        taker = self.taker.get(card)
        if taker is None:
            return 0.5
        return 3 if taker == place else -1
