"""A fair player for play-outs: fast, deterministic, and ignorant of hidden cards.

The value of a card is its contribution to yaku, both to its captor and to the opponents, who would
have to pay. All values come from the tables of the ruleset, and all weights from its description,
so the policy plays any ruleset and house. Equal knowledge leads to equal actions, so small endings
can be enumerated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.analysis.features import (
    FEATURES,
    Prospects,
    YakuRow,
    find_prospects,
    is_deterred,
    list_features,
)
from kafu.analysis.worths import CardWorth, YakuWorths
from kafu.rules.play.actions import Action, Begin, Bid, ShowAction
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.rulesets import RULESETS
from kafu.rules.weights import PolicyWeights
from kafu.rules.yaku import YakuTable

#: The bits of the number of unseen cards.
_UNSEEN_BITS: Final = 6


class Policy:
    """The player of one ruleset's machine, for every seat of a state."""

    def __init__(self, machine: Machine[Any], weights: PolicyWeights | None = None) -> None:
        description = RULESETS[machine.id]
        self.machine = machine
        self.unit = description.unit
        self.choice = description.choice
        self.weights = weights = weights or description.policy(machine)
        self.safe, self.denied, self.contested = weights.safe, weights.denied, weights.contested
        self.spent, self.lost, self.given = weights.spent, weights.lost, weights.given
        self.preserved, self.pair = weights.preserved, weights.pair
        #: Cache of `_list_risks`.
        self._risks: dict[int, tuple[tuple[float, float, float], ...]] = {}
        #: Whether a thrown card without a pair and with a value is never worth more than 0.
        self.never_gains = min(weights.lost, weights.given, weights.bonus) >= 0.0
        self.play_on: list[float] = [weights.play_on.get(name, 0.0) for name in FEATURES]
        self.play_on += weights.situation_weights
        #: Whether the prospects of opponents never speak for playing on.
        self.is_deterred = is_deterred(self.play_on)
        points = description.card_points
        kinds = (
            (cards.BRIGHTS, weights.brights),
            (cards.ANIMALS, weights.animals),
            (cards.RIBBONS, weights.ribbons),
            (cards.CHAFF, weights.chaff),
        )
        #: Values apart from yaku, by card.
        self.plain: dict[int, float] = {
            card: (points(card) * weights.points if points else 0.0)
            + sum(worth for group, worth in kinds if group & card)
            for card in cards.bits(cards.ALL)
        }
        self._loaded: dict[YakuTable, YakuWorths] = {}
        self._load(machine.captured_yaku)

    def _load(self, table: YakuTable) -> None:
        """Load a yaku table, with its values."""
        self.table = table
        if table not in self._loaded:
            self._loaded[table] = YakuWorths(table, self.weights, self.unit)
        self.worths = worths = self._loaded[table]
        #: By card: its month, its value apart from yaku, the bits of a position that matter, and
        #: its values for yaku.
        self.cards: dict[int, tuple[int, float, int, CardWorth]] = {
            card: (cards.MATCH[card], plain, worths.by_card[card].bits, worths.by_card[card])
            for card, plain in self.plain.items()
        }
        unit = float(self.unit)
        self.rows: list[YakuRow] = [
            (row.cards, row.need, row.value * unit, row.step * unit, row.must) for row in table
        ]

    def _load_month(self, state: State) -> None:
        """Load the table of the current month, for houses with yaku of a month (K16)."""
        table = self.machine.yaku_table(state)
        if table is not self.table:
            self._load(table)

    # Choices --------------------------------------------------------------------------------------

    def choose_card(self, state: State) -> tuple[int, int]:
        """Return the hand card to play and its capture (masks)."""
        return self._choose_card(*self._look(state))

    def list_worths(self, state: State) -> list[tuple[float, int, int]]:
        """Return the worth of each hand card with each capture, as worth, card and capture.

        The order is the one of `TableCards.plays`.
        """
        listed: list[tuple[float, int, int]] = []
        self._choose_card(*self._look(state), listed)
        return sorted(listed, key=itemgetter(1, 2))

    def _count(self, state: State) -> tuple[list[int], int]:
        """Return the parts of positions: for each seat its own, and the part of all seats."""
        self._load_month(state)
        worths, table, width = self.worths, state.table, self.worths.width
        counts = [worths.count(captured) for captured in table.captured]
        turns = [hand.bit_count() << 2 * width for hand in table.hands]
        return list(map(int.__add__, counts, turns)), sum(counts) << width

    def _look(self, state: State) -> tuple[int, int, int, int, int, list[int]]:
        """Return the table as the seat in turn sees it, as arguments of `_choose_card`."""
        counts, total = self._count(state)
        table, i = state.table, state.seat - 1
        playing = self.machine.in_play(state)
        hand, seen = table.hands[i], table.hands[i] | table.field
        for captured in table.captured:
            seen |= captured
        in_hands = sum([cards_.bit_count() for cards_ in table.hands]) - hand.bit_count()
        own = counts[i] + total + self.worths.mark(len(playing) - 1)
        opponents = [counts[seat - 1] + total for seat in playing if seat != i + 1]
        return hand, table.field, cards.ALL & ~seen, in_hands, own, opponents

    def _choose_card(
        self,
        hand: int,
        field: int,
        unseen: int,
        in_hands: int,
        own: int,
        opponents: list[int],
        listed: list[tuple[float, int, int]] | None = None,
    ) -> tuple[int, int]:
        """Return the hand card to play and its capture.

        The opponents hold ``in_hands`` of the ``unseen`` cards. ``own`` and ``opponents`` are
        positions. All worths are added to ``listed``; without this list, those are left out that
        cannot be the best.

        A thrown card loses its value if an opponent may capture it, unless a second card of its
        month in the hand preserves a part.
        """
        months = 0b1111 * ((field | field >> 1 | field >> 2 | field >> 3) & cards.FIRSTS)
        if listed is None and not hand & hand - 1:
            match = field & self.cards[hand][0]
            if match.bit_count() != 2:
                return hand, match
        number = in_hands << _UNSEEN_BITS | unseen.bit_count()
        risks = self._risks.get(number) or self._list_risks(number)
        facts, spent, lost, given = self.cards, self.spent, self.lost, self.given
        best, best_card, best_take = -1e9, 0, 0
        left = hand & months
        while left:
            card = left & -left
            left ^= card
            month, plain, bits, worths = facts[card]
            match = field & month
            base = spent * (worths[own & bits] + plain if bits else plain)
            _, kept, claim = risks[(month & unseen).bit_count()]
            is_pair = match.bit_count() == 2
            while match:
                take = match & -match if is_pair else match
                match ^= take
                worth, threat = self._weigh(take, own, opponents)
                worth = base + kept * worth + claim * threat
                if worth > best:
                    best, best_card, best_take = worth, card, take
                if listed is not None:
                    listed.append((worth, card, take))
        is_surpassed = self.never_gains and best > 0.0 and listed is None
        left = hand & ~months
        while left:
            card = left & -left
            left ^= card
            month, plain, bits, worths = facts[card]
            pair = month & hand ^ card
            if is_surpassed and not pair and plain >= 0.0:
                continue
            worth, threat = plain, 0.0
            if bits:
                worth += worths[own & bits]
                for opponent in opponents:
                    threat += worths[opponent & bits]
            risk, _, _ = risks[(month & unseen).bit_count()]
            loss = risk * (lost * worth + given * threat)
            if pair:
                loss -= (1.0 - risk) * (self.preserved * worth + self.pair)
            if -loss > best:
                best, best_card, best_take = -loss, card, 0
            if listed is not None:
                listed.append((-loss, card, 0))
        return best_card, best_take

    def _list_risks(self, number: int) -> tuple[tuple[float, float, float], ...]:
        """Return the chances that opponents hold any of 0 to 3 unseen cards, and factors by these.

        The opponents' hands have ``number >> _UNSEEN_BITS`` of all unseen cards, the lower bits.
        The factors are those of the value of captured cards to the captor and to the opponents.
        """
        in_hands, unseen = number >> _UNSEEN_BITS, number & (1 << _UNSEEN_BITS) - 1
        missed = 1.0 - in_hands / unseen if unseen else 1.0
        risks = [1.0 - missed**count for count in range(4)]
        self._risks[number] = listed = tuple(
            (risk, 1.0 - self.safe * (1.0 - risk), self.denied + self.contested * risk)
            for risk in risks
        )
        return listed

    def _weigh(self, take: int, own: int, opponents: list[int]) -> tuple[float, float]:
        """Return the value of captured cards to the captor, and their value to the opponents.

        ``own`` and ``opponents`` are positions.
        """
        worth = threat = 0.0
        while take:
            card = take & -take
            take ^= card
            _, plain, bits, worths = self.cards[card]
            worth += plain
            if bits:
                worth += worths[own & bits]
                for opponent in opponents:
                    threat += worths[opponent & bits]
        return worth, threat

    def choose_capture(self, state: State, card: int) -> int:
        """Return the capture (a mask) of a turned card."""
        match = state.table.field & cards.MATCH[card]
        if match.bit_count() != 2:
            return match
        *_, own, opponents = self._look(state)
        return self._choose_capture(match, own, opponents)

    def _choose_capture(self, match: int, own: int, opponents: list[int]) -> int:
        """Return the better one of two cards."""
        low = match & -match
        high = match ^ low
        low_worth, low_threat = self._weigh(low, own, opponents)
        high_worth, high_threat = self._weigh(high, own, opponents)
        claim = self.denied + self.contested
        return high if high_worth + claim * high_threat > low_worth + claim * low_threat else low

    def plays_on(self, state: State) -> bool:
        """Return whether the seat that has made a yaku plays on."""
        prospects, situation = self._find_prospects(state)
        if self.is_deterred:
            unthreatened = prospects.list_features(0.0, 0.0, 0.0)
            if self._weigh_features([*unthreatened, *situation]) <= 0.0:
                return False
        return self._weigh_features(self._list_features(state, prospects, situation)) > 0.0

    def list_features(self, state: State) -> list[float]:
        """Return the values of `FEATURES` for a decision, and those of the ruleset's situation."""
        return self._list_features(state, *self._find_prospects(state))

    def _find_prospects(self, state: State) -> tuple[Prospects, list[float]]:
        """Return the prospects of the seat in turn, and the features of the situation."""
        self._load_month(state)
        stake, *situation = self.weights.situation(self.machine, state)
        return find_prospects(state, self.rows, self.unit, stake), situation

    def _list_features(
        self, state: State, prospects: Prospects, situation: list[float]
    ) -> list[float]:
        playing = self.machine.in_play(state)
        return [*list_features(state, playing, self.rows, prospects), *situation]

    def _weigh_features(self, features: list[float]) -> float:
        worth = 0.0
        for weight, feature in zip(self.play_on, features, strict=False):
            worth += weight * feature
        return worth

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
        words = self.machine.list_decisions(state)
        choice = self.choice
        if len(words) == 1 or choice is None:
            return words[0]
        return choice.on if self.plays_on(state) else choice.stop

    def play_out(self, state: State, card: int = 0, take: int = 0) -> State:
        """Play a deal to its end in place, and return ``state``.

        A hand ``card`` with its capture ``take`` (masks) is played first, if given.
        """
        machine = self.machine
        while True:
            phase = state.phase
            if phase is AT_HAND and (quiet := machine.count_quiet_turns(state)):
                self._play_turns(state, quiet, card, take)
            elif phase is AT_HAND and card:
                machine.hand_card(state, card, take)
            elif phase is AT_HAND or phase is AT_STOCK or phase is AT_DECISION:
                self.step(state)
            else:
                return state
            card = 0

    def _play_turns(self, state: State, quiet: int, card: int, take: int) -> None:
        """Play turns until a decision or the end; the machine judges those that are not quiet.

        Only the first ``quiet`` turns can be quiet. The first turn plays the hand ``card`` with its
        capture ``take`` (masks), unless ``card`` is 0.
        """
        machine, table = self.machine, state.table
        hands, captured, stock, match = table.hands, table.captured, table.stock, cards.MATCH
        seats = machine.in_play(state)
        counts, total = self._count(state)
        worths = self.worths
        gains, mark = worths.gains, worths.mark(len(seats) - 1)
        reach, loud = worths.reach if self.choice else 0, machine.find_loud_cards()
        turn = 1 << 2 * worths.width
        next_of, opponents_of = _order(seats)
        in_hands = sum([hand.bit_count() for hand in hands])
        field, turned, played = table.field, table.turned, state.turn
        # The cards of all hands and of the draw pile.
        covered = cards.ALL & ~field
        for group in captured:
            covered &= ~group
        last = played + quiet
        seat = state.seat
        while True:
            i = seat - 1
            hand, held, own, before = hands[i], captured[i], counts[i], field
            others = opponents_of[seat]
            if not card:
                opponents = [counts[k] + total for k in others]
                card, take = self._choose_card(
                    hand,
                    field,
                    covered ^ hand,
                    in_hands - hand.bit_count(),
                    own + total + mark,
                    opponents,
                )
            hands[i] = hand ^ card
            own -= turn
            changed = 0
            if take:
                group = card | take
                captured[i] = held | group
                field ^= take
                gained, gained_by_all, changed = gains[group]
                own += gained
                total += gained_by_all
            else:
                field |= card
            drawn = stock[turned]
            taken = field & match[drawn]
            if taken:
                if taken.bit_count() == 2:
                    opponents = [counts[k] + total for k in others]
                    taken = self._choose_capture(taken, own + total + mark, opponents)
                group = drawn | taken
                captured[i] |= group
                field ^= taken
                gained, gained_by_all, touched = gains[group]
                own += gained
                total += gained_by_all
                changed |= touched
            else:
                field |= drawn
            covered ^= card | drawn
            counts[i] = own
            in_hands -= 1
            state.seat, table.field = seat, field
            turned += 1
            played += 1
            if played <= last and not own + reach & changed:
                is_loud = (card | take | drawn | taken) & loud
                if not is_loud or machine.is_quiet(state, card, take, drawn, taken):
                    seat, card = next_of[seat], 0
                    continue
            table.left -= turned - table.turned
            table.turned, state.turn = turned, played
            if played > last or not machine.end_turn(state, card, take, drawn, taken):
                hands[i], captured[i], table.field = hand, held, before
                table.left += 1
                table.turned, state.turn = turned - 1, played - 1
                machine.hand_card(state, card, take)
                if state.phase is AT_STOCK:
                    machine.stock_card(state, drawn, taken)
            if state.phase is not AT_HAND:
                return
            seat, card = next_of[seat], 0

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
            position = (turns << 2 * self.worths.width) + self.worths.mark(1)
            average = self._hand_worth(cards.ALL, position) / len(cards.LETTERS)
            worth = self._hand_worth(hand, position)
            return Bid(seat, worth >= self.weights.bid * average * turns)
        return next((action for action in actions if isinstance(action, Begin)), actions[0])

    def _hand_worth(self, hand: int, position: int) -> float:
        """Return the value of a hand before the first card."""
        plain = sum([self.plain[card] for card in cards.bits(hand)])
        return self.worths.worth(hand, position) + plain


@cache
def _order(seats: tuple[int, ...]) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Return by seat the next seat, and the places of the opponents, of seats in play order."""
    next_of = dict(zip(seats, (*seats[1:], seats[0]), strict=True))
    return next_of, {seat: [other - 1 for other in seats if other != seat] for seat in seats}
