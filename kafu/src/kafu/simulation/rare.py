"""Simulated deals that favour rare events: one `Wish` a deal.

The cards are arranged for the wish, and its player follows the plan; every step is legal by the
machine. Where a plan cannot be followed the player plays with sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules.hachihachi.hands import declarations
from kafu.rules.play.actions import (
    Action,
    Bid,
    Blind,
    Call,
    Deal,
    Draw,
    Illegal,
    Pile,
    Play,
    Redeal,
    Say,
    Show,
    Swap,
    Void,
)
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.play.seating import dealer_of_split, turn_order
from kafu.rules.play.wishes import HAND, STOCK, Spec, Wish
from kafu.rules.rulesets import RULESETS
from kafu.rules.ten_five_one.machine import WITH_BLANK
from kafu.simulation.arranging import Layout, arrange
from kafu.simulation.dealt import dealt_hands
from kafu.simulation.strategy import sensible
from kafu.simulation.wishes import programmes, sizes, wishes

#: Probability that a whole game has a programme, and that a month of two brights is wanted if a
#: game may go on for it.
_PROGRAMMED: Final = 0.15
_CARRIED: Final = 0.5
#: Turns after which a deal is given up.
_GIVEN_UP: Final = 5
_FALSE: Final = "shiso"
#: Maximum number of arrangements of a deal for a wish.
_QUIET: Final = 200


class Rare:
    """The wishes of one game, and the deal for each."""

    def __init__(self, rules: Machine[Any], random: Random) -> None:
        self.rules, self.random = rules, random
        own = programmes(rules)
        self.programme = random.choice(own) if own and random.random() < _PROGRAMMED else None

    def plan(self, state: Any) -> Plan:
        """The next deal, with its plan."""
        random, own = self.random, wishes(self.rules, self.rules.yaku_table(state))
        dealer = state.dealer or random.randrange(1, self.rules.players + 1)
        if self.programme:
            wish = self.programme.wish(state.month, dealer)
        elif (
            getattr(self.rules, "etsunen", False)
            and state.month % 6 == 0
            and random.random() < _CARRIED
        ):
            wish = next(one for one in own if one.name == "two brights")
        else:
            wish = random.choice(own)
        return Plan(self.rules, state, wish, dealer, random)


class Plan:
    """One deal and its player. ``deal`` is the deal; call `action` for every further step."""

    def __init__(
        self, rules: Machine[Any], state: Any, wish: Wish, dealer: int, random: Random
    ) -> None:
        self.rules, self.wish, self.random = rules, wish, random
        self.order = turn_order(dealer, rules.players)
        places = sizes(rules).places
        others = list(self.order[1:] if wish.blind else self.order)
        chosen = set(random.sample(others, places - wish.blind))
        chosen |= {dealer} if wish.blind else set()
        self.playing = tuple(seat for seat in self.order if seat in chosen)
        self.layout = self._layout()
        self.words = list(wish.words)
        self.words_used: set[tuple[int, str]] = set()
        self.voided = 0
        self.swaps = random.randint(1, 2) if wish.swaps else 0
        self.deal = self._dealt(state, dealer)

    def _layout(self) -> Layout:
        """The cards for the wish; random if they could not be arranged."""
        rules, wish, random = self.rules, self.wish, self.random
        judge, _ = dealt_hands(rules)
        for _ in range(_QUIET):
            found = arrange(random, wish.make(random), sizes(rules))
            if found and not (wish.quiet and any(judge(cards.mask(one)) for one in found.hands)):
                return found
        return _by_chance(random, rules)

    # The deal -------------------------------------------------------------------------------------

    def _dealt(self, state: Any, dealer: int) -> Deal:
        layout, random = self.layout, self.random
        hands = dict(zip(self.playing, map(cards.sort, layout.hands), strict=True))
        out = [seat for seat in self.order if seat not in self.playing]
        rest = list(layout.stock)
        random.shuffle(rest)
        field: str | None = cards.sort(layout.field)
        if len(self.order) == WITH_BLANK:  # who has it lays the others down as the field
            holder = out.pop(random.randrange(len(out)))
            hands[holder] = cards.sort(layout.field + cards.BLANK)
            field = None
        for seat in out:
            hands[seat] = cards.sort(rest[:7])
            del rest[:7]
        stock = layout.stock if len(self.order) == len(self.playing) else None
        draws: tuple[dict[int, str], ...] = ()
        split: dict[int, str] = {}
        if "split" in self.rules.statements and state.settling and random.random() < 0.5:
            split, split_dealer = self._split(layout.field)
            if split_dealer and split_dealer != dealer:
                hands = {seat: hands[3 - seat] for seat in hands}
                dealer = split_dealer
                self.order = turn_order(dealer, 2)
                self.playing = self.order
        if "draw" in self.rules.statements and not state.deals and random.random() < 0.5:
            draws = self._draws()
        return Deal(
            *(state.month, dealer, dict(sorted(hands.items())), field, stock),
            draws=draws,
            split=split,
        )

    def _split(self, field: str) -> tuple[dict[int, str], int | None]:
        """K1: four cards for each, and who deals by them."""
        turned = self.random.sample(field, len(field))
        split = {1: cards.sort(turned[:4]), 2: cards.sort(turned[4:])}
        return split, dealer_of_split(split, field)

    def _draws(self) -> tuple[dict[int, str], ...]:
        """C7: the seats draw in their order, sometimes two of them the same month."""
        random = self.random
        months = sorted(random.sample(range(12), len(self.order)))
        drawn = {seat: _card(random, month) for seat, month in zip(self.order, months, strict=True)}
        if random.random() < 0.5:
            return (drawn,)
        one, other = self.order[-2:]
        alike = random.sample(_of_month(months[-1]), 2)
        drawn |= dict(zip((one, other), alike, strict=True))
        free = [number for number in range(12) if number not in months]
        low, high = sorted(random.sample(free, 2))
        return drawn, {one: _card(random, low), other: _card(random, high)}

    def _pile(self, state: Any) -> Pile:
        """The stock after the bids; random if hands were exchanged."""
        if self.wish.swaps:
            return self.rules.pile(state, self.random)
        return Pile(self.layout.stock)

    # What is done ---------------------------------------------------------------------------------

    def action(self, state: Any, actions: Sequence[Action]) -> tuple[Action, bool]:
        """The next step, and whether it is written down."""
        if state.phase is Phase.PILE:
            return self._pile(state), True
        for extra in self._extras(state):
            return extra, True
        match state.phase:
            case Phase.BID:
                return self._bid(state, actions), True
            case Phase.SHOW:
                return self._declare(state, actions), True
            case Phase.HAND:
                return self._follow(state, actions, state.turn + 1, HAND), True
            case Phase.STOCK:
                return self._follow(state, actions, state.turn, STOCK), True
        decision = self._decide(state, actions)
        return decision, not (self.wish.silent and decision == self.rules.unsaid(state))

    def _extras(self, state: Any) -> Iterator[Action]:
        """Optional actions: words in addition to the decisions, and deals that are thrown in."""
        wish, phase = self.wish, state.phase
        if wish.redeal and phase is Phase.SHOW:
            yield Redeal("misdeal")
        if wish.void and phase is Phase.HAND and state.turn >= _GIVEN_UP:
            yield Void(wish.void, played=True)
        time = (state.turn, HAND if phase is Phase.STOCK else STOCK)
        if (
            time in wish.says
            and time not in self.words_used
            and self._may_say(state, wish.says[time])
        ):
            self.words_used.add(time)
            yield Say(wish.says[time])
        if wish.false_show:
            yield from self._false(state)
        if wish.cancels and phase is Phase.HAND:
            yield from (one for one in self.rules.legal_actions(state) if isinstance(one, Call))

    def _may_say(self, state: Any, word: str) -> bool:
        """Whether the rules allow it now; 二枚めくり only where the turn is over."""
        if word == "nimai" and state.phase is not Phase.HAND:
            return False
        try:
            self.rules.apply(state, Say(word))
        except Illegal:
            return False
        return True

    def _false(self, state: Any) -> Iterator[Action]:
        """A false declaration of a dealt hand, and its striking out when that is found."""
        seat = self.playing[0]
        hand = state.table.hands[seat - 1]
        if state.phase is Phase.SHOW and not state.disputed:
            if not any(_FALSE in one.yaku for one in declarations(hand)):
                yield Show(seat, (_FALSE,), hand, disputed=True)
        elif state.phase is Phase.HAND and state.disputed and not self.voided and state.turn > 2:
            self.voided = seat
            yield Call("void-show", seat)

    def _bid(self, state: Any, actions: Sequence[Action]) -> Action:
        swaps = [action for action in actions if isinstance(action, Swap)]
        if self.swaps and swaps:
            self.swaps -= 1
            return self.random.choice(swaps)
        if self.wish.blind and Blind(state.seat) in actions:
            return Blind(state.seat)
        bids = [action for action in actions if isinstance(action, Bid)]
        return next((bid for bid in bids if bid.goes_in == (bid.seat in self.playing)), actions[0])

    def _declare(self, state: Any, actions: Sequence[Action]) -> Action:
        showing = {self.playing[place] for place in self.wish.shows}
        shows = [one for one in actions if isinstance(one, Show) and one.seat in showing]
        swaps = [action for action in actions if isinstance(action, Swap)]
        if self.swaps and swaps:
            self.swaps -= 1
            return self.random.choice(swaps)
        if shows and not isinstance(actions[0], Redeal):
            wanted = [one for one in shows if self.wish.goal in one.yaku]
            return self.random.choice(wanted or shows)
        return actions[0]

    def _follow(self, state: Any, actions: Sequence[Action], turn: int, part: str) -> Action:
        """The card of the plan, if it can still be played so."""
        step = self.layout.plan.get((turn, part))
        if step is not None:
            kind = Play if part == HAND else Draw
            planned = kind(cards.BIT[step.card], cards.mask(step.take))
            if planned in actions:
                return planned
        plain = [action for action in actions if isinstance(action, Play | Draw)]
        return sensible(self.rules, state, plain, self.random)

    def _decide(self, state: Any, actions: Sequence[Action]) -> Action:
        """Play on until the goal is made, or as the wish says; then stop."""
        legal = [action.word for action in actions if isinstance(action, Say)]
        choice = RULESETS[self.rules.id].choice
        stops = choice.stop if choice else legal[0]
        goes_on = next((word for word in legal if word != stops), stops)
        if self.wish.goal:
            made = {one.id for one in self.rules.yaku(state, state.seat)}
            return Say(stops if self.wish.goal in made else goes_on)
        while self.words:
            word = self.words.pop(0)
            if word in legal:
                return Say(word)
            if word == "nimai" and "sage" in legal and state.phase is Phase.DECIDE:
                return Say(word)
        return Say(stops)


def _by_chance(random: Random, rules: Machine[Any]) -> Layout:
    found = arrange(random, Spec(), sizes(rules))
    assert found is not None, "nothing is wanted of it"
    return found


def _of_month(month: int) -> str:
    return cards.LETTERS[4 * month : 4 * month + 4]


def _card(random: Random, month: int) -> str:
    return random.choice(_of_month(month))
