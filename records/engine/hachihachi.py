"""三人はちはち: the rules of hachihachi-sannin.ja.txt as read by rulings H1–H25. Sums in points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from records import cards
from records.engine import (
    codes,
    declaring,
    grades,
    hachihachi_hands,
    hachihachi_hatto,
    hachihachi_pay,
    hachihachi_year,
    ledger,
)
from records.engine.actions import (
    Action,
    Begin,
    Call,
    Deal,
    Event,
    Illegal,
    Play,
    Say,
    Show,
    Turn,
    Void,
    captured,
)
from records.engine.defaults import completed
from records.engine.hachihachi_hatto import Three, Throw
from records.engine.hachihachi_state import SEATS, YAKU, Claim, State
from records.engine.ledger import Entry, Payer
from records.engine.machine import Phase, Ruleset
from records.engine.seating import order_by_draw, turn_order
from records.engine.table import lay_out, shuffle
from records.engine.verdict import DealResult, Line
from records.engine.yaku import Made, grown, made

HAND: Final = 7
FIELD: Final = 6
TURNS: Final = 21
EVEN: Final = 88

Step = tuple[State, tuple[Event, ...]]


class Hachihachi(Ruleset[State]):
    """Hachi-hachi for three, with the options ``ba`` (A–F) and ``etsunen``."""

    id = "hachihachi"
    players = 3
    round = 3
    unit = 12
    captured_yaku = YAKU
    words = frozenset({"agari", "sage", "menjo", "nimai"})
    statements = frozenset({"draw", "ba"})

    def __init__(self, options: Mapping[str, str]) -> None:
        house = completed(self.id, options)
        self.scales, self.etsunen = grades.SCALES[house["ba"]], house["etsunen"] == "yes"

    def start(self) -> State:
        """Before January; the first dealer is free unless a draw settles him (C7)."""
        return State()

    def deal(self, state: State, random: Random) -> Deal:
        """Shuffle and deal seven each and six on the field (手七場六)."""
        dealt = shuffle(random, seats=SEATS, hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice(SEATS), *dealt)

    def yaku(self, state: State, seat: int) -> tuple[Made, ...]:
        """The captured-hand yaku that ``seat`` has now, values in kan before the grade (H8)."""
        return made(YAKU, state.table.captured[seat - 1], rained=False, called=False)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """What may be done now. 下げの取消し stands beside the cards of whoever is to play
        (H10).
        """
        match state.phase:
            case Phase.SHOW:
                return [Begin(), *self._shows(state)]
            case Phase.HAND:
                calls = [Call("torikeshi", state.sager)] if self._may_cancel(state) else []
                return [*state.table.plays(state.seat), *calls]
            case Phase.STOCK:
                return state.table.turns()
            case Phase.DECIDE:
                return [Say(word) for word in self._choices(state)]
        return []

    def _void(self, state: State, void: Void) -> Step:
        return self._again(state, "void")

    # The deal and the declarations ----------------------------------------------------------------

    def _deal(self, state: State, deal: Deal) -> Step:
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

    def _shows(self, state: State) -> list[Action]:
        done = {claim.seat for claim in state.claims}
        return [
            Show(seat, one.yaku, one.cards)
            for seat in SEATS
            if seat not in done and not state.table.hidden[seat - 1]
            for one in hachihachi_hands.declarations(state.table.hands[seat - 1])
        ]

    def _show(self, state: State, show: Show) -> Step:
        """H2–H5: a declaration is paid at once. One that a void-show follows must be false
        (H22).
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
        if hidden and not show.disputed:
            among = hachihachi_hands.rest(show.yaku)
            declaring.check_hidden(
                laid, show, hachihachi_hands.declarations, rulings=("H2", "H3"), among=among
            )
        line = hachihachi_pay.line(name, seat, self._scale(state).yaku_sum(kan, len(show.yaku)))
        entry = Entry(line._replace(void=show.disputed), seat, dealt=True)
        state = state._replace(table=laid, entries=(*state.entries, entry))
        events = (Event("show", seat, name, kan, show.cards), entry.event())
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
        """H6: 四三 ends the year when all declarations are paid; else play begins."""
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        makers = [claim.seat for claim in state.claims if "shiso" in claim.yaku]
        if makers:
            return self._end(state, "shiso", makers[0], (), makers=tuple(makers))
        return state._replace(phase=Phase.HAND), ()

    def _redeal(self, state: State, reason: str) -> Step:
        if state.phase is not Phase.SHOW or reason != "misdeal":
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        return self._again(state, "redeal")

    # A turn ---------------------------------------------------------------------------------------

    def _play(self, state: State, action: Play) -> Step:
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

    def _turn(self, state: State, action: Turn) -> Step:
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
        """The next player's turn; forced torikeshi (H9) or the end of the hands comes first."""
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
        """H7: on the last hand card, or while another is in 下げ, only あがり."""
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
        said = Event("say", state.seat, word)
        if word == "sage":
            return self._sage(state, said, locked=False)
        ended, events = self._agari(state)
        return ended, (said, *events)

    def _sage(self, state: State, said: Event, *, locked: bool) -> Step:
        state = state._replace(sager=state.seat, since=state.turn, locked=locked)
        return self._next_turn(state, (said,))

    def _claim_exemption(self, state: State) -> Step:
        """=menjo (H14): the card just played is no hatto, if the claim holds."""
        if state.phase is not Phase.STOCK or not (state.fresh or state.fresh_debts):
            raise Illegal(codes.EXEMPTION_FALSE)
        card = state.caught[0][0]
        if not hachihachi_hatto.is_exempt(state.earlier, state.seat, card, state.threes):
            raise Illegal(codes.EXEMPTION_FALSE)
        return state._replace(fresh=(), fresh_debts=()), (Event("say", state.seat, "menjo"),)

    def _two_turned(self, state: State) -> Step:
        """=nimai (H22): a yaku made in that turn is 下げ by force, where there is a choice."""
        if not state.turned:
            raise Illegal(codes.DECISION_NOT_DUE, word="nimai")
        said = Event("say", state.seat, "nimai")
        if state.phase is Phase.DECIDE and "sage" in self._choices(state):
            forced, events = self._sage(state, said, locked=True)
            return forced._replace(echo="sage", turned=False), events
        return state._replace(turned=False), (said,)

    def _may_cancel(self, state: State) -> bool:
        """H10: between turns, once a turn later than the 下げ turn has ended; not when locked
        (H22).
        """
        return bool(state.sager) and state.turn > state.since and not state.locked

    def _call(self, state: State, word: str, seat: int) -> Step:
        if word == "void-show":
            if seat not in state.disputed:
                raise Illegal(codes.VOID_SHOW_NOTHING, seat=seat)
            return state, (Event("say", seat, word),)
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
        """H9: all the player's yaku in full; one who is in 下げ gets his half first."""
        paid: tuple[Entry, ...] = ()
        if state.sager not in (0, state.seat):
            paid = hachihachi_pay.yaku_entries(state, self._scale(state), state.sager, half=True)
        paid += hachihachi_pay.yaku_entries(state, self._scale(state), state.seat, half=False)
        return self._end(state, "agari", state.seat, paid)

    def _cancel(self, state: State) -> Step:
        """下げの取消し (H9): half of what was held."""
        paid = hachihachi_pay.yaku_entries(state, self._scale(state), state.sager, half=True)
        return self._end(state, "torikeshi", state.sager, paid)

    def _played_out(self, state: State) -> Step:
        """H16, H17: special yaku, else 抜け and card points."""
        scale, order = self._scale(state), turn_order(state.dealer, 3)
        points = tuple(cards.points(captured) for captured in state.table.captured)
        special = [
            Entry(hachihachi_pay.line(label, seat, scale.yaku(kan)), seat)
            for label, seat, kan in hachihachi_year.specials(state.table.captured, state.dealer)
        ]
        if special:
            state = state._replace(entries=tuple(one.struck() for one in state.entries))
            paid = {
                seat: sum(one.line.amounts[seat - 1] for one in special if one.seat == seat)
                for seat in order
            }
            return self._end(state, "special", max(order, key=lambda seat: paid[seat]), special)
        entries = []
        for claim in state.claims:
            if hachihachi_hands.NUKE & set(claim.yaku) and points[claim.seat - 1] > EVEN:
                line = hachihachi_pay.line(
                    "nuke", claim.seat, scale.plain(hachihachi_hands.NUKE_KAN)
                )
                entries.append(Entry(line, claim.seat, dealt=True))
        deviations = scale.card_points(tuple(p - EVEN for p in points))
        if any(deviations):
            entries.append(Entry(Line("points", deviations), 0))
        best = max(order, key=lambda seat: points[seat - 1])
        return self._end(state, "played-out", best, entries)

    def _again(self, state: State, end: str) -> Step:
        """A redeal or a void deal (C6, H22): the month again, same dealer; it binds nothing."""
        lines = () if end == "redeal" else tuple(e.line._replace(void=True) for e in state.entries)
        result = DealResult(
            state.month,
            state.dealer,
            state.grade,
            state.bound,
            lines,
            (0, 0, 0),
            state.dealer,
            end,
        )
        return state._replace(phase=Phase.DEAL, result=result, forced=0), (
            Event("deal-end", 0, end, amounts=(0, 0, 0)),
        )

    def _end(
        self,
        state: State,
        end: str,
        winner: int,
        paid: Sequence[Entry],
        makers: tuple[int, ...] = (),
    ) -> Step:
        """Close the month with its last payments (H19): the winner deals next and puts a stone into
        the board. ``makers`` are those of 四三, who end the year (H6).
        """
        lines = tuple(entry.line for entry in (*state.entries, *paid))
        score = ledger.score(lines, 3)
        stones = list(state.stones)
        if not makers:
            stones[winner - 1] += 1
        result = DealResult(
            state.month,
            state.dealer,
            state.grade,
            state.bound,
            lines,
            score,
            None if makers else winner,
            end,
            winner,
        )
        state = state._replace(
            phase=Phase.DEAL,
            month=state.month + 1,
            dealer=winner,
            bound=state.carries,
            totals=tuple(map(sum, zip(state.totals, score, strict=True))),
            stones=tuple(stones),
            result=result,
            sager=0,
        )
        events = (*_events(paid), Event("deal-end", winner, end, amounts=score))
        over = makers or (result.month >= 12 and not (self.etsunen and state.carries))
        if not over:
            return state, events
        final = hachihachi_year.settle(state.totals, state.stones, result.dealer, makers)
        return state._replace(phase=Phase.OVER, final=final), (
            *events,
            Event("game-end", amounts=final),
        )


def _events(paid: Sequence[Entry]) -> tuple[Event, ...]:
    return tuple(entry.event() for entry in paid)
