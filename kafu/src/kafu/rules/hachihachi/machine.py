"""三人はちはち: the rules as rulings/hachihachi.md reads them (H1–H25). Sums in points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes, grades
from kafu.rules.defaults import completed
from kafu.rules.hachihachi import ending, shows
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import hatto as hachihachi_hatto
from kafu.rules.hachihachi import pay as hachihachi_pay
from kafu.rules.hachihachi.hatto import Three, Throw
from kafu.rules.hachihachi.state import SEATS, YAKU, Claim, State
from kafu.rules.play import declaring
from kafu.rules.play.actions import (
    Action,
    Begin,
    Call,
    Deal,
    Draw,
    Event,
    Illegal,
    Play,
    Say,
    Show,
    Void,
    captured,
)
from kafu.rules.play.ledger import Entry, Payer
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.play.seating import order_by_draw
from kafu.rules.play.table import lay_out, shuffle
from kafu.rules.yaku import Made, grown, made

HAND: Final = 7
FIELD: Final = 6
TURNS: Final = 21

Step = tuple[State, tuple[Event, ...]]


class Hachihachi(Machine[State]):
    """Hachi-hachi for three, with the options ``ba`` (A–F) and ``etsunen``."""

    id = "hachihachi"
    players = 3
    hand = HAND
    round = 3
    unit = 12
    captured_yaku = YAKU
    words = frozenset({"agari", "sage", "menjo", "nimai"})
    statements = frozenset({"draw", "ba"})

    def __init__(self, options: Mapping[str, str]) -> None:
        house = completed(self.id, options)
        self.scales, self.etsunen = grades.SCALES[house["ba"]], house["etsunen"] == "yes"

    def start(self) -> State:
        """Before January: anybody may deal first, unless a draw settles it (C7)."""
        return State()

    def deal(self, state: State, random: Random) -> Deal:
        """Shuffle and deal seven each and six on the field (手七場六)."""
        dealt = shuffle(random, seats=SEATS, hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice(SEATS), *dealt)

    def yaku(self, state: State, seat: int) -> tuple[Made, ...]:
        """The yaku of ``seat`` in kan before the grade: 五光 for 四光, 七短 by its slips (H8)."""
        return made(YAKU, state.table.captured[seat - 1], rained=False, called=False)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """The legal actions; 下げの取消し too, which may be declared before any turn (H10)."""
        match state.phase:
            case Phase.SHOW:
                return [Begin(), *shows.offers(state)]
            case Phase.HAND:
                calls = [Call("torikeshi", state.sager)] if self._may_cancel(state) else []
                return [*state.table.plays(state.seat), *calls]
            case Phase.STOCK:
                return state.table.turns()
            case Phase.DECIDE:
                return [Say(word) for word in self._choices(state)]
        return []

    def _void(self, state: State, void: Void) -> Step:
        return ending.again(state, "void")

    # The deal and the declarations ----------------------------------------------------------------

    def _deal(self, state: State, deal: Deal) -> Step:
        """Lay out a deal. Its field settles the grade before a four of a month there goes to the
        dealer (H1); that of a misdeal counts if it has six cards (H25).
        """
        self._month_due(state, deal)
        due = state.dealer
        if deal.draws:
            if state.deals:
                raise Illegal(codes.NO_PLACE, where="draw.0", statement="draw")
            due = order_by_draw(deal.draws, SEATS)
        self._dealer_due(deal, due)
        laid = lay_out(deal, seats=SEATS, players=3, hand=HAND, field=FIELD)
        whole_field = len(deal.field or "") == FIELD
        grade, carries = grades.grade(laid.field, state.bound) if whole_field else (None, None)
        if not deal.misdealt:
            laid = laid.give_fours(deal.dealer)
        return State(
            phase=Phase.SHOW,
            month=state.month,
            dealer=deal.dealer,
            bound=state.bound,
            deals=state.deals + 1,
            totals=state.totals,
            stones=state.stones,
            grade=grade,
            carries=carries,
            table=laid,
            seat=deal.dealer,
        ), ()

    def _show(self, state: State, show: Show) -> Step:
        """A declaration is the best of its family and lays its cards open (H2, H3); each of the
        others pays it at once (H5). One that a void-show follows must be false (H22).
        """
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, statement="show")
        seat, now = show.seat, state.table
        if any(claim.seat == seat for claim in state.claims) or seat in state.disputed:
            raise Illegal(codes.SHOW_TWICE, seat=seat)
        kan = hachihachi_hands.value(show.yaku)
        right = list(hachihachi_hands.declarations(now.hands[seat - 1]))
        names = tuple(dict.fromkeys("+".join(one.yaku) for one in right))
        name = "+".join(show.yaku)
        hidden = now.hidden[seat - 1]
        if kan is None:
            raise Illegal(codes.SHOW_FALSE, expected=names, seat=seat, yaku=name)
        if show.disputed:
            if not hidden and name in names:
                raise Illegal(codes.SHOW_RIGHT, seat=seat, yaku=name)
        elif not hidden:
            declaring.check(right, seat, show.yaku, show.cards, rulings=("H2", "H3"))
        laid = now.reveal(seat, show.cards)
        proved = True
        if hidden:
            state = state._replace(covered=(*state.covered, show))
            proved = declaring.check_hidden(laid, state.covered, hachihachi_hands.look)
        line = hachihachi_pay.line(name, seat, self._scale(state).yaku_sum(kan, len(show.yaku)))
        entry = Entry(line._replace(void=show.disputed), seat, dealt=True)
        state = state._replace(table=laid, entries=(*state.entries, entry))
        events: tuple[Event, ...] = (
            Event("show", seat, name, kan, show.cards),
            entry.event(),
        )
        if not proved:
            events += (declaring.unproved(seat, name),)
        if show.disputed:
            return state._replace(disputed=(*state.disputed, seat)), events
        threes = state.threes
        if hachihachi_hands.TOBIKOMI & set(show.yaku):
            threes += tuple(
                Three(seat, three, cards.MATCH[three.bit_length() - 1] & ~three)
                for three in hachihachi_hands.threes(show.cards)
            )
        claims = (*state.claims, Claim(seat, show.yaku))
        return state._replace(claims=claims, threes=threes), events

    def _begin(self, state: State) -> Step:
        """四三 ends the year, once all declarations are paid (H6); else play begins."""
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        makers = [claim.seat for claim in state.claims if "shiso" in claim.yaku]
        if makers:
            return self._end(state, "shiso", makers[0], (), makers=tuple(makers))
        return state._replace(phase=Phase.HAND), ()

    def _redeal(self, state: State, reason: str) -> Step:
        """Only a mistake in dealing has the month dealt again, also after shows (C10, H22)."""
        if state.phase is not Phase.SHOW or reason != "misdeal":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        return ending.again(state, "redeal")

    # A turn ---------------------------------------------------------------------------------------

    def _play(self, state: State, action: Play) -> Step:
        """A hand card. One that captures nothing is hatto if it helps another to a yaku (H12) or is
        the fourth to a declared three (H15 (a)); the last card in hand never is (H14). A seat that
        holds the fourth and leaves the first of a three on the field owes for it (H15 (b)).
        """
        self._await(state, Phase.HAND)
        seat, before, card = state.seat, state.table, action.card
        laid, take = before.play(seat, card, action.take)
        let_go = hachihachi_hatto.lets_three_go(before, seat, card, state.threes)
        fresh: tuple[Throw, ...] = ()
        given: list[Three] = []
        last = not laid.hands[seat - 1] and not laid.hidden[seat - 1]
        if not take and not last:  # the last card in hand is exempt (H14)
            fresh = tuple(hachihachi_hatto.throws(before, seat, card, state.turn + 1))
            given = hachihachi_hatto.gives_three(before, seat, card, state.threes)
        owes = Payer(seat, "hatto", card, state.turn + 1)
        state = state._replace(
            phase=Phase.STOCK,
            table=laid,
            turn=state.turn + 1,
            earlier=before,
            fresh=fresh,
            fresh_debts=tuple((three, owes) for three in given),
            debts=(*state.debts, *((three, owes) for three in let_go)),
            caught=((card, take),),
            turned=False,
            echo="",
        )
        state, paid = hachihachi_pay.tobikomi(state, self._scale(state), seat)
        return state, captured(seat, action, take) + _events(paid)

    def _turn(self, state: State, action: Draw) -> Step:
        """A stock card, which is never hatto (H12). The turn is over, and captured yaku are judged:
        one that is new, or has grown, asks for a decision (H7).
        """
        self._await(state, Phase.STOCK)
        seat = state.seat
        laid, take = state.table.turn(seat, action.card, action.take)
        state = state._replace(
            table=laid,
            throws=state.throws + state.fresh,
            debts=state.debts + state.fresh_debts,
            fresh=(),
            fresh_debts=(),
            caught=(*state.caught, (action.card, take)),
            turned=True,
        )
        state, paid = hachihachi_pay.tobikomi(state, self._scale(state), seat)
        events = captured(seat, action, take) + _events(paid)
        if laid.captured[seat - 1] == state.earlier.captured[seat - 1]:
            return self._next_turn(state, events)
        now = self.yaku(state, seat)
        new = [one for one in now if grown(one, state.made[seat - 1])]
        if not new:
            return self._next_turn(state, events)
        state = hachihachi_pay.assign(state, seat, new)
        rows = list(state.made)
        rows[seat - 1] = now
        events += tuple(Event("yaku", seat, one.id, one.value) for one in new)
        return state._replace(made=tuple(rows), phase=Phase.DECIDE), (*events, Event("right", seat))

    def _next_turn(self, state: State, events: tuple[Event, ...]) -> Step:
        """The next turn, unless 下げ is called off by force (H9) or the hands are played
        out (H16).
        """
        seat = state.seat
        if seat == state.sager and self._is_last(state):
            ended, more = self._cancel(state)
            return ended._replace(forced=seat), events + more
        if state.turn == TURNS:
            ended, more = self._played_out(state)
            return ended, events + more
        return state._replace(phase=Phase.HAND, seat=seat % 3 + 1), events

    def _is_last(self, state: State) -> bool:
        i = state.seat - 1
        return not state.table.hands[i] and not state.table.hidden[i]

    # Decisions ------------------------------------------------------------------------------------

    def _choices(self, state: State) -> tuple[str, ...]:
        """あがり or 下げ; on the last hand card, or while another is in 下げ, only あがり (H7)."""
        if self._is_last(state) or state.sager not in (0, state.seat):
            return ("agari",)
        return ("agari", "sage")

    def _say(self, state: State, word: str) -> Step:
        if word not in self.words:
            raise Illegal(codes.DECISION_UNKNOWN, word=word)
        if word == "menjo":
            return self._claim_exemption(state)
        if word == "nimai":
            return self._two_turned(state)
        if word == "sage" and state.echo == word:
            return state._replace(echo=""), ()
        if state.phase is not Phase.DECIDE:
            raise Illegal(codes.DECISION_NOT_DUE, word=word)
        choices = self._choices(state)
        if word not in choices:  # only 下げ can be barred
            code = codes.SAGE_LAST if self._is_last(state) else codes.SAGE_TAKEN
            raise Illegal(code, expected=choices, seat=state.sager, ruling="H7")
        event = Event("say", state.seat, word)
        if word == "sage":
            return self._sage(state, event, locked=False)
        ended, events = self._agari(state._replace(turned=False))
        return ended, (event, *events)

    def _sage(self, state: State, event: Event, *, locked: bool) -> Step:
        """下げ: its player goes on, and owes for what others make (H11); ``locked`` by force
        (H22).
        """
        state = state._replace(sager=state.seat, since=state.turn, locked=locked, turned=False)
        return self._next_turn(state, (event,))

    def _claim_exemption(self, state: State) -> Step:
        """=menjo: the card just played costs nothing if all cards in hand were hatto and it was the
        cheapest. A claim that does not hold is illegal (H14).
        """
        if state.phase is not Phase.STOCK or not (state.fresh or state.fresh_debts):
            raise Illegal(codes.EXEMPTION_FALSE)
        card = state.caught[0][0]
        if not hachihachi_hatto.is_exempt(state.earlier, state.seat, card, state.threes):
            raise Illegal(codes.EXEMPTION_FALSE)
        events: tuple[Event, ...] = (Event("say", state.seat, "menjo"),)
        if state.earlier.hidden[state.seat - 1]:
            events += (declaring.unproved(state.seat, "menjo"),)
        return state._replace(fresh=(), fresh_debts=()), events

    def _two_turned(self, state: State) -> Step:
        """=nimai: a player who has seen the next stock card may not choose: a yaku made in that
        turn is 下げ by force. If only あがり was possible it stands (H22).

        It is declared once, before any other decision of the turn; with the last stock card no
        second one can be turned (H25).
        """
        if not state.turned:
            raise Illegal(codes.DECISION_NOT_DUE, word="nimai")
        if state.turn == TURNS:
            raise Illegal(codes.NIMAI_LAST)
        event = Event("say", state.seat, "nimai")
        if state.phase is Phase.DECIDE and "sage" in self._choices(state):
            forced, events = self._sage(state, event, locked=True)
            return forced._replace(echo="sage"), events
        return state._replace(turned=False), (event,)

    def _may_cancel(self, state: State) -> bool:
        """Whether 下げ may be called off: once any turn after its own has ended (H10), and not when
        二枚めくり forced it (H22).
        """
        return bool(state.sager) and state.turn > state.since and not state.locked

    def _call(self, state: State, word: str, seat: int) -> Step:
        """=torikeshi calls off 下げ between turns (H10); =void-show stands anywhere (H25)."""
        if word == "void-show":
            return shows.strike_out(state, seat)
        if state.forced == seat and state.result is not None:
            return state._replace(forced=0), ()
        self._in_deal(state)
        self.undecided(state)
        if state.phase is not Phase.HAND or state.sager != seat:
            raise Illegal(codes.TORIKESHI_NOTHING, seat=seat)
        if not self._may_cancel(state):
            raise Illegal(codes.TORIKESHI_EARLY, seat=seat)
        return self._cancel(state)

    # The end of a deal ----------------------------------------------------------------------------

    def _scale(self, state: State) -> grades.Scale:
        return self.scales[state.grade or "small"]

    def _agari(self, state: State) -> Step:
        """あがり: each of the others pays all the player's yaku in full. Another player in 下げ
        gets half of theirs, and that line comes first (H9).
        """
        paid: tuple[Entry, ...] = ()
        if state.sager not in (0, state.seat):
            paid = hachihachi_pay.yaku_entries(state, self._scale(state), state.sager, half=True)
        paid += hachihachi_pay.yaku_entries(state, self._scale(state), state.seat, half=False)
        return self._end(state, "agari", state.seat, paid)

    def _cancel(self, state: State) -> Step:
        """下げの取消し: each of the others pays half of the yaku held at the last 下げ (H9)."""
        paid = hachihachi_pay.yaku_entries(state, self._scale(state), state.sager, half=True)
        return self._end(state, "torikeshi", state.sager, paid)

    def _played_out(self, state: State) -> Step:
        """The hands are played out, no captured yaku was made and nobody is in 下げ.

        If there is a special yaku, what was paid for dealt hands is struck out and card points are
        not paid (H16). Else a seat that declared a hand of dregs (not 光一) and captured 89 points
        gets 抜け, 1 kan from each, and everybody's points beyond 88 count, times the grade (H17).
        """
        special = ending.specials(state, self._scale(state))
        if special:
            state = state._replace(entries=tuple(one.struck() for one in state.entries))
            return self._end(state, "special", ending.best_paid(state, special), special)
        entries = ending.counted(state, self._scale(state))
        return self._end(state, "played-out", ending.most_points(state), entries)

    def _end(
        self,
        state: State,
        end: str,
        winner: int,
        paid: Sequence[Entry],
        makers: tuple[int, ...] = (),
    ) -> Step:
        return ending.close(state, end, winner, paid, makers, etsunen=self.etsunen)


def _events(paid: Sequence[Entry]) -> tuple[Event, ...]:
    return tuple(entry.event() for entry in paid)
