"""A fair player for play-outs: fast, deterministic, and ignorant of hidden cards.

The value of a card is its contribution to yaku, both to its captor and to the opponents, who would
have to pay. All values come from the tables of the ruleset, and all weights from its description,
so the policy plays any ruleset and house. Equal knowledge leads to equal actions, so small endings
can be enumerated.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules.play.actions import Action, Begin, Bid, Say, ShowAction
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.rulesets import RULESETS
from kafu.rules.weights import PolicyWeights
from kafu.rules.yaku import YakuTable

#: Features of the decision to play on, weighted by `PolicyWeights.play_on`. Amounts are
#: in the small unit, chances from 0 to 1.
FEATURES: Final = (
    "unit",  # the unit of the ruleset, as the constant
    "held",  # the value of stopping
    "promise",  # the value of playing on if an opponent's yaku halves it
    "more",  # the expected value of further yaku
    "grown",  # the value held, times the chance of any further yaku
    "threat",  # the expected value of the opponents' yaku, on average
    "forfeited",  # the value held, times the chance of any opponent's yaku
    "risk",  # the unit, times the same chance
    "odds",  # the unit, times the chance of any further yaku
    "turns",  # the unit, times the turns left
    "lasting",  # the value held, times the turns left
    "near",  # the value of yaku that lack one card, which a hand card captures or is
    "near_threat",  # the value of the opponents' yaku that lack one card on the field, on average
)


#: The chance to capture a further card of a yaku, per turn left, in the features of a decision; its
#: increase for cards within reach, as a factor, and its maximum.
_CHANCE: Final = 0.05
_CLOSE: Final = 2.0
_MAX_CHANCE: Final = 0.85


class Policy:
    """The player of one ruleset's machine, for every seat of a state."""

    def __init__(self, machine: Machine[Any], weights: PolicyWeights | None = None) -> None:
        description = RULESETS[machine.id]
        self.machine = machine
        self.unit = description.unit
        self.choice = description.choice
        self.weights = weights = weights or description.policy(machine)
        self.chance, self.near, self.threat = weights.chance, weights.near, weights.threat
        self.ceiling, self.safe = weights.ceiling, weights.safe
        self.denied, self.contested = weights.denied, weights.contested
        self.spent, self.lost, self.given = weights.spent, weights.lost, weights.given
        self.preserved, self.pair = weights.preserved, weights.pair
        self.play_on: list[float] = [weights.play_on.get(name, 0.0) for name in FEATURES]
        self.play_on += weights.situation_weights
        self._load(machine.captured_yaku)
        points = description.card_points
        kinds = (
            (cards.BRIGHTS, weights.brights),
            (cards.ANIMALS, weights.animals),
            (cards.RIBBONS, weights.ribbons),
            (cards.CHAFF, weights.chaff),
        )
        #: Values apart from yaku, by card index.
        self.plain: list[float] = [
            (points(1 << index) * weights.points if points else 0.0)
            + sum(worth for group, worth in kinds if group >> index & 1)
            for index in range(48)
        ]

    def _load(self, table: YakuTable) -> None:
        self.table = table
        bonus = self.weights.bonus
        self.rows: list[tuple[int, int, float, float, int]] = [
            (
                row.cards,
                row.need,
                (row.value + bonus) * self.unit,
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

    def row_gains(self, captured: int, gone: int, chance: float, near: float) -> list[float]:
        """Return the gain from one more card of each yaku row, in the small unit.

        ``captured`` is the mask of the player's captured cards, ``gone`` of the opponents'.
        ``chance`` is the chance to capture a further card of a yaku in the turns left, ``near`` the
        same if a single card lacks.
        """
        gains: list[float] = []
        ceiling = self.ceiling
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
                next_ = near * free
                gains.append(value * (1.0 - (next_ if next_ < ceiling else ceiling)))
                continue
            odds = chance * free / lacking
            if odds > ceiling:
                odds = ceiling
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
        gains = self.row_gains(captured, gone & ~captured, self.chance * turns, self.near * turns)
        payers = len(playing) - 1
        if payers > 1:
            gains = [gain * payers for gain in gains]
        threats: list[float] = []
        for seat in playing:
            if seat != i + 1:
                captured = table.captured[seat - 1]
                chance = self.threat * table.hands[seat - 1].bit_count()
                threat = self.row_gains(captured, gone & ~captured, chance, chance)
                threats = (
                    [a + b for a, b in zip(threats, threat, strict=True)] if threats else threat
                )
        return gains, threats, gone

    # Choices --------------------------------------------------------------------------------------

    def choose_card(self, state: State) -> tuple[int, int]:
        """Return the hand card to play and its capture (masks)."""
        best, best_card, best_take = -1e9, 0, 0
        for worth, card, take in self.list_worths(state):
            if worth > best:
                best, best_card, best_take = worth, card, take
        return best_card, best_take

    def list_worths(self, state: State) -> list[tuple[float, int, int]]:
        """Return the worth of each hand card with each capture, as worth, card and capture."""
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
        #: The chance that an opponent holds any of some unseen cards, by their number.
        risks = (0.0, 1.0 - missed, 1.0 - missed**2, 1.0 - missed**3)
        worths: list[tuple[float, int, int]] = []
        left = hand
        while left:
            low = left & -left
            left ^= low
            month = cards.MATCH[low]
            match = field & month
            if not match:
                worth = self._thrown_worth(
                    low, month & hand & ~low, risks[(month & unseen).bit_count()], gains, threats
                )
                worths.append((worth, low, 0))
                continue
            base = self.spent * (self.yaku_worth(low, gains) + self.plain_worth(low))
            is_pair = match.bit_count() == 2
            risk = risks[(month & unseen).bit_count()]
            while match:
                take = match & -match if is_pair else match
                match ^= take
                worth = base + self._captured_worth(take, gains, threats, risk)
                worths.append((worth, low, take))
        return worths

    def _captured_worth(
        self, take: int, gains: list[float], threats: list[float], risk: float = 1.0
    ) -> float:
        """Return the value of captured cards, with the chance that an opponent could do so."""
        worth = self.yaku_worth(take, gains) + self.plain_worth(take)
        return worth * (1.0 - self.safe * (1.0 - risk)) + (
            self.denied + self.contested * risk
        ) * self.yaku_worth(take, threats)

    def _thrown_worth(
        self,
        card: int,
        pair: int,
        risk: float,
        gains: list[float],
        threats: list[float],
    ) -> float:
        """Return the (negative) value of throwing a card.

        ``risk`` is the chance that an opponent holds a card of its month. A ``pair`` (mask) in the
        own hand may still capture it.
        """
        worth = self.yaku_worth(card, gains) + self.plain_worth(card)
        loss = risk * (self.lost * worth + self.given * self.yaku_worth(card, threats))
        if pair:
            loss -= (1.0 - risk) * (self.preserved * worth + self.pair)
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
        """Return whether the seat that has made a yaku plays on."""
        features = self.list_features(state)
        worth = 0.0
        for weight, feature in zip(self.play_on, features, strict=False):
            worth += weight * feature
        return worth > 0.0

    def list_features(self, state: State) -> list[float]:
        """Return the values of `FEATURES` for a decision, and those of the ruleset's situation."""
        self._load_month(state)
        table, i, unit = state.table, state.seat - 1, float(self.unit)
        stake, *situation = self.weights.situation(self.machine, state)
        held = stake * unit
        hand, field, gone = table.hands[i], table.field, 0
        for captured in table.captured:
            gone |= captured
        ready, left = 0, hand
        while left:
            low = left & -left
            left ^= low
            if match := field & cards.MATCH[low]:
                ready |= low | match
        captured, turns = table.captured[i], hand.bit_count()
        more, odds, near = self._promise(captured, gone & ~captured, turns, hand, ready)
        opponents = [seat for seat in self.machine.in_play(state) if seat != i + 1]
        threat = near_threat = beaten = 0.0
        for seat in opponents:
            captured, left = table.captured[seat - 1], table.hands[seat - 1].bit_count()
            worth, chance, close = self._promise(captured, gone & ~captured | hand, left, 0, field)
            threat += worth / len(opponents)
            near_threat += close / len(opponents)
            beaten = 1.0 - (1.0 - beaten) * (1.0 - chance)
        promise = (1.0 - beaten / 2) * (odds * held + more) - (1.0 - odds / 2) * threat
        return [
            *(unit, held, promise, more, odds * held, threat, beaten * held, beaten * unit),
            *(odds * unit, turns * unit, turns * held, near, near_threat, *situation),
        ]

    def _promise(
        self, captured: int, gone: int, turns: int, hand: int, ready: int
    ) -> tuple[float, float, float]:
        """Return what a player may expect of further yaku.

        That is the expected value, the chance of any, and the value of yaku that lack a ``ready``
        card. ``gone`` are cards out of reach; cards of ``hand`` and ``ready`` are easily captured.
        """
        chance, close = _CHANCE * turns, hand | ready
        unavailable = captured | gone
        worth, none, near = 0.0, 1.0, 0.0
        for group, need, value, step, must in self.rows:
            lacking = need - (captured & group).bit_count()
            available = group & ~unavailable
            free = available.bit_count()
            if lacking <= 0:
                if not step or not free:
                    continue
                lacking, value = 1, step
            elif free < lacking or must & gone:
                continue
            if lacking == 1 and available & ready:
                near += value
            odds = chance * (free + _CLOSE * (available & close).bit_count()) / lacking
            if odds > _MAX_CHANCE:
                odds = _MAX_CHANCE
            odds = odds**lacking
            worth += value * odds
            none *= 1.0 - odds
        return worth, 1.0 - none, near

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
            turns = hand.bit_count()
            gains = self.row_gains(0, 0, self.chance * turns, self.near * turns)
            pack_worth = self.yaku_worth(cards.ALL, gains) + self.plain_worth(cards.ALL)
            average = pack_worth / len(cards.LETTERS)
            worth = self.yaku_worth(hand, gains) + self.plain_worth(hand)
            return Bid(seat, worth >= self.weights.bid * average * turns)
        return next((action for action in actions if isinstance(action, Begin)), actions[0])
