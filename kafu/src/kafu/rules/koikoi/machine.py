"""こいこい: the rules as rulings/koikoi.md reads them (K1–K19); a `Profile` has house rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.koikoi import ending, right
from kafu.rules.koikoi.ending import line
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.state import State
from kafu.rules.play import layout, table
from kafu.rules.play.actions import (
    Action,
    Begin,
    Deal,
    Event,
    Illegal,
    Redeal,
    Say,
    Show,
    Void,
)
from kafu.rules.play.ledger import score as summed
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase
from kafu.rules.play.seating import check_draws, dealer_of_split
from kafu.rules.teyaku import find
from kafu.rules.verdict import DealResult, Line
from kafu.rules.yaku import Made, YakuTable, grown, made, total

HAND: Final = 8
FIELD: Final = 8
_RAIN: Final = cards.WILLOW | cards.CRANE


class Koikoi(Machine[State]):
    """Koi-koi by the rules of one house."""

    id = "koikoi"
    players = 2
    hand = HAND
    round = 2
    words = frozenset({"shobu", "koikoi"})
    statements = frozenset({"draw", "split"})

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.captured_yaku = profile.yaku
        #: The captured yaku of each month of the pack.
        self.tables = [profile.table(month) for month in range(1, 13)]
        #: Whether some yaku has another value after こいこい.
        self.revalued = any(row.called_value is not None for row in profile.yaku)
        #: The cards of the yaku that rain voids.
        self.cup = reduce(or_, (row.cards for row in profile.yaku if row.sake), 0)

    @property
    def bars_hands(self) -> bool:
        """Houses may deal again for four of a month in a hand (K15)."""
        return self.profile.again_hand

    def is_decided(self, totals: Sequence[int]) -> bool:
        """A house may end the game when somebody is at 0 (K15), or has so much (K18)."""
        return self.profile.is_decided(totals)

    def undecided_by_sums(self) -> Koikoi:
        """The house without both of these rules."""
        house = replace(self.profile, bust=False, first_to=0)
        return self if house == self.profile else Koikoi(house)

    def start(self) -> State:
        """Before January: nobody has anything but the house's starting points."""
        state = State()
        state.totals = (self.profile.start,) * 2
        return state

    def deal(self, state: State, random: Random) -> Deal:
        """Shuffle and deal eight, eight and eight (手八場八); the first dealer by chance."""
        dealt = layout.shuffle(random, seats=(1, 2), hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice((1, 2)), *dealt)

    def yaku(self, state: State, seat: int) -> tuple[Made, ...]:
        """The captured-hand yaku of ``seat``: the best of each group (K5), none in rain (K7)."""
        table = self.yaku_table(state)
        return self._made(table, state.table.captured[seat - 1], state.calls[seat - 1])

    def yaku_table(self, state: State) -> YakuTable:
        """A house may have a yaku of the month that is played (月札, K16)."""
        month = state.month if state.result is None else state.result.month
        return self.tables[(month - 1) % 12]

    def _made(self, table: YakuTable, captured: int, calls: int) -> tuple[Made, ...]:
        rained = right.rains(self.profile, captured)
        return made(table, captured, rained=rained, called=calls > 0)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """The legal actions: show or begin (K3), a card and its captures (C2), a decision (K10)."""
        match state.phase:
            case Phase.SHOW:
                return self._declarations(state)
            case Phase.HAND:
                return state.table.plays(state.seat)
            case Phase.STOCK:
                return state.table.turns()
            case Phase.DECIDE:
                return [Say(word) for word in self._choices(state)]
        return []

    def _void(self, state: State, void: Void) -> None:
        """C6: the month again. K2: once a card of January was played no new split is possible."""
        if void.played:
            state.settling = False
        self._end(state, "void")

    # The deal -------------------------------------------------------------------------------------

    def _deal(self, state: State, deal: Deal) -> State:
        """A draw belongs to the first deal only, a split to deals until a card of January is played
        (K1, K2).
        """
        self._month_due(state, deal)
        due = state.dealer
        if deal.draws and state.deals:
            raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
        if deal.split and not state.settling:
            raise Illegal(codes.NO_PLACE, where="split", statement="split")
        if deal.draws:
            check_draws(deal.draws)
        if deal.split:  # that of a misdealt deal need not fit its field: anybody may have dealt
            due = 0 if deal.misdealt else dealer_of_split(deal.split, deal.field or "") or due
        self._dealer_due(deal, due)
        dealt = state.next_deal()
        dealt.table = layout.lay_out(deal, seats=(1, 2), players=2, hand=HAND, field=FIELD)
        dealt.phase, dealt.dealer, dealt.seat = Phase.SHOW, deal.dealer, deal.dealer
        return dealt

    def _declarations(self, state: State) -> list[Action]:
        """A seat that has a dealt-hand yaku may show it or not (K3)."""
        again = self._again(state)
        if again and not self.profile.teyaku:
            return [Redeal("shima")]
        shows: list[Action] = []
        for seat in (1, 2):
            hand = state.table.hands[seat - 1]
            yaku = find(self.profile.teyaku, hand)
            if yaku and all(seat != by for by, _ in state.shown):
                shows.append(Show(seat, (yaku.id,), hand))
        on = Redeal("shima") if again and not state.shown else Begin()
        return [on, *shows]

    def _show(self, state: State, show: Show) -> None:
        """A hand is shown whole, all eight cards, under the one yaku that it has (K3, K4)."""
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, statement="show")
        if any(show.seat == seat for seat, _ in state.shown):
            raise Illegal(codes.SHOW_TWICE, seat=show.seat)
        now, hidden = state.table, state.table.hidden[show.seat - 1]
        hand = show.cards if hidden else now.hands[show.seat - 1]
        fits = show.cards.bit_count() == HAND and not (
            now.hands[show.seat - 1] & ~show.cards
            or show.cards & now.seen & ~now.hands[show.seat - 1]
        )
        if not fits:
            due = "" if hidden else cards.letters(hand)
            raise Illegal(
                codes.SHOW_CARDS,
                expected=(due,) if due else (),
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
        now.hands[i], now.hidden[i] = hand, 0
        now.seen |= hand
        state.shown = (*state.shown, (show.seat, yaku))
        if state.heard is not None:
            state.heard.append(Event("show", show.seat, yaku.id, yaku.value, hand))

    def _begin(self, state: State) -> None:
        """A shown hand ends the month: it wins its value, of two the higher wins the difference,
        and equal ones are a 流れ (K3). Without one play begins.
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        if state.shown:
            (winner, best), *others = sorted(state.shown, key=lambda one: -one[1].value)
            if others and others[0][1].value == best.value:
                self._nobody(state)
                return
            ledger = [line(self.profile, best.id, winner, best.value)]
            ledger += [line(self.profile, yaku.id, winner, -yaku.value) for _, yaku in others]
            self._end(state, "teyaku", winner, ledger)
            return
        if again := self._again(state):
            raise Illegal(codes.REDEAL_DUE, expected=("redeal shima",), cards=cards.letters(again))
        state.phase = Phase.HAND

    def _again(self, state: State) -> int:
        """The cards for which the month is dealt again: シマ, four of a month on the field (K3);
        houses may add threes, or fours in a hand (K15).
        """
        least, field = self.profile.again_field, state.table.field
        again = table.fours(field) if least == 4 else table.alike(field, least)
        if self.profile.again_hand:
            again |= sum(table.fours(hand) for hand in state.table.hands)
        return again

    def _redeal(self, state: State, reason: str) -> None:
        """A mistake in dealing (C6), or シマ on the field and no hand shown (K3); in some houses a
        four in a hand (K15), which a hidden hand does not prove (C9).
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        if reason == "misdeal":
            self._end(state, "redeal")
            return
        if reason != "shima":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        proved = bool(self._again(state))
        holder = state.table.may_hold_four() if self.profile.again_hand else 0
        if state.scored or not (holder or proved):
            raise Illegal(codes.REDEAL_GROUNDLESS, where="redeal", reason=reason)
        # シマ is a 流れ (K3) where the month is then played over; else just a new deal.
        if self.profile.replay:
            self._nobody(state)
        else:
            self._end(state, "redeal")
        if not proved:
            state.unproved = holder, reason

    # A turn ---------------------------------------------------------------------------------------

    def hand_card(self, state: State, card: int, take: int) -> None:
        """A hand card: yaku are judged at the turn's end (K5)."""
        if state.phase is not AT_HAND:
            self._await(state, AT_HAND)
        take = state.table.play(state.seat - 1, card, take)
        state.played = take and take | card
        state.turn += 1
        state.phase = AT_STOCK

    def stock_card(self, state: State, card: int, take: int) -> None:
        """The stock card ends the turn, and only now yaku are judged (K5). One that is new or
        raised may give the right to decide (K8), in a month played over only with a total of 3 mon
        (K9).
        """
        if state.phase is not AT_STOCK:
            self._await(state, AT_STOCK)
        seat = state.seat
        take = state.table.turn(seat - 1, card, take)
        state.turned = take and take | card
        if not self._changes(state):
            self._next_turn(state)
            return
        captured, yaku = state.table.captured[seat - 1], self.yaku_table(state)
        old, other = state.made[seat - 1], state.made[2 - seat]
        now = self._made(yaku, captured, state.calls[seat - 1])
        state.made = (now, other) if seat == 1 else (other, now)
        fresh = [one for one in now if grown(one, old)]
        if state.heard is not None:
            state.heard += [Event("yaku", seat, one.id, one.value) for one in fresh]
        floor = self.profile.floor if state.replayed else 0
        if total(now) >= floor and any(
            right.gives_right(self.profile, state, yaku.find(one.id), one) for one in fresh
        ):
            state.phase = AT_DECISION
            if state.heard is not None:
                state.heard.append(Event("right", seat))
        else:
            self._next_turn(state)

    def _changes(self, state: State) -> bool:
        """Return whether a turn's captures may make, raise or void a yaku, or change its value."""
        played, turned = state.played, state.turned
        if not (played or turned):
            return False
        captured = state.table.captured[state.seat - 1]
        yaku = self.tables[(state.month - 1) % 12]
        return bool(
            (played and yaku.touched(captured, played))
            or (turned and yaku.touched(captured, turned))
            # K7: with the cup, willow is rain, and the crane ends it.
            or (captured & self.cup and (played | turned) & _RAIN)
            or (self.revalued and state.calls[state.seat - 1])
        )

    def _next_turn(self, state: State) -> None:
        """The other's turn; if no hand card is left nobody has won the month (K11)."""
        if state.turn == 2 * HAND:
            self._exhausted(state)
        else:
            state.phase, state.seat = AT_HAND, 3 - state.seat

    def _choices(self, state: State) -> tuple[str, ...]:
        """勝負, or こいこい, on the last card too (K10); houses may bar that (K15)."""
        house = self.profile
        barred = state.turn > 2 * HAND - 2 and not house.last_card_koikoi
        if house.most_calls is not None:
            barred |= state.calls[state.seat - 1] >= house.most_calls
        return ("shobu",) if barred else ("shobu", "koikoi")

    def say(self, state: State, word: str) -> None:
        """勝負 wins with all valid yaku (K10)."""
        if word not in self.words:
            raise Illegal(codes.DECISION_UNKNOWN, word=word)
        if state.phase is not Phase.DECIDE:
            raise Illegal(codes.DECISION_NOT_DUE, word=word)
        choices = self._choices(state)
        if word not in choices:
            raise Illegal(
                codes.DECISION_BARRED, expected=choices, word=word, due=" / ".join(choices)
            )
        seat = state.seat
        if state.heard is not None:
            state.heard.append(Event("say", seat, word))
        if word == "koikoi":
            first, second = state.calls
            state.calls = (first + 1, second) if seat == 1 else (first, second + 1)
            self._next_turn(state)
            return
        self._win(state, "shobu", seat, state.made[seat - 1])

    def _win(self, state: State, end: str, seat: int, yaku: Sequence[Made]) -> None:
        """A seat wins with its yaku, added and, but in some houses, not multiplied (K10, K15,
        K17).
        """
        house, calls = self.profile, state.calls
        added = house.added(total(yaku), own=calls[seat - 1], others=calls[2 - seat])
        values = [*((one.id, one.value) for one in yaku), *added]
        ledger = [line(house, label, seat, value) for label, value in values]
        count = calls[0] + calls[1]
        if house.calls_multiply and count and state.heard is not None:
            amounts = next(one.amounts for one in ledger if one.label == "koikoi")
            state.heard.append(Event("pay", seat, "koikoi", count, amounts=amounts, why="calls"))
        self._end(state, end, seat, ledger)

    # The end of a deal and of the game ------------------------------------------------------------

    def _exhausted(self, state: State) -> None:
        """K11, K15: hands played out are 流れ, unless a house has 親権: so much to the dealer,
        whose month it is, and it is not played over. Some houses first look who has yaku of the
        higher total (K19).
        """
        house = self.profile
        if house.exhausted_higher:
            first, second = (self.yaku(state, seat) for seat in (1, 2))
            if total(first) != total(second):
                seat, best = (1, first) if total(first) > total(second) else (2, second)
                self._win(state, "played-out", seat, best)
                return
        if not house.exhausted_gain:
            self._nobody(state)
            return
        ledger = [line(self.profile, "oyaken", state.dealer, house.exhausted_gain)]
        winner = state.dealer if house.exhausted_wins else None
        self._end(state, "nagare", winner, ledger, flowed=True, over_again=False)

    def _nobody(self, state: State) -> None:
        """流れ: nobody scores, whatever yaku were made (K11), the dealer changes (K2), and the
        month is played over, or in some houses the next is played (K15).
        """
        self._end(state, "nagare", flowed=True, over_again=self.profile.replay)

    def _end(
        self,
        state: State,
        end: str,
        winner: int | None = None,
        ledger: Sequence[Line] = (),
        *,
        flowed: bool = False,
        over_again: bool | None = None,
    ) -> None:
        """Close the deal: its winner deals next (K2), a season won whole brings 小引 (K12).

        ``flowed`` says that it was 流れ, ``over_again`` that the month is played over: else where
        nobody won it.
        """
        house = self.profile
        if over_again is None:
            over_again = winner is None
        winners = state.winners if over_again else (*state.winners, winner or 0)
        lines = list(ledger)
        if house.season and winner and state.month % 3 == 0 and set(winners[-3:]) == {winner}:
            lines.append(line(self.profile, "kobiki", winner, house.season))
        if house.grand and not over_again and (seat := ending.grand(house, winners)):
            lines.append(line(self.profile, "obiki", seat, house.grand))
        first, second = score = summed(lines, 2)
        next_dealer = ending.next_dealer(house, state.dealer, winner, flowed=flowed)
        state.result = DealResult(
            state.month, state.dealer, None, None, tuple(lines), score, next_dealer, end, winner
        )
        state.phase = Phase.DEAL
        state.totals = state.totals[0] + first, state.totals[1] + second
        state.winners = winners
        state.month += not over_again
        state.replayed = over_again and (flowed or state.replayed)
        # K2: after a January 流れ without a card played it is 仮胴 who changes.
        state.settling = state.settling and over_again and not state.turn
        state.dealer = next_dealer
        if not over_again and ending.is_over(house, state):
            state.phase, state.final = Phase.OVER, ending.settle(house, state)
        if state.heard is not None:
            state.heard.append(Event("deal-end", winner or 0, end, amounts=score))
            if state.final is not None:
                state.heard.append(Event("game-end", amounts=state.final))
