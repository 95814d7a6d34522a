"""State machine of 八八 for three to six players, by the rulings B1–B15. Sums are in mon."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Final

from kafu.notation.vocabulary import KAN
from kafu.rules import codes
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi.hands import HachihachiDeclaration
from kafu.rules.hachihachi.hatto import find_abandoned_threes, may_concern_threes
from kafu.rules.hachihachi_bga import ending, hidden_hands, pay
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga.hands import HAND
from kafu.rules.hachihachi_bga.house import read_house
from kafu.rules.hachihachi_bga.payments import list_payments
from kafu.rules.hachihachi_bga.state import YAKU, HachihachiBgaState
from kafu.rules.payments import PaymentTable
from kafu.rules.play import declaring
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    CallAction,
    Deal,
    Illegal,
    Pile,
    PlayEvent,
    Say,
    ShowAction,
    Void,
)
from kafu.rules.play.completing import Budget, TooLarge
from kafu.rules.play.declaring import Bidding
from kafu.rules.play.ledger import SHARED
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.play.table import TableCards, lay_out, shuffle
from kafu.rules.yaku import Made

FIELD: Final = 6
TURNS: Final = 21
#: The least number of hand cards with which 下げ can be cancelled (B15).
LEAST_TO_CANCEL: Final = 2


class HachihachiBga(Machine[HachihachiBgaState]):
    """The game of 八八 as on Board Game Arena.

    Options are ``months`` (12 or 6) and the rules of the document that the site leaves out:
    ``etsunen``, ``torikeshi``, ``tobikomi-hatto``, ``tsukifuda``, ``shiso`` (B15).
    """

    id = "hachihachi-bga"
    hand = HAND
    round = 3
    captured_yaku = YAKU
    words = frozenset({"agari", "sage"})

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        """Read the options; a missing option has its default."""
        self.players = players
        self.house = read_house(options)
        self.payments = list_payments(self.house)
        self.months, self.etsunen = self.house.months, self.house.etsunen
        self.seats = tuple(range(1, players + 1))
        self.no_yaku = (frozenset[str](),) * players
        bidding = {"blind", "bid"} if players > 3 else set()
        self.statements = frozenset({"draw", "ba", *bidding})

    @property
    def pays_hands(self) -> bool:
        """Return True: the hands of the three in play are paid without a declaration (B6)."""
        return True

    def find_carried(self, state: HachihachiBgaState) -> Hashable:
        """Return the brights carried into the month, None without any (B2)."""
        return state.bound if any(state.bound) else None

    def start(self) -> HachihachiBgaState:
        """Return the state before January; anybody may deal first (B14)."""
        zeros = (0,) * self.players
        state = HachihachiBgaState()
        state.table = TableCards(zeros, zeros, 0, zeros, (), 0, 0)
        state.totals = (-self.house.start_kan * KAN,) * self.players
        state.stones = zeros
        return state

    def deal(self, state: HachihachiBgaState, random: Random) -> Deal:
        """Return a random deal of seven each and six on the field (手七場六)."""
        dealt = shuffle(random, seats=self.seats, hand=HAND, field=FIELD)
        deal = Deal(state.month, state.dealer or random.choice(self.seats), *dealt)
        return deal if self.players == 3 else deal._replace(stock=None)

    def find_payments(self, state: HachihachiBgaState) -> PaymentTable:
        """Return the payments at the month's grade."""
        return pay.find_payments(state)

    def in_play(self, state: HachihachiBgaState) -> tuple[int, ...]:
        """Return the three seats in play; all seats until the bids have decided."""
        return state.playing or self.seats

    def yaku(self, state: HachihachiBgaState, seat: int) -> tuple[Made, ...]:
        """Return the captured yaku of ``seat`` that have a value, in kan without the grade.

        Yaku in 下げ are dead once another player has said 下げ too (B12). A seat that said 下げ
        with 四光 cannot have 五光 any more (B8).
        """
        return ending.find_held_yaku(state, seat)

    def completion(
        self, state: HachihachiBgaState, extra: tuple[int, ...], work: Budget
    ) -> dict[int, int] | None:
        """Return hands that explain the payments, as in `Machine` (B4, B6)."""
        hands = hidden_hands.completion(state, extra, work)
        if hands is None and self.house.tobikomi_hatto and hidden_hands.may_have_jumped(state):
            raise TooLarge  # its payer is not examined (B15)
        return hands

    def may_be_owed(self, state: HachihachiBgaState, work: Budget) -> bool:
        """Return whether a hidden hand may have brought more, as in `Machine`."""
        return hidden_hands.may_be_owed(state, work)

    def legal_actions(self, state: HachihachiBgaState) -> Sequence[Action]:
        """Return the legal actions: bid, show, play or turn a card, decide, cancel."""
        match state.phase:
            case Phase.BID:
                blind = [] if state.bidding.answers else [Blind(state.seat)]
                return [Bid(state.seat, True), Bid(state.seat, False), *blind]
            case Phase.SHOW:
                return [Begin(), *self._list_shows(state)]
            case Phase.HAND:
                calls = [CallAction("torikeshi", state.seat)] if self._may_cancel(state) else []
                return [*state.table.plays(state.seat), *calls]
            case Phase.STOCK:
                return state.table.turns()
            case Phase.DECIDE:
                return [Say(word) for word in self.list_decisions(state)]
        return []

    def unsaid(self, state: HachihachiBgaState) -> Say | None:
        """Return 下げ where a decision is due and none is written, if it is possible (B7)."""
        possible = state.phase is Phase.DECIDE and "sage" in self.list_decisions(state)
        return Say("sage") if possible else None

    # The deal, the bids, the declarations ---------------------------------------------------------

    def _deal(self, state: HachihachiBgaState, deal: Deal) -> HachihachiBgaState:
        """Lay out a deal and return its state.

        The brights on the field join the carried ones and settle the grade (B2). With three players
        nobody bids, and dealt hands are paid immediately (B3, B6).
        """
        self._month_due(state, deal)
        if deal.draws and state.deals:
            raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
        self._dealer_due(deal, state.dealer)
        stocked = self.players == 3
        dealt = state.next_deal()
        dealt.table = table = lay_out(
            deal, seats=self.seats, players=self.players, hand=HAND, field=FIELD, stocked=stocked
        )
        if len(deal.field or "") == FIELD:
            dealt.grade, dealt.carries = state.bound.join(table.field)
        dealt.phase, dealt.dealer, dealt.seat = Phase.BID, deal.dealer, deal.dealer
        dealt.bidding = Bidding(turn_order(deal.dealer, self.players))
        dealt.dealt = tuple(table.hands)
        dealt.lowered = dealt.dead = self.no_yaku
        if stocked:
            dealt.playing = dealt.bidding.players
            pay.pay_dealt_hands(dealt, table_pays_shiso=self.house.shiso_ends)
            self._prepare_play(dealt)
        return dealt

    def _before_play(self, state: HachihachiBgaState, action: Action) -> None:
        """Bid, or lay the stock after the bids."""
        match action:
            case Blind(seat):
                self._blind(state, seat)
            case Bid():
                self._bid(state, action)
            case Pile():
                self._await(state, Phase.PILE)
                state.table.stack(action)
                self._prepare_play(state)
            case _:
                self._no_place(action)

    def _blind(self, state: HachihachiBgaState, seat: int) -> None:
        """Go in blind (みずてん), as only the dealer may, before any bid (B3, B11)."""
        self._in_deal(state)
        if state.phase is not Phase.BID or state.bidding.answers or seat != state.dealer:
            due = state.dealer
            raise Illegal(codes.BLIND_LATE, expected=(str(due),), where="blind", seat=seat, due=due)
        state.blind = True
        self._bid(state, Bid(seat, True))

    def _bid(self, state: HachihachiBgaState, bid: Bid) -> None:
        """Bid in or out, in turn from the dealer.

        Once three players are decided (B3), the shut out and the three are paid for their hands
        (B4, B6), and all other hands go into the stock (B5).
        """
        self._in_deal(state)
        if state.blind and len(state.bidding.answers) == 1 and bid == Bid(state.dealer, True):
            return  # in already, but it may be written (B14)
        state.bidding = bidding = state.bidding.bid(bid)
        if state.heard is not None:
            state.heard.append(PlayEvent("bid", bid.seat, "in" if bid.goes_in else "out"))
        state.seat, state.playing = bidding.due, bidding.players
        if bidding.due:
            return
        playing = state.playing
        state.phase, state.seat = Phase.PILE, playing[0]
        pay.pay_dealt_hands(state, table_pays_shiso=self.house.shiso_ends)
        state.table.fold(seat for seat in self.seats if seat not in playing)

    def _prepare_play(self, state: HachihachiBgaState) -> None:
        """Await declarations; a four of a month on the field is given to the first player."""
        first = state.playing[0]
        state.table.give_fours(first)
        state.phase, state.seat, state.opening = Phase.SHOW, first, state.table.copy()

    def _list_shows(self, state: HachihachiBgaState) -> list[ShowAction]:
        """Return the possible declarations of the three, as far as their hands are known."""
        return [
            ShowAction(seat, declaration.yaku, declaration.cards)
            for seat in state.playing
            if seat not in state.shown
            and (declaration := hachihachi_bga_hands.declaration(state.table.hands[seat - 1]))
        ]

    def _show(self, state: HachihachiBgaState, show: ShowAction) -> None:
        """Declare a dealt hand (B6).

        A known hand was paid without a declaration, so the declaration must be right. A hand with
        unknown cards is paid now, if these allow it (C9).
        """
        self._await(state, Phase.SHOW)
        seat, name = show.seat, "+".join(show.yaku)
        if seat not in state.playing:
            raise Illegal(codes.SEAT_OUT, seat=seat)
        if seat in state.shown:
            raise Illegal(codes.SHOW_TWICE, seat=seat)
        kan = hachihachi_hands.value(show.yaku, hachihachi_bga_hands.COUNT)
        if kan is None:
            raise Illegal(codes.SHOW_FALSE, seat=seat, yaku=name)
        table, was_hidden = state.table, state.table.hidden[seat - 1]
        table.reveal(seat, show.cards)
        state.shown = (*state.shown, seat)
        if state.heard is not None:
            state.heard.append(PlayEvent("show", seat, name, kan, show.cards))
        if not table.hidden[seat - 1]:
            declaration = hachihachi_bga_hands.declaration(table.hands[seat - 1])
            declaring.check(
                [declaration] if declaration else [],
                seat,
                show.yaku,
                show.cards,
                rulings=("B6", "B6"),
            )
        else:
            state.covered = (*state.covered, show)
            if not declaring.check_hidden(table, state.covered, hachihachi_bga_hands.look):
                state.unproved = seat, name
        if was_hidden:
            declared = HachihachiDeclaration(show.yaku, kan, show.cards)
            pay.pay_declaration(state, seat, declared, table_pays_shiso=self.house.shiso_ends)

    def _begin(self, state: HachihachiBgaState) -> None:
        """Begin play, or end the game by 四三 if the option says so (B15)."""
        self._await(state, Phase.SHOW)
        if maker := ending.find_shiso_maker(self.house, state):
            ending.close(self.house, state, "shiso", maker, ())
        else:
            state.phase = Phase.HAND

    def _redeal(self, state: HachihachiBgaState, reason: str) -> None:
        """Close the deal for a mistake in dealing, the only reason to deal again."""
        if state.phase not in (Phase.BID, Phase.SHOW) or reason != "misdeal":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        ending.close_unplayed(state, "redeal")

    # A turn ---------------------------------------------------------------------------------------

    def hand_card(self, state: HachihachiBgaState, card: int, take: int) -> None:
        """Play a hand card; without a capture it may be hatto, but not the last in hand (B10)."""
        if state.phase is not AT_HAND:
            self._await(state, AT_HAND)
        seat, table = state.seat, state.table
        state.turn += 1
        state.turned = False
        is_tobikomi_hatto = self.house.tobikomi_hatto and bool(state.threes)
        let_go = find_abandoned_threes(table, seat, card, state.threes) if is_tobikomi_hatto else []
        take = table.play(seat - 1, card, take)
        thrown = not take and bool(table.hands[seat - 1] or table.hidden[seat - 1])
        if thrown:  # the last card of a hand is never hatto (B10)
            state.throws += pay.find_throws(state, seat, card)
        if is_tobikomi_hatto:
            pay.owe_tobikomi(state, seat, card, let_go, thrown=thrown)
        if take:
            self._judge_capture(state, card, take)
        else:
            state.phase = AT_STOCK

    def stock_card(self, state: HachihachiBgaState, card: int, take: int) -> None:
        """Turn a stock card."""
        if state.phase is not AT_STOCK:
            self._await(state, AT_STOCK)
        take = state.table.turn(state.seat - 1, card, take)
        state.turned = True
        if take:
            self._judge_capture(state, card, take)
        else:
            self._next_part(state)

    def resume(self, state: HachihachiBgaState, calls: tuple[int, ...]) -> None:
        """Complete a state whose cards were laid out, with the yaku and the seat in 下げ.

        Earlier hatto cards are unknown, so all players pay for these yaku.
        """
        yaku = {seat: [made.id for made in self.yaku(state, seat)] for seat in state.playing}
        state.payers = tuple((seat, id, SHARED) for seat, ids in yaku.items() for id in ids)
        sager = self._find_caller(calls)
        state.sager, state.since = sager, state.turn
        state.lowered = tuple(frozenset(yaku[seat] if seat == sager else ()) for seat in self.seats)

    def count_quiet_turns(self, state: HachihachiBgaState) -> int:
        """Return the number of turns before the last one."""
        return TURNS - 1 - state.turn

    def is_quiet(
        self, state: HachihachiBgaState, card: int, take: int, drawn: int, taken: int
    ) -> bool:
        """Return whether a turn brings no hatto and no 飛込み."""
        seat, table = state.seat, state.table
        if not take and table.hands[seat - 1] and pay.find_throws(state, seat, card):
            return False
        threes = state.threes
        return not threes or not may_concern_threes(
            table, seat, threes, card | take | drawn | taken
        )

    def _judge_capture(self, state: HachihachiBgaState, card: int, take: int) -> None:
        """Judge a capture: a new yaku requires a decision immediately (B7).

        Where only あがり is possible after a stock card, the month ends without one (B8).
        """
        seat = state.seat
        if state.threes:
            pay.pay_tobikomi(state, seat)
        if not YAKU.touched(state.table.captured[seat - 1], take | card):
            self._next_part(state)
            return
        old_ids = {yaku for maker, yaku, _ in state.payers if maker == seat}
        gained = [yaku_made for yaku_made in self.yaku(state, seat) if yaku_made.id not in old_ids]
        if not gained:
            self._next_part(state)
            return
        pay.assign_payers(state, seat, gained, take)
        state.phase = AT_DECISION
        if state.heard is not None:
            state.heard += [
                PlayEvent("yaku", seat, yaku_made.id, yaku_made.value) for yaku_made in gained
            ]
        if state.turned and "sage" not in self.list_decisions(state):
            self._agari(state)
            state.closed = True
        elif state.heard is not None:
            state.heard.append(PlayEvent("right", seat))

    def _next_part(self, state: HachihachiBgaState) -> None:
        """Go on to the stock card, the next player's turn, or the end of the hands."""
        if not state.turned:
            state.phase = AT_STOCK
        elif state.turn == TURNS:
            ending.close_played_out(self.house, state)
        else:
            state.phase, state.seat = AT_HAND, state.playing[state.turn % 3]

    # Decisions ------------------------------------------------------------------------------------

    def _has_cards(self, state: HachihachiBgaState) -> bool:
        """Return whether the seat in turn has hand cards left."""
        i = state.seat - 1
        return bool(state.table.hands[i] or state.table.hidden[i])

    def list_decisions(self, state: HachihachiBgaState) -> tuple[str, ...]:
        """Return the legal decisions: あがり and 下げ.

        下げ needs a hand card left and another yaku in reach (B8).
        """
        goes_on = self._has_cards(state) and ending.has_yaku_in_reach(state)
        return ("agari", "sage") if goes_on else ("agari",)

    def say(self, state: HachihachiBgaState, word: str) -> None:
        """Say あがり or 下げ. After a month closed without a decision あがり may follow (B8)."""
        if word not in self.words:
            raise Illegal(codes.DECISION_UNKNOWN, word=word)
        if state.closed and word == "agari":
            state.closed = False
            return
        if state.phase is not Phase.DECIDE and not state.closed:
            raise Illegal(codes.DECISION_NOT_DUE, word=word)
        choices = self.list_decisions(state)
        if word not in choices:  # only 下げ can be barred
            code = codes.SAGE_REACH if self._has_cards(state) else codes.SAGE_LAST
            raise Illegal(code, expected=choices, ruling="B8")
        if state.heard is not None:
            state.heard.append(PlayEvent("say", state.seat, word))
        if word == "sage":
            self._sage(state)
        else:
            self._agari(state)

    def _sage(self, state: HachihachiBgaState) -> None:
        """Go on with 下げ; the yaku of another player in 下げ are dead from now on (B12)."""
        seat, lowered, dead = state.seat, list(state.lowered), list(state.dead)
        lowered[seat - 1] |= {yaku_made.id for yaku_made in self.yaku(state, seat)}
        if state.sager not in (0, seat):
            dead[state.sager - 1] |= {yaku_made.id for yaku_made in self.yaku(state, state.sager)}
        state.lowered, state.dead = tuple(lowered), tuple(dead)
        if state.sager != seat:
            state.sager, state.since = seat, state.turn
        self._next_part(state)

    def _may_cancel(self, state: HachihachiBgaState) -> bool:
        """Return whether the player in 下げ may cancel: in turn, with two hand cards (B15)."""
        i = state.seat - 1
        cards_left = state.table.hands[i].bit_count() + state.table.hidden[i]
        return self.house.torikeshi and state.seat == state.sager and cards_left >= LEAST_TO_CANCEL

    def _call(self, state: HachihachiBgaState, word: str, seat: int) -> None:
        """Cancel 下げ (下げの取消し, B15): it pays half of the yaku held, and the month ends."""
        if word != "torikeshi" or not self.house.torikeshi:
            raise Illegal(codes.NO_PLACE, statement=f"={word}")
        self._await(state, Phase.HAND)
        if state.sager != seat:
            raise Illegal(codes.TORIKESHI_NOTHING, seat=seat)
        if state.seat != seat or not self._may_cancel(state):
            raise Illegal(codes.TORIKESHI_LAST, seat=seat)
        held = self.yaku(state, seat)
        paid = pay.list_yaku_entries(state, seat, held, half=True)
        ending.close(self.house, state, "torikeshi", seat, paid)

    # The end of a deal ----------------------------------------------------------------------------

    def _void(self, state: HachihachiBgaState, void: Void) -> None:
        """Close a void deal: the month is dealt again (C6)."""
        ending.close_unplayed(state, "void")

    def _agari(self, state: HachihachiBgaState) -> None:
        """End the month with あがり: all yaku of the player in full (B9).

        The yaku of another player in 下げ are worth nothing.
        """
        held = self.yaku(state, state.seat)
        paid = pay.list_yaku_entries(state, state.seat, held, half=False)
        ending.close(self.house, state, "agari", state.seat, paid)
