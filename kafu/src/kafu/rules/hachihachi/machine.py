"""三人はちはち: the rules as rulings/hachihachi.md reads them (H1–H25). Sums in points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes, grades
from kafu.rules.hachihachi import ending, shows
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import hatto as hachihachi_hatto
from kafu.rules.hachihachi import pay as hachihachi_pay
from kafu.rules.hachihachi.hatto import Three
from kafu.rules.hachihachi.state import SEATS, YAKU, Claim, State
from kafu.rules.play import declaring
from kafu.rules.play.actions import (
    Action,
    Begin,
    Call,
    Deal,
    Event,
    Illegal,
    Say,
    Show,
    Void,
)
from kafu.rules.play.layout import lay_out, shuffle
from kafu.rules.play.ledger import Entry, Payer
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase
from kafu.rules.play.seating import order_by_draw
from kafu.rules.rulesets import complete_options
from kafu.rules.yaku import Made, grown, made

HAND: Final = 7
FIELD: Final = 6
TURNS: Final = 21


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
        house = complete_options(self.id, options)
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

    def claims(self, state: State) -> Sequence[Action]:
        """免除 for the card just played, where it holds (H14)."""
        return [Say("menjo")] if hachihachi_pay.may_claim(state) else []

    def _void(self, state: State, void: Void) -> None:
        ending.again(state, "void")

    # The deal and the declarations ----------------------------------------------------------------

    def _deal(self, state: State, deal: Deal) -> State:
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
        dealt = state.next_deal()
        dealt.table = lay_out(deal, seats=SEATS, players=3, hand=HAND, field=FIELD)
        if len(deal.field or "") == FIELD:
            dealt.grade, dealt.carries = grades.grade(dealt.table.field, state.bound)
        if not deal.misdealt:
            dealt.table.give_fours(deal.dealer)
        dealt.phase, dealt.dealer, dealt.seat = Phase.SHOW, deal.dealer, deal.dealer
        return dealt

    def _show(self, state: State, show: Show) -> None:
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
        name = "+".join(show.yaku)
        hidden = now.hidden[seat - 1]
        if kan is None:
            names = tuple(dict.fromkeys("+".join(one.yaku) for one in right))
            raise Illegal(codes.SHOW_FALSE, expected=names, seat=seat, yaku=name)
        if show.disputed:
            if not hidden and any(one.yaku == show.yaku for one in right):
                raise Illegal(codes.SHOW_RIGHT, seat=seat, yaku=name)
        elif not hidden:
            declaring.check(right, seat, show.yaku, show.cards, rulings=("H2", "H3"))
        now.reveal(seat, show.cards)
        if hidden:
            state.covered = (*state.covered, show)
            if not declaring.check_hidden(now, state.covered, hachihachi_hands.look):
                state.unproved = seat, name
        line = hachihachi_pay.line(name, seat, self._scale(state).yaku_sum(kan, len(show.yaku)))
        entry = Entry(line, seat, dealt=True)
        if show.disputed:
            entry = entry.void()
        state.entries = (*state.entries, entry)
        if state.heard is not None:
            state.heard += [Event("show", seat, name, kan, show.cards), entry.event()]
        if show.disputed:
            state.disputed = (*state.disputed, seat)
            return
        if hachihachi_hands.TOBIKOMI & set(show.yaku):
            state.threes += tuple(
                Three(seat, three, cards.MATCH[three & -three] & ~three)
                for three in hachihachi_hands.threes(show.cards)
            )
        state.claims = (*state.claims, Claim(seat, show.yaku))

    def _begin(self, state: State) -> None:
        """四三 ends the year, once all declarations are paid (H6); else play begins."""
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        makers = [claim.seat for claim in state.claims if "shiso" in claim.yaku]
        if makers:
            self._end(state, "shiso", makers[0], (), makers=tuple(makers))
        else:
            state.phase = Phase.HAND

    def _redeal(self, state: State, reason: str) -> None:
        """Only a mistake in dealing has the month dealt again, also after shows (C10, H22)."""
        if state.phase is not Phase.SHOW or reason != "misdeal":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        ending.again(state, "redeal")

    # A turn ---------------------------------------------------------------------------------------

    def hand_card(self, state: State, card: int, take: int) -> None:
        """A hand card. One that captures nothing is hatto if it helps another to a yaku (H12) or is
        the fourth to a declared three (H15 (a)); the last card in hand never is (H14). A seat that
        holds the fourth and leaves the first of a three on the field owes for it (H15 (b)), as is
        seen when it plays the fourth.
        """
        if state.phase is not AT_HAND:
            self._await(state, AT_HAND)
        seat, now = state.seat, state.table
        i = seat - 1
        state.turn += 1
        let_go = state.threes and hachihachi_hatto.lets_three_go(now, seat, card, state.threes)
        hidden = now.hidden[i]
        take = now.play(i, card, take)
        if not take and (now.hands[i] or now.hidden[i]):  # the last card in hand is exempt (H14)
            self._throw(state, card, was_hidden=hidden > now.hidden[i])
        if state.let_go:
            state.debts += hachihachi_hatto.owed(state.let_go, card, seat)
        if let_go:
            owes = Payer(seat, "hatto", card, state.turn)
            state.let_go += tuple((three, owes) for three in let_go)
        state.caught = ((card, take),)
        state.turned, state.echo = False, ""
        state.phase = AT_STOCK
        if take and state.threes:
            hachihachi_pay.tobikomi(state, self._scale(state), seat)

    def _throw(self, state: State, card: int, *, was_hidden: bool) -> None:
        """A hand card that captured nothing: it may be hatto, until it proves to be exempt."""
        seat, now = state.seat, state.table
        state.fresh = hachihachi_hatto.throws(now, seat, card, state.turn)
        if state.threes:
            owes = Payer(seat, "hatto", card, state.turn)
            given = hachihachi_hatto.gives_three(now, seat, card, state.threes)
            state.fresh_debts = tuple((three, owes) for three in given)
        if state.fresh or state.fresh_debts:
            state.earlier = now.before_discard(seat - 1, card, was_hidden=was_hidden)

    def stock_card(self, state: State, card: int, take: int) -> None:
        """A stock card, which is never hatto (H12). The turn is over, and captured yaku are judged:
        one that is new, or has grown, asks for a decision (H7).
        """
        if state.phase is not AT_STOCK:
            self._await(state, AT_STOCK)
        seat, now = state.seat, state.table
        take = now.turn(seat - 1, card, take)
        if state.fresh or state.fresh_debts:
            state.throws += state.fresh
            state.debts += state.fresh_debts
            state.fresh, state.fresh_debts = (), ()
        played, caught = state.caught[0]
        state.caught = ((played, caught), (card, take))
        state.turned = True
        if take and state.threes:
            hachihachi_pay.tobikomi(state, self._scale(state), seat)
        captured = now.captured[seat - 1]
        if (caught and YAKU.touched(captured, played | caught)) or (
            take and YAKU.touched(captured, card | take)
        ):
            had = state.made[seat - 1]
            held = self.yaku(state, seat)
            if new := [one for one in held if grown(one, had)]:
                hachihachi_pay.assign(state, seat, new)
                rows = list(state.made)
                rows[seat - 1] = held
                state.made, state.phase = tuple(rows), AT_DECISION
                if state.heard is not None:
                    state.heard += [Event("yaku", seat, one.id, one.value) for one in new]
                    state.heard.append(Event("right", seat))
                return
        self._next_turn(state)

    def _next_turn(self, state: State) -> None:
        """The next turn, unless 下げ is called off by force (H9) or the hands are played
        out (H16).
        """
        seat = state.seat
        if seat == state.sager and self._is_last(state):
            self._cancel(state)
            state.forced = seat
        elif state.turn == TURNS:
            self._played_out(state)
        else:
            state.phase, state.seat = AT_HAND, seat % 3 + 1

    def _is_last(self, state: State) -> bool:
        i = state.seat - 1
        return not state.table.hands[i] and not state.table.hidden[i]

    # Decisions ------------------------------------------------------------------------------------

    def _choices(self, state: State) -> tuple[str, ...]:
        """あがり or 下げ; on the last hand card, or while another is in 下げ, only あがり (H7)."""
        if self._is_last(state) or state.sager not in (0, state.seat):
            return ("agari",)
        return ("agari", "sage")

    def say(self, state: State, word: str) -> None:
        if word not in self.words:
            raise Illegal(codes.DECISION_UNKNOWN, word=word)
        if word == "menjo":
            self._claim_exemption(state)
        elif word == "nimai":
            self._two_turned(state)
        elif word == "sage" and state.echo == word:
            state.echo = ""
        else:
            self._decide(state, word)

    def _decide(self, state: State, word: str) -> None:
        """あがり or 下げ."""
        if state.phase is not Phase.DECIDE:
            raise Illegal(codes.DECISION_NOT_DUE, word=word)
        choices = self._choices(state)
        if word not in choices:  # only 下げ can be barred
            code = codes.SAGE_LAST if self._is_last(state) else codes.SAGE_TAKEN
            raise Illegal(code, expected=choices, seat=state.sager, ruling="H7")
        if state.heard is not None:
            state.heard.append(Event("say", state.seat, word))
        if word == "sage":
            self._sage(state, locked=False)
        else:
            state.turned = False
            self._agari(state)

    def _sage(self, state: State, *, locked: bool) -> None:
        """下げ: its player goes on, and owes for what others make (H11); ``locked`` by force
        (H22).
        """
        state.sager, state.since, state.locked = state.seat, state.turn, locked
        state.turned = False
        self._next_turn(state)

    def _claim_exemption(self, state: State) -> None:
        """=menjo: the card just played costs nothing if all cards in hand were hatto and it was the
        cheapest. A claim that does not hold is illegal (H14).
        """
        if not hachihachi_pay.may_claim(state):
            raise Illegal(codes.EXEMPTION_FALSE)
        if state.heard is not None:
            state.heard.append(Event("say", state.seat, "menjo"))
        if state.earlier is not None and state.earlier.hidden[state.seat - 1]:
            state.unproved = state.seat, "menjo"
        state.fresh, state.fresh_debts = (), ()

    def _two_turned(self, state: State) -> None:
        """=nimai: a player who has seen the next stock card may not choose: a yaku made in that
        turn is 下げ by force. If only あがり was possible it stands (H22).

        It is declared once, before any other decision of the turn; with the last stock card no
        second one can be turned (H25).
        """
        if not state.turned:
            raise Illegal(codes.DECISION_NOT_DUE, word="nimai")
        if state.turn == TURNS:
            raise Illegal(codes.NIMAI_LAST)
        if state.heard is not None:
            state.heard.append(Event("say", state.seat, "nimai"))
        if state.phase is Phase.DECIDE and "sage" in self._choices(state):
            self._sage(state, locked=True)
            state.echo = "sage"
        else:
            state.turned = False

    def _may_cancel(self, state: State) -> bool:
        """Whether 下げ may be called off: once any turn after its own has ended (H10), and not when
        二枚めくり forced it (H22).
        """
        return bool(state.sager) and state.turn > state.since and not state.locked

    def _call(self, state: State, word: str, seat: int) -> None:
        """=torikeshi calls off 下げ between turns (H10); =void-show stands anywhere (H25)."""
        if word == "void-show":
            shows.strike_out(state, seat)
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

    def _scale(self, state: State) -> grades.Scale:
        return self.scales[state.grade or "small"]

    def _agari(self, state: State) -> None:
        """あがり: each of the others pays all the player's yaku in full. Another player in 下げ
        gets half of theirs, and that line comes first (H9).
        """
        paid: tuple[Entry, ...] = ()
        if state.sager not in (0, state.seat):
            paid = hachihachi_pay.yaku_entries(state, self._scale(state), state.sager, half=True)
        paid += hachihachi_pay.yaku_entries(state, self._scale(state), state.seat, half=False)
        self._end(state, "agari", state.seat, paid)

    def _cancel(self, state: State) -> None:
        """下げの取消し: each of the others pays half of the yaku held at the last 下げ (H9)."""
        paid = hachihachi_pay.yaku_entries(state, self._scale(state), state.sager, half=True)
        self._end(state, "torikeshi", state.sager, paid)

    def _played_out(self, state: State) -> None:
        """The hands are played out, no captured yaku was made and nobody is in 下げ.

        If there is a special yaku, what was paid for dealt hands is struck out and card points are
        not paid (H16). Else a seat that declared a hand of dregs (not 光一) and captured 89 points
        gets 抜け, 1 kan from each, and everybody's points beyond 88 count, times the grade (H17).
        """
        special = ending.specials(state, self._scale(state))
        if special:
            state.entries = tuple(one.struck() for one in state.entries)
            self._end(state, "special", ending.best_paid(state, special), special)
        else:
            entries = ending.counted(state, self._scale(state))
            self._end(state, "played-out", ending.most_points(state), entries)

    def _end(
        self,
        state: State,
        end: str,
        winner: int,
        paid: Sequence[Entry],
        makers: tuple[int, ...] = (),
    ) -> None:
        ending.close(state, end, winner, paid, makers, etsunen=self.etsunen)
