"""State machine of 三人はちはち, by the rulings H1–H25. Sums are in points."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes, grades
from kafu.rules.hachihachi import ending
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import hatto as hachihachi_hatto
from kafu.rules.hachihachi import pay as hachihachi_pay
from kafu.rules.hachihachi.hatto import Three
from kafu.rules.hachihachi.payments import PAYMENTS
from kafu.rules.hachihachi.state import SEATS, YAKU, HachihachiClaim, HachihachiState
from kafu.rules.payments import PaymentTable
from kafu.rules.play import declaring
from kafu.rules.play.actions import (
    Action,
    Begin,
    CallAction,
    Deal,
    Illegal,
    PlayEvent,
    Say,
    ShowAction,
    Void,
)
from kafu.rules.play.ledger import SHARED, Entry, Payer
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase
from kafu.rules.play.seating import order_by_draw, turn_order
from kafu.rules.play.table import lay_out, shuffle
from kafu.rules.rulesets import complete_options
from kafu.rules.yaku import Made, grown, made

HAND: Final = 7
FIELD: Final = 6
TURNS: Final = 21


class Hachihachi(Machine[HachihachiState]):
    """The game of 三人はちはち, with the options ``ba`` (A–F) and ``etsunen``."""

    id = "hachihachi"
    players = 3
    hand = HAND
    round = 3
    captured_yaku = YAKU
    payments = PAYMENTS
    words = frozenset({"agari", "sage", "menjo", "nimai"})
    statements = frozenset({"draw", "ba"})

    def __init__(self, options: Mapping[str, str]) -> None:
        """Read the options; a missing option has its default."""
        house_rules = complete_options(self.id, options)
        self.payments_by_grade = {
            grade: PAYMENTS.at(scale) for grade, scale in grades.SCALES[house_rules["ba"]].items()
        }
        self.etsunen = house_rules["etsunen"] == "yes"

    def find_carried(self, state: HachihachiState) -> Hashable:
        """Return the 二代しばり that makes the month large or absolute, None without one (H1)."""
        return state.bound

    def start(self) -> HachihachiState:
        """Return the state before January: anybody may deal first, unless a draw decides (C7)."""
        return HachihachiState()

    def deal(self, state: HachihachiState, random: Random) -> Deal:
        """Return a random deal of seven each and six on the field (手七場六)."""
        dealt = shuffle(random, seats=SEATS, hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice(SEATS), *dealt)

    def yaku(self, state: HachihachiState, seat: int) -> tuple[Made, ...]:
        """Return the captured yaku of ``seat`` in kan, without the grade.

        五光 replaces 四光, and 七短 grows by each ribbon (H8).
        """
        return made(YAKU, state.table.captured[seat - 1], rained=False, called=False)

    def legal_actions(self, state: HachihachiState) -> Sequence[Action]:
        """Return the legal actions, with 下げの取消し before any turn (H10)."""
        match state.phase:
            case Phase.SHOW:
                return [Begin(), *self._list_shows(state)]
            case Phase.HAND:
                calls = [CallAction("torikeshi", state.sager)] if self._may_cancel(state) else []
                return [*state.table.plays(state.seat), *calls]
            case Phase.STOCK:
                return state.table.turns()
            case Phase.DECIDE:
                return [Say(word) for word in self.list_decisions(state)]
        return []

    def claims(self, state: HachihachiState) -> Sequence[Action]:
        """Return the claim of 免除 for the card just played, if it is right (H14)."""
        return [Say("menjo")] if hachihachi_pay.can_claim_exemption(state) else []

    # The deal and the declarations ----------------------------------------------------------------

    def _deal(self, state: HachihachiState, deal: Deal) -> HachihachiState:
        """Lay out a deal and return its state.

        The field settles the grade before the dealer takes a four of a month there (H1). The field
        of a misdeal counts if it has six cards (H25).
        """
        self._month_due(state, deal)
        due = state.dealer
        if deal.draws:
            if state.deals:
                raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
            due = order_by_draw(deal.draws, SEATS)
        self._dealer_due(deal, due)
        dealt = state.next_deal()
        dealt.table = lay_out(deal, seats=SEATS, players=3, hand=HAND, field=FIELD)
        if len(deal.field or "") == FIELD:
            dealt.grade, dealt.carries = grades.grade(dealt.table.field, state.bound)
        if not deal.misdealt:
            dealt.table.give_fours(deal.dealer)
        dealt.phase, dealt.dealer, dealt.seat = Phase.SHOW, deal.dealer, deal.dealer
        return dealt

    def _list_shows(self, state: HachihachiState) -> list[ShowAction]:
        """Return the possible declarations of the known hands, by seat (H2).

        A seat that has declared may not declare again.
        """
        declared_seats = {*state.disputed, *(claim.seat for claim in state.claims)}
        return [
            ShowAction(seat, declaration.yaku, declaration.cards)
            for seat in SEATS
            if seat not in declared_seats and not state.table.hidden[seat - 1]
            for declaration in hachihachi_hands.declarations(state.table.hands[seat - 1])
        ]

    def _show(self, state: HachihachiState, show: ShowAction) -> None:
        """Declare a dealt hand: the best yaku of a family, with its cards open (H2, H3).

        Each other player pays immediately (H5). A declaration that the record strikes out must be
        false (H22).
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, statement="show")
        seat, table = show.seat, state.table
        if any(claim.seat == seat for claim in state.claims) or seat in state.disputed:
            raise Illegal(codes.SHOW_TWICE, seat=seat)
        kan = hachihachi_hands.value(show.yaku)
        valid = list(hachihachi_hands.declarations(table.hands[seat - 1]))
        name = "+".join(show.yaku)
        hidden = table.hidden[seat - 1]
        if kan is None:
            names = tuple(dict.fromkeys("+".join(declaration.yaku) for declaration in valid))
            raise Illegal(codes.SHOW_FALSE, expected=names, seat=seat, yaku=name)
        if show.disputed:
            if not hidden and any(declaration.yaku == show.yaku for declaration in valid):
                raise Illegal(codes.SHOW_RIGHT, seat=seat, yaku=name)
        elif not hidden:
            declaring.check(valid, seat, show.yaku, show.cards, rulings=("H2", "H3"))
        table.reveal(seat, show.cards)
        if hidden:
            state.covered = (*state.covered, show)
            if not declaring.check_hidden(table, state.covered, hachihachi_hands.look):
                state.unproved = seat, name
        payments = self.find_payments(state)
        line = hachihachi_pay.line(name, seat, sum(map(payments.find_each, show.yaku)))
        entry = Entry(line, seat, dealt=True)
        if show.disputed:
            entry = entry.void()
        state.entries = (*state.entries, entry)
        if state.heard is not None:
            state.heard += [PlayEvent("show", seat, name, kan, show.cards), entry.event()]
        if show.disputed:
            state.disputed = (*state.disputed, seat)
            return
        if hachihachi_hands.TOBIKOMI & set(show.yaku):
            state.threes += tuple(
                Three(seat, three, cards.MATCH[three & -three] & ~three)
                for three in hachihachi_hands.threes(show.cards)
            )
        state.claims = (*state.claims, HachihachiClaim(seat, show.yaku))

    def _strike_out_show(self, state: HachihachiState, seat: int) -> None:
        """Strike out the whole false declaration of ``seat``, once (=void-show, H22).

        Raises Illegal if the record disputes no declaration of the seat.
        """
        if seat not in state.disputed:
            raise Illegal(codes.VOID_SHOW_NOTHING, seat=seat)
        if seat in state.struck:
            raise Illegal(codes.VOID_SHOW_TWICE, seat=seat)
        state.struck = (*state.struck, seat)
        if state.heard is not None:
            state.heard.append(PlayEvent("say", seat, "void-show"))

    def _begin(self, state: HachihachiState) -> None:
        """Begin play, or end the year if 四三 was declared, once all declarations are paid (H6).

        The first maker in play order wins the month, whoever declared first.
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        claimed = {claim.seat for claim in state.claims if "shiso" in claim.yaku}
        makers = [seat for seat in turn_order(state.dealer, self.players) if seat in claimed]
        if makers:
            self._end(state, "shiso", makers[0], (), makers=tuple(makers))
        else:
            state.phase = Phase.HAND

    def _redeal(self, state: HachihachiState, reason: str) -> None:
        """Close the deal for a mistake in dealing, the only reason to deal again (C10, H22)."""
        if state.phase is not Phase.SHOW or reason != "misdeal":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        ending.close_unplayed(state, "redeal")

    # A turn ---------------------------------------------------------------------------------------

    def hand_card(self, state: HachihachiState, card: int, take: int) -> None:
        """Play a hand card.

        Without a capture it is hatto if it helps another player to a yaku (H12), or if it is the
        fourth card to a declared three (H15 (a)); the last card in hand never is (H14). A seat that
        holds the fourth card and leaves the first card of a three on the field owes for it (H15
        (b)); this shows when the seat plays the fourth.
        """
        if state.phase is not AT_HAND:
            self._await(state, AT_HAND)
        seat, table = state.seat, state.table
        i = seat - 1
        state.turn += 1
        let_go = state.threes and hachihachi_hatto.find_abandoned_threes(
            table, seat, card, state.threes
        )
        hidden = table.hidden[i]
        take = table.play(i, card, take)
        is_last_card = not table.hands[i] and not table.hidden[i]
        if not take and not is_last_card:  # the last card in hand is exempt (H14)
            self._discard(state, card, was_hidden=hidden > table.hidden[i])
        if state.let_go:
            state.debts += hachihachi_hatto.find_debts(state.let_go, card, seat)
        if let_go:
            payer = Payer(seat, "hatto", card, state.turn)
            state.let_go += tuple((three, payer) for three in let_go)
        state.caught = ((card, take),)
        state.turned, state.echo = False, ""
        state.phase = AT_STOCK
        if take and state.threes:
            hachihachi_pay.pay_tobikomi(state, self.find_payments(state), seat)

    def _discard(self, state: HachihachiState, card: int, *, was_hidden: bool) -> None:
        """Note the hatto of a hand card without a capture, until a claim of 免除 clears it."""
        seat, table = state.seat, state.table
        state.fresh = hachihachi_hatto.find_throws(table, seat, card, state.turn)
        if state.threes:
            payer = Payer(seat, "hatto", card, state.turn)
            threes = hachihachi_hatto.find_given_threes(table, seat, card, state.threes)
            state.fresh_debts = tuple((three, payer) for three in threes)
        if state.fresh or state.fresh_debts:
            state.earlier = table.before_discard(seat - 1, card, was_hidden=was_hidden)

    def stock_card(self, state: HachihachiState, card: int, take: int) -> None:
        """Turn a stock card, which is never hatto (H12), and end the turn."""
        if state.phase is not AT_STOCK:
            self._await(state, AT_STOCK)
        seat, table = state.seat, state.table
        take = table.turn(seat - 1, card, take)
        if state.fresh or state.fresh_debts:
            state.throws += state.fresh
            state.debts += state.fresh_debts
            state.fresh, state.fresh_debts = (), ()
        played, caught = state.caught[0]
        state.caught = ((played, caught), (card, take))
        state.turned = True
        if take and state.threes:
            hachihachi_pay.pay_tobikomi(state, self.find_payments(state), seat)
        if self._may_change_yaku(state, played, caught, card, take):
            self._judge_yaku(state)
        else:
            self._next_turn(state)

    def _judge_yaku(self, state: HachihachiState) -> None:
        """Judge the captured yaku at the end of a turn, and go on.

        A yaku that is new or has grown requires a decision (H7).
        """
        seat = state.seat
        old_yaku, new_yaku = state.made[seat - 1], self.yaku(state, seat)
        gained = [yaku_made for yaku_made in new_yaku if grown(yaku_made, old_yaku)]
        if not gained:
            self._next_turn(state)
            return
        hachihachi_pay.assign_payers(state, seat, gained)
        made_by_seat = list(state.made)
        made_by_seat[seat - 1] = new_yaku
        state.made, state.phase = tuple(made_by_seat), AT_DECISION
        if state.heard is not None:
            state.heard += [
                PlayEvent("yaku", seat, yaku_made.id, yaku_made.value) for yaku_made in gained
            ]
            state.heard.append(PlayEvent("right", seat))

    def resume(self, state: HachihachiState, calls: tuple[int, ...]) -> None:
        """Complete a state whose cards were laid out, with the yaku and the seat in 下げ.

        Earlier hatto cards are unknown, so all players pay for these yaku.
        """
        state.made = tuple(self.yaku(state, seat) for seat in SEATS)
        state.payers = tuple(
            (seat, yaku.id, SHARED) for seat in SEATS for yaku in state.made[seat - 1]
        )
        state.sager, state.since = self._find_caller(calls), state.turn

    def count_quiet_turns(self, state: HachihachiState) -> int:
        """Return the number of turns before the last one; 0 if a player is in 下げ."""
        return 0 if state.sager else TURNS - 1 - state.turn

    def is_quiet(
        self, state: HachihachiState, card: int, take: int, drawn: int, taken: int
    ) -> bool:
        """Return whether a turn brings no hatto and no 飛込み."""
        seat, table = state.seat, state.table
        if not take and table.hands[seat - 1] and hachihachi_hatto.find_throws(table, seat, card):
            return False
        threes = state.threes
        return not threes or not hachihachi_hatto.may_concern_threes(
            table, seat, threes, card | take | drawn | taken
        )

    def end_turn(
        self, state: HachihachiState, card: int, take: int, drawn: int, taken: int
    ) -> bool:
        """Judge the captured yaku of a turn whose cards were moved, if it has no other effect."""
        if not self.is_quiet(state, card, take, drawn, taken):
            return False
        state.caught = ((card, take), (drawn, taken))
        state.turned, state.echo = True, ""
        self._judge_yaku(state)
        return True

    def _may_change_yaku(
        self, state: HachihachiState, card: int, take: int, drawn: int, taken: int
    ) -> bool:
        """Return whether the captures of a turn may make or raise a yaku."""
        captured = state.table.captured[state.seat - 1]
        return bool(
            (take and YAKU.touched(captured, card | take))
            or (taken and YAKU.touched(captured, drawn | taken))
        )

    def _next_turn(self, state: HachihachiState) -> None:
        """Pass the turn on.

        The deal ends if the player in 下げ has no card left (forced 取消し, H9), or if all hands
        are played out (H16).
        """
        seat = state.seat
        if seat == state.sager and self._is_out_of_cards(state):
            self._cancel(state)
            state.forced = seat
        elif state.turn == TURNS:
            self._close_played_out(state)
        else:
            state.phase, state.seat = AT_HAND, seat % 3 + 1

    def _is_out_of_cards(self, state: HachihachiState) -> bool:
        """Return whether the seat in turn has no hand card left."""
        i = state.seat - 1
        return not state.table.hands[i] and not state.table.hidden[i]

    # Decisions ------------------------------------------------------------------------------------

    def list_decisions(self, state: HachihachiState) -> tuple[str, ...]:
        """Return the legal decisions: あがり and 下げ (H7).

        On the last hand card, or while another player is in 下げ, only あがり is possible.
        """
        if self._is_out_of_cards(state) or state.sager not in (0, state.seat):
            return ("agari",)
        return ("agari", "sage")

    def say(self, state: HachihachiState, word: str) -> None:
        """Say あがり, 下げ, 免除 or 二枚めくり."""
        if word not in self.words:
            raise Illegal(codes.DECISION_UNKNOWN, word=word)
        if word == "menjo":
            self._claim_exemption(state)
        elif word == "nimai":
            self._turn_two(state)
        elif word == "sage" and state.echo == word:
            state.echo = ""
        else:
            self._decide(state, word)

    def _decide(self, state: HachihachiState, word: str) -> None:
        """Decide for あがり or 下げ (H7)."""
        if state.phase is not Phase.DECIDE:
            raise Illegal(codes.DECISION_NOT_DUE, word=word)
        choices = self.list_decisions(state)
        if word not in choices:  # only 下げ can be barred
            code = codes.SAGE_LAST if self._is_out_of_cards(state) else codes.SAGE_TAKEN
            raise Illegal(code, expected=choices, seat=state.sager, ruling="H7")
        if state.heard is not None:
            state.heard.append(PlayEvent("say", state.seat, word))
        if word == "sage":
            self._sage(state, locked=False)
        else:
            state.turned = False
            self._agari(state)

    def _sage(self, state: HachihachiState, *, locked: bool) -> None:
        """Go on with 下げ; the player is liable for later yaku of the others (H11).

        ``locked``: 二枚めくり forced it, so it may not be cancelled (H22).
        """
        state.sager, state.since, state.locked = state.seat, state.turn, locked
        state.turned = False
        self._next_turn(state)

    def _claim_exemption(self, state: HachihachiState) -> None:
        """Clear the hatto of the card just played (=menjo, 免除).

        Raises Illegal unless all cards in hand were hatto and this card was the cheapest (H14).
        """
        if not hachihachi_pay.can_claim_exemption(state):
            raise Illegal(codes.EXEMPTION_FALSE)
        if state.heard is not None:
            state.heard.append(PlayEvent("say", state.seat, "menjo"))
        if state.earlier is not None and state.earlier.hidden[state.seat - 1]:
            state.unproved = state.seat, "menjo"
        state.fresh, state.fresh_debts = (), ()

    def _turn_two(self, state: HachihachiState) -> None:
        """Say 二枚めくり (=nimai): the player has seen the next stock card and may not choose.

        A yaku made in that turn is 下げ by force; if only あがり was possible, it stands (H22). It
        is said once, before any other decision of the turn, and not on the last turn (H25).
        """
        if not state.turned:
            raise Illegal(codes.DECISION_NOT_DUE, word="nimai")
        if state.turn == TURNS:
            raise Illegal(codes.NIMAI_LAST)
        if state.heard is not None:
            state.heard.append(PlayEvent("say", state.seat, "nimai"))
        if state.phase is Phase.DECIDE and "sage" in self.list_decisions(state):
            self._sage(state, locked=True)
            state.echo = "sage"
        else:
            state.turned = False

    def _may_cancel(self, state: HachihachiState) -> bool:
        """Return whether 下げ may be cancelled: after a later turn (H10), not if forced (H22)."""
        return bool(state.sager) and state.turn > state.since and not state.locked

    def _call(self, state: HachihachiState, word: str, seat: int) -> None:
        """Call 下げの取消し between turns (H10), or strike out a declaration at any time (H25)."""
        if word == "void-show":
            self._strike_out_show(state, seat)
            return
        if state.forced == seat and state.result is not None:
            state.forced = 0
            return
        self._in_deal(state)
        self.undecided(state)
        if state.phase is not Phase.HAND or state.sager != seat:
            raise Illegal(codes.TORIKESHI_NOTHING, seat=seat)
        if not self._may_cancel(state):
            raise Illegal(codes.TORIKESHI_EARLY, seat=seat)
        self._cancel(state)

    # The end of a deal ----------------------------------------------------------------------------

    def _void(self, state: HachihachiState, void: Void) -> None:
        """Close a void deal: the month is dealt again (C6)."""
        ending.close_unplayed(state, "void")

    def find_payments(self, state: HachihachiState) -> PaymentTable:
        """Return the payments at the month's grade."""
        return self.payments_by_grade[state.grade or "small"]

    def _agari(self, state: HachihachiState) -> None:
        """End the month with あがり: both others pay all the player's yaku in full.

        Another player in 下げ gets half of theirs, on the first lines (H9).
        """
        paid: tuple[Entry, ...] = ()
        if state.sager not in (0, state.seat):
            paid = hachihachi_pay.list_yaku_entries(
                state, self.find_payments(state), state.sager, half=True
            )
        paid += hachihachi_pay.list_yaku_entries(
            state, self.find_payments(state), state.seat, half=False
        )
        self._end(state, "agari", state.seat, paid)

    def _cancel(self, state: HachihachiState) -> None:
        """End the month with 下げの取消し: half of the yaku held at the last 下げ is paid (H9)."""
        paid = hachihachi_pay.list_yaku_entries(
            state, self.find_payments(state), state.sager, half=True
        )
        self._end(state, "torikeshi", state.sager, paid)

    def _close_played_out(self, state: HachihachiState) -> None:
        """End the month after the last card, with no captured yaku made and nobody in 下げ.

        Special yaku strike out payments for dealt hands, and card points are not paid (H16).
        Otherwise 抜け and card points are paid (H17).
        """
        specials = ending.list_specials(state, self.find_payments(state))
        if specials:
            state.entries = tuple(entry.struck() for entry in state.entries)
            self._end(state, "special", ending.find_best_paid(state, specials), specials)
        else:
            entries = ending.list_point_entries(state, self.find_payments(state))
            self._end(state, "played-out", ending.find_most_points(state), entries)

    def _end(
        self,
        state: HachihachiState,
        end: str,
        winner: int,
        paid: Sequence[Entry],
        makers: tuple[int, ...] = (),
    ) -> None:
        """Close the month with these last payments; ``makers`` are the players with 四三."""
        ending.close(state, end, winner, paid, makers, etsunen=self.etsunen)
