"""State machine of こいこい, by the rulings K1–K20. A `Profile` holds the house rules."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.koikoi import ending
from kafu.rules.koikoi.ending import KoikoiState, line
from kafu.rules.koikoi.payments import list_payments
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.play import table
from kafu.rules.play.actions import (
    Action,
    Begin,
    Deal,
    Illegal,
    PlayEvent,
    Redeal,
    Say,
    ShowAction,
    Void,
)
from kafu.rules.play.ledger import score as summed
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase
from kafu.rules.play.seating import check_draws, dealer_of_split
from kafu.rules.play.table import lay_out, shuffle
from kafu.rules.teyaku import find
from kafu.rules.verdict import DealResult, Line
from kafu.rules.yaku import CapturedYaku, Made, YakuTable, grown, made, total

HAND: Final = 8
FIELD: Final = 8


class Koikoi(Machine[KoikoiState]):
    """The game of こいこい by the rules of one house."""

    id = "koikoi"
    players = 2
    hand = HAND
    round = 2
    words = frozenset({"shobu", "koikoi"})
    statements = frozenset({"draw", "split"})

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.captured_yaku = profile.yaku
        self.payments = list_payments(profile, 1)
        #: The captured yaku of each month of the pack.
        self.tables = [profile.table(month) for month in range(1, 13)]
        #: Whether some yaku has another value after こいこい.
        self.revalued = any(row.called_value is not None for row in profile.yaku)
        #: The cards that void 盃役, and the crane, which restores them (K7, K20).
        self.weather = profile.voiding | cards.CRANE
        #: The cards of the yaku that rain and mist void.
        self.cup = reduce(or_, (row.cards for row in profile.yaku if row.sake), 0)

    @property
    def bars_hands(self) -> bool:
        """Return whether the house deals again for four cards of a month in a hand (K15)."""
        return self.profile.again_hand

    def is_decided(self, totals: Sequence[int]) -> bool:
        """Return whether the totals end the game: a seat is bust (K15) or at the target (K18)."""
        return self.profile.is_decided(totals)

    def find_carried(self, state: KoikoiState) -> Hashable:
        """Return who may win the season whole, and whether the month is played over (K9, K12).

        These are the months won so far in the season, the seat that won all of them (0 for the
        dealer, None if none did), and whether the month is played over. 大引 (K15) is left out.
        """
        won = len(state.winners) % 3 if self.profile.season else 0
        season = set(state.winners[-won:]) if won else {0}
        seat = (season.pop() - state.dealer) % 2 if season in ({1}, {2}) else None
        return (won, seat, state.replayed) if won or state.replayed else None

    def undecided_by_sums(self) -> Koikoi:
        """Return the same house without the rules by which totals end a game (K15, K18)."""
        profile = replace(self.profile, bust=False, first_to=0)
        return self if profile == self.profile else Koikoi(profile)

    def start(self) -> KoikoiState:
        """Return the state before January, with the starting points of the house."""
        state = KoikoiState()
        state.totals = (self.profile.start,) * 2
        return state

    def deal(self, state: KoikoiState, random: Random) -> Deal:
        """Return a random deal of eight, eight and eight (手八場八); a random seat deals first."""
        dealt = shuffle(random, seats=(1, 2), hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice((1, 2)), *dealt)

    def yaku(self, state: KoikoiState, seat: int) -> tuple[Made, ...]:
        """Return the captured yaku of ``seat``: the best of each group (K5).

        Rain voids 盃役 (K7).
        """
        table = self.yaku_table(state)
        return self._find_yaku(table, state.table.captured[seat - 1], state.calls[seat - 1])

    def yaku_table(self, state: KoikoiState) -> YakuTable:
        """Return the yaku table of the month in play, with 月札 if the house has it (K16)."""
        month = state.month if state.result is None else state.result.month
        return self.tables[(month - 1) % 12]

    def _find_yaku(self, table: YakuTable, captured: int, calls: int) -> tuple[Made, ...]:
        """Return the yaku in ``captured`` (mask) of a seat, by its ``calls`` of こいこい."""
        rained = self.profile.rains(captured)
        return made(table, captured, rained=rained, called=calls > 0)

    def legal_actions(self, state: KoikoiState) -> Sequence[Action]:
        """Return the legal actions: show or begin (K3), play or turn a card (C2), decide (K10)."""
        match state.phase:
            case Phase.SHOW:
                return self._list_declarations(state)
            case Phase.HAND:
                return state.table.plays(state.seat)
            case Phase.STOCK:
                return state.table.turns()
            case Phase.DECIDE:
                return [Say(word) for word in self.list_decisions(state)]
        return []

    # The deal -------------------------------------------------------------------------------------

    def _deal(self, state: KoikoiState, deal: Deal) -> KoikoiState:
        """Lay out a deal and return its state.

        A draw belongs to the first deal only, a split to every deal until a card of January is
        played (K1, K2).
        """
        self._month_due(state, deal)
        due = state.dealer
        if deal.draws and state.deals:
            raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
        if deal.split and not state.settling:
            raise Illegal(codes.NO_PLACE, where="split", statement="split")
        if deal.draws:
            check_draws(deal.draws)
        if deal.split:  # a misdealt field need not fit its split, so any dealer is possible
            due = 0 if deal.misdealt else dealer_of_split(deal.split, deal.field or "") or due
        self._dealer_due(deal, due)
        dealt = state.next_deal()
        dealt.table = lay_out(deal, seats=(1, 2), players=2, hand=HAND, field=FIELD)
        dealt.phase, dealt.dealer, dealt.seat = Phase.SHOW, deal.dealer, deal.dealer
        return dealt

    def _list_declarations(self, state: KoikoiState) -> list[Action]:
        """Return the actions before play: begin or redeal, and one show per dealt hand (K3)."""
        redeal_cards = self._find_redeal_cards(state)
        if redeal_cards and not self.profile.teyaku:
            return [Redeal("shima")]
        shows: list[Action] = []
        for seat in (1, 2):
            hand = state.table.hands[seat - 1]
            yaku = find(self.profile.teyaku, hand)
            if yaku and all(seat != shown_seat for shown_seat, _ in state.shown):
                shows.append(ShowAction(seat, (yaku.id,), hand))
        proceed = Redeal("shima") if redeal_cards and not state.shown else Begin()
        return [proceed, *shows]

    def _show(self, state: KoikoiState, show: ShowAction) -> None:
        """Show a hand: all eight cards, under its only yaku (K3, K4)."""
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, statement="show")
        if any(show.seat == seat for seat, _ in state.shown):
            raise Illegal(codes.SHOW_TWICE, seat=show.seat)
        table_cards, hidden = state.table, state.table.hidden[show.seat - 1]
        hand = show.cards if hidden else table_cards.hands[show.seat - 1]
        fits = show.cards.bit_count() == HAND and not (
            table_cards.hands[show.seat - 1] & ~show.cards
            or show.cards & table_cards.seen & ~table_cards.hands[show.seat - 1]
        )
        if not fits:
            expected_cards = "" if hidden else cards.letters(hand)
            raise Illegal(
                codes.SHOW_CARDS,
                expected=(expected_cards,) if expected_cards else (),
                seat=show.seat,
                cards=cards.letters(show.cards),
                ruling="K3",
            )
        yaku = find(self.profile.teyaku, hand)
        if yaku is None or show.yaku != (yaku.id,):
            raise Illegal(
                codes.SHOW_FALSE,
                expected=(yaku.id,) if yaku else (),
                seat=show.seat,
                yaku="+".join(show.yaku),
            )
        i = show.seat - 1
        table_cards.hands[i], table_cards.hidden[i] = hand, 0
        table_cards.seen |= hand
        state.shown = (*state.shown, (show.seat, yaku))
        if state.heard is not None:
            state.heard.append(PlayEvent("show", show.seat, yaku.id, yaku.value, hand))

    def _begin(self, state: KoikoiState) -> None:
        """End the month if a hand was shown, else begin play (K3).

        A shown hand wins its value. Of two the higher wins the difference, and equal ones are a
        流れ.
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        if state.shown:
            (winner, best), *lower = sorted(state.shown, key=lambda show: -show[1].value)
            if lower and lower[0][1].value == best.value:
                self._close_as_nagare(state)
                return
            find_each = self.payments.find_each
            ledger = [line(self.profile, best.id, winner, find_each(best.id))]
            ledger += [
                line(self.profile, yaku.id, winner, -find_each(yaku.id)) for _, yaku in lower
            ]
            self._end(state, "teyaku", winner, ledger)
            return
        if redeal_cards := self._find_redeal_cards(state):
            raise Illegal(
                codes.REDEAL_DUE, expected=("redeal shima",), cards=cards.letters(redeal_cards)
            )
        state.phase = Phase.HAND

    def _find_redeal_cards(self, state: KoikoiState) -> int:
        """Return the cards (mask) for which the month is dealt again, 0 for none.

        シマ is four of a month on the field (K3); houses may count three there, or four in a hand
        (K15).
        """
        limit, field = self.profile.again_field, state.table.field
        redeal_cards = table.fours(field) if limit == 4 else table.alike(field, limit)
        if self.profile.again_hand:
            redeal_cards |= sum(table.fours(hand) for hand in state.table.hands)
        return redeal_cards

    def _redeal(self, state: KoikoiState, reason: str) -> None:
        """Close the deal for a mistake in dealing (C6), or for シマ if no shown hand wins (K3).

        In a house that deals again for four in a hand (K15), a hidden hand leaves the claim
        unproved (C9).
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        if reason == "misdeal":
            self._end(state, "redeal")
            return
        if reason != "shima":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        proved = bool(self._find_redeal_cards(state))
        holder = state.table.may_hold_four() if self.profile.again_hand else 0
        if state.scored or not (holder or proved):
            raise Illegal(codes.REDEAL_GROUNDLESS, where="redeal", reason=reason)
        # シマ is a 流れ (K3) if the month is then replayed, otherwise just a new deal.
        if self.profile.replay:
            self._close_as_nagare(state)
        else:
            self._end(state, "redeal")
        if not proved:
            state.unproved = holder, reason

    # A turn ---------------------------------------------------------------------------------------

    def hand_card(self, state: KoikoiState, card: int, take: int) -> None:
        """Play a hand card; yaku are judged only at the end of the turn (K5)."""
        if state.phase is not AT_HAND:
            self._await(state, AT_HAND)
        take = state.table.play(state.seat - 1, card, take)
        state.played = take and take | card
        state.turn += 1
        state.phase = AT_STOCK

    def stock_card(self, state: KoikoiState, card: int, take: int) -> None:
        """Turn a stock card, and end the turn (K5)."""
        if state.phase is not AT_STOCK:
            self._await(state, AT_STOCK)
        take = state.table.turn(state.seat - 1, card, take)
        state.turned = take and take | card
        if self._may_change_yaku(state, state.played, state.turned):
            self._judge_yaku(state)
        else:
            self._next_turn(state)

    def _judge_yaku(self, state: KoikoiState) -> None:
        """Judge the captured yaku at the end of a turn, and go on.

        A yaku that is new or raised may give the right to decide (K8); in a month played over only
        with a total of 3 mon (K9).
        """
        seat = state.seat
        captured, yaku_rows = state.table.captured[seat - 1], self.yaku_table(state)
        old_yaku, opponent_yaku = state.made[seat - 1], state.made[2 - seat]
        new_yaku = self._find_yaku(yaku_rows, captured, state.calls[seat - 1])
        state.made = (new_yaku, opponent_yaku) if seat == 1 else (opponent_yaku, new_yaku)
        fresh = [yaku_made for yaku_made in new_yaku if grown(yaku_made, old_yaku)]
        if state.heard is not None:
            state.heard += [
                PlayEvent("yaku", seat, yaku_made.id, yaku_made.value) for yaku_made in fresh
            ]
        floor = self.profile.floor if state.replayed else 0
        if (not floor or total(new_yaku) >= floor) and any(
            gives_right(
                self.profile,
                yaku_rows.find(yaku_made.id),
                yaku_made,
                captured,
                state.played,
                state.turned,
            )
            for yaku_made in fresh
        ):
            state.phase = AT_DECISION
            if state.heard is not None:
                state.heard.append(PlayEvent("right", seat))
        else:
            self._next_turn(state)

    def resume(self, state: KoikoiState, calls: tuple[int, ...]) -> None:
        """Complete a state whose cards were laid out, with the yaku made so far."""
        first, second = calls or (0, 0)
        state.calls = first, second
        state.made = self.yaku(state, 1), self.yaku(state, 2)

    def count_quiet_turns(self, state: KoikoiState) -> int:
        """Return the number of turns before the last one; 0 if a call changes values of yaku."""
        return 0 if self.revalued and any(state.calls) else 2 * HAND - 1 - state.turn

    def find_loud_cards(self) -> int:
        """Return the cards that void or restore a yaku."""
        return self.weather

    def is_quiet(self, state: KoikoiState, card: int, take: int, drawn: int, taken: int) -> bool:
        """Return whether a turn's captures neither void nor restore a yaku."""
        gained = (take and take | card) | (taken and taken | drawn)
        return not (gained & self.weather and state.table.captured[state.seat - 1] & self.cup)

    def end_turn(self, state: KoikoiState, card: int, take: int, drawn: int, taken: int) -> bool:
        """Judge the captured yaku of a turn whose cards were moved, and go on."""
        state.played, state.turned = take and take | card, taken and taken | drawn
        self._judge_yaku(state)
        return True

    def _may_change_yaku(self, state: KoikoiState, played: int, turned: int) -> bool:
        """Return whether a turn's captures may make, raise, void or revalue a yaku."""
        if not (played or turned):
            return False
        captured = state.table.captured[state.seat - 1]
        yaku = self.tables[(state.month - 1) % 12]
        return bool(
            (played and yaku.touched(captured, played))
            or (turned and yaku.touched(captured, turned))
            or (captured & self.cup and (played | turned) & self.weather)
            or (self.revalued and state.calls[state.seat - 1])
        )

    def _next_turn(self, state: KoikoiState) -> None:
        """Pass the turn to the opponent, or close the deal if no hand card is left (K11)."""
        if state.turn == 2 * HAND:
            self._close_exhausted(state)
        else:
            state.phase, state.seat = AT_HAND, 3 - state.seat

    def list_decisions(self, state: KoikoiState) -> tuple[str, ...]:
        """Return the legal decisions: 勝負 and こいこい, also on the last card (K10).

        Houses may bar こいこい on the last card or limit how often it is said (K15).
        """
        profile = self.profile
        barred = state.turn > 2 * HAND - 2 and not profile.last_card_koikoi
        if profile.most_calls is not None:
            barred |= state.calls[state.seat - 1] >= profile.most_calls
        return ("shobu",) if barred else ("shobu", "koikoi")

    def say(self, state: KoikoiState, word: str) -> None:
        """Decide: 勝負 wins with all valid yaku, こいこい plays on (K10)."""
        if word not in self.words:
            raise Illegal(codes.DECISION_UNKNOWN, word=word)
        if state.phase is not Phase.DECIDE:
            raise Illegal(codes.DECISION_NOT_DUE, word=word)
        choices = self.list_decisions(state)
        if word not in choices:
            raise Illegal(
                codes.DECISION_BARRED, expected=choices, word=word, due=" / ".join(choices)
            )
        seat = state.seat
        if state.heard is not None:
            state.heard.append(PlayEvent("say", seat, word))
        if word == "koikoi":
            first, second = state.calls
            state.calls = (first + 1, second) if seat == 1 else (first, second + 1)
            self._next_turn(state)
            return
        self._win(state, "shobu", seat, state.made[seat - 1])

    def _win(self, state: KoikoiState, end: str, seat: int, yaku: Sequence[Made]) -> None:
        """Close the month as won by ``seat`` with the sum of its yaku, never multiplied (K10).

        Houses may add to the sum or multiply it (K15, K17).
        """
        profile, calls = self.profile, state.calls
        added = profile.added(
            total(yaku), own_calls=calls[seat - 1], opponent_calls=calls[2 - seat]
        )
        values = [*((item.id, item.value) for item in yaku), *added]
        ledger = [line(profile, label, seat, value) for label, value in values]
        count = calls[0] + calls[1]
        if profile.calls_multiply and count and state.heard is not None:
            amounts = next(item.amounts for item in ledger if item.label == "koikoi")
            state.heard.append(
                PlayEvent("pay", seat, "koikoi", count, amounts=amounts, why="calls")
            )
        self._end(state, end, seat, ledger)

    # The end of a deal and of the game ------------------------------------------------------------

    def _void(self, state: KoikoiState, void: Void) -> None:
        """Close a void deal: the month is dealt again (C6).

        Once a card of January was played, no new split may decide the dealer (K2).
        """
        if void.played:
            state.settling = False
        self._end(state, "void")

    def _close_exhausted(self, state: KoikoiState) -> None:
        """Close a deal whose hands are played out: a 流れ, unless the house has another rule (K11).

        With 親権 the dealer gets a fixed sum and the month is not played over (K15). Some houses
        first award the month to the seat with the higher total of yaku (K19).
        """
        profile = self.profile
        if profile.exhausted_higher:
            first, second = (self.yaku(state, seat) for seat in (1, 2))
            if total(first) != total(second):
                seat, best = (1, first) if total(first) > total(second) else (2, second)
                self._win(state, "played-out", seat, best)
                return
        if not profile.exhausted_gain:
            self._close_as_nagare(state)
            return
        ledger = [line(profile, "oyaken", state.dealer, self.payments.find_each("oyaken"))]
        winner = state.dealer if profile.exhausted_wins else None
        self._end(state, "nagare", winner, ledger, flowed=True, over_again=False)

    def _close_as_nagare(self, state: KoikoiState) -> None:
        """Close the deal as a 流れ: nobody scores (K11) and the dealer changes (K2).

        The month is played over; in some houses the next month follows (K15).
        """
        self._end(state, "nagare", flowed=True, over_again=self.profile.replay)

    def _end(
        self,
        state: KoikoiState,
        end: str,
        winner: int | None = None,
        ledger: Sequence[Line] = (),
        *,
        flowed: bool = False,
        over_again: bool | None = None,
    ) -> None:
        """Close the deal: the winner deals next (K2), and a season won whole brings 小引 (K12).

        ``flowed`` marks a 流れ. ``over_again`` says whether the month is played over; by default it
        is if nobody won.
        """
        profile = self.profile
        if over_again is None:
            over_again = winner is None
        winners = state.winners if over_again else (*state.winners, winner or 0)
        lines = [*ledger, *(() if over_again else ending.list_prizes(profile, winners))]
        first, second = score = summed(lines, 2)
        next_dealer = ending.next_dealer(profile, state.dealer, winner, flowed=flowed)
        state.result = DealResult(
            state.month, state.dealer, None, None, tuple(lines), score, next_dealer, end, winner
        )
        state.phase = Phase.DEAL
        state.totals = state.totals[0] + first, state.totals[1] + second
        state.winners = winners
        state.month += not over_again
        state.replayed = over_again and (flowed or state.replayed)
        # K2: after a January 流れ without a played card, 仮胴 changes.
        state.settling = state.settling and over_again and not state.turn
        state.dealer = next_dealer
        if not over_again and ending.is_over(profile, state.totals, winners):
            state.phase = Phase.OVER
            state.final = ending.settle(profile, state.totals, winners)
        if state.heard is not None:
            state.heard.append(PlayEvent("deal-end", winner or 0, end, amounts=score))
            if state.final is not None:
                state.heard.append(PlayEvent("game-end", amounts=state.final))


def gives_right(
    profile: Profile, row: CapturedYaku, gained: Made, captured: int, played: int, turned: int
) -> bool:
    """Return whether a yaku that a turn made or raised gives the right to declare (K6–K8).

    ``row`` is its row of the yaku table. ``captured`` are all cards of the player, ``played`` and
    ``turned`` the captures of the turn. カス of exactly ten with the sake cup gives no right (K6).
    A sake yaku gives it only in the turn in which its last card was captured, if no rain voided it
    at that capture (K8).
    """
    if row.bare & captured and gained.held == row.need:
        return False
    if row.sake:
        # The yaku is valid at the end of the turn; the capture of its last card decides.
        if row.cards & turned:
            return not profile.rains(captured)
        return bool(row.cards & played) and not profile.rains(captured & ~turned)
    return True
