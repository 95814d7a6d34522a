"""A fair player for play-outs: fast, deterministic, and ignorant of hidden cards.

The value of a card is its contribution to yaku, both to its captor and to the opponents, who would
have to pay. All values come from the tables of the ruleset, so the policy plays any ruleset and
house. Equal knowledge leads to equal actions, so small endings can be enumerated.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules.play.actions import Action, Begin, Bid, Say, ShowAction
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import YakuTable, total

#: The chance to capture a further card of a yaku, per turn left, and its maximum. Tuned by playing
#: matches of the policy against a copy of itself.
_CHANCE: Final = 0.05
_MAX_CHANCE: Final = 0.85
#: The weight of a card's value to opponents, if a capture denies them the card.
_DENIED: Final = 0.7
#: The weight of card points if a yaku may end the deal before they are counted.
_COUNTED: Final = 0.6
#: The share of a thrown card's value preserved by a second card of its month in hand.
_PRESERVED: Final = 0.5
#: The value of a card apart from yaku and points, to break ties.
_PLAIN: Final = ((cards.BRIGHTS, 0.3), (cards.ANIMALS, 0.15), (cards.RIBBONS, 0.12))
#: The factor by which the promise of playing on must exceed the value of stopping.
_SURE: Final = 1.3


class Policy:
    """The player of one ruleset's machine, for every seat of a state."""

    def __init__(self, machine: Machine[Any]) -> None:
        description = RULESETS[machine.id]
        self.machine = machine
        self.unit = description.unit
        self.choice = description.choice
        self._load(machine.captured_yaku)
        points = description.card_points
        share = _COUNTED if description.choice else 1.0
        #: Values apart from yaku, by card index.
        self.plain: list[float] = [
            (points(1 << index) * share if points else 0.0)
            + sum(worth for group, worth in _PLAIN if group >> index & 1)
            for index in range(48)
        ]

    def _load(self, table: YakuTable) -> None:
        self.table = table
        self.rows: list[tuple[int, int, float, float, int]] = [
            (
                row.cards,
                row.need,
                float(row.value * self.unit),
                float(row.step * self.unit),
                row.must,
            )
            for row in table
        ]
        #: Numbers of the rows that a card counts for, by card index.
        self.rows_of: list[list[int]] = [
            [number for number, row in enumerate(self.rows) if row[0] >> index & 1]
            for index in range(48)
        ]

    def _load_month(self, state: State) -> None:
        """Load the table of the current month, for houses with yaku of a month (K16)."""
        table = self.machine.yaku_table(state)
        if table is not self.table:
            self._load(table)

    # Values of cards ------------------------------------------------------------------------------

    def row_gains(self, captured: int, gone: int, turns: int) -> list[float]:
        """Return the gain from one more card of each yaku row, in the small unit.

        ``captured`` is the mask of the player's captured cards, ``gone`` of the opponents', and
        ``turns`` the number of turns left.
        """
        gains: list[float] = []
        chance = _CHANCE * turns
        unavailable = captured | gone
        for group, need, value, step, must in self.rows:
            lacking = need - (captured & group).bit_count()
            if lacking <= 0:
                gains.append(step)
                continue
            free = (group & ~unavailable).bit_count()
            if free < lacking or must & gone:
                gains.append(0.0)
                continue
            if lacking == 1:
                next_ = chance * free
                gains.append(value * (1.0 - (next_ if next_ < _MAX_CHANCE else _MAX_CHANCE)))
                continue
            odds = chance * free / lacking
            if odds > _MAX_CHANCE:
                odds = _MAX_CHANCE
            gains.append(value * odds ** (lacking - 1) * (1.0 - odds))
        return gains

    def yaku_worth(self, group: int, gains: list[float]) -> float:
        """Return the value of cards (a mask) for yaku, from the ``gains`` of each row."""
        worth = 0.0
        while group:
            low = group & -group
            for number in self.rows_of[low.bit_length() - 1]:
                worth += gains[number]
            group ^= low
        return worth

    def plain_worth(self, group: int) -> float:
        """Return the value of cards (a mask) apart from yaku."""
        worth = 0.0
        while group:
            low = group & -group
            worth += self.plain[low.bit_length() - 1]
            group ^= low
        return worth

    def _gains(self, state: State) -> tuple[list[float], list[float], int]:
        """Return the row gains of the seat in turn and of all opponents, and all captured cards."""
        self._load_month(state)
        table, i = state.table, state.seat - 1
        gone = 0
        for captured in table.captured:
            gone |= captured
        playing = self.machine.in_play(state)
        captured = table.captured[i]
        turns = table.hands[i].bit_count()
        gains = self.row_gains(captured, gone & ~captured, turns)
        payers = len(playing) - 1
        if payers > 1:
            gains = [gain * payers for gain in gains]
        threats: list[float] = []
        for seat in playing:
            if seat != i + 1:
                captured = table.captured[seat - 1]
                turns = table.hands[seat - 1].bit_count()
                threat = self.row_gains(captured, gone & ~captured, turns)
                threats = (
                    [a + b for a, b in zip(threats, threat, strict=True)] if threats else threat
                )
        return gains, threats, gone

    # Choices --------------------------------------------------------------------------------------

    def choose_card(self, state: State) -> tuple[int, int]:
        """Return the hand card to play and its capture (masks)."""
        table, i = state.table, state.seat - 1
        hand, field = table.hands[i], table.field
        gains, threats, gone = self._gains(state)
        unseen = cards.ALL & ~(hand | field | gone)
        in_hands = 0
        for place, cards_ in enumerate(table.hands):
            if place != i:
                in_hands += cards_.bit_count()
        count = unseen.bit_count()
        missed = 1.0 - in_hands / count if count else 1.0
        best, best_card, best_take = -1e9, 0, 0
        left = hand
        while left:
            low = left & -left
            left ^= low
            month = cards.MATCH[low]
            match = field & month
            if not match:
                worth = self._thrown_worth(
                    low, month & hand & ~low, month & unseen, missed, gains, threats
                )
                if worth > best:
                    best, best_card, best_take = worth, low, 0
                continue
            base = self.yaku_worth(low, gains) + self.plain_worth(low)
            is_pair = match.bit_count() == 2
            while match:
                take = match & -match if is_pair else match
                match ^= take
                worth = base + self._captured_worth(take, gains, threats)
                if worth > best:
                    best, best_card, best_take = worth, low, take
        return best_card, best_take

    def _captured_worth(self, take: int, gains: list[float], threats: list[float]) -> float:
        return (
            self.yaku_worth(take, gains)
            + self.plain_worth(take)
            + _DENIED * self.yaku_worth(take, threats)
        )

    def _thrown_worth(
        self,
        card: int,
        pair: int,
        unseen: int,
        missed: float,
        gains: list[float],
        threats: list[float],
    ) -> float:
        """Return the (negative) value of throwing a card.

        An opponent may capture it with one of the ``unseen`` cards of its month; ``missed`` is the
        chance that a card is not in a hand. A ``pair`` (mask) in the own hand may still capture it.
        """
        risk = 1.0 - missed ** unseen.bit_count()
        worth = self.yaku_worth(card, gains) + self.plain_worth(card)
        loss = risk * (worth + self.yaku_worth(card, threats))
        if pair:
            loss -= _PRESERVED * (1.0 - risk) * worth
        return -loss

    def choose_capture(self, state: State, card: int) -> int:
        """Return the capture (a mask) of a turned card."""
        match = state.table.field & cards.MATCH[card]
        if match.bit_count() != 2:
            return match
        gains, threats, _ = self._gains(state)
        low = match & -match
        high = match ^ low
        low_worth = self._captured_worth(low, gains, threats)
        return high if self._captured_worth(high, gains, threats) > low_worth else low

    def plays_on(self, state: State) -> bool:
        """Return whether the seat that has made a yaku plays on.

        The value of stopping is compared with the value of further yaku, less the risk that an
        opponent's yaku or the end of the hands forfeits everything.
        """
        self._load_month(state)
        table, i = state.table, state.seat - 1
        gone = 0
        for captured in table.captured:
            gone |= captured
        now = float(total(self.machine.yaku(state, i + 1)) * self.unit)
        captured = table.captured[i]
        turns = table.hands[i].bit_count()
        more, grows = self._promise(captured, gone & ~captured, turns)
        playing = self.machine.in_play(state)
        threat, beaten = 0.0, 0.0
        for seat in playing:
            if seat != i + 1:
                captured = table.captured[seat - 1]
                turns = table.hands[seat - 1].bit_count()
                worth, odds = self._promise(captured, gone & ~captured, turns)
                threat += worth / (len(playing) - 1)
                beaten = 1.0 - (1.0 - beaten) * (1.0 - odds)
        promise = (1.0 - beaten / 2) * (grows * now + more) - (1.0 - grows / 2) * threat
        return promise > _SURE * now

    def _promise(self, captured: int, gone: int, turns: int) -> tuple[float, float]:
        """Return the expected value of further yaku for a player, and the chance of any."""
        chance = _CHANCE * turns
        unavailable = captured | gone
        worth, none = 0.0, 1.0
        for group, need, value, step, must in self.rows:
            lacking = need - (captured & group).bit_count()
            free = (group & ~unavailable).bit_count()
            if lacking <= 0:
                if not step or not free:
                    continue
                lacking, value = 1, step
            elif free < lacking or must & gone:
                continue
            odds = chance * free / lacking
            if odds > _MAX_CHANCE:
                odds = _MAX_CHANCE
            odds = odds**lacking
            worth += value * odds
            none *= 1.0 - odds
        return worth, 1.0 - none

    # Playing --------------------------------------------------------------------------------------

    def step(self, state: State) -> None:
        """Play one action in place; the next stock card of ``state`` must be known."""
        machine, phase = self.machine, state.phase
        if phase is AT_HAND:
            card, take = self.choose_card(state)
            machine.hand_card(state, card, take)
        elif phase is AT_STOCK:
            table = state.table
            card = table.stock[table.turned]
            machine.stock_card(state, card, self.choose_capture(state, card))
        elif phase is AT_DECISION:
            machine.say(state, self.choose_word(state))

    def choose_word(self, state: State) -> str:
        """Return the decision of the seat in turn."""
        actions = self.machine.legal_actions(state)
        words = [action.word for action in actions if isinstance(action, Say)]
        choice = self.choice
        if len(words) == 1 or choice is None:
            return words[0]
        return choice.on if self.plays_on(state) else choice.stop

    def play_out(self, state: State) -> State:
        """Play a deal to its end in place, and return ``state``."""
        while True:
            phase = state.phase
            if phase is not AT_HAND and phase is not AT_STOCK and phase is not AT_DECISION:
                return state
            self.step(state)

    def begin(self, state: State, random: Random, silent: int = 0) -> State:
        """Play the bids, a random stock after the bids, and the declarations of dealt hands.

        The seat ``silent`` declares nothing. Return the state before the first card.
        """
        machine = self.machine
        while state.phase in (Phase.BID, Phase.PILE, Phase.SHOW):
            if state.phase is Phase.PILE:
                state = machine.step(state, machine.pile(state, random))
            else:
                state = machine.step(state, self.choose_opening(state, silent))
        return state

    def choose_opening(self, state: State, silent: int = 0) -> Action:
        """Return the next bid or declaration of a dealt hand; seat ``silent`` declares nothing."""
        actions: Sequence[Action] = self.machine.legal_actions(state)
        shows = [
            action for action in actions if isinstance(action, ShowAction) and action.seat != silent
        ]
        if shows:
            return max(shows, key=lambda show: len(show.yaku))
        if isinstance(actions[0], Bid):
            seat = actions[0].seat  # A holder of the blank card bids instead of the dealer (T3).
            hand = state.table.hands[seat - 1]
            gains = self.row_gains(0, 0, hand.bit_count())
            pack_worth = self.yaku_worth(cards.ALL, gains) + self.plain_worth(cards.ALL)
            average = pack_worth / len(cards.LETTERS)
            worth = self.yaku_worth(hand, gains) + self.plain_worth(hand)
            return Bid(seat, worth >= average * hand.bit_count())
        return next((action for action in actions if isinstance(action, Begin)), actions[0])
