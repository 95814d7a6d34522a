"""The end of a month and of a game of 八八: who is paid, who wins the month, the prize; and the
options of a house (B1, B9, B11–B13, B15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kafu.rules.hachihachi_bga import pay
from kafu.rules.hachihachi_bga.state import LOWERED, YAKU, State
from kafu.rules.play.actions import Event
from kafu.rules.play.ledger import Entry, score
from kafu.rules.play.machine import Phase
from kafu.rules.rulesets import complete_options
from kafu.rules.verdict import DealResult, Line
from kafu.rules.yaku import Made, made, missing

#: Kan that every player is short of at the start, by the number of months (B1).
START: Final = {12: 5, 6: 3}


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
    chosen = complete_options("hachihachi-bga", options)
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


def in_reach(state: State) -> bool:
    """Whether some other yaku is not out of reach for the seat in turn (B8).

    五光 is after 四光 was lowered, and as long as 四光 is wanted both are or neither is.
    """
    mine = state.table.captured[state.seat - 1]
    taken = sum(state.table.captured) - mine
    return any(missing(row, mine, taken=taken) for row in LOWERED)


def shiso_maker(house: House, state: State) -> int:
    """The seat whose 四三 ends the game, of two the earlier in play order; 0 for none (B15)."""
    if not house.shiso_ends:
        return 0
    makers = {claim.seat for claim in state.claims if "shiso" in claim.yaku}
    return next((seat for seat in state.playing if seat in makers), 0)


def played_out(house: House, state: State) -> None:
    """The hands are played out.

    A player in 下げ gets half, and the month ends with that (B9). Else special yaku are paid, and
    what dealt hands were paid is returned (B12). Else card points count. Dealt hands of dregs with
    89 points get 抜け if there is no special yaku, a blind dealer gets the bonus anyway (B11).
    """
    paid = pay.mizuten(state)
    if state.sager:
        lowered = held(state, state.sager)
        paid += pay.nuke(state) + pay.yaku_entries(state, state.sager, lowered, half=True)
        close(house, state, "nagare", state.sager, paid)
        return
    if special := pay.specials(state):
        state.entries = tuple(one.struck() for one in state.entries)
        sums = score([one.line for one in special], len(state.totals))
        best = max(state.playing, key=lambda seat: sums[seat - 1])
        close(house, state, "special", best, paid + special)
        return
    points = pay.points(state)
    paid += pay.nuke(state)
    if any(points):
        paid += (Entry(Line("points", points), 0),)
    best = max(state.playing, key=lambda seat: points[seat - 1])
    close(house, state, "played-out", best, paid)


def _result(state: State, winner: int, end: str) -> DealResult:
    lines = tuple(entry.line for entry in state.entries)
    deal = state.month, state.dealer, state.grade, state.bound.strongest
    sums = score(lines, len(state.totals))
    dealer = None if end == "shiso" else winner or state.dealer
    return DealResult(*deal, lines, sums, dealer, end, winner or None)


def again(state: State, end: str) -> None:
    """A redeal or a void deal: the same dealer deals again (C6), nothing is carried on."""
    state.entries = () if end == "redeal" else tuple(one.void() for one in state.entries)
    state.result = _result(state, 0, end)
    state.phase = Phase.DEAL
    if state.heard is not None:
        state.heard.append(Event("deal-end", 0, end, amounts=state.result.score))


def close(house: House, state: State, end: str, winner: int, paid: Sequence[Entry]) -> None:
    """Close the month with its last payments: its winner takes the fees and deals (B13)."""
    paid = (*paid, *pay.fees(state, winner))
    state.entries = (*state.entries, *paid)
    state.result = result = _result(state, winner, end)
    if house.tsukifuda and end != "shiso":
        stones = list(state.stones)
        stones[winner - 1] += 1
        state.stones = tuple(stones)
    state.month += 1
    state.dealer = winner
    state.bound = state.carries
    state.totals = tuple(map(sum, zip(state.totals, result.score, strict=True)))
    state.phase = Phase.DEAL
    if _is_over(house, state, result):
        state.phase = Phase.OVER
        state.final = pay.settle(state.totals, house.start_kan, state.stones)
    if state.heard is not None:
        state.heard += [entry.event() for entry in paid]
        state.heard.append(Event("deal-end", winner, end, amounts=result.score))
        if state.final is not None:
            state.heard.append(Event("game-end", amounts=state.final))


def _is_over(house: House, state: State, result: DealResult) -> bool:
    """After the last month, by option not while a grade is carried on; after 四三 by option
    (B15).
    """
    if shiso_maker(house, state):
        return True
    return result.month >= house.months and not (house.etsunen and any(state.carries))
