"""The 10/5/1 game: the rules as rulings/ten-five-one.md reads them (T1–T7). Sums in points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.payments import POINTS, PaymentTable
from kafu.rules.play.actions import Action, Bid, Deal, Illegal, PlayEvent, Redeal, ShowAction, Swap
from kafu.rules.play.at_end import FIELD, HAND, AtEnd, AtEndState, Declared
from kafu.rules.play.declaring import Bidding
from kafu.rules.play.ledger import Entry, share
from kafu.rules.play.machine import Phase
from kafu.rules.play.seating import first_by_draw, turn_order
from kafu.rules.play.table import alike, fours, lay_out, shuffle
from kafu.rules.rulesets import complete_options
from kafu.rules.ten_five_one.payments import (
    BIKI,
    CARD_POINTS,
    ENDS,
    KABURI,
    SANBON,
    TEYAKU,
    YAKU,
    list_hands,
    list_yaku,
)
from kafu.rules.teyaku import HandYaku, find
from kafu.rules.verdict import Line
from kafu.rules.yaku import Made, YakuTable, made

#: 10 points: two brights and chaff; 5: the other brights and the animals; 1: ribbons (T1).
TENS: Final = cards.CURTAIN | cards.PHOENIX | cards.CHAFF
FIVES: Final = cards.CRANE | cards.MOON | cards.RAIN_MAN | cards.ANIMALS
#: Points subtracted from the captured points of 親, 胴二, ビキ (T7).
PAR: Final = (100, 110, 120)
#: The number of players with the blank card (白札) in the pack (T3).
WITH_BLANK: Final = 7

#: The least number of cards of a month for which a count yaku lays the month open. 三本 is missing,
#: because it lays open a single three.
_OPEN: Final = {
    "shiso": 3,
    "ichinishi": 2,
    "haneken": 2,
    "futasanbon": 3,
    "teshi": 4,
    "kuttsuki": 2,
}
_RIBBONS: Final = cards.RIBBONS
#: Willow cards that may stand for ribbons.
_WILLOW: Final = cards.WILLOW & ~cards.RIBBONS
#: The classes of cards that なさけ depends on.
BY_CLASS: Final = {"nasake": (_RIBBONS, *cards.bits(_WILLOW))}


def points(captured: int) -> int:
    """Return captured points by the count of this game (T1), 330 in all."""
    tens, fives = (captured & TENS).bit_count(), (captured & FIVES).bit_count()
    return 10 * tens + 5 * fives + (captured & _RIBBONS).bit_count()


def has_dived(opened: int, captured: int) -> bool:
    """Return whether all four cards of a three among the ``opened`` cards were captured (T5)."""
    return any(
        captured & month == month and (opened & month).bit_count() == 3
        for month in cards.MONTHS[1:]
    )


class TenFiveOneHouse:
    """The dealt-hand yaku of a house, by the switches of the document (T5)."""

    def __init__(self, options: Mapping[str, str]) -> None:
        house_rules = complete_options("ten-five-one", options)
        self.nasake, self.teshi = house_rules["nasake"], house_rules["teshi"]
        off = {row.id for row in TEYAKU if house_rules.get(row.id) == "no"}
        self.table = tuple(row for row in TEYAKU if row.id not in off)

    def count_rows(self, *, doni: bool) -> tuple[HandYaku, ...]:
        """Return the count yaku that 胴二 (``doni``) or another seat may show, best first (T5)."""
        skip = "teshi" if self.teshi == "doni" and not doni else ""
        return tuple(row for row in self.table if row.id != skip)

    def count_yaku(self, hand: int, *, doni: bool) -> HandYaku | None:
        """Return the best count yaku of a hand, ``doni`` for that of 胴二 (T5)."""
        return find(self.count_rows(doni=doni), hand)

    def may_show_nasake(self, *, doni: bool, chosen: bool) -> bool:
        """Return whether a seat may show なさけ; ``chosen`` as in `ribbons` (T5)."""
        entitled = {"doni": doni, "chosen-doni": doni and chosen, "no": False}
        return entitled.get(self.nasake, True)

    def counts_willow(self, *, doni: bool) -> bool:
        """Return whether willow may stand for ribbons in the hand of a seat (T5)."""
        return doni or self.nasake == "all-rain"

    def ribbon_cards(self, *, doni: bool) -> int:
        """Return the cards that are, or may stand for, ribbons in the hand of a seat (T5)."""
        return _RIBBONS | _WILLOW if self.counts_willow(doni=doni) else _RIBBONS

    def has_ribbons(self, hand: int, *, doni: bool, chosen: bool) -> bool:
        """Return whether `ribbons` of a hand would not be empty."""
        if not self.may_show_nasake(doni=doni, chosen=chosen):
            return False
        return (hand & self.ribbon_cards(doni=doni)).bit_count() >= 3

    def ribbons(self, hand: int, *, doni: bool, chosen: bool) -> list[int]:
        """Return the sets of cards that なさけ may lay open (T5).

        They are any three of the ribbons, or all of them; none for a hand with fewer than three.
        Willow may stand for ribbons, but need not. ``chosen``: 胴二 did not choose to go in, or
        three sit at the table.
        """
        if not self.has_ribbons(hand, doni=doni, chosen=chosen):
            return []
        rain = hand & _WILLOW if self.counts_willow(doni=doni) else 0
        plain = hand & _RIBBONS
        whole = [
            plain | sum(stand)
            for count in range(rain.bit_count(), -1, -1)
            for stand in combinations(cards.bits(rain), count)
        ]
        threes = map(sum, combinations(cards.bits(plain | rain), 3))
        return list(dict.fromkeys([*(group for group in whole if group.bit_count() >= 3), *threes]))

    def declarations(self, hand: int, *, doni: bool, chosen: bool) -> list[Declared]:
        """Return every right declaration of a hand of seven: a count yaku, なさけ, or both (T5)."""
        count = self.count_yaku(hand, doni=doni)
        opened = _list_open_cards(hand, count.id) if count else []
        ribbons = self.ribbons(hand, doni=doni, chosen=chosen)
        declarations = [Declared((count.id,), group) for group in opened] if count else []
        declarations += [Declared(("nasake",), group) for group in ribbons]
        if count:
            yaku = (count.id, "nasake")
            declarations += [
                Declared(yaku, group | ribbons) for group, ribbons in product(opened, ribbons)
            ]
        return declarations


def _list_open_cards(hand: int, yaku: str) -> list[int]:
    """Return the sets of cards that a count yaku may lay open."""
    if yaku != "sanbon":
        return [alike(hand, _OPEN[yaku])]
    groups = (hand & month for month in cards.MONTHS[1:])
    return [group for group in groups if group.bit_count() == 3]


class TenFiveOne(AtEnd):
    """The machine of the 10/5/1 game for three to seven players; house rules are options."""

    id = "ten-five-one"
    ruling = "T5"
    by_class: Mapping[str, tuple[int, ...]] = BY_CLASS
    statements = frozenset({"draw", "swap", "bid"})

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        self.players = players
        house_rules = complete_options(self.id, options)
        self.months = int(house_rules["months"])
        self.house = TenFiveOneHouse(options)
        self.tobikomi = house_rules["tobikomi"] == "yes"
        self.shiso_ends = house_rules["shiso"] == "ends"
        off = KABURI if house_rules["kaburi"] == "no" else frozenset()
        self.captured_yaku = YakuTable(
            row._replace(over=()) if off else row for row in YAKU if row.id not in off
        )
        rows = (
            *list_hands(
                self.house.table,
                nasake=self.house.nasake,
                teshi=self.house.teshi,
                jumps=self.tobikomi,
                shiso_ends=self.shiso_ends,
            ),
            *list_yaku(self.captured_yaku),
            CARD_POINTS,
        )
        self.payments = PaymentTable(row._replace(ends=ENDS[row.ends_game]) for row in rows)
        self._of_others = YakuTable(row for row in self.captured_yaku if row.id not in BIKI)

    # The deal -------------------------------------------------------------------------------------

    def deal(self, state: AtEndState, random: Random) -> Deal:
        """Return a random deal of seven cards each and six on the field.

        The draw pile is part of the deal if there are no bids.
        """
        seats = turn_order(1, self.players)
        blank = self.players == WITH_BLANK
        pack = cards.LETTERS + cards.BLANK * blank
        field = 0 if blank else FIELD
        hands, laid, pile = shuffle(random, seats=seats, hand=HAND, field=field, pack=pack)
        dealer = state.dealer or random.choice(seats)
        stock = pile if self.players == 3 else None
        return Deal(state.month, dealer, hands, None if blank else laid, stock)

    def _deal(self, state: AtEndState, deal: Deal) -> AtEndState:
        """Lay out a deal, and begin the bids at a table of more than three."""
        self._month_due(state, deal)
        due = state.dealer
        if deal.draws:
            if state.deals:
                raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
            due = first_by_draw(deal.draws, turn_order(1, self.players))
        self._dealer_due(deal, due)
        seats = turn_order(deal.dealer, self.players)
        blank = 0
        if self.players == WITH_BLANK:
            deal, blank = _lay_down(deal)
        else:
            self._check_blank(deal)
        bids = self.players > 3
        dealt = state.next_deal()
        dealt.table = lay_out(
            deal,
            seats=tuple(sorted(set(seats) - {blank})),
            players=self.players,
            hand=HAND,
            field=FIELD,
            stocked=not bids,
        )
        dealt.dealer = dealt.seat = dealt.lead = deal.dealer
        dealt.blank = blank
        if bids:
            dealt.phase, dealt.bidding = Phase.BID, self._bidding(deal.dealer, blank)
        else:
            dealt.phase, dealt.order = Phase.SHOW, seats
        return dealt

    def _check_blank(self, deal: Deal) -> None:
        """Raise Illegal for a blank card (白札), which only seven players use (T3)."""
        groups = {f"hand.{seat}": hand for seat, hand in deal.hands.items()}
        groups |= {"field": deal.field or "", "stock": deal.stock or ""}
        for where, group in groups.items():
            if cards.BLANK in group and not deal.misdealt:
                raise Illegal(codes.BLANK_WRONG, where=where, players=self.players)

    def _redeal_due(self, state: AtEndState) -> str:
        """Return "ba4" for a four of a month on the dealt field (場四), "" otherwise.

        The same dealer deals the month again (T2).
        """
        return "ba4" if fours(state.table.field) else ""

    def _redeal_reasons(self, state: AtEndState) -> set[str]:
        """Return 場四 on a field with a four of a month (T2)."""
        return {self._redeal_due(state)} - {""}

    def _check_no_redeal(self, state: AtEndState) -> None:
        """Raise Illegal on a field with a four of a month."""
        if four := fours(state.table.field):
            raise Illegal(codes.REDEAL_DUE, expected=("redeal ba4",), cards=cards.letters(four))

    def _bidding(self, dealer: int, blank: int) -> Bidding:
        """Return the bidding of all seats but the seat with the blank card."""
        order = turn_order(dealer, self.players)
        return Bidding(tuple(seat for seat in order if seat != blank))

    # Swaps and bids -------------------------------------------------------------------------------

    def _bids(self, state: AtEndState) -> Sequence[Action]:
        """Return the legal bids, 出る and 下りる, and swaps (親手をもらう) before the first bid.

        A field with a four of a month is dealt again (T2).
        """
        if due := self._redeal_due(state):
            return [Redeal(due)]
        assert state.bidding is not None
        seat = state.bidding.due
        return [Bid(seat, True), Bid(seat, False), *self._swaps(state)]

    def _swaps(self, state: AtEndState) -> list[Action]:
        """Return the legal swaps."""
        if not self._may_swap(state):
            return []
        return [
            Swap(seat)
            for seat in turn_order(state.dealer, self.players)
            if seat != state.dealer and seat not in state.swapped
        ]

    def _may_swap(self, state: AtEndState) -> bool:
        """Return whether no hand was seen yet: no bid was made and nothing declared (T4)."""
        if state.bidding is not None:
            return state.phase is Phase.BID and not state.bidding.answers
        return state.phase is Phase.SHOW and not state.claims

    def _swap(self, state: AtEndState, seat: int) -> None:
        """Exchange the hand of ``seat`` for the dealer's dealt hand (親手をもらう, T4).

        Any seat may hold the dealer's dealt hand by then.
        """
        if not self._may_swap(state):
            raise Illegal(codes.SWAP_LATE)
        if seat == state.dealer:
            raise Illegal(codes.SWAP_DEALER, seat=seat)
        if seat in state.swapped:
            raise Illegal(codes.SWAP_TWICE, seat=seat)
        holder = state.lead
        state.blank = {seat: holder, holder: seat}.get(state.blank, state.blank)
        state.table.swap(seat, holder)
        state.lead = seat
        state.swapped = (*state.swapped, seat)
        if state.bidding:
            state.bidding = self._bidding(state.dealer, state.blank)
        if state.heard is not None:
            state.heard.append(PlayEvent("swap", seat))

    def _bid(self, state: AtEndState, bid: Bid) -> None:
        """Bid in or out, from the dealer on.

        When three are in, or only three can be, the hands of the other seats go into the draw pile
        (T3).
        """
        bidding = state.bidding
        if bidding is None or state.phase in (Phase.DEAL, Phase.OVER):
            self._no_place(bid)
        self._check_no_redeal(state)
        state.bidding = bidding = bidding.bid(bid)
        if state.heard is not None:
            state.heard.append(PlayEvent("bid", bid.seat, "in" if bid.goes_in else "out"))
        if bidding.due:
            state.seat = bidding.due
            return
        order = bidding.players
        state.phase, state.order, state.seat = Phase.PILE, order, order[0]
        state.table.fold(seat for seat in range(1, self.players + 1) if seat not in order)

    # Dealt hands ----------------------------------------------------------------------------------

    def declared(self, state: AtEndState, seat: int, hand: int) -> Sequence[Declared]:
        """Return every right declaration of a hand; some houses have yaku for 胴二 alone (T5)."""
        bidding = state.bidding
        doni = seat == state.order[1]
        chosen = bidding is None or seat in bidding.forced
        return self.house.declarations(hand, doni=doni, chosen=chosen)

    def _declarations(self, state: AtEndState) -> Sequence[Action]:
        """Return the legal declarations and swaps.

        A field with a four of a month is dealt again (T2).
        """
        if due := self._redeal_due(state):
            return [Redeal(due)]
        return [*super()._declarations(state), *self._swaps(state)]

    def _show(self, state: AtEndState, show: ShowAction) -> None:
        """Check and add a declaration, without the cards of a four.

        A field with a four of a month is dealt again before any declaration (T2, C10).
        """
        if state.phase is Phase.SHOW:
            self._check_no_redeal(state)
        super()._show(state, show)
        claim = state.claims[-1]
        # 飛び込み is for a three, but なさけ may lay open three cards of a month with four.
        four = fours(state.table.hands[claim.seat - 1])
        state.claims = (*state.claims[:-1], claim._replace(cards=claim.cards & ~four))

    def _begin(self, state: AtEndState) -> None:
        """Begin play, or end the deal and the game with 四三 by option (T5).

        The points of 四三 are then the only score. The player comes first whatever the sums, of two
        players the nearer to the dealer.
        """
        super()._begin(state)
        showers = {claim.seat for claim in state.claims if "shiso" in claim.yaku}
        makers = [seat for seat in state.order if self.shiso_ends and seat in showers]
        if not makers:
            return
        each = self.payments.find_each("shiso")
        paid = [
            Entry(share("shiso", seat, each, state.order, self.players), seat) for seat in makers
        ]
        self._end(state, "shiso", paid, makers[0])

    # The end --------------------------------------------------------------------------------------

    def yaku(self, state: AtEndState, seat: int) -> tuple[Made, ...]:
        """Return the captured-hand yaku of ``seat`` now; willow yaku are for ビキ alone (T6)."""
        table = self.table_of(biki=state.order[-1:] == (seat,))
        return made(table, state.table.captured[seat - 1], rained=False, called=False)

    def table_of(self, *, biki: bool) -> YakuTable:
        """Return the captured-hand yaku of ビキ, or of the others (T6)."""
        return self.captured_yaku if biki else self._of_others

    def _played_out(self, state: AtEndState) -> None:
        """Score the month after the last hand card.

        The score is captured points less 100, 110 and 120 by the place in play order (T7), with the
        payments of the others for dealt-hand and captured yaku (T5, T6).
        """
        deviations = [0] * self.players
        for seat, par in zip(state.order, PAR, strict=True):
            deviations[seat - 1] = points(state.table.captured[seat - 1]) - par
        paid = [
            Entry(share(name, claim.seat, each, state.order, self.players), claim.seat)
            for claim in state.claims
            for name in claim.yaku
            for each in [self.payments[name].each[self._has_dived(state, name, claim.seat)]]
        ]
        paid += self._captured_payments(state)
        if any(deviations):
            paid.append(Entry(Line(POINTS, tuple(deviations)), 0))
        self._end(state, "played-out", paid)

    def _has_dived(self, state: AtEndState, yaku: str, seat: int) -> bool:
        """Return whether a yaku is 三本 with 飛び込み: the whole month captured, by option (T5)."""
        if not self.tobikomi or yaku != SANBON:
            return False
        claim = next(claim for claim in state.claims if claim.seat == seat)
        return has_dived(claim.cards, state.table.captured[seat - 1])

    def _settle(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Return the totals: there is no settlement."""
        return totals


def _lay_down(deal: Deal) -> tuple[Deal, int]:
    """Return the deal with the field of seven players, and the seat of the blank card (白札, T3).

    The holder of the blank card lays down the other six cards. Raise Illegal if no hand is known to
    have the blank card.
    """
    holders = [seat for seat, hand in sorted(deal.hands.items()) if cards.BLANK in hand]
    if not holders:
        if deal.misdealt:
            return deal, 0
        raise Illegal(codes.BLANK_MISSING, where="month")
    seat = holders[0]
    hand = deal.hands[seat]
    if not deal.misdealt:
        if deal.field is not None:
            raise Illegal(codes.NO_PLACE, where="field", statement="field")
        if len(hand) != HAND:
            raise Illegal(
                codes.HAND_SIZE, seat=seat, count=len(hand), due=HAND, where=f"hand.{seat}"
            )
        if cards.UNKNOWN in hand:
            raise Illegal(codes.BLANK_MISSING, where=f"hand.{seat}")
        if len(holders) > 1 or hand.count(cards.BLANK) > 1:
            raise Illegal(codes.CARD_TWICE, card=cards.BLANK, where=f"hand.{holders[-1]}")
    field = hand.replace(cards.BLANK, "", 1)
    hands = {player: dealt for player, dealt in deal.hands.items() if player != seat}
    return deal._replace(hands=hands, field=field), seat
