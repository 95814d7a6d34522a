"""The luck of deal and stock in a deal, apart from what its seats chose.

Luck is what chance brought more than it would have on average. At the deal that is the value of the
cards dealt less that of any deal; at each turned card the value with this card less that with a
card of the stock by chance. This is the correction for chance that White and Bowling ("Learning a
value analysis tool for agent evaluation", IJCAI 2009) and, with corrections for known players as
well, Burch, Schmid, Moravčík, Morrill and Bowling ("AIVAT: A new variance reduction technique for
agent evaluation in imperfect information games", AAAI 2018) subtract as a control variate. Its mean
is zero whatever value is put on a state, since chance is compared with itself; here that is the
mean result of play-outs by the policy, with the rest of the stock in an order of their own.

What a choice brought is measured in the same way: the value after it less that after what the
policy would have chosen, which is the value before it. So all differences of a deal, from any deal
to its result, add up (`kafu.analysis.account`).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from kafu import cards
from kafu.analysis.policy import Policy
from kafu.analysis.search import margin
from kafu.rules.play.actions import Action, Begin, Deal, Draw, Redeal, Show
from kafu.rules.play.machine import Phase, State
from kafu.rules.play.table import TableCards

#: Play-outs for each card of chance and each choice, and as many with others in its place.
PLAYOUTS: Final = 128


class Amounts(NamedTuple):
    """A measured sum of each seat, in the small unit, and its standard error."""

    value: tuple[float, ...]
    error: tuple[float, ...]

    def plus(self, other: Amounts) -> Amounts:
        """The sum of two that were measured apart."""
        pairs = zip(self.error, other.error, strict=True)
        return Amounts(
            tuple(map(float.__add__, self.value, other.value)),
            tuple(sqrt(one * one + two * two) for one, two in pairs),
        )


def nothing(players: int) -> Amounts:
    """Zero, which is certain, for so many seats."""
    return Amounts((0.0,) * players, (0.0,) * players)


class Compared(NamedTuple):
    """What chance or a choice brought: the value ``after`` it, the value of what it is compared
    with (``before``), and the ``difference``, which is more certain than the two.
    """

    before: Amounts
    after: Amounts
    difference: Amounts


class Meter:
    """Measures deals that are played through; all cards of a deal must be known."""

    def __init__(self, policy: Policy, random: Random, playouts: int = PLAYOUTS) -> None:
        """Values by a policy's play-outs."""
        self.policy, self.random, self.playouts = policy, random, playouts
        self.rules = policy.rules
        self.players = policy.rules.players

    def dealt(self, before: State, deal: Deal) -> Compared:
        """A whole deal, in the state ``before`` it, against any deal. Who deals counts as given."""
        pairs = _Pairs(self.players)
        for _ in range(self.playouts):
            own = self._reshuffled(self.rules.step(before.copy(), deal))
            other = self.rules.deal(before, self.random)
            if other.dealer != deal.dealer:
                other = other._replace(dealer=deal.dealer)
            pairs.add(self._value(own), self._value(self.rules.step(before.copy(), other)))
        return pairs.compared

    def turned(self, state: State) -> Compared | None:
        """The card on top of the stock in ``state``, where it is to be turned, against any card of
        it; None where there is but one.
        """
        ahead = state.table.ahead
        if len(set(ahead)) < 2:
            return None
        pairs = _Pairs(self.players)
        top, order = ahead[0], list(ahead)
        for _ in range(self.playouts):
            self.random.shuffle(order)
            own, at = list(order), order.index(top)
            # The same order but for these two, so that little else differs.
            own[0], own[at] = top, own[0]
            value = self._value(_stacked(state, tuple(own)))
            pairs.add(value, self._value(_stacked(state, tuple(order))) if at else value)
        return pairs.compared

    def chosen(self, before: State, action: Action) -> Iterator[tuple[int, Compared]]:
        """An action of a seat against what the policy would have done, with the seat, where that is
        something else. The end of the declarations is a choice of each seat that might have shown
        its hand and did not.
        """
        if isinstance(action, Begin):
            yield from self._unshown(before)
        elif not self._is_policy(before, action):
            seat = getattr(action, "seat", before.seat)
            yield seat, self._against(before, action)

    def _is_policy(self, before: State, action: Action) -> bool:
        if before.phase is Phase.SHOW:
            return isinstance(action, Show) and action in self._shows(before, action.seat)[:1]
        if before.phase is Phase.BID:
            return action == self.policy.opening(before)
        own = before.copy()
        self.policy.step(own)
        chosen: State = self.rules.step(before.copy(), action)
        return own == chosen

    def _shows(self, state: State, seat: int = 0) -> list[Show]:
        """The declarations that are possible, of one seat or of all; the longest first."""
        actions = self.rules.legal_actions(state)
        shows = [one for one in actions if isinstance(one, Show) and seat in (0, one.seat)]
        return sorted(shows, key=lambda show: -len(show.yaku))

    def _against(self, before: State, action: Action) -> Compared:
        pairs = _Pairs(self.players)
        kept = 1 if isinstance(action, Draw) else 0
        for _ in range(self.playouts):
            state = self._reshuffled(before, kept)
            pairs.add(self._value(self.rules.step(state.copy(), action)), self._value(state))
        return pairs.compared

    def _unshown(self, before: State) -> Iterator[tuple[int, Compared]]:
        """What it brought each seat not to show its hand, one seat after the other."""
        state = before
        while shows := self._shows(state):
            then = self.rules.step(state.copy(), shows[0])
            pairs = _Pairs(self.players)
            for _ in range(self.playouts):
                order = self._order(state)
                without = self._closed(_stacked(state, order))
                shown = self._closed(_stacked(then, order))
                pairs.add(self._value(without), self._value(shown))
            yield shows[0].seat, pairs.compared
            state = then

    def _closed(self, state: State) -> State:
        """The state after nothing more is shown: play begins, or the month is dealt again (A1)."""
        actions = self.rules.legal_actions(state)
        end = next(action for action in actions if isinstance(action, Begin | Redeal))
        after: State = self.rules.step(state, end)
        return after

    def _value(self, state: State) -> list[int]:
        """What a deal in play brings each seat, played out on the state itself."""
        state = self.policy.play_out(self.policy.begin(state, self.random))
        assert state.result is not None, "the deal was played out"
        score = state.result.score
        return [margin(score, seat) for seat in range(1, self.players + 1)]

    def _order(self, state: State, kept: int = 0) -> tuple[int, ...]:
        ahead = list(state.table.ahead)
        rest = ahead[kept:]
        self.random.shuffle(rest)
        return (*ahead[:kept], *rest)

    def _reshuffled(self, state: State, kept: int = 0) -> State:
        """A state whose stock lies in another order but for the cards ``kept`` on top; where it is
        laid only after bids, as it is.
        """
        return _stacked(state, self._order(state, kept))


class _Pairs:
    """Results of pairs of play-outs, a list a seat each."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.own: list[list[int]] = []
        self.other: list[list[int]] = []

    def add(self, own: list[int], other: list[int]) -> None:
        self.own.append(own)
        self.other.append(other)

    @property
    def compared(self) -> Compared:
        pairs = zip(self.own, self.other, strict=True)
        differences = [[a - b for a, b in zip(*pair, strict=True)] for pair in pairs]
        return Compared(*map(self._amounts, (self.other, self.own, differences)))

    def _amounts(self, results: list[list[int]]) -> Amounts:
        count = len(results)
        means, errors = [], []
        for i in range(self.players):
            mean = sum(result[i] for result in results) / count
            squares = sum((result[i] - mean) ** 2 for result in results)
            means.append(mean)
            errors.append(sqrt(squares / (count - 1) / count) if count > 1 else 0.0)
        return Amounts(tuple(means), tuple(errors))


def _stacked(state: State, ahead: tuple[int, ...]) -> State:
    """The state with the cards of its stock that were not turned in this order."""
    other = state.copy()
    if ahead:
        table = other.table
        other.table = TableCards(
            table.hands, table.hidden, table.field, table.captured, ahead, table.left, cards.ALL
        )
    return other
