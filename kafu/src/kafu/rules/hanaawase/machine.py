"""三人花合わせ: the rules as rulings/hanaawase.md reads them (A1–A6). Sums in points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.hanaawase.payments import PAYMENTS, VALUES, YAKU
from kafu.rules.payments import POINTS
from kafu.rules.play.actions import Deal, Illegal
from kafu.rules.play.at_end import FIELD, HAND, AtEnd, AtEndState, Declared
from kafu.rules.play.ledger import Entry, share
from kafu.rules.play.machine import Phase
from kafu.rules.play.seating import order_by_draw, turn_order
from kafu.rules.play.table import lay_out, shuffle
from kafu.rules.teyaku import HandYaku, find
from kafu.rules.verdict import Line

SEATS: Final = (1, 2, 3)
MONTHS: Final = 12
EVEN: Final = 88
#: The most points of ふけ (A3).
FUKE: Final = 30

#: 手役 by the number of chaff cards in the hand, of 24 (A1). No willow card except the chaff
#: counts.
CHAFF: Final = {6: "rokkasu", 7: "shichikasu"}
#: The classes of cards that 手役 by chaff depend on.
BY_CLASS: Final = dict.fromkeys(VALUES, (cards.CHAFF,))
#: 手役 after which the month is dealt again; 4-2-1 is 手四 and may be called 月三手 (A1).
AGAIN: Final = (
    HandYaku("teshi", 0, ((4, 3), (4, 2, 1), (4, 1, 1, 1))),
    HandYaku("tsukisante", 0, ((3, 2, 2), (3, 3, 1), (4, 2, 1))),
)


def declarations(hand: int) -> list[Declared]:
    """Return every right declaration of a hand of seven cards, at most one of which is made (A1).

    六カス has exactly six of the 24 chaff cards, 七カス seven; 手四 has a four of a month, 月三手
    three sorts of cards, and a hand 4-2-1 may be called either.
    """
    chaff = hand & cards.CHAFF
    declarations = []
    if name := CHAFF.get(chaff.bit_count()):
        declarations.append(Declared((name,), chaff))
    declarations += [Declared((row.id,), hand) for row in AGAIN if find((row,), hand)]
    return declarations


class Hanaawase(AtEnd):
    """The machine of 三人花合わせ, which has no options."""

    id = "hanaawase"
    players = 3
    months = MONTHS
    ruling = "A1"
    by_class: Mapping[str, tuple[int, ...]] = BY_CLASS
    captured_yaku = YAKU
    payments = PAYMENTS
    statements = frozenset({"draw"})

    def deal(self, state: AtEndState, random: Random) -> Deal:
        """Return a random deal of seven cards each and six on the field (手七場六)."""
        dealt = shuffle(random, seats=SEATS, hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice(SEATS), *dealt)

    def _deal(self, state: AtEndState, deal: Deal) -> AtEndState:
        """Lay out a deal, and give a four of a month on the field (シマ) to the dealer."""
        self._month_due(state, deal)
        due = state.dealer
        if deal.draws:
            if state.deals:
                raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
            due = order_by_draw(deal.draws, SEATS)
        self._dealer_due(deal, due)
        dealt = state.next_deal()
        dealt.table = lay_out(deal, seats=SEATS, players=3, hand=HAND, field=FIELD)
        if not deal.misdealt:
            dealt.table.give_fours(deal.dealer)
        dealt.phase, dealt.dealer, dealt.seat = Phase.SHOW, deal.dealer, deal.dealer
        dealt.order = turn_order(deal.dealer, 3)
        return dealt

    def declared(self, state: AtEndState, seat: int, hand: int) -> Sequence[Declared]:
        """Return every right declaration of a hand; the seat does not matter (A1)."""
        return declarations(hand)

    def _redeal_reasons(self, state: AtEndState) -> set[str]:
        """Return the shown 手四 and 月三手: the same dealer deals the month again (A1)."""
        again = {row.id for row in AGAIN}
        return {name for claim in state.claims for name in claim.yaku} & again

    def _redeal_due(self, state: AtEndState) -> str:
        """Return a shown 手四 or 月三手, "" for none."""
        return min(self._redeal_reasons(state), default="")

    def _check_no_redeal(self, state: AtEndState) -> None:
        """Raise Illegal after a shown 手四 or 月三手."""
        if due := self._redeal_due(state):
            raise Illegal(codes.REDEAL_CALLED, expected=(f"redeal {due}",), yaku=due)

    def _played_out(self, state: AtEndState) -> None:
        """Score the month after the last hand card.

        If a player captured 30 points or fewer (ふけ) the month scores nothing, and the player
        deals next (A3). Otherwise the two others pay each yaku, and captured points count against
        88 (A4).
        """
        points = [cards.points(captured) for captured in state.table.captured]
        paid = [
            Entry(share(name, claim.seat, PAYMENTS.find_each(name), state.order), claim.seat)
            for claim in state.claims
            for name in claim.yaku
        ]
        paid += self._captured_payments(state)
        if set(points) != {EVEN}:
            paid.append(Entry(Line(POINTS, tuple(count - EVEN for count in points)), 0))
        poor = [seat for seat in state.order if points[seat - 1] <= FUKE]
        if poor:  # of two players, the nearer to ビキ deals next
            struck = [entry.void() for entry in paid]
            self._end(state, "fuke", struck, poor[-1])
        else:
            self._end(state, "played-out", paid)

    def _settle(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Return the totals with the year's 80 points."""
        return settle(totals)


def settle(totals: Sequence[int]) -> tuple[int, ...]:
    """Return the totals with the year's 80 points (A6).

    The first gets 10 from the second and 70 from the third. With two first the third pays 35 to
    each, with two second each pays 40 to the first; with three equal totals nobody pays.
    """
    ranks = sorted(totals, reverse=True)
    first, second, third = ranks
    if first == third:
        prizes = {first: 0}
    elif first == second:
        prizes = {first: 35, third: -70}
    elif second == third:
        prizes = {first: 80, third: -40}
    else:
        prizes = {first: 80, second: -10, third: -70}
    return tuple(total + prizes[total] for total in totals)
