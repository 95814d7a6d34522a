"""八八 for three to six, as rulings/hachihachi-bga.md reads it (B1–B15). Sums in mon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from kafu.notation.vocabulary import KAN
from kafu.rules import codes
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi.hands import Declaration
from kafu.rules.hachihachi.hatto import find_abandoned_threes
from kafu.rules.hachihachi_bga import ending, hidden_hands, pay
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga.hands import HAND
from kafu.rules.hachihachi_bga.state import YAKU, State
from kafu.rules.play import declaring
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    Call,
    Deal,
    Event,
    Illegal,
    Pile,
    Say,
    Show,
    Void,
)
from kafu.rules.play.bidding import Bidding
from kafu.rules.play.completing import Budget, TooLarge
from kafu.rules.play.layout import lay_out, shuffle
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.play.table import TableCards
from kafu.rules.yaku import Made

FIELD: Final = 6
TURNS: Final = 21
#: Hand cards with which 下げ can still be called off (B15).
LEAST_TO_CANCEL: Final = 2


class HachihachiBga(Machine[State]):
    """Hachi-hachi as on Board Game Arena. Options: ``months`` (12 or 6), and what the document
    names beyond that game: ``etsunen``, ``torikeshi``, ``tobikomi-hatto``, ``tsukifuda``,
    ``shiso`` (B15).
    """

    id = "hachihachi-bga"
    hand = HAND
    round = 3
    captured_yaku = YAKU
    words = frozenset({"agari", "sage"})

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        self.players = players
        self.house = ending.read_house(options)
        self.months, self.etsunen = self.house.months, self.house.etsunen
        self.seats = tuple(range(1, players + 1))
        self.no_yaku = (frozenset[str](),) * players
        bidding = {"blind", "bid"} if players > 3 else set()
        self.statements = frozenset({"draw", "ba", *bidding})

    @property
    def pays_hands(self) -> bool:
        """Those of the three are paid without a word (B6)."""
        return True

    def start(self) -> State:
        """Before January; who deals first is free (B14)."""
        nothing = (0,) * self.players
        state = State()
        state.table = TableCards(nothing, nothing, 0, nothing, (), 0, 0)
        state.totals = (-self.house.start_kan * KAN,) * self.players
        state.stones = nothing
        return state

    def deal(self, state: State, random: Random) -> Deal:
        """Shuffle and deal seven each and six on the field (手七場六)."""
        dealt = shuffle(random, seats=self.seats, hand=HAND, field=FIELD)
        deal = Deal(state.month, state.dealer or random.choice(self.seats), *dealt)
        return deal if self.players == 3 else deal._replace(stock=None)

    def in_play(self, state: State) -> tuple[int, ...]:
        """The three who are in; all until that is decided."""
        return state.playing or self.seats

    def yaku(self, state: State, seat: int) -> tuple[Made, ...]:
        """The captured-hand yaku of ``seat`` that have a value, in kan before the grade.

        Those in 下げ are dead once another has gone on with a yaku too (B12), and a seat that went
        on with 四光 cannot have 五光 any more (B8).
        """
        return ending.find_held_yaku(state, seat)

    def completion(
        self, state: State, extra: tuple[int, ...], work: Budget
    ) -> dict[int, int] | None:
        """As in `Machine`: hands are paid without a declaration (B4, B6)."""
        found = hidden_hands.completion(state, extra, work)
        if found is None and self.house.tobikomi_hatto and hidden_hands.may_have_jumped(state):
            raise TooLarge  # who would have paid for it is not examined (B15)
        return found

    def may_be_owed(self, state: State, work: Budget) -> bool:
        """As in `Machine`."""
        return hidden_hands.may_be_owed(state, work)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """What may be done now."""
        match state.phase:
            case Phase.BID:
                blind = [] if state.bidding.answers else [Blind(state.seat)]
                return [Bid(state.seat, True), Bid(state.seat, False), *blind]
            case Phase.SHOW:
                return [Begin(), *self._list_shows(state)]
            case Phase.HAND:
                calls = [Call("torikeshi", state.seat)] if self._may_cancel(state) else []
                return [*state.table.plays(state.seat), *calls]
            case Phase.STOCK:
                return state.table.turns()
            case Phase.DECIDE:
                return [Say(word) for word in self._list_decisions(state)]
        return []

    def unsaid(self, state: State) -> Say | None:
        """Where a decision is due and none is written it was 下げ, if that is possible (B7)."""
        possible = state.phase is Phase.DECIDE and "sage" in self._list_decisions(state)
        return Say("sage") if possible else None

    def _before_play(self, state: State, action: Action) -> None:
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

    def _begin(self, state: State) -> None:
        """Play begins; by option 四三 ends the game when all dealt hands are paid (B15)."""
        self._await(state, Phase.SHOW)
        if maker := ending.find_shiso_maker(self.house, state):
            ending.close(self.house, state, "shiso", maker, ())
        else:
            state.phase = Phase.HAND

    def _redeal(self, state: State, reason: str) -> None:
        if state.phase not in (Phase.BID, Phase.SHOW) or reason != "misdeal":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        ending.close_unplayed(state, "redeal")

    def _void(self, state: State, void: Void) -> None:
        ending.close_unplayed(state, "void")

    # The deal, the bids, the declarations ---------------------------------------------------------

    def _deal(self, state: State, deal: Deal) -> State:
        """Lay out a deal. The brights on its field join those carried over and settle the grade
        (B2). With three players nobody bids, and dealt hands are paid at once (B3, B6).
        """
        self._month_due(state, deal)
        if deal.draws and state.deals:
            raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
        self._dealer_due(deal, state.dealer)
        stocked = self.players == 3
        dealt = state.next_deal()
        dealt.table = laid = lay_out(
            deal, seats=self.seats, players=self.players, hand=HAND, field=FIELD, stocked=stocked
        )
        if len(deal.field or "") == FIELD:
            dealt.grade, dealt.carries = state.bound.join(laid.field)
        dealt.phase, dealt.dealer, dealt.seat = Phase.BID, deal.dealer, deal.dealer
        dealt.bidding = Bidding(turn_order(deal.dealer, self.players))
        dealt.dealt = tuple(laid.hands)
        dealt.lowered = dealt.dead = self.no_yaku
        if stocked:
            dealt.playing = dealt.bidding.players
            pay.pay_dealt_hands(dealt, everyone=self.house.shiso_ends)
            self._prepare_play(dealt)
        return dealt

    def _blind(self, state: State, seat: int) -> None:
        """みずてん: the dealer alone may go in unseen, before any bid (B3, B11)."""
        self._in_deal(state)
        if state.phase is not Phase.BID or state.bidding.answers or seat != state.dealer:
            due = state.dealer
            raise Illegal(codes.BLIND_LATE, expected=(str(due),), where="blind", seat=seat, due=due)
        state.blind = True
        self._bid(state, Bid(seat, True))

    def _bid(self, state: State, bid: Bid) -> None:
        """In or out, from the dealer on. Once it is decided who plays (B3), the shut out and the
        three are paid for their hands (B4, B6), and the hands of the others go into the stock (B5).
        """
        self._in_deal(state)
        if state.blind and len(state.bidding.answers) == 1 and bid == Bid(state.dealer, True):
            return  # in already, but it may be written (B14)
        state.bidding = bidding = state.bidding.bid(bid)
        if state.heard is not None:
            state.heard.append(Event("bid", bid.seat, "in" if bid.goes_in else "out"))
        state.seat, state.playing = bidding.due, bidding.players
        if bidding.due:
            return
        playing = state.playing
        state.phase, state.seat = Phase.PILE, playing[0]
        pay.pay_dealt_hands(state, everyone=self.house.shiso_ends)
        state.table.fold(seat for seat in self.seats if seat not in playing)

    def _prepare_play(self, state: State) -> None:
        """Hands, field and stock lie: a four on the field is the first player's."""
        first = state.playing[0]
        state.table.give_fours(first)
        state.phase, state.seat, state.opening = Phase.SHOW, first, state.table.copy()

    def _list_shows(self, state: State) -> list[Show]:
        """The declarations still possible for the three, as far as their hands are known."""
        return [
            Show(seat, found.yaku, found.cards)
            for seat in state.playing
            if seat not in state.shown
            and (found := hachihachi_bga_hands.declaration(state.table.hands[seat - 1]))
        ]

    def _show(self, state: State, show: Show) -> None:
        """B6: a dealt-hand yaku was paid without a declaration; one that is written must be right.
        In a hand with unknown cards it is paid now, as far as they allow it (C9).
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
        now, was_hidden = state.table, state.table.hidden[seat - 1]
        now.reveal(seat, show.cards)
        state.shown = (*state.shown, seat)
        if state.heard is not None:
            state.heard.append(Event("show", seat, name, kan, show.cards))
        if not now.hidden[seat - 1]:
            found = hachihachi_bga_hands.declaration(now.hands[seat - 1])
            declaring.check(
                [found] if found else [], seat, show.yaku, show.cards, rulings=("B6", "B6")
            )
        else:
            state.covered = (*state.covered, show)
            if not declaring.check_hidden(now, state.covered, hachihachi_bga_hands.look):
                state.unproved = seat, name
        if was_hidden:
            declared = Declaration(show.yaku, kan, show.cards)
            pay.pay_declaration(state, seat, declared, everyone=self.house.shiso_ends)

    # A turn ---------------------------------------------------------------------------------------

    def hand_card(self, state: State, card: int, take: int) -> None:
        """A hand card; if it captures nothing it may be hatto, but for the last in hand (B10)."""
        if state.phase is not AT_HAND:
            self._await(state, AT_HAND)
        seat, now = state.seat, state.table
        state.turn += 1
        state.turned = False
        owes = self.house.tobikomi_hatto and bool(state.threes)
        let_go = find_abandoned_threes(now, seat, card, state.threes) if owes else []
        take = now.play(seat - 1, card, take)
        thrown = not take and bool(now.hands[seat - 1] or now.hidden[seat - 1])
        if thrown:  # with one card left nothing is hatto (B10)
            state.throws += pay.find_throws(state, seat, card)
        if owes:
            pay.owe_tobikomi(state, seat, card, let_go, thrown=thrown)
        if take:
            self._judge_capture(state, card, take)
        else:
            state.phase = AT_STOCK

    def stock_card(self, state: State, card: int, take: int) -> None:
        """A stock card."""
        if state.phase is not AT_STOCK:
            self._await(state, AT_STOCK)
        take = state.table.turn(state.seat - 1, card, take)
        state.turned = True
        if take:
            self._judge_capture(state, card, take)
        else:
            self._next_part(state)

    def _judge_capture(self, state: State, card: int, take: int) -> None:
        """A yaku is decided upon as soon as the card that makes it is captured (B7)."""
        seat = state.seat
        if state.threes:
            pay.pay_tobikomi(state, seat)
        if not YAKU.touched(state.table.captured[seat - 1], take | card):
            self._next_part(state)
            return
        had = {yaku for by, yaku, _ in state.payers if by == seat}
        new = [one for one in self.yaku(state, seat) if one.id not in had]
        if not new:
            self._next_part(state)
            return
        pay.assign_payers(state, seat, new, take)
        state.phase = AT_DECISION
        if state.heard is not None:
            state.heard += [Event("yaku", seat, one.id, one.value) for one in new]
        if state.turned and "sage" not in self._list_decisions(state):
            self._agari(state)
            state.closed = True
        elif state.heard is not None:
            state.heard.append(Event("right", seat))

    def _next_part(self, state: State) -> None:
        """The stock card, the next player's turn, or the end of the hands."""
        if not state.turned:
            state.phase = AT_STOCK
        elif state.turn == TURNS:
            ending.close_played_out(self.house, state)
        else:
            state.phase, state.seat = AT_HAND, state.playing[state.turn % 3]

    # Decisions ------------------------------------------------------------------------------------

    def _has_cards(self, state: State) -> bool:
        i = state.seat - 1
        return bool(state.table.hands[i] or state.table.hidden[i])

    def _list_decisions(self, state: State) -> tuple[str, ...]:
        """下げ needs a hand card left and another yaku within reach; else あがり only (B8)."""
        goes_on = self._has_cards(state) and ending.has_yaku_in_reach(state)
        return ("agari", "sage") if goes_on else ("agari",)

    def say(self, state: State, word: str) -> None:
        if word not in self.words:
            raise Illegal(codes.DECISION_UNKNOWN, word=word)
        if state.closed and word == "agari":
            state.closed = False
            return
        if state.phase is not Phase.DECIDE and not state.closed:
            raise Illegal(codes.DECISION_NOT_DUE, word=word)
        choices = self._list_decisions(state)
        if word not in choices:  # only 下げ can be barred
            code = codes.SAGE_REACH if self._has_cards(state) else codes.SAGE_LAST
            raise Illegal(code, expected=choices, ruling="B8")
        if state.heard is not None:
            state.heard.append(Event("say", state.seat, word))
        if word == "sage":
            self._sage(state)
        else:
            self._agari(state)

    def _sage(self, state: State) -> None:
        """下げ: to play on. The yaku of another who was in 下げ are dead from now on (B12)."""
        seat, lowered, dead = state.seat, list(state.lowered), list(state.dead)
        lowered[seat - 1] |= {one.id for one in self.yaku(state, seat)}
        if state.sager not in (0, seat):
            dead[state.sager - 1] |= {one.id for one in self.yaku(state, state.sager)}
        state.lowered, state.dead = tuple(lowered), tuple(dead)
        if state.sager != seat:
            state.sager, state.since = seat, state.turn
        self._next_part(state)

    def _may_cancel(self, state: State) -> bool:
        """B15: the player in 下げ may call it off in their turn, with two hand cards or more
        left.
        """
        i = state.seat - 1
        left = state.table.hands[i].bit_count() + state.table.hidden[i]
        return self.house.torikeshi and state.seat == state.sager and left >= LEAST_TO_CANCEL

    def _call(self, state: State, word: str, seat: int) -> None:
        """下げの取消し (B15): instead of playing, half of what was held, and the month ends."""
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

    def _agari(self, state: State) -> None:
        """あがり: all the player's yaku in full; those of another in 下げ are worth nothing
        (B9).
        """
        held = self.yaku(state, state.seat)
        paid = pay.list_yaku_entries(state, state.seat, held, half=False)
        ending.close(self.house, state, "agari", state.seat, paid)
