"""The luck of deal and stock in a deal, apart from what its seats chose.

Luck is what chance brought more than it would have on average. At the deal that is the value of the
cards dealt less that of any deal; at each turned card the value with this card less that with a
card of the stock by chance. This is the correction for chance that White and Bowling ("Learning a
value analysis tool for agent evaluation", IJCAI 2009) and, with corrections for known players as
well, Burch, Schmid, Moravčík, Morrill and Bowling ("AIVAT: A new variance reduction technique for
agent evaluation in imperfect information games", AAAI 2018) subtract as a control variate. Its mean
is zero whatever value is put on a state, since chance is compared with itself; here that is the
mean result of play-outs by the policy, with the rest of the stock in an order of their own.
"""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.analysis.policy import Policy
from kafu.analysis.search import margin
from kafu.judging import playthrough
from kafu.notation.game import Game, Month
from kafu.rules.play.actions import Action, Deal, Draw, Event
from kafu.rules.play.machine import Machine, State
from kafu.rules.play.table import TableCards
from kafu.rules.rulesets import Unsupported, machine_of

#: Play-outs for each card of chance, and as many with others in its place.
PLAYOUTS: Final = 128


class Luck(NamedTuple):
    """The luck of each seat in a deal, in the small unit: of the cards dealt, and of those turned
    from the stock, by whomever.
    """

    deal: tuple[float, ...]
    stock: tuple[float, ...]


class LuckMeter:
    """Measures the luck of deals that are played through; all cards of a deal must be known."""

    def __init__(self, policy: Policy, random: Random, playouts: int = PLAYOUTS) -> None:
        """Luck by a policy's play-outs."""
        self.policy, self.random, self.playouts = policy, random, playouts
        self.players = policy.rules.players

    def dealt(self, before: State, deal: Deal) -> tuple[float, ...]:
        """The luck of a whole deal, in the state ``before`` it. Who deals counts as given."""
        rules, random = self.policy.rules, self.random
        luck = [0.0] * self.players
        for _ in range(self.playouts):
            own = self._reshuffled(rules.step(before.copy(), deal))
            other = rules.deal(before, random)
            if other.dealer != deal.dealer:
                other = other._replace(dealer=deal.dealer)
            self._add(luck, own, rules.step(before.copy(), other))
        return tuple(luck)

    def turned(self, state: State) -> tuple[float, ...]:
        """The luck of the card on top of the stock in ``state``, where it is to be turned."""
        luck = [0.0] * self.players
        ahead = state.table.ahead
        if len(set(ahead)) < 2:
            return tuple(luck)
        top, order = ahead[0], list(ahead)
        for _ in range(self.playouts):
            self.random.shuffle(order)
            own, at = list(order), order.index(top)
            if at:  # the same order but for these two, so that little else differs
                own[0], own[at] = top, own[0]
                self._add(luck, _stacked(state, tuple(own)), _stacked(state, tuple(order)))
        return tuple(luck)

    def _add(self, luck: list[float], own: State, other: State) -> None:
        """Add the difference between two states that chance might have brought."""
        one, two = self._value(own), self._value(other)
        for i in range(self.players):
            luck[i] += (one[i] - two[i]) / self.playouts

    def _value(self, state: State) -> list[int]:
        """What a deal in play brings each seat, played out."""
        state = self.policy.play_out(self.policy.begin(state, self.random))
        assert state.result is not None, "the deal was played out"
        score = state.result.score
        return [margin(score, seat) for seat in range(1, self.players + 1)]

    def _reshuffled(self, state: State) -> State:
        """A deal whose stock lies in another order; where it is laid only after bids, as it is."""
        ahead = list(state.table.ahead)
        if not ahead:
            return state
        self.random.shuffle(ahead)
        return _stacked(state, tuple(ahead))


def _stacked(state: State, ahead: tuple[int, ...]) -> State:
    """The state with the cards of its stock that were not turned in this order."""
    other = state.copy()
    table = other.table
    other.table = TableCards(
        table.hands, table.hidden, table.field, table.captured, ahead, table.left, cards.ALL
    )
    return other


class _Measurer:
    """Measures the luck of one deal, by its ``number``, while a game is played through."""

    def __init__(self, number: int, rules: Machine[Any], meter: LuckMeter) -> None:
        self.number, self.meter = number, meter
        self.before: State = rules.start()
        self.found: Luck | None = None

    def watch(
        self,
        number: int,
        action: Action,
        state: State,
        events: tuple[Event, ...],
        comments: list[str],
    ) -> None:
        """One more action of the record."""
        if number == self.number:
            if isinstance(action, Deal) and not action.misdealt:
                dealt = self.meter.dealt(self.before, action)
                self.found = Luck(dealt, (0.0,) * len(dealt))
            elif isinstance(action, Draw) and self.found is not None:
                more = self.meter.turned(self.before)
                sums = tuple(map(float.__add__, self.found.stock, more))
                self.found = self.found._replace(stock=sums)
        self.before = state


def of_deal(game: Game, number: int, *, seed: int = 0, playouts: int = PLAYOUTS) -> Luck | None:
    """The luck of a deal of a game by its number, from 1; None where not all cards are recorded,
    where they were misdealt, and after a fault. The same seed gives the same figures.

    Raises `kafu.rules.rulesets.Unsupported`, for a score sheet too.
    """
    if game.is_sheet:
        raise Unsupported(f"{game.rules} sheet")
    rules = machine_of(game.rules, game.options, len(game.players))
    if not _is_whole(game.months[number - 1]):
        return None
    meter = LuckMeter(Policy(rules), Random(f"luck {seed} {number}"), playouts)
    measurer = _Measurer(number, rules, meter)
    upto = dataclasses.replace(game, months=game.months[:number])
    playthrough.play(upto, rules, measurer.watch)
    return measurer.found


def _is_whole(month: Month) -> bool:
    """Whether all cards of a deal are recorded."""
    if month.stock is None or month.stock_cut:
        return False
    return cards.UNKNOWN not in month.stock + "".join(month.hands.values())
