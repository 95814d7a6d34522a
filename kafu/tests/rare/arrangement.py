"""Arranged deals: cards and a plan of play for a `Spec`.

A plan is found by random trials with backtracking. A trial places the cards of a deal one by one in
the order of play, from hands and stock, and has each pair captured by the intended player. The
field never holds two cards of a month, so every capture is a pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

from kafu.cards import LETTERS
from rare.spec import HAND, STOCK, Spec, When

_MONTH: Final = {card: place // 4 for place, card in enumerate(LETTERS)}
#: The maximum number of trials, and of cards placed in a trial.
_TRIALS: Final = 200
_STEPS: Final = 300
#: Cards tried at one time of play before a trial backtracks.
_WIDTH: Final = 5


def month_of(card: str) -> int:
    """Return the month of a card letter, from 0."""
    return _MONTH[card]


class PlannedPlay(NamedTuple):
    """A card to play, and the field card captured by it ("" for none)."""

    card: str
    take: str = ""


class Layout(NamedTuple):
    """An arranged deal: hands by place, field, stock in turning order, and the plan of play."""

    hands: tuple[str, ...]
    field: str
    stock: str
    plan: Mapping[When, PlannedPlay]


class Sizes(NamedTuple):
    """The number of players, and the numbers of cards in a hand and on the field."""

    places: int
    hand: int
    field: int


def arrange(random: Random, spec: Spec, sizes: Sizes) -> Layout | None:
    """Return a deal that satisfies ``spec`` when played by its plan, or None without success.

    The plan is empty if the spec asks for no captures or plays.
    """
    if not spec.takes and not spec.forced:
        return _lay_out(random, spec, sizes)
    for _ in range(_TRIALS):
        if layout := _Trial(random, spec, sizes).run():
            return layout
    return None


def _lay_out(random: Random, spec: Spec, sizes: Sizes) -> Layout:
    """Return a random deal with the cards of ``spec`` in their places."""
    fixed = {*spec.field, *"".join(spec.held.values())}
    left = [card for card in LETTERS if card not in fixed]
    random.shuffle(left)
    # Hands are dealt first, so the cards barred from the field end up in a hand.
    left.sort(key=lambda card: card not in spec.bare)
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
    """One attempt at a plan; ``partner`` and ``taker`` are mappings for cards in planned pairs."""

    def __init__(self, random: Random, spec: Spec, sizes: Sizes) -> None:
        self.random, self.spec, self.sizes = random, spec, sizes
        self.partner: dict[str, str] = {}
        self.taker: dict[str, int] = {}
        for place, pairs in spec.takes.items():
            for first, second in map(tuple, pairs.split()):
                self.partner |= {first: second, second: first}
                self.taker |= {first: place, second: place}
        for card in list(self.partner):
            # The remaining cards of the month must then pair up as well.
            month = month_of(card)
            free = [c for c in LETTERS if month_of(c) == month and c not in self.partner]
            if len(free) == 2:
                self.partner |= {free[0]: free[1], free[1]: free[0]}
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

    def run(self) -> Layout | None:
        """Return a deal with its plan, or None if the attempt fails."""
        field = self._choose_field()
        if field is None:
            return None
        self.field = {month_of(card): card for card in field}
        self.left -= set(field)
        if not self._place_cards(0):
            return None
        turned = "".join(step.card for when, step in sorted(self.plan.items()) if when[1] == STOCK)
        beneath = sorted(self.left)
        self.random.shuffle(beneath)
        hands = [""] * self.sizes.places
        for (turn, part), step in self.plan.items():
            if part == HAND:
                hands[(turn - 1) % self.sizes.places] += step.card
        return Layout(tuple(hands), "".join(field), turned + "".join(beneath), dict(self.plan))

    def _choose_field(self) -> list[str] | None:
        """Return the field: first the cards of the spec, then halves of planned pairs, then any."""
        barred = {*self.spec.bare, *self.owner, *self.reserved}
        paired = [card for card in self.taker if card not in barred]
        allowed = [card for card in LETTERS if card not in barred]
        self.random.shuffle(paired)
        self.random.shuffle(allowed)
        # The partners of cards fixed in hands or plays have priority.
        paired.sort(key=lambda card: self.partner[card] not in {*self.owner, *self.reserved})
        by_month: dict[int, str] = {}
        for card in [*self.spec.field, *paired, *allowed]:
            if len(by_month) < self.sizes.field:
                by_month.setdefault(month_of(card), card)
        is_complete = set(self.spec.field) <= set(by_month.values())
        is_full = len(by_month) == self.sizes.field
        return list(by_month.values()) if is_complete and is_full else None

    def _place_cards(self, index: int) -> bool:
        """Place the cards from a time of play on, and return whether the plan succeeded."""
        if index == len(self.times):
            return not any(card in self.left for card in self.taker) and not any(
                card in self.taker for card in self.field.values()
            )
        self.steps += 1
        if self.steps > _STEPS:
            return False
        when = self.times[index]
        for card in self._list_candidates(when)[:_WIDTH]:
            lying = self.field.pop(month_of(card), "")
            if not lying:
                self.field[month_of(card)] = card
            self.left.discard(card)
            self.plan[when] = PlannedPlay(card, lying)
            if self._place_cards(index + 1):
                return True
            del self.plan[when]
            self.left.add(card)
            self.field.pop(month_of(card), None)
            if lying:
                self.field[month_of(card)] = lying
        return False

    def _list_candidates(self, when: When) -> list[str]:
        """Return the possible cards at a time of play, the most useful first."""
        turn, part = when
        place = (turn - 1) % self.sizes.places
        if when in self.spec.forced:
            cards = [self.spec.forced[when]]
        elif part == STOCK:
            cards = [c for c in self.left if c not in self.owner and c not in self.reserved]
        else:
            held = [c for c in self.left if self.owner.get(c) == place and c not in self.reserved]
            free = [c for c in self.left if c not in self.owner and c not in self.reserved]
            cards = held if len(held) >= self._count_free_plays(turn, place) else held + free
        worth = {card: self._worth(card, place) for card in sorted(cards)}
        return sorted(
            (card for card in worth if worth[card] >= 0),
            key=lambda card: -worth[card] - self.random.random(),
        )

    def _count_free_plays(self, turn: int, place: int) -> int:
        """Return the number of hand cards left to play at a place, except forced cards."""
        turns = range(turn, self.sizes.places * self.sizes.hand + 1, self.sizes.places)
        return sum((turn, HAND) not in self.spec.forced for turn in turns)

    def _worth(self, card: str, place: int) -> float:
        """Return the usefulness of a card at a place; a negative card must not be placed."""
        lying = self.field.get(month_of(card))
        if lying is None:
            return 1.5 if card in self.taker else 0.5
        if self.partner.get(card, lying) != lying or self.partner.get(lying, card) != card:
            return -1
        taker = self.taker.get(card)
        if taker is None:
            return 0.5
        return 3 if taker == place else -1
