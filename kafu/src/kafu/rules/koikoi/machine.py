"""こいこい: the rules as rulings/koikoi.md reads them (K1–K15); a `Profile` has house rules."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.koikoi import ending
from kafu.rules.koikoi.ending import line
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.state import State
from kafu.rules.play import declaring, table
from kafu.rules.play.actions import (
    Action,
    Begin,
    Deal,
    Draw,
    Event,
    Illegal,
    Play,
    Redeal,
    Say,
    Show,
    Void,
    captured,
)
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.play.seating import check_draws, dealer_of_split
from kafu.rules.play.table import TableCards
from kafu.rules.teyaku import find
from kafu.rules.verdict import DealResult, Line
from kafu.rules.yaku import Made, grown, made, total

HAND: Final = 8
FIELD: Final = 8
WILLOW: Final = cards.MONTHS[11]
CRANE: Final = cards.mask("A")

Step = tuple[State, tuple[Event, ...]]


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

    def start(self) -> State:
        """Before January: nobody has anything but the house's starting points."""
        return State(totals=(self.profile.start,) * 2)

    def deal(self, state: State, random: Random) -> Deal:
        """Shuffle and deal eight, eight and eight (手八場八); the first dealer by chance."""
        dealt = table.shuffle(random, seats=(1, 2), hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice((1, 2)), *dealt)

    def yaku(self, state: State, seat: int) -> tuple[Made, ...]:
        """The captured-hand yaku of ``seat``: the best of each group (K5), none in rain (K7)."""
        return self._made(state.table.captured[seat - 1], state.calls[seat - 1])

    def _made(self, captured: int, calls: int) -> tuple[Made, ...]:
        rained = self._rains(captured)
        return made(self.profile.yaku, captured, rained=rained, called=calls > 0)

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

    def _void(self, state: State, void: Void) -> Step:
        """C6: the month again. K2: once a card of January was played no new split is possible."""
        if void.played:
            state = state._replace(settling=False)
        return self._end(state, "void")

    # The deal -------------------------------------------------------------------------------------

    def _deal(self, state: State, deal: Deal) -> Step:
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
        laid = table.lay_out(deal, seats=(1, 2), players=2, hand=HAND, field=FIELD)
        return state._replace(
            phase=Phase.SHOW,
            dealer=deal.dealer,
            deals=state.deals + 1,
            table=laid,
            seat=deal.dealer,
            turn=0,
            before=0,
            held=0,
            made=((), ()),
            calls=(0, 0),
            shown=(),
            result=None,
        ), ()

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

    def _show(self, state: State, show: Show) -> Step:
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
        opened = now._replace(
            hands=(*now.hands[:i], hand, *now.hands[i + 1 :]),
            hidden=(*now.hidden[:i], 0, *now.hidden[i + 1 :]),
            seen=now.seen | hand,
        )
        event = Event("show", show.seat, yaku.id, yaku.value, hand)
        return state._replace(table=opened, shown=(*state.shown, (show.seat, yaku))), (event,)

    def _begin(self, state: State) -> Step:
        """A shown hand ends the month: it wins its value, of two the higher wins the difference,
        and equal ones are a 流れ (K3). Without one play begins.
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        if state.shown:
            (winner, best), *others = sorted(state.shown, key=lambda one: -one[1].value)
            if others and others[0][1].value == best.value:
                return self._nobody(state)
            ledger = [line(self.profile, best.id, winner, best.value)]
            ledger += [line(self.profile, yaku.id, winner, -yaku.value) for _, yaku in others]
            return self._end(state, "teyaku", winner, ledger)
        if again := self._again(state):
            raise Illegal(codes.REDEAL_DUE, expected=("redeal shima",), cards=cards.letters(again))
        return state._replace(phase=Phase.HAND), ()

    def _again(self, state: State) -> int:
        """The cards for which the month is dealt again: シマ, four of a month on the field (K3);
        houses may add threes, or fours in a hand (K15).
        """
        again = table.alike(state.table.field, self.profile.again_field)
        if self.profile.again_hand:
            again |= sum(table.fours(hand) for hand in state.table.hands)
        return again

    def _redeal(self, state: State, reason: str) -> Step:
        """A mistake in dealing (C6), or シマ on the field and no hand shown (K3); in some houses a
        four in a hand (K15), which a hidden hand does not prove (C9).
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        if reason == "misdeal":
            return self._end(state, "redeal")
        if reason != "shima":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        proved = bool(self._again(state))
        holder = state.table.may_hold_four() if self.profile.again_hand else 0
        if state.scored or not (holder or proved):
            raise Illegal(codes.REDEAL_GROUNDLESS, where="redeal", reason=reason)
        # シマ is a 流れ (K3) where the month is then played over; else just a new deal.
        again, events = self._nobody(state) if self.profile.replay else self._end(state, "redeal")
        return again, events if proved else (*events, declaring.unproved(holder, reason))

    # A turn ---------------------------------------------------------------------------------------

    def _play(self, state: State, action: Play) -> Step:
        self._await(state, Phase.HAND)
        seat = state.seat
        laid, take = state.table.play(seat, action.card, action.take)
        return state._replace(
            phase=Phase.STOCK,
            table=laid,
            turn=state.turn + 1,
            before=state.table.captured[seat - 1],
            held=laid.captured[seat - 1],
        ), captured(seat, action, take)

    def _turn(self, state: State, action: Draw) -> Step:
        """The stock card ends the turn, and only now yaku are judged (K5). One that is new or
        raised may give the right to decide (K8), in a month played over only with a total of 3 mon
        (K9).
        """
        self._await(state, Phase.STOCK)
        seat = state.seat
        laid, take = state.table.turn(seat, action.card, action.take)
        events = captured(seat, action, take)
        if laid.captured[seat - 1] == state.before:
            return self._next_turn(state, laid, state.made, events)
        old, other = state.made[seat - 1], state.made[2 - seat]
        now = self._made(laid.captured[seat - 1], state.calls[seat - 1])
        both = (now, other) if seat == 1 else (other, now)
        fresh = [one for one in now if grown(one, old)]
        events += tuple(Event("yaku", seat, one.id, one.value) for one in fresh)
        floor = self.profile.floor if state.replayed else 0
        if total(now) >= floor and any(self._gives_right(state, laid, one) for one in fresh):
            right = state._replace(phase=Phase.DECIDE, table=laid, made=both)
            return right, (*events, Event("right", seat))
        return self._next_turn(state, laid, both, events)

    def _gives_right(self, state: State, laid: TableCards, fresh: Made) -> bool:
        """Whether a yaku that this turn made or raised lets its player declare.

        Dregs with the cup at exactly ten do not (K6). A sake yaku does only in the turn in which
        its last card was captured, if no rain voided it at that capture (K8).
        """
        row = self.profile.yaku.find(fresh.id)
        captured = laid.captured[state.seat - 1]
        if row.bare & captured and fresh.held == row.need:
            return False
        if row.sake:
            # Valid at the turn's end, else it were not made; so look at the capture of its last
            # card.
            if not row.cards & ~state.before:
                return False
            at_capture = captured if row.cards & ~state.held else state.held
            return not self._rains(at_capture)
        return True

    def _rains(self, captured: int) -> bool:
        """Willow captured voids the sake yaku, but not with the crane (K7), unless a house has no
        日の出 (K15).
        """
        revived = self.profile.crane and captured & CRANE
        return self.profile.rain and bool(captured & WILLOW) and not revived

    def _next_turn(
        self,
        state: State,
        laid: TableCards,
        made: tuple[tuple[Made, ...], tuple[Made, ...]],
        events: tuple[Event, ...],
    ) -> Step:
        """The other's turn; if no hand card is left nobody has won the month (K11)."""
        if state.turn == 2 * HAND:
            ended, more = self._exhausted(state._replace(table=laid, made=made))
            return ended, events + more
        seat = 3 - state.seat
        return state._replace(phase=Phase.HAND, seat=seat, table=laid, made=made), events

    def _choices(self, state: State) -> tuple[str, ...]:
        """勝負, or こいこい, on the last card too (K10); houses may bar that (K15)."""
        house = self.profile
        barred = state.turn > 2 * HAND - 2 and not house.last_card_koikoi
        if house.most_calls is not None:
            barred |= state.calls[state.seat - 1] >= house.most_calls
        return ("shobu",) if barred else ("shobu", "koikoi")

    def _say(self, state: State, word: str) -> Step:
        """勝負 wins with all valid yaku, added and, but in some houses, not multiplied (K10)."""
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
        if word == "koikoi":
            calls = list(state.calls)
            calls[seat - 1] += 1
            state = state._replace(calls=(calls[0], calls[1]))
            return self._next_turn(state, state.table, state.made, (Event("say", seat, word),))
        now = state.made[seat - 1]
        ledger = [line(self.profile, one.id, seat, one.value) for one in now]
        if bonus := self.profile.bonus(total(now), state.calls[seat - 1]):
            ledger.append(line(self.profile, "koikoi", seat, bonus))
        for label, double in self.profile.doubles(
            total(now) + bonus, against=state.calls[2 - seat]
        ):
            ledger.append(line(self.profile, label, seat, double))
        ended, more = self._end(state, "shobu", seat, ledger)
        return ended, (Event("say", seat, word), *more)

    # The end of a deal and of the game ------------------------------------------------------------

    def _exhausted(self, state: State) -> Step:
        """K11, K15: hands played out are 流れ, unless a house has 親権: so much to the dealer,
        whose month it is, and it is not played over.
        """
        house = self.profile
        if not house.exhausted_gain:
            return self._nobody(state)
        ledger = [line(self.profile, "oyaken", state.dealer, house.exhausted_gain)]
        winner = state.dealer if house.exhausted_wins else None
        return self._end(state, "nagare", winner, ledger, flowed=True, over_again=False)

    def _nobody(self, state: State) -> Step:
        """流れ: nobody scores, whatever yaku were made (K11), the dealer changes (K2), and the
        month is played over, or in some houses the next is played (K15).
        """
        return self._end(state, "nagare", flowed=True, over_again=self.profile.replay)

    def _end(
        self,
        state: State,
        end: str,
        winner: int | None = None,
        ledger: Sequence[Line] = (),
        *,
        flowed: bool = False,
        over_again: bool | None = None,
    ) -> Step:
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
        score = tuple(sum(line.amounts[i] for line in lines) for i in (0, 1))
        next_dealer = ending.next_dealer(house, state.dealer, winner, flowed=flowed)
        result = DealResult(
            state.month, state.dealer, None, None, tuple(lines), score, next_dealer, end, winner
        )
        state = state._replace(
            phase=Phase.DEAL,
            totals=(state.totals[0] + score[0], state.totals[1] + score[1]),
            winners=winners,
            result=result,
            month=state.month + (not over_again),
            replayed=over_again and (flowed or state.replayed),
            # K2: after a January 流れ without a card played it is 仮胴 who changes.
            settling=state.settling and over_again and not state.turn,
            dealer=next_dealer,
        )
        events: tuple[Event, ...] = (Event("deal-end", winner or 0, end, amounts=score),)
        if over_again or not ending.is_over(house, state):
            return state, events
        final = ending.settle(house, state)
        events += (Event("game-end", amounts=final),)
        return state._replace(phase=Phase.OVER, final=final), events
