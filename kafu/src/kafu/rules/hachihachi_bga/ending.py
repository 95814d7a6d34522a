"""The end of a month and of a game of 八八: who is paid, who wins the month, the prize; and the
options of a house (B1, B9, B11–B13, B15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kafu.rules.defaults import completed
from kafu.rules.hachihachi_bga import pay
from kafu.rules.hachihachi_bga.state import LOWERED, YAKU, State
from kafu.rules.play.actions import Event
from kafu.rules.play.ledger import Entry, score
from kafu.rules.play.machine import Phase
from kafu.rules.verdict import DealResult, Line
from kafu.rules.yaku import Made, made

#: Kan that every player is short of at the start, by the number of months (B1).
START: Final = {12: 5, 6: 3}

Step = tuple[State, tuple[Event, ...]]


class House(NamedTuple):
    """The options of a game (B1, B15): ``start_kan`` is the amount that everybody starts
    without.
    """

    months: int
    start_kan: int
    etsunen: bool
    torikeshi: bool
    tobikomi_hatto: bool
    tsukifuda: bool
    shiso_ends: bool


def house(options: Mapping[str, str]) -> House:
    """The house of a record's options."""
    chosen = completed("hachihachi-bga", options)
    months = int(chosen["months"])
    return House(
        months,
        START[months],
        etsunen=chosen["etsunen"] == "yes",
        torikeshi=chosen["torikeshi"] == "yes",
        tobikomi_hatto=chosen["tobikomi-hatto"] == "yes",
        tsukifuda=chosen["tsukifuda"] == "yes",
        shiso_ends=chosen["shiso"] == "ends",
    )


def held(state: State, seat: int) -> tuple[Made, ...]:
    """The captured-hand yaku of ``seat`` that have a value, in kan before the grade (B8, B12)."""
    if not state.dead:
        return ()
    table = LOWERED if "shiko" in state.lowered[seat - 1] else YAKU
    found = made(table, state.table.captured[seat - 1], rained=False, called=False)
    return tuple(one for one in found if one.id not in state.dead[seat - 1])


def shiso_maker(house: House, state: State) -> int:
    """The seat whose 四三 ends the game, of two the earlier in play order; 0 for none (B15)."""
    makers = {claim.seat for claim in state.claims if "shiso" in claim.yaku}
    return next((seat for seat in state.playing if house.shiso_ends and seat in makers), 0)


def played_out(house: House, state: State) -> Step:
    """The hands are played out.

    A player in 下げ gets half, and the month ends with that (B9). Else special yaku are paid, and
    what dealt hands were paid is returned (B12). Else card points count. Dealt hands of dregs with
    89 points get 抜け if there is no special yaku, a blind dealer gets the bonus anyway (B11).
    """
    paid = pay.mizuten(state)
    if state.sager:
        lowered = held(state, state.sager)
        paid += pay.nuke(state) + pay.yaku_entries(state, state.sager, lowered, half=True)
        return close(house, state, "nagare", state.sager, paid)
    if special := pay.specials(state):
        state = state._replace(entries=tuple(one.struck() for one in state.entries))
        sums = score([one.line for one in special], len(state.totals))
        best = max(state.playing, key=lambda seat: sums[seat - 1])
        return close(house, state, "special", best, paid + special)
    points = pay.points(state)
    paid += pay.nuke(state)
    if any(points):
        paid += (Entry(Line("points", points), 0),)
    best = max(state.playing, key=lambda seat: points[seat - 1])
    return close(house, state, "played-out", best, paid)


def _result(state: State, lines: Sequence[Line], winner: int, end: str) -> DealResult:
    deal = state.month, state.dealer, state.grade, state.bound.strongest
    sums = score(lines, len(state.totals))
    dealer = None if end == "shiso" else winner or state.dealer
    return DealResult(*deal, tuple(lines), sums, dealer, end, winner or None)


def again(state: State, end: str) -> Step:
    """A redeal or a void deal: the same dealer deals again (C6), nothing is carried on."""
    struck = [one.line._replace(void=True) for one in state.entries if end == "void"]
    result = _result(state, struck, 0, end)
    state = state._replace(phase=Phase.DEAL, result=result)
    return state, (Event("deal-end", 0, end, amounts=result.score),)


def close(house: House, state: State, end: str, winner: int, paid: Sequence[Entry]) -> Step:
    """Close the month with its last payments: its winner takes the fees and deals (B13)."""
    paid = (*paid, *pay.fees(state, winner))
    lines = [entry.line for entry in (*state.entries, *paid)]
    result = _result(state, lines, winner, end)
    stones = list(state.stones)
    if house.tsukifuda and end != "shiso":
        stones[winner - 1] += 1
    state = state._replace(
        phase=Phase.DEAL,
        stones=tuple(stones),
        month=state.month + 1,
        dealer=winner,
        bound=state.carries,
        totals=tuple(map(sum, zip(state.totals, result.score, strict=True))),
        result=result,
    )
    shown_events = (*events(paid), Event("deal-end", winner, end, amounts=result.score))
    if not _is_over(house, state, result):
        return state, shown_events
    final = pay.settle(state.totals, house.start_kan, state.stones)
    state = state._replace(phase=Phase.OVER, final=final)
    return state, (*shown_events, Event("game-end", amounts=final))


def _is_over(house: House, state: State, result: DealResult) -> bool:
    """After the last month, by option not while a grade is carried on; after 四三 by option
    (B15).
    """
    if shiso_maker(house, state):
        return True
    return result.month >= house.months and not (house.etsunen and any(state.carries))


def events(paid: Sequence[Entry]) -> tuple[Event, ...]:
    """The payments as events."""
    return tuple(entry.event() for entry in paid)
