"""Simulated deals that favour rare events: one `Wish` per deal.

The cards are arranged for the wish, and all seats follow the plan of the arrangement. Every step is
legal for the machine. If the plan cannot be followed, the sensible player chooses the step.
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
    CallAction,
    Deal,
    Draw,
    Illegal,
    Pile,
    Play,
    Redeal,
    Say,
    ShowAction,
    Swap,
    Void,
)
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.play.seating import dealer_of_split, turn_order
from kafu.rules.rulesets import RULESETS
from kafu.rules.ten_five_one.machine import WITH_BLANK
from kafu.simulation.strategy import choose_sensibly
from rare.arrangement import Layout, arrange
from rare.rulesets import ruleset_wishes
from rare.spec import HAND, STOCK, Spec, Wish
from rare.wishes import deal_sizes, list_wishes, make_judge

#: The probability of a programme for a whole game, and of two programmes in the last month of a
#: game with possible extension for brights (越年).
_PROGRAMMED: Final = 0.15
_CARRIED: Final = 0.5
#: The turn at which a deal may be given up.
_GIVEN_UP: Final = 5
_FALSE: Final = "shiso"
#: The maximum number of arrangements tried for a wish.
_ARRANGEMENTS: Final = 200


class Planner:
    """A planner of the deals of one game, each for a wish."""

    def __init__(self, rules: Machine[Any], random: Random) -> None:
        self.rules, self.random = rules, random
        games = ruleset_wishes(rules).games
        self.programme = random.choice(games) if games and random.random() < _PROGRAMMED else None

    def plan(self, state: Any) -> Plan:
        """Return a plan for the next deal."""
        random, choices = self.random, list_wishes(self.rules, self.rules.yaku_table(state))
        dealer = state.dealer or random.randrange(1, self.rules.players + 1)
        if self.programme:
            wish = self.programme.wish(state.month, dealer)
        elif (
            getattr(self.rules, "etsunen", False)
            and state.month % 6 == 0
            and random.random() < _CARRIED
        ):
            wish = next(wish for wish in choices if wish.name == "two brights")
        else:
            wish = random.choice(choices)
        return Plan(self.rules, state, wish, dealer, random)


class Plan:
    """A planned ``deal``, and the player of all seats; call `action` for each further step."""

    def __init__(
        self, rules: Machine[Any], state: Any, wish: Wish, dealer: int, random: Random
    ) -> None:
        self.rules, self.wish, self.random = rules, wish, random
        self.order = turn_order(dealer, rules.players)
        places = deal_sizes(rules).places
        bidders = list(self.order[1:] if wish.blind else self.order)
        playing = set(random.sample(bidders, places - wish.blind))
        playing |= {dealer} if wish.blind else set()
        self.playing = tuple(seat for seat in self.order if seat in playing)
        self.layout = self._arrange()
        self.words = list(wish.words)
        self.words_used: set[tuple[int, str]] = set()
        self.voided = 0
        self.swaps = random.randint(1, 2) if wish.swaps else 0
        self.deal = self._make_deal(state, dealer)

    def _arrange(self) -> Layout:
        """Arrange the cards for the wish, or shuffle them if no arrangement is found."""
        rules, wish, random = self.rules, self.wish, self.random
        judge, _ = make_judge(rules)
        for _ in range(_ARRANGEMENTS):
            layout = arrange(random, wish.make(random), deal_sizes(rules))
            if layout and not (
                wish.quiet and any(judge(cards.mask(hand)) for hand in layout.hands)
            ):
                return layout
        return _shuffle(random, rules)

    # The deal -------------------------------------------------------------------------------------

    def _make_deal(self, state: Any, dealer: int) -> Deal:
        layout, random = self.layout, self.random
        hands = dict(zip(self.playing, map(cards.sort, layout.hands), strict=True))
        out = [seat for seat in self.order if seat not in self.playing]
        stock_cards = list(layout.stock)
        random.shuffle(stock_cards)
        field: str | None = cards.sort(layout.field)
        if len(self.order) == WITH_BLANK:
            # The holder of the blank card lays its remaining cards down as the field.
            holder = out.pop(random.randrange(len(out)))
            hands[holder] = cards.sort(layout.field + cards.BLANK)
            field = None
        for seat in out:
            hands[seat] = cards.sort(stock_cards[:7])
            del stock_cards[:7]
        stock = layout.stock if len(self.order) == len(self.playing) else None
        draws: tuple[dict[int, str], ...] = ()
        split: dict[int, str] = {}
        if "split" in self.rules.statements and state.settling and random.random() < 0.5:
            split, split_dealer = self._split_field(layout.field)
            if split_dealer and split_dealer != dealer:
                hands = {seat: hands[3 - seat] for seat in hands}
                dealer = split_dealer
                self.order = turn_order(dealer, 2)
                self.playing = self.order
        if "draw" in self.rules.statements and not state.deals and random.random() < 0.5:
            draws = self._draw_for_seats()
        return Deal(
            *(state.month, dealer, dict(sorted(hands.items())), field, stock),
            draws=draws,
            split=split,
        )

    def _split_field(self, field: str) -> tuple[dict[int, str], int | None]:
        """Split the field into four cards for each seat, and return the dealer by them (K1)."""
        turned = self.random.sample(field, len(field))
        split = {1: cards.sort(turned[:4]), 2: cards.sort(turned[4:])}
        return split, dealer_of_split(split, field)

    def _draw_for_seats(self) -> tuple[dict[int, str], ...]:
        """Have the seats draw cards in order, sometimes with a tie and a second draw (C7)."""
        random = self.random
        months = sorted(random.sample(range(12), len(self.order)))
        drawn = {
            seat: _random_card(random, month)
            for seat, month in zip(self.order, months, strict=True)
        }
        if random.random() < 0.5:
            return (drawn,)
        tied = self.order[-2:]
        drawn |= dict(zip(tied, random.sample(_month_cards(months[-1]), 2), strict=True))
        free = [number for number in range(12) if number not in months]
        low, high = sorted(random.sample(free, 2))
        return drawn, {tied[0]: _random_card(random, low), tied[1]: _random_card(random, high)}

    def _lay_pile(self, state: Any) -> Pile:
        """Lay the stock after the bids, in random order if hands were swapped."""
        if self.wish.swaps:
            return self.rules.pile(state, self.random)
        return Pile(self.layout.stock)

    # Actions --------------------------------------------------------------------------------------

    def action(self, state: Any, actions: Sequence[Action]) -> tuple[Action, bool]:
        """Return the next action, and whether the record states the action."""
        if state.phase is Phase.PILE:
            return self._lay_pile(state), True
        for extra in self._list_extras(state):
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

    def _list_extras(self, state: Any) -> Iterator[Action]:
        """Yield optional actions: additional words, misdeals, deals given up, and cancellations."""
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
            yield from self._show_falsely(state)
        if wish.cancels and phase is Phase.HAND:
            yield from (
                call for call in self.rules.legal_actions(state) if isinstance(call, CallAction)
            )

    def _may_say(self, state: Any, word: str) -> bool:
        """Return whether a word is legal now; 二枚めくり is only said after a turn."""
        if word == "nimai" and state.phase is not Phase.HAND:
            return False
        try:
            self.rules.apply(state, Say(word))
        except Illegal:
            return False
        return True

    def _show_falsely(self, state: Any) -> Iterator[Action]:
        """Yield a false declaration of a dealt hand, and later the call to strike it out."""
        seat = self.playing[0]
        hand = state.table.hands[seat - 1]
        if state.phase is Phase.SHOW and not state.disputed:
            if not any(_FALSE in show.yaku for show in declarations(hand)):
                yield ShowAction(seat, (_FALSE,), hand, disputed=True)
        elif state.phase is Phase.HAND and state.disputed and not self.voided and state.turn > 2:
            self.voided = seat
            yield CallAction("void-show", seat)

    def _bid(self, state: Any, actions: Sequence[Action]) -> Action:
        if swap := self._choose_swap(actions):
            return swap
        if self.wish.blind and Blind(state.seat) in actions:
            return Blind(state.seat)
        bids = [action for action in actions if isinstance(action, Bid)]
        return next((bid for bid in bids if bid.goes_in == (bid.seat in self.playing)), actions[0])

    def _declare(self, state: Any, actions: Sequence[Action]) -> Action:
        if swap := self._choose_swap(actions):
            return swap
        seats = {self.playing[place] for place in self.wish.shows}
        shows = [show for show in actions if isinstance(show, ShowAction) and show.seat in seats]
        if shows and not isinstance(actions[0], Redeal):
            with_goal = [show for show in shows if self.wish.goal in show.yaku]
            return self.random.choice(with_goal or shows)
        return actions[0]

    def _choose_swap(self, actions: Sequence[Action]) -> Swap | None:
        swaps = [action for action in actions if isinstance(action, Swap)]
        if not self.swaps or not swaps:
            return None
        self.swaps -= 1
        return self.random.choice(swaps)

    def _follow(self, state: Any, actions: Sequence[Action], turn: int, part: str) -> Action:
        """Play the card of the plan if possible, else a sensible one."""
        step = self.layout.plan.get((turn, part))
        if step is not None:
            kind = Play if part == HAND else Draw
            planned = kind(cards.BIT[step.card], cards.mask(step.take))
            if planned in actions:
                return planned
        plays = [action for action in actions if isinstance(action, Play | Draw)]
        return choose_sensibly(self.rules, state, plays, self.random)

    def _decide(self, state: Any, actions: Sequence[Action]) -> Action:
        """Play on until the goal is made, or say the words of the wish, then stop."""
        legal = [action.word for action in actions if isinstance(action, Say)]
        choice = RULESETS[self.rules.id].choice
        stops = choice.stop if choice else legal[0]
        goes_on = next((word for word in legal if word != stops), stops)
        if self.wish.goal:
            ids = {yaku.id for yaku in self.rules.yaku(state, state.seat)}
            return Say(stops if self.wish.goal in ids else goes_on)
        while self.words:
            word = self.words.pop(0)
            if word in legal:
                return Say(word)
            if word == "nimai" and "sage" in legal and state.phase is Phase.DECIDE:
                return Say(word)
        return Say(stops)


def _shuffle(random: Random, rules: Machine[Any]) -> Layout:
    layout = arrange(random, Spec(), deal_sizes(rules))
    assert layout is not None, "an empty spec can always be satisfied"
    return layout


def _month_cards(month: int) -> str:
    return cards.LETTERS[4 * month : 4 * month + 4]


def _random_card(random: Random, month: int) -> str:
    return random.choice(_month_cards(month))
