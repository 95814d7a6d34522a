"""八八 for three to six, as rulings/hachihachi-bga.md reads it (B1–B15). Sums in mon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from kafu.notation.vocabulary import KAN
from kafu.rules import codes
from kafu.rules.grades import Carried
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi.hands import Declaration
from kafu.rules.hachihachi_bga import claims, ending, pay
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga.hands import HAND
from kafu.rules.hachihachi_bga.state import LOWERED, YAKU, State
from kafu.rules.play import declaring
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    Call,
    Deal,
    Draw,
    Event,
    Illegal,
    Pile,
    Play,
    Say,
    Show,
    Void,
    captured,
)
from kafu.rules.play.bidding import Bidding
from kafu.rules.play.completing import Budget, TooLarge
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.play.table import TableCards, lay_out, shuffle
from kafu.rules.yaku import Made, missing

FIELD: Final = 6
TURNS: Final = 21
#: Hand cards with which 下げ can still be called off (B15).
LEAST_TO_CANCEL: Final = 2
_B6: Final = ("B6", "B6")

Step = tuple[State, tuple[Event, ...]]


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
        self.house = ending.house(options)
        self.months, self.etsunen = self.house.months, self.house.etsunen
        self.seats = tuple(range(1, players + 1))
        bidding = {"blind", "bid"} if players > 3 else set()
        self.statements = frozenset({"draw", "ba", *bidding})

    def start(self) -> State:
        """Before January; who deals first is free (B14)."""
        nothing = (0,) * self.players
        table = TableCards(nothing, nothing, 0, nothing, (), 0, 0)
        short = (-self.house.start_kan * KAN,) * self.players
        return State(Phase.DEAL, short, table, stones=nothing)

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
        return ending.held(state, seat)

    def completion(
        self, state: State, extra: tuple[int, ...], work: Budget
    ) -> dict[int, int] | None:
        """As in `Machine`: hands are paid without a declaration (B4, B6)."""
        found = claims.completion(state, extra, work)
        if found is None and self.house.tobikomi_hatto and claims.may_have_jumped(state):
            raise TooLarge  # who would have paid for it is not examined (B15)
        return found

    def may_be_owed(self, state: State, work: Budget) -> bool:
        """As in `Machine`."""
        return claims.may_be_owed(state, work)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """What may be done now."""
        match state.phase:
            case Phase.BID:
                blind = [] if state.bidding.answers else [Blind(state.seat)]
                return [Bid(state.seat, True), Bid(state.seat, False), *blind]
            case Phase.SHOW:
                return [Begin(), *self._shows(state)]
            case Phase.HAND:
                calls = [Call("torikeshi", state.seat)] if self._may_cancel(state) else []
                return [*state.table.plays(state.seat), *calls]
            case Phase.STOCK:
                return state.table.turns()
            case Phase.DECIDE:
                return [Say(word) for word in self._choices(state)]
        return []

    def unsaid(self, state: State) -> Say | None:
        """Where a decision is due and none is written it was 下げ, if that is possible (B7)."""
        possible = state.phase is Phase.DECIDE and "sage" in self._choices(state)
        return Say("sage") if possible else None

    def _before_play(self, state: State, action: Action) -> Step:
        match action:
            case Blind(seat):
                return self._blind(state, seat)
            case Bid():
                return self._bid(state, action)
            case Pile():
                self._await(state, Phase.PILE)
                return self._ready(state._replace(table=state.table.stack(action))), ()
        self._no_place(action)

    def _begin(self, state: State) -> Step:
        """Play begins; by option 四三 ends the game when all dealt hands are paid (B15)."""
        self._await(state, Phase.SHOW)
        if maker := ending.shiso_maker(self.house, state):
            return ending.close(self.house, state, "shiso", maker, ())
        return state._replace(phase=Phase.HAND), ()

    def _redeal(self, state: State, reason: str) -> Step:
        if state.phase not in (Phase.BID, Phase.SHOW) or reason != "misdeal":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        return ending.again(state, "redeal")

    def _void(self, state: State, void: Void) -> Step:
        return ending.again(state, "void")

    # The deal, the bids, the declarations ---------------------------------------------------------

    def _deal(self, state: State, deal: Deal) -> Step:
        """Lay out a deal. The brights on its field join those carried over and settle the grade
        (B2). With three players nobody bids, and dealt hands are paid at once (B3, B6).
        """
        self._month_due(state, deal)
        if deal.draws and state.deals:
            raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
        self._dealer_due(deal, state.dealer)
        stocked = self.players == 3
        laid = lay_out(
            deal, seats=self.seats, players=self.players, hand=HAND, field=FIELD, stocked=stocked
        )
        whole_field = len(deal.field or "") == FIELD
        grade, carries = state.bound.join(laid.field) if whole_field else (None, Carried())
        nothing = (frozenset[str](),) * self.players
        dealt = State(
            Phase.BID,
            state.totals,
            laid,
            month=state.month,
            dealer=deal.dealer,
            bound=state.bound,
            deals=state.deals + 1,
            grade=grade,
            carries=carries,
            seat=deal.dealer,
            bidding=Bidding(turn_order(deal.dealer, self.players)),
            dealt=laid.hands,
            lowered=nothing,
            dead=nothing,
            stones=state.stones,
        )
        if not stocked:
            return dealt, ()
        paid = pay.of_hands(dealt, everyone=self.house.shiso_ends)
        return self._ready(paid), ending.events(paid.entries)

    def _blind(self, state: State, seat: int) -> Step:
        """みずてん: the dealer alone may go in unseen, before any bid (B3, B11)."""
        self._in_deal(state)
        if state.phase is not Phase.BID or state.bidding.answers or seat != state.dealer:
            due = state.dealer
            raise Illegal(codes.BLIND_LATE, expected=(str(due),), where="blind", seat=seat, due=due)
        return self._bid(state._replace(blind=True), Bid(seat, True))

    def _bid(self, state: State, bid: Bid) -> Step:
        """In or out, from the dealer on. Once it is decided who plays (B3), the shut out and the
        three are paid for their hands (B4, B6), and the hands of the others go into the stock (B5).
        """
        self._in_deal(state)
        event = Event("bid", bid.seat, "in" if bid.goes_in else "out")
        if state.blind and len(state.bidding.answers) == 1 and bid == Bid(state.dealer, True):
            return state, ()  # in already, but it may be written (B14)
        bidding = state.bidding.bid(bid)
        state = state._replace(bidding=bidding, seat=bidding.due)
        if bidding.due:
            return state, (event,)
        state = pay.of_hands(
            state._replace(phase=Phase.PILE, seat=bidding.players[0]),
            everyone=self.house.shiso_ends,
        )
        out = [seat for seat in self.seats if seat not in bidding.players]
        return state._replace(table=state.table.fold(out)), (event, *ending.events(state.entries))

    def _ready(self, state: State) -> State:
        """Hands, field and stock lie: a four on the field is the first player's."""
        first = state.playing[0]
        opening = state.table.give_fours(first)
        return state._replace(phase=Phase.SHOW, seat=first, table=opening, opening=opening)

    def _shows(self, state: State) -> list[Show]:
        """The declarations still possible for the three, as far as their hands are known."""
        return [
            Show(seat, found.yaku, found.cards)
            for seat in state.playing
            if seat not in state.shown
            and (found := hachihachi_bga_hands.declaration(state.table.hands[seat - 1]))
        ]

    def _show(self, state: State, show: Show) -> Step:
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
        was_hidden = state.table.hidden[seat - 1]
        table = state.table.reveal(seat, show.cards)
        state = state._replace(table=table, shown=(*state.shown, seat))
        events: tuple[Event, ...] = (Event("show", seat, name, kan, show.cards),)
        if not table.hidden[seat - 1]:
            found = hachihachi_bga_hands.declaration(table.hands[seat - 1])
            declaring.check([found] if found else [], seat, show.yaku, show.cards, rulings=_B6)
        else:
            state = state._replace(covered=(*state.covered, show))
            if not declaring.check_hidden(table, state.covered, hachihachi_bga_hands.look):
                events += (declaring.unproved(seat, name),)
        if not was_hidden:
            return state, events
        state = pay.declare(
            state, seat, Declaration(show.yaku, kan, show.cards), everyone=self.house.shiso_ends
        )
        return state, (events[0], state.entries[-1].event(), *events[1:])

    # A turn ---------------------------------------------------------------------------------------

    def _play(self, state: State, action: Play) -> Step:
        """A hand card; if it captures nothing it may be hatto, but for the last in hand (B10)."""
        self._await(state, Phase.HAND)
        seat, before, card = state.seat, state.table, action.card
        laid, take = before.play(seat, card, action.take)
        last = before.hands[seat - 1].bit_count() + before.hidden[seat - 1] == 1
        state = state._replace(turn=state.turn + 1, turned=False)
        if not take and not last:  # with one card left nothing is hatto (B10)
            state = state._replace(throws=(*state.throws, *pay.throws(state, seat, card)))
        if self.house.tobikomi_hatto:
            state = pay.owe_tobikomi(state, seat, card, thrown=not take and not last)
        state = state._replace(phase=Phase.STOCK, table=laid)
        return self._captured(state, take, captured(seat, action, take))

    def _turn(self, state: State, action: Draw) -> Step:
        self._await(state, Phase.STOCK)
        laid, take = state.table.turn(state.seat, action.card, action.take)
        events = captured(state.seat, action, take)
        return self._captured(state._replace(table=laid, turned=True), take, events)

    def _captured(self, state: State, take: int, events: tuple[Event, ...]) -> Step:
        """A yaku is decided upon as soon as the card that makes it is captured (B7)."""
        seat = state.seat
        state, paid = pay.tobikomi(state, seat)
        events += ending.events(paid)
        had = {yaku for by, yaku, _ in state.payers if by == seat}
        new = [one for one in self.yaku(state, seat) if one.id not in had] if take else []
        if not new:
            return self._next_part(state, events)
        state = pay.assign(state, seat, new, take)
        events += tuple(Event("yaku", seat, one.id, one.value) for one in new)
        state = state._replace(phase=Phase.DECIDE)
        if state.turned and "sage" not in self._choices(state):
            ended, more = self._agari(state)
            return ended._replace(closed=True), events + more
        return state, (*events, Event("right", seat))

    def _next_part(self, state: State, events: tuple[Event, ...]) -> Step:
        """The stock card, the next player's turn, or the end of the hands."""
        if not state.turned:
            return state._replace(phase=Phase.STOCK), events
        if state.turn == TURNS:
            ended, more = ending.played_out(self.house, state)
            return ended, events + more
        seat = state.playing[state.turn % 3]
        return state._replace(phase=Phase.HAND, seat=seat), events

    # Decisions ------------------------------------------------------------------------------------

    def _has_cards(self, state: State) -> bool:
        i = state.seat - 1
        return bool(state.table.hands[i] or state.table.hidden[i])

    def _in_reach(self, state: State) -> bool:
        """Whether some other yaku is not out of reach for the seat in turn (B8).

        五光 is after 四光 was lowered, and as long as 四光 is wanted both are or neither is.
        """
        mine = state.table.captured[state.seat - 1]
        taken = sum(state.table.captured) - mine
        return any(missing(row, mine, taken=taken) for row in LOWERED)

    def _choices(self, state: State) -> tuple[str, ...]:
        """下げ needs a hand card left and another yaku within reach; else あがり only (B8)."""
        goes_on = self._has_cards(state) and self._in_reach(state)
        return ("agari", "sage") if goes_on else ("agari",)

    def _say(self, state: State, word: str) -> Step:
        if word not in self.words:
            raise Illegal(codes.DECISION_UNKNOWN, word=word)
        if state.closed and word == "agari":
            return state._replace(closed=False), ()
        if state.phase is not Phase.DECIDE and not state.closed:
            raise Illegal(codes.DECISION_NOT_DUE, word=word)
        choices = self._choices(state)
        if word not in choices:  # only 下げ can be barred
            code = codes.SAGE_REACH if self._has_cards(state) else codes.SAGE_LAST
            raise Illegal(code, expected=choices, ruling="B8")
        event = Event("say", state.seat, word)
        if word == "sage":
            return self._sage(state, event)
        ended, events = self._agari(state)
        return ended, (event, *events)

    def _sage(self, state: State, event: Event) -> Step:
        """下げ: to play on. The yaku of another who was in 下げ are dead from now on (B12)."""
        seat, lowered, dead = state.seat, list(state.lowered), list(state.dead)
        lowered[seat - 1] |= {one.id for one in self.yaku(state, seat)}
        if state.sager not in (0, seat):
            dead[state.sager - 1] |= {one.id for one in self.yaku(state, state.sager)}
        since = state.since if state.sager == seat else state.turn
        state = state._replace(
            lowered=tuple(lowered), dead=tuple(dead), sager=seat, since=since, phase=Phase.STOCK
        )
        return self._next_part(state, (event,))

    def _may_cancel(self, state: State) -> bool:
        """B15: the player in 下げ may call it off in their turn, with two hand cards or more
        left.
        """
        i = state.seat - 1
        left = state.table.hands[i].bit_count() + state.table.hidden[i]
        return self.house.torikeshi and state.seat == state.sager and left >= LEAST_TO_CANCEL

    def _call(self, state: State, word: str, seat: int) -> Step:
        """下げの取消し (B15): instead of playing, half of what was held, and the month ends."""
        if word != "torikeshi" or not self.house.torikeshi:
            raise Illegal(codes.NO_PLACE, statement=f"={word}")
        self._await(state, Phase.HAND)
        if state.sager != seat:
            raise Illegal(codes.TORIKESHI_NOTHING, seat=seat)
        if state.seat != seat or not self._may_cancel(state):
            raise Illegal(codes.TORIKESHI_LAST, seat=seat)
        held = self.yaku(state, seat)
        paid = pay.yaku_entries(state, seat, held, half=True)
        return ending.close(self.house, state, "torikeshi", seat, paid)

    # The end of a deal ----------------------------------------------------------------------------

    def _agari(self, state: State) -> Step:
        """あがり: all the player's yaku in full; those of another in 下げ are worth nothing
        (B9).
        """
        held = self.yaku(state, state.seat)
        paid = pay.yaku_entries(state, state.seat, held, half=False)
        return ending.close(self.house, state, "agari", state.seat, paid)
