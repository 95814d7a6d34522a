"""A fair player for play-outs: fast, without chance, and blind to what its seat cannot see.

A card is worth what it adds to the yaku that it leads to, to its captor and, as they would have to
be paid, to the others. All values come from the ruleset's own tables, so that it plays any ruleset
and house. The same knowledge gives the same action, so that small endings can be counted exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules.play.actions import Action, Begin, Bid, Say, Show
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import YakuTable, total

#: The chance that one card more of a yaku is captured, for each turn that its player has left, and
#: at the most. Found by matches of the policy against itself.
_CHANCE: Final = 0.05
_MOST: Final = 0.85
#: How much taking a card away from others counts, of what it is worth to them.
_DENIED: Final = 0.7
#: Of card points, how much counts where a yaku may end the deal before they are counted.
_COUNTED: Final = 0.6
#: What a pair of a month in hand keeps of a card that is thrown.
_KEPT: Final = 0.5
#: A card's worth apart from yaku and points, to choose by where all else is equal.
_PLAIN: Final = ((cards.BRIGHTS, 0.3), (cards.ANIMALS, 0.15), (cards.SLIPS, 0.12))
#: How much more than stopping playing on must promise.
_SURE: Final = 1.3


class Policy:
    """The player of one ruleset's machine; it plays every seat of a state."""

    def __init__(self, rules: Machine[Any]) -> None:
        """Its tables, from those of the ruleset."""
        described = RULESETS[rules.id]
        self.rules = rules
        self.unit = described.unit
        self.choice = described.choice
        self._load(rules.captured_yaku)
        points = described.card_points
        share = _COUNTED if described.choice else 1.0
        self.plain: list[float] = [
            (points(1 << index) * share if points else 0.0)
            + sum(worth for group, worth in _PLAIN if group >> index & 1)
            for index in range(48)
        ]

    def _load(self, table: YakuTable) -> None:
        """Take the rows of a table."""
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
        #: By the index of a card: the numbers of the rows that it counts for.
        self.rows_of: list[list[int]] = [
            [number for number, row in enumerate(self.rows) if row[0] >> index & 1]
            for index in range(48)
        ]

    def _turn_to(self, state: State) -> None:
        """Take the rows of the month that is played, where a house has a yaku of it (K16)."""
        table = self.rules.yaku_table(state)
        if table is not self.table:
            self._load(table)

    # What cards are worth -------------------------------------------------------------------------

    def steps(self, mine: int, others: int, turns: int) -> list[float]:
        """What one card more of each row adds for who has captured ``mine``, with ``others`` gone
        and so many ``turns`` left, in the small unit.
        """
        found: list[float] = []
        chance = _CHANCE * turns
        gone = mine | others
        for group, need, value, step, must in self.rows:
            left = need - (mine & group).bit_count()
            if left <= 0:
                found.append(step)
                continue
            free = (group & ~gone).bit_count()
            if free < left or must & others:
                found.append(0.0)
                continue
            if left == 1:
                next_ = chance * free
                found.append(value * (1.0 - (next_ if next_ < _MOST else _MOST)))
                continue
            odds = chance * free / left
            if odds > _MOST:
                odds = _MOST
            found.append(value * odds ** (left - 1) * (1.0 - odds))
        return found

    def worth(self, group: int, steps: list[float]) -> float:
        """What cards (a mask) add by rows of which a card adds ``steps``."""
        found = 0.0
        while group:
            low = group & -group
            for number in self.rows_of[low.bit_length() - 1]:
                found += steps[number]
            group ^= low
        return found

    def points(self, group: int) -> float:
        """What cards are worth apart from yaku."""
        found = 0.0
        while group:
            low = group & -group
            found += self.plain[low.bit_length() - 1]
            group ^= low
        return found

    def _views(self, state: State) -> tuple[list[float], list[float], int]:
        """What a card of each row adds for the seat in turn, and for the others together; and the
        cards captured by all.
        """
        self._turn_to(state)
        table, i = state.table, state.seat - 1
        gone = 0
        for taken in table.captured:
            gone |= taken
        playing = self.rules.in_play(state)
        mine = table.captured[i]
        turns = table.hands[i].bit_count()
        own = self.steps(mine, gone & ~mine, turns)
        payers = len(playing) - 1
        if payers > 1:
            own = [one * payers for one in own]
        theirs: list[float] = []
        for seat in playing:
            if seat != i + 1:
                taken = table.captured[seat - 1]
                one = self.steps(taken, gone & ~taken, table.hands[seat - 1].bit_count())
                theirs = [a + b for a, b in zip(theirs, one, strict=True)] if theirs else one
        return own, theirs, gone

    # The three kinds of choices -------------------------------------------------------------------

    def card(self, state: State) -> tuple[int, int]:
        """The card to play from the hand and what it captures (masks)."""
        table, i = state.table, state.seat - 1
        hand, field = table.hands[i], table.field
        own, theirs, gone = self._views(state)
        unseen = cards.ALL & ~(hand | field | gone)
        held = 0
        for other, cards_ in enumerate(table.hands):
            if other != i:
                held += cards_.bit_count()
        count = unseen.bit_count()
        missed = 1.0 - held / count if count else 1.0
        best, chosen, taken = -1e9, 0, 0
        left = hand
        while left:
            low = left & -left
            left ^= low
            month = cards.MATCH[low]
            match = field & month
            if not match:
                got = self._thrown(low, month & hand & ~low, month & unseen, missed, own, theirs)
                if got > best:
                    best, chosen, taken = got, low, 0
                continue
            base = self.worth(low, own) + self.points(low)
            two = match.bit_count() == 2
            while match:
                take = match & -match if two else match
                match ^= take
                got = base + self._taken(take, own, theirs)
                if got > best:
                    best, chosen, taken = got, low, take
        return chosen, taken

    def _taken(self, take: int, own: list[float], theirs: list[float]) -> float:
        return self.worth(take, own) + self.points(take) + _DENIED * self.worth(take, theirs)

    def _thrown(
        self,
        card: int,
        pair: int,
        unseen: int,
        missed: float,
        own: list[float],
        theirs: list[float],
    ) -> float:
        """What throwing a card costs: another may capture it with a card that was not ``unseen``
        by who holds it; a ``pair`` in hand may capture it yet.
        """
        taken = 1.0 - missed ** unseen.bit_count()
        mine = self.worth(card, own) + self.points(card)
        lost = taken * (mine + self.worth(card, theirs))
        if pair:
            lost -= _KEPT * (1.0 - taken) * mine
        return -lost

    def take(self, state: State, card: int) -> int:
        """What a turned card captures (a mask)."""
        match = state.table.field & cards.MATCH[card]
        if match.bit_count() != 2:
            return match
        own, theirs, _ = self._views(state)
        low = match & -match
        other = match ^ low
        if self._taken(other, own, theirs) > self._taken(low, own, theirs):
            return other
        return low

    def goes_on(self, state: State) -> bool:
        """Whether the seat that has made a yaku plays on: where what may be added, and that it may
        all be lost to another's yaku or with the last card, promises more than stopping.
        """
        self._turn_to(state)
        table, i = state.table, state.seat - 1
        gone = 0
        for taken in table.captured:
            gone |= taken
        now = float(total(self.rules.yaku(state, i + 1)) * self.unit)
        mine = table.captured[i]
        turns = table.hands[i].bit_count()
        more, grows = self._promise(mine, gone & ~mine, turns)
        playing = self.rules.in_play(state)
        theirs, beaten = 0.0, 0.0
        for seat in playing:
            if seat != i + 1:
                taken = table.captured[seat - 1]
                left = table.hands[seat - 1].bit_count()
                worth, odds = self._promise(taken, gone & ~taken, left)
                theirs += worth / (len(playing) - 1)
                beaten = 1.0 - (1.0 - beaten) * (1.0 - odds)
        on = (1.0 - beaten / 2) * (grows * now + more) - (1.0 - grows / 2) * theirs
        return on > _SURE * now

    def _promise(self, mine: int, others: int, turns: int) -> tuple[float, float]:
        """What more yaku may bring who has captured ``mine``, and the chance that some do."""
        chance = _CHANCE * turns
        gone = mine | others
        worth, none = 0.0, 1.0
        for group, need, value, step, must in self.rows:
            left = need - (mine & group).bit_count()
            free = (group & ~gone).bit_count()
            if left <= 0:
                if not step or not free:
                    continue
                left, value = 1, step
            elif free < left or must & others:
                continue
            odds = chance * free / left
            if odds > _MOST:
                odds = _MOST
            odds = odds**left
            worth += value * odds
            none *= 1.0 - odds
        return worth, 1.0 - none

    # Playing --------------------------------------------------------------------------------------

    def step(self, state: State) -> None:
        """Play one action of a deal in play, whose next stock card is known, on ``state``
        itself.
        """
        rules, phase = self.rules, state.phase
        if phase is AT_HAND:
            card, take = self.card(state)
            rules.hand_card(state, card, take)
        elif phase is AT_STOCK:
            table = state.table
            card = table.stock[table.turned]
            rules.stock_card(state, card, self.take(state, card))
        elif phase is AT_DECISION:
            rules.say(state, self.word(state))

    def word(self, state: State) -> str:
        """The decision of the seat in turn."""
        words = [one.word for one in self.rules.legal_actions(state) if isinstance(one, Say)]
        choice = self.choice
        if len(words) == 1 or choice is None:
            return words[0]
        return choice.on if self.goes_on(state) else choice.stop

    def play_out(self, state: State) -> State:
        """Play a deal in play to its end, on ``state`` itself, which is returned."""
        while True:
            phase = state.phase
            if phase is not AT_HAND and phase is not AT_STOCK and phase is not AT_DECISION:
                return state
            self.step(state)

    def begin(self, state: State, random: Random, silent: int = 0) -> State:
        """Play what comes before the first card: bids, the stock that chance lays after them, and
        all dealt hands declared but that of a ``silent`` seat.
        """
        rules = self.rules
        while state.phase in (Phase.BID, Phase.PILE, Phase.SHOW):
            if state.phase is Phase.PILE:
                state = rules.step(state, rules.pile(state, random))
            else:
                state = rules.step(state, self.opening(state, silent))
        return state

    def opening(self, state: State, silent: int = 0) -> Action:
        """What it does where bids or declarations of dealt hands are awaited; a ``silent`` seat
        declares none.
        """
        actions: Sequence[Action] = self.rules.legal_actions(state)
        shows = [one for one in actions if isinstance(one, Show) and one.seat != silent]
        if shows:
            return max(shows, key=lambda show: len(show.yaku))
        if isinstance(actions[0], Bid):
            seat = actions[0].seat  # not the dealer where that seat has the blank card (T3)
            hand = state.table.hands[seat - 1]
            steps = self.steps(0, 0, hand.bit_count())
            every = (self.worth(cards.ALL, steps) + self.points(cards.ALL)) / len(cards.LETTERS)
            held = self.worth(hand, steps) + self.points(hand)
            return Bid(seat, held >= every * hand.bit_count())
        return next((action for action in actions if isinstance(action, Begin)), actions[0])
